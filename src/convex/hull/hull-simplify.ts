// Turns a convex surface of triangles with flat edges and corners into the hull proper: facets are walked along their
// rims, corners where fewer than three facets meet are dropped, and each facet is a fan from its lexicographically
// smallest corner, so that the result does not depend on the order of insertion. O(faces).
import { type HullFaces, PLANE_STRIDE } from './hull-faces.js';
import { isSmaller } from './hull-flat.js';
import { MemoryBlock } from './hull-memory.js';

/** Triangles over point ids, with twins as in `Hull`. */
export interface HullSurface {
  vertices: Uint32Array;
  triangles: Uint32Array;
  twins: Uint32Array;
}

/**
 * The hull of three dimensions from the faces listed in `alive`. Scratch memory: `newIds` has a number for each face slot;
 * `degrees` a zero for each point, and comes back as zeros.
 */
export function simplifyFaces(
  faces: HullFaces,
  alive: Int32Array,
  newIds: Int32Array,
  degrees: Int32Array,
): HullSurface {
  let surface = compactFaces(faces, alive, newIds);
  if (hasFlatEdge(faces, alive))
    surface = joinFlat(faces.points, surface, findFlatEdges(faces, alive, surface), degrees);
  return { ...surface, vertices: listVertices(surface.triangles, degrees) };
}

type Triangles = Pick<HullSurface, 'triangles' | 'twins'>;

function compactFaces(faces: HullFaces, alive: Int32Array, newIds: Int32Array): Triangles {
  const { corners, twins: slotTwins } = faces;
  const end = 3 * alive.length;
  if (isWithoutGaps(alive)) {
    return {
      triangles: new Uint32Array(corners.slice(0, end).buffer),
      twins: new Uint32Array(slotTwins.slice(0, end).buffer),
    };
  }
  for (let i = 0; i < alive.length; i++) newIds[alive[i]] = i;
  const triangles = new Uint32Array(3 * alive.length);
  const twins = new Uint32Array(3 * alive.length);
  for (let i = 0; i < alive.length; i++) {
    for (let k = 0; k < 3; k++) {
      const edge = 3 * alive[i] + k;
      const twin = slotTwins[edge];
      const other = (twin / 3) | 0;
      triangles[3 * i + k] = corners[edge];
      twins[3 * i + k] = 3 * newIds[other] + twin - 3 * other;
    }
  }
  return { triangles, twins };
}

/** Whether the faces are in the slots from zero on, one after another. */
function isWithoutGaps(alive: Int32Array): boolean {
  let i = 0;
  while (i < alive.length && alive[i] === i) i++;
  return i === alive.length;
}

function hasFlatEdge(faces: HullFaces, alive: Int32Array): boolean {
  const { points, corners, twins, planes, originX, originY, originZ } = faces;
  for (let i = 0; i < alive.length; i++) {
    const face = alive[i];
    const plane = PLANE_STRIDE * face;
    const nx = planes[plane];
    const ny = planes[plane + 1];
    const nz = planes[plane + 2];
    const offset = planes[plane + 3] - planes[plane + 4];
    for (let edge = 3 * face; edge < 3 * face + 3; edge++) {
      const twin = twins[edge];
      if (twin < edge) continue;
      const apex = corners[previous(twin)];
      const x = points[3 * apex] - originX;
      const y = points[3 * apex + 1] - originY;
      const z = points[3 * apex + 2] - originZ;
      // No point is outside a face: what is not clearly inside is decided exactly.
      if (nx * x + ny * y + nz * z >= offset && faces.sideOfPoint(face, apex) === 0) return true;
    }
  }
  return false;
}

function findFlatEdges(faces: HullFaces, alive: Int32Array, { triangles, twins }: Triangles): Uint8Array {
  const isFlat = new Uint8Array(triangles.length);
  for (let edge = 0; edge < triangles.length; edge++) {
    const twin = twins[edge];
    if (twin > edge && faces.sideOfPoint(alive[(edge / 3) | 0], triangles[previous(twin)]) === 0) {
      isFlat[edge] = isFlat[twin] = 1;
    }
  }
  return isFlat;
}

function joinFlat(
  points: Float64Array,
  { triangles, twins }: Triangles,
  isFlat: Uint8Array,
  degrees: Int32Array,
): Triangles {
  let rimLength = 0;
  for (let edge = 0; edge < triangles.length; edge++) {
    if (isFlat[edge]) continue;
    // A corner has as many edges as facets: with two it is a point within an edge, with none a point within a facet.
    degrees[triangles[edge]]++;
    rimLength++;
  }
  const joined = new Uint32Array(triangles.length);
  const joinedTwins = new Uint32Array(triangles.length);
  let end = 0;
  const block = new MemoryBlock(4 * (triangles.length + 3 * rimLength));
  /** For the first half-edge of each side of a facet, the half-edge of the result. */
  const resultOf = block.takeIntegers(triangles.length).fill(-1);
  /** Pairs: a half-edge of the result, and the first half-edge of the same side in the facet beyond. */
  const sides = block.takeIntegers(2 * rimLength);
  let sideCount = 0;
  const rim = block.takeIntegers(rimLength);
  for (let start = 0; start < triangles.length; start++) {
    if (isFlat[start] || resultOf[start] >= 0 || degrees[triangles[start]] < 3) continue;
    let length = 0;
    let smallest = 0;
    let edge = start;
    do {
      if (degrees[triangles[edge]] >= 3) {
        rim[length] = edge;
        if (isSmaller(points, triangles[edge], triangles[rim[smallest]])) smallest = length;
        length++;
      }
      edge = nextOnRim(edge, twins, isFlat);
    } while (edge !== start);
    const first = end;
    for (let j = 1; j + 1 < length; j++) {
      joined[end] = triangles[rim[smallest]];
      joined[end + 1] = triangles[rim[(smallest + j) % length]];
      joined[end + 2] = triangles[rim[(smallest + j + 1) % length]];
      // The diagonals of the fan. What is wrong here at its sides is set when every facet stands.
      joinedTwins[end] = end - 1;
      joinedTwins[end + 2] = end + 3;
      end += 3;
    }
    for (let j = 0; j < length; j++) {
      const side = rim[(smallest + j) % length];
      const result = j === 0 ? first : j === length - 1 ? end - 1 : first + 3 * (j - 1) + 1;
      resultOf[side] = result;
      sides[sideCount++] = result;
      sides[sideCount++] = twins[lastOfSide(side, triangles, twins, isFlat, degrees)];
    }
  }
  for (let i = 0; i < sideCount; i += 2) joinedTwins[sides[i]] = resultOf[sides[i + 1]];
  for (let i = 0; i < triangles.length; i++) degrees[triangles[i]] = 0;
  return { triangles: joined.slice(0, end), twins: joinedTwins.slice(0, end) };
}

/**
 * The half-edge after `edge` on the rim of its facet. Ends: the walk is round the vertex where `edge` ends, and meets its
 * twin, which is not flat either. A permutation of the half-edges on rims, so that a rim comes back to where it began.
 */
function nextOnRim(edge: number, twins: Uint32Array, isFlat: Uint8Array): number {
  let following = next(edge);
  while (isFlat[following]) following = next(twins[following]);
  return following;
}

/**
 * The last half-edge of the side that begins with `edge`: the one that ends in a corner that stays. Ends: `edge` itself
 * leaves that corner, and the rim comes back to it.
 */
function lastOfSide(
  edge: number,
  triangles: Uint32Array,
  twins: Uint32Array,
  isFlat: Uint8Array,
  degrees: Int32Array,
): number {
  while (degrees[triangles[next(edge)]] < 3) edge = nextOnRim(edge, twins, isFlat);
  return edge;
}

function listVertices(triangles: Uint32Array, degrees: Int32Array): Uint32Array {
  // Euler: a closed surface of triangles has half as many corners as triangles, and two more.
  const vertices = new Uint32Array(triangles.length / 6 + 2);
  let count = 0;
  for (let i = 0; i < triangles.length; i++) {
    const vertex = triangles[i];
    if (degrees[vertex] !== 0) continue;
    degrees[vertex] = 1;
    vertices[count++] = vertex;
  }
  if (count > degrees.length / 16) {
    count = 0;
    for (let vertex = 0; vertex < degrees.length; vertex++) if (degrees[vertex] !== 0) vertices[count++] = vertex;
  } else {
    vertices.sort();
  }
  for (let i = 0; i < count; i++) degrees[vertices[i]] = 0;
  return vertices;
}

/** The half-edge after `edge` around its triangle. */
export function next(edge: number): number {
  return edge % 3 === 2 ? edge - 2 : edge + 1;
}

/** The half-edge before `edge` around its triangle. */
export function previous(edge: number): number {
  return edge % 3 === 0 ? edge + 2 : edge - 1;
}

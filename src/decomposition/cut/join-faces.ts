// Joins the triangles of each source, a triangle of the input or a cut, into one face with as few triangles as its outline
// allows. Cuts one after the other leave diagonals, and each later cut adds a vertex where it crosses one. O(triangles).
import { triangulateSection } from './close-section.js';
import { ON_PLANE, type Part, PartBuilder, type Plane } from './part.js';

/**
 * Rounding: a vertex is dropped if it lies this near to the line of its neighbors, as a share of the largest
 * coordinate.
 */
const ON_LINE = 8 * ON_PLANE;

/**
 * The same closed surface with fewer triangles; the part itself where an outline is not simple. Vertices inside a face and
 * on the straight edge between two faces are dropped.
 */
export function joinFaces(part: Part): Part {
  const { positions, indices, sources } = part;
  const groups = groupBySource(sources);
  const borders = groups.map((triangles) => findBorder(indices, triangles));
  const isStraight = findStraightVertices(part, borders);
  const builder = new PartBuilder(sources.length);
  for (const [group, triangles] of groups.entries()) {
    const border = shorten(borders[group], isStraight);
    if (border === null) return part;
    if (border === borders[group] && triangles.length === 1) {
      builder.add(border[0], border[2], border[4], sources[triangles[0]]);
      continue;
    }
    const face = triangulateSection(positions, border.reverse(), planeOf(part, triangles));
    if (face === null) return part;
    for (let i = 0; i < face.length; i += 3) builder.add(face[i], face[i + 1], face[i + 2], sources[triangles[0]]);
  }
  return builder.finish(positions) ?? part;
}

/** The triangles of each source, in the order in which sources appear. */
function groupBySource(sources: Int32Array): number[][] {
  const ids = new Map<number, number>();
  const groups: number[][] = [];
  for (let t = 0; t < sources.length; t++) {
    const id = ids.get(sources[t]);
    if (id === undefined) {
      ids.set(sources[t], groups.length);
      groups.push([t]);
    } else groups[id].push(t);
  }
  return groups;
}

/** The two ends of each edge of triangles that does not cancel. */
function findBorder(indices: Uint32Array, triangles: readonly number[]): number[] {
  if (triangles.length === 1) {
    const [a, b, c] = indices.subarray(3 * triangles[0], 3 * triangles[0] + 3);
    return [a, b, b, c, c, a];
  }
  const open = new Map<string, [number, number]>();
  for (const t of triangles) {
    for (let corner = 0; corner < 3; corner++) {
      const [from, to] = [indices[3 * t + corner], indices[3 * t + ((corner + 1) % 3)]];
      if (!open.delete(`${to} ${from}`)) open.set(`${from} ${to}`, [from, to]);
    }
  }
  return [...open.values()].flat();
}

/** Marks the vertices that lie on the straight edge between two faces, and in no third. */
function findStraightVertices(part: Part, borders: readonly number[][]): Uint8Array {
  const { positions } = part;
  const count = positions.length / 3;
  // For each vertex its first two faces, and for each of them the vertex before and after along the border.
  const faces = new Int32Array(2 * count).fill(-1);
  const before = new Int32Array(2 * count).fill(-1);
  const after = new Int32Array(2 * count).fill(-1);
  const isCorner = new Uint8Array(count);
  const record = (beside: Int32Array, v: number, face: number, other: number): void => {
    let at = 2 * v;
    if (faces[at] !== -1 && faces[at] !== face) at++;
    if (faces[at] === -1) faces[at] = face;
    // A third face, or a face that passes the vertex twice.
    if (faces[at] !== face || beside[at] !== -1) isCorner[v] = 1;
    beside[at] = other;
  };
  for (const [face, border] of borders.entries()) {
    for (let e = 0; e < border.length; e += 2) {
      record(after, border[e], face, border[e + 1]);
      record(before, border[e + 1], face, border[e]);
    }
  }
  let size = 0;
  for (let i = 0; i < positions.length; i++) size = Math.max(size, Math.abs(positions[i]));
  const isStraight = new Uint8Array(count);
  for (let v = 0; v < count; v++) {
    const [p, q] = [before[2 * v], after[2 * v]];
    const isShared = p !== -1 && q !== -1 && p !== q && after[2 * v + 1] === p && before[2 * v + 1] === q;
    if (isShared && isCorner[v] === 0 && isBetween(positions, v, p, q, ON_LINE * size)) isStraight[v] = 1;
  }
  return isStraight;
}

/** Whether a vertex is within `slack` of the line through two others, and between them. */
function isBetween(positions: Float64Array, v: number, p: number, q: number, slack: number): boolean {
  const [px, py, pz] = [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]];
  const [dx, dy, dz] = [positions[3 * q] - px, positions[3 * q + 1] - py, positions[3 * q + 2] - pz];
  const [ex, ey, ez] = [positions[3 * v] - px, positions[3 * v + 1] - py, positions[3 * v + 2] - pz];
  const length = Math.hypot(dx, dy, dz);
  const along = dx * ex + dy * ey + dz * ez;
  if (!(along > 0 && along < length * length)) return false;
  return Math.hypot(dy * ez - dz * ey, dz * ex - dx * ez, dx * ey - dy * ex) <= slack * length;
}

/** A border without its straight vertices; null if one of its loops has nothing else. */
function shorten(border: number[], isStraight: Uint8Array): number[] | null {
  let straight = 0;
  for (let e = 0; e < border.length; e += 2) straight += isStraight[border[e]];
  if (straight === 0) return border;
  const next = new Map<number, number>();
  for (let e = 0; e < border.length; e += 2) if (isStraight[border[e]] === 1) next.set(border[e], border[e + 1]);
  const short: number[] = [];
  let passed = 0;
  for (let e = 0; e < border.length; e += 2) {
    if (isStraight[border[e]] === 1) continue;
    let to = border[e + 1];
    for (; isStraight[to] === 1; passed++) to = next.get(to)!;
    short.push(border[e], to);
  }
  return passed === straight ? short : null;
}

/** A plane along the area of triangles. */
function planeOf({ positions, indices }: Part, triangles: readonly number[]): Plane {
  const sum = [0, 0, 0];
  for (const t of triangles) {
    const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      sum[axis] +=
        (positions[b + u] - positions[a + u]) * (positions[c + v] - positions[a + v]) -
        (positions[b + v] - positions[a + v]) * (positions[c + u] - positions[a + u]);
    }
  }
  const length = Math.hypot(...sum) || 1;
  return { nx: sum[0] / length, ny: sum[1] / length, nz: sum[2] / length, offset: 0 };
}

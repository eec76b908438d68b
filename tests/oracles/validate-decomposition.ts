// Whether patches and pieces are a convex surface decomposition, decided exactly: coordinates become integers, what a
// piece holds of a triangle is clipped out in whole barycentric coordinates, and nothing is rounded. Boxes and the
// signs of adaptive predicates only spare work. Shares nothing with the library but the shape of its answer.
import { orient3d } from 'robust-predicates';
import type { Decomposition } from '../../src/decomposition/decomposition.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { exactHull, exactOrientation, toIntegers } from './convex-hull.js';

type Vector = readonly [bigint, bigint, bigint];
/** Outside where normal · p > offset. */
interface HalfSpace {
  normal: Vector;
  offset: bigint;
}

/** What is wrong, one line each; empty for a decomposition in order. Patches to look at: all, or those that pass. */
export function decompositionFaults(
  decomposition: Decomposition,
  isLookedAt: (patch: number) => boolean = () => true,
): string[] {
  const faults = partitionFaults(decomposition);
  if (faults.length > 0) return faults;
  const validator = new PieceValidator(decomposition);
  for (let patch = 0; patch < decomposition.patchStart.length - 1; patch++) {
    if (isLookedAt(patch)) validator.check(patch);
  }
  return validator.faults;
}

/** Whether some faces are a valid patch by themselves. Hulls by brute force; patches of several faces must not be flat. */
export function isValidPatch(mesh: Mesh, faces: readonly number[]): boolean {
  if (faces.length === 1) return true;
  const inPatch = new Set(faces);
  const patchOfFace = Uint32Array.from({ length: mesh.indices.length / 3 }, (_, face) => (inPatch.has(face) ? 0 : 1));
  const vertices = [...new Set(faces.flatMap((face) => [...mesh.indices.subarray(3 * face, 3 * face + 3)]))];
  const points = vertices.flatMap((v) => [...mesh.positions.subarray(3 * v, 3 * v + 3)]);
  const hull = exactHull(points);
  if (hull.dimension < 3) throw new Error('a flat patch');
  const triangles = hull.facets.map(([a, b, c]) => {
    const isInward = vertices.some((_, i) => exactOrientation(points, a, b, c, i) > 0);
    return (isInward ? [a, c, b] : [a, b, c]).map((i) => vertices[i]);
  });
  // Only the planes of the piece are asked for.
  const validator = new PieceValidator({ mesh, patchOfFace } as Decomposition);
  return validator.isValid([...faces], triangles, new Set(vertices));
}

function partitionFaults({ mesh, patchOfFace, patchStart, patchFaces, pieces }: Decomposition): string[] {
  const faults: string[] = [];
  const faces = mesh.indices.length / 3;
  const patches = patchStart.length - 1;
  if (patchStart[0] !== 0 || patchStart[patches] !== patchFaces.length)
    faults.push('patchStart does not span patchFaces');
  if (patchOfFace.length !== faces) faults.push(`patchOfFace has ${patchOfFace.length} entries for ${faces} faces`);
  if (pieces.triangleStart.length !== patches + 1) faults.push('there is not one piece for each patch');
  if (pieces.triangleStart[patches] !== pieces.sources.length) faults.push('triangleStart does not span the triangles');
  if (pieces.triangles.length !== 3 * pieces.sources.length) faults.push('triangles and sources differ in length');
  const seen = new Int32Array(faces).fill(-1);
  for (let p = 0; p < patches; p++) {
    if (patchStart[p + 1] <= patchStart[p]) faults.push(`patch ${p} is empty`);
    for (let i = patchStart[p]; i < patchStart[p + 1]; i++) {
      const face = patchFaces[i];
      if (!(face < faces)) faults.push(`patch ${p} names face ${face}, which is none`);
      else if (seen[face] >= 0) faults.push(`face ${face} is in patches ${seen[face]} and ${p}`);
      else {
        seen[face] = p;
        if (patchOfFace[face] !== p) faults.push(`patchOfFace has ${patchOfFace[face]} for face ${face} of patch ${p}`);
      }
    }
  }
  seen.forEach((patch, face) => {
    if (patch < 0) faults.push(`face ${face} is in no patch`);
  });
  return faults;
}

class PieceValidator {
  readonly faults: string[] = [];
  readonly #points: Vector[];
  readonly #boxes: Float64Array;

  constructor(readonly decomposition: Decomposition) {
    const { positions, indices } = decomposition.mesh;
    const integers = toIntegers(positions);
    this.#points = Array.from({ length: positions.length / 3 }, (_, v) => [
      integers[3 * v],
      integers[3 * v + 1],
      integers[3 * v + 2],
    ]);
    this.#boxes = new Float64Array(2 * indices.length);
    for (let face = 0; face < indices.length / 3; face++) {
      const corners = indices.subarray(3 * face, 3 * face + 3);
      for (let axis = 0; axis < 3; axis++) {
        const values = Array.from(corners, (v) => positions[3 * v + axis]);
        this.#boxes[6 * face + axis] = Math.min(...values);
        this.#boxes[6 * face + 3 + axis] = Math.max(...values);
      }
    }
  }

  /** The criteria for patch 0, given triangles that span the planes of its hull. */
  isValid(faces: number[], triangles: number[][], vertices: ReadonlySet<number>): boolean {
    for (const face of faces) for (const v of vertices) if (this.#side(this.#corners(face), v) > 0) return false;
    this.#checkContacts(0, faces, triangles, vertices);
    return this.faults.length === 0;
  }

  check(patch: number): void {
    const { mesh, patchStart, patchFaces, pieces } = this.decomposition;
    const faces = Array.from(patchFaces.subarray(patchStart[patch], patchStart[patch + 1]));
    const first = pieces.triangleStart[patch];
    const end = pieces.triangleStart[patch + 1];
    const triangles = Array.from({ length: end - first }, (_, i) =>
      Array.from(pieces.triangles.subarray(3 * (first + i), 3 * (first + i) + 3)),
    );
    const sources = Array.from(pieces.sources.subarray(first, end));
    const vertices = new Set(faces.flatMap((face) => this.#corners(face)));
    const before = this.faults.length;

    const inPatch = new Set(faces);
    for (const face of faces) {
      const corners = this.#corners(face);
      for (const v of vertices) {
        if (this.#side(corners, v) > 0) {
          this.#say(patch, `vertex ${v} lies outside the plane of face ${face}: the patch is not convex`);
        }
      }
    }
    this.#checkSurface(patch, triangles, vertices);
    const shown = new Set<number>();
    sources.forEach((source, i) => {
      if (source < 0) return;
      if (source >= mesh.indices.length / 3 || !isSameTriangle(triangles[i], this.#corners(source))) {
        this.#say(patch, `triangle ${i} of the piece is not face ${source}`);
      } else if (!inPatch.has(source)) this.#say(patch, `face ${source} of the piece is not in its patch`);
      else if (shown.has(source)) this.#say(patch, `face ${source} is in the piece twice`);
      shown.add(source);
    });
    for (const face of faces) if (!shown.has(face)) this.#say(patch, `face ${face} is no triangle of the piece`);
    // What the piece holds is only defined when the piece is convex.
    if (this.faults.length === before) this.#checkContacts(patch, faces, triangles, vertices);
  }

  /** A closed, consistently oriented, weakly convex surface of one part over exactly these vertices. */
  #checkSurface(patch: number, triangles: readonly number[][], vertices: ReadonlySet<number>): void {
    const used = new Set(triangles.flat());
    for (const v of vertices) if (!used.has(v)) this.#say(patch, `vertex ${v} of the patch is not in the piece`);
    for (const v of used) if (!vertices.has(v)) this.#say(patch, `vertex ${v} of the piece is not in the patch`);
    if (this.#isFlat(triangles)) {
      this.#checkSides(patch, triangles, vertices);
    } else {
      const edges = this.#directedEdges(patch, triangles);
      for (const edge of edges) if (!edges.has(turned(edge))) this.#say(patch, `the piece is open at the edge ${edge}`);
      // A closed surface of one part with the characteriztic of a sphere, weakly convex everywhere, is the hull's.
      if (used.size - edges.size / 2 + triangles.length !== 2) this.#say(patch, 'the piece is not a sphere');
    }
    triangles.forEach((triangle, i) => {
      const { normal } = this.#planeOf(triangle);
      if (normal.every((x) => x === 0n)) this.#say(patch, `triangle ${i} of the piece has no area`);
      for (const v of vertices) {
        if (this.#side(triangle, v) > 0) this.#say(patch, `vertex ${v} lies outside triangle ${i} of the piece`);
      }
    });
  }

  /** Of a flat piece each side covers the same convex polygon, whose corners and rim the two have in common. */
  #checkSides(patch: number, triangles: readonly number[][], vertices: ReadonlySet<number>): void {
    const { normal } = this.#planeOf(triangles[0]);
    const isFront = (triangle: readonly number[]): boolean => dot(this.#planeOf(triangle).normal, normal) > 0n;
    const rims = [triangles.filter(isFront), triangles.filter((triangle) => !isFront(triangle))].map((side) => {
      const edges = this.#directedEdges(patch, side);
      return { side, rim: [...edges].filter((edge) => !edges.has(turned(edge))) };
    });
    const [front, back] = rims;
    const frontRim = new Set(front.rim);
    if (front.rim.length !== back.rim.length || !back.rim.every((edge) => frontRim.has(turned(edge)))) {
      this.#say(patch, 'the two sides of the flat piece do not close');
    }
    let corners = 0;
    for (const edge of front.rim) {
      const [a, b] = edge.split(' ').map(Number);
      const outward = cross(minus(this.#points[b], this.#points[a]), normal);
      const offset = dot(outward, this.#points[a]);
      corners++;
      for (const v of vertices) {
        if (dot(outward, this.#points[v]) > offset) this.#say(patch, `vertex ${v} lies outside the rim ${edge}`);
      }
    }
    // Euler's count for a triangulated disk: triangles that overlapped or lay apart would not add up.
    for (const { side } of rims) {
      const inner = new Set(side.flat()).size - corners;
      if (side.length !== corners - 2 + 2 * inner) this.#say(patch, 'a side of the flat piece is not a disk');
    }
  }

  /** The directed edges of triangles, none of which may come twice. */
  #directedEdges(patch: number, triangles: readonly number[][]): Set<string> {
    const edges = new Set<string>();
    for (const [a, b, c] of triangles) {
      for (const edge of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) {
        if (edges.has(edge)) this.#say(patch, `the piece has the edge ${edge} twice`);
        edges.add(edge);
      }
    }
    return edges;
  }

  #isFlat(triangles: readonly number[][]): boolean {
    return triangles.every((triangle) => triangles[0].every((v) => this.#side(triangle, v) === 0));
  }

  /** Every face outside the patch meets the piece in the corners and edges it shares with the patch, and nowhere else. */
  #checkContacts(patch: number, faces: number[], triangles: number[][], vertices: ReadonlySet<number>): void {
    const { mesh, patchOfFace } = this.decomposition;
    const patchEdges = new Set<string>();
    for (const face of faces) {
      const [a, b, c] = this.#corners(face);
      patchEdges.add(edgeName(a, b)).add(edgeName(b, c)).add(edgeName(c, a));
    }
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (const v of vertices) {
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis], mesh.positions[3 * v + axis]);
        box[3 + axis] = Math.max(box[3 + axis], mesh.positions[3 * v + axis]);
      }
    }
    let halfSpaces: HalfSpace[] | null = null;
    for (let face = 0; face < patchOfFace.length; face++) {
      if (patchOfFace[face] === patch || !this.#boxMeets(face, box)) continue;
      const corners = this.#corners(face);
      const shared = corners.map((v) => vertices.has(v));
      const count = shared.filter(Boolean).length;
      if (count === 3) {
        this.#say(patch, `face ${face} has all its corners in the piece`);
        continue;
      }
      if (count === 2) {
        const [a, b] = corners.filter((_, k) => shared[k]);
        if (!patchEdges.has(edgeName(a, b))) {
          this.#say(patch, `face ${face} has the edge ${a} ${b} in the piece, which is none of the patch`);
          continue;
        }
      }
      // A plane of the piece through all shared corners with the others strictly outside.
      const isParted = triangles.some((triangle) =>
        corners.every((v, k) => (shared[k] ? triangle.includes(v) : this.#side(triangle, v) > 0)),
      );
      if (isParted) continue;
      halfSpaces ??= this.#halfSpacesOf(triangles);
      const rest = this.#clip(corners, halfSpaces);
      if (rest.some((point) => point.some((weight, k) => weight !== 0n && !shared[k]))) {
        this.#say(patch, `face ${face} meets the piece outside the patch`);
      }
    }
  }

  /** The convex hull of the piece as half-spaces; a flat piece also needs its rim. */
  #halfSpacesOf(triangles: readonly number[][]): HalfSpace[] {
    const halfSpaces = triangles.map((triangle) => this.#planeOf(triangle));
    if (!this.#isFlat(triangles)) return halfSpaces;
    const { normal } = halfSpaces[0];
    const front = triangles.filter((_, i) => dot(halfSpaces[i].normal, normal) > 0n);
    const edges = new Set(front.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
    for (const edge of edges) {
      const [a, b] = edge.split(' ').map(Number);
      if (edges.has(`${b} ${a}`)) continue;
      const outward = cross(minus(this.#points[b], this.#points[a]), normal);
      halfSpaces.push({ normal: outward, offset: dot(outward, this.#points[a]) });
    }
    return halfSpaces;
  }

  /**
   * The corners of what the half-spaces leave of a triangle, as weights of its corners. Each side of the polygon keeps
   * the line it lies on, so that a corner is the crossing of two given lines however often it is cut.
   */
  #clip(corners: readonly number[], halfSpaces: readonly HalfSpace[]): Vector[] {
    let points: Vector[] = [
      [1n, 0n, 0n],
      [0n, 1n, 0n],
      [0n, 0n, 1n],
    ];
    let lines: Vector[] = [
      [0n, 0n, 1n],
      [1n, 0n, 0n],
      [0n, 1n, 0n],
    ];
    for (const { normal, offset } of halfSpaces) {
      const heights = corners.map((v) => dot(normal, this.#points[v]) - offset) as unknown as Vector;
      const sides = points.map((point) => dot(heights, point));
      if (sides.every((side) => side <= 0n)) continue;
      const nextPoints: Vector[] = [];
      const nextLines: Vector[] = [];
      points.forEach((point, i) => {
        const following = sides[(i + 1) % points.length];
        if (sides[i] <= 0n) {
          nextPoints.push(point);
          nextLines.push(following > 0n && sides[i] === 0n ? heights : lines[i]);
        }
        if ((sides[i] < 0n && following > 0n) || (sides[i] > 0n && following < 0n)) {
          const crossing = cross(lines[i], heights);
          const isNegative = crossing[0] + crossing[1] + crossing[2] < 0n;
          nextPoints.push(isNegative ? [-crossing[0], -crossing[1], -crossing[2]] : crossing);
          nextLines.push(following > 0n ? heights : lines[i]);
        }
      });
      points = nextPoints;
      lines = nextLines;
      if (points.length === 0) break;
    }
    return points;
  }

  #planeOf([a, b, c]: readonly number[]): HalfSpace {
    const p = this.#points;
    const normal = cross(minus(p[b], p[a]), minus(p[c], p[a]));
    return { normal, offset: dot(normal, p[a]) };
  }

  #corners(face: number): number[] {
    const { indices } = this.decomposition.mesh;
    return [indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]];
  }

  /** Positive when v is outside the plane of the triangle. */
  #side([a, b, c]: readonly number[], v: number): number {
    if (v === a || v === b || v === c) return 0;
    const p = this.decomposition.mesh.positions;
    const [i, j, k, l] = [3 * a, 3 * b, 3 * c, 3 * v];
    return -orient3d(
      p[i],
      p[i + 1],
      p[i + 2],
      p[j],
      p[j + 1],
      p[j + 2],
      p[k],
      p[k + 1],
      p[k + 2],
      p[l],
      p[l + 1],
      p[l + 2],
    );
  }

  #boxMeets(face: number, box: readonly number[]): boolean {
    const o = 6 * face;
    for (let axis = 0; axis < 3; axis++) {
      if (this.#boxes[o + axis] > box[3 + axis] || this.#boxes[o + 3 + axis] < box[axis]) return false;
    }
    return true;
  }

  #say(patch: number, fault: string): void {
    this.faults.push(`patch ${patch}: ${fault}`);
  }
}

function isSameTriangle(a: readonly number[], b: readonly number[]): boolean {
  return [0, 1, 2].some((turn) => [0, 1, 2].every((k) => a[k] === b[(k + turn) % 3]));
}

function turned(edge: string): string {
  return edge.split(' ').reverse().join(' ');
}

function edgeName(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Vector, b: Vector): bigint {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

// A surface in small pieces, each given by points around which its part of the surface is convex: triangles are halved until
// they are small, and those whose middles are in one cell of a grid are taken together.
import type { Vec3 } from '../../core/vec3.js';
import { type Mesh, triangleCount } from '../../mesh/mesh.js';

/** Chosen: triangles are halved until their longest side is this share of the size. */
const LONGEST = 0.1;

/** Chosen: the size of the cells of the grid, as a share of the size. */
const CELL = 0.12;

/** Chosen: a cell of more points is given by the corners of the box around them. */
const MAX_POINTS = 30;

/** Chosen: the most parts of triangles. */
const MAX_PARTS = 100_000;

export class SurfacePieces {
  readonly #corners: Float64Array;
  /** By piece: the first number of its corners; one more entry at the end. */
  readonly #first: Int32Array;
  /** By piece: the sum of its triangles' normals by area. */
  readonly #normals: Float64Array;

  constructor(pieces: readonly { readonly corners: readonly number[]; readonly normal: Vec3 }[]) {
    this.#first = new Int32Array(pieces.length + 1);
    for (const [i, { corners }] of pieces.entries()) this.#first[i + 1] = this.#first[i] + corners.length;
    this.#corners = new Float64Array(this.#first[pieces.length]);
    this.#normals = new Float64Array(3 * pieces.length);
    for (const [i, { corners, normal }] of pieces.entries()) {
      this.#corners.set(corners, this.#first[i]);
      this.#normals.set(normal, 3 * i);
    }
  }

  get count(): number {
    return this.#first.length - 1;
  }

  /** How far the corner of a piece is that is farthest from a point. */
  farthest(piece: number, x: number, y: number, z: number): number {
    const corners = this.#corners;
    let most = 0;
    for (let i = this.#first[piece], end = this.#first[piece + 1]; i < end; i += 3) {
      const dx = corners[i] - x;
      const dy = corners[i + 1] - y;
      const dz = corners[i + 2] - z;
      const squared = dx * dx + dy * dy + dz * dz;
      if (squared > most) most = squared;
    }
    return Math.sqrt(most);
  }

  /** The mean of the corners of a piece. */
  middle(piece: number): Vec3 {
    const sum: Vec3 = [0, 0, 0];
    const [begin, end] = [this.#first[piece], this.#first[piece + 1]];
    for (let i = begin; i < end; i++) sum[(i - begin) % 3] += this.#corners[i];
    return sum.map((value) => (3 * value) / (end - begin)) as Vec3;
  }

  /** Writes the unit normal; false where it has no direction. */
  writeNormal(piece: number, out: Vec3): boolean {
    const [x, y, z] = this.#normals.subarray(3 * piece, 3 * piece + 3);
    const length = Math.hypot(x, y, z);
    if (!(length > 0)) return false;
    out[0] = x / length;
    out[1] = y / length;
    out[2] = z / length;
    return true;
  }
}

/** @param size what pieces are small against. */
export function splitSurface(mesh: Mesh, size: number): SurfacePieces {
  const longest = LONGEST * size;
  const cells = new Map<string, { readonly points: Map<string, number[]>; readonly normal: Vec3 }>();
  const count = triangleCount(mesh);
  let parts = count;
  for (let t = 0; t < count; t++) {
    const waiting = [cornersOf(mesh, t)];
    for (let triangle = waiting.pop(); triangle !== undefined; triangle = waiting.pop()) {
      const { k, length } = longestSide(triangle);
      if (length <= longest || parts >= MAX_PARTS) {
        gather(cells, triangle, CELL * size);
        continue;
      }
      parts++;
      const [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map((corner) => triangle!.slice(3 * corner, 3 * corner + 3));
      const middle = a.map((value, i) => (value + b[i]) / 2);
      waiting.push([...a, ...middle, ...c], [...middle, ...b, ...c]);
    }
  }
  const pieces = [...cells.values()].map(({ points, normal }) => {
    const corners = [...points.values()].flat();
    return { corners: points.size > MAX_POINTS ? cornersOfBox(corners) : corners, normal };
  });
  return new SurfacePieces(pieces);
}

function cornersOf({ positions, indices }: Mesh, triangle: number): number[] {
  const corners: number[] = [];
  for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
    const v = 3 * indices[i];
    corners.push(positions[v], positions[v + 1], positions[v + 2]);
  }
  return corners;
}

/** The longest side of a triangle, from corner k to the next. */
function longestSide(t: readonly number[]): { readonly k: number; readonly length: number } {
  let [best, most] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const [p, q] = [3 * k, 3 * ((k + 1) % 3)];
    const length = Math.hypot(t[q] - t[p], t[q + 1] - t[p + 1], t[q + 2] - t[p + 2]);
    if (length > most) [best, most] = [k, length];
  }
  return { k: best, length: most };
}

/** The normal of a triangle, as long as twice its area. */
function normalOf(t: readonly number[]): Vec3 {
  const [ux, uy, uz] = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const [vx, vy, vz] = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Adds a triangle to the cell that its middle is in. */
function gather(
  cells: Map<string, { readonly points: Map<string, number[]>; readonly normal: Vec3 }>,
  triangle: readonly number[],
  size: number,
): void {
  const cell = [0, 1, 2].map((k) => Math.floor((triangle[k] + triangle[k + 3] + triangle[k + 6]) / (3 * size))).join();
  const known = cells.get(cell) ?? { points: new Map(), normal: [0, 0, 0] };
  cells.set(cell, known);
  for (let i = 0; i < 9; i += 3) {
    const point = triangle.slice(i, i + 3);
    known.points.set(point.join(), point);
  }
  for (const [k, value] of normalOf(triangle).entries()) known.normal[k] += value;
}

/** The corners of the box around some points. */
function cornersOfBox(points: readonly number[]): number[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const [n, value] of points.entries()) {
    low[n % 3] = Math.min(low[n % 3], value);
    high[n % 3] = Math.max(high[n % 3], value);
  }
  return Array.from({ length: 24 }, (_, n) => ((Math.floor(n / 3) >> (n % 3)) & 1 ? high : low)[n % 3]);
}

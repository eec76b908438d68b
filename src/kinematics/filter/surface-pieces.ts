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

  constructor(cells: readonly { readonly corners: readonly number[]; readonly normal: Vec3 }[]) {
    const pieces = cells.map(({ corners, normal }) => ({ corners, normal }));
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

/** Layout: a triangle that waits is nine numbers, three a corner. */
const TRIANGLE = 9;

/** Layout: cells have whole numbers along three axes, which are below this, in one key. */
const KEY = 2 ** 17;

/** What lies in one cell of the grid. */
class CellPoints {
  readonly normal: Vec3 = [0, 0, 0];
  /** Different points, three numbers each, until there are more than are kept. */
  readonly #points: number[] = [];
  readonly #low: Vec3 = [Infinity, Infinity, Infinity];
  readonly #high: Vec3 = [-Infinity, -Infinity, -Infinity];

  add(x: number, y: number, z: number): void {
    const [low, high] = [this.#low, this.#high];
    low[0] = Math.min(low[0], x);
    low[1] = Math.min(low[1], y);
    low[2] = Math.min(low[2], z);
    high[0] = Math.max(high[0], x);
    high[1] = Math.max(high[1], y);
    high[2] = Math.max(high[2], z);
    const points = this.#points;
    if (points.length > 3 * MAX_POINTS) return;
    for (let i = 0; i < points.length; i += 3) {
      if (points[i] === x && points[i + 1] === y && points[i + 2] === z) return;
    }
    points.push(x, y, z);
  }

  /** The points, or the corners of the box around them where there are many. */
  get corners(): readonly number[] {
    if (this.#points.length <= 3 * MAX_POINTS) return this.#points;
    const [low, high] = [this.#low, this.#high];
    return Array.from({ length: 24 }, (_, n) => ((Math.floor(n / 3) >> (n % 3)) & 1 ? high : low)[n % 3]);
  }
}

/** @param size what pieces are small against. */
export function splitSurface(mesh: Mesh, size: number): SurfacePieces {
  const cells = new Map<number, CellPoints>();
  const corner = lowest(mesh);
  const count = triangleCount(mesh);
  let parts = count;
  let room = new Float64Array(64 * TRIANGLE);
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < TRIANGLE; i++) room[i] = mesh.positions[3 * mesh.indices[3 * t + Math.floor(i / 3)] + (i % 3)];
    for (let top = 0; top >= 0; ) {
      const k = parts < MAX_PARTS ? longSide(room, top, LONGEST * size) : -1;
      if (k < 0) {
        gather(cells, room, top, CELL * size, corner);
        top -= TRIANGLE;
        continue;
      }
      parts++;
      if (top + 2 * TRIANGLE > room.length) {
        const more = new Float64Array(2 * room.length);
        more.set(room);
        room = more;
      }
      halve(room, top, k);
      top += TRIANGLE;
    }
  }
  return new SurfacePieces([...cells.values()]);
}

/** The least of each coordinate of the triangles. */
function lowest({ positions, indices }: Mesh): Vec3 {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  for (const v of indices) for (let k = 0; k < 3; k++) low[k] = Math.min(low[k], positions[3 * v + k]);
  return low;
}

/** The longest side of a triangle, from corner k to the next, if it is longer than allowed; −1 otherwise. */
function longSide(t: Float64Array, at: number, allowed: number): number {
  let best = -1;
  let most = allowed * allowed;
  for (let k = 0; k < 3; k++) {
    const p = at + 3 * k;
    const q = at + 3 * ((k + 1) % 3);
    const squared = (t[q] - t[p]) ** 2 + (t[q + 1] - t[p + 1]) ** 2 + (t[q + 2] - t[p + 2]) ** 2;
    if (squared > most) {
      best = k;
      most = squared;
    }
  }
  return best;
}

/** Puts the two halves of a triangle in its place and after it, cut in the middle of the side from corner k on. */
function halve(t: Float64Array, at: number, k: number): void {
  const next = at + TRIANGLE;
  t.copyWithin(next, at, next);
  const [p, q] = [3 * k, 3 * ((k + 1) % 3)];
  for (let i = 0; i < 3; i++) {
    const middle = (t[at + p + i] + t[at + q + i]) / 2;
    t[at + q + i] = middle;
    t[next + p + i] = middle;
  }
}

/** Adds a triangle to the cell that its middle is in. */
function gather(cells: Map<number, CellPoints>, t: Float64Array, at: number, size: number, low: Vec3): void {
  let key = 0;
  for (let k = 0; k < 3; k++) {
    const middle = (t[at + k] + t[at + k + 3] + t[at + k + 6]) / 3;
    key = key * KEY + Math.min(KEY - 1, Math.floor((middle - low[k]) / size));
  }
  let cell = cells.get(key);
  if (cell === undefined) {
    cell = new CellPoints();
    cells.set(key, cell);
  }
  for (let i = at; i < at + TRIANGLE; i += 3) cell.add(t[i], t[i + 1], t[i + 2]);
  const [ux, uy, uz] = [t[at + 3] - t[at], t[at + 4] - t[at + 1], t[at + 5] - t[at + 2]];
  const [vx, vy, vz] = [t[at + 6] - t[at], t[at + 7] - t[at + 1], t[at + 8] - t[at + 2]];
  cell.normal[0] += uy * vz - uz * vy;
  cell.normal[1] += uz * vx - ux * vz;
  cell.normal[2] += ux * vy - uy * vx;
}

// The world box of a rotated model without visiting all its vertices. A table over directions, laid out as squares on
// the faces of a cube, lists for each cell the few hull vertices that can be farthest in any of its directions (the
// lookup table of Ehmann and Lin 2001, section 6, made complete). Six lookups per box; the box is tight up to rounding.

import { buildHull } from '../../convex/hull/hull.js';
import type { ReadonlyPose } from '../../core/pose.js';
import { toMatrix3 } from '../../core/quat.js';
import type { Mesh } from '../../mesh/mesh.js';

/**
 * Measured on a torus of 252 triangles: a world box takes 0.26 µs with up to this many squares along the side of a
 * cube's face, 0.75 by rotating all hull vertices, and 0.05 by rotating the model's box, which comes out 1.37 times as
 * wide; on a bunny of 34,786 triangles 0.5, 19 and 0.05 µs. Smaller hulls use half the square root of their vertex
 * count.
 */
const MAX_SQUARES = 16;
/** Rounding: a world box grows by this share of the model's reach and of its distance from the origin; 16 ulps. */
const EXTENT_ROUNDING = 2 ** -48;
/**
 * Chosen: the radius of a cell grows by this, in radians, so that a direction rounded across a border is in the cells
 * on both sides.
 */
const CELL_ROUNDING = 1e-9;

/** How far a model reaches in every direction. Shared by all bodies of the model. */
export class ModelExtent {
  readonly #squares: number;
  /** Where the points of each cell begin in `points`, three numbers per point; one entry more than cells. */
  readonly #starts: Uint32Array;
  readonly #points: Float64Array;
  readonly #reach: number;
  readonly #rotation = new Float64Array(9);

  constructor({ positions, indices }: Mesh) {
    const used = new Float64Array(3 * indices.length);
    let reach = 0;
    for (let i = 0; i < used.length; i++) {
      used[i] = positions[3 * indices[Math.floor(i / 3)] + (i % 3)];
      reach = Math.max(reach, Math.abs(used[i]));
    }
    this.#reach = 3 * reach;
    const { vertices } = buildHull(used);
    this.#squares = Math.min(MAX_SQUARES, Math.max(1, Math.round(Math.sqrt(vertices.length) / 2)));
    const hull = new Float64Array(3 * vertices.length);
    for (const [i, id] of vertices.entries()) hull.set(used.subarray(3 * id, 3 * id + 3), 3 * i);
    const starts = [0];
    const points: number[] = [];
    for (let cell = 0; cell < 6 * this.#squares ** 2; cell++) {
      collectFarthest(hull, cell, this.#squares, points);
      starts.push(points.length);
    }
    this.#starts = Uint32Array.from(starts);
    this.#points = Float64Array.from(points);
  }

  /** Writes the world box of the model at a pose: minimum, then maximum, from `offset` on. No vertex is outside. */
  writeBox(pose: ReadonlyPose, out: Float64Array, offset: number): void {
    const rotation = toMatrix3([pose[3], pose[4], pose[5], pose[6]], this.#rotation);
    for (let k = 0; k < 3; k++) {
      const x = rotation[3 * k];
      const y = rotation[3 * k + 1];
      const z = rotation[3 * k + 2];
      const rounding = EXTENT_ROUNDING * (Math.abs(pose[k]) + this.#reach);
      out[offset + k] = pose[k] - this.#support(-x, -y, -z) - rounding;
      out[offset + 3 + k] = pose[k] + this.#support(x, y, z) + rounding;
    }
  }

  /** The largest dot product of a vertex with a unit vector. */
  #support(x: number, y: number, z: number): number {
    const points = this.#points;
    const cell = cellOf(x, y, z, this.#squares);
    const end = this.#starts[cell + 1];
    let most = -Infinity;
    for (let p = this.#starts[cell]; p < end; p += 3) {
      const product = x * points[p] + y * points[p + 1] + z * points[p + 2];
      if (product > most) most = product;
    }
    return most;
  }
}

/** The cell of a direction: the face of the cube that it leaves through, and where. */
function cellOf(x: number, y: number, z: number, squares: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  if (ax >= ay && ax >= az) return squareOf(x < 0 ? 1 : 0, y / ax, z / ax, squares);
  if (ay >= az) return squareOf(y < 0 ? 3 : 2, z / ay, x / ay, squares);
  return squareOf(z < 0 ? 5 : 4, x / az, y / az, squares);
}

function squareOf(face: number, u: number, v: number, squares: number): number {
  const row = Math.min(squares - 1, Math.floor(((u + 1) / 2) * squares));
  const column = Math.min(squares - 1, Math.floor(((v + 1) / 2) * squares));
  return (face * squares + row) * squares + column;
}

/** The unit vector through a point of a cube's face; u and v from −1 to 1. */
function directionOf(face: number, u: number, v: number): [number, number, number] {
  const length = Math.sqrt(1 + u * u + v * v);
  const major = (face & 1) === 1 ? -1 / length : 1 / length;
  const [p, q] = [u / length, v / length];
  return face < 2 ? [major, p, q] : face < 4 ? [q, major, p] : [p, q, major];
}

/**
 * Adds the points that can be the farthest in some direction of a cell. Let w be the farthest along the cell's center c,
 * and let no direction d of the cell be farther from c than r. Then v·d ≥ w·d implies v·c ≥ w·c − |v − w| r.
 */
function collectFarthest(hull: Float64Array, cell: number, squares: number, points: number[]): void {
  const face = Math.floor(cell / squares ** 2);
  const row = Math.floor(cell / squares) % squares;
  const column = cell % squares;
  const at = (step: number): number => (2 * step) / squares - 1;
  const [x, y, z] = directionOf(face, at(row + 0.5), at(column + 0.5));
  let radius = 0;
  for (const [i, j] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]) {
    const corner = directionOf(face, at(row + i), at(column + j));
    radius = Math.max(radius, Math.hypot(corner[0] - x, corner[1] - y, corner[2] - z));
  }
  radius += CELL_ROUNDING;
  let farthest = 0;
  let most = -Infinity;
  for (let p = 0; p < hull.length; p += 3) {
    const product = x * hull[p] + y * hull[p + 1] + z * hull[p + 2];
    if (product > most) {
      most = product;
      farthest = p;
    }
  }
  for (let p = 0; p < hull.length; p += 3) {
    const dx = hull[p] - hull[farthest];
    const dy = hull[p + 1] - hull[farthest + 1];
    const dz = hull[p + 2] - hull[farthest + 2];
    // From the difference, not from the two products: those lose digits far from the origin.
    if (x * dx + y * dy + z * dz + Math.sqrt(dx * dx + dy * dy + dz * dz) * radius >= 0) {
      points.push(hull[p], hull[p + 1], hull[p + 2]);
    }
  }
}

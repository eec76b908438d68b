// Fits oriented boxes around sets of triangles: along the principal axes of their area-weighted covariance (Gottschalk,
// Lin and Manocha 1996), or in the plane of a single triangle, along its longest edge.
import { diagonalize } from '../../core/symmetric-eigen.js';
import type { Mesh } from '../../mesh/mesh.js';

/** Layout: numbers per node in the boxes of a tree. */
export const BOX_STRIDE = 16;
/** Layout: offset of the three axes in a node's numbers, each a unit vector. */
export const BOX_AXES = 3;
/** Layout: offset of the three half-lengths along the axes. */
export const BOX_HALF = 12;
/** Layout: offset of the half-diagonal: the radius of the sphere around the box. */
export const BOX_RADIUS = 15;

/** Chosen: entries off the diagonal below this share of the largest rotate a box too little to matter. */
const AXES_TOLERANCE = 1e-6;

/** Writes boxes around triangles of one mesh. */
export class BoxFit {
  readonly #positions: Float64Array;
  readonly #indices: Uint32Array;
  readonly #boxes: Float64Array;
  /** The covariance, and its eigenvectors as columns. */
  readonly #matrix = new Float64Array(9);
  readonly #vectors = new Float64Array(9);

  /** @param boxes the array to write to, {@link BOX_STRIDE} numbers per box. */
  constructor({ positions, indices }: Mesh, boxes: Float64Array) {
    this.#positions = positions;
    this.#indices = indices;
    this.#boxes = boxes;
  }

  /** The box around one triangle. */
  fitTriangle(triangle: number, node: number): void {
    const positions = this.#positions;
    const indices = this.#indices;
    let longest = -1;
    let edge = 0;
    for (let k = 0; k < 3; k++) {
      const from = 3 * indices[3 * triangle + k];
      const to = 3 * indices[3 * triangle + ((k + 1) % 3)];
      const x = positions[to] - positions[from];
      const y = positions[to + 1] - positions[from + 1];
      const z = positions[to + 2] - positions[from + 2];
      const squared = x * x + y * y + z * z;
      if (squared > longest) {
        longest = squared;
        edge = k;
      }
    }
    const a = 3 * indices[3 * triangle + edge];
    const b = 3 * indices[3 * triangle + ((edge + 1) % 3)];
    const c = 3 * indices[3 * triangle + ((edge + 2) % 3)];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const boxes = this.#boxes;
    const at = BOX_STRIDE * node + BOX_AXES;
    boxes[at] = ux;
    boxes[at + 1] = uy;
    boxes[at + 2] = uz;
    boxes[at + 6] = uy * vz - uz * vy;
    boxes[at + 7] = uz * vx - ux * vz;
    boxes[at + 8] = ux * vy - uy * vx;
    squareAxes(boxes, at);
    this.#enclose(null, triangle, triangle + 1, node);
  }

  /** The box around the triangles `order[start]` up to before `order[end]`. */
  fitTriangles(order: Uint32Array, start: number, end: number, node: number): void {
    this.#sumCovariance(order, start, end);
    const vectors = this.#vectors;
    const matrix = this.#matrix;
    diagonalize(matrix, vectors, AXES_TOLERANCE);
    // Longest spread first: it separates boxes of one surface most often.
    let first = matrix[4] > matrix[0] ? 1 : 0;
    if (matrix[8] > matrix[4 * first]) first = 2;
    const next = (first + 1) % 3;
    const last = (first + 2) % 3;
    const second = matrix[4 * next] >= matrix[4 * last] ? next : last;
    const third = 3 - first - second;
    const boxes = this.#boxes;
    const at = BOX_STRIDE * node + BOX_AXES;
    for (let k = 0; k < 3; k++) {
      boxes[at + k] = vectors[3 * k + first];
      boxes[at + 3 + k] = vectors[3 * k + second];
      boxes[at + 6 + k] = vectors[3 * k + third];
    }
    normalizeAxes(boxes, at);
    this.#enclose(order, start, end, node);
  }

  /**
   * The covariance of the surface, times its area, about its own center. Triangles share its sums, so that all of them are
   * locals of one function.
   */
  #sumCovariance(order: Uint32Array, start: number, end: number): void {
    const positions = this.#positions;
    const indices = this.#indices;
    // Moments about a point of the surface: far from the origin the second ones would lose digits.
    const origin = 3 * indices[3 * order[start]];
    const ox = positions[origin];
    const oy = positions[origin + 1];
    const oz = positions[origin + 2];
    let total = 0;
    let mx = 0;
    let my = 0;
    let mz = 0;
    let xx = 0;
    let xy = 0;
    let xz = 0;
    let yy = 0;
    let yz = 0;
    let zz = 0;
    for (let i = start; i < end; i++) {
      const t = 3 * order[i];
      const a = 3 * indices[t];
      const b = 3 * indices[t + 1];
      const c = 3 * indices[t + 2];
      const ax = positions[a] - ox;
      const ay = positions[a + 1] - oy;
      const az = positions[a + 2] - oz;
      const bx = positions[b] - ox;
      const by = positions[b + 1] - oy;
      const bz = positions[b + 2] - oz;
      const cx = positions[c] - ox;
      const cy = positions[c + 1] - oy;
      const cz = positions[c + 2] - oz;
      const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
      const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
      const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
      const x = ax + bx + cx;
      const y = ay + by + cy;
      const z = az + bz + cz;
      total += area;
      mx += area * x;
      my += area * y;
      mz += area * z;
      xx += area * (x * x + ax * ax + bx * bx + cx * cx);
      xy += area * (x * y + ax * ay + bx * by + cx * cy);
      xz += area * (x * z + ax * az + bx * bz + cx * cz);
      yy += area * (y * y + ay * ay + by * by + cy * cy);
      yz += area * (y * z + ay * az + by * bz + cy * cz);
      zz += area * (z * z + az * az + bz * bz + cz * cz);
    }
    // First moments are three times, second moments twelve times too large.
    const scale = total > 0 ? 1 / (9 * total) : 0;
    const m = this.#matrix;
    m[0] = xx / 12 - mx * mx * scale;
    m[1] = m[3] = xy / 12 - mx * my * scale;
    m[2] = m[6] = xz / 12 - mx * mz * scale;
    m[4] = yy / 12 - my * my * scale;
    m[5] = m[7] = yz / 12 - my * mz * scale;
    m[8] = zz / 12 - mz * mz * scale;
    // Fourth powers of the coordinates overflow: use boxes along the coordinate axes.
    if (!Number.isFinite(m[0] + m[1] + m[2] + m[4] + m[5] + m[8])) m.fill(0);
  }

  /** Center, half-lengths and radius of a box with known axes. Without an order, the triangles are `start` to `end`. */
  #enclose(order: Uint32Array | null, start: number, end: number, node: number): void {
    const positions = this.#positions;
    const indices = this.#indices;
    const boxes = this.#boxes;
    const base = BOX_STRIDE * node;
    const ax = boxes[base + 3];
    const ay = boxes[base + 4];
    const az = boxes[base + 5];
    const bx = boxes[base + 6];
    const by = boxes[base + 7];
    const bz = boxes[base + 8];
    const cx = boxes[base + 9];
    const cy = boxes[base + 10];
    const cz = boxes[base + 11];
    // Measured from a corner of the first triangle, to keep precision far from the origin.
    const first = 3 * indices[3 * (order === null ? start : order[start])];
    const ox = positions[first];
    const oy = positions[first + 1];
    const oz = positions[first + 2];
    let lowA = Infinity;
    let highA = -Infinity;
    let lowB = Infinity;
    let highB = -Infinity;
    let lowC = Infinity;
    let highC = -Infinity;
    for (let i = start; i < end; i++) {
      const corner = 3 * (order === null ? i : order[i]);
      for (let k = corner; k < corner + 3; k++) {
        const at = 3 * indices[k];
        const x = positions[at] - ox;
        const y = positions[at + 1] - oy;
        const z = positions[at + 2] - oz;
        const a = ax * x + ay * y + az * z;
        const b = bx * x + by * y + bz * z;
        const c = cx * x + cy * y + cz * z;
        if (a < lowA) lowA = a;
        if (a > highA) highA = a;
        if (b < lowB) lowB = b;
        if (b > highB) highB = b;
        if (c < lowC) lowC = c;
        if (c > highC) highC = c;
      }
    }
    const a = (lowA + highA) / 2;
    const b = (lowB + highB) / 2;
    const c = (lowC + highC) / 2;
    boxes[base] = ox + a * ax + b * bx + c * cx;
    boxes[base + 1] = oy + a * ay + b * by + c * cy;
    boxes[base + 2] = oz + a * az + b * bz + c * cz;
    const halfA = (highA - lowA) / 2;
    const halfB = (highB - lowB) / 2;
    const halfC = (highC - lowC) / 2;
    boxes[base + BOX_HALF] = halfA;
    boxes[base + BOX_HALF + 1] = halfB;
    boxes[base + BOX_HALF + 2] = halfC;
    boxes[base + BOX_RADIUS] = Math.sqrt(halfA * halfA + halfB * halfB + halfC * halfC);
  }
}

/** Makes three orthogonal unit vectors of the first and the third at `out[at]`, which are orthogonal or zero. */
function squareAxes(out: Float64Array, at: number): void {
  if (!normalize(out, at)) {
    // A triangle that is a point.
    out[at] = 1;
    out[at + 1] = 0;
    out[at + 2] = 0;
  }
  const x = out[at];
  const y = out[at + 1];
  const z = out[at + 2];
  const n = at + 6;
  // Without area any normal perpendicular to the edge will do: the coordinate axis least along it, made orthogonal.
  if (!normalize(out, n) || !(Math.abs(out[n] * x + out[n + 1] * y + out[n + 2] * z) < 1e-8)) {
    const least = Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z) ? 0 : Math.abs(y) <= Math.abs(z) ? 1 : 2;
    const across = out[at + least];
    for (let k = 0; k < 3; k++) out[n + k] = (k === least ? 1 : 0) - across * out[at + k];
    normalize(out, n);
  }
  out[at + 3] = out[n + 1] * z - out[n + 2] * y;
  out[at + 4] = out[n + 2] * x - out[n] * z;
  out[at + 5] = out[n] * y - out[n + 1] * x;
}

function normalizeAxes(out: Float64Array, at: number): void {
  for (let k = 0; k < 9; k += 3) normalize(out, at + k);
}

/** Normalizes a vector; false if its length is zero. Squares neither overflow nor underflow. */
function normalize(v: Float64Array, at: number): boolean {
  const largest = Math.max(Math.abs(v[at]), Math.abs(v[at + 1]), Math.abs(v[at + 2]));
  if (!(largest > 0)) return false;
  const x = v[at] / largest;
  const y = v[at + 1] / largest;
  const z = v[at + 2] / largest;
  const length = Math.sqrt(x * x + y * y + z * z);
  v[at] = x / length;
  v[at + 1] = y / length;
  v[at + 2] = z / length;
  return true;
}

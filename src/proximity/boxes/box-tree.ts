// A binary tree of oriented boxes around the triangles of a mesh, one triangle a leaf, in flat arrays. Boxes are fitted
// by the area-weighted covariance of what they hold (Gottschalk, Lin and Manocha 1996); nodes are split at the mean along
// the longest side. The box of a leaf lies in its triangle's plane along the longest edge. O(n log n).
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { symmetricEigen } from '../../core/symmetric-eigen.js';
import type { Mesh } from '../../mesh/mesh.js';

/** Numbers a node in {@link BoxTree.boxes}. */
export const BOX_STRIDE = 16;
/** Where in a node's numbers its three axes begin, each a unit vector. */
export const BOX_AXES = 3;
/** Where the three half-lengths along the axes begin. */
export const BOX_HALF = 12;
/** Where the length of the half-diagonal is: the radius of the sphere around the box. */
export const BOX_RADIUS = 15;

/** A tree of oriented boxes. The root is node 0 and the first child of an inner node is the node after it. */
export interface BoxTree {
  readonly mesh: Mesh;
  /** `BOX_STRIDE` (16) numbers a node: centre, three axes, three half-lengths, radius. In the mesh's frame. */
  readonly boxes: Float64Array;
  /** The second child of an inner node; the complement (`~t`) of the triangle of a leaf. */
  readonly links: Int32Array;
  /** The largest absolute value of any coordinate. */
  readonly magnitude: number;
}

/** The tree of a mesh's triangles. */
export function buildBoxTree(mesh: Mesh, options?: ProgressOptions): BoxTree {
  const builder = new BoxTreeBuilder(mesh);
  builder.build(options);
  return { mesh, boxes: builder.boxes, links: builder.links, magnitude: largest(mesh.positions) };
}

/** Numbers a triangle that the covariance of a set is summed from: area, first and second moments. */
const MOMENTS = 10;

class BoxTreeBuilder {
  readonly boxes: Float64Array;
  readonly links: Int32Array;
  private readonly count: number;
  /** The nine coordinates of each triangle. */
  private readonly corners: Float64Array;
  private readonly moments: Float64Array;
  private readonly order: Uint32Array;
  private readonly key: Float64Array;
  private readonly sum = new Float64Array(MOMENTS);
  private nodes = 0;

  constructor({ positions, indices }: Mesh) {
    this.count = indices.length / 3;
    this.boxes = new Float64Array(BOX_STRIDE * (2 * this.count - 1));
    this.links = new Int32Array(2 * this.count - 1);
    this.corners = new Float64Array(9 * this.count);
    this.moments = new Float64Array(MOMENTS * this.count);
    this.order = new Uint32Array(this.count);
    this.key = new Float64Array(this.count);
    // Moments about a point near the model: far from the origin the second ones would lose their digits.
    const [ox, oy, oz] = positions;
    for (let t = 0; t < this.count; t++) {
      this.order[t] = t;
      for (let k = 0; k < 3; k++) {
        for (let c = 0; c < 3; c++) this.corners[9 * t + 3 * k + c] = positions[3 * indices[3 * t + k] + c];
      }
      writeMoments(this.corners, 9 * t, ox, oy, oz, this.moments, MOMENTS * t);
    }
  }

  build(options?: ProgressOptions): void {
    // Ranges of `order` still to be made nodes, with the node whose second child they are, or −1.
    const stack = [0, this.count, -1];
    while (stack.length > 0) {
      const parent = stack.pop() as number;
      const end = stack.pop() as number;
      const start = stack.pop() as number;
      const node = this.nodes++;
      if (parent >= 0) this.links[parent] = node;
      if ((node & 4095) === 0) reportProgress(options, node / this.links.length, 'fitting boxes');
      if (end - start === 1) {
        this.links[node] = ~this.order[start];
        this.alignToTriangle(node, this.order[start]);
        this.fit(node, start, end);
        continue;
      }
      this.alignToSpread(node, start, end);
      this.fit(node, start, end);
      const middle = this.split(node, start, end);
      stack.push(middle, end, node, start, middle, -1);
    }
  }

  /** Axes of a leaf: along the triangle's longest edge, across it in the plane, and the normal. */
  private alignToTriangle(node: number, triangle: number): void {
    const { corners, boxes } = this;
    const first = 9 * triangle;
    let longest = -1;
    let edge = 0;
    for (let k = 0; k < 3; k++) {
      const length = distanceSquared(corners, first + 3 * k, first + 3 * ((k + 1) % 3));
      if (length > longest) {
        longest = length;
        edge = k;
      }
    }
    const a = first + 3 * edge;
    const b = first + 3 * ((edge + 1) % 3);
    const c = first + 3 * ((edge + 2) % 3);
    const ux = corners[b] - corners[a];
    const uy = corners[b + 1] - corners[a + 1];
    const uz = corners[b + 2] - corners[a + 2];
    const vx = corners[c] - corners[a];
    const vy = corners[c + 1] - corners[a + 1];
    const vz = corners[c + 2] - corners[a + 2];
    writeAxes(boxes, BOX_STRIDE * node + BOX_AXES, ux, uy, uz, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  }

  /** Axes of an inner node: the principal ones of the surface it holds, longest spread first. */
  private alignToSpread(node: number, start: number, end: number): void {
    const { moments, order, boxes } = this;
    const sum = this.sum.fill(0);
    for (let i = start; i < end; i++) {
      const m = MOMENTS * order[i];
      for (let k = 0; k < MOMENTS; k++) sum[k] += moments[m + k];
    }
    const [area, mx, my, mz, xx, xy, xz, yy, yz, zz] = sum;
    const scale = area > 0 ? 1 / area : 0;
    const { vectors } = symmetricEigen(
      xx - mx * mx * scale,
      xy - mx * my * scale,
      xz - mx * mz * scale,
      yy - my * my * scale,
      yz - my * mz * scale,
      zz - mz * mz * scale,
    );
    for (let k = 0; k < 3; k++) boxes.set(vectors[k], BOX_STRIDE * node + BOX_AXES + 3 * k);
  }

  /** Centre, half-lengths and radius of a node whose axes are known. */
  private fit(node: number, start: number, end: number): void {
    const { corners, order, boxes } = this;
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
    // Measured from a corner of the first triangle, so that models far from the origin keep their digits.
    const first = 9 * order[start];
    const ox = corners[first];
    const oy = corners[first + 1];
    const oz = corners[first + 2];
    let lowA = Infinity;
    let highA = -Infinity;
    let lowB = Infinity;
    let highB = -Infinity;
    let lowC = Infinity;
    let highC = -Infinity;
    for (let i = start; i < end; i++) {
      const last = 9 * order[i] + 9;
      for (let at = last - 9; at < last; at += 3) {
        const x = corners[at] - ox;
        const y = corners[at + 1] - oy;
        const z = corners[at + 2] - oz;
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

  /** Orders a node's triangles in two groups about the mean of their centres along the longest side, and says where. */
  private split(node: number, start: number, end: number): number {
    const { boxes, order, corners, key } = this;
    const base = BOX_STRIDE * node;
    let longest = 0;
    for (let k = 1; k < 3; k++) if (boxes[base + BOX_HALF + k] > boxes[base + BOX_HALF + longest]) longest = k;
    const axis = base + BOX_AXES + 3 * longest;
    const x = boxes[axis];
    const y = boxes[axis + 1];
    const z = boxes[axis + 2];
    let mean = 0;
    for (let i = start; i < end; i++) {
      const c = 9 * order[i];
      key[i] =
        x * (corners[c] + corners[c + 3] + corners[c + 6]) +
        y * (corners[c + 1] + corners[c + 4] + corners[c + 7]) +
        z * (corners[c + 2] + corners[c + 5] + corners[c + 8]);
      mean += key[i];
    }
    mean /= end - start;
    let low = start;
    let high = end - 1;
    while (low <= high) {
      if (key[low] <= mean) {
        low++;
        continue;
      }
      const triangle = order[low];
      order[low] = order[high];
      order[high] = triangle;
      const value = key[low];
      key[low] = key[high];
      key[high] = value;
      high--;
    }
    // All in one group: triangles with one centre. Any half will do.
    return low === start || low === end ? (start + end) >> 1 : low;
  }
}

/** Three unit vectors at right angles: along u, across it, and along n, which is at right angles to u or nothing. */
function writeAxes(
  out: Float64Array,
  at: number,
  ux: number,
  uy: number,
  uz: number,
  nx: number,
  ny: number,
  nz: number,
): void {
  let length = Math.hypot(ux, uy, uz);
  // A triangle that is one point.
  const [x, y, z] = length > 0 ? [ux / length, uy / length, uz / length] : [1, 0, 0];
  length = Math.hypot(nx, ny, nz);
  let normal = [nx / length, ny / length, nz / length];
  // Without area any normal across the edge will do: the coordinate axis that is least along it, made orthogonal.
  if (!(length > 0) || !(Math.abs(normal[0] * x + normal[1] * y + normal[2] * z) < 1e-8)) {
    const least = Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z) ? 0 : Math.abs(y) <= Math.abs(z) ? 1 : 2;
    const across = [x, y, z][least];
    normal = [x, y, z].map((value, k) => (k === least ? 1 : 0) - across * value);
    length = Math.hypot(normal[0], normal[1], normal[2]);
    normal = normal.map((value) => value / length);
  }
  const [nX, nY, nZ] = normal;
  out.set([x, y, z, nY * z - nZ * y, nZ * x - nX * z, nX * y - nY * x, nX, nY, nZ], at);
}

function distanceSquared(points: Float64Array, a: number, b: number): number {
  const x = points[b] - points[a];
  const y = points[b + 1] - points[a + 1];
  const z = points[b + 2] - points[a + 2];
  return x * x + y * y + z * z;
}

/** The area of a triangle, and its first and second moments about a point, weighted with the area. */
function writeMoments(
  corners: Float64Array,
  c: number,
  ox: number,
  oy: number,
  oz: number,
  out: Float64Array,
  at: number,
): void {
  const ax = corners[c] - ox;
  const ay = corners[c + 1] - oy;
  const az = corners[c + 2] - oz;
  const bx = corners[c + 3] - ox;
  const by = corners[c + 4] - oy;
  const bz = corners[c + 5] - oz;
  const cx = corners[c + 6] - ox;
  const cy = corners[c + 7] - oy;
  const cz = corners[c + 8] - oz;
  const area = Math.hypot(
    (by - ay) * (cz - az) - (bz - az) * (cy - ay),
    (bz - az) * (cx - ax) - (bx - ax) * (cz - az),
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax),
  );
  const x = ax + bx + cx;
  const y = ay + by + cy;
  const z = az + bz + cz;
  out[at] = area;
  out[at + 1] = (area * x) / 3;
  out[at + 2] = (area * y) / 3;
  out[at + 3] = (area * z) / 3;
  const share = area / 12;
  out[at + 4] = share * (x * x + ax * ax + bx * bx + cx * cx);
  out[at + 5] = share * (x * y + ax * ay + bx * by + cx * cy);
  out[at + 6] = share * (x * z + ax * az + bx * bz + cx * cz);
  out[at + 7] = share * (y * y + ay * ay + by * by + cy * cy);
  out[at + 8] = share * (y * z + ay * az + by * bz + cy * cz);
  out[at + 9] = share * (z * z + az * az + bz * bz + cz * cz);
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (Math.abs(value) > most) most = Math.abs(value);
  return most;
}

/** The bytes of a tree, without its mesh. */
export function boxTreeBytes({ boxes, links }: BoxTree): number {
  return boxes.byteLength + links.byteLength;
}

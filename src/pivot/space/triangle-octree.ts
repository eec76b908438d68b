// The nearest of triangles that deform every frame: an octree of even cells over their box. A triangle belongs to the
// cell of its middle, and the box of a cell is that of its triangles, so nothing is sorted or stored twice. O(n) to
// build: 20,000 triangles take 1.5 ms. Searches start from a guess, for example the answer at a neighboring point.
import { growTo } from '../../core/grow-array.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import type { FrameSolid } from './frame-solid.js';

/** Chosen: triangles per occupied cell that the number of levels aims at. */
const PER_CELL = 2;
/** Chosen: a surface in n³ cells is taken to occupy this many times n² of them, as a cube of their size does. */
const OCCUPIED = 6;
/** Chosen: levels below the root: 64³ cells, whose boxes fill 14 MB. */
const MAX_LEVELS = 6;
/** Proven: nodes that wait while a search goes down are no more than 7 at each level, and 8. */
const STACK_SIZE = 8 * (MAX_LEVELS + 1);
/** Rounding: the squared sine below which a triangle is a needle, whose plane rounding may turn. */
const NEEDLE_SINE_SQUARED = 1e-8;
/** Rounding: distances from planes are compared with this factor of room. */
const PLANE_ROUNDING = 1 + 1e-9;

/** The number of levels below the root for a number of triangles. */
export function levelsFor(count: number): number {
  return Math.max(1, Math.min(MAX_LEVELS, Math.round(Math.log2(count / OCCUPIED / PER_CELL) / 2)));
}

export class TriangleOctree {
  /** The answer of the last search: the triangle, −1 if all are beyond the limit, and the squared distance. */
  triangle = -1;
  square = Infinity;
  /** The nearest point on that triangle; set by {@link locate}. */
  readonly point = new TrianglePoint();
  /** Boxes visited and triangles measured since the tree was built. */
  boxesVisited = 0;
  trianglesMeasured = 0;
  /**
   * Boxes of the even cells of all levels, six numbers each: minimum, maximum. The children of cell n are 8 n + 1 to 8
   * n + 8.
   */
  #cellBoxes = new Float64Array(0);
  /** By cell of the last level: the first triangle of a chain. */
  #heads = new Int32Array(0);
  #next = new Int32Array(0);
  /** The cells that are not empty, level by level: their boxes and numbers, and where their children or triangles begin. */
  #boxes = new Float64Array(0);
  #cells = new Int32Array(0);
  #starts = new Int32Array(0);
  #firstLeaf = 0;
  #nodeCount = 0;
  #triangles = new Float64Array(0);
  /** Triangles in the order of their leaves; unit normal and offset of each, zeros for needles. */
  #items = new Int32Array(0);
  #planes = new Float64Array(0);
  readonly #stack = new Int32Array(STACK_SIZE);
  readonly #bounds = new Float64Array(STACK_SIZE);
  readonly #plane = new Float64Array(4);
  #isBuilt = false;
  /** Room for rounding of squared distances from planes. */
  #slack = 0;

  /** Forgets the triangles. */
  clear(): void {
    this.#isBuilt = false;
    this.boxesVisited = 0;
    this.trianglesMeasured = 0;
  }

  /** Takes the triangles of a solid, which must not change until {@link clear}, unless it has done so already. */
  prepare(solid: FrameSolid): void {
    if (this.#isBuilt) return;
    this.#isBuilt = true;
    const { triangles: t, count, min, max } = solid;
    this.#triangles = t;
    this.#slack = 1e-14 * solid.extent * solid.extent;
    const levels = levelsFor(count);
    const side = 2 ** levels;
    const leaves = side ** 3;
    const firstLeaf = (leaves - 1) / 7;
    const boxes = (this.#cellBoxes = growTo(this.#cellBoxes, 6 * (firstLeaf + leaves)));
    for (let box = 0; box < 6 * (firstLeaf + leaves); box += 6) {
      boxes[box] = Infinity;
      boxes[box + 1] = Infinity;
      boxes[box + 2] = Infinity;
      boxes[box + 3] = -Infinity;
      boxes[box + 4] = -Infinity;
      boxes[box + 5] = -Infinity;
    }
    const heads = (this.#heads = growTo(this.#heads, leaves));
    heads.fill(-1, 0, leaves);
    const next = (this.#next = growTo(this.#next, count));
    const scaleX = max[0] > min[0] ? side / (max[0] - min[0]) : 0;
    const scaleY = max[1] > min[1] ? side / (max[1] - min[1]) : 0;
    const scaleZ = max[2] > min[2] ? side / (max[2] - min[2]) : 0;
    // From the last to the first, so that chains ascend.
    for (let triangle = count - 1; triangle >= 0; triangle--) {
      const o = 9 * triangle;
      const minX = Math.min(t[o], t[o + 3], t[o + 6]);
      const minY = Math.min(t[o + 1], t[o + 4], t[o + 7]);
      const minZ = Math.min(t[o + 2], t[o + 5], t[o + 8]);
      const maxX = Math.max(t[o], t[o + 3], t[o + 6]);
      const maxY = Math.max(t[o + 1], t[o + 4], t[o + 7]);
      const maxZ = Math.max(t[o + 2], t[o + 5], t[o + 8]);
      const i = Math.min(side - 1, Math.floor(((minX + maxX) / 2 - min[0]) * scaleX));
      const j = Math.min(side - 1, Math.floor(((minY + maxY) / 2 - min[1]) * scaleY));
      const k = Math.min(side - 1, Math.floor(((minZ + maxZ) / 2 - min[2]) * scaleZ));
      const leaf = spreadBits(i) | (spreadBits(j) << 1) | (spreadBits(k) << 2);
      next[triangle] = heads[leaf];
      heads[leaf] = triangle;
      const box = 6 * (firstLeaf + leaf);
      if (minX < boxes[box]) boxes[box] = minX;
      if (minY < boxes[box + 1]) boxes[box + 1] = minY;
      if (minZ < boxes[box + 2]) boxes[box + 2] = minZ;
      if (maxX > boxes[box + 3]) boxes[box + 3] = maxX;
      if (maxY > boxes[box + 4]) boxes[box + 4] = maxY;
      if (maxZ > boxes[box + 5]) boxes[box + 5] = maxZ;
    }
    this.#joinBoxes(firstLeaf + leaves);
    this.#compact(firstLeaf, levels, count);
  }

  /** Grows the box of each cell by those of its children. */
  #joinBoxes(count: number): void {
    const boxes = this.#cellBoxes;
    for (let node = count - 1; node > 0; node--) {
      const from = 6 * node;
      if (boxes[from] === Infinity) continue;
      const to = 6 * ((node - 1) >> 3);
      if (boxes[from] < boxes[to]) boxes[to] = boxes[from];
      if (boxes[from + 1] < boxes[to + 1]) boxes[to + 1] = boxes[from + 1];
      if (boxes[from + 2] < boxes[to + 2]) boxes[to + 2] = boxes[from + 2];
      if (boxes[from + 3] > boxes[to + 3]) boxes[to + 3] = boxes[from + 3];
      if (boxes[from + 4] > boxes[to + 4]) boxes[to + 4] = boxes[from + 4];
      if (boxes[from + 5] > boxes[to + 5]) boxes[to + 5] = boxes[from + 5];
    }
  }

  /** Lists the cells that are not empty, and the triangles leaf by leaf: a tenth of the memory of all cells. */
  #compact(firstCell: number, levels: number, count: number): void {
    const from = this.#cellBoxes;
    const most = Math.min(1 + (levels + 1) * count, firstCell + 8 ** levels);
    const cells = (this.#cells = growTo(this.#cells, most));
    const starts = (this.#starts = growTo(this.#starts, most + 1));
    const boxes = (this.#boxes = growTo(this.#boxes, 6 * most));
    const items = (this.#items = growTo(this.#items, count));
    const planes = (this.#planes = growTo(this.#planes, 4 * count));
    cells[0] = 0;
    let nodes = 1;
    let slots = 0;
    this.#firstLeaf = -1;
    for (let node = 0; node < nodes; node++) {
      const cell = cells[node];
      for (let part = 0; part < 6; part++) boxes[6 * node + part] = from[6 * cell + part];
      if (cell >= firstCell) {
        if (this.#firstLeaf < 0) this.#firstLeaf = node;
        starts[node] = slots;
        for (let triangle = this.#heads[cell - firstCell]; triangle >= 0; triangle = this.#next[triangle]) {
          setPlane(this.#triangles, 9 * triangle, planes, 4 * slots);
          items[slots++] = triangle;
        }
        continue;
      }
      starts[node] = nodes;
      for (let child = 8 * cell + 1; child <= 8 * cell + 8; child++) {
        if (from[6 * child] !== Infinity) cells[nodes++] = child;
      }
    }
    starts[nodes] = slots;
    this.#nodeCount = nodes;
  }

  /**
   * Finds the nearest triangle of a point, if it is nearer than the root of `limit`. Runs for every sample, so that all its
   * values are locals of one function.
   * @param guess a triangle that may be near, or −1.
   */
  search(x: number, y: number, z: number, guess: number, limit: number): void {
    const t = this.#triangles;
    const boxes = this.#boxes;
    const planes = this.#planes;
    const items = this.#items;
    const starts = this.#starts;
    const stack = this.#stack;
    const bounds = this.#bounds;
    const point = this.point;
    const firstLeaf = this.#firstLeaf;
    const slack = this.#slack;
    let best = limit;
    let found = -1;
    if (guess >= 0) {
      nearestOnTriangle(t, 9 * guess, x, y, z, point);
      if (point.distanceSquared < best) {
        best = point.distanceSquared;
        found = guess;
      }
    }
    let boxesVisited = 0;
    let measured = 0;
    let top = 1;
    stack[0] = 0;
    bounds[0] = 0;
    while (top > 0) {
      top--;
      if (bounds[top] > best) continue;
      const node = stack[top];
      if (node >= firstLeaf) {
        const end = starts[node + 1];
        for (let slot = starts[node]; slot < end; slot++) {
          const p = 4 * slot;
          const height = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z - planes[p + 3];
          if (height * height > PLANE_ROUNDING * best + slack) continue;
          const triangle = items[slot];
          measured++;
          nearestOnTriangle(t, 9 * triangle, x, y, z, point);
          const square = point.distanceSquared;
          if (square < best || (square === best && triangle < found)) {
            best = square;
            found = triangle;
          }
        }
        continue;
      }
      const first = starts[node];
      const last = this.#childEnd(node);
      const start = top;
      boxesVisited += last - first;
      for (let child = first; child < last; child++) {
        const box = 6 * child;
        let dx = boxes[box] - x;
        if (dx < 0) {
          dx = x - boxes[box + 3];
          if (dx < 0) dx = 0;
        }
        let dy = boxes[box + 1] - y;
        if (dy < 0) {
          dy = y - boxes[box + 4];
          if (dy < 0) dy = 0;
        }
        let dz = boxes[box + 2] - z;
        if (dz < 0) {
          dz = z - boxes[box + 5];
          if (dz < 0) dz = 0;
        }
        const square = dx * dx + dy * dy + dz * dz;
        if (square > best) continue;
        // The nearest on top.
        let at = top++;
        while (at > start && bounds[at - 1] < square) {
          bounds[at] = bounds[at - 1];
          stack[at] = stack[at - 1];
          at--;
        }
        bounds[at] = square;
        stack[at] = child;
      }
    }
    this.boxesVisited += boxesVisited;
    this.trianglesMeasured += measured;
    this.square = best;
    this.triangle = found;
  }

  /** The end of a node's children: the children of the next node begin there, or the array ends. */
  #childEnd(node: number): number {
    return node + 1 === this.#firstLeaf ? this.#nodeCount : this.#starts[node + 1];
  }

  /** Writes the point of a triangle nearest to a point to `point`. */
  locate(triangle: number, x: number, y: number, z: number): void {
    nearestOnTriangle(this.#triangles, 9 * triangle, x, y, z, this.point);
  }

  /** Writes the normal of a triangle, times `sign`; an arbitrary direction for needles, which have no reliable normal. */
  writeNormal(triangle: number, out: Float64Array, at: number, sign: number): void {
    setPlane(this.#triangles, 9 * triangle, this.#plane, 0);
    const [x, y, z] = this.#plane;
    out[at] = sign * (x === 0 && y === 0 && z === 0 ? 1 : x);
    out[at + 1] = sign * y;
    out[at + 2] = sign * z;
  }

  /** Whether the box of some leaf is at most the root of `limit` from a box of six numbers. */
  isWithin(query: Float64Array, limit: number): boolean {
    const boxes = this.#boxes;
    const stack = this.#stack;
    let top = 1;
    stack[0] = 0;
    while (top > 0) {
      const node = stack[--top];
      if (!(squareOfGap(boxes, 6 * node, query) <= limit)) continue;
      if (node >= this.#firstLeaf) return true;
      for (let child = this.#starts[node], end = this.#childEnd(node); child < end; child++) stack[top++] = child;
    }
    return false;
  }

  /**
   * Collects the triangles in leaves whose boxes are at most the root of `limit` from a box of six numbers.
   * @returns their count; they are the first of `collected`.
   */
  collect(query: Float64Array, limit: number): number {
    const boxes = this.#boxes;
    const stack = this.#stack;
    let count = 0;
    let top = 1;
    stack[0] = 0;
    while (top > 0) {
      const node = stack[--top];
      if (!(squareOfGap(boxes, 6 * node, query) <= limit)) continue;
      if (node >= this.#firstLeaf) {
        for (let slot = this.#starts[node]; slot < this.#starts[node + 1]; slot++) {
          if (count === this.collected.length) this.collected = growTo(this.collected, count + 1);
          this.collected[count++] = this.#items[slot];
        }
        continue;
      }
      for (let child = this.#starts[node], end = this.#childEnd(node); child < end; child++) stack[top++] = child;
    }
    return count;
  }

  /** What the last call of {@link collect} found. */
  collected = new Int32Array(64);
}

/** The squared distance of a box of the tree and another; Infinity for an empty one. */
function squareOfGap(boxes: Float64Array, box: number, query: Float64Array): number {
  const dx = Math.max(0, boxes[box] - query[3], query[0] - boxes[box + 3]);
  const dy = Math.max(0, boxes[box + 1] - query[4], query[1] - boxes[box + 4]);
  const dz = Math.max(0, boxes[box + 2] - query[5], query[2] - boxes[box + 5]);
  return dx * dx + dy * dy + dz * dz;
}

/** Writes the unit normal and the offset of the plane of a triangle, zeros where rounding may turn it. */
function setPlane(t: Float64Array, o: number, planes: Float64Array, p: number): void {
  const ux = t[o + 3] - t[o];
  const uy = t[o + 4] - t[o + 1];
  const uz = t[o + 5] - t[o + 2];
  const vx = t[o + 6] - t[o];
  const vy = t[o + 7] - t[o + 1];
  const vz = t[o + 8] - t[o + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const sharp = nn > NEEDLE_SINE_SQUARED * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
  const inverse = sharp ? 1 / Math.sqrt(nn) : 0;
  planes[p] = inverse * nx;
  planes[p + 1] = inverse * ny;
  planes[p + 2] = inverse * nz;
  planes[p + 3] = planes[p] * t[o] + planes[p + 1] * t[o + 1] + planes[p + 2] * t[o + 2];
}

/** Six bits, each followed by two zeros. */
function spreadBits(value: number): number {
  let x = value;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

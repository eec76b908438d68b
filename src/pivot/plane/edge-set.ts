// The edges of one shape as flat numbers, with its pose applied, and boxes of runs of consecutive edges. The boxes are
// made when a query first visits them and forgotten at the next `load`: an implicit binary tree of which no node is kept.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { PlaneShape } from './plane-shape.js';

/** Chosen: runs of up to this many edges are not divided. */
const LEAF_EDGES = 32;
/** Chosen: the deepest level that a hierarchy may be asked for. */
export const MAX_LEVELS = 20;

export class EdgeSet {
  /** ax, ay, bx, by of each edge. */
  edges = new Float64Array(4 * 64);
  count = 0;
  /** The first edge of each ring, and the number of edges. */
  rings = new Int32Array(8);
  ringCount = 0;
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;
  /** The number of levels below the root. */
  levels = 0;
  /** Boxes made since they were last counted. */
  boxesMade = 0;
  #boxes = new Float64Array(4 * 64);
  /** The load for which each box holds. */
  #made = new Uint32Array(64);
  #load = 0;
  /** The shape, until its edges are known. */
  #shape: PlaneShape | null = null;
  #name = 0;
  #maxLevels = 0;

  /** The diagonal of its box. */
  get diagonal(): number {
    return Math.hypot(this.maxX - this.minX, this.maxY - this.minY);
  }

  /**
   * Reads a shape. O(n).
   * @param name its index among the arguments, for messages.
   * @throws NearfieldError for rings of fewer than three points and numbers that are not finite.
   */
  load(shape: PlaneShape, maxLevels: number, name: number): void {
    this.#accept(shape, maxLevels, name);
    this.place();
  }

  /**
   * Reads a shape as far as a box around it in any orientation, which takes neither its angle nor its edges; `place`
   * does the rest. A shape that is not around its own origin is placed at once. O(n).
   * @throws NearfieldError as `load`.
   */
  outline(shape: PlaneShape, maxLevels: number, name: number): void {
    const rings = this.#accept(shape, maxLevels, name);
    const pose = shape.pose;
    if (pose === undefined) {
      this.place();
      return;
    }
    let most = 0;
    let sum = 0;
    for (let r = 0; r < rings.length; r++) {
      const ring = rings[r];
      for (let i = 0; i < ring.length; i += 2) {
        const x = ring[i];
        const y = ring[i + 1];
        const square = x * x + y * y;
        sum += square;
        if (square > most) most = square;
      }
    }
    const [ring] = rings;
    const opposite = 2 * (ring.length >> 2);
    const middleX = ring[0] + ring[opposite];
    const middleY = ring[1] + ring[opposite + 1];
    // More than any rounding of the edges, where coordinates are not much larger than the shape.
    const x = pose[0];
    const y = pose[1];
    const radius = Math.sqrt(most) * (1 + 1e-12) + 1e-15 * (Math.abs(x) + Math.abs(y));
    if (!(middleX * middleX + middleY * middleY < most && sum < Infinity && most < MAX_COORDINATE * MAX_COORDINATE)) {
      this.place();
      return;
    }
    this.minX = x - radius;
    this.minY = y - radius;
    this.maxX = x + radius;
    this.maxY = y + radius;
  }

  /** Whether the edges are known, and the box is theirs. */
  get isPlaced(): boolean {
    return this.#shape === null;
  }

  /** Checks all but the numbers of the rings. */
  #accept(shape: PlaneShape, maxLevels: number, name: number): readonly Float64Array[] {
    const rings = shape?.rings;
    if (!Array.isArray(rings) || rings.length === 0) refuseRings(rings, name);
    const pose = shape.pose;
    if (
      pose !== undefined &&
      !(
        pose !== null &&
        Math.abs(pose[0]) <= MAX_COORDINATE &&
        Math.abs(pose[1]) <= MAX_COORDINATE &&
        Math.abs(pose[2]) <= MAX_COORDINATE
      )
    ) {
      refusePose(pose, name);
    }
    let total = 0;
    for (let r = 0; r < rings.length; r++) {
      const ring = rings[r];
      if (!(ring instanceof Float64Array) || ring.length < 6 || ring.length % 2 !== 0) refuseRing(ring, r, name);
      total += ring.length >> 1;
    }
    this.#shape = shape;
    this.#name = name;
    this.#maxLevels = maxLevels;
    this.count = total;
    return rings;
  }

  /** Works out the edges and their box. */
  place(): void {
    const { rings, pose } = this.#shape!;
    this.#shape = null;
    this.#reserve(this.count, rings.length);
    const sum = this.#placeRings(rings, pose);
    const most = 2 * MAX_COORDINATE;
    const { minX, minY, maxX, maxY } = this;
    const isWithin = maxX <= most && minX >= -most && maxY <= most && minY >= -most;
    if (!(Math.abs(sum) < Infinity) || !isWithin) refusePoint(rings, this.#name);
    this.#beginBoxes();
  }

  /** Writes the edges and their box; returns the sum of all coordinates, which is finite unless a number is not. */
  #placeRings(rings: PlaneShape['rings'], pose: PlaneShape['pose']): number {
    let cos = 1;
    let sin = 0;
    let tx = 0;
    let ty = 0;
    if (pose !== undefined) {
      tx = pose[0];
      ty = pose[1];
      cos = Math.cos(pose[2]);
      sin = Math.sin(pose[2]);
    }
    const edges = this.edges;
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let sum = 0;
    let at = 0;
    for (let r = 0; r < rings.length; r++) {
      const ring = rings[r];
      this.rings[r] = at >> 2;
      const last = ring.length - 2;
      let ax = cos * ring[last] - sin * ring[last + 1] + tx;
      let ay = sin * ring[last] + cos * ring[last + 1] + ty;
      for (let i = 0; i <= last; i += 2) {
        const x = ring[i];
        const y = ring[i + 1];
        const bx = cos * x - sin * y + tx;
        const by = sin * x + cos * y + ty;
        sum += bx + by;
        edges[at] = ax;
        edges[at + 1] = ay;
        edges[at + 2] = bx;
        edges[at + 3] = by;
        at += 4;
        if (bx < minX) minX = bx;
        if (bx > maxX) maxX = bx;
        if (by < minY) minY = by;
        if (by > maxY) maxY = by;
        ax = bx;
        ay = by;
      }
    }
    this.ringCount = rings.length;
    this.rings[rings.length] = this.count;
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
    return sum;
  }

  /** Forgets the boxes of the last edges. */
  #beginBoxes(): void {
    let levels = 0;
    while (levels < this.#maxLevels && this.count > LEAF_EDGES << levels) levels++;
    this.levels = levels;
    this.#load++;
    if (this.#made.length < 2 << levels) {
      this.#made = new Uint32Array(2 << levels);
      this.#boxes = new Float64Array(8 << levels);
      this.#load = 1;
    }
  }

  /** The place in {@link boxes} of the box of a node: the root is 1, the children of k are 2k and 2k + 1. */
  boxOf(node: number, from: number, to: number): number {
    const at = 4 * node;
    if (this.#made[node] !== this.#load) {
      this.#made[node] = this.#load;
      this.boxesMade++;
      const { edges } = this;
      const boxes = this.#boxes;
      if (node === 1) {
        boxes[4] = this.minX;
        boxes[5] = this.minY;
        boxes[6] = this.maxX;
        boxes[7] = this.maxY;
        return at;
      }
      let minX = Infinity;
      let minY = Infinity;
      let maxX = -Infinity;
      let maxY = -Infinity;
      for (let k = 4 * from; k < 4 * to; k += 2) {
        const x = edges[k];
        const y = edges[k + 1];
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
      boxes[at] = minX;
      boxes[at + 1] = minY;
      boxes[at + 2] = maxX;
      boxes[at + 3] = maxY;
    }
    return at;
  }

  /** x0, y0, x1, y1 of each box. */
  get boxes(): Float64Array {
    return this.#boxes;
  }

  /** Whether a point is inside, by the parity of the edges to its right. O(n). */
  contains(x: number, y: number): boolean {
    if (x < this.minX || x > this.maxX || y < this.minY || y > this.maxY) return false;
    const { edges } = this;
    let inside = false;
    for (let k = 0, end = 4 * this.count; k < end; k += 4) {
      const ay = edges[k + 1];
      const by = edges[k + 3];
      if (ay > y === by > y) continue;
      const ax = edges[k];
      const bx = edges[k + 2];
      if (ax <= x && bx <= x) continue;
      if ((ax > x && bx > x) || ax + ((y - ay) / (by - ay)) * (bx - ax) > x) inside = !inside;
    }
    return inside;
  }

  #reserve(edges: number, rings: number): void {
    if (this.edges.length < 4 * edges) this.edges = new Float64Array(8 * edges);
    if (this.rings.length < rings + 1) this.rings = new Int32Array(2 * rings + 2);
  }
}

function refuseRings(rings: unknown, name: number): never {
  throw new NearfieldError(
    'bad-argument',
    `The rings of shape ${name} are ${nameValue(rings)}; give { rings: [Float64Array of x, y per point, …] } with at least one.`,
  );
}

function refuseRing(ring: unknown, index: number, name: number): never {
  throw new NearfieldError(
    'bad-argument',
    `Ring ${index} of shape ${name} is ${nameValue(ring)}; give a Float64Array of x, y per point, with at least three points.`,
  );
}

function refusePose(pose: ArrayLike<number>, name: number): never {
  throw new NearfieldError(
    'non-finite',
    `The pose of shape ${name} is ${pose?.length >= 3 ? Array.from(pose).join(', ') : nameValue(pose)}; give x, y and angle, ` +
      `finite and at most ${MAX_COORDINATE}.`,
  );
}

function refusePoint(rings: readonly Float64Array[], name: number): never {
  for (const [r, ring] of rings.entries()) {
    for (let i = 0; i < ring.length; i += 2) {
      if (Math.abs(ring[i]) <= MAX_COORDINATE && Math.abs(ring[i + 1]) <= MAX_COORDINATE) continue;
      throw new NearfieldError(
        'non-finite',
        `Point ${i / 2} of ring ${r} of shape ${name} is (${ring[i]}, ${ring[i + 1]}); coordinates must be finite and at most ` +
          `${MAX_COORDINATE}.`,
        { vertex: i / 2 },
      );
    }
  }
  throw new NearfieldError('non-finite', `The pose moves shape ${name} beyond ${2 * MAX_COORDINATE}; move it nearer.`);
}

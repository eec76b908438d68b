// The pairs of bodies that may touch in a step: their boxes, swept over the step and enlarged by the margin, overlap.
// Boxes are sorted along one axis and swept (Baraff 1992); the order is kept, so that a step costs O(bodies + pairs).
import { growTo } from '../../core/grow-array.js';
import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import { DYNAMIC } from '../body/bodies.js';
import { SLOT_LIMIT } from './pair-key.js';

/** What the broad phase reads of the bodies; see `Bodies`. */
export interface MovingBodies {
  readonly count: number;
  /** −1 removed, 0 static, 1 kinematic, 2 dynamic. */
  readonly kind: ArrayLike<number>;
  readonly center: Float64Array;
  readonly orientation: Float64Array;
  readonly velocity: Float64Array;
  readonly angularVelocity: Float64Array;
  readonly localCenter: Float64Array;
  readonly group: ArrayLike<number>;
  readonly mask: ArrayLike<number>;
  readonly asleep: ArrayLike<number>;
  readonly shape: readonly (CollisionShape | null)[];
}

/** Pairs of bodies, the lower first, in ascending order. Valid until the next call. */
export interface PairList {
  readonly count: number;
  /** Two bodies per pair; longer than needed. */
  readonly pairs: Int32Array;
}

/** Finds candidate pairs step after step. */
export class BroadPhase implements PairList {
  count = 0;
  pairs = new Int32Array(64);
  /** Six numbers per body: low corner, high corner. */
  #boxes = new Float64Array(0);
  /** Bodies in the order of their low ends along x, as of the last call. */
  #order = new Int32Array(0);
  #keys = new Float64Array(64);

  /** Finds all pairs that may come within the margin during the step, except those that filters exclude or that cannot move. */
  findPairs(bodies: MovingBodies, dt: number, margin: number): PairList {
    const { count } = bodies;
    if (this.#order.length !== count) {
      this.#boxes = growTo(this.#boxes, 6 * count);
      this.#order = Int32Array.from({ length: count }, (_, i) => i);
    }
    for (let i = 0; i < count; i++) this.#box(bodies, i, dt, margin);
    this.#sort();
    this.#sweep(bodies);
    return this;
  }

  #box(bodies: MovingBodies, body: number, dt: number, margin: number): void {
    const boxes = this.#boxes;
    const o = 6 * body;
    const shape = bodies.shape[body];
    if (shape === null || bodies.kind[body] < 0) {
      // An empty box, behind all others.
      for (let k = 0; k < 6; k++) boxes[o + k] = k < 3 ? Infinity : -Infinity;
      return;
    }
    const { center, orientation: q, velocity: v, angularVelocity: w, localCenter } = bodies;
    const c = 3 * body;
    const x = q[4 * body];
    const y = q[4 * body + 1];
    const z = q[4 * body + 2];
    const s = q[4 * body + 3];
    const { model } = shape;
    // Of the box around the shape: its middle from the center of mass, and its half-lengths, in the shape's frame.
    let mx = -localCenter[c];
    let my = -localCenter[c + 1];
    let mz = -localCenter[c + 2];
    let hx = shape.ballRadius;
    let hy = hx;
    let hz = hx;
    if (model !== null) {
      mx += model.center[0];
      my += model.center[1];
      mz += model.center[2];
      hx = (model.boxMax[0] - model.boxMin[0]) / 2;
      hy = (model.boxMax[1] - model.boxMin[1]) / 2;
      hz = (model.boxMax[2] - model.boxMin[2]) / 2;
    }
    const turn = Math.sqrt(w[c] * w[c] + w[c + 1] * w[c + 1] + w[c + 2] * w[c + 2]) * dt;
    const arm = Math.sqrt(mx * mx + my * my + mz * mz) + Math.sqrt(hx * hx + hy * hy + hz * hz);
    // Turning moves no point farther than along its arc, nor across its circle.
    const swing = Math.min(turn, 2) * arm + margin / 2;
    for (let k = 0; k < 3; k++) {
      const rx = k === 0 ? 1 - 2 * (y * y + z * z) : k === 1 ? 2 * (x * y + z * s) : 2 * (x * z - y * s);
      const ry = k === 0 ? 2 * (x * y - z * s) : k === 1 ? 1 - 2 * (x * x + z * z) : 2 * (y * z + x * s);
      const rz = k === 0 ? 2 * (x * z + y * s) : k === 1 ? 2 * (y * z - x * s) : 1 - 2 * (x * x + y * y);
      const middle = center[c + k] + rx * mx + ry * my + rz * mz;
      const half = model === null ? hx : Math.abs(rx) * hx + Math.abs(ry) * hy + Math.abs(rz) * hz;
      const shift = v[c + k] * dt;
      boxes[o + k] = middle - half - swing + Math.min(0, shift);
      boxes[o + 3 + k] = middle + half + swing + Math.max(0, shift);
    }
  }

  /** Insertion sort: the order of the last step is nearly right. */
  #sort(): void {
    const order = this.#order;
    const boxes = this.#boxes;
    for (let i = 1; i < order.length; i++) {
      const body = order[i];
      const low = boxes[6 * body];
      let j = i - 1;
      while (j >= 0 && (boxes[6 * order[j]] > low || (boxes[6 * order[j]] === low && order[j] > body))) {
        order[j + 1] = order[j];
        j--;
      }
      order[j + 1] = body;
    }
  }

  #sweep(bodies: MovingBodies): void {
    const order = this.#order;
    const boxes = this.#boxes;
    this.count = 0;
    for (let i = 0; i < order.length; i++) {
      const a = order[i];
      const p = 6 * a;
      const high = boxes[p + 3];
      for (let j = i + 1; j < order.length; j++) {
        const b = order[j];
        const q = 6 * b;
        if (boxes[q] > high) break;
        if (boxes[p + 1] > boxes[q + 4] || boxes[q + 1] > boxes[p + 4]) continue;
        if (boxes[p + 2] > boxes[q + 5] || boxes[q + 2] > boxes[p + 5]) continue;
        if (mayCollide(bodies, a, b)) this.#add(Math.min(a, b), Math.max(a, b));
      }
    }
    this.#sortPairs();
  }

  #add(a: number, b: number): void {
    this.#keys = growTo(this.#keys, this.count + 1);
    this.#keys[this.count++] = a * SLOT_LIMIT + b;
  }

  #sortPairs(): void {
    const keys = this.#keys.subarray(0, this.count).sort();
    this.pairs = growTo(this.pairs, 2 * this.count);
    for (let i = 0; i < this.count; i++) {
      const a = Math.floor(keys[i] / SLOT_LIMIT);
      this.pairs[2 * i] = a;
      this.pairs[2 * i + 1] = keys[i] - a * SLOT_LIMIT;
    }
  }
}

/** Whether one of the two is dynamic, one is awake, and each is in the mask of the other. */
function mayCollide({ kind, asleep, group, mask }: MovingBodies, a: number, b: number): boolean {
  if (kind[a] !== DYNAMIC && kind[b] !== DYNAMIC) return false;
  const restsA = asleep[a] !== 0 || kind[a] === 0;
  const restsB = asleep[b] !== 0 || kind[b] === 0;
  if (restsA && restsB) return false;
  return (group[a] & mask[b]) !== 0 && (group[b] & mask[a]) !== 0;
}

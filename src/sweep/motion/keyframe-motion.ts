// Bodies with keyframes, moved by the time. Between two keys the origin of a body goes straight and the body turns evenly, so
// that every pair moves evenly from key to key. Boxes around stretches of time tell which pairs come near each other.
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import { cutMotion, type EvenMotion, type Keyframe, poseAt, type Segment } from '../../proximity/impact/motion.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { centerAt, type SweptAxis, type SweptMotion, type SweptPair } from './swept-motion.js';

/** A body and where it is when. */
export interface KeyedBody {
  readonly name: string;
  readonly model: ProximityModel;
  /** One key for a body at rest. */
  readonly keys: readonly Keyframe[];
}

/** Rounding: boxes are grown by this share of their coordinates. */
const GROW = 1e-12;

/** Boxes around the box of a body over stretches of time: a binary tree, root first, six numbers each. */
interface SweptBoxes {
  readonly boxes: Float64Array;
  readonly leaves: number;
}

export class KeyframeMotion implements SweptMotion {
  readonly kind = 'time';
  readonly axes: readonly SweptAxis[];
  readonly bodies: readonly KeyedBody[];
  readonly pairs: readonly SweptPair[];
  readonly #times: readonly number[];
  /** By body: its motion from each time to the next; null for bodies at rest. */
  readonly #legs: readonly (readonly EvenMotion[] | null)[];
  readonly #boxes: (SweptBoxes | undefined)[] = [];
  /** By body: the largest distance of a point from its origin. */
  readonly #radii: readonly number[];
  #time: number;

  /** @param pairs those to test; pairs of bodies at rest are left out. */
  constructor(bodies: readonly KeyedBody[], pairs: readonly SweptPair[]) {
    this.bodies = bodies;
    const times = [...new Set(bodies.flatMap(({ keys }) => (keys.length > 1 ? keys.map(({ time }) => time) : [])))];
    times.sort((a, b) => a - b);
    this.#times = times;
    this.#time = times[0] ?? 0;
    this.axes = [{ name: 'time', low: times[0] ?? 0, high: times[times.length - 1] ?? 0 }];
    this.#legs = bodies.map(({ keys }) => (keys.length < 2 ? null : this.#legsOf(keys)));
    this.#radii = bodies.map(({ model }) => Math.hypot(...model.center) + model.radius);
    this.pairs = pairs.filter(({ a, b }) => this.#legs[a] !== null || this.#legs[b] !== null);
  }

  axesOf(): number[] {
    return [0];
  }

  place(u: Float64Array): void {
    this.#time = u[0];
  }

  poseOf(body: number, out: Pose): Pose {
    const legs = this.#legs[body];
    const { keys } = this.bodies[body];
    if (legs === null) return Object.assign(out, Array.from(keys[0].pose));
    const times = this.#times;
    const i = this.#legAt(this.#time);
    const s = Math.min(1, Math.max(0, (this.#time - times[i]) / (times[i + 1] - times[i])));
    return poseAt(legs[i], s, out);
  }

  /** What both bodies move, leg by leg, on the longer side of the time in question. */
  reach({ a, b }: SweptPair, widths: Float64Array): number {
    const [time, width] = [this.#time, widths[0]];
    return (1 + 1e-10) * Math.max(this.#wayOf(a, b, time - width, time), this.#wayOf(a, b, time, time + width));
  }

  sweptGap({ a, b }: SweptPair, limit: number): number {
    const [boxesA, boxesB] = [this.#sweptBoxes(a), this.#sweptBoxes(b)];
    const leaves = Math.max(boxesA.leaves, boxesB.leaves);
    const visit = (node: number): number => {
      const gap = boxGap(boxesA, boxesB, node);
      if (gap > limit || node >= leaves - 1) return gap;
      const left = visit(2 * node + 1);
      return left > limit ? Math.min(left, visit(2 * node + 2)) : left;
    };
    return visit(0);
  }

  segmentsOf({ a, b }: SweptPair): Segment[] {
    const [{ low, high }] = this.axes;
    return cutMotion({ a: this.bodies[a].keys, b: this.bodies[b].keys }, low, high);
  }

  #legsOf(keys: readonly Keyframe[]): EvenMotion[] {
    const [first, last] = [this.#times[0], this.#times[this.#times.length - 1]];
    const still = Array.from(keys[0].pose);
    const cut = cutMotion({ a: keys, b: still }, first, last);
    // Other bodies may have keys between: they cut the legs of this one.
    return this.#times.slice(1).map((end, i) => {
      const start = this.#times[i];
      const own = cut.find((segment) => segment.start <= start && segment.end >= end)!;
      if (own.start === start && own.end === end) return own.a;
      return cutMotion({ a: keys, b: still }, start, end)[0].a;
    });
  }

  #legAt(time: number): number {
    const times = this.#times;
    let [low, high] = [0, times.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #wayOf(a: number, b: number, from: number, to: number): number {
    const times = this.#times;
    let way = 0;
    for (let i = this.#legAt(from); i < times.length - 1 && times[i] < to; i++) {
      const share = (Math.min(to, times[i + 1]) - Math.max(from, times[i])) / (times[i + 1] - times[i]);
      if (!(share > 0)) continue;
      for (const body of [a, b]) {
        const leg = this.#legs[body]?.[i];
        if (leg === undefined) continue;
        const shift = Math.hypot(leg.to[0] - leg.from[0], leg.to[1] - leg.from[1], leg.to[2] - leg.from[2]);
        way += share * (shift + leg.angle * this.#radii[body]);
      }
    }
    return way;
  }

  #sweptBoxes(body: number): SweptBoxes {
    this.#boxes[body] ??= this.#makeBoxes(body);
    return this.#boxes[body];
  }

  #makeBoxes(body: number): SweptBoxes {
    const { model, keys } = this.bodies[body];
    const legs = this.#legs[body];
    if (legs === null) {
      const boxes = new Float64Array(6);
      writeBox(boxes, 0, [pose.parse(keys[0].pose)], model, 0);
      return { boxes, leaves: 1 };
    }
    const leaves = 2 ** Math.ceil(Math.log2(legs.length));
    const boxes = new Float64Array(6 * (2 * leaves - 1));
    for (let i = 0; i < leaves; i++) {
      const leg = legs[Math.min(i, legs.length - 1)];
      const [from, to] = [poseAt(leg, 0, pose.identity()), poseAt(leg, 1, pose.identity())];
      // A turn about the origin takes a corner off its chord by at most the sagitta.
      const off = this.#radii[body] * (1 - Math.cos(leg.angle / 2));
      writeBox(boxes, leaves - 1 + i, [from, to], model, off);
    }
    for (let node = leaves - 2; node >= 0; node--) {
      for (let k = 0; k < 3; k++) {
        const [left, right] = [6 * (2 * node + 1), 6 * (2 * node + 2)];
        boxes[6 * node + k] = Math.min(boxes[left + k], boxes[right + k]);
        boxes[6 * node + 3 + k] = Math.max(boxes[left + 3 + k], boxes[right + 3 + k]);
      }
    }
    return { boxes, leaves };
  }
}

/** The box around the box of a model at some poses, grown. */
function writeBox(boxes: Float64Array, node: number, poses: readonly Pose[], model: ProximityModel, off: number): void {
  const at = 6 * node;
  const { boxMin, boxMax } = model;
  boxes.fill(Infinity, at, at + 3);
  boxes.fill(-Infinity, at + 3, at + 6);
  for (const p of poses) {
    for (let i = 0; i < 8; i++) {
      const corner = [i & 1 ? boxMax[0] : boxMin[0], i & 2 ? boxMax[1] : boxMin[1], i & 4 ? boxMax[2] : boxMin[2]];
      const placed = centerAt(p, corner);
      const grow = off + GROW * (Math.hypot(...placed) + model.radius);
      for (let k = 0; k < 3; k++) {
        boxes[at + k] = Math.min(boxes[at + k], placed[k] - grow);
        boxes[at + 3 + k] = Math.max(boxes[at + 3 + k], placed[k] + grow);
      }
    }
  }
}

/** The gap of two bodies in one node; a body at rest has one box. */
function boxGap(a: SweptBoxes, b: SweptBoxes, node: number): number {
  const [i, j] = [a.leaves === 1 ? 0 : 6 * node, b.leaves === 1 ? 0 : 6 * node];
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(0, a.boxes[i + k] - b.boxes[j + 3 + k], b.boxes[j + k] - a.boxes[i + 3 + k]);
    squared += gap * gap;
  }
  return Math.sqrt(squared);
}

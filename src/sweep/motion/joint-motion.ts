// The bodies of a chain and of its surroundings, moved by some of its values; other values stay, or close loops.
import { NearfieldError } from '../../core/errors.js';
import type { Pose } from '../../core/pose.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import type { Obstacle } from '../../kinematics/validity/obstacle.js';
import type { Segment } from '../../proximity/impact/motion.js';
import type { LoopClosure } from '../mechanism/loop-closure.js';
import { ChainReach } from './chain-reach.js';
import { evenSegment, type MovingJoint } from './even-segment.js';
import {
  type SolvedSegment,
  type SweptAxis,
  type SweptBody,
  type SweptMotion,
  type SweptPair,
  sweptBallGap,
} from './swept-motion.js';

/** Chosen: the cells in which the range of a solved value is enclosed at first. */
const FIRST_CELLS = 512;

/** Chosen: steps that each leave two thirds of the interval in which a place is looked for. */
const THIRDS = 30;

/** Chosen: the smallest such cell, as a share of the range of the axis. */
const SMALLEST_CELL = 2 ** -20;

/** Chosen: how often the cells at the ends of such a range are halved. */
const MAX_REFINEMENTS = 24;

/** A cell of the axis, and what a solved value stays between in it. */
interface ValueCell {
  readonly at: number;
  readonly half: number;
  readonly low: number;
  readonly high: number;
}

/** One value of a chain that is varied. */
export interface VariedValue extends SweptAxis {
  /** Its number in a configuration. */
  readonly value: number;
}

/** What moves and how. */
export interface JointMotionParts {
  readonly chain: ChainRobot;
  readonly obstacles: readonly (Obstacle & { readonly name: string })[];
  readonly axes: readonly VariedValue[];
  /** Values of what is not varied. */
  readonly at: Float64Array;
  readonly loops: LoopClosure | null;
  /** Pairs of bodies to test, by index: links with bodies in order, then obstacles. */
  readonly pairs: readonly SweptPair[];
}

export class JointMotion implements SweptMotion {
  readonly kind = 'joints';
  readonly axes: readonly VariedValue[];
  readonly bodies: readonly SweptBody[];
  readonly pairs: readonly SweptPair[];
  readonly #parts: JointMotionParts;
  readonly #reach: ChainReach;
  readonly #links: readonly number[];
  readonly #q: Float64Array;
  readonly #valueWidths: Float64Array;
  readonly #jointWidths: Float64Array;
  /** By value: its axis, −1 for one that stays, −2 for one that closes loops. */
  readonly #axisOf: Int32Array;

  constructor(parts: JointMotionParts) {
    const { chain, obstacles, axes, loops } = parts;
    this.#parts = parts;
    this.axes = axes;
    this.bodies = [...chain.links, ...obstacles].map(({ name, model }) => ({ name, model }));
    this.#reach = new ChainReach(chain);
    this.#links = chain.links.map(({ name }) => chain.linkNames.indexOf(name));
    this.#q = parts.at.slice();
    this.#valueWidths = new Float64Array(chain.size);
    this.#jointWidths = new Float64Array(chain.joints.length);
    this.#axisOf = new Int32Array(chain.size).fill(-1);
    for (const [i, { value }] of axes.entries()) this.#axisOf[value] = i;
    for (const value of loops?.unknowns ?? []) this.#axisOf[value] = -2;
    // Pairs that do not move against each other are one rigid group.
    this.pairs = parts.pairs.filter((pair) => this.axesOf(pair).length > 0);
  }

  axesOf({ a, b }: SweptPair): number[] {
    const found = new Set<number>();
    for (const joint of this.#jointsBetween(a, b)) {
      const { value } = this.#parts.chain.valueOf(joint);
      if (this.#axisOf[value] >= 0) found.add(this.#axisOf[value]);
      else if (this.#axisOf[value] === -2) for (let i = 0; i < this.axes.length; i++) found.add(i);
    }
    return [...found].sort((i, k) => i - k);
  }

  place(u: Float64Array): void {
    const { at, loops } = this.#parts;
    this.#q.set(at);
    for (const [i, { value }] of this.axes.entries()) this.#q[value] = u[i];
    loops?.solve(this.#q);
    this.#reach.prepare(this.#q);
  }

  /** The values of all joints that move, where the bodies are placed. */
  get configuration(): Float64Array {
    return this.#q;
  }

  poseOf(body: number, out: Pose): Pose {
    const frame =
      body < this.#links.length
        ? this.#parts.chain.frameAt(this.#q, this.#links[body])
        : this.#parts.obstacles[body - this.#links.length].pose;
    for (let k = 0; k < 7; k++) out[k] = frame[k];
    return out;
  }

  reach({ a, b }: SweptPair, widths: Float64Array): number {
    const { chain, loops } = this.#parts;
    const values = this.#valueWidths.fill(0);
    for (const [i, { value }] of this.axes.entries()) values[value] = widths[i];
    if (loops !== null && this.#isOfLoops(a, b) && !loops.enclose(this.#q, values)) return Infinity;
    for (let j = 0; j < chain.joints.length; j++) {
      const { value, factor } = chain.valueOf(j);
      this.#jointWidths[j] = value < 0 ? 0 : Math.abs(factor) * values[value];
    }
    const count = this.#links.length;
    return a < count ? this.#reach.between(a, b < count ? b : -1, this.#jointWidths) : 0;
  }

  sweptGap(pair: SweptPair, limit: number): number {
    return sweptBallGap(this, pair, limit);
  }

  segmentsOf(pair: SweptPair): Segment[] | null {
    const [axis, ...others] = this.axesOf(pair);
    if (others.length > 0 || this.#isOfLoops(pair.a, pair.b)) return null;
    const { chain } = this.#parts;
    const { low, high, value } = this.axes[axis];
    const moving = this.#movingBetween(pair).filter(({ joint }) => chain.valueOf(joint).value === value);
    for (const [i, own] of moving.entries())
      moving[i] = { ...own, change: chain.valueOf(own.joint).factor * (high - low) };
    if (moving.length === 0 || moving.length > 2) return null;
    const u = Float64Array.from(this.axes, (other, i) => (i === axis ? low : (other.low + other.high) / 2));
    this.place(u);
    const poseA = this.poseOf(pair.a, [0, 0, 0, 0, 0, 0, 1]);
    const poseB = this.poseOf(pair.b, [0, 0, 0, 0, 0, 0, 1]);
    return [evenSegment({ chain, q: this.#q, poseA, poseB }, moving, low, high)];
  }

  solvedSegmentOf(pair: SweptPair): SolvedSegment | null {
    const { chain, loops } = this.#parts;
    const moving = this.#movingBetween(pair);
    const [first] = moving;
    if (loops === null || this.axes.length !== 1 || moving.length !== 1) return null;
    const { value, factor } = chain.valueOf(first.joint);
    if (this.#axisOf[value] !== -2) return null;
    const range = this.#rangeOf(value, loops);
    if (range === null) return null;
    const { low, high, samples } = range;
    const nearest = samples.reduce((best, sample) =>
      Math.abs(sample.value - low) < Math.abs(best.value - low) ? sample : best,
    );
    this.place(Float64Array.of(nearest.at));
    // The other joints do not matter to the pair, so that the chain need not be closed here.
    this.#q[value] = low;
    const poseA = this.poseOf(pair.a, [0, 0, 0, 0, 0, 0, 1]);
    const poseB = this.poseOf(pair.b, [0, 0, 0, 0, 0, 0, 1]);
    const change = factor * (high - low);
    const segment = evenSegment({ chain, q: this.#q, poseA, poseB }, [{ ...first, change }], low, high);
    const placeOf = (wanted: number): Float64Array => Float64Array.of(this.#placeOf(value, wanted, samples));
    return { segment, placeOf };
  }

  /** Where the axis brings a solved value nearest to one, from the nearest sample on. */
  #placeOf(value: number, wanted: number, samples: readonly { readonly at: number; readonly value: number }[]): number {
    const { low, high } = this.axes[0];
    const nearest = samples.reduce((best, sample) =>
      Math.abs(sample.value - wanted) < Math.abs(best.value - wanted) ? sample : best,
    );
    const off = (at: number): number => {
      this.place(Float64Array.of(at));
      return Math.abs(this.#q[value] - wanted);
    };
    const cell = (high - low) / FIRST_CELLS;
    let [from, to] = [Math.max(low, nearest.at - cell), Math.min(high, nearest.at + cell)];
    for (let i = 0; i < THIRDS; i++) {
      const [left, right] = [from + (to - from) / 3, to - (to - from) / 3];
      if (off(left) <= off(right)) to = right;
      else from = left;
    }
    return [from, to, nearest.at].reduce((best, at) => (off(at) < off(best) ? at : best));
  }

  /** An interval that a solved value is proven not to leave, cell by cell; null where loops are not enclosed in small cells. */
  #rangeOf(value: number, loops: LoopClosure) {
    const { low, high } = this.axes[0];
    const samples: { at: number; value: number }[] = [];
    const closed: ValueCell[] = [];
    const half = (high - low) / FIRST_CELLS / 2;
    const open = Array.from({ length: FIRST_CELLS }, (_, i) => ({ at: low + (2 * i + 1) * half, half }));
    const halve = ({ at, half: own }: { readonly at: number; readonly half: number }): void => {
      open.push({ at: at - own / 2, half: own / 2 }, { at: at + own / 2, half: own / 2 });
    };
    for (let rounds = 0; open.length > 0; ) {
      const cell = open.pop()!;
      this.place(Float64Array.of(cell.at));
      const widths = this.#valueWidths.fill(0);
      widths[this.axes[0].value] = cell.half;
      const middle = this.#q[value];
      samples.push({ at: cell.at, value: middle });
      if (loops.enclose(this.#q, widths))
        closed.push({ ...cell, low: middle - widths[value], high: middle + widths[value] });
      else if (cell.half < (high - low) * SMALLEST_CELL) return null;
      else halve(cell);
      // The cells at both ends of the interval decide how much too wide it is.
      if (open.length > 0 || ++rounds > MAX_REFINEMENTS) continue;
      for (const end of [leastCell(closed), mostCell(closed)]) {
        const at = closed.indexOf(end);
        if (at >= 0) halve(closed.splice(at, 1)[0]);
      }
    }
    return { low: leastCell(closed).low, high: mostCell(closed).high, samples };
  }

  /** The joints between a pair that move, in order from a to b. */
  #movingBetween({ a, b }: SweptPair): MovingJoint[] {
    const { chain } = this.#parts;
    const { ofA, ofB } = this.#reach.sidesBetween(a, b < this.#links.length ? b : -1);
    const all = [
      ...ofA.map((joint) => ({ joint, change: 0, isOfA: true })),
      ...[...ofB].reverse().map((joint) => ({ joint, change: 0, isOfA: false })),
    ];
    return all.filter(
      ({ joint }) => this.#axisOf[chain.valueOf(joint).value] !== -1 && chain.valueOf(joint).factor !== 0,
    );
  }

  #isOfLoops(a: number, b: number): boolean {
    const { chain } = this.#parts;
    return this.#jointsBetween(a, b).some((joint) => this.#axisOf[chain.valueOf(joint).value] === -2);
  }

  #jointsBetween(a: number, b: number): readonly number[] {
    const count = this.#links.length;
    if (a >= count) throw new NearfieldError('bad-argument', 'A pair of two obstacles cannot move; leave it out.');
    return this.#reach.jointsBetween(a, b < count ? b : -1);
  }
}

function leastCell(cells: readonly ValueCell[]): ValueCell {
  return cells.reduce((best, cell) => (cell.low < best.low ? cell : best));
}

function mostCell(cells: readonly ValueCell[]): ValueCell {
  return cells.reduce((best, cell) => (cell.high > best.high ? cell : best));
}

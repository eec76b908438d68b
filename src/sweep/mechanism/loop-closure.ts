// Loops of a mechanism, closed by solving: the values of joints that no range names follow from those that are varied. For a
// box of varied values an interval of each solved value is proven (Krawczyk 1969, with Taylor bounds of the chains in
// place of interval arithmetic): in it there is one solution, and what rounding leaves of the loop's error is part of it.
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import { pseudoInverse } from './pseudo-inverse.js';

/** A point that two links share, in the frames of both. */
export interface Loop {
  readonly name: string;
  readonly linkA: number;
  readonly linkB: number;
  readonly pointA: Vec3;
  readonly pointB: Vec3;
}

/** Rounding: a loop is closed when its ends are apart by less than this share of the mechanism's size. */
const CLOSED = 1e-10;

/** Chosen: steps of Newton's method, which doubles the digits with each. */
const MAX_NEWTON_STEPS = 30;

/** Chosen: rounds in which the interval of the solved values grows until it contains its own image. */
const MAX_ROUNDS = 40;

/** Chosen: an interval that is too small grows to this many times what it needs. */
const GROWTH = 1.02;

/** Chosen: the shortest step of the way from one solution to the next, as a share of it. */
const MIN_STEP = 2 ** -16;

/** Chosen: solutions that are remembered; the way to a new one starts at the nearest. */
const MAX_KNOWN = 4096;

/** A joint on the way from the end of a loop to the link that both ends hang on. */
interface LoopJoint {
  readonly joint: number;
  readonly value: number;
  readonly factor: number;
  readonly isTurn: boolean;
  readonly sign: number;
}

/** Both ways of a loop, each from its end inwards. */
interface LoopSides {
  readonly loop: Loop;
  readonly a: readonly LoopJoint[];
  readonly b: readonly LoopJoint[];
}

export class LoopClosure {
  /** Numbers of the values that are solved for. */
  readonly unknowns: readonly number[];
  /** The largest distance of the ends of a loop so far. */
  worstError = 0;
  readonly #chain: ChainRobot;
  readonly #sides: readonly LoopSides[];
  readonly #given: readonly number[];
  readonly #size: number;
  /** Columns for all values, rows of three for each loop; and the errors of the loops. */
  readonly #jacobian: Float64Array;
  readonly #error: Float64Array;
  readonly #known: Float64Array[] = [];
  /** The configuration that the inverse is of. */
  #inverseAt: Float64Array | null = null;
  #inverse: Float64Array = new Float64Array(0);

  /**
   * @param start a configuration in which all loops are closed.
   * @param unknowns the values to solve for; all others are given.
   */
  constructor(chain: ChainRobot, loops: readonly Loop[], start: Float64Array, unknowns: readonly number[]) {
    this.#chain = chain;
    this.unknowns = unknowns;
    this.#given = Array.from({ length: chain.size }, (_, value) => value).filter((value) => !unknowns.includes(value));
    this.#sides = loops.map((loop) => {
      const [own, theirs] = [chain.jointsOf(loop.linkA), chain.jointsOf(loop.linkB)];
      const side = (joints: readonly number[], other: readonly number[], sign: number): LoopJoint[] =>
        joints
          .filter((joint) => !other.includes(joint) && chain.joints[joint].type !== 'fixed')
          .map((joint) => ({ joint, ...chain.valueOf(joint), isTurn: chain.joints[joint].type === 'revolute', sign }));
      return { loop, a: side(own, theirs, -1), b: side(theirs, own, 1) };
    });
    this.#jacobian = new Float64Array(3 * loops.length * chain.size);
    this.#error = new Float64Array(3 * loops.length);
    let size = 0;
    for (let link = 0; link < chain.linkNames.length; link++) {
      size = Math.max(size, Math.hypot(...chain.frameAt(start, link).subarray(0, 3)));
    }
    for (const { pointA, pointB } of loops) size = Math.max(size, Math.hypot(...pointA), Math.hypot(...pointB));
    this.#size = size;
    this.#known.push(start.slice());
  }

  /** Writes the solved values of a configuration, by a proven way from the nearest known one. */
  solve(q: Float64Array): void {
    const target = q.slice();
    const from = this.#nearest(q);
    const at = from.slice();
    if (this.#given.every((value) => from[value] === target[value])) {
      q.set(from);
      return;
    }
    const widths = new Float64Array(q.length);
    for (let done = 0, step = 1; done < 1; ) {
      step = Math.min(step, 1 - done);
      const share = step / (1 - done);
      widths.fill(0);
      for (const value of this.#given) widths[value] = Math.abs(share * (target[value] - at[value]));
      q.set(at);
      if (this.enclose(q, widths)) {
        for (const value of this.#given) q[value] = at[value] + share * (target[value] - at[value]);
        if (
          this.#newton(q) &&
          this.unknowns.every((value) => Math.abs(q[value] - at[value]) <= widths[value] + CLOSED)
        ) {
          at.set(q);
          done += step;
          step *= 2;
          continue;
        }
      }
      step /= 2;
      if (step < MIN_STEP) this.#refuse(target);
    }
    q.set(at);
    for (const value of this.#given) q[value] = target[value];
    this.#remember(q);
  }

  /**
   * Writes the half-widths of the solved values, within which they stay while the given ones stay within theirs. False if
   * nothing is proven for a box of this size.
   * @param q a closed configuration, the middle of the box.
   */
  enclose(q: Float64Array, widths: Float64Array): boolean {
    this.#linearize(q);
    const { unknowns } = this;
    const rows = this.#error.length;
    const inverse = this.#inverse;
    const base = unknowns.map((_, i) => {
      let sum = 0;
      for (let r = 0; r < rows; r++) sum += Math.abs(inverse[i * rows + r] * this.#error[r]);
      for (const value of this.#given) {
        let rate = 0;
        for (let r = 0; r < rows; r++) rate += inverse[i * rows + r] * this.#jacobian[r * q.length + value];
        sum += Math.abs(rate) * widths[value];
      }
      return sum;
    });
    for (const [i, value] of unknowns.entries()) widths[value] = base[i];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const bends = this.#sides.map((sides) => this.#bendOf(sides, widths) / 2);
      let isInside = true;
      for (const [i, value] of unknowns.entries()) {
        let rest = 0;
        for (const [l, bend] of bends.entries()) rest += this.#gain(i, l) * bend;
        // Twice the rest bounds the derivative of what is left of Newton's map: below 1 there is one solution only.
        const wanted = Math.max(base[i] + rest, 2 * rest);
        if (wanted > widths[value] || (rest > 0 && 2 * rest >= widths[value])) {
          isInside = false;
          widths[value] = GROWTH * Math.max(wanted, widths[value]) + Number.MIN_VALUE;
        }
        if (!(widths[value] < Math.max(this.#size, Math.PI))) return false;
      }
      if (isInside) return true;
    }
    return false;
  }

  #newton(q: Float64Array): boolean {
    for (let step = 0; step < MAX_NEWTON_STEPS; step++) {
      this.#linearize(q);
      const rows = this.#error.length;
      const error = Math.hypot(...this.#error);
      let way = 0;
      for (const [i, value] of this.unknowns.entries()) {
        let shift = 0;
        for (let r = 0; r < rows; r++) shift += this.#inverse[i * rows + r] * this.#error[r];
        q[value] -= shift;
        way += Math.abs(shift);
      }
      if (!Number.isFinite(way)) return false;
      if (error <= CLOSED * this.#size && way <= 1e-12 * (1 + this.#size)) {
        this.worstError = Math.max(this.worstError, error);
        return true;
      }
    }
    return false;
  }

  /** The derivative of the loops' errors by all values, and the inverse of that by the solved ones. */
  #linearize(q: Float64Array): void {
    const jacobian = this.#jacobian.fill(0);
    for (const [l, { loop, a, b }] of this.#sides.entries()) {
      const ends = [this.#pointOf(q, loop.linkA, loop.pointA), this.#pointOf(q, loop.linkB, loop.pointB)];
      for (let k = 0; k < 3; k++) this.#error[3 * l + k] = ends[1][k] - ends[0][k];
      for (const [joints, end] of [[a, ends[0]] as const, [b, ends[1]] as const]) {
        for (const { joint, value, factor, isTurn, sign } of joints) {
          const { point, axis } = this.#axisOf(q, joint);
          const [dx, dy, dz] = [end[0] - point[0], end[1] - point[1], end[2] - point[2]];
          const [x, y, z] = axis;
          const rate = isTurn ? [y * dz - z * dy, z * dx - x * dz, x * dy - y * dx] : [x, y, z];
          for (let k = 0; k < 3; k++) jacobian[(3 * l + k) * q.length + value] += sign * factor * rate[k];
        }
      }
    }
    this.#inverse = pseudoInverse(jacobian, this.#error.length, q.length, this.unknowns);
    this.#inverseAt = q;
  }

  /** The norm of the rows of the inverse that take the error of one loop to one solved value. */
  #gain(unknown: number, loop: number): number {
    const at = unknown * this.#error.length + 3 * loop;
    return Math.hypot(this.#inverse[at], this.#inverse[at + 1], this.#inverse[at + 2]) * (1 + 1e-9);
  }

  /** At least the second derivative of the error of a loop along any way within the widths. */
  #bendOf({ loop, a, b }: LoopSides, widths: Float64Array): number {
    const q = this.#inverseAt!;
    return (
      this.#bendOfSide(q, a, this.#pointOf(q, loop.linkA, loop.pointA), widths) +
      this.#bendOfSide(q, b, this.#pointOf(q, loop.linkB, loop.pointB), widths)
    );
  }

  /** As `bend` of a chain: a turn farther in turns the velocity that an outer joint gives the end. */
  #bendOfSide(q: Float64Array, joints: readonly LoopJoint[], end: Vec3, widths: Float64Array): number {
    let inner = 0;
    for (const { value, factor, isTurn } of joints) if (isTurn) inner += Math.abs(factor) * widths[value];
    let [sum, moved] = [0, 0];
    for (const { joint, value, factor, isTurn } of joints) {
      const width = Math.abs(factor) * widths[value];
      const own = isTurn ? width : 0;
      inner -= own;
      let lever = 1;
      if (isTurn) {
        const { point, axis } = this.#axisOf(q, joint);
        const [dx, dy, dz] = [end[0] - point[0], end[1] - point[1], end[2] - point[2]];
        const [x, y, z] = axis;
        lever = Math.hypot(y * dz - z * dy, z * dx - x * dz, x * dy - y * dx) + moved;
      }
      sum += width * lever * (own + 2 * Math.max(0, inner));
      moved += width * lever;
    }
    return sum * (1 + 1e-9);
  }

  #pointOf(q: Float64Array, link: number, point: Vec3): Vec3 {
    return pose.transformPoint(this.#chain.frameAt(q, link), point);
  }

  #axisOf(q: Float64Array, joint: number): { readonly point: Vec3; readonly axis: Vec3 } {
    const { child, axis } = this.#chain.joints[joint];
    const frame = this.#chain.frameAt(q, child);
    return { point: [frame[0], frame[1], frame[2]], axis: pose.transformVector(frame, axis) };
  }

  #nearest(q: Float64Array): Float64Array {
    let [best, least] = [this.#known[0], Infinity];
    for (const known of this.#known) {
      let way = 0;
      for (const value of this.#given) way += Math.abs(known[value] - q[value]);
      if (way < least) [best, least] = [known, way];
    }
    return best;
  }

  #remember(q: Float64Array): void {
    if (this.#known.length < MAX_KNOWN) this.#known.push(q.slice());
  }

  #refuse(target: Float64Array): never {
    const names = this.#chain.valueNames;
    const place = this.#given
      .filter((value) => target[value] !== this.#known[0][value])
      .map((value) => `${names[value]} = ${target[value]}`)
      .join(', ');
    const loops = this.#sides.map(({ loop }) => loop.name).join(', ');
    throw new NearfieldError(
      'bad-argument',
      `The loop ${loops} cannot be closed on the way to ${place}: it locks or comes apart before; narrow the range of the joint.`,
    );
  }
}

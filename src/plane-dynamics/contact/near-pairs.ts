// The near pairs of a step as arrays: how each pair is kept apart, and how far its bodies may have moved since they were
// measured. Others read the arrays; only this class writes them, and replaces them when they grow.
import { growTo } from '../../core/grow-array.js';
import type { PlaneBodies } from '../body/plane-bodies.js';

/** Label, a mode: the velocity solver keeps the bodies of the pair apart. */
export const SOLVED = 0;
/**
 * Label, a mode: some contact of the pair, or the whole pair, moves freely until its time of impact: it bounces, or is
 * too fast to solve.
 */
export const IMPACT = 1;
/** Label, a mode: the bodies overlap deeply, and recovery moves them apart. */
export const OVERLAPPING = 2;
/** Label, a mode: one of the bodies is a sensor, which reports but takes no force. */
export const SENSING = 3;

/**
 * Label: in {@link NearPairs.fast}: the bodies could pass through each other within a step, and move freely until they
 * meet.
 */
export const FREE = 1;
/**
 * Label: in {@link NearPairs.fast}: the bodies could pass through each other, but have met: they are solved in short
 * intervals.
 */
export const MET = 2;

/** Chosen: the gap in which contacts rest, in diameters of the smaller body. Smaller than the eye sees, far above rounding. */
export const SKIN = 5e-4;

export class NearPairs {
  count = 0;
  /** Whether pairs were added within the step: they stand at the end, out of order. */
  isExtended = false;
  a = new Int32Array(16);
  b = new Int32Array(16);
  /** See `PlaneBroadPhase.key`. */
  key = new Float64Array(16);
  /** {@link SOLVED}, {@link IMPACT}, {@link OVERLAPPING} or {@link SENSING}. */
  mode = new Int32Array(16);
  /** What the last measurement found: `APART`, `NEAR` or `OVERLAP`. */
  state = new Int32Array(16);
  /** Contacts are known within this distance. */
  reach = new Float64Array(16);
  /** The distance at the last measurement, or a lower bound of it. */
  distance = new Float64Array(16);
  /** How far the bodies may have come towards each other since. */
  moved = new Float64Array(16);
  /** The gap in which the contacts of the pair rest, m. */
  skin = new Float64Array(16);
  friction = new Float64Array(16);
  restitution = new Float64Array(16);
  /** 0, {@link FREE} or {@link MET}. */
  fast = new Int32Array(16);
  /** 1: new contacts are resolved at their time. */
  bounces = new Int32Array(16);
  /** 1: the pair took an impulse in this step, perhaps at contacts that are gone. */
  touched = new Int32Array(16);

  constructor(readonly bodies: PlaneBodies) {}

  clear(): void {
    this.count = 0;
    this.isExtended = false;
  }

  has(key: number): boolean {
    for (let pair = 0; pair < this.count; pair++) if (this.key[pair] === key) return true;
    return false;
  }

  /** Adds a pair that has not been measured, and returns its number. */
  add(a: number, b: number, key: number): number {
    const n = this.count++;
    const { bodies } = this;
    if (n >= this.a.length) {
      for (const name of NUMBERS) this[name] = growTo(this[name], n + 1);
      for (const name of WHOLES) this[name] = growTo(this[name], n + 1);
    }
    this.a[n] = a;
    this.b[n] = b;
    this.key[n] = key;
    this.mode[n] = bodies.isSensor[a] + bodies.isSensor[b] > 0 ? SENSING : SOLVED;
    this.friction[n] = Math.sqrt(bodies.friction[a] * bodies.friction[b]);
    this.restitution[n] = Math.max(bodies.restitution[a], bodies.restitution[b]);
    this.skin[n] = SKIN * 2 * Math.min(bodies.outlines[a].reach, bodies.outlines[b].reach);
    this.fast[n] = this.bounces[n] = this.touched[n] = 0;
    return n;
  }

  /** Notes that pairs were added after the first of the step. */
  extend(): void {
    this.isExtended = true;
  }

  /** Takes over what a measurement found. */
  measured(pair: number, state: number, distance: number, reach: number): void {
    this.state[pair] = state;
    this.distance[pair] = distance;
    this.reach[pair] = reach;
    this.moved[pair] = 0;
  }

  setMode(pair: number, mode: number): void {
    this.mode[pair] = mode;
  }

  setBounces(pair: number, bounces: boolean): void {
    this.bounces[pair] = bounces ? 1 : 0;
  }

  /** Lets a fast pair move freely until it meets. */
  letFly(pair: number): void {
    this.fast[pair] = FREE;
    this.mode[pair] = IMPACT;
  }

  /** Leaves a pair to the solver for the rest of the step, in short intervals if it is fast. */
  settle(pair: number, isFast: boolean): void {
    this.bounces[pair] = 0;
    this.fast[pair] = isFast ? MET : 0;
    this.mode[pair] = SOLVED;
  }

  /** Notes that a pair took an impulse. */
  touch(pair: number): void {
    this.touched[pair] = 1;
  }

  /** Notes how far bodies may come in an even motion of a time. */
  drift(h: number): void {
    for (let pair = 0; pair < this.count; pair++) this.moved[pair] += h * this.closingBound(pair);
  }

  /** A lower bound of the distance now. */
  open(pair: number): number {
    return this.distance[pair] - this.moved[pair];
  }

  /** A bound on how fast the bodies of a pair can close in anywhere. */
  closingBound(pair: number): number {
    const { velocity, spin, outlines } = this.bodies;
    const a = this.a[pair];
    const b = this.b[pair];
    return (
      Math.hypot(velocity[2 * b] - velocity[2 * a], velocity[2 * b + 1] - velocity[2 * a + 1]) +
      Math.abs(spin[a]) * outlines[a].turnReach +
      Math.abs(spin[b]) * outlines[b].turnReach
    );
  }

  /** The thickness of the thinner body. */
  thickness(pair: number): number {
    const { outlines } = this.bodies;
    return Math.min(outlines[this.a[pair]].thickness, outlines[this.b[pair]].thickness);
  }

  /** Whether a method holds a body of the pair where it is. */
  isHeld(pair: number): boolean {
    const { isHeld } = this.bodies;
    return isHeld[this.a[pair]] !== 0 || isHeld[this.b[pair]] !== 0;
  }
}

const NUMBERS = ['key', 'reach', 'distance', 'moved', 'skin', 'friction', 'restitution'] as const;
const WHOLES = ['a', 'b', 'mode', 'state', 'fast', 'bounces', 'touched'] as const;

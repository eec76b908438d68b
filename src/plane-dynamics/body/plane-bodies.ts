// The bodies of a world in the plane as arrays: state is kept at the center of mass.
import { growTo } from '../../core/grow-array.js';
import { type Outline, PlacedOutline } from '../outline/outline.js';
import type { PlanePath } from './plane-path.js';

/** Label, a kind: the body never moves. */
export const STATIC = 0;
/** Label, a kind: the body follows a path, whatever it meets. */
export const KINEMATIC = 1;
/** Label, a kind: the body moves by forces. */
export const DYNAMIC = 2;
/** Label, a kind: the body was removed. Its number is never used again. */
export const REMOVED = 3;

/** Label, a kind: the body is soft. Its nodes move, and its center and angle follow them. */
export const ELASTIC = 4;

export class PlaneBodies {
  count = 0;
  /** {@link STATIC}, {@link KINEMATIC}, {@link DYNAMIC}, {@link ELASTIC} or {@link REMOVED}. */
  kind = new Int32Array(8);
  /** x, y of the center of mass. */
  center = new Float64Array(16);
  angle = new Float64Array(8);
  /** Cosine and sine of the angle; refreshed by `turn`. */
  cosine = new Float64Array(8);
  sine = new Float64Array(8);
  velocity = new Float64Array(16);
  spin = new Float64Array(8);
  /** Force and torque until the end of the next step. */
  force = new Float64Array(16);
  torque = new Float64Array(8);
  mass = new Float64Array(8);
  inertia = new Float64Array(8);
  inverseMass = new Float64Array(8);
  inverseInertia = new Float64Array(8);
  friction = new Float64Array(8);
  restitution = new Float64Array(8);
  group = new Int32Array(8);
  mask = new Int32Array(8);
  isSensor = new Int32Array(8);
  /** 0 awake; otherwise 1 + the number of the island that fell asleep together. */
  asleep = new Int32Array(8);
  /** Whether a method keeps the body where it is for now. */
  isHeld = new Int32Array(8);
  /** Seconds without motion. */
  still = new Float64Array(8);
  readonly outlines: Outline[] = [];
  readonly placed: PlacedOutline[] = [];
  readonly paths: (PlanePath | null)[] = [];
  readonly names: string[] = [];

  add(outline: Outline): number {
    const i = this.count++;
    const n = this.count;
    for (const name of ['center', 'velocity', 'force'] as const) this[name] = growTo(this[name], 2 * n);
    for (const name of ONE_NUMBER) this[name] = growTo(this[name], n);
    for (const name of ONE_WHOLE) this[name] = growTo(this[name], n);
    this.outlines.push(outline);
    this.placed.push(new PlacedOutline(outline));
    this.paths.push(null);
    this.names.push('');
    return i;
  }

  /** Sets the angle of a body. */
  turn(i: number, angle: number): void {
    this.angle[i] = angle;
    this.cosine[i] = Math.cos(angle);
    this.sine[i] = Math.sin(angle);
  }

  /** Places the outline of a body where it is now. */
  place(i: number): void {
    this.placed[i].place(this.center[2 * i], this.center[2 * i + 1], this.angle[i]);
  }

  /** Places the outline of a body where an even motion brings it. */
  placeAfter(i: number, time: number): void {
    const { center, angle, velocity, spin } = this;
    const x = center[2 * i] + time * velocity[2 * i];
    this.placed[i].place(x, center[2 * i + 1] + time * velocity[2 * i + 1], angle[i] + time * spin[i]);
  }

  placeAll(): void {
    for (let i = 0; i < this.count; i++) if (this.kind[i] !== REMOVED && this.asleep[i] === 0) this.place(i);
  }

  /** A point of the world in the frame of a body's center of mass. */
  toLocal(i: number, x: number, y: number): [number, number] {
    const dx = x - this.center[2 * i];
    const dy = y - this.center[2 * i + 1];
    return [this.cosine[i] * dx + this.sine[i] * dy, this.cosine[i] * dy - this.sine[i] * dx];
  }

  /** For messages. */
  nameOf(i: number): string {
    return this.names[i] === '' ? `Body ${i}` : `Body '${this.names[i]}'`;
  }

  /** Whether nothing of a pair moves by forces now: sleepers and fixed bodies. */
  isIdle(a: number, b: number): boolean {
    return this.#rests(a) && this.#rests(b);
  }

  #rests(i: number): boolean {
    return this.kind[i] === STATIC || (this.kind[i] === DYNAMIC && this.asleep[i] !== 0);
  }

  /** Changes the velocity of a body by an impulse at a point of the world. */
  push(i: number, x: number, y: number, px: number, py: number): void {
    this.velocity[2 * i] += this.inverseMass[i] * px;
    this.velocity[2 * i + 1] += this.inverseMass[i] * py;
    this.spin[i] += this.inverseInertia[i] * ((x - this.center[2 * i]) * py - (y - this.center[2 * i + 1]) * px);
  }

  /** Of a dynamic body; 0 of others. */
  kineticEnergy(i: number): number {
    if (this.kind[i] !== DYNAMIC) return 0;
    const vx = this.velocity[2 * i];
    const vy = this.velocity[2 * i + 1];
    return (this.mass[i] * (vx * vx + vy * vy) + this.inertia[i] * this.spin[i] * this.spin[i]) / 2;
  }

  /** A bound on the speed of any point of a body. */
  speedBound(i: number): number {
    const { velocity, spin, outlines } = this;
    return Math.hypot(velocity[2 * i], velocity[2 * i + 1]) + Math.abs(spin[i]) * outlines[i].turnReach;
  }

  /** Writes x, y, angle of the frame of a body's shape. */
  writePose(i: number, out: { [index: number]: number }, at: number): void {
    const { centerX, centerY } = this.outlines[i];
    out[at] = this.center[2 * i] - this.cosine[i] * centerX + this.sine[i] * centerY;
    out[at + 1] = this.center[2 * i + 1] - this.sine[i] * centerX - this.cosine[i] * centerY;
    out[at + 2] = this.angle[i];
  }

  /** Takes a body out: its number is never used again. */
  remove(i: number): void {
    this.kind[i] = REMOVED;
    this.inverseMass[i] = this.inverseInertia[i] = 0;
    this.velocity[2 * i] = this.velocity[2 * i + 1] = this.spin[i] = 0;
    this.asleep[i] = 0;
  }

  /** Whether two bodies should not overlap: one of them moves, and their filters let them touch. */
  canOverlap(a: number, b: number): boolean {
    const [kindA, kindB] = [this.kind[a], this.kind[b]];
    if (kindA === REMOVED || kindB === REMOVED || (kindA === STATIC && kindB === STATIC)) return false;
    return (this.group[a] & this.mask[b]) !== 0 && (this.group[b] & this.mask[a]) !== 0;
  }

  /** Whether two bodies may meet at all: one of them moves by forces or they sense, and their filters let them. */
  canMeet(a: number, b: number): boolean {
    const [kindA, kindB] = [this.kind[a], this.kind[b]];
    if (kindA === REMOVED || kindB === REMOVED) return false;
    const moves = kindA >= DYNAMIC || kindB >= DYNAMIC;
    const isSensed = this.isSensor[a] + this.isSensor[b] > 0 && kindA + kindB > 0;
    if (!moves && !isSensed) return false;
    return (this.group[a] & this.mask[b]) !== 0 && (this.group[b] & this.mask[a]) !== 0;
  }
}

const ONE_NUMBER = [
  'angle',
  'cosine',
  'sine',
  'spin',
  'torque',
  'mass',
  'inertia',
  'inverseMass',
  'inverseInertia',
  'friction',
  'restitution',
  'still',
] as const;
const ONE_WHOLE = ['kind', 'group', 'mask', 'isSensor', 'asleep', 'isHeld'] as const;

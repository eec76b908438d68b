// One subject, ready for several questions: the sweep of all pairs, the gap of a pair along one joint or over two, and where all
// parts are at a place.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { Pose } from '../core/pose.js';
import type { Mesh } from '../mesh/mesh.js';
import { Pair } from '../proximity/pair.js';
import { type BuiltMotion, buildMotion } from './build-motion.js';
import type { SweptPair } from './motion/swept-motion.js';
import { sweepMotion } from './sweep-motion.js';
import { SWEEP_OPTIONS, type SweepOptions, type SweepSubject } from './sweep-options.js';
import type { SweepPlace, SweepResult } from './sweep-result.js';

/** A gap that was measured, and what is proven of all places up to the neighbors of this one. */
export interface GapSample {
  /** The value of the joint, or the time. */
  readonly at: number;
  readonly gap: number;
  readonly lower: number;
  readonly upper: number;
}

/** The gaps of a pair on a grid over two joints, row by row; rows are values of the second joint. */
export interface GapMap {
  readonly axes: readonly [string, string];
  readonly columns: number;
  readonly rows: number;
  /** In the middles of cells. */
  readonly gaps: Float64Array;
  /** What is proven of each cell. */
  readonly lower: Float64Array;
}

/** Chosen: the samples of a curve, and of each side of a map, where none are named. */
const SAMPLES = 241;
const MAP_SAMPLES = 48;

/** A mechanism, a robot or an assembly, and its motion. */
export class MotionStudy {
  readonly #built: BuiltMotion;
  readonly #options: SweepOptions;

  /** @throws NearfieldError for subjects and options that are not valid. */
  constructor(subject: SweepSubject, options: SweepOptions = {}) {
    SWEEP_OPTIONS.assert(options);
    this.#built = buildMotion(subject, options);
    this.#options = options;
  }

  /** The joints that are varied with their ranges, or the time. */
  get axes(): SweepResult['axes'] {
    return this.#built.motion.axes.map(({ name, low, high }) => ({ name, low, high }));
  }

  /** All bodies, in the order of {@link posesAt}. */
  get bodies(): readonly { readonly name: string; readonly mesh: Mesh }[] {
    return this.#built.motion.bodies.map(({ name, model }) => ({ name, mesh: model.mesh }));
  }

  /** The sweep of all pairs: nothing is sampled, so that nothing between samples is missed. */
  sweep(): SweepResult {
    const { motion, loops, clearance } = this.#built;
    const result = sweepMotion(motion, this.#options.clearance ?? clearance, this.#options);
    return { ...result, loopError: loops?.worstError ?? 0 };
  }

  /** The poses of all bodies at a place; joints that it does not name are in the middle of their ranges. */
  posesAt(place: SweepPlace): Pose[] {
    const { motion } = this.#built;
    motion.place(this.#valuesOf(place));
    return motion.bodies.map((_, body) => motion.poseOf(body, [0, 0, 0, 0, 0, 0, 1]));
  }

  /**
   * The gap of two bodies along one axis.
   * @param place where the other axes are. Default: in the middle of their ranges.
   * @param axis the joint, or 'time'. Default: the first.
   */
  curve(a: string, b: string, place?: SweepPlace, axis?: string, samples: number = SAMPLES): GapSample[] {
    const { motion } = this.#built;
    const pair = this.#pairOf(a, b);
    const index = axis === undefined ? 0 : motion.axes.findIndex(({ name }) => name === axis);
    if (index < 0)
      throw new NearfieldError('bad-argument', `No axis is named ${axis}; those there are: ${this.#names()}.`);
    if (!Number.isInteger(samples) || samples < 2)
      throw new NearfieldError('bad-argument', `The number of samples is ${samples}; give a whole number from 2.`);
    const u = this.#valuesOf(place ?? {});
    const { low, high } = motion.axes[index];
    const query = this.#queryOf(pair);
    const widths = new Float64Array(motion.axes.length);
    widths[index] = (high - low) / (samples - 1);
    return Array.from({ length: samples }, (_, i) => {
      u[index] = low + ((high - low) * i) / (samples - 1);
      motion.place(u);
      const gap = this.#gapAt(pair, query);
      const reach = motion.reach(pair, widths);
      return { at: u[index], gap, lower: Math.max(0, gap - reach), upper: gap + reach };
    });
  }

  /** The gap of two bodies over two of the axes, by default the first two. */
  map(a: string, b: string, place?: SweepPlace, samples: number = MAP_SAMPLES): GapMap {
    const { motion } = this.#built;
    const pair = this.#pairOf(a, b);
    const [first, second] = motion.axesOf(pair).length >= 2 ? motion.axesOf(pair) : [0, 1];
    if (motion.axes.length < 2)
      throw new NearfieldError('bad-argument', 'A map needs two joints that are varied; only one is.');
    const u = this.#valuesOf(place ?? {});
    const query = this.#queryOf(pair);
    const widths = new Float64Array(motion.axes.length);
    for (const axis of [first, second]) widths[axis] = (motion.axes[axis].high - motion.axes[axis].low) / samples / 2;
    const [gaps, lower] = [new Float64Array(samples * samples), new Float64Array(samples * samples)];
    for (let i = 0; i < samples * samples; i++) {
      for (const [axis, k] of [[first, i % samples] as const, [second, Math.floor(i / samples)] as const])
        u[axis] = motion.axes[axis].low + (2 * k + 1) * widths[axis];
      motion.place(u);
      gaps[i] = this.#gapAt(pair, query);
      lower[i] = Math.max(0, gaps[i] - motion.reach(pair, widths));
    }
    return { axes: [motion.axes[first].name, motion.axes[second].name], columns: samples, rows: samples, gaps, lower };
  }

  #queryOf({ a, b }: SweptPair): Pair {
    const { bodies } = this.#built.motion;
    return new Pair(bodies[a].model, bodies[b].model, { volume: 'boxes' });
  }

  #gapAt({ a, b }: SweptPair, query: Pair): number {
    const { motion } = this.#built;
    const [poseA, poseB] = [a, b].map((body) => motion.poseOf(body, [0, 0, 0, 0, 0, 0, 1]));
    return query.distance(poseA, poseB).distance ?? Infinity;
  }

  #pairOf(a: string, b: string): SweptPair {
    const { bodies } = this.#built.motion;
    const [i, k] = [a, b].map((name) => bodies.findIndex((body) => body.name === name));
    if (i < 0 || k < 0 || i === k)
      throw new NearfieldError(
        'bad-argument',
        `${a} and ${b} are no two parts; the parts are ${bodies.map(({ name }) => name).join(', ')}.`,
      );
    return { a: Math.min(i, k), b: Math.max(i, k), allowedDepth: 0 };
  }

  #valuesOf(place: SweepPlace): Float64Array {
    const { axes } = this.#built.motion;
    if (typeof place !== 'number' && (typeof place !== 'object' || place === null || Array.isArray(place)))
      throw new NearfieldError(
        'bad-argument',
        `The place is ${nameValue(place)}; give values by the names of joints, or a time.`,
      );
    const names = typeof place === 'number' ? {} : place;
    for (const name of Object.keys(names)) {
      if (!axes.some((axis) => axis.name === name))
        throw new NearfieldError('bad-argument', `No axis is named ${name}; those there are: ${this.#names()}.`);
    }
    return Float64Array.from(axes, ({ name, low, high }) => {
      const value = typeof place === 'number' ? place : (names[name] ?? (low + high) / 2);
      if (Number.isFinite(value)) return value;
      throw new NearfieldError('bad-argument', `The value of ${name} is ${value}; give a number.`);
    });
  }

  #names(): string {
    return this.#built.motion.axes.map(({ name }) => name).join(', ');
  }
}

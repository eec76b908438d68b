// The search over motions of A that separate it from B, turns included. Local searches over all six freedoms start from
// turns, each with a translation that then separates, and from the shortest translation; every pose that is accepted
// has passed the exact test.
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import { reportProgress } from '../../core/progress.js';
import * as quat from '../../core/quat.js';
import { createRandom, type Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { Pair } from '../../proximity/pair.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { measurePenetrationSync } from '../measure-on-cpu.js';
import type { PenetrationOptions } from '../options.js';
import type { PenetrationResult } from '../result.js';
import { prepareSolid } from '../solid.js';
import { CUBE_DIRECTIONS } from '../union/cube-directions.js';
import { sizeOfPair } from '../union/descent.js';
import { Evolution, type Landscape } from './evolution.js';
import { ObjectNorm } from './object-norm.js';

/**
 * Rounding: a pose is accepted if it leaves more than this share of the sizes between the models: more than the 5e-15 of
 * translations, because turned poses round more.
 */
const CLEARANCE = 2e-14;
/** Chosen: turns that are tried alone, by how far they move A's rim, as shares of the depth: 0.02 to 0.87. */
const LONE_TURNS = Array.from({ length: 20 }, (_, i) => 0.02 * 1.22 ** i);
/** Chosen: turns that are tried with a translation after them, in the same measure. */
const FIRST_TURNS = [0.15, 0.3, 0.5, 0.75];
/** Chosen: turns and starts that move A by more than this many times the best known are left out. */
const WORTH_TRYING = 1.5;
/** Chosen: the relative gap of the translation after a turn. It is only a start, so a rough one is enough. */
const QUICK_GAP = 0.1;
/** Chosen: the cells that the translation after a turn may take. */
const QUICK_CELLS = 2000;
/** Chosen: of starts whose turns differ at the rim by less than this share of the depth, the best is kept. */
const SAME_TURN = 0.2;
/** Chosen: the largest turn of a start, in radians. */
const LARGEST_TURN = 1;
/** Chosen: the share of the evaluations for turns with a translation, each of which costs far more than a test. */
const SHARE_OF_TURNS = 1 / 48;
/** Chosen: tests of turns alone for each turn with a translation. */
const LONE_TESTS_A_TURN = 12;
/** Chosen: the number of starts that are followed. */
const STARTS = 8;
/** Chosen: rounds of the search. After each the worse half of the starts is dropped. */
const ROUNDS = 5;
/**
 * Chosen: this many candidates in a row that are no better end a round. They need no test, so evaluations do not count
 * them.
 */
const MAX_IDLE = 1000;
/** Chosen: the first steps of a search, as a share of the value it starts from. */
const FIRST_STEP = 0.15;
/** Chosen: a search has converged when its steps are this share of its value. It then restarts with larger steps. */
const LAST_STEP = 1e-5;

/** The start of a search, and its norm. */
interface Start {
  readonly x: Float64Array;
  readonly value: number;
}

/**
 * The motions of A, as six lengths: the axis times the angle times A's radius, about A's middle, then the move of the
 * middle; in A's frame, so that moving both models together changes only rounding.
 */
export class Motions implements Landscape {
  best: Float64Array | null = null;
  value: number;
  evaluations = 0;
  readonly #norm: ObjectNorm;
  readonly #pair: Pair;
  readonly #clearance: number;
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #poseA: Pose;
  readonly #poseB: Pose;
  readonly #translational: PenetrationResult;
  readonly #options: PenetrationOptions;

  constructor(
    a: ProximityModel,
    b: ProximityModel,
    poseA: Pose,
    poseB: Pose,
    translational: PenetrationResult,
    options: PenetrationOptions,
  ) {
    this.#a = a;
    this.#b = b;
    this.#poseA = poseA;
    this.#poseB = poseB;
    this.#translational = translational;
    this.#options = options;
    const [solidA, solidB] = [prepareSolid(a), prepareSolid(b)];
    this.value = translational.depth;
    this.#norm = new ObjectNorm(solidA);
    this.#pair = new Pair(a, b);
    this.#clearance = CLEARANCE * sizeOfPair(solidA, solidB);
  }

  measure(x: Float64Array, limit: number): number {
    return this.#norm.measure(this.#motionAt(x), limit);
  }

  allows(x: Float64Array): boolean {
    this.evaluations++;
    return !this.#pair.within(this.poseAt(x), this.#poseB, this.#clearance).within;
  }

  /** A's pose in the world after a motion. */
  poseAt(x: Float64Array): Pose {
    return pose.multiply(this.#poseA, this.#motionAt(x));
  }

  #motionAt(x: Float64Array): Pose {
    const { center, radius } = this.#a;
    const length = Math.hypot(x[0], x[1], x[2]);
    const axis: Vec3 = length > 0 ? [x[0] / length, x[1] / length, x[2] / length] : [0, 0, 1];
    const q = quat.fromAxisAngle(axis, length / radius);
    const turned = quat.rotate(q, center);
    return [center[0] - turned[0] + x[3], center[1] - turned[1] + x[4], center[2] - turned[2] + x[5], ...q];
  }

  /** Follows the best starts, half as many each round, until the budget is spent. */
  search(maxEvaluations: number, seed: number): void {
    const random = createRandom(seed);
    let searches = this.#findStarts(Math.floor(SHARE_OF_TURNS * maxEvaluations))
      .slice(0, STARTS)
      .map(({ x, value }) => new Evolution(x, value, FIRST_STEP * value));
    for (let round = 0; round < ROUNDS; round++) {
      const from = this.evaluations;
      const share = (maxEvaluations - from) / (ROUNDS - round) / searches.length;
      searches = searches.map((evolution, i) => this.#follow(evolution, from + share * (i + 1), random));
      reportProgress(this.#options, this.evaluations / maxEvaluations, 'generalized penetration');
      searches.sort((e, f) => e.value - f.value);
      searches.length = Math.ceil(searches.length / 2);
    }
    if (searches[0].value < this.value) {
      this.value = searches[0].value;
      this.best = searches[0].best;
    }
  }

  #follow(start: Evolution, until: number, random: Random): Evolution {
    let evolution = start;
    let idle = 0;
    while (this.evaluations < until && idle < MAX_IDLE) {
      idle = evolution.advance(this, random) ? 0 : idle + 1;
      if (evolution.step > LAST_STEP * evolution.value) continue;
      evolution = new Evolution(evolution.best, evolution.value, FIRST_STEP * evolution.value);
    }
    return evolution;
  }

  /** The shortest translation and turns about many axes, alone and followed by a translation; the best first. */
  #findStarts(maxTurns: number): Start[] {
    const { depth, vector } = this.#translational;
    const starts = [{ x: Float64Array.of(0, 0, 0, ...this.#turnBack(vector)), value: depth }];
    const axes = this.#norm.axes();
    const ways = CUBE_DIRECTIONS.map((way): Vec3 => {
      const turned = [0, 1, 2].map((k) => way[0] * axes[0][k] + way[1] * axes[1][k] + way[2] * axes[2][k]);
      return turned as Vec3;
    });
    this.#addLoneTurns(starts, ways, LONE_TESTS_A_TURN * maxTurns);
    this.#addTurns(starts, ways, maxTurns);
    const distinct: Start[] = [];
    for (const start of starts.sort((s, t) => s.value - t.value)) {
      const [x, y, z] = start.x;
      const near = ({ x: t }: Start) => Math.hypot(t[0] - x, t[1] - y, t[2] - z) < SAME_TURN * depth;
      if (!distinct.some(near)) distinct.push(start);
    }
    return distinct;
  }

  /** Per axis the smallest turn that separates, about A's middle and about its contact after the translation. */
  #addLoneTurns(starts: Start[], ways: readonly Vec3[], maxTests: number): void {
    const { center, radius } = this.#a;
    const { depth, pointA } = this.#translational;
    const contact = pointA === null ? center : pose.transformPoint(pose.invert(this.#poseA), pointA);
    const end = this.evaluations + maxTests;
    let least = depth;
    for (const about of [center, contact]) {
      for (const way of ways) {
        for (const share of LONE_TURNS) {
          const length = share * depth;
          const arm = vec3.subtract(center, about);
          const shift = vec3.subtract(quat.rotate(quat.fromAxisAngle(way, length / radius), arm), arm);
          const x = Float64Array.of(length * way[0], length * way[1], length * way[2], ...shift);
          const value = this.measure(x, Infinity);
          if (value > WORTH_TRYING * least || length > LARGEST_TURN * radius || this.evaluations >= end) break;
          if (!this.allows(x)) continue;
          least = Math.min(least, value);
          starts.push({ x, value });
          break;
        }
      }
    }
  }

  #addTurns(starts: Start[], ways: readonly Vec3[], maxTurns: number): void {
    const { depth } = this.#translational;
    let least = starts.reduce((best, { value }) => Math.min(best, value), Infinity);
    let turns = 0;
    for (const share of FIRST_TURNS) {
      const length = Math.min(share * depth, LARGEST_TURN * this.#a.radius);
      for (const way of ways) {
        const x = Float64Array.of(length * way[0], length * way[1], length * way[2], 0, 0, 0);
        if (this.measure(x, Infinity) > WORTH_TRYING * least) continue;
        if (turns++ >= maxTurns) return;
        this.#addTranslation(x);
        const value = this.measure(x, Infinity);
        if (value > WORTH_TRYING * least || !this.allows(x)) continue;
        least = Math.min(least, value);
        starts.push({ x, value });
      }
    }
  }

  /** Adds the translation that separates the models after a turn. */
  #addTranslation(x: Float64Array): void {
    this.evaluations++;
    const turned = this.poseAt(x);
    const { vector } = measurePenetrationSync(this.#a, this.#b, turned, this.#poseB, {
      method: 'certified',
      relativeGap: QUICK_GAP,
      maxCells: QUICK_CELLS,
      signal: this.#options.signal,
    });
    x.set(this.#turnBack(vector), 3);
  }

  /** A vector of the world in A's frame. */
  #turnBack(vector: Vec3): Vec3 {
    return quat.rotate(quat.conjugate([this.#poseA[3], this.#poseA[4], this.#poseA[5], this.#poseA[6]]), vector);
  }
}

// How little two solids must be moved apart when A may also turn: an upper bound, measured by the largest displacement
// of any point of A (the generalized depth of Zhang, Kim, Varadhan and Manocha 2007, by the ends of the path, not its
// length). Local searches over all six freedoms start from turns, each with a translation that then separates, and from
// the shortest translation, which bounds the result; every accepted pose has passed the exact test.
import { assertOptions, type OptionNames } from '../../core/check/check-options.js';
import { toUnit } from '../../core/check/check-pose.js';
import { NearfieldError } from '../../core/errors.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import { reportProgress } from '../../core/progress.js';
import * as quat from '../../core/quat.js';
import { createRandom, type Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { Pair } from '../../proximity/pair.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { testIntersection } from '../../proximity/queries.js';
import { PENETRATION_DEFAULTS } from '../defaults.js';
import { measurePenetrationSync } from '../measure-penetration.js';
import { PENETRATION_NAMES, type PenetrationOptions } from '../options.js';
import type { PenetrationResult } from '../result.js';
import { prepareSolid } from '../solid.js';
import { sizeOfPair } from '../union/descent.js';
import { Evolution, type Landscape } from './evolution.js';
import { ObjectNorm } from './object-norm.js';

/**
 * 'separate': the models do not overlap; they may touch. 'translation': nothing shorter than the shortest translation
 * was found. 'rotation': a pose was found that is nearer than any translation known.
 */
export type GeneralizedStatus = 'separate' | 'translation' | 'rotation';

/** Options of {@link measureGeneralizedPenetration}; the inherited ones are for the translational depth. */
export interface GeneralizedPenetrationOptions extends PenetrationOptions {
  /** The most poses to try. Default `PENETRATION_DEFAULTS.maxEvaluations`. */
  readonly maxEvaluations?: number | undefined;
  /** Seed of the search: the same seed gives the same answer. Default 1. */
  readonly seed?: number | undefined;
}

const GENERALIZED_NAMES: OptionNames<GeneralizedPenetrationOptions> = {
  maxEvaluations: true,
  seed: true,
  ...PENETRATION_NAMES,
};

/** How deep two models overlap when A may be turned as well as moved. */
export interface GeneralizedPenetration {
  /** The largest displacement of any point of A on its way to `pose`; at most `translational.depth`. */
  readonly depth: number;
  /** The shortest translation, where the search started. */
  readonly translational: PenetrationResult;
  /** A's new pose in the world: confirmed by the exact test to have no point in common with B. */
  readonly pose: Pose;
  /** How A is turned about the origin of its frame: the axis, in the world, times the angle in radians. */
  readonly rotation: Vec3;
  /** How that origin is moved. */
  readonly translation: Vec3;
  /** Poses tried. */
  readonly evaluations: number;
  readonly status: GeneralizedStatus;
}

/** A pose is accepted when it leaves more than this share of the sizes between the models, as translations do. */
const CLEARANCE = 2e-14;
/** Turns tried first, by how far they move A's rim, as shares of the depth: alone, and followed by a translation. */
const LONE_TURNS = Array.from({ length: 20 }, (_, i) => 0.02 * 1.22 ** i);
const FIRST_TURNS = [0.15, 0.3, 0.5, 0.75];
/** Turns and starts that move A by this many times the best known are left out. */
const WORTH_TRYING = 1.5;
/** The gap of the translation for each turn, and the most cells that it may take. */
const QUICK_GAP = 0.1;
const QUICK_CELLS = 2000;
/** Starts whose turns differ by less than this share of the depth, at the rim, lead to the same place: one is kept. */
const SAME_TURN = 0.2;
/** The largest turn tried first, in radians. */
const LARGEST_TURN = 1;
/** Share of the budget for turns with a translation, each far costlier than a test; tests of lone turns for each. */
const SHARE_OF_TURNS = 1 / 48;
const LONE_TESTS_A_TURN = 12;
/** Starts that are followed; after each round the worse half is dropped. */
const STARTS = 8;
const ROUNDS = 5;
/** This many candidates in a row that are no better, and need no test, end a round. */
const MAX_IDLE = 1000;
/** First steps of a search, as a share of the value it starts from. */
const FIRST_STEP = 0.15;
/** A search whose steps are this share of its value has converged, and restarts with larger steps. */
const LAST_STEP = 1e-5;

/**
 * The smallest motion of A after which it no longer meets B, when A may also turn: an upper bound, found by local
 * searches and confirmed by the exact test. For two convex models turning never helps, and nothing is searched. The
 * same input gives the same answer.
 * @throws NearfieldError for a mesh that bounds no solid, see {@link preparePenetration}, and for options out of range.
 */
export function measureGeneralizedPenetration(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: GeneralizedPenetrationOptions = {},
): GeneralizedPenetration {
  assertOptions(options, GENERALIZED_NAMES);
  const { maxEvaluations = PENETRATION_DEFAULTS.maxEvaluations, seed = 1, ...rest } = options;
  if (!(maxEvaluations >= 0)) {
    throw new NearfieldError('bad-argument', `The most evaluations are ${maxEvaluations}; give a number from 0 on.`);
  }
  if (!Number.isInteger(seed)) {
    throw new NearfieldError('bad-argument', `The seed is ${seed}; give a whole number.`);
  }
  const translational = measurePenetrationSync(a, b, poseA, poseB, { method: 'certified', ...rest });
  const here = toUnit(poseA);
  if (translational.depth === 0) {
    return answer(here, here, 0, translational, 0, 'separate');
  }
  const motions = new Motions(a, b, here, toUnit(poseB), translational, options);
  // A plane separates convex solids: the point of A that was deepest beyond it has moved by at least the depth.
  if (!prepareSolid(a).convex || !prepareSolid(b).convex) motions.search(maxEvaluations, seed);
  const { best, value, evaluations } = motions;
  const moved = best === null ? null : motions.poseAt(best);
  if (moved === null || testIntersection(a, b, moved, poseB).intersects) {
    const shifted = [...vec3.add([here[0], here[1], here[2]], translational.vector), ...here.slice(3)] as Pose;
    return answer(here, shifted, translational.depth, translational, evaluations, 'translation');
  }
  return answer(here, moved, value, translational, evaluations, 'rotation');
}

function answer(
  from: Pose,
  to: Pose,
  depth: number,
  translational: PenetrationResult,
  evaluations: number,
  status: GeneralizedStatus,
): GeneralizedPenetration {
  return {
    depth,
    translational,
    pose: to,
    rotation: status === 'rotation' ? rotationBetween(from, to) : [0, 0, 0],
    translation: [to[0] - from[0], to[1] - from[1], to[2] - from[2]],
    evaluations,
    status,
  };
}

/** The axis times the angle, at most half a turn, that takes one orientation to the other. */
function rotationBetween(from: Pose, to: Pose): Vec3 {
  const [x, y, z, w] = quat.multiply(
    [to[3], to[4], to[5], to[6]],
    quat.conjugate([from[3], from[4], from[5], from[6]]),
  );
  const sine = Math.hypot(x, y, z);
  if (sine === 0) return [0, 0, 0];
  const angle = 2 * Math.atan2(w < 0 ? -sine : sine, Math.abs(w));
  return [(angle * x) / sine, (angle * y) / sine, (angle * z) / sine];
}

/**
 * The motions of A, as six lengths: the axis times the angle times A's radius, about A's middle, then the move of the
 * middle; in A's frame, so that moving both models together changes only rounding.
 */
class Motions implements Landscape {
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
    const ways = TURN_AXES.map((way): Vec3 => {
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

/** The start of a search, and its norm. */
interface Start {
  readonly x: Float64Array;
  readonly value: number;
}

/** The 26 directions from a cube's middle to its faces, edges and corners. */
const TURN_AXES: readonly Vec3[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].filter((z) => x !== 0 || y !== 0 || z !== 0).map((z) => vec3.normalize([x, y, z])),
  ),
);

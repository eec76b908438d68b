// Untangles a heap of solids by translations. In each round every overlapping pair is moved apart by its certified
// vector, shared by weight. Pairs may push each other back and forth, so those that meet again are moved a little
// farther; if rounds do not end it, the body that overlaps most leaves the crowd and stays there from then on.
import { assertOptions, nameValue } from '../../core/check/check-options.js';
import { takePose } from '../../core/check/check-pose.js';
import { checkedElsewhere, numberFrom, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { assertModel } from '../../proximity/arguments.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { Scene } from '../../proximity/scene/scene.js';
import type { ScenePair } from '../../proximity/scene/scene-result.js';
import { PENETRATION_TABLE, type PenetrationOptions } from '../options.js';
import type { PenetrationResult } from '../result.js';
import { findEscape } from './escape.js';
import { ScenePenetration } from './scene-penetration.js';

/** A solid to untangle. */
export interface TangledBody {
  readonly model: ProximityModel;
  readonly pose: ReadonlyPose;
  /** Fixed bodies do not move, and are not separated from each other. Default false. */
  readonly fixed?: boolean | undefined;
  /** Of two bodies the lighter one moves more, in proportion. Default 1. */
  readonly weight?: number | undefined;
}

/** Options of {@link separateBodies}. */
export interface SeparateOptions extends ProgressOptions {
  /**
   * Default: `ROUNDS_A_BODY` per body that is not fixed, plus as many more: enough unless no way out of the crowd is
   * confirmed for one of them.
   */
  readonly maxRounds?: number | undefined;
  /** Options for measuring depths. Default: certified, to a gap of 1e-3. */
  readonly penetration?: PenetrationOptions | undefined;
}

const SEPARATE_TABLE = optionTable<SeparateOptions>()({
  maxRounds: numberFrom(0),
  penetration: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** The statistics of a round. */
export interface SeparateRound {
  /** Pairs that overlapped at their turn. */
  readonly overlapping: number;
  /** Their largest depth, and the sum of their depths. */
  readonly deepest: number;
  readonly total: number;
  /** The body that left the crowd at the end of the round; null if none did. */
  readonly escaped: number | null;
}

/** Two bodies that were moved apart, the lower index first. */
export interface SeparatedPair {
  readonly a: number;
  readonly b: number;
  /** How often they were moved apart. */
  readonly times: number;
  /** How deep they were the first time. */
  readonly depth: number;
}

/** The result of {@link separateBodies}. */
export interface SeparateResult {
  /** 'separated': no two bodies overlap; they may touch. 'rounds': some still overlap after `maxRounds` rounds. */
  readonly status: 'separated' | 'rounds';
  /** The new pose of each body; its rotation is unchanged. */
  readonly poses: readonly Pose[];
  /** The total move of each body. */
  readonly moves: readonly Vec3[];
  readonly rounds: readonly SeparateRound[];
  readonly pairs: readonly SeparatedPair[];
  /** The pairs that still overlap. */
  readonly remaining: readonly (readonly [a: number, b: number])[];
}

/** Chosen: rounds after which a body leaves the crowd, and again after as many. */
export const ROUNDS_A_BODY = 8;
/**
 * Chosen: a pair that meets again is moved farther by this share of its first depth, and by as much more every time.
 * Otherwise pairs that push each other halve their overlap every round and never end.
 */
const SLACK = 0.02;
/** Chosen: directions tried around the body's main push direction: between two walls the way out is across. */
const DIRECTIONS_ACROSS = 16;

/**
 * Moves solids so that none overlap any more, each not much farther than necessary. Deterministic: the same bodies in
 * the same order move the same way, unless `penetration.maxMilliseconds` is given.
 * @throws NearfieldError for a body that is not a solid, see {@link preparePenetration}, and for weights out of range.
 */
export function separateBodies(bodies: readonly TangledBody[], options: SeparateOptions = {}): SeparateResult {
  if (!Array.isArray(bodies)) {
    throw new NearfieldError('bad-argument', `The bodies are ${nameValue(bodies)}; give an array of { model, pose }.`);
  }
  for (const [index, body] of bodies.entries()) assertModel(body?.model, `The model of body ${index}`);
  SEPARATE_TABLE.assert(options);
  assertOptions(options.penetration, PENETRATION_TABLE.names, 'The options of penetration');
  const { maxRounds = ROUNDS_A_BODY * (1 + bodies.filter(({ fixed }) => !fixed).length) } = options;
  const tangle = new Tangle(bodies, options);
  let status: SeparateResult['status'] = 'rounds';
  while (tangle.rounds.length < maxRounds && status === 'rounds') {
    reportProgress(options, tangle.rounds.length / maxRounds, 'separation');
    if (tangle.relax(options)) status = 'separated';
  }
  const overlaps = status === 'separated' ? [] : tangle.findOverlaps(options);
  return {
    status: overlaps.length === 0 ? 'separated' : 'rounds',
    poses: bodies.map((_, i) => tangle.poseOf(i)),
    moves: tangle.moves,
    rounds: tangle.rounds,
    pairs: [...tangle.pairs.values()].sort((p, q) => p.a - q.a || p.b - q.b),
    remaining: overlaps.map(({ a, b }) => [a, b]),
  };
}

/** The bodies while they are moved. */
class Tangle {
  readonly moves: Vec3[];
  readonly rounds: SeparateRound[] = [];
  readonly pairs = new Map<string, SeparatedPair>();
  readonly #scene = new Scene();
  readonly #depths: ScenePenetration;
  readonly #starts: Pose[];
  /** Infinite for bodies that do not move. */
  readonly #weights: number[];

  constructor(
    readonly bodies: readonly TangledBody[],
    { penetration, signal }: SeparateOptions,
  ) {
    this.moves = bodies.map(() => [0, 0, 0]);
    this.#weights = bodies.map(weightOf);
    this.#starts = bodies.map((body, i) => takePose(body.pose, `body ${i}`));
    this.#depths = new ScenePenetration(this.#scene, { method: 'certified', ...penetration });
    // Ids count up from 0, so they are the indices.
    for (const [i, { model, fixed = false }] of bodies.entries()) {
      this.#scene.add(model, { pose: this.#starts[i], fixed });
    }
    this.#depths.prepare({ signal });
  }

  poseOf(i: number): Pose {
    return this.#scene.poseOf(i);
  }

  /** Moves every overlapping pair apart, one after the other. Returns whether no pair overlapped. */
  relax(progress: ProgressOptions): boolean {
    const round = this.rounds.length;
    const { pairs } = this.#scene.intersections();
    let [overlapping, deepest, total] = [0, 0, 0];
    // Forward and backward in turn, so that the first bodies do not always have to make way for the rest.
    for (const { a, b } of round % 2 === 0 ? pairs : [...pairs].reverse()) {
      const { depth, vector, direction } = this.#depths.measurePair(a, b, { signal: progress.signal });
      const share = this.#shareOf(a, b);
      if (direction === null || share === null) continue;
      overlapping++;
      deepest = Math.max(deepest, depth);
      total += depth;
      const move = vec3.addScaled(vector, direction, this.#slackOf(a, b, depth));
      this.#move(a, vec3.scale(move, share));
      this.#move(b, vec3.scale(move, share - 1));
    }
    if (overlapping === 0) return true;
    const escaped = (round + 1) % ROUNDS_A_BODY === 0 ? this.#letOneOut(progress) : null;
    this.rounds.push({ overlapping, deepest, total, escaped });
    return false;
  }

  /** The pairs that overlap now and could be moved apart. */
  findOverlaps({ signal }: ProgressOptions): ScenePair<PenetrationResult>[] {
    return this.#depths
      .measure({ signal })
      .pairs.filter(({ a, b, result }) => result.depth > 0 && this.#shareOf(a, b) !== null);
  }

  /** The first body's share of a move; null if neither can move. */
  #shareOf(a: number, b: number): number | null {
    const [weightA, weightB] = [this.#weights[a], this.#weights[b]];
    if (weightA === Infinity) return weightB === Infinity ? null : 0;
    return weightB === Infinity ? 1 : weightB / (weightA + weightB);
  }

  #move(id: number, by: Vec3): void {
    if (this.#weights[id] === Infinity) return;
    const [x, y, z] = vec3.add(this.moves[id], by, this.moves[id]);
    const [u, v, w, ...rotation] = this.#starts[id];
    this.#scene.setPose(id, [u + x, v + y, w + z, ...rotation]);
  }

  /**
   * Moves the body that overlaps most clear of all others and fixes it there, so that every escape leaves fewer bodies
   * to move. Returns its index; null if none overlaps or no way out was confirmed.
   */
  #letOneOut(progress: ProgressOptions): number | null {
    const overlaps = this.findOverlaps(progress);
    const totals = new Map<number, number>();
    for (const { a, b, result } of overlaps) {
      for (const id of [a, b]) if (this.#weights[id] < Infinity) totals.set(id, (totals.get(id) ?? 0) + result.depth);
    }
    if (totals.size === 0) return null;
    const [id] = [...totals].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
    const { result } = overlaps
      .filter(({ a, b }) => a === id || b === id)
      .reduce((deepest, pair) => (pair.result.depth > deepest.result.depth ? pair : deepest));
    const placed = this.bodies.map(({ model }, i) => ({ model, pose: this.poseOf(i) }));
    const others = placed.filter((_, i) => i !== id);
    const way = findEscape(placed[id], others, directionsAround(result.direction!));
    if (way === null) return null;
    this.#move(id, way);
    this.#weights[id] = Infinity;
    return id;
  }

  /** How much farther than necessary to move a pair, 0 the first time; counts the move. */
  #slackOf(a: number, b: number, depth: number): number {
    const key = `${a},${b}`;
    const known = this.pairs.get(key) ?? { a, b, times: 0, depth };
    this.pairs.set(key, { ...known, times: known.times + 1 });
    return SLACK * known.times * known.depth;
  }
}

function weightOf({ fixed = false, weight = 1 }: TangledBody, index: number): number {
  if (!(weight > 0 && weight < Infinity)) {
    throw new NearfieldError(
      'bad-argument',
      `The weight of body ${index} is ${weight}; give a finite number above 0, or fixed: true for a body that stays.`,
    );
  }
  return fixed ? Infinity : weight;
}

/** Unit vectors along and against a direction, around it and across it. */
function directionsAround(axis: Vec3): Vec3[] {
  const u = vec3.perpendicular(axis);
  const v = vec3.cross(axis, u);
  const directions: Vec3[] = [axis, vec3.scale(axis, -1)];
  for (let i = 0; i < DIRECTIONS_ACROSS; i++) {
    const angle = (2 * Math.PI * i) / DIRECTIONS_ACROSS;
    const across = vec3.addScaled(vec3.scale(u, Math.cos(angle)), v, Math.sin(angle));
    directions.push(across, vec3.normalize(vec3.add(across, axis)), vec3.normalize(vec3.subtract(across, axis)));
  }
  return directions;
}

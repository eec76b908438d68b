// Many bodies. Sweep and prune over their world boxes finds the near pairs; each of them is queried by a Pair that
// keeps its memory from frame to frame. Results are in order of ids, whatever was added, removed or moved before.

import type { Box } from '../../core/box.js';
import { takePose } from '../../core/check/check-pose.js';
import {
  checkedElsewhere,
  flag,
  numberFrom,
  optionTable,
  PROGRESS_OPTIONS,
  PROGRESS_RULES,
} from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { growTo } from '../../core/grow-array.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { boxDistanceSquared } from '../../spatial/box-relations.js';
import { SweepAndPrune, type SweepCounters } from '../../spatial/sweep-and-prune.js';
import { assertLength, assertModel } from '../arguments.js';
import {
  CONTACT_OPTIONS,
  type ContactOptions,
  DISTANCE_OPTIONS,
  type DistanceOptions,
  type PairOptions,
  PROXIMITY_DEFAULTS,
} from '../options.js';
import type { Pair } from '../pair.js';
import { assertCoherence, PAIR_OPTIONS } from '../pair-option-table.js';
import type { ProximityModel } from '../proximity-model.js';
import type { ContactsResult, DistanceResult, IntersectionResult, QueryCounters, ToleranceResult } from '../result.js';
import { ModelExtent } from './scene-extent.js';
import { NearestBoxPairs } from './scene-nearest.js';
import { higherOf, lowerOf, MAX_BODIES, PairStates, pairKey } from './scene-pairs.js';
import { type NearestResult, type ScenePair, type SceneResult, SceneTally } from './scene-result.js';
import { assertBits, type PairRule, PairRules } from './scene-rules.js';

/** The options of a {@link Scene}, including those of its pairs. */
export interface SceneOptions extends PairOptions {
  /** Frames that a pair keeps its memory after its bodies part. Default `PROXIMITY_DEFAULTS.idleFrames`. */
  readonly idleFrames?: number | undefined;
  /** The most pairs that keep memory; other pairs are queried without. Default `PROXIMITY_DEFAULTS.maxPairs`. */
  readonly maxPairs?: number | undefined;
}

/** Where a body is, and what it is tested against. */
export interface BodyOptions {
  /** Default: the identity. The quaternion is normalized. */
  readonly pose?: ReadonlyPose | undefined;
  /** The groups the body is in, one bit per group. Default 1. */
  readonly group?: number | undefined;
  /** The groups it is tested against, one bit per group; both bodies' masks must allow a pair. Default: all. */
  readonly mask?: number | undefined;
  /** Fixed bodies are not tested against each other. Default false. */
  readonly fixed?: boolean | undefined;
}

const SCENE_OPTIONS = optionTable<SceneOptions>()({
  ...PAIR_OPTIONS.rules,
  idleFrames: numberFrom(0),
  maxPairs: numberFrom(0),
});
const BODY_OPTIONS = optionTable<BodyOptions>()({
  pose: checkedElsewhere(),
  group: checkedElsewhere(1),
  mask: checkedElsewhere(-1),
  fixed: flag(false),
});
const DISTANCES_OPTIONS = optionTable<DistanceOptions & ProgressOptions>()({
  ...DISTANCE_OPTIONS.rules,
  ...PROGRESS_RULES,
});
const CONTACTS_OPTIONS = optionTable<ContactOptions & ProgressOptions>()({
  ...CONTACT_OPTIONS.rules,
  ...PROGRESS_RULES,
});
const NEAREST_OPTIONS = optionTable<Pick<DistanceOptions, 'cutoff'> & ProgressOptions>()({
  cutoff: DISTANCE_OPTIONS.rules.cutoff,
  ...PROGRESS_RULES,
});

interface Body {
  readonly id: number;
  /** The item number in the sweep, and the index of the box. */
  readonly slot: number;
  readonly model: ProximityModel;
  readonly extent: ModelExtent;
  pose: Pose;
  group: number;
  mask: number;
  fixed: boolean;
}

/**
 * Chosen: the sweep keeps a wider margin for this many queries, so that alternating queries do not keep changing it.
 */
const MARGIN_MEMORY = 16;
/** Rounding: the distance of two boxes is lowered by this share of itself; some nine half-ulps. */
const GAP_ROUNDING = 1e-15;
/** Chosen: pairs between two reports of progress. */
const REPORT_INTERVAL = 256;

/** Bodies with poses, and the queries over all pairs of them. Ids count up from 0 and are never reused. */
export class Scene {
  readonly #bodies = new Map<number, Body>();
  readonly #bySlot: (Body | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #moved = new Set<Body>();
  readonly #extents = new WeakMap<ProximityModel, ModelExtent>();
  readonly #sweep = new SweepAndPrune();
  readonly #rules = new PairRules();
  readonly #states: PairStates;
  #boxes = new Float64Array(6 * 16);
  #keys = new Float64Array(64);
  #nextId = 0;
  #changed = false;
  readonly #margins: number[] = [];

  constructor(options: SceneOptions = {}) {
    SCENE_OPTIONS.assert(options);
    assertCoherence(options);
    const {
      idleFrames = PROXIMITY_DEFAULTS.idleFrames,
      maxPairs = PROXIMITY_DEFAULTS.maxPairs,
      ...pairOptions
    } = options;
    this.#states = new PairStates(pairOptions, idleFrames, maxPairs);
  }

  /** Number of bodies. */
  get size(): number {
    return this.#bodies.size;
  }

  /** The ids of all bodies, ascending. */
  get ids(): number[] {
    return [...this.#bodies.keys()];
  }

  /** Number of pairs that keep memory. */
  get pairsKept(): number {
    return this.#states.size;
  }

  /** What the broad phase did in the last query for which bodies had moved. */
  get sweepCounters(): SweepCounters {
    return this.#sweep.counters;
  }

  /** Adds a body and returns its id. Bodies may share a model. */
  add(model: ProximityModel, options: BodyOptions = {}): number {
    assertModel(model, 'The model');
    const { pose: at = pose.identity(), group, mask, fixed } = BODY_OPTIONS.read(options);
    assertBits(group, 'group');
    assertBits(mask, 'mask');
    const parsed = takePose(at, 'the body');
    if (this.#nextId >= MAX_BODIES) {
      throw new NearfieldError('too-large', `A scene has room for ${MAX_BODIES} bodies over its life; make a new one.`);
    }
    let extent = this.#extents.get(model);
    if (extent === undefined) {
      extent = new ModelExtent(model.mesh);
      this.#extents.set(model, extent);
    }
    const slot = this.#freeSlots.pop() ?? this.#bySlot.length;
    const body: Body = { id: this.#nextId++, slot, model, extent, pose: parsed, group, mask, fixed };
    this.#boxes = growTo(this.#boxes, 6 * (slot + 1));
    this.#bySlot[slot] = body;
    this.#bodies.set(body.id, body);
    this.#moved.add(body);
    return body.id;
  }

  /** Removes a body; its id is invalid from then on. */
  remove(id: number): void {
    const body = this.#body(id);
    this.#bodies.delete(id);
    this.#moved.delete(body);
    this.#bySlot[body.slot] = undefined;
    this.#freeSlots.push(body.slot);
    this.#sweep.remove(body.slot);
    this.#states.forget(id);
    this.#rules.forget(id);
    this.#changed = true;
  }

  /** Moves a body. The quaternion is normalized. */
  setPose(id: number, to: ReadonlyPose): void {
    const body = this.#body(id);
    body.pose = takePose(to, `body ${id}`);
    this.#moved.add(body);
  }

  /** Changes the groups a body is in and, when given, those it is tested against: see {@link BodyOptions}. */
  setGroup(id: number, group: number, mask?: number): void {
    const body = this.#body(id);
    assertBits(group, 'group');
    if (mask !== undefined) assertBits(mask, 'mask');
    body.group = group;
    body.mask = mask ?? body.mask;
  }

  /** Fixes a body or frees it: see {@link BodyOptions}. */
  setFixed(id: number, fixed: boolean): void {
    this.#body(id).fixed = fixed;
  }

  /** Tests two bodies always or never, whatever their groups and whether they are fixed; or again as these say. */
  setPairRule(a: number, b: number, rule: PairRule): void {
    if (this.#body(a) === this.#body(b)) {
      throw new NearfieldError('bad-argument', `Body ${a} cannot form a pair with itself; give two different ids.`);
    }
    this.#rules.set(a, b, rule);
  }

  /** The rule for two bodies. */
  pairRule(a: number, b: number): PairRule {
    return this.#rules.get(a, b);
  }

  /** Where a body is: a copy, with a unit quaternion. */
  poseOf(id: number): Pose {
    return [...this.#body(id).pose];
  }

  /** The model of a body. */
  modelOf(id: number): ProximityModel {
    return this.#body(id).model;
  }

  /** A nearly tight box in the world around a body: no vertex is outside. */
  boxOf(id: number): Box {
    const { slot } = this.#body(id);
    this.#placeMoved();
    const [x, y, z, u, v, w] = this.#boxes.subarray(6 * slot, 6 * slot + 6);
    return { min: [x, y, z], max: [u, v, w] };
  }

  /** Forgets what pairs remember: the next query of each pair costs as much as its first. */
  reset(): void {
    this.#states.clear();
  }

  /** The pairs of bodies that intersect; touching counts, and one solid inside the other. */
  intersections(options?: ProgressOptions): SceneResult<IntersectionResult> {
    PROGRESS_OPTIONS.assert(options);
    return this.#ask(
      0,
      (pair, a, b) => pair.intersects(a.pose, b.pose),
      (result) => result.intersects,
      options,
    );
  }

  /** The pairs of bodies whose distance is at most the tolerance. */
  within(tolerance: number, options?: ProgressOptions): SceneResult<ToleranceResult> {
    assertLength(tolerance, 'tolerance');
    PROGRESS_OPTIONS.assert(options);
    return this.#ask(
      tolerance,
      (pair, a, b) => pair.within(a.pose, b.pose, tolerance),
      (result) => result.within,
      options,
    );
  }

  /** The distances of all pairs within the cut-off; without a cut-off, of all pairs. */
  distances(options: DistanceOptions & ProgressOptions = {}): SceneResult<DistanceResult> {
    const { cutoff, absoluteError, relativeError } = DISTANCES_OPTIONS.read(options);
    const asked = { cutoff, absoluteError, relativeError };
    return this.#ask(
      cutoff,
      (pair, a, b) => pair.distance(a.pose, b.pose, asked),
      (result) => result.distance !== null,
      options,
    );
  }

  /** The contacts of all pairs, and the pairs that intersect, which have no contacts. */
  contacts(options: ContactOptions & ProgressOptions): SceneResult<ContactsResult> {
    CONTACTS_OPTIONS.assert(options);
    const { tolerance } = options;
    return this.#ask(
      tolerance,
      (pair, a, b) => pair.contacts(a.pose, b.pose, { tolerance }),
      (result) => result.intersects || result.contacts.length > 0,
      options,
    );
  }

  /**
   * The two bodies nearest to each other; among equally near pairs the first by (a, b). Takes pairs in order of the
   * distance between their boxes and ends when no remaining boxes are nearer than the best pair.
   */
  nearest(options: { readonly cutoff?: number | undefined } & ProgressOptions = {}): NearestResult<DistanceResult> {
    const { cutoff } = NEAREST_OPTIONS.read(options);
    this.#placeMoved();
    if (this.#changed) this.#advance();
    const bodies = [...this.#bodies.values()];
    const boxes = new Float64Array(6 * bodies.length);
    for (const [i, { slot }] of bodies.entries()) boxes.set(this.#boxes.subarray(6 * slot, 6 * slot + 6), 6 * i);
    const tally = new SceneTally();
    const order = new NearestBoxPairs(boxes);
    let best: ScenePair<DistanceResult> | null = null;
    let least = cutoff;
    for (let seen = 0; order.next(); seen++) {
      if (seen % REPORT_INTERVAL === 0) reportProgress(options, 0, 'nearest pair');
      if (isBeyond(order.distanceSquared, least)) break;
      const a = bodies[order.a];
      const b = bodies[order.b];
      const key = pairKey(a.id, b.id);
      if (!this.#rules.allow(key, a, b)) {
        tally.pairsExcluded++;
        continue;
      }
      const result = this.#states.take(key, a.model, b.model).distance(a.pose, b.pose, { cutoff: least });
      tally.add(result.counters);
      if (result.distance === null) continue;
      if (best === null || result.distance < least || key < pairKey(best.a, best.b)) {
        best = { a: a.id, b: b.id, result };
        least = result.distance;
      }
      // Pairs whose boxes meet come in order of (a, b), so no later pair at distance 0 precedes this one.
      if (least === 0) break;
    }
    return { nearest: best, counters: tally.counters(bodies.length) };
  }

  #ask<Result extends { readonly counters: QueryCounters }>(
    reach: number,
    ask: (pair: Pair, a: Body, b: Body) => Result,
    passes: (result: Result) => boolean,
    options: ProgressOptions | undefined,
  ): SceneResult<Result> {
    const tally = new SceneTally();
    const count = this.#collect(reach, tally);
    const pairs: ScenePair<Result>[] = [];
    for (let k = 0; k < count; k++) {
      if (k % REPORT_INTERVAL === 0) reportProgress(options, k / count, 'pairs of bodies');
      const key = this.#keys[k];
      const a = this.#bodies.get(lowerOf(key))!;
      const b = this.#bodies.get(higherOf(key))!;
      const result = ask(this.#states.take(key, a.model, b.model), a, b);
      tally.add(result.counters);
      if (passes(result)) pairs.push({ a: a.id, b: b.id, result });
    }
    return { pairs, counters: tally.counters(this.#bodies.size) };
  }

  /** Writes the keys of the pairs to be tested whose boxes come within `reach`, ascending; returns their number. */
  #collect(reach: number, tally: SceneTally): number {
    this.#placeMoved();
    let count = 0;
    const consider = (a: Body, b: Body): void => {
      if (isBeyond(boxDistanceSquared(this.#boxes, 6 * a.slot, this.#boxes, 6 * b.slot), reach)) return;
      const key = pairKey(a.id, b.id);
      if (!this.#rules.allow(key, a, b)) {
        tally.pairsExcluded++;
        return;
      }
      if (count === this.#keys.length) this.#keys = growTo(this.#keys, count + 1);
      this.#keys[count++] = key;
    };
    if (reach === Infinity) {
      if (this.#changed) this.#advance();
      const bodies = [...this.#bodies.values()];
      for (let i = 0; i < bodies.length; i++)
        for (let j = i + 1; j < bodies.length; j++) consider(bodies[i], bodies[j]);
      return count;
    }
    this.#widen(reach);
    if (this.#changed) this.#advance();
    this.#sweep.forEachPair((i, j) => consider(this.#bySlot[i]!, this.#bySlot[j]!));
    // Slots are reused, so their order may differ from that of the ids.
    for (let k = 1; k < count; k++) {
      if (this.#keys[k] > this.#keys[k - 1]) continue;
      this.#keys.subarray(0, count).sort();
      break;
    }
    return count;
  }

  /** Sets the sweep's margin to the largest reach of the last queries. */
  #widen(reach: number): void {
    if (this.#margins.push(reach) > MARGIN_MEMORY) this.#margins.shift();
    const margin = Math.max(...this.#margins);
    if (margin === this.#sweep.margin) return;
    this.#sweep.margin = margin;
    this.#changed = true;
  }

  #placeMoved(): void {
    if (this.#moved.size === 0) return;
    for (const body of this.#moved) {
      body.extent.writeBox(body.pose, this.#boxes, 6 * body.slot);
      this.#sweep.place(body.slot, this.#boxes, 6 * body.slot);
    }
    this.#moved.clear();
    this.#changed = true;
  }

  #advance(): void {
    this.#sweep.update();
    this.#states.advance();
    this.#changed = false;
  }

  #body(id: number): Body {
    const body = this.#bodies.get(id);
    if (body !== undefined) return body;
    throw new NearfieldError('bad-argument', `The scene has no body ${id}; it was never added, or has been removed.`);
  }
}

/** Whether boxes at this squared distance are farther apart than `reach`, allowing for rounding. */
function isBeyond(distanceSquared: number, reach: number): boolean {
  return distanceSquared < Infinity && Math.sqrt(distanceSquared) * (1 - GAP_ROUNDING) > reach;
}

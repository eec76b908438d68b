// What all methods share: two solids placed and checked, the answers that need no search, and the form of the answer.
import { takePose } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import { placeBInA } from '../core/placement.js';
import type { ReadonlyPose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import * as vec3 from '../core/vec3.js';
import { assertModel } from '../proximity/arguments.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { Budget } from './budget.js';
import type { PenetrationMethod, PenetrationOptions } from './options.js';
import { PENETRATION_DEFAULTS } from './options.js';
import { type PenetrationLevel, type PenetrationResult, type PenetrationStatus, separateResult } from './result.js';
import { answerRoughly } from './rough-answer.js';
import { Separation } from './separation.js';
import { prepareSolid, prepareSolidWithin, type Solid } from './solid.js';
import { describeRoots, offerRoots, sizeOfPair } from './union/descent.js';

/** Two solids as a query sees them. */
export interface PenetrationQuery {
  readonly a: Solid;
  readonly b: Solid;
  readonly poseA: ReadonlyPose;
  readonly placement: Float64Array;
  readonly separation: Separation;
  /** Whether A and B were made sound first, so that their faces are not those of the given mesh. */
  readonly mended: readonly [boolean, boolean];
  readonly started: number;
  readonly budget: Budget;
}

/** The budget of a query: of its preparation too. */
export function budgetOf(options: PenetrationOptions): Budget {
  const { method = PENETRATION_DEFAULTS.method, maxMilliseconds } = options;
  return new Budget(method === 'certified' ? maxMilliseconds : Infinity, options);
}

/** As {@link beginQuery}, with a rough answer instead if there is no time to prepare the solids. */
export function beginWithin(
  modelA: ProximityModel,
  modelB: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
): PenetrationQuery | PenetrationResult {
  const unitA = takePose(poseA, 'A');
  const unitB = takePose(poseB, 'B');
  const budget = budgetOf(options);
  for (const model of [modelA, modelB]) {
    if (prepareSolidWithin(model, budget) !== null) continue;
    assertModel(modelB, 'The model');
    return answerRoughly(modelA, modelB, unitA, unitB, options.method ?? PENETRATION_DEFAULTS.method, budget);
  }
  return beginQuery(modelA, modelB, poseA, poseB, options, budget);
}

/** Whether a query could begin. */
export function hasBegun(begun: PenetrationQuery | PenetrationResult): begun is PenetrationQuery {
  return 'separation' in begun;
}

/** Checks the arguments and places the two solids; preparing them does not count as time of the query. */
export function beginQuery(
  modelA: ProximityModel,
  modelB: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
  budget = new Budget(Infinity, options),
): PenetrationQuery {
  const unitA = takePose(poseA, 'A');
  const unitB = takePose(poseB, 'B');
  const a = prepareSolid(modelA, options);
  const b = prepareSolid(modelB, options);
  const started = performance.now();
  const placement = placeBInA(unitA, unitB);
  return {
    a,
    b,
    poseA: unitA,
    placement,
    separation: new Separation(a.model, b.model, unitA, unitB, sizeOfPair(a, b)),
    mended: [a.model !== modelA, b.model !== modelB],
    started,
    budget,
  };
}

/** The answer if no images are needed: for models that are apart, and for two convex ones. */
export function answerEarly(query: PenetrationQuery, method: PenetrationMethod): PenetrationResult | null {
  const { a, b, placement, separation, started } = query;
  if (separation.isApart(0, 0, 0)) return separate(query, false, [], method, 'cpu');
  if (!a.convex || !b.convex) return null;
  const gap = offerRoots(a, b, placement, separation);
  if (gap === Infinity) return null;
  const lower = Math.max(0, separation.distance - gap);
  const levels = [describeRoots(performance.now() - started, separation)];
  return answerQuery(query, levels, { status: 'exact', method, backend: 'cpu', lower, cells: 0 });
}

/** How a query ended. */
export interface Ending {
  readonly status: PenetrationStatus;
  readonly method: PenetrationMethod;
  readonly backend: 'cpu' | 'webgpu';
  readonly lower: number;
  readonly cells: number;
}

/** The answer of a query when its separation cannot be improved further. */
export function answerQuery(
  query: PenetrationQuery,
  levels: readonly PenetrationLevel[],
  { status, method, backend, lower, cells }: Ending,
): PenetrationResult {
  const { poseA, separation, mended, started, budget } = query;
  if (!budget.spent) separation.tighten();
  const { vector } = separation;
  if (vector === null) {
    throw new NearfieldError(
      'degenerate',
      'No translation of A could be confirmed to separate the models: their coordinates are too large or too small for ' +
        'double precision. Scale both models to a size near 1.',
    );
  }
  if (separation.touches) return separate(query, true, levels, method, backend);
  const moved = pose.transformVector(poseA, vector);
  const depth = vec3.length(moved);
  const witness = budget.overdrawn ? null : separation.findContact(vector, budget.spent);
  return {
    intersects: true,
    depth,
    lower,
    upper: depth,
    vector: moved,
    direction: vec3.normalize(moved),
    featureA: mended[0] ? null : (witness?.featureA ?? null),
    featureB: mended[1] ? null : (witness?.featureB ?? null),
    pointA: witness ? vec3.subtract(witness.pointA, moved) : null,
    pointB: witness?.pointB ?? null,
    status,
    method,
    backend,
    levels,
    cells,
    milliseconds: performance.now() - started,
  };
}

function separate(
  { started }: PenetrationQuery,
  intersects: boolean,
  levels: readonly PenetrationLevel[],
  method: PenetrationMethod,
  backend: 'cpu' | 'webgpu',
): PenetrationResult {
  return separateResult(intersects, levels, method, backend, performance.now() - started);
}

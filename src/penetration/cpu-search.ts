// The search for the shortest separating translation on the CPU: by cells of directions that are proven covered, or by the
// rays of image space. It needs no rasterizer and no device.
import { invertPlacement } from '../core/placement.js';
import type { ReadonlyPose } from '../core/pose.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { Vec3 } from '../core/vec3.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { Certifier } from './certificate/certifier.js';
import { descentOptions, resolutionOf, traceLevel, upperEstimate } from './image-space.js';
import type { PenetrationOptions } from './options.js';
import { PENETRATION_DEFAULTS } from './options.js';
import { answerEarly, answerQuery, beginWithin, hasBegun, type PenetrationQuery } from './penetration-query.js';
import { seeAllPixels } from './published/see-all-pixels.js';
import type { PenetrationLevel, PenetrationResult } from './result.js';
import { descend, type LevelUnion, offerBoxes } from './union/descent.js';
import { InnerBalls, knowsDeepPoints } from './union/inner-balls.js';
import { returnWorkspace, takeWorkspace, type Workspace } from './workspace.js';

/** Measures two solids on the CPU with checked options, whatever their backend. `solidify` is not looked at. */
export function measureSolids(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
): PenetrationResult {
  const query = beginWithin(a, b, poseA, poseB, options);
  if (!hasBegun(query)) return query;
  return answerEarly(query, options.method ?? PENETRATION_DEFAULTS.method) ?? searchOnCpu(query, options);
}

/** Answers a query on the CPU that has no early answer. `seed`: a vector of A's frame to start with. */
export function searchOnCpu(
  query: PenetrationQuery,
  options: PenetrationOptions,
  seed: Vec3 | null = null,
): PenetrationResult {
  const { method = PENETRATION_DEFAULTS.method } = options;
  const workspace = takeWorkspace(query.a, query.b);
  const search = new CpuSearch(query, workspace, options, seed);
  const result = method === 'certified' ? search.certify() : search.seeByRays();
  returnWorkspace(query.a, query.b, workspace);
  return result;
}

/** One search. */
class CpuSearch {
  readonly #query: PenetrationQuery;
  readonly #workspace: Workspace;
  readonly #options: PenetrationOptions;
  readonly #relativeGap: number;
  readonly #maxCells: number;
  readonly #seed: Vec3 | null;
  /** Filled by the descent, so that an answer within a budget has the levels that were finished. */
  readonly #levels: PenetrationLevel[] = [];

  constructor(query: PenetrationQuery, workspace: Workspace, options: PenetrationOptions, seed: Vec3 | null) {
    const { relativeGap = PENETRATION_DEFAULTS.relativeGap, maxCells = PENETRATION_DEFAULTS.maxCells } = options;
    this.#query = query;
    this.#workspace = workspace;
    this.#options = options;
    this.#relativeGap = relativeGap;
    this.#maxCells = maxCells;
    this.#seed = seed;
  }

  /** Closes the gap between both bounds, as far as the budget allows. */
  certify(): PenetrationResult {
    const { a, b, placement, separation, budget } = this.#query;
    const { certifier } = this.#workspace;
    certifier.reset();
    try {
      this.#certifyLevels(budget.progress);
    } catch (error) {
      budget.absorb(error);
      // The roots of the descent were not reached.
      if (separation.vector === null) offerBoxes(a, b, placement, separation);
    }
    const { cells } = certifier;
    const lower = budget.spent ? Math.max(certifier.lower, this.#depthOfBalls()) : certifier.lower;
    const closed = separation.length - lower <= this.#relativeGap * separation.length;
    const status = closed ? 'certified' : 'budget';
    return answerQuery(this.#query, this.#levels, { status, method: 'certified', backend: 'cpu', lower, cells });
  }

  /** Improves the upper bound by the nearest exits of the rays of each level. */
  seeByRays(): PenetrationResult {
    const descent = this.#descend(this.#options);
    let step = descent.next();
    while (!step.done) step = descent.next(this.#seeLevel(step.value));
    return answerQuery(this.#query, step.value, upperEstimate('cpu'));
  }

  #descend({ signal, onProgress }: ProgressOptions): Generator<LevelUnion, PenetrationLevel[], number> {
    const { a, b, placement, separation } = this.#query;
    const options = { ...descentOptions(this.#options, 'probes'), signal, onProgress, seed: this.#seed };
    return descend(a, b, placement, separation, this.#workspace.sums, options, this.#levels);
  }

  #certifyLevels(progress: ProgressOptions): void {
    const { separation, budget } = this.#query;
    const { cellQuery, certifier } = this.#workspace;
    const [relativeGap, maxCells] = [this.#relativeGap, this.#maxCells];
    const onCells = (state: Certifier): void => this.#tellCells(state, progress);
    const descent = this.#descend(progress);
    let step = descent.next();
    while (!step.done) {
      const level = step.value;
      const { union, distances, last } = level;
      const before = union.rays;
      // Only the last level's sums are of parts of the solids; sums of hulls above can only improve the upper bound.
      let closed = false;
      if (last) {
        const limits = { relativeGap, maxCells, deadline: budget.deadline, onCells };
        closed = certifier.run(union, distances, separation, limits);
      }
      // Where the proof does not close the gap, the images may still find a shorter vector than its rays did.
      if (!closed && maxCells > 0 && !budget.spent) {
        cellQuery.run(union, distances, separation, resolutionOf(last, this.#options), progress);
      }
      traceLevel(level, null, 0, this.#options);
      step = descent.next(union.rays - before);
    }
  }

  #tellCells(certifier: Certifier, progress: ProgressOptions): void {
    const { lower, cells } = certifier;
    reportProgress(progress, Math.min(1, cells / this.#maxCells), 'certificate');
    const { onCells } = this.#options;
    if (onCells === undefined) return;
    const upper = this.#query.separation.length;
    const open = certifier.openCells.filter(({ reach }) => reach < (1 - this.#relativeGap) * upper);
    onCells({ lower, upper, cells, open });
  }

  /** What the balls inside both solids prove, if they are known. */
  #depthOfBalls(): number {
    const { a, b, placement, separation } = this.#query;
    if (!knowsDeepPoints(a, b)) return 0;
    const balls = new InnerBalls(a, b, placement, invertPlacement(placement));
    return Math.max(0, Math.min(balls.radiusAt(0, 0, 0), separation.distance));
  }

  /** Sees a level by rays; returns the count of rays. */
  #seeLevel(level: LevelUnion): number {
    const { union, distances, separation, last, exhaustive } = level;
    const resolution = resolutionOf(last, this.#options);
    const before = union.rays;
    if (exhaustive) seeAllPixels(level, resolution, this.#options);
    else this.#workspace.cellQuery.run(union, distances, separation, resolution, this.#options);
    traceLevel(level, null, resolution, this.#options);
    return union.rays - before;
  }
}

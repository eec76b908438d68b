// One query for every frame, with the time of each. Figures for comparison need more: a warm-up pass over all
// frames, then three passes that each start without state, of which the pass with the median mean counts.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { measurePenetrationSync } from '../../penetration/measure-on-cpu.js';
import { PenetrationPair } from '../../penetration/motion/penetration-pair.js';
import type { PenetrationOptions } from '../../penetration/options.js';
import type { PenetrationResult } from '../../penetration/result.js';
import type { DistanceOptions } from '../../proximity/options.js';
import type { Pair } from '../../proximity/pair.js';
import type { Contact } from '../../proximity/result.js';
import type { ClearanceSeries } from './clearance.js';
import type { Frame } from './frames-file.js';

export const REPLAY_QUERIES = ['intersects', 'within', 'distance', 'contacts', 'penetration'] as const;
export type ReplayQuery = (typeof REPLAY_QUERIES)[number];

/** How deep the models overlap in one frame. */
export type FrameDepth = Pick<PenetrationResult, 'intersects' | 'depth' | 'lower' | 'upper' | 'vector' | 'status'>;

/** The result of one frame: a boolean, a distance or null beyond the cut-off, contacts, or a depth. */
export type FrameResult = boolean | number | null | readonly Contact[] | FrameDepth;

export interface AskedQuery {
  readonly query: ReplayQuery;
  /** For `within` and `contacts`. */
  readonly tolerance: number;
  /** For `distance`. */
  readonly distanceOptions: DistanceOptions;
  /** For `penetration`. */
  readonly penetrationOptions: PenetrationOptions;
  /** Whether a depth query starts from the previous frame; for the other queries the pair decides. */
  readonly coherence: boolean;
}

/** A query that may keep state from the previous frame. */
interface Asker {
  ask(frame: Frame): FrameResult;
  reset(): void;
}

export interface Replay {
  readonly results: FrameResult[];
  readonly meanMicroseconds: number;
  readonly medianMicroseconds: number;
}

interface Pass {
  readonly results: FrameResult[];
  /** In microseconds. */
  readonly times: Float64Array;
  readonly mean: number;
}

/** Chosen: passes of --timed after the warm-up; an odd number, of which the median counts. */
const TIMED_PASSES = 3;

/** Asks each frame once. With `timed`, that pass is the warm-up, and three more give the times. */
export function replayFrames(
  pair: Pair,
  frames: readonly Frame[],
  asked: AskedQuery,
  timed: boolean,
  progress: ProgressOptions,
): Replay {
  const asker = asked.query === 'penetration' ? askDepths(pair, asked) : askPair(pair, asked);
  const passCount = timed ? TIMED_PASSES + 1 : 1;
  const runPass = (pass: number): Pass => {
    const results: FrameResult[] = [];
    const times = new Float64Array(frames.length);
    asker.reset();
    for (const [index, frame] of frames.entries()) {
      const share = (pass + index / frames.length) / passCount;
      reportProgress(progress, share, !timed ? 'frames' : pass === 0 ? 'first pass' : `timed pass ${pass}`);
      const start = performance.now();
      results.push(asker.ask(frame));
      times[index] = 1000 * (performance.now() - start);
    }
    return { results, times, mean: times.reduce((sum, time) => sum + time, 0) / times.length };
  };
  const first = runPass(0);
  const passes = timed ? Array.from({ length: TIMED_PASSES }, (_, i) => runPass(i + 1)) : [first];
  passes.sort((a, b) => a.mean - b.mean);
  const { times, mean } = passes[passes.length >> 1];
  return { results: first.results, meanMicroseconds: mean, medianMicroseconds: medianOf(times) };
}

/** The clearance of every frame, for any query. */
export function measureClearance(
  pair: Pair,
  frames: readonly Frame[],
  options: DistanceOptions,
  progress: ProgressOptions,
): (number | null)[] {
  return frames.map(({ a, b }, index) => {
    reportProgress(progress, index / frames.length, 'clearance');
    return pair.distance(a, b, options).distance;
  });
}

/** The clearance of every frame, minus the depth where the models overlap; `measure` gives the clearance of some frames. */
export async function signClearance(
  frames: readonly Frame[],
  depths: readonly FrameDepth[],
  measure: (frames: readonly Frame[]) => ClearanceSeries | Promise<ClearanceSeries>,
): Promise<(number | null)[]> {
  const clearance = await measure(frames.filter((_, frame) => !(depths[frame].depth > 0)));
  let next = 0;
  return depths.map(({ depth }) => (depth > 0 ? -depth : clearance[next++]));
}

/** The fields of a depth that are printed. */
export function depthOf({ intersects, depth, lower, upper, vector, status }: PenetrationResult): FrameDepth {
  return { intersects, depth, lower, upper, vector, status };
}

function askDepths({ a: modelA, b: modelB }: Pair, { penetrationOptions, coherence }: AskedQuery): Asker {
  const coherent = new PenetrationPair(modelA, modelB, penetrationOptions);
  return {
    ask({ a, b }) {
      return depthOf(
        coherence ? coherent.measure(a, b) : measurePenetrationSync(modelA, modelB, a, b, penetrationOptions),
      );
    },
    reset: () => coherent.reset(),
  };
}

function askPair(pair: Pair, { query, tolerance, distanceOptions }: AskedQuery): Asker {
  const ask = ({ a, b }: Frame): FrameResult => {
    switch (query) {
      case 'intersects':
        return pair.intersects(a, b).intersects;
      case 'within':
        return pair.within(a, b, tolerance).within;
      case 'contacts':
        return pair.contacts(a, b, { tolerance }).contacts;
      default:
        return pair.distance(a, b, distanceOptions).distance;
    }
  };
  return { ask, reset: () => pair.reset() };
}

function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

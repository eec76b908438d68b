// How long the document's basic algorithm takes (its section 4): all pairs of pieces, no descent, no culling. It would
// take hours, so it is measured with ever more pixels for as long as that stays within a limit, and extrapolated.
import type { ImageQuery } from 'nearfield/penetration';
import { askPenetration, type PreparedPair } from './penetration-run.js';

export interface BasicTiming {
  /** For all pixels. */
  readonly milliseconds: number;
  /** What was measured, in words. */
  readonly measured: string;
  /** Null where the query was stopped. */
  readonly depth: number | null;
}

const FULL_RESOLUTION = 256;
const FIRST_RESOLUTION = 8;
/** By windows, every sum is drawn as many times as there are sums: more than these are not tried. */
const MOST_WINDOW_SUMS = 1000;

/** Null where it was not tried, or where not even the share of the work that was done within the limit is known. */
export async function timeBasicAlgorithm(
  prepared: PreparedPair,
  query: ImageQuery,
  limitMilliseconds: number,
): Promise<BasicTiming | null> {
  if (query === 'windows' && prepared.pieces[0] * prepared.pieces[1] > MOST_WINDOW_SUMS) return null;
  const runs: { pixels: number; time: number; depth: number }[] = [];
  for (let resolution = FIRST_RESOLUTION; resolution <= FULL_RESOLUTION; resolution *= 2) {
    const run = await runBasic(prepared, query, resolution, limitMilliseconds);
    if ('stoppedAt' in run) {
      if (runs.length > 1) break;
      if (run.stoppedAt === 0) return null;
      // The share of a run counts as a run.
      runs.push({ pixels: resolution ** 2, time: run.time / run.stoppedAt, depth: Number.NaN });
      const share = `${(100 * run.stoppedAt).toPrecision(2)} % of the sums at ${resolution}²`;
      return { milliseconds: extrapolate(runs), measured: share, depth: null };
    }
    runs.push({ pixels: resolution ** 2, ...run });
    // Four times as many pixels take up to four times as long; two runs there must be.
    if (runs.length > 1 && 4 * run.time > limitMilliseconds) break;
  }
  const last = runs[runs.length - 1];
  const isWhole = last.pixels === FULL_RESOLUTION ** 2;
  return {
    milliseconds: isWhole ? last.time : extrapolate(runs),
    measured: isWhole ? 'all pixels' : `${Math.sqrt(last.pixels)}² pixels a view`,
    depth: last.depth,
  };
}

/**
 * The line through the last two runs: a part that does not depend on the pixels, and one in proportion to them. Of one
 * run alone nothing is known but that more pixels take no less.
 */
function extrapolate(runs: readonly { readonly pixels: number; readonly time: number }[]): number {
  const last = runs[runs.length - 1];
  const before = runs[runs.length - 2];
  if (before === undefined) return last.time;
  const slope = Math.max(0, (last.time - before.time) / (last.pixels - before.pixels));
  return last.time + slope * (FULL_RESOLUTION ** 2 - last.pixels);
}

async function runBasic(
  prepared: PreparedPair,
  query: ImageQuery,
  resolution: number,
  limitMilliseconds: number,
): Promise<{ time: number; depth: number } | { time: number; stoppedAt: number }> {
  const start = performance.now();
  const elapsed = (): number => performance.now() - start;
  let done = 0;
  const signal = {
    get aborted() {
      return elapsed() > limitMilliseconds;
    },
  };
  try {
    const { depth } = await askPenetration(prepared, {
      query,
      resolution,
      coarseResolution: resolution,
      descent: 'none',
      backend: 'cpu',
      signal,
      onProgress: (fraction) => {
        done = fraction;
      },
    });
    return { time: elapsed(), depth };
  } catch (error) {
    if ((error as { code?: string }).code !== 'aborted') throw error;
    return { time: elapsed(), stoppedAt: done };
  }
}

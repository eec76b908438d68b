// The time of the basic algorithm of Kim, Otaduy, Lin and Manocha 2002, section 4: all pairs of pieces, no descent, no
// culling. It would take hours, so it is measured with more and more pixels up to a time limit and extrapolated.
import type { PenetrationImageQuery } from 'nearfield/penetration';
import { askPenetration, isStopped, type PreparedPair, stopAfter } from './penetration-run.js';

export interface BasicTiming {
  /** For all pixels. */
  readonly milliseconds: number;
  /** What was measured, in words. */
  readonly measured: string;
}

interface BasicRun {
  readonly resolution: number;
  /** The share of the pixels that was looked at: less than 1 where the limit stopped it. */
  readonly share: number;
  readonly milliseconds: number;
  /** Until the first pixel. */
  readonly setup: number;
}

const FULL_RESOLUTION = 256;
const FIRST_RESOLUTION = 4;
/** With windows, every sum is drawn as many times as there are sums and cannot be stopped, so more are not tried. */
const MAX_WINDOW_SUMS = 1000;

/** Null if it was not tried, or if the limit stopped it before the first pixels. */
export async function timeBasicAlgorithm(
  prepared: PreparedPair,
  query: PenetrationImageQuery,
  limitMilliseconds: number,
): Promise<BasicTiming | null> {
  if (query === 'windows' && prepared.pieces[0] * prepared.pieces[1] > MAX_WINDOW_SUMS) return null;
  const end = performance.now() + limitMilliseconds;
  const runs: BasicRun[] = [];
  for (let resolution = FIRST_RESOLUTION; resolution <= FULL_RESOLUTION; resolution *= 2) {
    const run = await runBasic(prepared, query, resolution, end - performance.now());
    // A stopped run has rows of some views only: a complete run, if there is one, is better.
    if (run.share === 1 || (runs.length === 0 && run.share > 0)) runs.push(run);
    if (run.share < 1 || end - performance.now() < run.milliseconds) break;
  }
  const last = runs.at(-1);
  if (last === undefined) return null;
  const { resolution, share } = last;
  const part = share < 1 ? `${(100 * share).toPrecision(2)} % of ` : '';
  return {
    milliseconds: query === 'rays' ? extrapolateRays(last) : extrapolateWindows(runs),
    measured: resolution === FULL_RESOLUTION && share === 1 ? 'all pixels' : `${part}${resolution}² pixels a view`,
  };
}

/** What comes before the first pixel, and the time of the pixels in proportion to their number. */
function extrapolateRays({ resolution, share, milliseconds, setup }: BasicRun): number {
  return setup + ((milliseconds - setup) / share) * (FULL_RESOLUTION / resolution) ** 2;
}

/** The line through the last two runs. Of one alone nothing is known but that more pixels take no less. */
function extrapolateWindows(runs: readonly BasicRun[]): number {
  const [before, last] = runs.length > 1 ? runs.slice(-2) : [runs[0], runs[0]];
  const pixels = last.resolution ** 2 - before.resolution ** 2;
  const slope = pixels > 0 ? Math.max(0, (last.milliseconds - before.milliseconds) / pixels) : 0;
  return last.milliseconds + slope * (FULL_RESOLUTION ** 2 - last.resolution ** 2);
}

async function runBasic(
  prepared: PreparedPair,
  query: PenetrationImageQuery,
  resolution: number,
  limitMilliseconds: number,
): Promise<BasicRun> {
  const start = performance.now();
  const elapsed = (): number => performance.now() - start;
  let [setup, share] = [0, 0];
  // As of the last report: what was done after it is not known to be a part of the share.
  let milliseconds = 0;
  try {
    await askPenetration(prepared, {
      method: 'image-space',
      query,
      resolution,
      coarseResolution: resolution,
      descent: 'none',
      backend: 'cpu',
      signal: stopAfter(limitMilliseconds),
      onProgress: (fraction, stage) => {
        if (stage !== 'pixels') return;
        milliseconds = elapsed();
        share = fraction;
        if (fraction === 0) setup = milliseconds;
      },
    });
    return { resolution, share: 1, milliseconds: elapsed(), setup };
  } catch (error) {
    if (!isStopped(error)) throw error;
    return { resolution, share, milliseconds, setup };
  }
}

// Gap against time: how long a certificate takes to reach smaller and smaller gaps, as a table and a plot.
import { measurePenetrationSync, type PenetrationResult } from 'nearfield/penetration';
import { drawLogPlot, type LogPoint, writePlot } from './log-plot.js';
import { milliseconds } from './measure.js';
import type { PreparedPair } from './penetration-run.js';
import { intervalCell } from './penetration-tables.js';
import type { BenchTable, SuiteContext } from './suite.js';

/** What it took to close a gap. */
interface GapTiming {
  /** The requested gap, as a fraction of the upper bound. */
  readonly gap: number;
  /** Milliseconds, the median. */
  readonly median: number;
  readonly result: PenetrationResult;
}

const GAPS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/** For one certificate; milliseconds. */
const LIMIT = 20_000;
const ROUNDS = 5;
/** No further rounds once those of all gaps have taken this long; milliseconds. */
const PATIENCE = 8000;

/** The table and, where the whole suite runs in a checkout, docs/penetration-gap.svg, which it links to. */
export function gapTable(pairs: readonly PreparedPair[], { quick, progress }: SuiteContext): BenchTable {
  const curves = pairs.map((prepared) => {
    progress(0.7, `gap against time, ${prepared.pair.name}`);
    return { title: prepared.pair.title, points: timeGaps(prepared, quick ? 1 : ROUNDS) };
  });
  const lines = curves.map(({ title, points }) => ({ title, points: points.map(toPoint) }));
  const plot = {
    title: 'Certified penetration depth: relative gap against time',
    xLabel: 'milliseconds',
    yLabel: '(upper − lower) / upper',
    curves: lines,
  };
  const picture = quick ? null : writePlot('penetration-gap.svg', drawLogPlot(plot));
  return {
    title: 'Certified depth: gap against time',
    headings: ['benchmark', 'gap asked', 'ms', 'cells', 'the depth lies in', 'gap reached', 'status'],
    rows: curves.flatMap(({ title, points }) =>
      points.map(({ gap, median, result }) => [
        title,
        gap.toExponential(0),
        milliseconds(median),
        `${result.cells}`,
        intervalCell(result),
        reachedGap(result).toExponential(1),
        result.status,
      ]),
    ),
    notes: [
      ...(picture === null ? [] : [`![Relative gap against milliseconds, a line a benchmark](${picture})`, '']),
      'Each row is a separate query, from the start. Gaps are shares of the upper bound. Cells: cells of directions ' +
        `examined. Status "budget": not closed within 100,000 cells or ${LIMIT / 1000} s; the interval holds the depth all the same.`,
    ],
  };
}

function toPoint({ gap, median, result }: GapTiming): LogPoint {
  const closed = result.status !== 'budget';
  return { x: median, y: closed ? gap : reachedGap(result), hollow: !closed };
}

function reachedGap({ lower, upper }: PenetrationResult): number {
  return upper > 0 ? (upper - lower) / upper : 0;
}

function timeGaps({ a, b, pair: { poseA, poseB } }: PreparedPair, rounds: number): GapTiming[] {
  const runs = GAPS.map((): { time: number; result: PenetrationResult }[] => []);
  const start = performance.now();
  for (let round = 0; round <= rounds; round++) {
    if (round > 1 && performance.now() - start > PATIENCE) break;
    for (const [index, relativeGap] of GAPS.entries()) {
      const begin = performance.now();
      const result = measurePenetrationSync(a, b, poseA, poseB, {
        method: 'certified',
        relativeGap,
        maxMilliseconds: LIMIT,
      });
      // The first round is the warm-up.
      if (round > 0) runs[index].push({ time: performance.now() - begin, result });
    }
  }
  return GAPS.map((gap, index) => {
    const sorted = runs[index].sort((u, v) => u.time - v.time);
    const { time, result } = sorted[sorted.length >> 1];
    return { gap, median: time, result };
  });
}

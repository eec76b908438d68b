// Ice growth on one core: steps a second beside Kim and Lin's table of 2003, the active band against the full grid.
import { createIce, type IceOptions } from 'nearfield/ice';
import { iceGpuTables, SLIDES } from './ice-gpu-record.js';
import { processorTime } from './measure.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

const SIZES = [64, 128, 256, 512, 1024];
/** Steps before those that are timed, as in a growth that has just begun; and times the side, when arms have grown. */
const EARLY = 100;
const GROWN = 5;
/** Each figure is measured over at least this many milliseconds of processor time. */
const MIN_MS = 400;

export const iceSuite: Suite = {
  name: 'ice',
  title: 'Ice growth',
  chapters: ['ice'],
  async run(context) {
    return [await speeds(context), ...iceGpuTables(context.quick)];
  },
};

async function stepsPerSecond(options: IceOptions, before: number): Promise<number> {
  const ice = await createIce({ ...options, backend: 'cpu' });
  await ice.advance(before);
  const start = processorTime();
  let steps = 0;
  do {
    await ice.advance(10);
    steps += 10;
  } while (processorTime() - start < MIN_MS && steps < 1000);
  return (1000 * steps) / (processorTime() - start);
}

async function speeds({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const rows: string[][] = [];
  const sizes = quick ? SIZES.slice(0, 3) : SIZES;
  for (const [index, side] of sizes.entries()) {
    progress(index / sizes.length, `${side}²`);
    const size = [side, side];
    const full = await stepsPerSecond({ size, band: false }, EARLY);
    const band = await stepsPerSecond({ size }, EARLY);
    // The band leads to the same state, sooner.
    const grown = await stepsPerSecond({ size }, quick ? EARLY : GROWN * side);
    const implicit = await stepsPerSecond({ size, scheme: 'semi-implicit', band: false }, EARLY);
    const double = await stepsPerSecond({ size, precision: 'float64', band: false }, EARLY);
    rows.push([
      `${side}²`,
      full.toFixed(0),
      band.toFixed(0),
      (band / full).toFixed(1),
      grown.toFixed(0),
      implicit.toFixed(0),
      double.toFixed(0),
      `${SLIDES.get(side)![0]}`,
      `${SLIDES.get(side)![1]}`,
    ]);
  }
  return {
    title: 'Steps a second on one core',
    headings: [
      'grid',
      'full grid',
      'active band',
      'times the full grid',
      'band, late in growth',
      'semi-implicit, full',
      'double precision, full',
      'Kim and Lin 2003: CPU',
      'GPU',
    ],
    rows,
    notes: [
      'Processor time, the preset dendritic, after 100 steps; late: after five times the side. ' +
        'A semi-implicit step is twice as long.',
    ],
  };
}

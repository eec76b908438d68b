// Roadmaps by where their samples come from: processor time and samples until start and goal are joined, over seeds.
import { type PlanProblem, planMotion, planningSample, SAMPLERS, type SamplerName } from 'nearfield/planning';
import { processorTime } from './measure.js';
import type { BenchTable, SuiteContext } from './suite.js';

const SCENES: readonly (readonly [string, PlanProblem])[] = [
  ['planar maze', planningSample('maze')],
  ['L through a bent corridor', planningSample('corridor')],
  ['bug trap', planningSample('bug-trap')],
  ['hole of 200 %', planningSample('hole', { share: 2 })],
  ['hole of 160 %', planningSample('hole', { share: 1.6 })],
  ['hole of 130 %', planningSample('hole', { share: 1.3 })],
  ['hole of 110 %', planningSample('hole', { share: 1.1 })],
  ['two bent nails, gap 2', planningSample('nails', { gap: 2 })],
  ['piano through a house', planningSample('piano')],
];

const SEEDS = 10;
/** Seconds after which a run counts as not solved. */
const LIMIT = 5;

/** Seeds after which a sampler that solved none gets no more. */
const IN_VAIN = 3;

interface Runs {
  readonly solved: number;
  readonly seeds: number;
  readonly milliseconds: number;
  readonly samples: number;
}

/** One row for each scene: runs solved, median time and median samples of each sampler; runs that fail count as they are. */
export function samplersTable({ quick, progress }: SuiteContext, limit = LIMIT): BenchTable {
  const seeds = quick ? 2 : SEEDS;
  const scenes = quick ? SCENES.slice(0, 4) : SCENES;
  const rows = scenes.map(([name, problem], i) => {
    progress(0.8 + (0.2 * i) / scenes.length, name);
    const runs = SAMPLERS.map((sampler) => measure(problem, sampler, seeds, limit));
    const voronoi = runs[SAMPLERS.indexOf('voronoi')];
    const faster = runs[SAMPLERS.indexOf('uniform')].milliseconds / voronoi.milliseconds;
    const hasAll = runs[SAMPLERS.indexOf('uniform')].solved > seeds / 2;
    const cells = runs.flatMap(({ solved, seeds: tried, milliseconds, samples }) => [
      `${solved} of ${tried}`,
      milliseconds.toFixed(0),
      `${samples}`,
    ]);
    return [name, ...cells, `${hasAll ? '' : '> '}${faster.toFixed(1)}`];
  });
  return {
    title: 'Roadmaps by sampler',
    headings: ['scene', ...SAMPLERS.flatMap((name) => [name, 'ms', 'samples']), 'times as fast as uniform'],
    rows,
    notes: [
      `Medians over seeds of the processor time of a whole \`planMotion\` with the planner prm, shortening included, at most ` +
        `${limit} s a run; a run that is not solved counts with the time it took. A sampler that solves none of ${IN_VAIN} seeds gets no more.`,
    ],
  };
}

function measure(problem: PlanProblem, sampler: SamplerName, seeds: number, limit: number): Runs {
  const [times, samples]: [number[], number[]] = [[], []];
  let solved = 0;
  for (let seed = 1; seed <= seeds && (solved > 0 || seed <= IN_VAIN); seed++) {
    const start = processorTime();
    const { status, counters } = planMotion({ ...problem, planner: 'prm', sampler, seed, timeLimit: limit });
    times.push(processorTime() - start);
    samples.push(counters.samples);
    if (status === 'solved') solved++;
  }
  return { solved, seeds: times.length, milliseconds: median(times), samples: median(samples) };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

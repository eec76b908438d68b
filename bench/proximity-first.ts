// What the first queries of a process cost beside later ones. Each figure comes from a process of its own: it answers the
// frames of a scenario once, again with new models, and again until everything is compiled. The first pass pays for
// the compiler and for the trees of its models, the second for new trees only, the last for neither.
import { spawnSync } from 'node:child_process';
import type { FrameContestant } from './proximity-contest.js';
import { coherentContestant, prepareScenario, type Question, statelessContestant } from './proximity-ours.js';
import { cutScenario } from './proximity-quick.js';
import { findScenario, scenarios } from './scenarios/catalogue.js';
import type { BenchTable } from './suite.js';

/** Chosen: the queries of a pass. */
const QUERIES = 500;

/** Chosen: passes between the second and the last. */
const WARM_UPS = 3;

/** Chosen: processes for each figure; the median counts. */
const PROCESSES = 3;

const WAYS = ['stateless', 'coherent'] as const;

/** Microseconds a query. */
export interface FirstQueries {
  readonly first: number;
  /** With new models in the same process. */
  readonly newModels: number;
  readonly warm: number;
}

/** To be called first in a process. */
export async function timeFirstQueries(name: string, way: (typeof WAYS)[number]): Promise<FirstQueries> {
  const scenario = cutScenario(findScenario(name).build(), QUERIES, 1);
  const question: Question = { query: 'distance' };
  const answers = new Float64Array(scenario.frameCount);
  const contestant = (): FrameContestant =>
    way === 'stateless'
      ? statelessContestant(way, prepareScenario(scenario), question)
      : coherentContestant(way, prepareScenario(scenario), question);
  const time = async (one: FrameContestant): Promise<number> => {
    one.reset?.();
    return (await one.pass(answers)) / scenario.frameCount;
  };
  const first = await time(contestant());
  const other = contestant();
  const newModels = await time(other);
  for (let pass = 0; pass < WARM_UPS; pass++) await time(other);
  return { first, newModels, warm: await time(other) };
}

/** @param module the built file that exports {@link timeFirstQueries}. */
export function firstQueriesTable(module: string, progress: (fraction: number, stage: string) => void): BenchTable {
  const rows = scenarios.map(({ name }, index) => {
    progress(index / scenarios.length, `${name}, first queries`);
    const figures = WAYS.flatMap((way) => {
      const times = Array.from({ length: PROCESSES }, () => inNewProcess(module, name, way));
      const [first, newModels, warm] = (['first', 'newModels', 'warm'] as const).map((key) => {
        const sorted = times.map((each) => each[key]).sort((a, b) => a - b);
        return sorted[sorted.length >> 1];
      });
      return [first.toFixed(1), newModels.toFixed(1), warm.toFixed(1), (first / warm).toFixed(1)];
    });
    return [name, ...figures];
  });
  return {
    title: `The first ${QUERIES} distances of a process, microseconds a query`,
    headings: [
      'scenario',
      ...WAYS.flatMap((way) => [`${way}: first`, 'with new models', 'warm', 'first costs, in warm ones']),
    ],
    rows,
    notes: [
      'One pair of bodies. "First" pays for the compiler of JavaScript and for the trees of its models, "with new models" ' +
        'for trees only, "warm" for neither. The other tables of this page are warm.',
    ],
  };
}

function inNewProcess(module: string, name: string, way: string): FirstQueries {
  const words = [JSON.stringify(module), JSON.stringify(name), JSON.stringify(way)];
  const code = `const { timeFirstQueries } = await import(${words[0]}); console.log(JSON.stringify(await timeFirstQueries(${words[1]}, ${words[2]})));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the first queries of ${name} failed: ${stderr}`);
  return JSON.parse(stdout);
}

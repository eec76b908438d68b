// A look at exact distance and intersection beside FCL, in well under a minute: what to run while working on the queries.

import { ratio } from './measure.js';
import { buildFclDriver, FclScene } from './peers/fcl.js';
import { countDisagreements, type FrameContestant, largestDifference, timeFrames } from './proximity-contest.js';
import { coherentContestant, prepareScenario, type Question, statelessContestant } from './proximity-ours.js';
import { findScenario } from './scenarios/catalogue.js';
import type { Scenario } from './scenarios/scenario.js';
import type { BenchTable, SuiteContext } from './suite.js';

export interface QuickSelection {
  /** Default: the tori, one torus on the peg, the slabs. */
  readonly scenarios?: readonly string[];
  /** The number of first frames. Default 200. */
  readonly frames?: number;
  /** The number of first pairs of bodies. Default 1. */
  readonly pairs?: number;
  readonly passes?: number;
}

export async function quickTables({ progress }: SuiteContext, selection: QuickSelection = {}): Promise<BenchTable[]> {
  const {
    scenarios = ['interlocked-tori', 'spiral-peg-large-tori', 'slabs'],
    frames = 200,
    pairs = 1,
    passes = 2,
  } = selection;
  const driver = buildFclDriver();
  const questions: readonly (readonly [string, Question])[] = [
    ['Exact distance', { query: 'distance' }],
    ['Intersection', { query: 'intersects' }],
  ];
  const rows = questions.map((): string[][] => []);
  for (const [index, name] of scenarios.entries()) {
    progress(index / scenarios.length, name);
    const scenario = cutScenario(findScenario(name).build(), frames, pairs);
    const prepared = prepareScenario(scenario);
    const fcl = 'file' in driver ? new FclScene(driver.file, scenario) : null;
    for (const [row, [, question]] of questions.entries()) {
      const contestants: FrameContestant[] = [
        statelessContestant('stateless', prepared, question),
        coherentContestant('coherent, no motion bounds', prepared, question, { coherence: { motionBounds: false } }),
        coherentContestant('coherent', prepared, question),
      ];
      if (fcl) contestants.push(fclContestant(fcl, scenario, question));
      const timings = await timeFrames(contestants, { pairs: scenario.pairs.length, passes });
      const [stateless, , coherent] = timings;
      const theirs = timings[3];
      const reference = theirs ?? stateless;
      const wrong = timings.map((timing) =>
        question.query === 'distance'
          ? largestDifference(timing, reference, scenario.pairs.length)
          : countDisagreements(timing, reference, scenario.pairs.length),
      );
      rows[row].push([
        name,
        ...timings.map(({ microseconds }) => microseconds.toFixed(1)),
        ...(theirs ? [] : ['–']),
        theirs ? ratio(stateless.microseconds, theirs.microseconds) : '–',
        theirs ? ratio(coherent.microseconds, theirs.microseconds) : '–',
        question.query === 'distance' ? Math.max(...wrong).toExponential(1) : String(Math.max(...wrong)),
      ]);
    }
    fcl?.close();
  }
  return questions.map(([title, { query }], index) => ({
    title: `${title}, microseconds a frame (a quick look)`,
    headings: [
      'scenario',
      'stateless',
      'coherent, no motion bounds',
      'coherent',
      'FCL',
      'stateless is faster than FCL by',
      'coherent is faster than FCL by',
      query === 'distance' ? 'largest difference' : 'disagreements',
    ],
    rows: rows[index],
    notes: 'missing' in driver ? [driver.missing] : [],
  }));
}

/** The first frames and pairs of a scenario. */
export function cutScenario(scenario: Scenario, frames: number, pairs: number): Scenario {
  return {
    ...scenario,
    pairs: scenario.pairs.slice(0, pairs),
    frameCount: Math.min(frames, scenario.frameCount),
  };
}

export function fclContestant(fcl: FclScene, scenario: Scenario, question: Question): FrameContestant {
  return {
    name: 'FCL',
    frames: scenario.frameCount,
    pass: async (answers) => {
      const { microseconds, results } =
        question.query === 'intersects'
          ? await fcl.pass('collide')
          : await fcl.pass('distance', question.query === 'distance' ? question.relativeError : 0);
      // FCL calls the distance of crossing surfaces −1 or 0.
      answers.set(results.map((value) => Math.max(0, value)));
      return microseconds;
    },
  };
}

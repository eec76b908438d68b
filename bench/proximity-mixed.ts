// Intersection and distance where some poses intersect and some do not: at random poses, where a pair has nothing to gain
// from earlier frames, and along motions in and out of contact. FCL answers the same frames in the same run.
import { ratio } from './measure.js';
import { buildFclDriver, FclScene } from './peers/fcl.js';
import { countDisagreements, type FrameTiming, timeFrames } from './proximity-contest.js';
import { coherentContestant, prepareScenario, type Question, statelessContestant } from './proximity-ours.js';
import { fclContestant } from './proximity-quick.js';
import { mixedMotions, mixedPoses } from './scenarios/mixed.js';
import type { BenchTable, SuiteContext } from './suite.js';

/** A pass takes about ten milliseconds: many of them go by until everything is compiled. */
const WARM_UPS = 8;
const PASSES = 7;

const QUESTIONS: readonly Question[] = [{ query: 'intersects' }, { query: 'distance' }];

export async function mixedTables({ progress }: SuiteContext): Promise<BenchTable[]> {
  const driver = buildFclDriver();
  const definitions = [...mixedPoses, ...mixedMotions];
  const rows = QUESTIONS.map((): string[][] => []);
  for (const [index, definition] of definitions.entries()) {
    progress(index / definitions.length, definition.title);
    const scenario = definition.build();
    const prepared = prepareScenario(scenario);
    const fcl = 'file' in driver ? new FclScene(driver.file, scenario) : null;
    for (const [row, question] of QUESTIONS.entries()) {
      const isQuick = question.query === 'intersects';
      const timings = await timeFrames(
        [
          statelessContestant('stateless', prepared, question),
          coherentContestant('coherent', prepared, question),
          ...(fcl ? [fclContestant(fcl, scenario, question)] : []),
        ],
        { pairs: 1, passes: isQuick ? PASSES : 1, warmUps: isQuick ? WARM_UPS : 1 },
      );
      rows[row].push([definition.title, ...describe(timings, question)]);
    }
    fcl?.close();
  }
  return QUESTIONS.map(({ query }, index) => ({
    title: `${query === 'intersects' ? 'Intersection' : 'Exact distance'} at mixed hit rates, microseconds a frame`,
    headings: [
      'scenario',
      'intersecting',
      'stateless',
      'coherent',
      'FCL',
      'stateless is faster than FCL by',
      'coherent is faster than FCL by',
      'disagreements',
    ],
    rows: rows[index],
    notes: [
      'Random poses unless the scenario says "in and out". Disagreements: FCL does not count one solid inside the other.',
      ...('missing' in driver ? [driver.missing] : []),
    ],
  }));
}

function describe([stateless, coherent, theirs]: readonly FrameTiming[], { query }: Question): string[] {
  const isHit = (value: number): boolean => (query === 'distance' ? value === 0 : value === 1);
  const hits = stateless.answers.filter(isHit).length / stateless.answers.length;
  const against = (ours: FrameTiming): string => (theirs ? ratio(ours.microseconds, theirs.microseconds) : '–');
  const hitsOf = (timing: FrameTiming): FrameTiming => ({
    ...timing,
    answers: timing.answers.map((value) => Number(isHit(value))),
  });
  return [
    `${Math.round(100 * hits)} %`,
    stateless.microseconds.toFixed(1),
    coherent.microseconds.toFixed(1),
    theirs ? theirs.microseconds.toFixed(1) : '–',
    against(stateless),
    against(coherent),
    theirs ? String(countDisagreements(hitsOf(stateless), hitsOf(theirs), 1)) : '–',
  ];
}

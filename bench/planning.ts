// Motion planning beside OMPL with FCL: the same problems, seeds and validity. Processor time; ours includes preparing the
// meshes, theirs does not. Every path, theirs simplified, is proven or refuted by a checker of its own.
import { type PlanProblem, planMotion, planningSample } from 'nearfield/planning';
import { processorTime } from './measure.js';
import type { PeerDriver } from './peers/compile-driver.js';
import { buildOmplDriver, type OmplPlanner, OmplProblem } from './peers/ompl.js';
import { agentsTable } from './planning-agents.js';
import { PathChecker } from './planning-check.js';
import { crowdsTable } from './planning-crowds.js';
import { samplersTable } from './planning-samplers.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

type Scene = readonly [title: string, sample: string, parameters?: Readonly<Record<string, number>>];

const BODIES: readonly Scene[] = [
  ['open space', 'open-space'],
  ['planar maze', 'maze'],
  ['sheets of 4 mm', 'sheets'],
  ['L, bent corridor', 'corridor'],
  ['the same, tight', 'corridor', { width: 1.1 }],
  ['bug trap', 'bug-trap'],
  ...[2, 1.6, 1.3, 1.1, 1.05, 1.02].map((share): Scene => [`hole of ${Math.round(100 * share)} %`, 'hole', { share }]),
  ['screw motion', 'screw'],
  ['two nails, gap 2', 'nails', { gap: 2 }],
  ['two nails, gap 1.5', 'nails', { gap: 1.5 }],
  ['bent pipe', 'bent-pipe'],
  ['arrow, house', 'arrow'],
  ['piano, house', 'piano'],
  ['music stand', 'furniture'],
];

const CHAINS_AND_TEAMS: readonly Scene[] = [
  ['arm, six joints', 'arm'],
  ['tower crane', 'crane'],
  ['crane complex', 'crane-complex'],
  ['four robots', 'four-robots'],
  ['two carts, bay', 'bay'],
  ...[4, 6, 8].map((robots): Scene => [`crossing, ${robots} carts`, 'crossing', { robots }]),
  ['two arms', 'two-arms'],
];

const PLANNERS: readonly OmplPlanner[] = ['RRTConnect', 'PRM', 'LBKPIECE'];

/** Steps at which OMPL tests edges. The next is tried where a path of the last was refuted. */
const RESOLUTIONS = [0.01, 0.001, 0.0001];

/** Seconds of wall time that we may take for a problem. */
const PATIENCE = 20;

/** OMPL gets this many times our median processor time for a run, with these bounds in seconds; the second is for all seeds of a row. */
const FOLD = 10;
const MIN_PATIENCE = 1;
const MAX_PATIENCE = 10;
const SEEDS = 10;

interface Row {
  solved: number;
  seeds: number;
  readonly seconds: number[];
  readonly lengths: number[];
  readonly least: number[];
  refuted: number;
}

interface OmplRow extends Row {
  readonly planner: OmplPlanner;
  readonly resolution: number;
}

interface Compared {
  readonly title: string;
  readonly ours: Row;
  readonly ompl: readonly OmplRow[];
}

export const planningSuite: Suite = {
  name: 'planning',
  title: 'Motion planning',
  chapters: ['planning', 'kinematics'],
  async run(context) {
    const samplers = context.part('samplers', () => samplersTable(context));
    const compared = await compareWithOmpl(context, BODIES, ['maze', 'sheets', 'hole']);
    return [heldTable(compared), everyRowTable(compared), await samplers];
  },
};

export const planningTeamsSuite: Suite = {
  name: 'planning-teams',
  title: 'Motion planning for chains, several robots and agents',
  chapters: ['planning', 'kinematics', 'agents', 'crowd'],
  async run(context) {
    const agents = context.part('agents', () => agentsTable(context));
    const crowds = context.part('crowds', () => crowdsTable(context));
    const compared = await compareWithOmpl(context, CHAINS_AND_TEAMS, ['crane', 'bay']);
    return [heldTable(compared), everyRowTable(compared), await agents, await crowds];
  },
};

/** @param quickly the samples of a quick run. */
function compareWithOmpl(
  { quick, progress, part }: SuiteContext,
  all: readonly Scene[],
  quickly: readonly string[],
): Promise<Compared[]> {
  const driver = buildOmplDriver();
  const scenes = quick ? all.filter(([, name]) => quickly.includes(name)).slice(0, 3) : all;
  return Promise.all(
    scenes.map((scene, i) =>
      part(scene[0], () => {
        progress((0.8 * i) / scenes.length, scene[0]);
        return compareScene(scene, driver, quick ? 2 : SEEDS, quick ? PLANNERS.slice(0, 1) : PLANNERS);
      }),
    ),
  );
}

function compareScene(
  [title, name, parameters]: Scene,
  driver: PeerDriver,
  seeds: number,
  planners: readonly OmplPlanner[],
): Compared {
  const problem = planningSample(name, parameters);
  const checker = new PathChecker(problem);
  const ours = runOurs(problem, checker, seeds);
  const ompl: OmplRow[] = [];
  if ('missing' in driver) return { title, ours, ompl };
  const peer = new OmplProblem(driver.file, problem);
  const times = ours.solved > 0 ? FOLD * median(ours.seconds) : MAX_PATIENCE;
  const patience = Math.min(MAX_PATIENCE, Math.max(MIN_PATIENCE, times));
  for (const planner of planners) {
    for (const resolution of RESOLUTIONS) {
      const row = runOmpl(peer, planner, resolution, checker, seeds, patience);
      if (row === null) break;
      ompl.push({ ...row, planner, resolution });
      if (row.refuted === 0) break;
    }
  }
  peer.dispose();
  return { title, ours, ompl };
}

/** Us beside the fastest planner of OMPL among those none of whose paths is refuted. */
function heldTable(compared: readonly Compared[]): BenchTable {
  const rows = compared.map(({ title, ours, ompl }) => {
    const own = [`${ours.solved} of ${ours.seeds}`, ours.solved > 0 ? digits(median(ours.seconds)) : '–'];
    const held = ompl.filter(({ solved, refuted }) => solved > 0 && refuted === 0);
    const most = Math.max(...held.map(({ solved, seeds }) => solved / seeds));
    const [best] = held
      .filter(({ solved, seeds }) => solved / seeds === most)
      .sort((a, b) => median(a.seconds) - median(b.seconds));
    if (best === undefined) return [title, ...own, `${ours.refuted}`, 'none', '–', '–', '–'];
    const { planner, resolution, solved, seeds, seconds } = best;
    const faster = ours.solved > 0 ? (median(seconds) / median(ours.seconds)).toPrecision(2) : '–';
    return [
      title,
      ...own,
      `${ours.refuted}`,
      `${planner} at ${resolution}`,
      `${solved} of ${seeds}`,
      digits(median(seconds)),
      faster,
    ];
  });
  return {
    title: 'Motion planning beside OMPL 1.5 with FCL, at steps at which its paths hold',
    headings: [
      'scene',
      'nearfield: solved',
      's, median',
      'refuted',
      'OMPL: fastest that holds',
      'solved',
      's, median',
      'ours is faster by',
    ],
    rows,
    notes: [
      'The planner of OMPL that solves the most runs, and of those the fastest, among rows of the next table that have no path in ' +
        'which a checker finds a collision. None: it solved no run, or a path was refuted at every step.',
    ],
  };
}

function everyRowTable(compared: readonly Compared[]): BenchTable {
  const rows = compared.flatMap(({ title, ours, ompl }) => [
    [title, 'nearfield', '–', ...cells(ours)],
    ...ompl.map((row) => [title, `OMPL ${row.planner}`, `${row.resolution}`, ...cells(row)]),
  ]);
  return {
    title: 'Every planner',
    headings: ['scene', 'planner', 'step', 'solved', 's, median', 's, most', 'length', 'clearance', 'refuted'],
    rows,
    notes: [
      'Processor time, ours after a run with another seed. Ours includes preparing the meshes, proving every edge, shortening and measuring the clearance; OMPL has read ' +
        'the meshes before, and its time is that of solving and simplifying. OMPL tests edges at steps, a share of the extent of the ' +
        `space. It has ${FOLD} times our median time for a run, ${MIN_PATIENCE} to ${MAX_PATIENCE} s, and gets no further seeds when ` +
        `its runs have taken ${MAX_PATIENCE} s together, or when the first finds nothing; RRT-Connect has a range of 3 % of the extent. ` +
        'Length, clearance: ' +
        'medians. Refuted: paths in which the checker found a collision.',
      ...(compared.every(({ ompl }) => ompl.length === 0) ? ['OMPL or FCL is not installed and was left out.'] : []),
    ],
  };
}

function runOurs(problem: PlanProblem, checker: PathChecker, seeds: number): Row {
  const row = emptyRow(seeds);
  // Compiles what the scene needs.
  planMotion({ ...problem, seed: 0, timeLimit: PATIENCE });
  for (let seed = 1; seed <= seeds; seed++) {
    const start = processorTime();
    const result = planMotion({ ...problem, seed, timeLimit: PATIENCE });
    const seconds = (processorTime() - start) / 1000;
    if (result.status !== 'solved') continue;
    row.solved++;
    row.seconds.push(seconds);
    addPath(
      row,
      result.paths[0].poses.map((_, i) => result.paths.map(({ poses }) => poses[i])),
      problem,
      checker,
    );
  }
  return row;
}

function runOmpl(
  peer: OmplProblem,
  planner: OmplPlanner,
  resolution: number,
  checker: PathChecker,
  seeds: number,
  patience: number,
): Row | null {
  const row = emptyRow(0);
  let spent = 0;
  while (row.seeds < seeds && spent < MAX_PATIENCE) {
    const run = peer.run(planner, resolution, ++row.seeds, patience);
    if (run === null) return null;
    spent += run.seconds;
    if (run.solved) {
      row.solved++;
      row.seconds.push(run.seconds);
      addPath(row, run.path, peer.problem, checker);
    } else if (row.solved === 0) break;
  }
  return row;
}

function addPath(
  row: Row,
  path: readonly (readonly (readonly number[])[])[],
  { robots }: PlanProblem,
  checker: PathChecker,
): void {
  let length = 0;
  for (let i = 1; i < path.length; i++) {
    for (const [r, robot] of robots.entries()) {
      const count = robot.type === 'chain' ? path[i][r].length : 3;
      length += Math.hypot(...path[i][r].slice(0, count).map((value, k) => value - path[i - 1][r][k]));
    }
  }
  const { verdict, least } = checker.check(path);
  row.lengths.push(length);
  row.least.push(verdict === 'refuted' ? 0 : least);
  if (verdict === 'refuted') row.refuted++;
}

function emptyRow(seeds: number): Row {
  return { solved: 0, seeds, seconds: [], lengths: [], least: [], refuted: 0 };
}

function cells({ solved, seeds, seconds, lengths, least, refuted }: Row): string[] {
  if (solved === 0) return [`0 of ${seeds}`, '–', '–', '–', '–', '–'];
  return [
    `${solved} of ${seeds}`,
    digits(median(seconds)),
    digits(Math.max(...seconds)),
    median(lengths).toFixed(1),
    median(least).toPrecision(2),
    `${refuted}`,
  ];
}

function digits(value: number): string {
  return value.toPrecision(2);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

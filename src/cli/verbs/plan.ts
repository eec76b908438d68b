import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { writeModel } from '../../io/model/write-model.js';
import { planInPool } from '../../planning/plan-in-pool.js';
import { planMotion } from '../../planning/plan-motion.js';
import { planQueries } from '../../planning/plan-queries.js';
import { animatePath } from '../../planning/problem/animate-path.js';
import { PLANNERS, type PlanProblem, type PlanResult } from '../../planning/problem/plan-problem.js';
import { PLANNING_DEFAULTS } from '../../planning/problem/problem-settings.js';
import { type TimePathOptions, type Trajectory, timePath } from '../../planning/trajectory/time-path.js';
import { writeTrajectory } from '../../planning/trajectory/write-trajectory.js';
import { takeChoice, takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { answerFolder, assertNoCluster } from '../cluster/answer-folder.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS } from '../cluster/open-cluster.js';
import { isFolder } from '../cluster/run-folder.js';
import { assertWritable } from '../field/field-outputs.js';
import { extensionOf, nameFile, saveBytes } from '../load-model.js';
import { drawPath } from '../plan/path-picture.js';
import { readProblemFile, takePackages } from '../plan/problem-file.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Verb, VerbInput } from '../verb.js';

export const plan: Verb = {
  name: 'plan',
  summary: 'finds a motion of robots among obstacles, proven free of collisions, or proves that no motion exists',
  usage:
    'plan PROBLEM.json|FOLDER [-o PATH.json|PATH.glb|TRAJECTORY.yaml|TRAJECTORY.csv|FOLDER] [--timed] [--svg F.svg] [--cluster URL]',
  help: `PROBLEM.json is {"robots":[{"type":"rigid","model":"brick.obj","bounds":{"min","max"},"start":[…],"goal":[…]}],
"environment":[{"model":"wall.obj","pose":[…]}],"clearance":0}; an obstacle may be {"box":[w,h,d]}, {"sphere":r},
{"cylinder":[r,h]} or {"capsule":[r,h]} in place of a model; "motion":[{"time":0,"pose":[…]},…] in place of a pose moves an
obstacle, "horizon" is the last time, "speed":{"linear","angular"} that of a robot. "queries":[{"start","goal"}] in place of
start and goal asks several of one roadmap. A robot is "rigid", "planar", a "chain" of links and joints, or
{"urdf":"arm.urdf","start":{"elbow":0.5},"goal":{"link":"tool","pose":[…]}}; poses are 7 numbers. docs/planning.md has all keys. The answer is solved, infeasible (with a proof), timeout, invalid-start
or invalid-goal. A FOLDER of problems is answered file by file, in threads or on a cluster; -o names a folder for the paths.
  --planner P       ${PLANNERS.join(', ')} (default: that of the problem, else ${PLANNING_DEFAULTS.planner})
  --time S          give up after S seconds of processor time (default: that of the problem, else ${PLANNING_DEFAULTS.timeLimit})
  --max-memory MB   give up where the plan holds more (default: that of the problem, else ${PLANNING_DEFAULTS.maxMemory / 1e6})
  --seed N          the same seed gives the same path (default: that of the problem, else ${PLANNING_DEFAULTS.seed})
  --clearance C     the least distance wanted everywhere (default: that of the problem, else ${PLANNING_DEFAULTS.clearance})
  -o, --output F    F.json: what --json prints; F.glb: the motion as an animation; F.yaml, F.csv: of chains, the trajectory
                    (YAML is the message JointTrajectory of ROS)
  --timed           of chains: the answer has a trajectory within the limits of the joints, proven as the path is
  --velocity V, --acceleration A, --jerk J   limits of all joints in its place, in radians or meters and seconds
  --package N=DIR   the folder of a package that a URDF names, as in package://N/arm.stl; may be given several times. Folders of
                    that name beside the URDF or above it are found without it
${CLUSTER_HELP}
  --svg F.svg       a floor plan of planar robots: obstacles in section, outlines along the path, clearance as color

  nearfield plan hole.json --clearance 0.01 -o path.json
  nearfield plan hole.json -o path.glb --json | jq .clearance.lower`,
  options: {
    planner: { type: 'string' },
    time: { type: 'string' },
    'max-memory': { type: 'string' },
    seed: { type: 'string' },
    clearance: { type: 'string' },
    output: { type: 'string', short: 'o' },
    timed: { type: 'boolean' },
    velocity: { type: 'string' },
    acceleration: { type: 'string' },
    jerk: { type: 'string' },
    package: { type: 'string', multiple: true },
    svg: { type: 'string' },
    ...CLUSTER_OPTIONS,
  },
  async run(input) {
    const [path] = takePositionals(input, 'plan', ['PROBLEM']);
    const output = takeString(input, 'output');
    const svg = takeString(input, 'svg');
    const readProblem = problemReader(input);
    if (await isFolder(path)) {
      return answerFolder(input, path, output, async (pool, file) => {
        const problem = await readProblem(file);
        return describeAnswers(problem, await planInPool(pool, problem));
      });
    }
    assertNoCluster(input, path);
    await assertOutputs(output, svg);
    const named = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error) =>
        nameFile(path, () => {
          throw error;
        }),
      );
    const problem = await named(readProblem(path));
    if (problem.queries !== undefined) {
      const picture = svg ?? (output !== null && extensionOf(output) !== 'json' ? output : null);
      if (picture !== null) {
        throw new NearfieldError('bad-argument', `${picture}: the paths of several queries are written as .json`);
      }
      if (wantsTimes(input, null)) {
        throw new NearfieldError('bad-argument', 'The paths of several queries have no trajectories; ask one by one.');
      }
      const answers = await named(
        Promise.resolve().then(() => planQueries(problem, partOfProgress(input.progress, 0, 0.95))),
      );
      return answerQueries(problem, answers, output);
    }
    const result = await named(
      Promise.resolve().then(() => planMotion(problem, partOfProgress(input.progress, 0, 0.9))),
    );
    const isTimed = result.status === 'solved' && wantsTimes(input, output);
    const trajectory = isTimed
      ? await named(Promise.resolve().then(() => timePath(problem, result, timeLimits(input))))
      : null;
    const json = { ...describeAnswers(problem, [result]), ...(trajectory === null ? {} : { trajectory }) };
    if (output !== null && (result.status === 'solved' || extensionOf(output) === 'json')) {
      await saveBytes(output, await encodeAnswer(output, problem, result, json, trajectory));
    }
    if (svg !== null && result.status === 'solved') {
      const picture = await named(Promise.resolve().then(() => drawPath(problem, result)));
      await saveBytes(svg, new TextEncoder().encode(picture));
    }
    return { json, text: describe(result, output, svg, trajectory) };
  },
};

/** What reads a problem: options of the command line come before those of its file. */
function problemReader(input: VerbInput): (file: string) => Promise<PlanProblem> {
  const asked = takeString(input, 'planner') !== null;
  const planner = asked ? takeChoice(input, 'planner', PLANNERS) : undefined;
  const timeLimit = takeLength(input, 'time') ?? undefined;
  const megabytes = takeLength(input, 'max-memory');
  const maxMemory = megabytes === null ? undefined : 1e6 * megabytes;
  const clearance = takeLength(input, 'clearance') ?? undefined;
  const hasSeed = takeString(input, 'seed') !== null;
  const seed = hasSeed ? takeNumber(input, 'seed', 1, { min: 0, max: 2 ** 32 - 1, integer: true }) : undefined;
  const given = Object.entries({ planner, timeLimit, maxMemory, clearance, seed }).filter(
    ([, value]) => value !== undefined,
  );
  const packages = takePackages(input.values.package);
  return async (file) => ({ ...(await readProblemFile(file, packages)), ...Object.fromEntries(given) });
}

/** The limits of a trajectory. */
function timeLimits(input: VerbInput): TimePathOptions {
  const take = (key: 'velocity' | 'acceleration' | 'jerk'): number | undefined => takeLength(input, key) ?? undefined;
  return { velocity: take('velocity'), acceleration: take('acceleration'), jerk: take('jerk') };
}

/** Whether a trajectory is asked for: by its flag, by a limit, or by the file that it goes to. */
function wantsTimes(input: VerbInput, output: string | null): boolean {
  const { timed, velocity, acceleration, jerk } = input.values;
  const isLimited = [velocity, acceleration, jerk].some((value) => value !== undefined);
  return timed === true || isLimited || (output !== null && isTrajectoryFile(output));
}

function isTrajectoryFile(file: string): boolean {
  return ['yaml', 'yml', 'csv'].includes(extensionOf(file));
}

async function encodeAnswer(
  output: string,
  problem: PlanProblem,
  result: PlanResult,
  json: object,
  trajectory: Trajectory | null,
): Promise<Uint8Array> {
  const extension = extensionOf(output);
  if (extension === 'glb') return animate(problem, result);
  if (trajectory === null || extension === 'json') return encode(json);
  return new TextEncoder().encode(writeTrajectory(trajectory, extension === 'csv' ? 'csv' : 'yaml'));
}

/** Refuses files that cannot be written, before any work. */
async function assertOutputs(output: string | null, svg: string | null): Promise<void> {
  if (output !== null && !['glb', 'json'].includes(extensionOf(output)) && !isTrajectoryFile(output)) {
    throw new NearfieldError(
      'bad-argument',
      `${output}: paths are written as .json or .glb, trajectories as .yaml or .csv`,
    );
  }
  if (svg !== null && extensionOf(svg) !== 'svg') {
    throw new NearfieldError('bad-argument', `${svg}: floor plans are written as .svg`);
  }
  await assertWritable(
    [],
    [output, svg].filter((file) => file !== null),
  );
}

/** JSON has no infinity: a robot alone has no clearance to state. */
function describeAnswer(result: PlanResult): PlanResult {
  return { ...result, clearance: result.clearance?.upper === Infinity ? null : result.clearance };
}

/** What is printed and written: one path, or the answers to several queries of one roadmap. */
function describeAnswers({ name, queries }: PlanProblem, answers: readonly PlanResult[]): object {
  const head = { format: 'nearfield-plan-path', version: 1, problem: name ?? null };
  const described = answers.map(describeAnswer);
  return queries === undefined ? { ...head, ...described[0] } : { ...head, answers: described };
}

/** The answers to several queries of one roadmap. */
async function answerQueries(
  problem: PlanProblem,
  answers: readonly PlanResult[],
  output: string | null,
): ReturnType<Verb['run']> {
  const json = describeAnswers(problem, answers);
  if (output !== null) await saveBytes(output, encode(json));
  const rows = answers.map(({ status, planner, length, clearance, milliseconds }, i) => [
    `${i + 1}`,
    status,
    planner,
    status === 'solved' ? readable(length) : '',
    clearance !== null && clearance.upper < Infinity ? readable(clearance.lower) : '',
    milliseconds.toFixed(0),
  ]);
  const written = output === null ? '' : `\nwritten to ${output}`;
  return { json, text: `${columns(['query', 'status', 'planner', 'length', 'clearance', 'ms'], rows)}${written}` };
}

async function animate(problem: PlanProblem, result: PlanResult): Promise<Uint8Array> {
  const { model, animation } = animatePath(problem, result);
  return writeModel(model, 'glb', { animation });
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

function describe(
  result: PlanResult,
  output: string | null,
  svg: string | null,
  trajectory: Trajectory | null,
): string {
  const {
    status,
    planner,
    paths,
    times,
    length,
    turning,
    clearance,
    milliseconds,
    counters,
    proof,
    reason,
    collision,
    notes,
  } = result;
  const rows: (readonly [string, string])[] = [
    ['status', status],
    ['planner', planner],
  ];
  if (status === 'solved') {
    if (paths.length > 1) rows.push(['robots', paths.map(({ robot }) => robot).join(', ')]);
    rows.push(['waypoints', readable(paths[0].poses.length)]);
    if (times !== null) rows.push(['arrival', `${readable(times[times.length - 1])} s`]);
    rows.push(['length', readable(length)], ['turning', `${readable(turning)} rad`]);
    if (trajectory !== null) {
      const stops = trajectory.stops === 0 ? 'no stops' : `${trajectory.stops} stops`;
      rows.push(['trajectory', `${readable(trajectory.duration)} s, ${trajectory.points.length} points, ${stops}`]);
    }
    if (clearance !== null && clearance.upper < Infinity) {
      const place = `in edge ${clearance.segment + 1} at ${readable(clearance.t)}`;
      rows.push(['clearance', `${readable(clearance.lower)} proven, ${readable(clearance.upper)} had ${place}`]);
    }
  }
  if (reason !== null) rows.push(['reason', reason]);
  if (collision?.point) rows.push(['place', readableVector(collision.point)]);
  if (collision?.depth)
    rows.push(['depth', `${readable(collision.depth.lower)} to ${readable(collision.depth.upper)}`]);
  for (const note of notes) rows.push(['note', note]);
  if (proof !== null) {
    const { radius, robot, link, joint, value } = proof;
    const body = link === undefined ? robot : `${link} of ${robot}`;
    const where = value === undefined ? '' : ` where ${joint} is ${readable(value)}`;
    rows.push(['proof', `a ball of radius ${readable(radius)} in ${body} cannot pass${where}`]);
  }
  rows.push(['edges tested', readable(counters.edgesTested)], ['milliseconds', milliseconds.toFixed(0)]);
  if (output !== null && (status === 'solved' || extensionOf(output) === 'json')) rows.push(['written', output]);
  if (svg !== null && status === 'solved') rows.push(['floor plan', svg]);
  return labeled(rows);
}

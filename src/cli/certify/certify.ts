import { NearfieldError } from '../../core/errors.js';
import {
  type CertifiedSegment,
  type CertifyResult,
  certifyTrajectory,
} from '../../sweep/trajectory/certify-trajectory.js';
import { INTERPOLATIONS, type MotionTrajectory } from '../../sweep/trajectory/motion-trajectory.js';
import { readTrajectory } from '../../sweep/trajectory/read-trajectory.js';
import { takeChoice, takeLength, takeString } from '../arguments.js';
import { assertWritable } from '../field/field-outputs.js';
import { extensionOf, nameFile, readBytes, saveBytes } from '../load-model.js';
import { readProblemFile, takePackages } from '../plan/problem-file.js';
import { columns, labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';
import { writeMotionReport } from './motion-report.js';

/** Chosen: the segments that the text lists; --json has all. */
const SEGMENTS_LISTED = 12;

/** Chosen: how wide the interval of a segment is in a report, as a share of it: its band is drawn. */
const REPORT_ERROR = 0.05;

export const certify: Verb = {
  name: 'certify',
  summary: 'proves what clearance a trajectory of robots keeps at all times, or finds where it does not',
  usage: 'certify PROBLEM.json TRAJECTORY… [--clearance C] [--assert] [--report F.html]',
  help: `PROBLEM.json is that of "plan": robots (by URDF and SRDF, MJCF, links and joints, or as rigid bodies) and the environment;
start and goal may be left out. TRAJECTORY is a message of ROS or MoveIt (JointTrajectory, RobotTrajectory, DisplayTrajectory) as
YAML or JSON, {"joints":[…],"points":[{"time","positions","velocities"?,"accelerations"?}]}, a CSV table, an answer of "plan", or
a path as OMPL prints it, with a state on each line. Several trajectories of different robots run on one clock. Joint values go
straight between waypoints without velocities, by cubics with them, by quintics with accelerations too. Each segment between
waypoints is proven for all its times: it holds, or is violated at a time that is printed, or undecided where time ran out.
  --clearance C        the least distance wanted everywhere (default: that of the problem, else 0: never touch)
  --interpolation I    ${INTERPOLATIONS.join(', ')} (default auto: by what the points have)
  --max-seconds T      stop after T seconds of processor time; segments that are not decided by then are undecided
  --assert             exit code 3 unless the clearance holds everywhere and all limits of joints are kept
  --report F.html      a page with the clearance over time, its proven band, and the verdict of each segment
  --package N=DIR      the folder of a package that a URDF names; may be given several times

  nearfield certify cell.json trajectory.yaml --clearance 0.01 --assert
  nearfield certify cell.json path.json --json | jq .clearance`,
  options: {
    clearance: { type: 'string' },
    interpolation: { type: 'string' },
    'max-seconds': { type: 'string' },
    assert: { type: 'boolean' },
    report: { type: 'string' },
    package: { type: 'string', multiple: true },
  },
  async run(input) {
    const [path, ...files] = input.positionals;
    if (path === undefined || files.length === 0) {
      throw new NearfieldError('bad-argument', 'certify takes PROBLEM TRAJECTORY…; see nearfield certify --help');
    }
    const report = takeString(input, 'report');
    if (report !== null && extensionOf(report) !== 'html') {
      throw new NearfieldError('bad-argument', `${report}: reports are written as .html`);
    }
    await assertWritable([], report === null ? [] : [report]);
    const hasInterpolation = takeString(input, 'interpolation') !== null;
    const interpolation = hasInterpolation ? takeChoice(input, 'interpolation', INTERPOLATIONS) : undefined;
    const clearance = takeLength(input, 'clearance') ?? undefined;
    const maxSeconds = takeLength(input, 'max-seconds') ?? undefined;
    const named = <T>(file: string, work: () => Promise<T>): Promise<T> =>
      work().catch((error) =>
        nameFile(file, () => {
          throw error;
        }),
      );
    const problem = await named(path, () => readProblemFile(path, takePackages(input.values.package), false));
    const trajectories: MotionTrajectory[] = [];
    for (const file of files) {
      const read = async () => readTrajectory(new TextDecoder().decode(await readBytes(file)));
      trajectories.push(...(await named(file, read)));
    }
    const result = await named(path, async () =>
      certifyTrajectory(problem, trajectories, {
        clearance,
        interpolation,
        maxSeconds,
        segmentError: report === null ? undefined : REPORT_ERROR,
        ...input.progress,
      }),
    );
    if (report !== null) {
      const page = await writeMotionReport(problem, trajectories, result, { interpolation });
      await saveBytes(report, new TextEncoder().encode(page));
    }
    const isKept = result.verdict === 'holds' && result.limits.length === 0;
    const text = describe(result, report);
    return { json: describeJson(result), text, exitCode: input.values.assert === true && !isKept ? 3 : 0 };
  },
};

/** JSON has no infinity: without anything to come near to, bounds are null. */
function describeJson(result: CertifyResult): object {
  const finite = (value: number): number | null => (value === Infinity ? null : value);
  const { proven: _, ...rest } = result;
  return { ...rest, segments: result.segments.map((segment) => ({ ...segment, lower: finite(segment.lower) })) };
}

function describe(result: CertifyResult, report: string | null): string {
  const { verdict, wanted, clearance, segments, limits, duration, notes, milliseconds } = result;
  const count = (what: CertifiedSegment['verdict']): number =>
    segments.filter((segment) => segment.verdict === what).length;
  const rows: (readonly [string, string])[] = [
    ['verdict', verdict],
    ['wanted', wanted === 0 ? 'never touch' : readable(wanted)],
  ];
  if (clearance !== null) {
    const { lower, upper, time } = clearance;
    rows.push(['clearance', `${readable(lower)} proven, ${readable(upper)} had at ${readable(time)} s`]);
  }
  rows.push(
    [
      'segments',
      `${segments.length}: ${count('holds')} hold, ${count('violated')} violated, ${count('undecided')} undecided`,
    ],
    ['duration', `${readable(duration)} s`],
  );
  for (const { robot, joint, kind, limit, value, time } of limits) {
    const what = joint === null ? robot : `${joint} of ${robot}`;
    rows.push(['limit', `${kind} of ${what} is ${readable(value)} at ${readable(time)} s, beyond ${readable(limit)}`]);
  }
  for (const note of notes) rows.push(['note', note]);
  rows.push(['milliseconds', milliseconds.toFixed(0)]);
  if (report !== null) rows.push(['written to', report]);
  return `${labeled(rows)}\n\n${listSegments(segments)}`;
}

/** The segments that matter most: those that do not hold, then the nearest. */
function listSegments(segments: readonly CertifiedSegment[]): string {
  const rank = { violated: 0, undecided: 1, holds: 2 };
  const sorted = [...segments].sort(
    (a, b) => rank[a.verdict] - rank[b.verdict] || (a.upper ?? Infinity) - (b.upper ?? Infinity) || a.from - b.from,
  );
  const rows = sorted
    .slice(0, SEGMENTS_LISTED)
    .map(({ from, to, verdict, lower, upper, time, a, b, depth }) => [
      `${readable(from)} to ${readable(to)}`,
      verdict,
      lower === Infinity ? '' : readable(lower),
      upper === null ? '' : readable(upper),
      readable(time),
      a === null ? '' : `${a}, ${b}`,
      depth === null ? '' : `${readable(depth.lower)} to ${readable(depth.upper)}`,
    ]);
  const more =
    segments.length > rows.length ? `\n${segments.length - rows.length} more segments; --json lists all` : '';
  return `${columns(['seconds', 'verdict', 'at least', 'had', 'at', 'between', 'depth'], rows)}${more}`;
}

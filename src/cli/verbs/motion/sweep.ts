import { NearfieldError } from '../../../core/errors.js';
import { MotionStudy } from '../../../sweep/motion-study.js';
import { sweepInPool } from '../../../sweep/sweep-in-pool.js';
import type { SweepOptions, SweepSubject } from '../../../sweep/sweep-options.js';
import type { SweepPlace, SweepResult, SweptPairResult } from '../../../sweep/sweep-result.js';
import { parseNumber, takeLength, takeNumber, takePositionals, takeString } from '../../arguments.js';
import { loadAssembly } from '../../clash/assembly.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS, openCluster } from '../../cluster/open-cluster.js';
import { assertWritable } from '../../field/field-outputs.js';
import { extensionOf, saveBytes } from '../../load-model.js';
import { MAX_WORKERS, openPool } from '../../open-pool.js';
import { loadSubject } from '../../sweep/load-subject.js';
import { writeSweepReport } from '../../sweep/sweep-report.js';
import { columns, labeled, readable } from '../../table.js';
import type { Verb, VerbInput } from '../../verb.js';

/** Chosen: rows of the table for people. */
const MAX_ROWS = 20;

export const sweep: Verb = {
  name: 'sweep',
  summary: 'proves the least gap of every pair of parts over the whole motion of a mechanism, robot or assembly',
  usage:
    'sweep MECHANISM.json|ROBOT.urdf|ROBOT.xml|ASSEMBLY.glb [--vary JOINT=low:high]… [--clearance C] [--report F.html] [--assert]',
  help: `Nothing is sampled: bounds of the motion prove what holds between any two places. MECHANISM.json has parts, joints,
couplings and loops (docs/sweep.md); a robot is a URDF or an MJCF file; an assembly moves by its own animation or --frames.
  --vary JOINT=LOW:HIGH  a joint to vary, up to four of them; JOINT alone varies its whole range (default: all that have one)
  --at JOINT=VALUE       the value of a joint that is not varied (default 0, or the limit next to it)
  --clearance C          the gap wanted everywhere (default: that of the mechanism, or 0: parts must not touch)
  --obstacles FILE       surroundings at rest; repeat it for more
  --srdf FILE            the SRDF of a URDF: links that may touch
  --frames FILE          how the parts of an assembly move: {"frames":[{"time":0,"part":[…]}, …]}, or an answer of simulate
  --ignore "A,B"         leave out a pair of parts; repeat it for more
  --within D             list pairs that come nearer than D (default: twice the clearance, or 1 % of the size)
  --error E              the relative width of the interval of the least gap (default 0.02)
  --max-seconds T        processor time; what is open then is undecided
  --workers N            threads (default 1): the same answer on several cores
${CLUSTER_HELP}
  --unit U               m, mm, cm, in, ft …: the unit of an assembly's answer
  --report F.html        write a page: the gap of critical pairs with its proven band, and the motion in 3D
  --assert               exit code 3 unless the clearance is proven

  nearfield sweep press.json --clearance 0.1 --report press.html
  nearfield sweep arm/arm.urdf --vary shoulder --vary elbow=-2:0 --clearance 0.01 --assert
  nearfield sweep gearbox.glb --frames turn.json --clearance 0.1 --json | jq '.pairs[0]'`,
  options: {
    vary: { type: 'string', multiple: true },
    at: { type: 'string', multiple: true },
    clearance: { type: 'string' },
    obstacles: { type: 'string', multiple: true },
    srdf: { type: 'string' },
    frames: { type: 'string' },
    ignore: { type: 'string', multiple: true },
    within: { type: 'string' },
    error: { type: 'string' },
    'max-seconds': { type: 'string' },
    unit: { type: 'string' },
    workers: { type: 'string' },
    ...CLUSTER_OPTIONS,
    report: { type: 'string' },
    assert: { type: 'boolean' },
  },
  async run(input) {
    const [file] = takePositionals(input, 'sweep', ['FILE']);
    const report = takeString(input, 'report');
    if (report !== null && extensionOf(report) !== 'html')
      throw new NearfieldError('bad-argument', `${report}: reports are written as .html`);
    const options = await takeOptions(input);
    await assertWritable([], report === null ? [] : [report]);
    const subject = await loadSubject({
      file,
      srdf: takeString(input, 'srdf'),
      frames: takeString(input, 'frames'),
      unit: takeString(input, 'unit'),
    });
    const study = new MotionStudy(subject, options);
    const result = await runSweep(input, subject, study, options);
    if (report !== null) await saveBytes(report, new TextEncoder().encode(await writeSweepReport(file, study, result)));
    return {
      json: describeResult(result),
      text: tabulate(result, report),
      exitCode: input.values.assert === true && result.verdict !== 'holds' ? 3 : 0,
    };
  },
};

/** Sweeps in threads or on other machines where that is asked for. */
async function runSweep(
  input: VerbInput,
  subject: SweepSubject,
  study: MotionStudy,
  options: SweepOptions,
): Promise<SweepResult> {
  const workers = takeNumber(input, 'workers', 1, { min: 1, max: MAX_WORKERS, integer: true });
  const cluster = await openCluster(input);
  const threads = cluster === null ? openPool(workers) : null;
  const pool = cluster ?? threads;
  try {
    return pool === null ? study.sweep() : await sweepInPool(pool, subject, options);
  } finally {
    threads?.close();
    await cluster?.close();
  }
}

async function takeOptions(input: VerbInput): Promise<SweepOptions> {
  const listOf = (name: string): readonly string[] => (input.values[name] as readonly string[] | undefined) ?? [];
  const vary = Object.fromEntries(listOf('vary').map(parseVaried));
  const at = Object.fromEntries(listOf('at').map(parseValue));
  const files = listOf('obstacles');
  const { parts } = files.length === 0 ? { parts: [] } : await loadAssembly(files, { unit: takeString(input, 'unit') });
  const has = (name: string): boolean => takeString(input, name) !== null;
  return {
    ...(listOf('vary').length > 0 ? { vary } : {}),
    ...(listOf('at').length > 0 ? { at } : {}),
    clearance: takeLength(input, 'clearance') ?? undefined,
    within: takeLength(input, 'within') ?? undefined,
    gapError: has('error') ? takeNumber(input, 'error', 0, { min: 0, max: 1 }) : undefined,
    maxSeconds: has('max-seconds') ? takeNumber(input, 'max-seconds', 1, { min: 1e-3 }) : undefined,
    obstacles: parts.map(({ name, model, pose }) => ({ name, mesh: model.mesh, pose })),
    ignore: listOf('ignore').map(parsePair),
    ...input.progress,
  };
}

/** JOINT or JOINT=LOW:HIGH. */
function parseVaried(text: string): readonly [string, readonly [number, number] | null] {
  const [, name, low, high] = /^([^=]+)(?:=([^:]+):(.+))?$/.exec(text) ?? [];
  if (name === undefined)
    throw new NearfieldError('bad-argument', `--vary is "${text}"; give JOINT=LOW:HIGH, or JOINT for its whole range`);
  if (low === undefined) return [name, null];
  return [name, [parseNumber(low, `the start of --vary ${name}`), parseNumber(high, `the end of --vary ${name}`)]];
}

function parseValue(text: string): readonly [string, number] {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined) throw new NearfieldError('bad-argument', `--at is "${text}"; give JOINT=VALUE`);
  return [name, parseNumber(value, `--at ${name}`)];
}

function parsePair(text: string): readonly [string, string] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length !== 2 || names.includes(''))
    throw new NearfieldError(
      'bad-argument',
      `--ignore is "${text}"; give two names with a comma between, as in "pin,plate"`,
    );
  return [names[0], names[1]];
}

/** JSON has no infinity. */
function describeResult(result: SweepResult): object {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const least = result.least && { lower: finite(result.least.lower), upper: finite(result.least.upper) };
  const pairs = result.pairs.map((pair) => ({ ...pair, lower: finite(pair.lower), upper: finite(pair.upper) }));
  return { ...result, least, pairs };
}

function tabulate(result: SweepResult, report: string | null): string {
  const { verdict, clearance, least, pairs, culled, axes, queries, milliseconds, loopError } = result;
  const rows: (readonly [string, string])[] = [
    ['verdict', verdict],
    ['clearance wanted', readable(clearance)],
  ];
  if (least !== null) rows.push(['least gap', `${readable(least.lower)} to ${readable(least.upper)}`]);
  for (const { name, low, high } of axes) rows.push([name, `${readable(low)} to ${readable(high)}`]);
  rows.push(['pairs', `${pairs.length} near, ${culled.pairs} farther apart`]);
  if (loopError > 0) rows.push(['loops closed to', readable(loopError)]);
  rows.push(['distances', readable(queries)], ['milliseconds', milliseconds.toFixed(0)]);
  if (report !== null) rows.push(['report', report]);
  if (pairs.length === 0) return labeled(rows);
  const table = columns(
    ['a', 'b', 'verdict', 'least gap', 'depth', 'at'],
    pairs
      .slice(0, MAX_ROWS)
      .map((pair) => [pair.a, pair.b, pair.verdict, gapOf(pair), depthOf(pair), describePlace(pair.at)]),
  );
  const more = pairs.length > MAX_ROWS ? `\n${pairs.length - MAX_ROWS} more with --json` : '';
  return `${labeled(rows)}\n\n${table}${more}`;
}

function gapOf({ lower, upper }: SweptPairResult): string {
  return upper === 0 ? 'meet' : `${readable(lower)} to ${readable(upper)}`;
}

function depthOf({ depth }: SweptPairResult): string {
  return depth === null ? '' : `${readable(depth.lower)} to ${readable(depth.upper)}`;
}

/** A place in words. */
function describePlace(place: SweepPlace): string {
  if (typeof place === 'number') return readable(place);
  return Object.entries(place)
    .map(([name, value]) => `${name} ${readable(value)}`)
    .join(', ');
}

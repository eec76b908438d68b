import type { AssemblyPart } from '../../clash/assembly.js';
import { type Clash, compareClashes } from '../../clash/clash.js';
import { ClashCheck } from '../../clash/clash-check.js';
import { identifyClashes, reviewClashes } from '../../clash/clash-identity.js';
import { PairRules } from '../../clash/clash-rules.js';
import { gradeClashes } from '../../clash/grade-clashes.js';
import { gradeClashesInPool } from '../../clash/grade-clashes-in-pool.js';
import type { GradedClash } from '../../clash/graded-clash.js';
import { groupClashes } from '../../clash/group-clashes.js';
import { findInsideOpen } from '../../clash/inside-open.js';
import { type AssemblyMotion, findMovingClashes, type MovingReport } from '../../clash/moving-clashes.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { loadAssembly } from '../clash/assembly.js';
import {
  type CheckLengths,
  describeClashes,
  describeStream,
  type GradeCounts,
  nameParts,
  tabulateGroups,
  tabulateMoving,
  warnInside,
  warnUnknown,
  warnUnseen,
} from '../clash/clash-answer.js';
import { ClashMachines } from '../clash/clash-machines.js';
import { type ClashRequest, DEPTH_SECONDS, takeClashRequest } from '../clash/clash-request.js';
import { assertIgnored } from '../clash/ignore-list.js';
import { OWN_ANIMATION, readPartFrames } from '../clash/part-frames.js';
import { readBaseline } from '../clash/rules-file.js';
import { runCheck } from '../clash/run-check.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS, openCluster } from '../cluster/open-cluster.js';
import { factsAsJson, factsAsText } from '../facts.js';
import { CHORD_HELP, CHORD_OPTION, saveBytes } from '../load-model.js';
import { CLASH_OUTPUT_OPTIONS, saveClashOutputs } from '../report/clash-outputs.js';
import { toUnit, UNKNOWN_UNIT, unitName } from '../units.js';
import type { Answer, Verb } from '../verb.js';

/** Chosen: cells of the proof of one depth. The time of all depths ends before, or one of them is hopeless. */
const MAX_CELLS = 1_000_000;
/** Chosen: fewer depths than this are measured before threads have started. */
const DEPTHS_WORTH_THREADS = 16;

export const clash: Verb = {
  name: 'clash',
  summary: 'finds the parts of an assembly that overlap, touch or are too close to each other',
  usage:
    'clash FILE… [--clearance C] [--touch T] [--ignore "A,B"]… [--report F.html] [--bcf F.bcfzip] [--csv F.csv] [-o CLASHES.ndjson] [--resume JOURNAL]',
  help: `Tests every pair of parts in one or more files. GLB, STEP, IFC and 3MF have parts and instances; an STL or OBJ file is
one part. Each part is made sound first: faces without area are dropped, cracks closed.
Closed parts are solids; touching counts as intersecting. Scaled and mirrored instances keep their shape. Each clash is
graded: interference with its depth and the way out, touch, or clearance for a gap that is too small.
  --clearance C        also report pairs up to the distance C (default 0: only pairs that intersect), such as 2 or 2mm
  --touch T            overlaps and gaps up to T count as touching (default: 1e-6 of the smaller part's size), and up to
                       the chord error of curved surfaces more
  --ignore "A,B"       leave out pairs of a part named A and a part named B; * and ? stand for any characters and any one
                       character; repeat it for more pairs. "bolt*,*" leaves out every pair with a bolt
  --ignore-file FILE   a JSON file of pairs to ignore: [["bolt*", "plate"], …]
  --rules FILE         a JSON file of rules: [{"a": "bolt*", "b": "plate", "allow": 0.1}, {"a": "IfcPipe*", "b": "IfcWall*",
                       "by": "class", "clearance": 0.05}, {"a": "gasket", "b": "*", "ignore": true}]; the last one counts
  --frames F.json      the parts move: F has the poses of parts by name, {"frames":[{"time":0,"parts":{"door":[…]}}, …]}; or
                       "animation" for that of the glTF file. Says which pairs meet and when, or how far they stay apart
  --baseline LAST.json the answer (--json) of an earlier check: says what is new, known and solved; or its BCF file, whose
                       status, comments and people are kept
  --solidify           parts that bound no solid have the depth of solids near them
  --assert             exit code 3 if anything but touching parts is found
${CHORD_HELP}
  --depth-seconds S    processor time for all depths together (default ${DEPTH_SECONDS}, with -o 0; 0 for no depths)
  --report F.html      write a page with a 3D view of the assembly, a picture of every clash, filters and a table
  --bcf F.bcfzip       write the clashes as topics of the BIM Collaboration Format, with views, sections and pictures
  --bcf-version V      2.1 (default) or 3.0
  --csv F.csv          write the clashes as a table for spreadsheets
  --unit U             m, mm, cm, in, ft …: the unit of the answer, and of files that do not say theirs, such as STL
  -o, --output FILE    write each clash as one line of JSON as soon as it is found, by shapes; for assemblies of any size
  --workers N          threads, for depths too (default: one on each core, where there is enough to do); the clashes are the same
  --resume JOURNAL     keep finished work in this file; the same command again continues a stopped one
${CLUSTER_HELP}

  nearfield clash gearbox.glb --clearance 0.5 --report clashes.html
  nearfield clash engine.glb --touch 0.01 --ignore "bolt*,*"
  nearfield clash plant.glb --clearance 10 -o clashes.ndjson --resume plant.journal
  nearfield clash housing.stl shaft.stl gear.stl --clearance 0.2 --json | jq '.clashes[0]'`,
  options: {
    clearance: { type: 'string' },
    touch: { type: 'string' },
    ignore: { type: 'string', multiple: true },
    'ignore-file': { type: 'string' },
    rules: { type: 'string' },
    baseline: { type: 'string' },
    solidify: { type: 'boolean' },
    assert: { type: 'boolean' },
    ...CHORD_OPTION,
    'depth-seconds': { type: 'string' },
    ...CLASH_OUTPUT_OPTIONS,
    'bcf-version': { type: 'string' },
    frames: { type: 'string' },
    unit: { type: 'string' },
    output: { type: 'string', short: 'o' },
    workers: { type: 'string' },
    resume: { type: 'string' },
    ...CLUSTER_OPTIONS,
  },
  async run(input) {
    const request = await takeClashRequest(input);
    const { ignore, journal, stream, chordError } = request;
    const share = partOfProgress(input.progress, 0, 0.2);
    const asked = { unit: request.unit, chordError, motion: request.frames === OWN_ANIMATION };
    const { parts, unit, motion: own } = await loadAssembly(request.files, { ...share, ...asked });
    const motion = await takeMotion(request.frames, own, parts);
    const start = performance.now();
    const rules = new PairRules(parts, request.rules);
    assertIgnored(parts, ignore);
    if (rules.unused.length > 0) {
      throw new NearfieldError(
        'bad-argument',
        `rule ${rules.unused[0]} of --rules matches no pair of parts; correct its patterns`,
      );
    }
    const clearance = toUnit(request.clearance, 'clearance', unit);
    const check = new ClashCheck(parts, {
      ...{ clearance: Math.max(clearance, rules.largestClearance), ignore },
      ...partOfProgress(input.progress, 0.2, 0.3),
    });
    const failures: string[] = [];
    const machines = new ClashMachines(await openCluster(input), request.workers);
    try {
      const progress = partOfProgress(input.progress, 0.3, stream === null ? 0.5 : 1);
      const blocks = runCheck(check, { machines, journal, progress, failures });
      const lengths = {
        clearance,
        touchTolerance: request.touch === null ? undefined : toUnit(request.touch, 'touch', unit),
        unit: unit === null ? UNKNOWN_UNIT : unitName(unit),
        meters: unit,
      };
      const run: CheckRun = { request, lengths, rules, parts, motion, check, machines, blocks, failures, start };
      return stream === null ? await answerWhole(run, input.progress) : await writeStream(run, stream);
    } finally {
      await machines.close();
    }
  },
};

/** Clashes that rules left out. */
interface RuleCounts {
  ignored: number;
  allowed: number;
}

/** A check under way. */
interface CheckRun {
  readonly request: ClashRequest;
  readonly lengths: CheckLengths;
  readonly rules: PairRules;
  readonly parts: readonly AssemblyPart[];
  /** Null where parts do not move. */
  readonly motion: AssemblyMotion | null;
  readonly check: ClashCheck;
  readonly machines: ClashMachines;
  readonly blocks: AsyncGenerator<readonly Clash[]>;
  /** Lines about jobs that no machine could answer; complete when all blocks are taken. */
  readonly failures: readonly string[];
  /** When it began, in milliseconds. */
  readonly start: number;
}

async function takeMotion(
  frames: string | null,
  own: AssemblyMotion | null,
  parts: readonly AssemblyPart[],
): Promise<AssemblyMotion | null> {
  if (frames === null) return null;
  if (frames !== OWN_ANIMATION) return readPartFrames(frames, parts);
  if (own !== null) return own;
  throw new NearfieldError(
    'bad-argument',
    '--frames is animation, but no file has one that moves parts; give a frames file',
  );
}

/** Takes all clashes, grades them and writes the files that are asked for. */
async function answerWhole(run: CheckRun, progress: ProgressOptions): Promise<Answer> {
  const { request, lengths, parts, check, blocks, failures } = run;
  const { files, depthSeconds, outputs, written } = request;
  const earlier = request.baseline === null ? null : await readBaseline(request.baseline);
  const found: Clash[] = [];
  const counts = { ignored: 0, allowed: 0 };
  for await (const block of blocks) for (const clash of keepByClearance(run, block, counts)) found.push(clash);
  const graded = await grade(
    run,
    found.sort(compareClashes),
    1000 * depthSeconds,
    partOfProgress(progress, 0.5, written.length === 0 ? 1 : 0.7),
  );
  const clashes = keepByAllowance(run, graded, counts);
  const groups = groupClashes(parts, clashes);
  const ids = await identifyClashes(parts, clashes);
  const review = earlier === null ? null : reviewClashes(ids, earlier.ids);
  const { ignore } = request;
  const moving =
    run.motion === null ? null : findMovingClashes(parts, run.motion, { clearance: lengths.clearance, ignore });
  const milliseconds = performance.now() - run.start;
  const { pairsTested } = check;
  const pairsIgnored = check.pairsIgnored + counts.ignored;
  const { clearance, unit, meters } = lengths;
  const reported = {
    ...{ files, parts, clearance, clashes, ids, pairsTested, pairsIgnored, milliseconds, unit, meters },
  };
  await saveClashOutputs(
    outputs,
    reported,
    { version: request.bcfVersion, earlier: earlier?.topics ?? [] },
    partOfProgress(progress, 0.7, 1),
  );
  const checked = {
    parts,
    check,
    milliseconds,
    failures,
    lengths,
    moving,
    inside: findInsideOpen(parts, found),
    ...counts,
  };
  const facts = describeClashes(request, checked, clashes, groups, { ids, review, topics: earlier?.topics ?? [] });
  return {
    json: factsAsJson(facts),
    text: [factsAsText(facts), ...tabulateGroups(parts, clashes, groups), ...tabulateMoving(parts, moving)].join('\n'),
    warnings: [
      ...failures,
      ...warnUnknown(clashes, depthSeconds),
      ...warnUnseen(parts),
      ...warnInside(parts, checked.inside),
    ],
    exitCode: request.assert && !isClean(failures, clashes, moving) ? 3 : 0,
  };
}

/** Whether all pairs were tested, and nothing but touching parts was found, at rest or in motion. */
function isClean(failures: readonly string[], clashes: readonly GradedClash[], moving: MovingReport | null): boolean {
  if (failures.length > 0 || clashes.some(({ kind }) => kind !== 'touching')) return false;
  return moving === null || moving.pairs.every(({ status }) => status === 'clear');
}

/** The clashes that are closer than the clearance of their pair. */
function keepByClearance({ rules, lengths }: CheckRun, block: readonly Clash[], counts: RuleCounts): Clash[] {
  return block.filter(({ a, b, distance }) => {
    const { ignore, clearance } = rules.of(a, b);
    if (ignore) counts.ignored++;
    return !ignore && distance <= (clearance ?? lengths.clearance);
  });
}

/** The clashes without the overlaps that are wanted. */
function keepByAllowance({ rules }: CheckRun, clashes: readonly GradedClash[], counts: RuleCounts): GradedClash[] {
  return clashes.filter(({ a, b, intersects, upper, thickness }) => {
    const { allow } = rules.of(a, b);
    const isAllowed = intersects && allow > 0 && Math.min(upper ?? Infinity, thickness ?? Infinity) <= allow;
    if (isAllowed) counts.allowed++;
    return !isAllowed;
  });
}

/** Grades and writes block after block; nothing is kept. */
async function writeStream(run: CheckRun, output: string): Promise<Answer> {
  const { request, lengths, parts, check, blocks, failures } = run;
  const counts = { ignored: 0, allowed: 0 };
  const grades: GradeCounts = { interference: 0, touch: 0, clearance: 0 };
  let intersecting = 0;
  let left = 1000 * request.depthSeconds;
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const block of blocks) {
      const before = performance.now();
      const graded = keepByAllowance(run, await grade(run, keepByClearance(run, block, counts), left), counts);
      const ids = await identifyClashes(parts, graded);
      if (left > 0) left = Math.max(0, left - (performance.now() - before));
      for (const { grade, intersects } of graded) {
        grades[grade]++;
        if (intersects) intersecting++;
      }
      const lines = graded.map((clash, i) => JSON.stringify({ id: ids[i], ...nameParts(clash, parts) }));
      yield encoder.encode(lines.map((line) => `${line}\n`).join(''));
    }
  }
  await saveBytes(output, lines());
  const milliseconds = performance.now() - run.start;
  const checked = { parts, check, milliseconds, failures, lengths, moving: null, inside: [], ...counts };
  const facts = describeStream(request, checked, grades, intersecting);
  return {
    json: factsAsJson(facts),
    text: factsAsText(facts),
    warnings: [...failures, ...warnUnseen(parts)],
    exitCode: request.assert && (failures.length > 0 || grades.interference + grades.clearance > 0) ? 3 : 0,
  };
}

/** Grades clashes, in threads or on other machines where there are enough depths to measure. */
async function grade(
  { request: { solidify }, lengths: { touchTolerance }, parts, machines }: CheckRun,
  clashes: readonly Clash[],
  maxMilliseconds: number,
  progress: ProgressOptions = {},
): Promise<GradedClash[]> {
  const options = { touchTolerance, solidify, maxMilliseconds, maxCells: MAX_CELLS, ...progress };
  const overlaps = maxMilliseconds === 0 ? 0 : clashes.filter(({ intersects }) => intersects).length;
  const pool = overlaps === 0 ? undefined : machines.pool(overlaps >= DEPTHS_WORTH_THREADS);
  return pool === undefined ? gradeClashes(parts, clashes, options) : gradeClashesInPool(pool, parts, clashes, options);
}

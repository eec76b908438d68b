import type { AssemblyPart } from '../../clash/assembly.js';
import { type Clash, compareClashes } from '../../clash/clash.js';
import { ClashCheck } from '../../clash/clash-check.js';
import type { GradeOptions } from '../../clash/clash-grader.js';
import { gradeClashes } from '../../clash/grade-clashes.js';
import { gradeClashesInPool } from '../../clash/grade-clashes-in-pool.js';
import type { ClashGrade, GradedClash } from '../../clash/graded-clash.js';
import { groupClashes } from '../../clash/group-clashes.js';
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import { takeLength, takeNumber, takeString } from '../arguments.js';
import { loadAssembly } from '../clash/assembly.js';
import { ClashMachines } from '../clash/clash-machines.js';
import { describeClash } from '../clash/describe-clash.js';
import { readIgnoredPairs } from '../clash/ignore-list.js';
import { runCheck } from '../clash/run-check.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS, openCluster } from '../cluster/open-cluster.js';
import { saveBytes } from '../load-model.js';
import { CLASH_OUTPUT_OPTIONS, saveClashOutputs, takeClashOutputs } from '../report/clash-outputs.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Answer, Verb, VerbInput } from '../verb.js';

/** The most groups of clashes that are printed without --json. */
const GROUPS_SHOWN = 30;
/** The time for all depths together, in seconds, unless --depth-seconds says otherwise. */
const DEPTH_SECONDS = 60;
const MAX_WORKERS = 64;
/** Fewer depths than this are measured before threads have started. */
const DEPTHS_WORTH_THREADS = 16;

export const clash: Verb = {
  name: 'clash',
  summary: 'finds the parts of an assembly that overlap, touch or are too close to each other',
  usage:
    'clash FILE… [--clearance C] [--touch T] [--ignore "A,B"]… [--report F.html] [--bcf F.bcfzip] [--csv F.csv] [-o CLASHES.ndjson] [--resume JOURNAL]',
  help: `Tests every pair of parts in one or more files. A GLB has parts and instances; an STL or OBJ file is one part.
Closed parts are solids; touching counts as intersecting. Scaled and mirrored instances keep their shape. Each clash is
graded: interference with its depth and the way out, touch, or clearance for a gap that is too small.
  --clearance C        also report pairs at a distance of at most C (default 0: only pairs that intersect)
  --touch T            overlaps and gaps of at most T count as touching (default: 1e-6 of the smaller part's size)
  --ignore "A,B"       leave out pairs of a part named A and a part named B; * and ? stand for any characters and any one
                       character; repeat it for more pairs. "bolt*,*" leaves out every pair with a bolt
  --ignore-file FILE   a JSON file of such pairs: [["bolt*", "plate"], …]
  --depth-seconds S    the most time for all depths together (default ${DEPTH_SECONDS}, with -o 0; 0 for no depths)
  --report F.html      write a page with a 3D view of the assembly, a picture of every clash, filters and a table
  --bcf F.bcfzip       write the clashes as topics of the BIM Collaboration Format 2.1, with views and pictures
  --csv F.csv          write the clashes as a table for spreadsheets
  --unit NAME          the name of the unit of length in these files (default: units; BCF knows mm, cm, m, in and ft)
  -o, --output FILE    write each clash as one line of JSON as soon as it is found, by shapes; for assemblies of any size
  --workers N          threads, for depths too (default: one on each core, where there is enough to do); the clashes are the same
  --resume JOURNAL     keep what is done in this file; the same command again goes on where a stopped one was
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
    'depth-seconds': { type: 'string' },
    ...CLASH_OUTPUT_OPTIONS,
    unit: { type: 'string' },
    output: { type: 'string', short: 'o' },
    workers: { type: 'string' },
    resume: { type: 'string' },
    ...CLUSTER_OPTIONS,
  },
  async run(input) {
    const files = input.positionals;
    if (files.length === 0) {
      throw new NearfieldError('bad-argument', 'clash takes FILE…, at least one model. See nearfield clash --help');
    }
    const clearance = takeNumber(input, 'clearance', 0, { min: 0, max: MAX_COORDINATE });
    const touchTolerance = takeLength(input, 'touch') ?? undefined;
    const output = takeString(input, 'output');
    const depthSeconds = takeNumber(input, 'depth-seconds', output === null ? DEPTH_SECONDS : 0, { min: 0 });
    const outputs = takeClashOutputs(input);
    const written = Object.entries(outputs).filter((entry): entry is [string, string] => entry[1] !== null);
    if (written.length > 0 && output !== null) {
      throw new NearfieldError(
        'bad-argument',
        `--${written[0][0]} needs all clashes at once, -o keeps none; give one of them`,
      );
    }
    const unit = takeString(input, 'unit') ?? 'units';
    const workers = takeWorkers(input);
    const ignore = await readIgnoredPairs(input);
    const parts = await loadAssembly(files, partOfProgress(input.progress, 0, 0.2));
    const start = performance.now();
    const check = new ClashCheck(parts, { clearance, ignore, ...partOfProgress(input.progress, 0.2, 0.3) });
    const failures: string[] = [];
    const machines = new ClashMachines(await openCluster(input), workers);
    const blocks = runCheck(check, {
      machines,
      journal: takeString(input, 'resume'),
      progress: partOfProgress(input.progress, 0.3, output === null ? 0.5 : 1),
      failures,
    });
    const grading = { touchTolerance, maxMilliseconds: 1000 * depthSeconds };
    const found: Clash[] = [];
    let clashes: GradedClash[];
    try {
      if (output !== null) {
        return await writeStream(output, check, { parts, clearance, blocks, grading, start, failures, machines });
      }
      for await (const block of blocks) for (const clash of block) found.push(clash);
      clashes = await grade(machines, parts, found.sort(compareClashes), {
        ...grading,
        ...partOfProgress(input.progress, 0.5, written.length === 0 ? 1 : 0.7),
      });
    } finally {
      await machines.close();
    }
    const groups = groupClashes(parts, clashes);
    const milliseconds = performance.now() - start;
    const { pairsTested, pairsIgnored } = check;
    const reported = { files, parts, clearance, clashes, pairsTested, pairsIgnored, milliseconds, unit };
    await saveClashOutputs(outputs, reported, partOfProgress(input.progress, 0.7, 1));
    const names = parts.map(({ name }) => name);
    const grades = countGrades(clashes);
    return {
      json: {
        parts: parts.length,
        pairsTested,
        pairsIgnored,
        clashes: clashes.map((clash) => nameParts(clash, parts)),
        groups: groups.map((group) => ({ a: names[group.a], b: names[group.b], clashes: group.clashes })),
        grades,
        clearance,
        intersecting: clashes.filter(({ intersects }) => intersects).length,
        names,
        milliseconds,
        ...(failures.length > 0 && { failures }),
        ...Object.fromEntries(written),
      },
      text: [
        labeled([
          ['parts', readable(parts.length)],
          ['pairs tested', readable(pairsTested)],
          ...(pairsIgnored === 0 ? [] : [['pairs ignored', readable(pairsIgnored)] as const]),
          ['clashes', describeGrades(grades)],
          ['milliseconds', milliseconds.toFixed(1)],
          ...written,
        ]),
        ...(clashes.length === 0
          ? []
          : [
              '',
              columns(
                ['grade', 'depth or distance', 'times', 'part A', 'part B', 'point on A', 'point on B'],
                groups.slice(0, GROUPS_SHOWN).map((group) => {
                  const worst = clashes[group.clashes[0]];
                  return [
                    worst.grade,
                    describeClash(worst),
                    readable(group.clashes.length),
                    names[worst.a],
                    names[worst.b],
                    readableVector(worst.pointA),
                    readableVector(worst.pointB),
                  ];
                }),
              ),
            ]),
        ...(groups.length > GROUPS_SHOWN
          ? [`… and ${readable(groups.length - GROUPS_SHOWN)} more rows: --json or --report has them all`]
          : []),
      ].join('\n'),
      warnings: [...failures, ...warnUnknown(clashes, depthSeconds)],
    };
  },
};

/** Grades clashes, in threads or on other machines where there are enough depths to measure. */
async function grade(
  machines: ClashMachines,
  parts: readonly AssemblyPart[],
  clashes: readonly Clash[],
  options: GradeOptions & { maxMilliseconds: number },
): Promise<GradedClash[]> {
  const overlaps = options.maxMilliseconds === 0 ? 0 : clashes.filter(({ intersects }) => intersects).length;
  const pool = overlaps === 0 ? undefined : machines.pool(overlaps >= DEPTHS_WORTH_THREADS);
  return pool === undefined ? gradeClashes(parts, clashes, options) : gradeClashesInPool(pool, parts, clashes, options);
}

/** Grades and writes block after block; nothing is kept. */
async function writeStream(
  output: string,
  { pairsTested, pairsIgnored, questionCount }: ClashCheck,
  run: {
    parts: readonly AssemblyPart[];
    clearance: number;
    blocks: AsyncGenerator<readonly Clash[]>;
    grading: { touchTolerance: number | undefined; maxMilliseconds: number };
    start: number;
    failures: readonly string[];
    machines: ClashMachines;
  },
): Promise<Answer> {
  const { parts, clearance, blocks, grading, start, failures, machines } = run;
  const grades: Record<ClashGrade, number> = { interference: 0, touch: 0, clearance: 0 };
  let intersecting = 0;
  let left = grading.maxMilliseconds;
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const block of blocks) {
      const before = performance.now();
      const graded = await grade(machines, parts, block, { ...grading, maxMilliseconds: left });
      if (left > 0) left = Math.max(0, left - (performance.now() - before));
      for (const { grade, intersects } of graded) {
        grades[grade]++;
        if (intersects) intersecting++;
      }
      yield encoder.encode(graded.map((clash) => `${JSON.stringify(nameParts(clash, parts))}\n`).join(''));
    }
  }
  await saveBytes(output, lines());
  const milliseconds = performance.now() - start;
  return {
    json: {
      parts: parts.length,
      pairsTested,
      pairsIgnored,
      questions: questionCount,
      clashCount: grades.interference + grades.touch + grades.clearance,
      grades,
      clearance,
      intersecting,
      milliseconds,
      output,
      ...(failures.length > 0 && { failures }),
    },
    warnings: [...failures],
    text: labeled([
      ['parts', readable(parts.length)],
      ['pairs tested', `${readable(pairsTested)}, ${readable(questionCount)} of them different`],
      ...(pairsIgnored === 0 ? [] : [['pairs ignored', readable(pairsIgnored)] as const]),
      ['clashes', describeGrades(grades)],
      ['milliseconds', milliseconds.toFixed(1)],
      ['output', output],
    ]),
  };
}

function takeWorkers(input: VerbInput): number | null {
  return takeString(input, 'workers') === null
    ? null
    : takeNumber(input, 'workers', 1, { min: 1, max: MAX_WORKERS, integer: true });
}

function nameParts({ a, b, ...clash }: GradedClash, parts: readonly AssemblyPart[]): object {
  return { a: parts[a].name, b: parts[b].name, indexA: a, indexB: b, ...clash };
}

function describeGrades({ interference, touch, clearance }: Record<ClashGrade, number>): string {
  const all = readable(interference + touch + clearance);
  return `${all}: ${readable(interference)} interfere, ${readable(touch)} touch, ${readable(clearance)} too close`;
}

function countGrades(clashes: readonly GradedClash[]): Record<ClashGrade, number> {
  const counts: Record<ClashGrade, number> = { interference: 0, touch: 0, clearance: 0 };
  for (const { grade } of clashes) counts[grade]++;
  return counts;
}

/** Says how many depths are missing, and why the first of them is. */
function warnUnknown(clashes: readonly GradedClash[], depthSeconds: number): string[] {
  const unknown = clashes.filter(({ reason }) => reason !== null);
  if (unknown.length === 0 || depthSeconds === 0) return [];
  return [`${readable(unknown.length)} clashes have no depth, the first because: ${unknown[0].reason}`];
}

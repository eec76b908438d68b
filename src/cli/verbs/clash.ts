import type { AssemblyPart } from '../../clash/assembly.js';
import { type Clash, compareClashes } from '../../clash/clash.js';
import { ClashCheck } from '../../clash/clash-check.js';
import { gradeClashes } from '../../clash/grade-clashes.js';
import { gradeClashesInPool } from '../../clash/grade-clashes-in-pool.js';
import type { GradedClash } from '../../clash/graded-clash.js';
import { groupClashes } from '../../clash/group-clashes.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { loadAssembly } from '../clash/assembly.js';
import {
  describeClashes,
  describeStream,
  type GradeCounts,
  nameParts,
  tabulateGroups,
  warnUnknown,
} from '../clash/clash-answer.js';
import { ClashMachines } from '../clash/clash-machines.js';
import { type ClashRequest, DEPTH_SECONDS, takeClashRequest } from '../clash/clash-request.js';
import { runCheck } from '../clash/run-check.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS, openCluster } from '../cluster/open-cluster.js';
import { factsAsJson, factsAsText } from '../facts.js';
import { saveBytes } from '../load-model.js';
import { CLASH_OUTPUT_OPTIONS, saveClashOutputs } from '../report/clash-outputs.js';
import type { Answer, Verb } from '../verb.js';

/** Chosen: fewer depths than this are measured before threads have started. */
const DEPTHS_WORTH_THREADS = 16;

export const clash: Verb = {
  name: 'clash',
  summary: 'finds the parts of an assembly that overlap, touch or are too close to each other',
  usage:
    'clash FILE… [--clearance C] [--touch T] [--ignore "A,B"]… [--report F.html] [--bcf F.bcfzip] [--csv F.csv] [-o CLASHES.ndjson] [--resume JOURNAL]',
  help: `Tests every pair of parts in one or more files. A GLB has parts and instances; an STL or OBJ file is one part.
Closed parts are solids; touching counts as intersecting. Scaled and mirrored instances keep their shape. Each clash is
graded: interference with its depth and the way out, touch, or clearance for a gap that is too small.
  --clearance C        also report pairs up to the distance C (default 0: only pairs that intersect)
  --touch T            overlaps and gaps up to T count as touching (default: 1e-6 of the smaller part's size)
  --ignore "A,B"       leave out pairs of a part named A and a part named B; * and ? stand for any characters and any one
                       character; repeat it for more pairs. "bolt*,*" leaves out every pair with a bolt
  --ignore-file FILE   a JSON file of such pairs: [["bolt*", "plate"], …]
  --depth-seconds S    time limit for all depths together (default ${DEPTH_SECONDS}, with -o 0; 0 for no depths)
  --report F.html      write a page with a 3D view of the assembly, a picture of every clash, filters and a table
  --bcf F.bcfzip       write the clashes as topics of the BIM Collaboration Format 2.1, with views and pictures
  --csv F.csv          write the clashes as a table for spreadsheets
  --unit NAME          the name of the unit of length in these files (default: units; BCF knows mm, cm, m, in and ft)
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
    'depth-seconds': { type: 'string' },
    ...CLASH_OUTPUT_OPTIONS,
    unit: { type: 'string' },
    output: { type: 'string', short: 'o' },
    workers: { type: 'string' },
    resume: { type: 'string' },
    ...CLUSTER_OPTIONS,
  },
  async run(input) {
    const request = await takeClashRequest(input);
    const parts = await loadAssembly(request.files, partOfProgress(input.progress, 0, 0.2));
    const start = performance.now();
    const { clearance, ignore, journal, stream } = request;
    const check = new ClashCheck(parts, { clearance, ignore, ...partOfProgress(input.progress, 0.2, 0.3) });
    const failures: string[] = [];
    const machines = new ClashMachines(await openCluster(input), request.workers);
    try {
      const progress = partOfProgress(input.progress, 0.3, stream === null ? 0.5 : 1);
      const blocks = runCheck(check, { machines, journal, progress, failures });
      const run: CheckRun = { request, parts, check, machines, blocks, failures, start };
      return stream === null ? await answerWhole(run, input.progress) : await writeStream(run, stream);
    } finally {
      await machines.close();
    }
  },
};

/** A check under way. */
interface CheckRun {
  readonly request: ClashRequest;
  readonly parts: readonly AssemblyPart[];
  readonly check: ClashCheck;
  readonly machines: ClashMachines;
  readonly blocks: AsyncGenerator<readonly Clash[]>;
  /** Lines about jobs that no machine could answer; complete when all blocks are taken. */
  readonly failures: readonly string[];
  /** When it began, in milliseconds. */
  readonly start: number;
}

/** Takes all clashes, grades them and writes the files that are asked for. */
async function answerWhole(run: CheckRun, progress: ProgressOptions): Promise<Answer> {
  const { request, parts, check, blocks, failures } = run;
  const { files, clearance, depthSeconds, outputs, written, unit } = request;
  const found: Clash[] = [];
  for await (const block of blocks) for (const clash of block) found.push(clash);
  const clashes = await grade(
    run,
    found.sort(compareClashes),
    1000 * depthSeconds,
    partOfProgress(progress, 0.5, written.length === 0 ? 1 : 0.7),
  );
  const groups = groupClashes(parts, clashes);
  const milliseconds = performance.now() - run.start;
  const { pairsTested, pairsIgnored } = check;
  const reported = { files, parts, clearance, clashes, pairsTested, pairsIgnored, milliseconds, unit };
  await saveClashOutputs(outputs, reported, partOfProgress(progress, 0.7, 1));
  const facts = describeClashes(request, { parts, check, milliseconds, failures }, clashes, groups);
  return {
    json: factsAsJson(facts),
    text: [factsAsText(facts), ...tabulateGroups(parts, clashes, groups)].join('\n'),
    warnings: [...failures, ...warnUnknown(clashes, depthSeconds)],
  };
}

/** Grades and writes block after block; nothing is kept. */
async function writeStream(run: CheckRun, output: string): Promise<Answer> {
  const { request, parts, check, blocks, failures } = run;
  const grades: GradeCounts = { interference: 0, touch: 0, clearance: 0 };
  let intersecting = 0;
  let left = 1000 * request.depthSeconds;
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const block of blocks) {
      const before = performance.now();
      const graded = await grade(run, block, left);
      if (left > 0) left = Math.max(0, left - (performance.now() - before));
      for (const { grade, intersects } of graded) {
        grades[grade]++;
        if (intersects) intersecting++;
      }
      yield encoder.encode(graded.map((clash) => `${JSON.stringify(nameParts(clash, parts))}\n`).join(''));
    }
  }
  await saveBytes(output, lines());
  const milliseconds = performance.now() - run.start;
  const facts = describeStream(request, { parts, check, milliseconds, failures }, grades, intersecting);
  return { json: factsAsJson(facts), text: factsAsText(facts), warnings: [...failures] };
}

/** Grades clashes, in threads or on other machines where there are enough depths to measure. */
async function grade(
  { request, parts, machines }: CheckRun,
  clashes: readonly Clash[],
  maxMilliseconds: number,
  progress: ProgressOptions = {},
): Promise<GradedClash[]> {
  const options = { touchTolerance: request.touchTolerance, maxMilliseconds, ...progress };
  const overlaps = maxMilliseconds === 0 ? 0 : clashes.filter(({ intersects }) => intersects).length;
  const pool = overlaps === 0 ? undefined : machines.pool(overlaps >= DEPTHS_WORTH_THREADS);
  return pool === undefined ? gradeClashes(parts, clashes, options) : gradeClashesInPool(pool, parts, clashes, options);
}

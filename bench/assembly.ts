// Clash checks of plants of 2,000 to 100,000 parts: the command as a process, with one and two workers, and the pairs that
// intersect beside FCL's broad phase and collision test in one thread.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModelFile, writeModel } from 'nearfield/io';
import { type AssemblyPart, buildAssembly, ClashCheck, runClashJob } from 'nearfield/proximity';
import { processorTime } from './measure.js';
import { buildFclDriver, FclScene } from './peers/fcl.js';
import { createPlant, PLANT_CLEARANCE } from './scenarios/assembly.js';
import type { BenchTable, Suite } from './suite.js';

const COMMAND = fileURLToPath(new URL(/* @vite-ignore */ '../cli/main.js', import.meta.url));
/** Prints what the process used when it ends, its threads included. */
const WATCH =
  'import { isMainThread } from "node:worker_threads"; if (isMainThread) process.on("exit", () => ' +
  'process.stderr.write("\\n" + JSON.stringify(process.resourceUsage())));';

export const assemblySuite: Suite = {
  name: 'assembly',
  title: 'Clashes of large assemblies',
  chapters: ['clash', 'proximity', 'penetration'],
  async run({ quick, progress }) {
    const sizes = quick ? [2000] : [2000, 10_000, 100_000];
    const checks: string[][] = [];
    const peers: string[][] = [];
    const driver = buildFclDriver();
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-assembly-'));
    try {
      for (const [index, size] of sizes.entries()) {
        progress(index / sizes.length, `${size} parts`);
        const plant = createPlant(size);
        const file = join(folder, `plant-${size}.glb`);
        writeFileSync(file, await writeModel(plant, 'glb'));
        for (const workers of [1, 2]) checks.push(runCommand(file, size, workers));
        peers.push(await besideFcl(plant, driver));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const clashTable: BenchTable = {
      title: `nearfield clash -o, parts within ${PLANT_CLEARANCE} mm: the whole command, reading the GLB included`,
      headings: [
        'parts',
        'pairs of boxes',
        'different',
        'intersect',
        'near',
        'workers',
        'seconds',
        'processor seconds',
        'µs a pair',
        'peak MB',
      ],
      rows: checks,
      notes: [
        'A plant of 200 shapes of about 1,000 triangles. Half of its bays are copies to the bit. Other work on the machine lengthens',
        'seconds; processor seconds are of all threads together.',
      ],
    };
    const peerTable: BenchTable = {
      title: 'All pairs of parts that intersect, processor seconds of one thread',
      headings: [
        'parts',
        'ours: pairs tested',
        'intersect',
        's',
        "FCL's manager: pairs tested",
        'collide',
        's',
        'faster by',
      ],
      rows: peers,
      notes: [
        "FCL's DynamicAABBTreeCollisionManager, boxes of its bodies around spheres, then trees of OBB, first collision only. Ours also",
        'makes its trees in that time, finds solids inside others, and gives a common point.',
        ...('missing' in driver ? [driver.missing] : []),
      ],
    };
    return [clashTable, peerTable];
  },
};

const count = (value: number): string => value.toLocaleString('en-US');

function runCommand(file: string, size: number, workers: number): string[] {
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  const words = ['clash', file, '--clearance', String(PLANT_CLEARANCE), '-o', `${file}.ndjson`, '--json'];
  const start = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', watch, COMMAND, ...words, '--workers', String(workers)],
    { encoding: 'utf8' },
  );
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(`nearfield clash ended with ${status}: ${stderr}`);
  const { pairsTested, questions, intersecting, clashCount } = JSON.parse(stdout);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1));
  const processor = (userCPUTime + systemCPUTime) / 1e6;
  return [
    count(size),
    count(pairsTested),
    count(questions),
    count(intersecting),
    count(clashCount - intersecting),
    String(workers),
    seconds.toFixed(1),
    processor.toFixed(1),
    ((1e6 * processor) / pairsTested).toFixed(1),
    count(Math.round(maxRSS / 1024)),
  ];
}

async function besideFcl(plant: ModelFile, driver: ReturnType<typeof buildFclDriver>): Promise<string[]> {
  const parts = buildAssembly(plant);
  const start = processorTime();
  const check = new ClashCheck(parts);
  let intersecting = 0;
  for (let index = 0; index < check.jobCount; index++) {
    const { models, job } = check.job(index);
    const answer = runClashJob(
      models.map((number) => check.models[number]),
      job,
    );
    intersecting += check.clashesOf(index, answer).length;
  }
  const seconds = (processorTime() - start) / 1000;
  const ours = [count(parts.length), count(check.pairsTested), count(intersecting), seconds.toFixed(2)];
  if ('missing' in driver) return [...ours, '–', '–', '–', '–'];
  const fcl = new FclScene(driver.file, toScenario(parts));
  try {
    const { microseconds, results } = await fcl.pass('manager');
    const theirs = microseconds / 1e6;
    return [...ours, count(results[0]), count(results[1]), theirs.toFixed(2), `${(theirs / seconds).toFixed(1)}×`];
  } finally {
    fcl.close();
  }
}

function toScenario(parts: readonly AssemblyPart[]): ConstructorParameters<typeof FclScene>[1] {
  const poses = new Float64Array(7 * parts.length);
  for (const [i, { pose }] of parts.entries()) poses.set(pose, 7 * i);
  const bodies = parts.map(({ name, model }) => ({ name, mesh: model.mesh }));
  return { name: 'plant', title: 'Plant', bodies, pairs: [], frameCount: 1, poses };
}

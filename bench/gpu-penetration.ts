// Penetration queries on this machine's GPU, alone: prints one JSON document, the record that the penetration suite quotes.
//   node dist/bench/gpu-penetration.js > bench/results/gpu-penetration.json
// The script contains the library; only the package `webgpu` must be resolvable from its folder. --software also accepts
// a software adapter, --quick runs each query once: not for publication.
import { requestGpuDevice } from 'nearfield/gpu';
import { timeSteps } from './gpu-steps.js';
import type { GpuRecord, GpuRun } from './penetration-gpu-record.js';
import {
  CERTIFIED,
  CPU_PROBES,
  gpuContestants,
  type PreparedPair,
  preparePair,
  type QueryContestant,
  timeQueries,
} from './penetration-run.js';
import { recordOrigin } from './record-origin.js';
import { penetrationBenchmarks, wrinkledTori } from './scenarios/penetration.js';

const ROUNDS = 50;
/** A contestant that has taken this long is not run again; it is stopped if its first answer takes four times as long. */
const PATIENCE = 10_000;
const QUICK_PATIENCE = 1000;
/** For the windows of all pairs together; those whose turn comes later are left out. */
const WINDOWS_LIMIT = 120_000;
const QUICK_WINDOWS_LIMIT = 10_000;

interface Choices {
  readonly software: boolean;
  readonly quick: boolean;
}

/** What is known of a pair so far. */
type PairRecord = Omit<GpuRecord['benchmarks'][number], 'runs' | 'failures'> & { runs: GpuRun[]; failures: string[] };

async function recordGpu({ software, quick }: Choices): Promise<GpuRecord> {
  const gpu = await requestGpuDevice({ powerPreference: 'high-performance' });
  if (gpu.isSoftware && !software) {
    throw new Error(`the only adapter is ${gpu.name}, which runs on the CPU; --software takes it all the same`);
  }
  const [rays, windows] = gpuContestants(gpu);
  const pairs = (quick ? penetrationBenchmarks : [...penetrationBenchmarks, wrinkledTori]).map(preparePair);
  const benchmarks = pairs.map(({ pair: { name, title }, pieces }): PairRecord => {
    return { name, title, pieces, runs: [], failures: [] };
  });
  for (const [index, prepared] of pairs.entries()) {
    for (const contestant of [CERTIFIED, CPU_PROBES, rays]) {
      await addRun(benchmarks[index], prepared, contestant, quick);
    }
  }
  const steps = await timeSteps(gpu, [pairs[0], pairs[2]], { rounds: quick ? 1 : ROUNDS, quick });
  // Last and the smallest first, because a level of theirs cannot be stopped: the rest is on the error output by then.
  const end = performance.now() + (quick ? QUICK_WINDOWS_LIMIT : WINDOWS_LIMIT);
  const bySums = [...pairs.entries()].sort(([, u], [, v]) => u.pieces[0] * u.pieces[1] - v.pieces[0] * v.pieces[1]);
  for (const [index, prepared] of bySums) {
    if (performance.now() < end) await addRun(benchmarks[index], prepared, windows, quick);
    else benchmarks[index].failures.push(`${windows.name}: not tried for want of time`);
  }
  return {
    ...recordOrigin(gpu.name),
    benchmarks,
    steps,
  };
}

/** A failure is recorded with its message and does not stop the others. */
async function addRun(
  { title, runs, failures }: PairRecord,
  prepared: PreparedPair,
  contestant: QueryContestant,
  quick: boolean,
): Promise<void> {
  const options = quick ? { rounds: 1, patience: QUICK_PATIENCE } : { rounds: ROUNDS, patience: PATIENCE };
  const fail = (text: string): void => {
    failures.push(`${contestant.name}: ${text}`);
    process.stderr.write(`${title}, ${contestant.name}: ${text}\n`);
  };
  try {
    const [timing] = await timeQueries(prepared, [contestant], options);
    if (timing === undefined) return fail('no answer in time');
    const { name, median, minimum, rounds, result } = timing;
    const { backend, depth, lower, status, levels } = result;
    runs.push({ name, median, minimum, rounds, backend, depth, lower, status, levels });
    process.stderr.write(`${title}, ${name}: ${median.toFixed(3)} ms by ${backend}, depth ${depth}\n`);
    if (contestant.options.backend === 'webgpu' && backend !== 'webgpu') fail('the CPU answered for the GPU');
  } catch (error) {
    fail((error as Error).message);
  }
}

try {
  const has = (word: string): boolean => process.argv.includes(word);
  const record = await recordGpu({ software: has('--software'), quick: has('--quick') });
  process.stdout.write(`${JSON.stringify(record, null, 2)}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

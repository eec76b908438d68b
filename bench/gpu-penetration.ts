// Penetration queries on this machine's GPU, alone: prints one JSON document, the record that the penetration suite quotes.
//   node dist/bench/gpu-penetration.js > bench/results/gpu-penetration.json
// The script holds the library; only the package `webgpu` must be found from where it lies. --software takes a software
// adapter too, --quick asks once: for a look, not for quoting.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { type GpuDevice, requestGpuDevice } from 'nearfield/gpu';
import { timeSteps } from './gpu-steps.js';
import type { GpuRecord, GpuRun } from './penetration-gpu-record.js';
import { contestantsOf, type PreparedPair, preparePair, timeQueries } from './penetration-run.js';
import { penetrationBenchmarks, wrinkledTori } from './scenarios/penetration.js';

const ROUNDS = 15;

interface Choices {
  readonly software: boolean;
  readonly quick: boolean;
}

async function recordGpu({ software, quick }: Choices): Promise<GpuRecord> {
  const gpu = await requestGpuDevice({ powerPreference: 'high-performance' });
  if (gpu.isSoftware && !software) {
    throw new Error(`the only adapter is ${gpu.name}, which runs on the CPU; --software takes it all the same`);
  }
  const benchmarks = [];
  const prepared: PreparedPair[] = [];
  for (const pair of quick ? penetrationBenchmarks : [...penetrationBenchmarks, wrinkledTori]) {
    process.stderr.write(`${pair.title}\n`);
    const each = preparePair(pair);
    prepared.push(each);
    benchmarks.push({
      name: pair.name,
      title: pair.title,
      pieces: each.pieces,
      ...(await timeAll(gpu, each, quick ? 1 : ROUNDS)),
    });
  }
  process.stderr.write('single steps\n');
  // The tori and the letters: 3,600 and some hundred sums. All pairs of the others' pieces are tens of thousands.
  const steps = await timeSteps(gpu, [prepared[3], prepared[0]], quick ? 1 : ROUNDS);
  return {
    device: gpu.name,
    driver: readDriver(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.version,
    dawn: readDawnVersion(),
    date: new Date().toISOString().slice(0, 10),
    benchmarks,
    steps,
  };
}

/** Each contestant that answers; one that fails is told with its message, and does not end the others. */
async function timeAll(
  gpu: GpuDevice,
  prepared: PreparedPair,
  rounds: number,
): Promise<{ runs: GpuRun[]; failures: string[] }> {
  const runs: GpuRun[] = [];
  const failures: string[] = [];
  for (const contestant of contestantsOf(gpu)) {
    try {
      const [{ name, median, minimum, result }] = await timeQueries(prepared, [contestant], rounds);
      const { depth, status, levels } = result;
      runs.push({ name, median, minimum, depth, status, levels });
    } catch (error) {
      failures.push(`${contestant.name}: ${(error as Error).message}`);
    }
  }
  return { runs, failures };
}

/** Name and driver as the vendor's tool tells them; WebGPU hides them. */
function readDriver(): string {
  const query = ['--query-gpu=name,driver_version', '--format=csv,noheader'];
  const { status, stdout } = spawnSync('nvidia-smi', query, { encoding: 'utf8' });
  const [name, version] = status === 0 ? stdout.split('\n')[0].split(', ') : [];
  return version ? `${name}, driver ${version}` : 'driver unknown';
}

function readDawnVersion(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('webgpu/package.json');
    return JSON.parse(readFileSync(manifest, 'utf8')).version;
  } catch {
    return 'of unknown version';
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

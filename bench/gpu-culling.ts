// Collision culling on this machine's GPU, alone: prints one JSON document, the record that pages quote.
//   node dist/bench/gpu-culling.js > bench/results/gpu-culling.json
// The script contains the library; only the package `webgpu` must be resolvable from its folder. --software also accepts
// a software adapter, --quick runs only the smallest sizes: not for publication.
import { CollisionCuller, type CullOptions } from 'nearfield/culling';
import type { GpuDevice } from 'nearfield/gpu';
import type { CullingGpuRow } from './culling-gpu-record.js';
import { requestTimedDevice } from './gpu-stopwatch.js';
import { recordOrigin } from './record-origin.js';
import { bunnyInDragon, type CullingEnvironment, deformingCylinders, deformingTori } from './scenarios/culling.js';

const FRAME = 1 / 30;
/** A chip that rested runs at a lower clock at first. */
const WARM_UP_MS = 700;
const FRAMES = 21;

const middle = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1];

async function timeCase(gpu: GpuDevice, environment: CullingEnvironment, options: CullOptions): Promise<CullingGpuRow> {
  const culler = new CollisionCuller({ ...options, output: 'pairs', backend: 'webgpu', device: gpu });
  const onCpu = new CollisionCuller({ output: 'pairs' });
  const { objects } = environment;
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let agrees = true;
  let result = await culler.cull(objects);
  const begin = performance.now();
  for (let frame = 0; times.length < FRAMES; frame++) {
    environment.moveTo(FRAME * (frame % 90));
    const start = performance.now();
    result = await culler.cull(objects);
    const end = performance.now();
    if (end - begin < WARM_UP_MS) continue;
    times.push(end - start);
    if (times.length % 3 !== 0) continue;
    const cpuStart = performance.now();
    const twin = onCpu.cullSync(objects);
    cpuTimes.push(performance.now() - cpuStart);
    agrees &&= `${twin.exactPairs}` === `${result.exactPairs}`;
  }
  culler.destroy();
  const row = {
    case: environment.name,
    triangles: objects.reduce((sum, { indices }) => sum + indices.length / 3, 0),
    method: result.method,
    visibility: result.method === 'cullide' ? (options.visibility ?? 'fragments') : null,
    resolution: result.method === 'cullide' ? (options.resolution ?? null) : null,
    median: middle(times),
    minimum: Math.min(...times),
    cpu: middle(cpuTimes),
    stages: result.stages.map(({ triangles }) => triangles),
    exactPairs: result.exactPairs!.length / 2,
    agrees,
  };
  process.stderr.write(
    `${row.case}, ${row.method} ${row.resolution ?? ''} ${row.visibility ?? ''}: ${row.median.toFixed(2)} ms (least ${row.minimum.toFixed(2)}), ` +
      `on the CPU ${row.cpu.toFixed(2)}, agrees: ${agrees}; ${row.stages.join(' > ')}\n`,
  );
  return row;
}

async function timeAll(gpu: GpuDevice, quick: boolean): Promise<CullingGpuRow[]> {
  const rows: CullingGpuRow[] = [];
  const environments = quick
    ? [deformingCylinders(16)]
    : [
        deformingCylinders(100),
        deformingTori(20_000),
        bunnyInDragon(),
        ...[25, 50, 200, 400].map(deformingCylinders),
        ...[2500, 5000, 10_000, 40_000, 80_000, 160_000].map(deformingTori),
      ];
  for (const environment of environments) {
    rows.push(await timeCase(gpu, environment, { method: 'lbvh' }));
    const resolution = quick ? 64 : 512;
    rows.push(await timeCase(gpu, environment, { method: 'cullide', resolution }));
    rows.push(await timeCase(gpu, environment, { method: 'cullide', resolution, visibility: 'queries' }));
  }
  const tori = quick ? deformingCylinders(4) : deformingTori(20_000);
  for (const resolution of quick ? [64] : [64, 128, 256, 1024, 2048]) {
    rows.push(await timeCase(gpu, tori, { method: 'cullide', resolution }));
  }
  return rows;
}

try {
  const has = (word: string): boolean => process.argv.includes(word);
  const gpu = await requestTimedDevice(has('--software'));
  const record = { ...recordOrigin(gpu.name), rows: await timeAll(gpu, has('--quick')) };
  process.stdout.write(`${JSON.stringify(record, null, 2)}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}

// Voronoi diagrams on this machine's GPU, alone: prints one JSON document, the record that pages quote.
//   node dist/bench/gpu-voronoi.js > bench/results/gpu-voronoi.json
// The script contains the library; only the package `webgpu` must be resolvable from its folder. --software also accepts
// a software adapter, --quick runs only the smallest sizes: not for publication.
import { createRandom } from 'nearfield/core';
import type { GpuDevice } from 'nearfield/gpu';
import { computeSpaceVoronoi, computeVoronoiSync, GpuVoronoi, type PlaneSite, type SpaceSite } from 'nearfield/voronoi';
import { createStopwatch, requestTimedDevice } from './gpu-stopwatch.js';
import { recordOrigin } from './record-origin.js';

const KINDS = ['points', 'segments', 'circles'] as const;
const COUNTS = [10, 100, 1000, 10_000];
const RESOLUTIONS = [256, 512, 1024, 2048, 4096];
const SPACE_RESOLUTIONS = [64, 128, 256];
const BOX = [0, 0, 1, 1];
const ROUNDS = 7;

/** Sites as long as their mean distance, spread evenly over the box. */
function scatterSites(kind: (typeof KINDS)[number], count: number): PlaneSite[] {
  const random = createRandom(1);
  const reach = 1 / Math.sqrt(count);
  return Array.from({ length: count }, (): PlaneSite => {
    const at = [random.range(0, 1), random.range(0, 1)];
    if (kind === 'points') return { type: 'point', at };
    if (kind === 'circles') return { type: 'circle', center: at, radius: random.range(0, 0.5 * reach) };
    return { type: 'segment', a: at, b: at.map((x) => x + random.range(-reach, reach)) };
  });
}

/** Median milliseconds of the processor's clock. */
async function timeCalls(call: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const start = performance.now();
    await call();
    if (round >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
}

async function timeDiagrams(gpu: GpuDevice, counts: readonly number[], resolutions: readonly number[]) {
  const time = createStopwatch(gpu);
  const rows = [];
  for (const resolution of resolutions) {
    for (const count of counts) {
      for (const kind of KINDS) {
        const sites = scatterSites(kind, count);
        const diagram = new GpuVoronoi(gpu, sites, { box: BOX, resolution });
        const device = await time((encoder) => diagram.encode(encoder));
        const setSites = await timeCalls(() => diagram.setSites(sites));
        const read = await timeCalls(() => diagram.read());
        const onGpu = await diagram.read();
        const onCpu = computeVoronoiSync(sites, { box: BOX, resolution });
        let worst = 0;
        let others = 0;
        onCpu.ids.forEach((id, i) => {
          worst = Math.max(worst, Math.abs(onGpu.distances[i] - onCpu.distances[i]));
          if (onGpu.ids[i] !== id) others++;
        });
        diagram.destroy();
        rows.push({
          kind,
          sites: count,
          resolution,
          milliseconds: { device, setSites, read },
          largestDifference: worst,
          bound: onGpu.error + onCpu.error,
          otherIds: others,
        });
        process.stderr.write(
          `${resolution}² ${count} ${kind}: ${device.toFixed(3)} ms on the device, ${read.toFixed(1)} with reading back\n`,
        );
      }
    }
  }
  return rows;
}

/** Triangles about as large as their mean distance. */
function scatterTriangles(count: number): SpaceSite[] {
  const random = createRandom(2);
  const reach = count ** (-1 / 3);
  return Array.from({ length: count }, (): SpaceSite => {
    const a = [random.range(0, 1), random.range(0, 1), random.range(0, 1)];
    const near = (): number[] => a.map((x) => x + random.range(-reach, reach));
    return { type: 'triangle', a, b: near(), c: near() };
  });
}

async function timeSpace(gpu: GpuDevice, counts: readonly number[], resolutions: readonly number[]) {
  const box = { min: [0, 0, 0] as [number, number, number], max: [1, 1, 1] as [number, number, number] };
  const rows = [];
  for (const resolution of resolutions) {
    for (const count of counts) {
      const sites = scatterTriangles(count);
      const options = { box, resolution, backend: 'webgpu', device: gpu } as const;
      const total = await timeCalls(() => computeSpaceVoronoi(sites, options));
      rows.push({ kind: 'triangles', sites: count, resolution, milliseconds: { total } });
      process.stderr.write(`${resolution}³ ${count} triangles: ${total.toFixed(1)} ms with reading back\n`);
    }
  }
  return rows;
}

try {
  const has = (word: string): boolean => process.argv.includes(word);
  const gpu = await requestTimedDevice(has('--software'));
  const record = {
    ...recordOrigin(gpu.name),
    units:
      'milliseconds: device = from the first stage to the last by its own clock; setSites = checks, packing and upload of new sites; read = computing and copying ids and distances to memory; total = all of this, from sites to memory',
    diagrams: await timeDiagrams(gpu, has('--quick') ? [10] : COUNTS, has('--quick') ? [64] : RESOLUTIONS),
    space: await timeSpace(gpu, has('--quick') ? [10] : COUNTS, has('--quick') ? [16] : SPACE_RESOLUTIONS),
  };
  process.stdout.write(`${JSON.stringify(record, null, 2)}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}

// Voronoi diagrams on this machine's GPU, alone: prints one JSON document, the record that pages quote.
//   node dist/bench/gpu-voronoi.js > bench/results/gpu-voronoi.json
// The script contains the library; only the package `webgpu` must be resolvable from its folder. --software also accepts
// a software adapter, --quick runs only the smallest sizes: not for publication.
import { createRandom } from 'nearfield/core';
import type { GpuDevice } from 'nearfield/gpu';
import {
  computeSpaceVoronoi,
  computeSpaceVoronoiSync,
  computeVoronoi,
  computeVoronoiSync,
  GpuVoronoi,
  type PlaneSite,
  type SpaceSite,
} from 'nearfield/voronoi';
import { createStopwatch, requestTimedDevice } from './gpu-stopwatch.js';
import { recordOrigin } from './record-origin.js';

const KINDS = ['points', 'segments', 'circles'] as const;
const COUNTS = [10, 100, 1000, 10_000];
const RESOLUTIONS = [256, 512, 1024, 2048, 4096];
const SPACE_RESOLUTIONS = [64, 128, 256];
const MESH_RESOLUTIONS = [1024, 2048];
const MESH_COUNTS = [10, 100, 1000];
const BOX = [0, 0, 1, 1];
const CUBE = { min: [0, 0, 0] as [number, number, number], max: [1, 1, 1] as [number, number, number] };
const ROUNDS = 7;
/** For distance meshes, whose calls take long. */
const FEW_ROUNDS = 3;

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
async function timeCalls(call: () => unknown, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const start = performance.now();
    await call();
    if (round >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[rounds >> 1];
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
        diagram.destroy();
        rows.push({
          kind,
          sites: count,
          resolution,
          milliseconds: { device, setSites, read },
          ...compare(onGpu, onCpu),
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
  const rows = [];
  for (const resolution of resolutions) {
    for (const count of counts) {
      const sites = scatterTriangles(count);
      const options = { box: CUBE, resolution, backend: 'webgpu', device: gpu } as const;
      const total = await timeCalls(() => computeSpaceVoronoi(sites, options));
      rows.push({ kind: 'triangles', sites: count, resolution, milliseconds: { total } });
      process.stderr.write(`${resolution}³ ${count} triangles: ${total.toFixed(1)} ms with reading back\n`);
    }
  }
  return rows;
}

/** What every sample of a drawn diagram is off by at most, in distance, and how many have another site. */
function compare(
  drawn: { readonly ids: Int32Array; readonly distances: ArrayLike<number>; readonly error: number },
  exact: { readonly ids: Int32Array; readonly distances: ArrayLike<number>; readonly error: number },
) {
  let worst = 0;
  let others = 0;
  exact.ids.forEach((id, i) => {
    worst = Math.max(worst, Math.abs(drawn.distances[i] - exact.distances[i]));
    if (drawn.ids[i] !== id) others++;
  });
  return { largestDifference: worst, bound: drawn.error + exact.error, otherIds: others };
}

/** Distance meshes in the plane: made on the processor, drawn by the device. */
async function timeMeshImages(gpu: GpuDevice, counts: readonly number[], resolutions: readonly number[]) {
  const rows = [];
  for (const resolution of resolutions) {
    for (const count of counts) {
      for (const kind of KINDS) {
        const sites = scatterSites(kind, count);
        const options = { box: BOX, resolution, method: 'mesh' } as const;
        const draw = () => computeVoronoi(sites, { ...options, backend: 'webgpu', device: gpu });
        const total = await timeCalls(draw, FEW_ROUNDS);
        const onCpu = await timeCalls(() => computeVoronoi(sites, { ...options, backend: 'cpu' }), 1);
        const image = await draw();
        rows.push({
          kind,
          sites: count,
          resolution,
          triangles: image.counters.triangles,
          milliseconds: { total, onCpu },
          ...compare(image, computeVoronoiSync(sites, { box: BOX, resolution })),
        });
        process.stderr.write(
          `${resolution}² ${count} ${kind} as meshes: ${total.toFixed(1)} ms, CPU ${onCpu.toFixed(1)}\n`,
        );
      }
    }
  }
  return rows;
}

/** Distance meshes in space. */
async function timeMeshSpace(gpu: GpuDevice, counts: readonly number[], resolutions: readonly number[]) {
  const rows = [];
  for (const resolution of resolutions) {
    for (const count of counts) {
      // Minutes.
      if (count * resolution > 128_000) continue;
      const sites = scatterTriangles(count);
      const options = { box: CUBE, resolution, method: 'mesh' } as const;
      const draw = () => computeSpaceVoronoi(sites, { ...options, backend: 'webgpu', device: gpu });
      const total = await timeCalls(draw, FEW_ROUNDS);
      const onCpu = await timeCalls(() => computeSpaceVoronoiSync(sites, options), 1);
      const diagram = await draw();
      rows.push({
        kind: 'triangles',
        sites: count,
        resolution,
        triangles: diagram.counters.triangles,
        milliseconds: { total, onCpu },
        ...compare(diagram, computeSpaceVoronoiSync(sites, { box: CUBE, resolution })),
      });
      process.stderr.write(
        `${resolution}³ ${count} triangles as meshes: ${total.toFixed(1)} ms, CPU ${onCpu.toFixed(1)}\n`,
      );
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
      'milliseconds: device = from the first stage to the last by its own clock; setSites = checks, packing and upload of new sites; read = computing and copying ids and distances to memory; total = all of this, from sites to memory; onCpu = the same in software',
    diagrams: await timeDiagrams(gpu, has('--quick') ? [10] : COUNTS, has('--quick') ? [64] : RESOLUTIONS),
    space: await timeSpace(gpu, has('--quick') ? [10] : COUNTS, has('--quick') ? [16] : SPACE_RESOLUTIONS),
    meshImages: await timeMeshImages(gpu, has('--quick') ? [10] : COUNTS, has('--quick') ? [64] : MESH_RESOLUTIONS),
    meshSpace: await timeMeshSpace(gpu, has('--quick') ? [10] : MESH_COUNTS, has('--quick') ? [16] : SPACE_RESOLUTIONS),
  };
  process.stdout.write(`${JSON.stringify(record, null, 2)}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}

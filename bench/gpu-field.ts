// Distance fields on this machine's GPU, alone: prints one JSON document, the record that pages quote.
//   node dist/bench/gpu-field.js > bench/results/gpu-field.json
// The script contains the library; only the package `webgpu` must be resolvable from its folder. --software also accepts
// a software adapter, --quick runs only the smallest sizes: not for publication.
import { createRandom } from 'nearfield/core';
import {
  type FloodFieldTimes,
  type FloodNeighbors,
  floodFieldOnGpu,
  floodSteps,
  GpuFlood,
  type GridSize,
  gridNodeCount,
  gridOverBox,
  nodePosition,
  packSites,
} from 'nearfield/field';
import type { GpuDevice } from 'nearfield/gpu';
import { findModel, MeshQuery } from 'nearfield/mesh';
import { createStopwatch, requestTimedDevice } from './gpu-stopwatch.js';
import { recordOrigin } from './record-origin.js';

const SIZES: readonly GridSize[] = [
  [1024, 1024, 1],
  [2048, 2048, 1],
  [4096, 4096, 1],
  [8192, 8192, 1],
  [256, 256, 256],
  [512, 512, 512],
];
const QUICK_SIZES: readonly GridSize[] = [
  [64, 64, 1],
  [16, 16, 16],
];
/** Share of nodes that are sites. */
const DENSITY = 1e-3;
const MODELS = ['sphere', 'torus', 'bunny', 'dragon'];
const RESOLUTIONS = [128, 256];
const FIELD_SAMPLES = 2000;
const FIELD_ROUNDS = 5;
/** Copies per round, so that submitting is a small part of the time. */
const COPIES = 20;

/** WebGPU's flag values, which TypeScript's DOM library does not declare. */
const [COPY_SRC, COPY_DST, STORAGE] = [0x4, 0x8, 0x80];
const COPY_CODE = `
@group(0) @binding(0) var<storage, read> a: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4u>;
@compute @workgroup_size(256) fn copy(
  @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + thread;
  if (i < arrayLength(&a)) { b[i] = a[i]; }
}`;

async function timeFloods(gpu: GpuDevice, sizes: readonly GridSize[]) {
  const { device } = gpu;
  const time = createStopwatch(gpu);
  const pipeline = device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: COPY_CODE }), entryPoint: 'copy' },
  });
  const rows = [];
  for (const size of sizes) {
    const nodes = size[0] * size[1] * size[2];
    const bytes = 4 * nodes;
    const buffers = [0, 1].map(() => device.createBuffer({ size: bytes, usage: COPY_SRC | COPY_DST | STORAGE }));
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const groups = Math.ceil(nodes / 1024);
    const across = Math.min(groups, 32768);
    const kernel = await time((encoder) => {
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      for (let i = 0; i < COPIES; i++) pass.dispatchWorkgroups(across, Math.ceil(groups / across));
      pass.end();
    });
    const command = await time((encoder) => {
      for (let i = 0; i < COPIES; i++) encoder.copyBufferToBuffer(buffers[0], 0, buffers[1], 0, bytes);
    });
    const random = createRandom(5);
    const sites = new Int32Array(nodes).fill(-1);
    for (let i = 0; i < nodes * DENSITY; i++) sites[random.integer(nodes)] = i;
    device.queue.writeBuffer(buffers[0], 0, packSites(size, sites));
    const steps = floodSteps(size, 'jfa');
    const rate = (ms: number, times: number): number => (2 * bytes * times) / ms / 1e6;
    const copyKernelRate = rate(kernel, COPIES);
    const copyCommandRate = rate(command, COPIES);
    const neighborhoods: readonly FloodNeighbors[] = size[2] === 1 ? ['all'] : ['all', 'axes'];
    for (const neighbors of neighborhoods) {
      const flood = new GpuFlood(gpu, size, steps, neighbors);
      const milliseconds = await time(
        (encoder) => flood.encode(encoder),
        (encoder) => encoder.copyBufferToBuffer(buffers[0], 0, flood.sites, 0, bytes),
      );
      flood.destroy();
      const floodRate = rate(milliseconds, steps.length);
      const row = {
        size,
        neighbors,
        sites: Math.ceil(nodes * DENSITY),
        passes: steps.length,
        milliseconds,
        floodRate,
        copyKernelRate,
        copyCommandRate,
        shareOfCopyKernel: floodRate / copyKernelRate,
      };
      process.stderr.write(
        `${size.join(' × ')} ${neighbors}: ${milliseconds.toFixed(3)} ms, ${row.shareOfCopyKernel.toFixed(2)} of a copy\n`,
      );
      rows.push(row);
    }
    for (const buffer of buffers) buffer.destroy();
  }
  return rows;
}

async function timeFields(gpu: GpuDevice, resolutions: readonly number[]) {
  const rows = [];
  for (const name of MODELS) {
    const mesh = findModel(name).build();
    const min: [number, number, number] = [Infinity, Infinity, Infinity];
    const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    mesh.positions.forEach((x, i) => {
      min[i % 3] = Math.min(min[i % 3], x);
      max[i % 3] = Math.max(max[i % 3], x);
    });
    const margin = 0.1 * Math.max(...max.map((x, axis) => x - min[axis]));
    const box = {
      min: min.map((x) => x - margin) as typeof min,
      max: max.map((x) => x + margin) as typeof max,
    };
    const query = new MeshQuery(mesh);
    for (const resolution of resolutions) {
      const frame = gridOverBox(box, resolution);
      const runs: (FloodFieldTimes & { total: number })[] = [];
      let worst = 0;
      let bound = 0;
      for (let round = 0; round <= FIELD_ROUNDS; round++) {
        const times: FloodFieldTimes = { prepare: 0, device: 0, finish: 0 };
        const start = performance.now();
        const field = await floodFieldOnGpu(gpu, mesh, frame, {}, times);
        if (round > 0) runs.push({ ...times, total: performance.now() - start });
        else {
          const random = createRandom(1);
          bound = field.error.max;
          for (let i = 0; i < FIELD_SAMPLES; i++) {
            const node = random.integer(gridNodeCount(frame));
            const [nx, ny] = frame.size;
            const point = nodePosition(frame, node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny)));
            worst = Math.max(worst, Math.abs(field.values[node] - query.signedDistance(point)));
          }
        }
      }
      runs.sort((a, b) => a.total - b.total);
      const row = {
        model: name,
        triangles: mesh.indices.length / 3,
        size: frame.size,
        milliseconds: runs[runs.length >> 1],
        samples: FIELD_SAMPLES,
        largestDifference: worst,
        bound,
      };
      process.stderr.write(
        `${name} ${frame.size.join(' × ')}: ${row.milliseconds.total.toFixed(1)} ms, off by ${worst}\n`,
      );
      rows.push(row);
    }
  }
  return rows;
}

try {
  const has = (word: string): boolean => process.argv.includes(word);
  const gpu = await requestTimedDevice(has('--software'));
  const record = {
    ...recordOrigin(gpu.name),
    units: 'milliseconds; rates in 10⁹ bytes a second, each pass or copy counted as one read and one write of the grid',
    floods: await timeFloods(gpu, has('--quick') ? QUICK_SIZES : SIZES),
    fields: await timeFields(gpu, has('--quick') ? [16] : RESOLUTIONS),
  };
  process.stdout.write(`${JSON.stringify(record, null, 2)}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}

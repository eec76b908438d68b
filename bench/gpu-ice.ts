// Ice growth on this machine's GPU, alone: prints one JSON document, the record that pages quote.
//   node dist/bench/gpu-ice.js > bench/results/gpu-ice.json
// The script contains the library; only the package `webgpu` must be resolvable from its folder. --software also accepts
// a software adapter, --quick runs only small sizes and short times: not for publication. --speed leaves PFHub's benchmark out.
import type { GpuDevice } from 'nearfield/gpu';
import { createIce } from 'nearfield/ice';
import { createStopwatch, requestTimedDevice } from './gpu-stopwatch.js';
import { runPfhub } from './pfhub.js';
import { recordOrigin } from './record-origin.js';

const SIZES = [64, 128, 256, 512, 1024, 2048, 4096];
/** Steps before those that are timed: early in growth; and times the size, when arms reach half-way to the sides. */
const EARLY = 100;
const GROWN = 10;
/** Steps that are timed, and the count of growths; the median of these counts. */
const STEPS = 1024;
const ROUNDS = 5;
const COPIES = 40;
const SPACINGS = [1, 0.5, 0.25];

/** WebGPU's flag values, which TypeScript's DOM library does not declare. */
const STORAGE = 0x80;
const COPY_CODE = `
@group(0) @binding(0) var<storage, read> a: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4f>;
@compute @workgroup_size(256) fn copy(
  @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + thread;
  if (i < arrayLength(&a)) { b[i] = a[i]; }
}`;

/** Bytes a second of a kernel that copies both fields, each byte counted as read and as written. */
async function copyRate(gpu: GpuDevice, cells: number): Promise<number> {
  const { device } = gpu;
  const pipeline = device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: COPY_CODE }), entryPoint: 'copy' },
  });
  const buffers = [0, 1].map(() => device.createBuffer({ size: 8 * cells, usage: STORAGE }));
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const groups = Math.ceil(cells / 512);
  const across = Math.min(groups, 32_768);
  const milliseconds = await createStopwatch(gpu)((encoder) => {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    for (let i = 0; i < COPIES; i++) pass.dispatchWorkgroups(across, Math.ceil(groups / across));
    pass.end();
  });
  for (const buffer of buffers) buffer.destroy();
  return (16 * cells * COPIES * 1000) / milliseconds;
}

async function timeSteps(device: GpuDevice, size: number, band: boolean, before: number, rounds: number) {
  const rates: number[] = [];
  let computed = 0;
  for (let round = 0; round < rounds; round++) {
    const ice = await createIce({ size: [size, size], band, backend: 'webgpu', device });
    await ice.advance(before);
    const start = performance.now();
    const work = await ice.advance(STEPS);
    rates.push((1000 * STEPS) / (performance.now() - start));
    computed = work.computedTiles / work.tiles;
    ice.free();
  }
  return { stepsPerSecond: rates.sort((a, b) => a - b)[rates.length >> 1], computed };
}

const options = new Set(process.argv.slice(2));
const gpu = await requestTimedDevice(options.has('--software'));
const isQuick = options.has('--quick');
const rows = [];
for (const size of isQuick ? SIZES.slice(0, 2) : SIZES) {
  const copy = await copyRate(gpu, size * size);
  const full = await timeSteps(gpu, size, false, EARLY, ROUNDS);
  const grown = await timeSteps(gpu, size, false, GROWN * size, 1);
  const band = await timeSteps(gpu, size, true, EARLY, ROUNDS);
  const row = {
    size,
    copyRate: copy,
    full: full.stepsPerSecond,
    grown: grown.stepsPerSecond,
    band: band.stepsPerSecond,
    computed: band.computed,
    shareOfCopy: (16 * size * size * full.stepsPerSecond) / copy,
  };
  process.stderr.write(
    `${size}²: full ${row.full.toFixed(0)} grown ${row.grown.toFixed(0)} band ${row.band.toFixed(0)} steps/s, ` +
      `${row.shareOfCopy.toFixed(3)} of the copy (${(copy / 1e12).toFixed(2)} TB/s)\n`,
  );
  rows.push(row);
}
const pfhub = [];
if (!options.has('--speed')) {
  for (const spacing of isQuick ? [4] : SPACINGS) {
    const run = await runPfhub({
      spacing,
      end: isQuick ? 15 : 1500,
      samples: isQuick ? 3 : 30,
      backend: 'webgpu',
      device: gpu,
    });
    process.stderr.write(
      `PFHub 3a, spacing ${spacing}: tip at ${run.tip.toFixed(1)} after ${run.seconds.toFixed(1)} s\n`,
    );
    pfhub.push(run);
  }
}
process.stdout.write(`${JSON.stringify({ ...recordOrigin(gpu.name), rows, pfhub }, null, 1)}\n`);
gpu.device.destroy();

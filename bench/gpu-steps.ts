// Times of single steps of the GPU path, to compare with the limits of the chip: submitting, reading back, drawing windows
// of many sums, and tracing more and more rays through the same sums.
import type { GpuDevice } from 'nearfield/gpu';
import { findModel } from 'nearfield/mesh';
import { writeViewMatrix } from 'nearfield/penetration';
import { createWebGpuRasterizer, type RasterDraw, type Rasterizer, type RasterState } from 'nearfield/raster';
import { askPenetration, type PreparedPair } from './penetration-run.js';

export interface StepTiming {
  readonly name: string;
  /** Milliseconds. */
  readonly median: number;
  readonly minimum: number;
}

/** WebGPU's flag values, which TypeScript's DOM library does not declare. */
const [MAP_READ, COPY_SRC, COPY_DST] = [0x1, 0x4, 0x8];
const READ = 0x1;
const RESOLUTION = 256;
const VIEWS = 6;
const RASTERIZERS: readonly { readonly name: string; create(gpu: GpuDevice): Rasterizer }[] = [
  { name: 'render pipelines', create: createWebGpuRasterizer },
];
/** The count of sums that are drawn at once, as in the figures that others measured on these chips. */
const WINDOW_SUMS = [200, 5000];
/** Pixels along the side of a view: what grows from one to the next is the time of the rays. */
const RAY_RESOLUTIONS = [64, 256, 1024];

/** `quick` takes the smallest of each size alone. */
export async function timeSteps(
  gpu: GpuDevice,
  pairs: readonly PreparedPair[],
  { rounds, quick }: { readonly rounds: number; readonly quick: boolean },
): Promise<StepTiming[]> {
  const timeStep = (name: string, step: () => Promise<unknown>) => timeRounds(name, step, rounds);
  const sizesOf = (sizes: readonly number[]): readonly number[] => (quick ? sizes.slice(0, 1) : sizes);
  const steps = [await timeStep('submit and wait', () => submitNothing(gpu))];
  for (const [name, bytes] of [
    ['256 B', 256],
    ['256² floats', 4 * 256 ** 2],
    ['1024² floats', 4 * 1024 ** 2],
  ] as const) {
    const reader = createReader(gpu, bytes);
    steps.push(await timeStep(`read back ${name}`, reader.read));
    reader.destroy();
  }
  for (const { name: way, create } of RASTERIZERS) {
    for (const count of sizesOf(WINDOW_SUMS)) {
      const windows = createWindows(create(gpu), count);
      const size = `${count} sums of ${windows.trianglesOfSum} triangles, ${VIEWS} views of ${RESOLUTION}²`;
      steps.push(await timeStep(`windows by ${way}: ${size}`, windows.draw));
      windows.destroy();
    }
  }
  for (const prepared of pairs) {
    for (const resolution of sizesOf(RAY_RESOLUTIONS)) {
      const step = await timeRays(gpu, prepared, resolution, rounds);
      if (step !== null) steps.push(step);
    }
  }
  return steps;
}

async function timeRounds(name: string, step: () => Promise<unknown>, rounds: number): Promise<StepTiming> {
  await step();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await step();
    times.push(performance.now() - start);
  }
  return summarize(name, times);
}

function summarize(name: string, times: number[]): StepTiming {
  times.sort((a, b) => a - b);
  return { name, median: times[times.length >> 1], minimum: times[0] };
}

async function submitNothing({ device }: GpuDevice): Promise<void> {
  device.queue.submit([device.createCommandEncoder().finish()]);
  await device.queue.onSubmittedWorkDone();
}

function createReader({ device }: GpuDevice, size: number) {
  const source = device.createBuffer({ size, usage: COPY_SRC });
  const copy = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
  return {
    read: async (): Promise<number> => {
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(source, 0, copy, 0, size);
      device.queue.submit([encoder.finish()]);
      await copy.mapAsync(READ);
      const last = new Float32Array(copy.getMappedRange()).at(-1)!;
      copy.unmap();
      return last;
    },
    destroy: () => {
      source.destroy();
      copy.destroy();
    },
  };
}

/** Front faces nearer than the front open the window; back faces seen through it move the front on, then close it. */
const OPEN: RasterState = {
  cull: 'back',
  depthCompare: 'less-equal',
  depthWrite: false,
  colorWrite: false,
  stencilPass: 'replace',
  stencilReference: 1,
};
const ADVANCE: RasterState = {
  cull: 'front',
  depthCompare: 'greater',
  stencilCompare: 'equal',
  stencilReference: 1,
  stencilPass: 'zero',
};

/** Back faces of sums around the eye, which has no front faces in sight: the front moves to the farthest. */
const SURROUND: RasterState = { cull: 'front', depthCompare: 'greater' };
const BALL_RADIUS = 0.2;

/** Balls from the origin outwards, each through the window passes in turn, then the least distance of what is seen. */
function createWindows(rasterizer: Rasterizer, count: number) {
  const ball = findModel('sphere').build({ radius: BALL_RADIUS, segments: 12, rings: 5 });
  const trianglesOfSum = ball.indices.length / 3;
  const vertices = ball.positions.length / 3;
  const positions = new Float32Array(3 * vertices * count);
  const indices = new Uint32Array(3 * trianglesOfSum * count);
  for (let sum = 0; sum < count; sum++) {
    // A golden spiral: in all directions, from the origin outwards.
    const height = 1 - (2 * sum + 1) / count;
    const angle = sum * Math.PI * (3 - Math.sqrt(5));
    const reach = sum / count;
    const around = reach * Math.sqrt(1 - height * height);
    const center = [around * Math.cos(angle), reach * height, around * Math.sin(angle)];
    for (let i = 0; i < 3 * vertices; i++) positions[3 * vertices * sum + i] = ball.positions[i] + center[i % 3];
    for (let i = 0; i < ball.indices.length; i++) {
      indices[ball.indices.length * sum + i] = ball.indices[i] + vertices * sum;
    }
  }
  const geometry = rasterizer.createGeometry(positions, indices);
  const target = rasterizer.createTarget(RESOLUTION, RESOLUTION, VIEWS);
  const views = new Float32Array(16 * VIEWS);
  for (let view = 0; view < VIEWS; view++) writeViewMatrix(views, 16 * view, view, 0.01, 10);
  const draws = Array.from({ length: count }, (_, sum): RasterDraw[] =>
    (sum / count < BALL_RADIUS ? [SURROUND] : [OPEN, ADVANCE]).map((state) => ({
      geometry,
      firstTriangle: sum * trianglesOfSum,
      triangleCount: trianglesOfSum,
      state,
    })),
  ).flat();
  return {
    trianglesOfSum,
    draw: (): Promise<unknown> => {
      rasterizer.draw(target, views, draws, { depth: 0 });
      return rasterizer.reduce(target, views, { operation: 'min', value: 'distance', exceptColor: 0 });
    },
    destroy: () => {
      geometry.destroy();
      target.destroy();
      rasterizer.destroy();
    },
  };
}

/** The query at the last level of a whole answer: sums made, rays followed, exits finished. Null where the CPU answered. */
async function timeRays(
  gpu: GpuDevice,
  prepared: PreparedPair,
  resolution: number,
  rounds: number,
): Promise<StepTiming | null> {
  const times: number[] = [];
  let sums = 0;
  for (let round = 0; round <= rounds; round++) {
    const { backend, levels } = await askPenetration(prepared, {
      method: 'image-space',
      query: 'rays',
      backend: 'webgpu',
      device: gpu,
      resolution,
    });
    if (backend !== 'webgpu') return null;
    const last = levels[levels.length - 1];
    sums = last.sums;
    if (round > 0) times.push(last.queryMilliseconds);
  }
  return summarize(`rays: ${sums} sums of ${prepared.pair.title}, ${VIEWS} views of ${resolution}²`, times);
}

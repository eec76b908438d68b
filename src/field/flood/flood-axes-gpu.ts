// How a pass of jump flooding axis by axis is divided into workgroups (flood-axes.wgsl). A workgroup processes columns
// of nodes one step apart along x, some side by side so that memory is read in whole sectors. If they do not all fit,
// it reads one more at both ends without writing it.

import type { GpuDevice } from '../../gpu/device.js';
import type { GridSize } from '../grid.js';
import code from './flood-axes.wgsl?raw';
import { FLOOD_AXES_LAYOUT } from './flood-axes-layout.js';

/**
 * Measured on an NVIDIA H200: lines per thread along z, as ROWS of the shader. Three are slower by 7 %, one by about 30
 * %.
 */
const ROWS = 2;
/** Chosen: the sizes of workgroups to choose from. */
const THREADS = [256, 128, 64];
/**
 * Chosen: the smallest number of columns side by side; less than a memory sector of 32 bytes if all columns fit then.
 */
const MIN_ADJACENT = 2;
/** Chosen: the largest number of columns side by side: one warp of 32 threads. */
const MAX_ADJACENT = 32;
/** Nodes per thread along its lines, by the least number of nodes of the grid. */
const CHAINS = [
  [2 ** 25, 32],
  [2 ** 22, 16],
  [0, 8],
];

/** How columns are divided among workgroups. */
export interface ColumnPlan {
  readonly threads: number;
  readonly adjacent: number;
  readonly answered: number;
  readonly halo: number;
  /** Workgroups for all columns. */
  readonly groups: number;
}

/** The plan with the fewest threads that write nothing; among those, the one with the largest workgroups. */
export function planColumns(nodes: number, step: number): ColumnPlan {
  const count = Math.ceil(nodes / step);
  let best: ColumnPlan | undefined;
  let bestThreads = Infinity;
  for (const threads of THREADS) {
    const most = Math.min(step, MAX_ADJACENT);
    for (let adjacent = most; adjacent >= Math.min(step, MIN_ADJACENT); adjacent /= 2) {
      const length = threads / adjacent;
      const halo = count <= length ? 0 : 1;
      const answered = length - 2 * halo;
      if (answered < 1) continue;
      const groups = count === 1 ? Math.ceil(nodes / adjacent) : (Math.ceil(count / answered) * step) / adjacent;
      if (groups * threads >= bestThreads) continue;
      bestThreads = groups * threads;
      best = { threads, adjacent, answered, halo, groups };
    }
  }
  return best!;
}

/** The pipeline, uniforms and workgroups of a pass. */
export function planAxesStep({ device, pipelines }: GpuDevice, size: GridSize, step: number) {
  const [nx, ny, nz] = size;
  const { threads, adjacent, answered, halo, groups } = planColumns(nx, step);
  const chain = CHAINS.find(([nodes]) => nx * ny * nz >= nodes)![1];
  const pipeline = pipelines.get(`flood-axes ${threads} ${chain}`, () =>
    device.createComputePipeline({
      label: 'floodAxes',
      layout: 'auto',
      compute: {
        module: pipelines.get('flood-axes', () => device.createShaderModule({ code })),
        entryPoint: 'floodAxes',
        constants: { THREADS: threads, CHAIN: chain },
      },
    }),
  );
  const { size: byteLength, offsets } = FLOOD_AXES_LAYOUT.structs.Flood;
  const uniforms = new Uint32Array(byteLength / 4);
  uniforms.set(size, offsets.size / 4);
  uniforms[offsets.step / 4] = step;
  uniforms[offsets.adjacent / 4] = adjacent;
  uniforms[offsets.answered / 4] = answered;
  uniforms[offsets.halo / 4] = halo;
  const parts = (nodes: number, most: number): number => Math.min(nodes, step * Math.ceil(nodes / (step * most)));
  return { pipeline, uniforms, groups: [groups, parts(ny, ROWS), parts(nz, chain)] as const };
}

// A query answered by rays on the GPU: all pairs of pieces within the hulls' depth, without a descent. Each device has
// one query object with its memory; callers take turns.
import type { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import type { Part } from '../../core/derived-parts.js';
import type { GpuDevice } from '../../gpu/device.js';
import type { PenetrationQuery } from '../penetration-query.js';
import type { PenetrationLevel } from '../result.js';
import type { Solid } from '../solid.js';
import { beginUnion, describeRoots, offerRoots } from '../union/descent.js';
import { NodeBoxes } from '../union/node-boxes.js';
import { GpuRayQuery } from './ray-query-gpu.js';

/** A device's query and the last caller's answer, which the next caller awaits. */
interface Queue {
  readonly query: GpuRayQuery;
  last: Promise<unknown>;
}

const RAY_QUEUE: Part<GpuDevice, Queue> = {
  name: 'penetration rays',
  make: (gpu) => ({ query: new GpuRayQuery(gpu), last: Promise.resolve() }),
  free: ({ query }) => query.destroy(),
};

/** Improves the query's separation. Returns the levels, or null if the CPU has to answer: see `GpuRayQuery.suits`. */
export async function seeGpuRays(
  { a, b, placement, separation }: PenetrationQuery,
  gpu: GpuDevice,
  sums: MinkowskiSums,
  resolution: number,
): Promise<PenetrationLevel[] | null> {
  const started = performance.now();
  offerRoots(a, b, placement, separation);
  const roots = describeRoots(performance.now() - started, separation);
  const { leaves, union } = beginUnion(a, b, placement, new NodeBoxes(a, b, placement), separation.size, sums);
  if (separation.touches) return [roots];
  if (!GpuRayQuery.suits(a, b, union, separation)) return null;
  const queue = gpu.parts.get(RAY_QUEUE);
  const answer = queue.last.then(async (): Promise<PenetrationLevel> => {
    const begin = performance.now();
    const rays = await queue.query.run(a, b, placement, leaves, union, separation, resolution);
    const { cull, build, sums: made } = queue.query.timings;
    const pairs = countLeaves(a) * countLeaves(b);
    return {
      level: Math.max(a.height, b.height),
      pairs,
      cullRatio: 1 - made / pairs,
      sums: made,
      facets: 0,
      rays,
      cullMilliseconds: cull,
      sumMilliseconds: build,
      queryMilliseconds: performance.now() - begin - cull - build,
      estimate: separation.distance,
    };
  });
  // A caller that failed must not block the next one.
  queue.last = answer.catch(() => undefined);
  return [roots, await answer];
}

function countLeaves({ hulls }: Solid): number {
  return (hulls.nodePieces.length + 1) / 2;
}

// The frames of a motion on a cluster, several to a job. Nothing is kept from one frame to the next, so that an answer does not
// depend on where the jobs are cut: the answers are those of --no-coherence, to the bit.
import type { Cluster } from '../../cluster/cluster.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import { measurePenetrationOfPairsInPool } from '../../penetration/penetration-in-pool.js';
import { QueryBatch } from '../../proximity/batch/batch.js';
import { findContactsOfPairsInPool } from '../../proximity/batch/pool-queries.js';
import type { DistanceOptions, VolumeChoice } from '../../proximity/options.js';
import type { Pair } from '../../proximity/pair.js';
import type { Frame } from './frames-file.js';
import { type AskedQuery, depthOf, type FrameResult } from './replay-frames.js';

/** Asks each frame once. */
export async function replayOnCluster(
  cluster: Cluster,
  { a, b }: Pair,
  frames: readonly Frame[],
  asked: AskedQuery & { readonly volume: VolumeChoice },
  progress: ProgressOptions,
): Promise<FrameResult[]> {
  const { query, tolerance, distanceOptions, penetrationOptions, volume } = asked;
  const pairs = (): { a: typeof a; b: typeof b; poseA: Frame['a']; poseB: Frame['b'] }[] =>
    frames.map((frame) => ({ a, b, poseA: frame.a, poseB: frame.b }));
  switch (query) {
    case 'penetration': {
      const depths = await measurePenetrationOfPairsInPool(cluster, pairs(), { ...penetrationOptions, ...progress });
      return depths.map((depth, frame) => depthOf(orThrow(depth, frame)));
    }
    case 'contacts': {
      const found = await findContactsOfPairsInPool(cluster, pairs(), { tolerance, ...progress });
      return found.map((result, frame) => orThrow(result, frame).contacts);
    }
    case 'distance':
      return clearanceOnCluster(cluster, { a, b }, frames, { ...distanceOptions, volume }, progress);
    default: {
      const batch = new QueryBatch();
      for (const frame of frames) {
        if (query === 'within') batch.addWithin(0, 1, frame.a, frame.b, tolerance);
        else batch.addIntersection(0, 1, frame.a, frame.b);
      }
      const { hits } = await cluster.run([a, b], batch, { volume, ...progress });
      return Array.from(hits, (hit) => hit === 1);
    }
  }
}

/** The distance in every frame; null beyond the cut-off. */
export async function clearanceOnCluster(
  cluster: Cluster,
  { a, b }: Pick<Pair, 'a' | 'b'>,
  frames: readonly Frame[],
  { cutoff = Infinity, ...options }: DistanceOptions & { readonly volume: VolumeChoice },
  progress: ProgressOptions,
): Promise<(number | null)[]> {
  const batch = new QueryBatch();
  for (const frame of frames) batch.addDistance(0, 1, frame.a, frame.b, cutoff);
  const { distances } = await cluster.run([a, b], batch, { ...options, ...progress });
  return Array.from(distances, (distance) => (Number.isFinite(distance) ? distance : null));
}

function orThrow<Result>(result: Result | NearfieldError, frame: number): Result {
  if (!(result instanceof NearfieldError)) return result;
  throw new NearfieldError(result.code, `frame ${frame}: ${result.message}`);
}

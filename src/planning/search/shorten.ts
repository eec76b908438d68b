// Makes a path shorter: two random places of it are joined by an edge wherever that is proven free.
import type { Random } from '../../core/random.js';
import type { CollisionScene } from '../validity/collision-scene.js';
import type { Deadline } from './deadline.js';

/** Trials in a row that gain nothing, after which a path counts as short. */
const IN_VAIN = 30;

/** A shorter path over free configurations, proven as the first is. */
export function shortenPath(
  scene: CollisionScene,
  path: readonly Float64Array[],
  random: Random,
  deadline: Deadline,
  trials: number,
): Float64Array[] {
  let short = [...path];
  let vain = 0;
  for (let i = 0; i < trials && vain < IN_VAIN && short.length > 2; i++, vain++) {
    if (deadline.isOver('Shortening')) break;
    const lengths = short.slice(1).map((q, k) => scene.separation(short[k], q));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const [from, to] = [random.range(0, total), random.range(0, total)].sort((a, b) => a - b);
    const first = placeOn(scene, short, lengths, from);
    const second = placeOn(scene, short, lengths, to);
    if (first.segment === second.segment) continue;
    const direct = scene.separation(first.q, second.q);
    if (!(direct < (1 - 1e-3) * (to - from)) || !scene.proves(first.q, second.q)) continue;
    short = [...short.slice(0, first.segment + 1), first.q, second.q, ...short.slice(second.segment + 1)];
    vain = -1;
  }
  return dropNeedless(scene, short, deadline);
}

/** Leaves out waypoints whose neighbors can be joined, where that makes the path no longer. */
function dropNeedless(scene: CollisionScene, path: readonly Float64Array[], deadline: Deadline): Float64Array[] {
  const kept = [path[0]];
  for (let i = 1; i < path.length; i++) {
    const last = kept[kept.length - 1];
    if (i < path.length - 1 && !deadline.isOver('Shortening')) {
      const around = scene.separation(last, path[i]) + scene.separation(path[i], path[i + 1]);
      const direct = scene.separation(last, path[i + 1]);
      if (direct <= around && scene.proves(last, path[i + 1])) continue;
    }
    kept.push(path[i]);
  }
  return kept;
}

function placeOn(
  scene: CollisionScene,
  path: readonly Float64Array[],
  lengths: readonly number[],
  at: number,
): { readonly segment: number; readonly q: Float64Array } {
  let segment = 0;
  let rest = at;
  while (segment < lengths.length - 1 && rest > lengths[segment]) rest -= lengths[segment++];
  const q = new Float64Array(scene.size);
  const t = lengths[segment] > 0 ? Math.min(1, rest / lengths[segment]) : 0;
  scene.interpolate(path[segment], path[segment + 1], t, q);
  return { segment, q };
}

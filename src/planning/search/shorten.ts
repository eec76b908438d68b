// Makes a path shorter: two random places of it are joined by an edge wherever that is proven free.

import type { Deadline } from '../../core/deadline.js';
import type { Random } from '../../core/random.js';
import type { SearchScene } from '../../kinematics/validity/search-scene.js';

/** Chosen: a path counts as short after this count of trials in a row that gain nothing. */
const IN_VAIN = 30;

/** A shorter path over free configurations, proven as the first is. */
export function shortenPath(
  scene: SearchScene,
  path: readonly Float64Array[],
  random: Random,
  deadline: Deadline,
  trials: number,
): Float64Array[] {
  let short = dropNeedless(scene, path, deadline);
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

/**
 * Leaves out waypoints between two that can be joined, where that makes the path no longer. From each that is kept the longest edge
 * is looked for by doubling how many are left out, then by halves.
 */
function dropNeedless(scene: SearchScene, path: readonly Float64Array[], deadline: Deadline): Float64Array[] {
  const last = path.length - 1;
  const gone = [0];
  for (let i = 1; i <= last; i++) gone.push(gone[i - 1] + scene.separation(path[i - 1], path[i]));
  const joins = (from: number, to: number): boolean => {
    const isLonger = scene.separation(path[from], path[to]) > (1 + 1e-12) * (gone[to] - gone[from]);
    return !isLonger && !deadline.isOver('Shortening') && scene.proves(path[from], path[to]);
  };
  const kept = [path[0]];
  for (let at = 0; at < last; ) {
    // An edge leads to the first, and none is known to lead to the second.
    let [near, far] = [at + 1, last + 1];
    for (let skip = 2; near < last; skip *= 2) {
      const next = Math.min(at + skip, last);
      if (!joins(at, next)) {
        far = next;
        break;
      }
      near = next;
    }
    while (far - near > 1) {
      const middle = (near + far) >> 1;
      if (middle <= last && joins(at, middle)) near = middle;
      else far = middle;
    }
    at = near;
    kept.push(path[at]);
  }
  return kept;
}

function placeOn(
  scene: SearchScene,
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

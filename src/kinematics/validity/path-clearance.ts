// The least distance along a whole path, as a proven interval: edges are proven at a little less than the least distance
// found so far; where that fails, something nearer is there, and is looked for.
import type { Deadline } from '../../core/deadline.js';
import type { CollisionScene } from './collision-scene.js';

/** The least clearance of a path. */
export interface PathClearance {
  /** Nothing comes nearer anywhere on the path. */
  readonly lower: number;
  /** Had at `t` of the edge `segment`; Infinity where there is nothing to come near to. */
  readonly upper: number;
  readonly segment: number;
  readonly t: number;
}

/** Chosen: the count of steps of the search for the nearest place around one that ended a proof. */
const GOLDEN_STEPS = 24;

/** Proven: the golden section, by which each step of the search shortens its interval. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Chosen: the count of places on an edge that are measured first. */
const FIRST = 4;

/** Chosen: the proof of one edge may end this often before its bound falls to the clearance that is known. */
const MAX_ENDS = 200;

/**
 * @param error the relative width of the interval to aim for.
 * @param deadline when it is over, the clearance that is known is all that is claimed of further edges.
 */
export function measurePathClearance(
  scene: CollisionScene,
  path: readonly Float64Array[],
  error: number,
  deadline: Deadline | null = null,
): PathClearance {
  const least = { upper: Infinity, segment: 0, t: 0 };
  const q = new Float64Array(scene.size);
  const measure = (segment: number, t: number): number => {
    scene.interpolate(path[segment], path[Math.min(segment + 1, path.length - 1)], t, q);
    const distance = scene.distance(q, Infinity);
    if (distance < least.upper) Object.assign(least, { upper: distance, segment, t });
    return distance;
  };
  const edges = Math.max(1, path.length - 1);
  const isOver = (): boolean => deadline?.isOver('Measuring the clearance') ?? false;
  for (let i = 0; i < edges && (i === 0 || !isOver()); i++) for (let k = 0; k <= FIRST; k++) measure(i, k / FIRST);
  if (path.length < 2 || least.upper === Infinity) return { lower: least.upper, ...least };
  let lower = Infinity;
  const from = new Float64Array(scene.size);
  for (let i = 0; i < edges; i++) {
    const [a, b] = [path[i], path[i + 1]];
    let [at, ends] = [0, 0];
    from.set(a);
    let proven = Math.max(scene.clearance, (1 - error) * least.upper);
    if (isOver()) proven = scene.clearance;
    while (at < 1 && proven > scene.clearance) {
      const share = scene.advance(from, b, proven);
      if (share === 1) break;
      at += share * (1 - at);
      descend((t) => measure(i, t), Math.max(0, at - 0.05), Math.min(1, at + 0.05));
      proven =
        ++ends > MAX_ENDS || isOver()
          ? scene.clearance
          : Math.max(scene.clearance, Math.min((1 - error) * least.upper, 0.999 * proven));
      scene.interpolate(a, b, at, from);
    }
    lower = Math.min(lower, proven);
  }
  return { lower, ...least };
}

/** Golden sections towards a minimum. */
function descend(measure: (t: number) => number, from: number, to: number): void {
  let [low, high] = [from, to];
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let [atLeft, atRight] = [measure(left), measure(right)];
  for (let i = 0; i < GOLDEN_STEPS; i++) {
    if (atLeft <= atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = measure(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = measure(right);
    }
  }
}

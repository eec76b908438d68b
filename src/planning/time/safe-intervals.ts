// When a robot can stand at a place: intervals of time that are proven free of obstacles that move.

import type { Clock } from '../../kinematics/validity/clock.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Traffic } from './timed-roadmap.js';

/** Nothing comes near from `start` to `end`, in seconds. */
export interface SafeInterval {
  readonly start: number;
  readonly end: number;
}

/** Chosen: the count of times between the first and the last key that are tried for a new interval. */
const PROBES = 64;

/** Chosen: intervals shorter than this share of the time searched are left out. */
const SHORTEST = 1e-6;

/**
 * Chosen: this share of an interval is left out at an end where something comes, so that robots do not leave at the
 * last moment.
 */
const END_MARGIN = 0.02;

/** Chosen: the most that is left out, as a share of the time searched. */
const MAX_MARGIN = 2e-3;

/**
 * The intervals in which a place is free, up to the horizon. What is found is proven; an interval shorter than the times
 * tried may be missed.
 * @param scene that watches obstacles that move.
 * @param isOver whether to look no further: links that graze an obstacle on their whole way take long.
 */
export function findSafeIntervals(
  scene: CollisionScene,
  clock: Clock,
  q: Float64Array,
  isOver: () => boolean,
): SafeInterval[] {
  const { horizon, offset } = clock;
  const [from, to] = [q.slice(), q.slice()];
  const found: SafeInterval[] = [];
  let known = 0;
  for (const time of probeTimes(clock)) {
    if (isOver()) break;
    if (time < known) continue;
    from[offset] = time;
    if (!scene.isFree(from)) continue;
    // Back to what blocked it before, and on to what will.
    to[offset] = known;
    const start = time - scene.advance(from, to) * (time - known);
    to[offset] = horizon;
    const end = time + scene.advance(from, to) * (horizon - time);
    if (end - start > SHORTEST * horizon) {
      const margin = Math.min(END_MARGIN * (end - start), MAX_MARGIN * horizon);
      found.push({ start: start > 0 ? start + margin : start, end: end < horizon ? end - margin : end });
    }
    known = end;
    if (end >= horizon) break;
  }
  return found;
}

/** Times at which some obstacle changes its motion, and times between. */
function probeTimes({ cutTimes, horizon }: Clock): number[] {
  const last = Math.min(horizon, cutTimes[cutTimes.length - 1] ?? 0);
  const times = cutTimes.filter((time) => time > 0 && time < horizon);
  for (let k = 0; k <= PROBES; k++) times.push((k / PROBES) * last);
  times.push(horizon);
  return times.filter((time) => time >= 0).sort((a, b) => a - b);
}

/** The obstacles that move, as traffic. */
export function clockTraffic(scene: CollisionScene, clock: Clock, isOver: () => boolean): Traffic {
  return {
    size: scene.size,
    quiet: clock.cutTimes[clock.cutTimes.length - 1] ?? 0,
    safeIntervals: (q) => findSafeIntervals(scene, clock, q, isOver),
    isClear: (a, b) => scene.proves(a, b),
  };
}

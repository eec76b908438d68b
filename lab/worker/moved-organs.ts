// The organs that breathe, and cylinders, where the hand has put them. Apart from the queries, so that the page can save them.
import { pose } from 'nearfield/core';
import { type Organ, organsAt } from '../../bench/scenarios/organs.js';
import type { Move } from '../controls.js';
import { moveBody } from '../hand.js';

/** Of the error that is asked for, what the triangles of a NURBS surface may take. */
export const TESSELLATION_SHARE = 0.25;

interface MovedOrgans {
  /** In seconds. */
  readonly time: number;
  readonly hand: readonly Move[];
  /** The unit of moves by hand, in meters. */
  readonly size: number;
}

/** The organs at a time, where the hand has put them. */
export function organsMoved({ time, hand, size }: MovedOrgans): Organ[] {
  return organsAt(time).map(({ name, surface }, i) => ({
    name,
    surface: { ...surface, points: movePoints(surface.points, hand[i], size) },
  }));
}

/** Points after a move by hand, about the middle of their box; moves are in units of `size`. */
export function movePoints(points: Float64Array, move: Move, size: number): Float64Array {
  if (move.every((value) => value === 0)) return points.slice();
  const middle = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let n = axis; n < points.length; n += 3) [low, high] = [Math.min(low, points[n]), Math.max(high, points[n])];
    return (low + high) / 2;
  });
  const place = moveBody(pose.identity(), [middle[0], middle[1], middle[2]], move, size);
  const moved = new Float64Array(points.length);
  for (let n = 0; n < points.length; n += 3) {
    moved.set(pose.transformPoint(place, [points[n], points[n + 1], points[n + 2]]), n);
  }
  return moved;
}

// The time at which two bodies that move evenly come within a gap, by conservative advancement (Mirtich 2000) on the exact
// distance: each step is so short that the gap is proven to stay open, so nothing is passed, however thin or fast. Convex
// outlines close in along the direction of their distance; others are bounded by all of their motion. Within the skin, where
// these steps would crawl, the features near each other say when they meet, and an overlap test checks each step.

import type { PlaneBodies } from '../body/plane-bodies.js';
import { PlacedOutline } from './outline.js';
import { OutlineContacts } from './outline-contacts.js';
import { NEAR, OVERLAP } from './outline-pair.js';

/** Measured on shots: head-on impacts take 3 to 20 rounds, bodies that spin fast beside each other more. Then they count as touching. */
const MAX_ROUNDS = 300;
/** Chosen: a leap within the skin is halved this often if it ends in overlap. */
const HALVINGS = 16;
/** Chosen: a leap moves points by at most one part of this many of the thickness, so that what is thin is not passed. */
const MAX_PASS = 4;
/** Chosen: the two bodies turn by at most this much in a leap, rad: speeds of features hold only so long. */
const MAX_TURN = 0.1;
/** Chosen: a leap comes at least this much nearer, in gaps, so that the search ends. */
const MIN_LEAP = 1e-3;

/** One search: two bodies in even motion. */
interface Search {
  bodies: PlaneBodies;
  a: number;
  b: number;
  duration: number;
  gap: number;
  /** The greatest speed at which the bodies close in, m/s. */
  bound: number;
}

export class TimeOfImpact {
  readonly #query = new OutlineContacts();
  #placedA: PlacedOutline | null = null;
  #placedB: PlacedOutline | null = null;

  /**
   * The first time within a duration at which the distance comes down to a gap.
   * @param near the distance below which features are followed; the bodies are proven not to come nearer before that.
   * @returns the time, or -1 if the gap stays open.
   */
  find(bodies: PlaneBodies, a: number, b: number, duration: number, gap: number, near: number): number {
    const { velocity, spin, outlines } = bodies;
    this.#placedA ??= new PlacedOutline(outlines[a]);
    this.#placedB ??= new PlacedOutline(outlines[b]);
    const placedA = this.#placedA;
    const placedB = this.#placedB;
    const query = this.#query;
    const vx = velocity[2 * b] - velocity[2 * a];
    const vy = velocity[2 * b + 1] - velocity[2 * a + 1];
    const turning = Math.abs(spin[a]) * outlines[a].turnReach + Math.abs(spin[b]) * outlines[b].turnReach;
    const bound = Math.hypot(vx, vy) + turning;
    const isConvex = outlines[a].isConvex && outlines[b].isConvex;
    const search = { bodies, a, b, duration, gap, bound };
    let time = 0;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const left = bound * (duration - time) + gap;
      placeAt(bodies, a, time, placedA);
      placeAt(bodies, b, time, placedB);
      const state = query.measure(placedA, placedB, left);
      const { distance, pointA, pointB } = query;
      if (state === OVERLAP) return time;
      if (state !== NEAR) return -1;
      let closing = bound;
      // Up to a gap, the direction of the distance is rounding.
      if (isConvex && distance > gap) {
        const nx = (pointB[0] - pointA[0]) / distance;
        const ny = (pointB[1] - pointA[1]) / distance;
        closing = Math.min(bound, turning - (vx * nx + vy * ny));
        if (closing <= 0) return -1;
      }
      if (distance > near) time += (distance - gap) / closing;
      else {
        const leap = this.#leap(search, time, placedA, placedB);
        if (leap < 0) return time;
        time += leap;
      }
      if (time >= duration) return -1;
    }
    return time;
  }

  /**
   * How far to go on from within the skin: to where the first of the near features is a gap apart, if it keeps its speed.
   * @returns -1 if one is there already and closes in.
   */
  #leap(search: Search, time: number, placedA: PlacedOutline, placedB: PlacedOutline): number {
    const { bodies, a, b, duration, gap, bound } = search;
    const query = this.#query;
    // Speeds change as bodies turn, and what is thin could be passed.
    const { outlines, spin } = bodies;
    const thickness = Math.min(outlines[a].thickness, outlines[b].thickness);
    const turning = Math.abs(spin[a]) + Math.abs(spin[b]);
    let leap = Math.min(duration - time, thickness / (MAX_PASS * bound), MAX_TURN / turning);
    query.findContacts(placedA, placedB, bound * leap + gap, gap, 0);
    for (let k = 0; k < query.count; k++) {
      const nx = query.normals[2 * k];
      const ny = query.normals[2 * k + 1];
      const x = query.points[2 * k];
      const y = query.points[2 * k + 1];
      const closing = pointSpeed(bodies, a, x, y, nx, ny, time) - pointSpeed(bodies, b, x, y, nx, ny, time);
      // What closes in less than half the gap in all of the time left does not meet; resting contacts do so.
      if (closing * (duration - time) <= gap / 2) continue;
      const open = query.separations[k] - gap;
      if (open <= gap) return -1;
      leap = Math.min(leap, open / closing);
    }
    for (let k = 0; k < HALVINGS; k++) {
      placeAt(bodies, a, time + leap, placedA);
      placeAt(bodies, b, time + leap, placedB);
      if (!query.overlaps(placedA, placedB)) return Math.max(leap, (MIN_LEAP * gap) / bound);
      leap /= 2;
    }
    return -1;
  }
}

/** Places the outline of a body where it is after a time. */
function placeAt(bodies: PlaneBodies, i: number, time: number, placed: PlacedOutline): void {
  const { center, angle, velocity, spin, outlines } = bodies;
  placed.placeOutline(
    outlines[i],
    center[2 * i] + time * velocity[2 * i],
    center[2 * i + 1] + time * velocity[2 * i + 1],
    angle[i] + time * spin[i],
  );
}

/** The speed of the material point of a body at a place, along a direction, when it has moved on for a time. */
function pointSpeed(
  bodies: PlaneBodies,
  i: number,
  x: number,
  y: number,
  dx: number,
  dy: number,
  time: number,
): number {
  const { center, velocity, spin } = bodies;
  const vx = velocity[2 * i];
  const vy = velocity[2 * i + 1];
  return (
    dx * (vx - spin[i] * (y - center[2 * i + 1] - time * vy)) + dy * (vy + spin[i] * (x - center[2 * i] - time * vx))
  );
}

// The time at which two bodies that move evenly come within a gap, by conservative advancement (Mirtich 2000) on the exact
// distance: each step is so short that the gap is proven to stay open, so nothing is passed, however thin or fast. Convex
// outlines close in along the direction of their distance; others are bounded by all of their motion.
import { PlacedOutline } from './outline.js';
import { NEAR, OutlinePair, OVERLAP } from './outline-pair.js';
import type { PlaneBodies } from './plane-bodies.js';

/** More rounds than any case met so far: head-on impacts take 5 to 30, grazing ones up to some hundred. */
const MOST_ROUNDS = 400;

export class TimeOfImpact {
  readonly query = new OutlinePair();
  /** Rounds of the last search. */
  rounds = 0;
  /** The distance at the time that was returned. */
  distance = 0;
  #a: PlacedOutline | null = null;
  #b: PlacedOutline | null = null;

  /**
   * The first time within a duration at which the distance comes down to a gap; the bodies are proven apart before it.
   * @returns the time, or -1 if the gap stays open.
   */
  find(bodies: PlaneBodies, a: number, b: number, duration: number, gap: number): number {
    const { center, angle, velocity, spin, outlines } = bodies;
    this.#a ??= new PlacedOutline(outlines[a]);
    this.#b ??= new PlacedOutline(outlines[b]);
    const placedA = this.#a;
    const placedB = this.#b;
    const vx = velocity[2 * b] - velocity[2 * a];
    const vy = velocity[2 * b + 1] - velocity[2 * a + 1];
    const turning = Math.abs(spin[a]) * outlines[a].turnReach + Math.abs(spin[b]) * outlines[b].turnReach;
    const bound = Math.hypot(vx, vy) + turning;
    const isConvex = outlines[a].isConvex && outlines[b].isConvex;
    let time = 0;
    for (this.rounds = 0; this.rounds < MOST_ROUNDS; this.rounds++) {
      const left = bound * (duration - time) + gap;
      const t = time;
      placedA.placeOutline(
        outlines[a],
        center[2 * a] + t * velocity[2 * a],
        center[2 * a + 1] + t * velocity[2 * a + 1],
        angle[a] + t * spin[a],
      );
      placedB.placeOutline(
        outlines[b],
        center[2 * b] + t * velocity[2 * b],
        center[2 * b + 1] + t * velocity[2 * b + 1],
        angle[b] + t * spin[b],
      );
      const state = this.query.measure(placedA, placedB, left);
      const { distance, pointA, pointB } = this.query;
      this.distance = distance;
      if (state === OVERLAP) return time;
      if (state !== NEAR) return -1;
      let closing = bound;
      if (isConvex && distance > 0) {
        const nx = (pointB[0] - pointA[0]) / distance;
        const ny = (pointB[1] - pointA[1]) / distance;
        closing = Math.min(bound, turning - (vx * nx + vy * ny));
        if (closing <= 0) return -1;
      }
      if (distance > 2 * gap) time += (distance - gap) / closing;
      else if (this.#closes(bodies, a, b, pointA, pointB, time, bound)) return time;
      else time += this.#leap(bodies, a, b, placedA, placedB, time, duration, gap, bound);
      if (time >= duration) return -1;
    }
    return time;
  }

  /** Whether two near points approach each other. */
  #closes(
    bodies: PlaneBodies,
    a: number,
    b: number,
    pointA: Float64Array,
    pointB: Float64Array,
    time: number,
    bound: number,
  ): boolean {
    const dx = pointB[0] - pointA[0];
    const dy = pointB[1] - pointA[1];
    const length = Math.hypot(dx, dy);
    if (length === 0) return true;
    const speed =
      (pointSpeed(bodies, b, pointB[0], pointB[1], dx, dy, time) -
        pointSpeed(bodies, a, pointA[0], pointA[1], dx, dy, time)) /
      length;
    return speed < -1e-9 * bound;
  }

  /**
   * How far to go on from a place where bodies touch and part again: half the time in which another of their near features
   * could meet at its present speed. This stretch alone is not proven free; the contacts of the solver guard it.
   */
  #leap(
    bodies: PlaneBodies,
    a: number,
    b: number,
    placedA: PlacedOutline,
    placedB: PlacedOutline,
    time: number,
    duration: number,
    gap: number,
    bound: number,
  ): number {
    const { query } = this;
    let leap = duration - time;
    query.findContacts(placedA, placedB, bound * leap + gap, gap, 0);
    for (let k = 0; k < query.count; k++) {
      const nx = query.normals[2 * k];
      const ny = query.normals[2 * k + 1];
      const x = query.points[2 * k];
      const y = query.points[2 * k + 1];
      const speed = pointSpeed(bodies, b, x, y, nx, ny, time) - pointSpeed(bodies, a, x, y, nx, ny, time);
      if (speed < 0 && query.separations[k] > 2 * gap) leap = Math.min(leap, (0.5 * query.separations[k]) / -speed);
    }
    return Math.max(leap, gap / bound);
  }
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

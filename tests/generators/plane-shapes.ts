// Random shapes in the plane, seeded: stars, stars with holes, crossing rings, slivers.
import type { Random } from '../../src/core/random.js';

export interface RandomShape {
  readonly rings: Float64Array[];
}

/** A ring around a center whose radius varies from corner to corner. */
export function starRing(random: Random, corners: number, x: number, y: number, radius: number): Float64Array {
  const ring = new Float64Array(2 * corners);
  const start = random.range(0, 7);
  for (let i = 0; i < corners; i++) {
    const angle = start + (2 * Math.PI * (i + random.range(-0.3, 0.3))) / corners;
    const reach = radius * random.range(0.35, 1);
    ring[2 * i] = x + reach * Math.cos(angle);
    ring[2 * i + 1] = y + reach * Math.sin(angle);
  }
  return ring;
}

/** Corners in any order: a ring that crosses itself. */
export function tangledRing(random: Random, corners: number, x: number, y: number, radius: number): Float64Array {
  return Float64Array.from({ length: 2 * corners }, (_, i) => (i % 2 === 0 ? x : y) + random.range(-radius, radius));
}

/** One of the kinds, of size about 1 at a place. */
export function randomShape(random: Random, x: number, y: number): RandomShape {
  const corners = 3 + random.integer(10);
  const kind = random.integer(8);
  const outer = starRing(random, corners, x, y, 0.5);
  if (kind === 0) return { rings: [tangledRing(random, corners, x, y, 0.4)] };
  if (kind === 1) return { rings: [outer, starRing(random, 4, x, y, 0.15)] };
  if (kind === 2) {
    // A sliver: all corners near one line.
    for (let i = 0; i < corners; i++) outer[2 * i + 1] = y + 0.01 * (outer[2 * i + 1] - y);
  }
  if (kind === 3) {
    // Corners on whole steps, so that edges are level, upright and on the borders of pixels.
    for (let i = 0; i < outer.length; i++) outer[i] = Math.round(8 * outer[i]) / 8;
  }
  return { rings: [outer] };
}

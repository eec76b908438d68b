// Random sites with corners on a small lattice: they coincide, cross, overlap, touch and are nested or of no length.
import type { Random } from '../../../src/core/random.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';

/** A site with corners from 0 to `lattice` − 1; boxes may reach twice as far. */
export function latticeSite(random: Random, lattice: number): PlaneSite {
  const corner = (): number[] => [random.integer(lattice), random.integer(lattice)];
  switch (random.integer(5)) {
    case 0:
      return { type: 'point', at: corner() };
    case 1:
      return { type: 'segment', a: corner(), b: corner() };
    case 2:
      return { type: 'polyline', points: Array.from({ length: 2 + random.integer(4) }, corner) };
    case 3:
      return { type: 'polygon', rings: [Array.from({ length: 3 + random.integer(3) }, corner)] };
    default: {
      const [x, y] = corner();
      const [width, height] = [1 + random.integer(lattice), 1 + random.integer(lattice)];
      const box = (x0: number, y0: number, x1: number, y1: number): number[][] => [
        [x + x0 * width, y + y0 * height],
        [x + x1 * width, y + y0 * height],
        [x + x1 * width, y + y1 * height],
        [x + x0 * width, y + y1 * height],
      ];
      // A hole that touches the outer ring, or one inside of it.
      const hole = random.next() < 0.5 ? box(0, 0, 0.5, 0.5) : box(0.25, 0.25, 0.5, 0.5);
      return { type: 'polygon', rings: random.next() < 0.6 ? [box(0, 0, 1, 1), hole] : [box(0, 0, 1, 1)] };
    }
  }
}

/** From 2 to 11 sites; in a quarter of the scenes they belong to three objects. */
export function latticeScene(random: Random): PlaneSite[] {
  const lattice = 2 + random.integer(6);
  const objects = random.next() < 0.25;
  return Array.from({ length: 2 + random.integer(10) }, () => {
    const site = latticeSite(random, lattice);
    return objects ? { ...site, object: random.integer(3) } : site;
  });
}

/** A circle, an arc of quarters of a turn, a segment or a point with centers and corners from 0 to `lattice` − 1. */
export function latticeCurve(random: Random, lattice: number, angle: number): PlaneSite {
  const corner = (): number[] => {
    const [x, y] = [random.integer(lattice), random.integer(lattice)];
    return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
  };
  const radius = (1 + random.integer(2 * lattice)) / 2;
  switch (random.integer(6)) {
    case 0:
      return { type: 'point', at: corner() };
    case 1:
      return { type: 'segment', a: corner(), b: corner() };
    case 2:
    case 3:
      return { type: 'circle', center: corner(), radius };
    default: {
      const from = angle + (random.integer(4) * Math.PI) / 2;
      return { type: 'arc', center: corner(), radius, from, to: from + ((1 + random.integer(3)) * Math.PI) / 2 };
    }
  }
}

/**
 * From 2 to 7 circles, arcs, segments and points: they touch, cross, overlap, share centers and ends. Half of the scenes
 * are turned, so that they do so only up to rounding.
 */
export function latticeCurves(random: Random): PlaneSite[] {
  const lattice = 2 + random.integer(4);
  const angle = random.next() < 0.5 ? 0 : random.range(0, 2 * Math.PI);
  return Array.from({ length: 2 + random.integer(6) }, () => latticeCurve(random, lattice, angle));
}

// Random sites of the plane, of the types asked for.
import { createRandom, type Random } from '../../src/core/random.js';
import type { PlaneSite } from '../../src/voronoi/sites/plane-site.js';

export type SiteType = PlaneSite['type'];

export const SITE_TYPES: readonly SiteType[] = [
  'point',
  'segment',
  'polyline',
  'polygon',
  'circle',
  'arc',
  'bezier',
  'path',
];

export interface RandomSiteOptions {
  /** Sites are about this long (default 0.2). */
  readonly size?: number;
  /** Whether sites have weights and offsets of their own (default false). */
  readonly weighted?: boolean;
}

/** Sites in and around the unit square. */
export function randomPlaneSites(
  seed: number,
  count: number,
  types: readonly SiteType[],
  { size = 0.2, weighted = false }: RandomSiteOptions = {},
): PlaneSite[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const site = randomSite(random, types[i % types.length], size);
    if (!weighted) return site;
    return { ...site, weight: random.range(0.5, 2), offset: random.range(-0.05, 0.05) };
  });
}

function randomSite(random: Random, type: SiteType, size: number): PlaneSite {
  const x = random.range(-0.1, 1.1);
  const y = random.range(-0.1, 1.1);
  const near = () => [x + random.range(-size, size), y + random.range(-size, size)];
  switch (type) {
    case 'point':
      return { type, at: [x, y] };
    case 'segment':
      return { type, a: [x, y], b: near() };
    case 'polyline':
      return { type, points: [[x, y], near(), near(), near()] };
    case 'polygon':
      return {
        type,
        rings: [
          [[x, y], near(), near(), near(), near()],
          [near(), near(), near()],
        ],
      };
    case 'circle':
      return { type, center: [x, y], radius: random.range(0, size) };
    case 'arc': {
      const from = random.range(-7, 7);
      return { type, center: [x, y], radius: random.range(0, size), from, to: from + random.range(-7, 7) };
    }
    case 'bezier':
      return { type, points: [[x, y], near(), near(), ...(random.next() < 0.5 ? [near()] : [])] };
    case 'path': {
      // A line and a curve from the two ends of a half circle.
      const radius = random.range(0.1, 1) * size;
      return {
        type,
        curves: [
          { type: 'bezier', points: [near(), [x + radius, y]] },
          { type: 'arc', center: [x, y], radius, from: 0, to: Math.PI },
          { type: 'bezier', points: [[x - radius, y], near(), near(), near()] },
        ],
      };
    }
  }
}

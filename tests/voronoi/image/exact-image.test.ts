// Exact images against distances from the sites' definitions, on every type of site.
import { describe, expect, test } from 'vitest';
import { computeVoronoiSync } from '../../../src/voronoi/image/compute-voronoi.js';
import type { VoronoiImage, VoronoiOptions } from '../../../src/voronoi/image/voronoi-image.js';
import type { PlaneSite, PointSite } from '../../../src/voronoi/sites/plane-site.js';
import { randomPlaneSites, SITE_TYPES } from '../../generators/plane-sites.js';
import { nearestSite } from '../site-distance.js';

/** Ids may differ only where both sites are equally far up to rounding and the error of curves. */
function expectNearest(sites: readonly PlaneSite[], image: VoronoiImage, every = 1): void {
  const { width, height, box, ids, distances, error } = image;
  let wrong = 0;

  let worst = 0;
  for (let sample = 0; sample < width * height; sample += every) {
    const x = box[0] + ((sample % width) + 0.5) * ((box[2] - box[0]) / width);
    const y = box[1] + (Math.floor(sample / width) + 0.5) * ((box[3] - box[1]) / height);
    const { id, distance, all } = nearestSite(sites, x, y);
    worst = Math.max(worst, Math.abs(distances[sample] - distance));
    if (ids[sample] === id) continue;
    if (!(all[ids[sample]] - distance <= 2 * error)) wrong++;
  }
  expect(wrong).toBe(0);
  expect(worst).toBeLessThanOrEqual(error);
}

const SQUARE = [0, 0, 1, 1];

describe('every type of site', () => {
  for (const type of SITE_TYPES) {
    for (const weighted of [false, true]) {
      test(`${type}, ${weighted ? 'weighted' : 'unweighted'}`, () => {
        for (const count of [1, 2, 30]) {
          const sites = randomPlaneSites(count, count, [type], { weighted });
          expectNearest(
            sites,
            computeVoronoiSync(sites, { box: SQUARE, resolution: 50 }),
            type === 'bezier' || type === 'path' ? 29 : 1,
          );
        }
      });
    }
  }

  test('mixed, in a box that is not square and cuts sites off', () => {
    const sites = randomPlaneSites(3, 300, ['point', 'segment', 'polygon', 'circle', 'arc'], { size: 0.05 });
    for (const box of [
      [0.2, 0.1, 0.9, 0.4],
      [0, 0, 0.01, 1],
      [5, 5, 6, 7],
      [-100, -100, 100, 100],
    ]) {
      const options: VoronoiOptions = { box, resolution: 61 };
      expectNearest(sites, computeVoronoiSync(sites, options));
    }
  });
});

describe('many sites at one place', () => {
  const count = 600;
  const make = (site: (i: number, t: number) => PlaneSite) =>
    Array.from({ length: count }, (_, i) => site(i, (2 * Math.PI * i) / count));
  const cases: Record<string, PlaneSite[]> = {
    'points that coincide': make(() => ({ type: 'point', at: [0.3, 0.4] })),
    'segments that coincide, running either way': make((i) =>
      i % 2 === 0
        ? { type: 'segment', a: [0.2, 0.3], b: [0.7, 0.6] }
        : { type: 'segment', a: [0.7, 0.6], b: [0.2, 0.3] },
    ),
    'circles that coincide': make(() => ({ type: 'circle', center: [0.5, 0.5], radius: 0.3 })),
    'arcs of one circle': make((_, t) => ({ type: 'arc', center: [0.5, 0.5], radius: 0.3, from: t, to: t + 3 })),
    'concentric circles': make((i) => ({ type: 'circle', center: [0.5, 0.5], radius: 0.3 + 1e-9 * i })),
    'segments from one point into a half plane': make((_, t) => ({
      type: 'segment',
      a: [0.5, 0.5],
      b: [0.5 + 0.6 * Math.cos(t / 2), 0.5 + 0.6 * Math.sin(t / 2)],
    })),
    'segments on one line': make((i) => ({
      type: 'segment',
      a: [0.4 - (0.3 * i) / count, 0.5 - (0.03 * i) / count],
      b: [0.6 + (0.3 * i) / count, 0.52 + (0.03 * i) / count],
    })),
    'points on a circle': make((_, t) => ({ type: 'point', at: [0.5 + 0.4 * Math.cos(t), 0.5 + 0.4 * Math.sin(t)] })),
    'points of a small cluster': randomPlaneSites(1, count, ['point']).map((site) => ({
      type: 'point',
      at: [0.5 + 1e-9 * (site as PointSite).at[0], 0.5 + 1e-9 * (site as PointSite).at[1]],
    })),
    'points far away': randomPlaneSites(2, count, ['point']).map((site) => ({
      type: 'point',
      at: [1e6 + (site as PointSite).at[0], (site as PointSite).at[1]],
    })),
    'weights at one place': make((i) => ({ type: 'point', at: [0.3, 0.4], weight: 1 + i / count })),
  };
  for (const [name, sites] of Object.entries(cases)) {
    test(name, () => {
      const image = computeVoronoiSync(sites, { box: SQUARE, resolution: 256 });
      // All sites are compared in the few tiles where all meet, one or two elsewhere.
      expect(image.counters.distances / (256 * 256)).toBeLessThan(count / 5);
      expectNearest(sites, image, 131);
    });
  }
});

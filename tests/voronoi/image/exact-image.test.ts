// Exact images against distances from the sites' definitions, on every type of site.
import { describe, expect, test } from 'vitest';
import { computeVoronoiSync } from '../../../src/voronoi/image/compute-voronoi.js';
import type { VoronoiImage, VoronoiOptions } from '../../../src/voronoi/image/voronoi-image.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { randomPlaneSites, SITE_TYPES } from '../../generators/plane-sites.js';
import { nearestSite } from '../site-distance.js';

/** Ids may differ only where both sites are equally far up to rounding and the error of curves. */
function expectNearest(sites: readonly PlaneSite[], image: VoronoiImage, every = 1): void {
  const { width, height, box, ids, distances, error } = image;
  let wrong = 0;
  let ties = 0;
  let worst = 0;
  for (let sample = 0; sample < width * height; sample += every) {
    const x = box[0] + ((sample % width) + 0.5) * ((box[2] - box[0]) / width);
    const y = box[1] + (Math.floor(sample / width) + 0.5) * ((box[3] - box[1]) / height);
    const { id, distance, all } = nearestSite(sites, x, y);
    worst = Math.max(worst, Math.abs(distances[sample] - distance));
    if (ids[sample] === id) continue;
    if (all[ids[sample]] - distance <= 2 * error) ties++;
    else wrong++;
  }
  expect(wrong).toBe(0);
  expect(worst).toBeLessThanOrEqual(error);
  expect(ties).toBeLessThan(0.01 * width * height);
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
            type === 'bezier' || type === 'path' ? 7 : 1,
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

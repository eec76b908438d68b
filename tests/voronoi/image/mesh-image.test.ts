// Distance meshes against distances from the sites' definitions: every value within the stated error, and every site that
// is not the nearest within the error of a tie.
import { describe, expect, test } from 'vitest';
import { computeVoronoi, computeVoronoiSync } from '../../../src/voronoi/image/compute-voronoi.js';
import type { VoronoiOptions } from '../../../src/voronoi/image/voronoi-image.js';
import type { PlaneSite, PointSite } from '../../../src/voronoi/sites/plane-site.js';
import { randomPlaneSites, SITE_TYPES } from '../../generators/plane-sites.js';
import { siteDistance } from '../site-distance.js';

const SQUARE = [0, 0, 1, 1];

/** The share of samples with another site than the nearest; throws if one is beyond the error. */
async function shareOfTies(sites: readonly PlaneSite[], options: VoronoiOptions): Promise<number> {
  const image = await computeVoronoi(sites, { ...options, method: 'mesh' });
  const { width, height, ids, distances, error, box } = image;
  const exact = computeVoronoiSync(sites, { ...options, error: undefined, maxDistance: Infinity });
  const cut = options.maxDistance ?? Infinity;
  let ties = 0;
  let wrong = 0;
  let worst = 0;
  for (let sample = 0; sample < width * height; sample++) {
    const truth = exact.distances[sample];
    if (ids[sample] < 0) {
      // Beyond the cut-off, up to the error.
      if (!(truth > cut - error)) wrong++;
      continue;
    }
    if (!(truth <= cut + error)) wrong++;
    worst = Math.max(worst, Math.abs(distances[sample] - truth));
    if (ids[sample] === exact.ids[sample]) continue;
    ties++;
    const x = box[0] + ((sample % width) + 0.5) * image.spacing[0];
    const y = box[1] + (Math.floor(sample / width) + 0.5) * image.spacing[1];
    if (!(siteDistance(sites[ids[sample]], x, y) - truth <= 2 * error)) wrong++;
  }
  expect(wrong).toBe(0);
  expect(worst).toBeLessThanOrEqual(error);
  return ties / (width * height);
}

describe('distance meshes', () => {
  for (const type of SITE_TYPES) {
    for (const weighted of [false, true]) {
      test(`${type}, ${weighted ? 'weighted' : 'unweighted'}`, async () => {
        for (const count of [1, 12]) {
          const sites = randomPlaneSites(count, count, [type], { weighted });
          expect(await shareOfTies(sites, { box: SQUARE, resolution: 64 })).toBeLessThan(0.05);
        }
      });
    }
  }

  test('a smaller error has more triangles and fewer samples of another site', async () => {
    const sites = randomPlaneSites(5, 60, ['point', 'segment', 'arc']);
    const options = { box: SQUARE, resolution: 128 };
    const shares: number[] = [];
    for (const error of [0.02, 1e-3, 1e-5]) shares.push(await shareOfTies(sites, { ...options, error }));
    expect(shares[1]).toBeLessThan(shares[0] / 2);
    expect(shares[2]).toBeLessThan(shares[1] / 2 + 1e-4);
    const { counters } = await computeVoronoi(sites, { ...options, method: 'mesh', error: 1e-5 });
    expect(counters.triangles).toBeGreaterThan(1000);
  });

  test('beyond the largest distance there is no site', async () => {
    const sites = randomPlaneSites(6, 8, ['point', 'segment']);
    await shareOfTies(sites, { box: SQUARE, resolution: 100, maxDistance: 0.1 });
    const none = await computeVoronoi(sites, { box: [50, 50, 51, 51], resolution: 16, maxDistance: 1, method: 'mesh' });
    expect(none.ids.every((id) => id === -1)).toBe(true);
    expect(none.distances.every((distance) => distance === Infinity)).toBe(true);
  });

  test('no sites, sites far away and other scales', async () => {
    const empty = await computeVoronoi([], { box: SQUARE, resolution: 8, method: 'mesh' });
    expect([...empty.ids]).toEqual(Array(64).fill(-1));
    for (const scale of [1e-6, 1e6]) {
      const sites = (randomPlaneSites(7, 20, ['point']) as PointSite[]).map(({ type, at }): PlaneSite => {
        return { type, at: [scale * at[0], scale * at[1]] };
      });
      await shareOfTies(sites, { box: [0, 0, scale, scale], resolution: 50 });
      await shareOfTies(sites, { box: [90 * scale, 0, 91 * scale, scale], resolution: 50, error: scale / 10 });
    }
  });

  test('sites that tie everywhere get the lowest id', async () => {
    const at = [0.3, 0.6];
    const sites: PlaneSite[] = [
      { type: 'point', at: [9, 9] },
      { type: 'point', at },
      { type: 'point', at },
      { type: 'segment', a: at, b: at },
    ];
    const { ids } = await computeVoronoi(sites, { box: SQUARE, resolution: 32, method: 'mesh' });
    expect(ids.every((id) => id === 1)).toBe(true);
  });
});

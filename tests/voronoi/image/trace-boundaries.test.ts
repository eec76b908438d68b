import { Delaunay } from 'd3-delaunay';
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { computeVoronoi, computeVoronoiSync } from '../../../src/voronoi/image/compute-voronoi.js';
import { type TracedBoundaries, traceBoundaries } from '../../../src/voronoi/image/trace-boundaries.js';
import type { VoronoiImage } from '../../../src/voronoi/image/voronoi-image.js';
import type { PlaneSite, PointSite } from '../../../src/voronoi/sites/plane-site.js';
import { randomPlaneSites } from '../../generators/plane-sites.js';
import { siteDistance } from '../site-distance.js';

const SQUARE = [0, 0, 1, 1];

/** Pairs of neighboring samples with two sites. */
function countSeeds({ ids, width, height }: VoronoiImage): number {
  let count = 0;
  for (let i = 0; i < ids.length; i++) {
    const differs = (j: number) => ids[i] >= 0 && ids[j] >= 0 && ids[i] !== ids[j];
    if (i % width < width - 1 && differs(i + 1)) count++;
    if (i < width * (height - 1) && differs(i + width)) count++;
  }
  return count;
}

/** Everything that holds for any image: points equally far from their sites, and each seed on one line. */
function expectSound(sites: readonly PlaneSite[], image: VoronoiImage, traced: TracedBoundaries, size: number): void {
  let worst = 0;
  let crossings = 0;
  for (const { sites: pair, points, from, to } of traced.lines) {
    const ends = (from >= 0 ? 1 : 0) + (to >= 0 ? 1 : 0);
    crossings += points.length / 2 - ends;
    for (let i = from >= 0 ? 1 : 0; i < points.length / 2 - (to >= 0 ? 1 : 0); i++) {
      const [a, b] = pair.map((site) => siteDistance(sites[site], points[2 * i], points[2 * i + 1]));
      worst = Math.max(worst, Math.abs(a - b));
    }
    if (from >= 0) expect([points[0], points[1]]).toEqual(traced.vertices[from].point);
  }
  expect(crossings).toBe(countSeeds(image));
  expect(worst).toBeLessThanOrEqual(1e-9 * size);
  for (const vertex of traced.vertices) {
    const distances = vertex.sites.slice(0, 3).map((site) => siteDistance(sites[site], ...vertex.point));
    const spread = Math.max(...distances) - Math.min(...distances);
    expect(Math.abs(spread - vertex.error)).toBeLessThan(1e-9 * size);
  }
}

describe('boundaries of an image', () => {
  test('two points: the straight line between them, from border to border', () => {
    const sites: PlaneSite[] = [
      { type: 'point', at: [0.2, 0.3] },
      { type: 'point', at: [0.8, 0.5] },
    ];
    const image = computeVoronoiSync(sites, { box: SQUARE, resolution: 32 });
    const traced = traceBoundaries(sites, image);
    expectSound(sites, image, traced, 1);
    expect(traced.vertices).toEqual([]);
    expect(traced.lines).toMatchObject([{ sites: [0, 1], from: -1, to: -1, closed: false }]);
  });

  test('a point in a circle: a closed line', () => {
    const sites: PlaneSite[] = [
      { type: 'circle', center: [0.5, 0.5], radius: 0.4 },
      { type: 'point', at: [0.45, 0.5] },
    ];
    const image = computeVoronoiSync(sites, { box: SQUARE, resolution: 64 });
    const traced = traceBoundaries(sites, image);
    expectSound(sites, image, traced, 1);
    expect(traced.lines).toMatchObject([{ sites: [0, 1], closed: true, from: -1, to: -1 }]);
  });

  test('the vertices of points are the centers of Delaunay circles, with the lines between them', () => {
    const sites = randomPlaneSites(11, 40, ['point']) as PointSite[];
    const image = computeVoronoiSync(sites, { box: SQUARE, resolution: 800 });
    const traced = traceBoundaries(sites, image);
    expectSound(sites, image, traced, 1);
    const flat = Float64Array.from(sites.flatMap(({ at }) => [at[0], at[1]]));
    const { circumcenters } = new Delaunay(flat).voronoi();
    let found = 0;
    let inside = 0;
    const centers: [number, number][] = [];
    for (let i = 0; i < circumcenters.length; i += 2) centers.push([circumcenters[i], circumcenters[i + 1]]);
    for (const [x, y] of centers) {
      if (Math.min(x, y, 1 - x, 1 - y) < 0.003) continue;
      inside++;
      // Two vertices in one pixel are one here, at the place of either.
      const isSingle = !centers.some(([p, q]) => (p !== x || q !== y) && Math.hypot(p - x, q - y) < 2 / 800);
      const reach = isSingle ? 1e-9 : 1 / 800;
      if (traced.vertices.some(({ point }) => Math.hypot(point[0] - x, point[1] - y) < reach)) found++;
    }
    expect(inside).toBeGreaterThan(30);
    expect(found).toBe(inside);
    const degrees = traced.vertices.map((_, v) =>
      traced.lines.reduce((sum, { from, to }) => sum + (from === v ? 1 : 0) + (to === v ? 1 : 0), 0),
    );
    expect(degrees.map((degree, v) => degree - traced.vertices[v].sites.length)).toEqual(degrees.map(() => 0));
  });

  test('all types, weights, a cut-off, other scales and other methods', async () => {
    for (const weighted of [false, true]) {
      const types = ['point', 'segment', 'polygon', 'circle', 'arc'] as const;
      const sites = randomPlaneSites(12, 25, types, { weighted, size: 0.1 });
      const image = computeVoronoiSync(sites, { box: SQUARE, resolution: 150, maxDistance: 0.12 });
      const traced = traceBoundaries(sites, image);
      expectSound(sites, image, traced, 1);
      expect(traced.vertices.filter(({ error }) => error < 1e-9).length).toBeGreaterThan(0.8 * traced.vertices.length);
      const drawn = await computeVoronoi(sites, { box: SQUARE, resolution: 150, method: 'mesh' });
      const { lines } = traceBoundaries(sites, drawn);
      expect(lines.reduce((sum, { points }) => sum + points.length, 0)).toBeGreaterThan(500);
    }
    for (const scale of [1e-6, 1e6]) {
      const points = (randomPlaneSites(13, 30, ['point']) as PointSite[]).map(({ type, at }): PlaneSite => {
        return { type, at: [scale * at[0], scale * at[1]] };
      });
      const image = computeVoronoiSync(points, { box: [0, 0, scale, scale], resolution: 100 });
      expectSound(points, image, traceBoundaries(points, image), scale);
    }
  });

  test('refuses an image of other sites', () => {
    const sites = randomPlaneSites(1, 5, ['point']);
    const image = computeVoronoiSync(sites, { box: SQUARE, resolution: 20 });
    expect(() => traceBoundaries(sites.slice(0, 2), image)).toThrow(NearfieldError);
    expect(() => traceBoundaries(sites, {} as VoronoiImage)).toThrow(NearfieldError);
    expect(traceBoundaries([], computeVoronoiSync([], { box: SQUARE, resolution: 3 }))).toMatchObject({ lines: [] });
    const single = computeVoronoiSync(sites, { box: SQUARE, resolution: 1 });
    expect(traceBoundaries(sites, single)).toMatchObject({ lines: [], vertices: [] });
  });
});

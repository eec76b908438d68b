// Images as a whole: against d3-delaunay, under changes that must not change them, at their limits and with bad input.
import { Delaunay } from 'd3-delaunay';
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { computeVoronoi, computeVoronoiSync, VoronoiImager } from '../../../src/voronoi/image/compute-voronoi.js';
import type { VoronoiOptions } from '../../../src/voronoi/image/voronoi-image.js';
import type { PlaneSite, PointSite, SegmentSite } from '../../../src/voronoi/sites/plane-site.js';
import { randomPlaneSites } from '../../generators/plane-sites.js';

const SQUARE = [0, 0, 1, 1];

test('points have the regions that d3-delaunay finds', () => {
  const sites = randomPlaneSites(21, 2000, ['point']) as PointSite[];
  const { ids, width } = computeVoronoiSync(sites, { box: SQUARE, resolution: 256 });
  const delaunay = new Delaunay(Float64Array.from(sites.flatMap(({ at }) => [at[0], at[1]])));
  let last = 0;
  let wrong = 0;
  for (let i = 0; i < ids.length; i++) {
    const [x, y] = [((i % width) + 0.5) / 256, (Math.floor(i / width) + 0.5) / 256];
    last = delaunay.find(x, y, last);
    const distance = (id: number) => Math.hypot(sites[id].at[0] - x, sites[id].at[1] - y);
    if (ids[i] !== last && Math.abs(distance(ids[i]) - distance(last)) > 1e-14) wrong++;
  }
  expect(wrong).toBe(0);
});

describe('changes that must not change the image', () => {
  const sites = randomPlaneSites(22, 120, ['segment']) as SegmentSite[];
  const image = computeVoronoiSync(sites, { box: SQUARE, resolution: 64 });

  /** Moves the sites and the box in the same way. */
  function moved(map: (p: ArrayLike<number>) => number[]): PlaneSite[] {
    return sites.map(({ type, a, b }) => ({ type, a: map(a), b: map(b) }));
  }

  test('scale by 1e±6, exactly by powers of two', () => {
    for (const scale of [2 ** -20, 2 ** 20]) {
      const scaled = computeVoronoiSync(
        moved((p) => [scale * p[0], scale * p[1]]),
        { box: [0, 0, scale, scale], resolution: 64 },
      );
      expect(scaled.ids).toEqual(image.ids);
      expect(scaled.distances).toEqual(image.distances.map((distance) => scale * distance));
    }
  });

  test('reversed segments, mirrored and turned coordinates', () => {
    const reversed = sites.map(({ type, a, b }): PlaneSite => ({ type, a: b, b: a }));
    expect(computeVoronoiSync(reversed, { box: SQUARE, resolution: 64 }).ids).toEqual(image.ids);
    const turned = computeVoronoiSync(
      moved((p) => [-p[1], p[0]]),
      { box: [-1, 0, 0, 1], resolution: 64 },
    );
    let others = 0;
    for (let i = 0; i < 64 * 64; i++) {
      const [column, row] = [i % 64, Math.floor(i / 64)];
      if (turned.ids[column * 64 + 63 - row] !== image.ids[i]) others++;
    }
    expect(others).toBeLessThanOrEqual(2);
  });

  test('permuted sites, ends as sites of their own, sites added far away', () => {
    const order = sites.map((_, i) => (i * 77) % sites.length);
    const permuted = computeVoronoiSync(
      order.map((i) => sites[i]),
      { box: SQUARE, resolution: 64 },
    );
    expect([...permuted.ids].map((id) => order[id])).toEqual([...image.ids]);
    const ends = sites.flatMap(({ a, b }): PlaneSite[] => [
      { type: 'point', at: a },
      { type: 'point', at: b },
    ]);
    const far: PlaneSite = { type: 'circle', center: [1e9, 0], radius: 5 };
    const more = computeVoronoiSync([...sites, ...ends, far], { box: SQUARE, resolution: 64 });
    expect(more.ids).toEqual(image.ids);
  });

  test('a finer image has the same samples where they coincide, and so has a reused imager', () => {
    const imager = new VoronoiImager();
    const fine = imager.render(sites, { box: SQUARE, resolution: 192 });
    for (let i = 0; i < 64 * 64; i++) {
      const same = (3 * Math.floor(i / 64) + 1) * 192 + 3 * (i % 64) + 1;
      if (fine.ids[same] !== image.ids[i]) expect(fine.distances[same]).toBeCloseTo(image.distances[i], 6);
    }
    expect(imager.render(sites, { box: SQUARE, resolution: 64 })).toEqual(image);
    expect(imager.render([], { box: SQUARE, resolution: 64 }).ids.every((id) => id === -1)).toBe(true);
  });
});

describe('limits', () => {
  const point: PlaneSite = { type: 'point', at: [0.5, 0.5] };

  test('the cut-off itself is within it', () => {
    // Samples at 1/8, 3/8, …: distances along the middle row are exact.
    const sites: PlaneSite[] = [{ type: 'segment', a: [0.125, -1], b: [0.125, 2] }];
    const { ids, distances } = computeVoronoiSync(sites, { box: SQUARE, resolution: 4, maxDistance: 0.25 });
    expect([...ids.slice(0, 4)]).toEqual([0, 0, -1, -1]);
    expect([...distances.slice(0, 4)]).toEqual([0, 0.25, Infinity, Infinity]);
  });

  test('one pixel, one row, the default box, an empty list', () => {
    expect(computeVoronoiSync([point], { box: SQUARE, resolution: 1 })).toMatchObject({ width: 1, height: 1 });
    expect(computeVoronoiSync([point], { box: [0, 0, 100, 0.1], resolution: 9 })).toMatchObject({
      width: 9,
      height: 1,
    });
    const image = computeVoronoiSync([point, { type: 'segment', a: [2, 0], b: [4, 1] }]);
    expect(image.width).toBe(512);
    for (const [i, side] of [0.325, -0.175, 4.175, 1.175].entries()) expect(image.box[i]).toBeCloseTo(side, 12);
    expect(computeVoronoiSync([point]).box).toEqual([0, 0, 1, 1]);
    expect(computeVoronoiSync([], { box: SQUARE, resolution: 2 })).toMatchObject({ error: 0 });
  });

  test('a disc of offset r has negative distances inside', () => {
    const { distances } = computeVoronoiSync([{ ...point, offset: 0.5 }], { box: SQUARE, resolution: 2 });
    for (const distance of distances) expect(distance).toBeCloseTo(Math.hypot(0.25, 0.25) - 0.5, 6);
  });

  test('refuses what is wrong, and says what', async () => {
    const bad: [unknown, unknown, ...string[]][] = [
      [null, {}, 'sites'],
      [[], {}, 'give a box'],
      [[point], { box: [1, 0, 0, 1] }, 'x0 < x1'],
      [[point], { box: [0, 0, NaN, 1] }, 'NaN'],
      [[point], { box: '0011' }, 'box'],
      [[point], { box: [1e17, 0, 1e17 + 32, 32], resolution: 512 }, 'closer to the origin'],
      [[point], { resolution: 0 }, 'resolution'],
      [[point], { resolution: 1.5 }, 'resolution'],
      [[point], { resolution: 1e6 }, 'resolution'],
      [[point], { box: SQUARE, resolution: 32768 }, 'smaller resolution'],
      [[point], { maxDistance: -1 }, 'maxDistance is -1'],
      [[point], { maxDistance: NaN }, 'maxDistance is NaN'],
      [[point], { method: 'cones' }, "'exact' or 'mesh'"],
      [[point], { error: 1 }, "'mesh'"],
      [[point], { method: 'mesh', error: 0 }, 'error'],
      [[point], { method: 'mesh', error: 1e-14 }, 'larger error'],
      [[point], { curveError: 0 }, 'curve error'],
      [[point], { backend: 'gpu' }, 'backend'],
      [[point], { resolutoin: 5 }, "'resolution'"],
      [[{ type: 'point', at: [1e30, 0] }], { box: SQUARE }, 'Scale the sites'],
      [[{ ...point, weight: 1e-30 }], { box: SQUARE }, 'Scale the sites'],
      [[{ type: 'point', at: [NaN, 0] }], { box: SQUARE }, 'site 0'],
    ];
    for (const [sites, options, ...words] of bad) {
      const error = await computeVoronoi(sites as PlaneSite[], options as VoronoiOptions).catch((reason) => reason);
      expect(error, JSON.stringify(options)).toBeInstanceOf(NearfieldError);
      for (const word of words) expect(error.message).toContain(word);
    }
    expect(() => computeVoronoiSync([point], { backend: 'webgpu' })).toThrow('computeVoronoi');
    expect(() => computeVoronoiSync([point], { method: 'mesh' })).toThrow('computeVoronoi');
    const stopped = computeVoronoi([point], { signal: { aborted: true } });
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    const signal = { aborted: false };
    const fractions: number[] = [];
    const onProgress = (fraction: number) => {
      fractions.push(fraction);
      if (fraction > 0.5) signal.aborted = true;
    };
    expect(() => computeVoronoiSync([point], { box: SQUARE, resolution: 1024, signal, onProgress })).toThrow('Stopped');
    expect(fractions.length).toBeGreaterThan(3);
  });
});

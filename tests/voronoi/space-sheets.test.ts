// Sheets between regions: equally far, facing the right way, meeting in common edges, and the same topology as known.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import type { Vec3 } from '../../src/core/vec3.js';
import type { SpaceSite } from '../../src/voronoi/sites/space-site.js';
import { computeSpaceSheets, type SpaceSheets } from '../../src/voronoi/space/compute-space-sheets.js';
import { randomSites } from '../generators/space-sites.js';
import { nearestSite, siteDistance } from '../oracles/brute-force-space-voronoi.js';
import { pointVoronoi } from '../oracles/point-voronoi-space.js';

function boxOf(scale = 1): { min: Vec3; max: Vec3 } {
  return { min: [0, 0, 0], max: [scale, scale, scale] };
}

function validate(
  { sheets, box, counters, spacing }: SpaceSheets,
  sites: readonly SpaceSite[],
  weighted = false,
): void {
  const size = Math.hypot(...box.max.map((max, axis) => max - box.min[axis]));
  let off = 0;
  let total = 0;
  for (const {
    sites: [a, b],
    positions,
    indices,
    clearances,
  } of sheets) {
    expect(a).toBeLessThan(b);
    for (let n = 0; n < clearances.length; n++) {
      const p = [...positions.subarray(3 * n, 3 * n + 3)];
      const first = siteDistance(sites[a], p);
      const second = siteDistance(sites[b], p);
      // Nothing is nearer by more than the resolution allows.
      const nearer = first - nearestSite(sites, p).distance;
      if (
        Math.abs(first - second) > 1e-9 * size ||
        Math.abs(clearances[n] - first) > 1e-9 * size ||
        nearer > spacing / 2
      ) {
        if (off++ < 6 * counters.unrefined) continue;
        throw new Error(`vertex ${n} of ${a}, ${b}: ${first}, ${second}, ${clearances[n]}, nearer by ${nearer}`);
      }
    }
    expect(Math.max(...indices)).toBe(clearances.length - 1);
    total += clearances.length;
  }
  // Each may be in six sheets. Weights give regions thinner than an eighth of a cell, whose two sides are one there.
  expect(counters.unrefined).toBeLessThanOrEqual(weighted ? 0.02 * total : 0);
}

/** Sides of triangles by how many triangles of all sheets have them, leaving out those on the surface of the box. */
function countSides({ sheets, box }: SpaceSheets): Map<number, number> {
  const counts = new Map<string, number>();
  for (const { positions, indices } of sheets) {
    const key = (v: number): string => positions.subarray(3 * v, 3 * v + 3).join();
    for (let h = 0; h < indices.length; h++) {
      const [a, b] = [indices[h], indices[h % 3 === 2 ? h - 2 : h + 1]];
      const onBox = [0, 1, 2].some((axis) =>
        [box.min[axis], box.max[axis]].some(
          (x) => Math.abs(positions[3 * a + axis] - x) < 1e-9 && Math.abs(positions[3 * b + axis] - x) < 1e-9,
        ),
      );
      if (onBox) continue;
      const side = [key(a), key(b)].sort().join('|');
      counts.set(side, (counts.get(side) ?? 0) + 1);
    }
  }
  const histogram = new Map<number, number>();
  for (const count of counts.values()) histogram.set(count, (histogram.get(count) ?? 0) + 1);
  return histogram;
}

describe('random sites', () => {
  test.each([
    ['points', { count: 12, kinds: ['point'] }],
    ['segments', { count: 8, kinds: ['segment'], length: 0.6 }],
    ['triangles', { count: 8, kinds: ['triangle'], length: 0.6 }],
    ['weighted', { count: 10, weighted: true }],
  ] as const)('%s: equally far, and closed but for the surface of the box', (_, mix) => {
    for (let seed = 1; seed <= 3; seed++) {
      const sites = randomSites(createRandom(seed), mix);
      const result = computeSpaceSheets(sites, { box: boxOf(), resolution: 20 });
      validate(result, sites, 'weighted' in mix);
      const sides = countSides(result);
      // Two triangles meet at a side, three where three regions meet; one only where a vertex left the box.
      expect(sides.get(2) ?? 0).toBeGreaterThan(1000);
      expect(sides.get(3) ?? 0).toBeGreaterThan(20);
      expect((sides.get(1) ?? 0) + (sides.get(4) ?? 0)).toBeLessThan(0.01 * (sides.get(2) ?? 0));
    }
  });
});

test('the pairs of points with a sheet are those of the exact diagram, at three scales', () => {
  for (const scale of [1, 1e6, 1e-6]) {
    const sites = randomSites(createRandom(4), { count: 10, kinds: ['point'], scale });
    const points = sites.map((site) => (site.type === 'point' ? site.at : [])) as unknown as Vec3[];
    const { min, max } = boxOf(scale);
    const oracle = pointVoronoi(points, min, max);
    const result = computeSpaceSheets(sites, { box: { min, max }, resolution: 32 });
    validate(result, sites);
    const pairs = new Set<string>();
    for (const { key } of oracle.edges) {
      const [a, b, c] = key.split(',');
      for (const pair of [`${a},${b}`, `${b},${c}`, `${a},${c}`]) pairs.add(pair);
    }
    const found = result.sheets.map(({ sites: ids }) => ids.join());
    for (const pair of pairs) expect(found).toContain(pair);
  }
});

test('the sheet of two points is a plane square that faces the second', () => {
  const sites: SpaceSite[] = [
    { type: 'point', at: [0.25, 0.5, 0.5] },
    { type: 'point', at: [0.7, 0.5, 0.5] },
  ];
  const { sheets } = computeSpaceSheets(sites, { box: boxOf(), resolution: 11 });
  expect(sheets).toHaveLength(1);
  const { positions, indices } = sheets[0];
  let area = 0;
  for (let n = 0; n < indices.length; n += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) =>
      positions.subarray(3 * indices[n + corner], 3 * indices[n + corner] + 3),
    );
    area += ((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])) / 2;
    expect(a[0]).toBeCloseTo(0.475, 12);
  }
  expect(area).toBeCloseTo(1, 9);
});

test('sites of one object have no sheet between them, and no sites have none', () => {
  const sites = randomSites(createRandom(6), { count: 9 }).map((site) => ({ ...site, object: 'one' }));
  expect(computeSpaceSheets(sites, { resolution: 8 }).sheets).toEqual([]);
  expect(computeSpaceSheets([], { resolution: 4 }).sheets).toEqual([]);
});

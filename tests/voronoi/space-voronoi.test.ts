// Diagrams sampled in space against brute force: every kind of site, weights, ties, scales, and both methods.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { createMesh, type Mesh } from '../../src/mesh/mesh.js';
import {
  computeSpaceVoronoi,
  computeSpaceVoronoiSync,
  type SpaceSite,
  type SpaceVoronoi,
  type SpaceVoronoiOptions,
} from '../../src/voronoi/index.js';
import { codeOf } from '../error-code.js';
import { randomSites } from '../generators/space-sites.js';
import { torusGrid } from '../generators/surfaces.js';
import { nearestSite, siteDistance } from '../oracles/brute-force-space-voronoi.js';

const UNIT = { min: [0, 0, 0], max: [1, 1, 1] } as const;

function unitBox(scale = 1): { min: [number, number, number]; max: [number, number, number] } {
  return { min: [0, 0, 0], max: [scale * UNIT.max[0], scale * UNIT.max[1], scale * UNIT.max[2]] };
}

/** Compares every node with brute force; returns the share of nodes with another id. */
function compare(diagram: SpaceVoronoi, sites: readonly SpaceSite[], maxDistance = Infinity): number {
  const { origin, spacing, size, ids, distances, error } = diagram;
  let other = 0;
  for (let k = 0; k < size[2]; k++) {
    for (let j = 0; j < size[1]; j++) {
      for (let i = 0; i < size[0]; i++) {
        const node = i + size[0] * (j + size[1] * k);
        const p = [origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k];
        const { id, distance } = nearestSite(sites, p);
        const found = ids[node];
        if (found < 0) {
          if (!(distance > maxDistance - error)) throw new Error(`node ${node} has no site, ${id} is at ${distance}`);
          expect(distances[node]).toBe(Infinity);
          continue;
        }
        if (Math.abs(distances[node] - distance) > error || distances[node] > maxDistance) {
          throw new Error(
            `node ${node} is ${distances[node]} from ${found}, not ${distance} from ${id}; error ${error}`,
          );
        }
        if (found === id) continue;
        other++;
        if (siteDistance(sites[found], p) - distance > error) throw new Error(`node ${node} has ${found}, not ${id}`);
      }
    }
  }
  return other / ids.length;
}

const METHODS = ['exact', 'mesh'] as const;

describe.each(METHODS)('%s', (method) => {
  test.each([
    ['points', { count: 20, kinds: ['point'] }],
    ['segments', { count: 20, kinds: ['segment'], length: 0.8 }],
    ['triangles', { count: 20, kinds: ['triangle'], length: 0.8 }],
    ['all kinds', { count: 60 }],
    ['weighted', { count: 30, weighted: true, length: 0.5 }],
    ['at a large scale', { count: 30, scale: 1e6 }],
    ['at a small scale', { count: 30, scale: 1e-6, weighted: false }],
  ] as const)('%s agree with brute force', (_, mix) => {
    const sites = randomSites(createRandom(11), mix);
    const box = unitBox('scale' in mix ? mix.scale : 1);
    const diagram = computeSpaceVoronoiSync(sites, { box, resolution: 18, method });
    const share = compare(diagram, sites);
    // Ids differ only at ties, which are rare for exact distances and within the error for meshes.
    expect(share).toBeLessThan(method === 'exact' ? 1e-3 : 0.2);
    expect(new Set(diagram.ids).size).toBeGreaterThan(mix.count / 2);
  });

  test('meshes agree with brute force', () => {
    const torus = torusGrid(12, 8, 0.5, 0.2);
    const sites: SpaceSite[] = [
      { type: 'mesh', mesh: shifted(torus, 0, 0, 0) },
      { type: 'mesh', mesh: shifted(torus, 0.9, 0.1, 0.2) },
      { type: 'point', at: [0.3, 0.4, 0.1] },
    ];
    const diagram = computeSpaceVoronoiSync(sites, { resolution: 20, method });
    compare(diagram, sites);
    expect(new Set(diagram.ids)).toEqual(new Set([0, 1, 2]));
  });

  test('nodes on the features of sites, and planar grids', () => {
    const sites: SpaceSite[] = [
      { type: 'triangle', a: [0, 0, 0.5], b: [0.5, 0, 0.5], c: [0, 0.5, 0.5] },
      { type: 'segment', a: [0.75, 0, 0], b: [0.75, 0, 1] },
      { type: 'segment', a: [0.25, 0.75, 0.25], b: [1, 0.75, 0.25] },
      { type: 'point', at: [0.5, 0.5, 0.25] },
      { type: 'triangle', a: [1, 1, 0], b: [1, 1, 1], c: [0.5, 1, 1] },
      { type: 'triangle', a: [1, 0, 1], b: [0.75, 0, 1], c: [0.5, 0, 1] },
    ];
    compare(computeSpaceVoronoiSync(sites, { box: unitBox(), resolution: 17, method }), sites);
    const frame = { origin: [0, 0, 0.25], spacing: 1 / 64, size: [65, 65, 1] } as const;
    compare(computeSpaceVoronoiSync(sites, { frame, method }), sites);
  });

  test('a largest distance, sites outside the box, and ties', () => {
    const sites: SpaceSite[] = [
      { type: 'point', at: [-3, 0.5, 0.5] },
      { type: 'point', at: [0.5, 0.5, 0.5] },
      { type: 'point', at: [0.5, 0.5, 0.5] },
      { type: 'segment', a: [0, 0, 0], b: [1, 1, 1] },
      { type: 'segment', a: [1, 0, 0], b: [0, 1, 1] },
    ];
    const options: SpaceVoronoiOptions = { box: unitBox(), resolution: 15, method };
    const all = computeSpaceVoronoiSync(sites, options);
    compare(all, sites);
    expect(all.ids.includes(2)).toBe(false);
    const cut = computeSpaceVoronoiSync(sites, { ...options, maxDistance: 0.2 });
    compare(cut, sites, 0.2);
    expect(cut.ids.includes(-1)).toBe(true);
    expect(cut.ids.includes(1)).toBe(true);
  });

  test('no sites, one site, and one node', () => {
    const none = computeSpaceVoronoiSync([], { resolution: 3, method });
    expect([...none.ids]).toEqual(new Array(27).fill(-1));
    const one = computeSpaceVoronoiSync([{ type: 'point', at: [5, 5, 5] }], { resolution: 4, method });
    expect([...one.ids]).toEqual(new Array(64).fill(0));
    const frame = { origin: [1, 2, 3], spacing: 1, size: [1, 1, 1] } as const;
    const sites = randomSites(createRandom(3), { count: 200 });
    compare(computeSpaceVoronoiSync(sites, { frame, method }), sites);
  });
});

test('many elements per node are searched one by one', () => {
  const sites = randomSites(createRandom(5), { count: 3000, weighted: true, length: 0.02 });
  const diagram = computeSpaceVoronoiSync(sites, { box: unitBox(), resolution: 5 });
  expect(compare(diagram, sites)).toBe(0);
});

test('smaller distance meshes have smaller errors, and cost more', () => {
  const sites = randomSites(createRandom(8), { count: 40 });
  const options = { box: unitBox(), resolution: 20, method: 'mesh' } as const;
  const coarse = computeSpaceVoronoiSync(sites, { ...options, error: 1 / 19 });
  const fine = computeSpaceVoronoiSync(sites, { ...options, error: 0.01 / 19 });
  expect(compare(fine, sites)).toBeLessThan(0.01);
  expect(fine.error).toBeLessThan(0.02 * coarse.error);
  expect(fine.counters.triangles).toBeGreaterThan(coarse.counters.triangles);
});

test('the call with a promise gives the same, and reports', async () => {
  const sites = randomSites(createRandom(9), { count: 10 });
  const stages = new Set<string>();
  const later = await computeSpaceVoronoi(sites, {
    box: unitBox(),
    resolution: 12,
    onProgress: (_, stage) => stages.add(stage),
  });
  expect(later).toEqual(computeSpaceVoronoiSync(sites, { box: unitBox(), resolution: 12 }));
  expect(stages.size).toBeGreaterThan(0);
});

test('bad sites and options are refused', () => {
  const bad = (site: unknown, options: object = {}): string =>
    codeOf(() => computeSpaceVoronoiSync([site] as SpaceSite[], options));
  expect(codeOf(() => computeSpaceVoronoiSync({} as SpaceSite[]))).toBe('bad-argument');
  for (const site of [
    null,
    {},
    { type: 'circle' },
    { type: 'point' },
    { type: 'point', at: [0, 0] },
    { type: 'point', at: [0, 0, Number.NaN] },
    { type: 'segment', a: [0, 0, 0] },
    { type: 'triangle', a: [0, 0, 0], b: [1, 0, 0], c: [1, 'x', 0] },
    { type: 'mesh' },
    { type: 'mesh', mesh: {} },
    { type: 'point', at: [0, 0, 0], weight: 0 },
    { type: 'point', at: [0, 0, 0], offset: Infinity },
    { type: 'point', at: [0, 0, 0], object: {} },
  ]) {
    expect(bad(site), JSON.stringify(site)).toBe('bad-argument');
  }
  const point = { type: 'point', at: [0, 0, 0] };
  for (const options of [
    { method: 'fast' },
    { maxDistance: -1 },
    { error: 0 },
    { resolution: 1 },
    { backend: 'webgpu' },
    { frame: { origin: [0, 0, 0], spacing: 0, size: [2, 2, 2] } },
    { frame: { origin: [0, 0, 0], spacing: 1, size: [2, 2, 2] }, resolution: 3 },
    { sites: 3 },
  ]) {
    expect(bad(point, options), JSON.stringify(options)).toBe('bad-argument');
  }
  const empty = { type: 'mesh', mesh: { positions: new Float64Array(0), indices: new Uint32Array(0) } };
  expect(bad(empty)).toBe('empty-mesh');
});

function shifted(mesh: Mesh, x: number, y: number, z: number): Mesh {
  const shift = [x, y, z];
  return createMesh(
    mesh.positions.map((value, i) => value + shift[i % 3]),
    mesh.indices,
  );
}

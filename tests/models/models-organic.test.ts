import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Mesh } from '../../src/mesh/mesh.js';
import { MeshQuery } from '../../src/mesh/query/mesh-query.js';
import { findSelfIntersections } from '../../src/mesh/report/self-intersections.js';
import type { ModelDefinition } from '../../src/models/model.js';
import { bunny } from '../../src/models/objects/bunny.js';
import { dragon } from '../../src/models/objects/dragon.js';
import { head } from '../../src/models/objects/head.js';
import { teethLower, teethUpper } from '../../src/models/objects/teeth.js';
import { surfaceStructure } from '../oracles/closed-manifold.js';

interface Case {
  readonly model: ModelDefinition<string>;
  readonly triangles: number;
  /** Of the model in the paper or, where there is none, typical of an uneven surface. */
  readonly reflex: readonly [number, number];
  /** Width, height and depth, meters. */
  readonly size: readonly [number, number, number];
  readonly noise: string;
}

const cases: Case[] = [
  { model: teethLower, triangles: 40_180, reflex: [0.38, 0.48], size: [0.057, 0.0167, 0.054], noise: 'roughness' },
  { model: teethUpper, triangles: 47_339, reflex: [0.38, 0.48], size: [0.062, 0.018, 0.056], noise: 'roughness' },
  { model: head, triangles: 21_764, reflex: [0.25, 0.35], size: [0.18, 0.27, 0.22], noise: 'roughness' },
  { model: bunny, triangles: 35_000, reflex: [0.3, 0.45], size: [0.111, 0.198, 0.19], noise: 'fur' },
  { model: dragon, triangles: 250_000, reflex: [0.3, 0.45], size: [1.08, 0.7, 1.07], noise: 'scales' },
];

/** Cases of a property; npm run soak tries twenty times as many. */
const CASES = Number(process.env.NEARFIELD_SOAK ?? 1);

const built = new Map<ModelDefinition<string>, Mesh>();

/** The model with its own parameters, made once for all tests. */
function standard(model: ModelDefinition<string>): Mesh {
  const mesh = built.get(model) ?? model.build();
  built.set(model, mesh);
  return mesh;
}

/** The share of edges whose faces meet at more than 180° outside. */
function reflexShare({ positions: p, indices }: Mesh): number {
  const vertices = p.length / 3;
  const apexOf = new Map<number, number>();
  for (let i = 0; i < indices.length; i++) {
    const first = i - (i % 3);
    apexOf.set(indices[i] * vertices + indices[first + ((i + 1) % 3)], indices[first + ((i + 2) % 3)]);
  }
  let reflex = 0;
  let edges = 0;
  for (const [edge, c] of apexOf) {
    const a = Math.floor(edge / vertices);
    const b = edge % vertices;
    if (a > b) continue;
    edges++;
    const d = apexOf.get(b * vertices + a)!;
    const [u, v, w] = [b, c, d].map((to) => [0, 1, 2].map((k) => p[3 * to + k] - p[3 * a + k]));
    const height =
      (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
    if (height > 0) reflex++;
  }
  return reflex / edges;
}

function sizeOf({ positions }: Mesh): number[] {
  return [0, 1, 2].map((axis) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    return high - low;
  });
}

describe.each(cases)('$model.name', ({ model, triangles, reflex, size, noise }) => {
  let mesh: Mesh;
  beforeAll(() => {
    mesh = standard(model);
  });

  test('is one closed oriented surface without handles, slivers or self-intersections', () => {
    const structure = surfaceStructure(mesh.positions, mesh.indices);
    expect(structure).toMatchObject({ faults: [], components: 1, genus: 0 });
    expect(structure.volume).toBeGreaterThan(0);
    expect(structure.thinnest).toBeGreaterThan(0.05);
    expect(findSelfIntersections(mesh).count).toBe(0);
  });

  test('has the size and the unevenness it is meant to have', () => {
    expect(Math.abs(mesh.indices.length / 3 / triangles - 1)).toBeLessThan(0.02);
    for (const [axis, extent] of sizeOf(mesh).entries()) expect(Math.abs(extent / size[axis] - 1)).toBeLessThan(0.05);
    const share = reflexShare(mesh);
    expect(share).toBeGreaterThan(reflex[0]);
    expect(share).toBeLessThan(reflex[1]);
  });

  test('is the same every time, another for another seed', () => {
    const small = { triangles: model.parameters.triangles.min };
    const first = model.build(small);
    expect(model.build(small)).toEqual(first);
    expect(model.build({ ...small, seed: 99 }).positions).not.toEqual(first.positions);
    const smooth = model.build({ ...small, [noise]: 0 });
    expect(reflexShare(smooth)).toBeLessThan(reflexShare(first));
  });

  test('stays sound and in one piece over its parameters', () => {
    const { min } = model.parameters.triangles;
    fc.assert(
      fc.property(
        fc.integer({ min, max: 2 * min }),
        fc.double({ min: 0, max: model.parameters[noise].max, noNaN: true }),
        fc.integer({ min: 0, max: 2 ** 31 }),
        (count, amplitude, seed) => {
          const built = model.build({ triangles: count, [noise]: amplitude, seed });
          const structure = surfaceStructure(built.positions, built.indices);
          expect(structure).toMatchObject({ faults: [], components: 1 });
          expect(structure.volume).toBeGreaterThan(0);
          expect(findSelfIntersections(built).count).toBe(0);
          expect(Math.abs(built.indices.length / 3 / count - 1)).toBeLessThan(0.12);
        },
      ),
      { numRuns: CASES },
    );
  });
});

describe('the rows of teeth together', () => {
  const MILLIMETER = 0.001;

  /** Both rows as one mesh, the lower one moved. */
  function bite(lower: Mesh, upper: Mesh, x: number, y: number): Mesh {
    const positions = new Float64Array(lower.positions.length + upper.positions.length);
    positions.set(lower.positions.map((value, i) => value + [x, y, 0][i % 3]));
    positions.set(upper.positions, lower.positions.length);
    const indices = new Uint32Array(lower.indices.length + upper.indices.length);
    indices.set(lower.indices);
    indices.set(
      upper.indices.map((vertex) => vertex + lower.positions.length / 3),
      lower.indices.length,
    );
    return { positions, indices };
  }

  /** Distances from the vertices of one mesh to the other, up to 2 mm. */
  function gaps(from: Mesh, to: Mesh): number[] {
    const query = new MeshQuery(to);
    const found: number[] = [];
    for (let i = 0; i < from.positions.length; i += 3) {
      const nearest = query.closestPoint(from.positions.subarray(i, i + 3), 2 * MILLIMETER);
      if (nearest) found.push(nearest.distance);
    }
    return found;
  }

  test('face each other over a thin gap at rest, and meet when closed further', () => {
    const [lower, upper] = [standard(teethLower), standard(teethUpper)];
    expect(findSelfIntersections(bite(lower, upper, 0, 0)).count).toBe(0);
    for (const distances of [gaps(upper, lower), gaps(lower, upper)]) {
      const least = Math.min(...distances);
      expect(least).toBeGreaterThan(0.2 * MILLIMETER);
      expect(least).toBeLessThan(0.5 * MILLIMETER);
      // Not a few points that nearly touch: whole facets lie that close.
      expect(distances.filter((d) => d < MILLIMETER).length).toBeGreaterThan(1000);
    }
    expect(findSelfIntersections(bite(lower, upper, 0, 0.7 * MILLIMETER)).count).toBeGreaterThan(100);
    expect(findSelfIntersections(bite(lower, upper, 2 * MILLIMETER, 0)).count).toBeGreaterThan(100);
    // Opened by 4 mm they pass over each other.
    for (const x of [-4, 0, 4]) {
      expect(findSelfIntersections(bite(lower, upper, x * MILLIMETER, -4 * MILLIMETER)).count).toBe(0);
    }
  });

  test('keep apart at rest for any roughness and seed', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.16, noNaN: true }),
        fc.integer({ min: 0, max: 2 ** 31 }),
        (roughness, seed) => {
          const lower = teethLower.build({ triangles: 15_000, roughness: 0.16, seed });
          const upper = teethUpper.build({ triangles: 25_000, roughness, seed: seed ^ 1 });
          expect(findSelfIntersections(bite(lower, upper, 0, 0)).count).toBe(0);
        },
      ),
      { numRuns: CASES },
    );
  });
});

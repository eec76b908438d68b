// The search for near triangles: it finds the smallest distance, and the WebAssembly kernel visits the same boxes and
// triangles as its TypeScript twin, whatever ends its memory, its stack or its queue.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { createPolygon } from '../../../src/mesh/polygon/polygon.js';
import { extrudePolygon } from '../../../src/models/parts/extrude.js';
import { BoxBound } from '../../../src/proximity/boxes/box-bound.js';
import { BoxKernel } from '../../../src/proximity/boxes/box-kernel.js';
import { BoxNearest } from '../../../src/proximity/boxes/box-nearest.js';
import { BoxTree, buildBoxTree } from '../../../src/proximity/boxes/box-tree.js';
import { triangleDistanceSquared } from '../../oracles/triangle-distance-oracle.js';
import { LIMITS, MESHES } from './kernel-cases.js';
import { placePoints, randomPlacement, randomSoup } from './random-boxes.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const SLACK = 1e-13;

type Measure = (triangleA: number, triangleB: number) => number;

/** The triangle pairs that a search measures, its box tests, and the last threshold: the least of the distances. */
function trace(nearest: BoxNearest, m: Float64Array, threshold: number, queued: boolean, measure: Measure): number[] {
  const seen: number[] = [];
  nearest.search(m, SLACK, threshold, queued, {
    judge(triangleA, triangleB) {
      seen.push(triangleA, triangleB);
      threshold = Math.min(threshold, measure(triangleA, triangleB));
      // The fortieth pair ends a search that did not have a threshold.
      return seen.length === 80 && queued ? -1 : threshold;
    },
  });
  return [nearest.tests, threshold, ...seen];
}

/** The distance of triangles that do not cross. */
function measureOf(a: BoxTree, b: BoxTree, m: Float64Array): Measure {
  const placed = placePoints(b.mesh.positions, m);
  const corners = ({ mesh: { indices } }: BoxTree, triangle: number): number[] =>
    [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
  return (i, j) => Math.sqrt(triangleDistanceSquared(a.mesh.positions, corners(a, i), placed, corners(b, j)));
}

test('finds the smallest distance, from a queue of any size, and all that are within a limit', () => {
  const random = createRandom(11);
  for (let n = 0; n < 60 * SOAK; n++) {
    const scale = 10 ** random.range(-3, 3);
    const [a, b] = [0, 1].map((k) => buildBoxTree(randomSoup(12, 300 + 2 * n + k, scale, 0)));
    const m = randomPlacement(random, 1.5 * scale);
    const measure = measureOf(a, b, m);
    const bounds = new BoxBound(a, b);
    bounds.place(m);
    const all = Array.from({ length: 144 }, (_, i) => measure(Math.floor(i / 12), i % 12));
    const least = Math.min(...all);
    const limit = 2 * least;
    for (const kernel of [null, new BoxKernel({ price: 0 })]) {
      for (const queueSize of [1, 3, 500]) {
        const nearest = new BoxNearest(a, b, queueSize, kernel);
        let best = Infinity;
        nearest.search(m, bounds.slack, Infinity, queueSize > 1, {
          judge: (i, j) => (best = Math.min(best, measure(i, j))),
        });
        expect(best).toBe(least);
        const seen = new Set<number>();
        nearest.search(m, bounds.slack, limit, false, {
          judge: (i, j) => {
            seen.add(12 * i + j);
            return limit;
          },
        });
        for (let i = 0; i < 144; i++) if (all[i] <= limit) expect(seen.has(i)).toBe(true);
      }
    }
  }
});

for (const [name, limits] of LIMITS) {
  test(`the kernel visits what its twin visits, with ${name}`, () => {
    const random = createRandom(12);
    for (const [, meshA, meshB] of MESHES) {
      for (const queueSize of [2, 30, 100_000]) {
        const [a, b] = [new BoxTree(meshA), new BoxTree(meshB)];
        const twin = new BoxNearest(a, b, queueSize);
        const kernel = new BoxKernel({ price: 0, ...limits });
        const nearest = new BoxNearest(new BoxTree(meshA), new BoxTree(meshB), queueSize, kernel);
        for (let n = 0; n < 12 * SOAK; n++) {
          const m = randomPlacement(random, 1);
          const measure = measureOf(a, b, m);
          const threshold = n % 3 === 0 ? 0.3 : Infinity;
          const queued = n % 2 === 0;
          expect(trace(nearest, m, threshold, queued, measure)).toEqual(trace(twin, m, threshold, queued, measure));
        }
      }
    }
  });
}

test('two drawn pipes that cross at a distance take few pairs, although their triangles are as long as they are', () => {
  const ring = (radius: number): number[] =>
    Array.from({ length: 248 }, (_, i) => radius * (i % 2 === 0 ? Math.cos : Math.sin)((Math.PI * (i >> 1)) / 62));
  const tree = buildBoxTree(extrudePolygon(createPolygon([ring(32), ring(27)]), { depth: 2500 }));
  const random = createRandom(5);
  for (let n = 0; n < 20; n++) {
    const tilt = random.range(0.3, 1.2);
    const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
    const m = Float64Array.of(
      1,
      0,
      0,
      random.range(66, 90),
      0,
      c,
      -s,
      random.range(-9, 9),
      0,
      s,
      c,
      random.range(-9, 9),
    );
    const [tests, least, ...seen] = trace(new BoxNearest(tree, tree, 256), m, Infinity, true, measureOf(tree, tree, m));
    expect(least).toBeCloseTo(m[3] - 64, 1);
    // Bounds along the faces of the boxes alone leave some 35,000 tests and 16,000 triangles.
    expect(tests).toBeLessThan(1500);
    expect(seen.length / 2).toBeLessThan(40);
  }
});

// The search for crossing triangles: no box that holds a crossing is ruled out, and the WebAssembly kernel visits the same
// boxes and triangles as its TypeScript twin, whatever ends its memory or its stack.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import { BoxBound } from '../../../src/proximity/boxes/box-bound.js';
import { BoxCrossing } from '../../../src/proximity/boxes/box-crossing.js';
import { BoxKernel } from '../../../src/proximity/boxes/box-kernel.js';
import { KERNEL_SOURCE } from '../../../src/proximity/boxes/box-kernel-code.js';
import { BoxTree, buildBoxTree } from '../../../src/proximity/boxes/box-tree.js';
import { trianglesMeet } from '../../oracles/triangles-meet.js';
import { LIMITS, MESHES } from './kernel-cases.js';
import { placePoints, randomPlacement, randomSoup } from './random-boxes.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
/** What BoxBound makes of the magnitude of coordinates of a few units. */
const SLACK = 1e-13;

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The triangle pairs that a search tests, its box tests and its answer; `crosses` answers for the n-th pair. */
function trace(crossing: BoxCrossing, m: Float64Array, slack: number, crosses: (n: number) => boolean): number[] {
  const seen: number[] = [];
  const found = crossing.search(m, slack, {
    cross(triangleA, triangleB) {
      seen.push(triangleA, triangleB);
      return crosses(seen.length / 2);
    },
  });
  return [Number(found), crossing.tests, ...seen];
}

test('tests every two triangles that meet, and none whose boxes are apart along a face normal', () => {
  const random = createRandom(8);
  let apart = 0;
  let met = 0;
  let count = 0;
  for (let n = 0; n < 100 * SOAK; n++) {
    const scale = 10 ** random.range(-3, 3);
    const [a, b] = [randomSoup(4, 100 + 2 * n, scale, 0), randomSoup(4, 101 + 2 * n, scale, 0)].map((mesh) =>
      buildBoxTree(mesh),
    );
    const placement = randomPlacement(random, scale / 4);
    const placed = placePoints(b.mesh.positions, placement);
    const bounds = new BoxBound(a, b);
    bounds.place(placement);
    for (const kernel of [null, new BoxKernel({ price: 0 })]) {
      const crossing = new BoxCrossing(a, b, kernel);
      const [, , ...seen] = trace(crossing, placement, bounds.slack, () => false);
      const tested = new Set<number>();
      for (let i = 0; i < seen.length; i += 2) tested.add(4 * seen[i] + seen[i + 1]);
      for (const [nodeA, i] of leavesOf(a)) {
        for (const [nodeB, j] of leavesOf(b)) {
          const meets = trianglesMeet(
            a.mesh.positions,
            9 * i,
            9 * i + 3,
            9 * i + 6,
            placed,
            9 * j,
            9 * j + 3,
            9 * j + 6,
          );
          count++;
          if (meets) met++;
          if (!tested.has(4 * i + j)) {
            apart++;
            expect(meets).toBe(false);
          } else expect(bounds.boundFaces(nodeA, nodeB, 0, false)).toBeLessThanOrEqual(bounds.slack);
        }
      }
    }
  }
  expect(met / count).toBeGreaterThan(0.05);
  expect(apart / count).toBeGreaterThan(0.3);
  expect(apart / count).toBeLessThan(0.9);
});

/** Leaves with their triangles. */
function leavesOf({ links }: BoxTree): [number, number][] {
  return [...links].flatMap((link, node) => (link < 0 ? [[node, ~link]] : []));
}

test('tells boxes apart by the cross products of their edges', () => {
  // Two bars at right angles, turned so that only the direction across both shows the gap.
  const bar = (mesh: Mesh, map: (x: number, y: number, z: number) => number[]): Mesh => ({
    positions: Float64Array.from(
      Array.from({ length: mesh.positions.length / 3 }, (_, i) =>
        map(mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]),
      ).flat(),
    ),
    indices: mesh.indices,
  });
  const box = findModel('box').build();
  const half = Math.SQRT1_2;
  // A square bar along x standing on its edge, and one along z, an edge of each turned to the other.
  const a = buildBoxTree(bar(box, (x, y, z) => [10 * x, half * (y - z), half * (y + z)]));
  const b = buildBoxTree(bar(box, (x, y, z) => [half * (x - y), half * (x + y), 10 * z]));
  const reach = 2 * Math.max(...box.positions) * Math.SQRT2;
  for (const crossing of [new BoxCrossing(a, b), new BoxCrossing(a, b, new BoxKernel({ price: 0 }))]) {
    const testsAt = (height: number): number => {
      trace(crossing, Float64Array.of(1, 0, 0, 0, 0, 1, 0, height, 0, 0, 1, 0), SLACK, () => false);
      return crossing.tests;
    };
    expect(testsAt(reach * 1.001)).toBe(1);
    expect(testsAt(reach * 0.999)).toBeGreaterThan(1);
  }
});

for (const [name, limits] of LIMITS) {
  test(`the kernel visits what its twin visits, with ${name}`, () => {
    const random = createRandom(9);
    for (const [, meshA, meshB] of MESHES) {
      // Each has trees of its own, to be opened on the way.
      const twin = new BoxCrossing(new BoxTree(meshA), new BoxTree(meshB));
      const kernel = new BoxKernel({ price: 0, ...limits });
      const crossing = new BoxCrossing(new BoxTree(meshA), new BoxTree(meshB), kernel);
      expect(kernel.isReady).toBe(limits.maxPages !== 2);
      for (let n = 0; n < 40 * SOAK; n++) {
        const m = randomPlacement(random, 0.6);
        const found = Math.floor(random.range(1, 12));
        const crosses = n % 2 === 0 ? (count: number) => count === found : () => false;
        expect(trace(crossing, m, SLACK, crosses)).toEqual(trace(twin, m, SLACK, crosses));
      }
    }
  });
}

test('one kernel serves many trees, and frees their copies when memory is full', () => {
  const random = createRandom(10);
  const kernel = new BoxKernel({ price: 0, maxPages: 5 });
  const trees = Array.from({ length: 12 }, (_, i) => buildBoxTree(randomSoup(80, 20 + i, 1, 0)));
  for (let n = 0; n < 200 * SOAK; n++) {
    const [a, b] = [0, 1].map(() => trees[Math.floor(random.range(0, 12))]);
    const m = randomPlacement(random, 0.5);
    const never = (): boolean => false;
    const twin = trace(new BoxCrossing(a, b), m, SLACK, never);
    expect(trace(new BoxCrossing(a, b, kernel), m, SLACK, never)).toEqual(twin);
  }
  expect(kernel.bytes).toBe(5 * 65_536);
});

test('the kernel is made once the tests in TypeScript have cost as much', () => {
  const [a, b] = [buildBoxTree(MESHES[2][1]), buildBoxTree(MESHES[2][2])];
  const kernel = new BoxKernel({ price: 500 });
  const crossing = new BoxCrossing(a, b, kernel);
  const m = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  let earned = 0;
  while (earned < 500) {
    expect(kernel.isReady).toBe(false);
    expect(kernel.bytes).toBe(0);
    trace(crossing, m, SLACK, () => false);
    earned += crossing.tests;
  }
  expect(kernel.isReady).toBe(true);
  expect(kernel.bytes).toBeGreaterThan(0);
});

test('the twin answers where WebAssembly is missing or may not be compiled', () => {
  const [a, b] = [buildBoxTree(MESHES[0][1]), buildBoxTree(MESHES[0][2])];
  const m = Float64Array.of(1, 0, 0, 0.3, 0, 1, 0, 0.2, 0, 0, 1, 0.1);
  const never = (): boolean => false;
  const twin = trace(new BoxCrossing(a, b), m, SLACK, never);
  const forbidden = class {
    constructor() {
      throw new EvalError('Refused to compile: wasm-unsafe-eval is not an allowed source of script');
    }
  };
  for (const stub of [undefined, { ...WebAssembly, Memory: WebAssembly.Memory, Module: forbidden }]) {
    vi.stubGlobal('WebAssembly', stub);
    const kernel = new BoxKernel({ price: 0 });
    expect(kernel.isReady).toBe(false);
    expect(trace(new BoxCrossing(a, b, kernel), m, SLACK, never)).toEqual(twin);
    expect(kernel.bytes).toBe(0);
  }
});

test('the module in src was compiled from the source in assembly', () => {
  const source = readFileSync(new URL('../../../assembly/box-kernel.ts', import.meta.url));
  // If this fails: node scripts/build-kernel.mjs
  expect(KERNEL_SOURCE).toBe(createHash('sha256').update(source).digest('hex'));
});

// The hierarchy in Morton order is valid, and plans of columns write every column once.
import { describe, expect, test } from 'vitest';
import { ofPositions } from '../../../src/core/box.js';
import { createRandom } from '../../../src/core/random.js';
import { planColumns } from '../../../src/field/flood/flood-axes-gpu.js';
import { buildMortonHierarchy } from '../../../src/field/flood/morton-hierarchy.js';

function randomTriangles(count: number, seed: number, place: (x: number) => number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 9 * count }, () => place(random.range(-1, 1)));
}

describe('buildMortonHierarchy', () => {
  test.each([
    ['spread', 500, (x: number) => x],
    ['all in one place', 300, () => 2],
    ['on a few places', 400, (x: number) => Math.round(2 * x)],
    ['huge', 100, (x: number) => 1e308 * x],
    ['one', 1, (x: number) => x],
  ])('has every triangle in one leaf: %s', (_, count, place) => {
    const triangles = randomTriangles(count, count, place);
    const leafSize = 4;
    const tree = buildMortonHierarchy(triangles, count, ofPositions(triangles), leafSize);
    expect([...tree.items].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
    let deepest = 0;
    let slots = 0;
    const visit = (node: number, level: number): void => {
      deepest = Math.max(deepest, level);
      const left = tree.nodeLeft[node];
      if (left === 0) {
        expect(tree.nodeItems[node]).toBeLessThanOrEqual(leafSize);
        expect(tree.nodeItems[node]).toBeGreaterThan(0);
        expect(tree.nodeFirst[node]).toBe(slots);
        slots += tree.nodeItems[node];
        return;
      }
      expect(left).toBeGreaterThan(node);
      expect(tree.nodeItems[left] + tree.nodeItems[left + 1]).toBe(tree.nodeItems[node]);
      visit(left, level + 1);
      visit(left + 1, level + 1);
    };
    visit(0, 1);
    expect(slots).toBe(count);
    expect(tree.depth).toBe(deepest);
    expect(deepest).toBeLessThan(40);
  });

  test('triangles of a leaf are near each other', () => {
    const triangles = new Float64Array(9 * 4096);
    // Points of a lattice of 16³, shuffled: a leaf of four spans at most one lattice step along two axes.
    for (let i = 0; i < 4096; i++) {
      const place = (i * 1663) % 4096;
      const point = [place % 16, (place >> 4) % 16, place >> 8];
      for (let k = 0; k < 9; k++) triangles[9 * i + k] = point[k % 3];
    }
    const tree = buildMortonHierarchy(triangles, 4096, ofPositions(triangles), 4);
    for (let node = 0; node < tree.nodeCount; node++) {
      if (tree.nodeLeft[node] !== 0) continue;
      const first = tree.nodeFirst[node];
      const leaf = tree.items.slice(first, first + tree.nodeItems[node]);
      for (let axis = 0; axis < 3; axis++) {
        const places = [...leaf].map((item) => triangles[9 * item + axis]);
        expect(Math.max(...places) - Math.min(...places)).toBeLessThanOrEqual(1);
      }
    }
  });
});

test('planColumns answers every column once', () => {
  for (const nodes of [1, 2, 3, 31, 64, 100, 255, 256, 257, 512, 700, 1024]) {
    for (let step = 1; step <= 512; step *= 2) {
      const { threads, adjacent, answered, halo, groups } = planColumns(nodes, step);
      const counts = new Uint32Array(nodes);
      for (let group = 0; group < groups; group++) {
        for (let place = 0; place < answered; place++) {
          for (let i = 0; i < adjacent; i++) {
            const blocks = step / adjacent;
            const x = (group % blocks) * adjacent + i + (Math.floor(group / blocks) * answered + place) * step;
            if (x < nodes) counts[x]++;
          }
        }
      }
      expect(counts.every((count) => count === 1)).toBe(true);
      expect((answered + 2 * halo) * adjacent).toBe(threads);
      // Without columns read at both ends, a workgroup must hold all of them.
      if (halo === 0) expect(answered).toBeGreaterThanOrEqual(Math.ceil(nodes / step));
    }
  }
});

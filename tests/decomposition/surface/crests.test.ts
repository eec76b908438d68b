// Hops to the nearest reflex edge against relaxation to a fixed point, and the order of seeds made of them.
import { describe, expect, test } from 'vitest';
import { countHops, orderByCrest } from '../../../src/decomposition/surface/crests.js';
import { Surface } from '../../../src/decomposition/surface/surface.js';
import { findModel } from '../../../src/models/catalogue.js';

/** Hops by relaxing every pair of neighbors until nothing changes. */
function relaxedHops(surface: Surface): number[] {
  const { indices } = surface.mesh;
  const faceOf = new Map<string, number>();
  for (let h = 0; h < indices.length; h++) {
    faceOf.set(`${indices[h]} ${indices[h % 3 === 2 ? h - 2 : h + 1]}`, Math.floor(h / 3));
  }
  const hops = Array.from({ length: surface.faceCount }, (_, face) =>
    [0, 1, 2].some((k) => surface.isReflex(3 * face + k)) ? 0 : surface.faceCount,
  );
  for (let changed = true; changed; ) {
    changed = false;
    for (let h = 0; h < indices.length; h++) {
      const beside = faceOf.get(`${indices[h % 3 === 2 ? h - 2 : h + 1]} ${indices[h]}`);
      const face = Math.floor(h / 3);
      if (beside === undefined || hops[beside] + 1 >= hops[face]) continue;
      hops[face] = hops[beside] + 1;
      changed = true;
    }
  }
  return hops;
}

describe('crests', () => {
  test.each(['torus', 'spoon', 'letter-b', 'bowl', 'grate-small'])('hops of %s', (name) => {
    const surface = new Surface(findModel(name).build());
    const hops = countHops(surface);
    expect([...hops]).toEqual(relaxedHops(surface));
    expect(Math.max(...hops)).toBeGreaterThan(0);
    const order = orderByCrest(surface);
    expect([...order].sort((a, b) => a - b)).toEqual([...hops.keys()]);
    for (let i = 1; i < order.length; i++) {
      const [before, after] = [order[i - 1], order[i]];
      expect(hops[before] > hops[after] || (hops[before] === hops[after] && before < after)).toBe(true);
    }
  });

  test('a convex model has no reflex edge to count from', () => {
    const surface = new Surface(findModel('box').build());
    expect([...countHops(surface)]).toEqual(Array(12).fill(12));
  });
});

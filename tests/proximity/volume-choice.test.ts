// Which bounding volume 'auto' takes: hulls where they can be made in reasonable time, otherwise boxes.
import { expect, test } from 'vitest';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/mesh/models/catalogue.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';

const choose = (mesh: Mesh): string => {
  const model = new ProximityModel(mesh);
  return new Pair(model, model).volume;
};

test('hulls for surfaces, also once they have been made otherwise', () => {
  expect(choose(findModel('letter-a').build())).toBe('hulls');
  expect(choose(findModel('torus').build())).toBe('hulls');
  expect(choose(findModel('sphere').build())).toBe('hulls');
  const model = new ProximityModel(findModel('letter-a').build());
  new Pair(model, model, { volume: 'hulls' });
  expect(model.hasHulls).toBe(true);
  expect(new Pair(model, model).volume).toBe('hulls');
});

test('boxes for soups and what intersects itself', () => {
  const soup = {
    positions: Float64Array.from({ length: 90 }, (_, i) => Math.sin(7 * i)),
    indices: new Uint32Array(30),
  };
  soup.indices.forEach((_, i) => {
    soup.indices[i] = i;
  });
  expect(choose(soup)).toBe('boxes');
  expect(() => new Pair(new ProximityModel(soup), new ProximityModel(soup), { volume: 'hulls' })).toThrow();
});

test('boxes for large convex patches, whose decomposition would take long; hulls when asked for', () => {
  const cylinder = new ProximityModel(findModel('cylinder').build());
  expect(cylinder.mesh.indices.length / 3).toBeGreaterThanOrEqual(20_000);
  expect(new Pair(cylinder, cylinder).volume).toBe('boxes');
  expect(cylinder.hasHulls).toBe(false);
  const small = new ProximityModel(findModel('cylinder').build({ segments: 40, bands: 4, capRings: 2 }));
  expect(new Pair(small, small).volume).toBe('hulls');
});

// Which bounding volume 'auto' takes: hulls where they can be made in reasonable time, otherwise boxes.
import { expect, test } from 'vitest';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/mesh/models/catalogue.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { voxelSolid } from '../generators/surfaces.js';

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

test('hulls for finely divided convex models, which are one patch', () => {
  const cylinder = new ProximityModel(findModel('cylinder').build());
  expect(cylinder.mesh.indices.length / 3).toBeGreaterThanOrEqual(20_000);
  expect(new Pair(cylinder, cylinder).volume).toBe('hulls');
});

test('boxes for large flat patches, whose decomposition would take long', () => {
  const notched = new ProximityModel(voxelSolid(2, (x, y, z) => x + y + z < 3, 8));
  expect(new Pair(notched, notched).volume).toBe('boxes');
  expect(notched.hasHulls).toBe(false);
});

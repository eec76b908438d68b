// The WebAssembly kernel of contacts against its TypeScript twins: the same pairs in the same order, so that a world moves the
// same bit for bit with and without it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ContactKernel, type ContactKernelLimits } from '../../src/manifold/contact-kernel.js';
import { KERNEL_SOURCE } from '../../src/manifold/contact-kernel-code.js';
import { CrossingSearch } from '../../src/manifold/crossing-search.js';
import { NearLeaves } from '../../src/manifold/near-leaves.js';
import { PairContacts } from '../../src/manifold/pair-contacts.js';
import { CollisionShape } from '../../src/manifold/shape/collision-shape.js';
import { CONTACT_FEATURES } from '../../src/manifold/shape/contact-features.js';
import { FEATURE_TREES } from '../../src/manifold/shape/feature-tree.js';
import { findModel } from '../../src/models/catalogue.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';

const models = ['letter-s', 'letter-q', 'digit-8', 'box', 'bowl'].map(
  (name) => new ProximityModel(findModel(name).build()),
);

/** Random rows of a placement about as far away as the models are large. */
function randomPlacement(random: ReturnType<typeof createRandom>): Float64Array {
  const [x, y, z, w] = random.rotation();
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    random.range(-0.6, 0.6),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    random.range(-0.6, 0.6),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
    random.range(-0.6, 0.6),
  );
}

/** What may end a kernel before its search. */
const LIMITS: readonly (readonly [string, ContactKernelLimits])[] = [
  ['enough room', { price: 0 }],
  ['room for no tree', { price: 0, maxPages: 2 }],
  ['room for some trees', { price: 0, maxPages: 4 }],
  ['no memory', { price: 0, maxPages: 1 }],
];

test('the module was compiled from the source there is', () => {
  const source = readFileSync(new URL('../../assembly/contact-kernel.ts', import.meta.url));
  expect(createHash('sha256').update(source).digest('hex')).toBe(KERNEL_SOURCE);
});

describe.each(LIMITS)('with %s', (_, limits) => {
  test('near leaves are those of the twin, in its order', () => {
    const random = createRandom(1);
    const kernel = new ContactKernel(limits);
    const [twin, leaves] = [new NearLeaves(), new NearLeaves(kernel)];
    let found = 0;
    for (let round = 0; round < 60; round++) {
      const [a, b] = [0, 1].map(() => models[random.integer(models.length)].parts.get(FEATURE_TREES));
      const bInA = randomPlacement(random);
      const way = round % 2 === 0 ? null : Float64Array.from([0, 1, 2], () => random.range(-0.5, 0.5));
      // Everywhere near everything: more pairs than the kernel gives at once.
      const reach = round === 59 ? 5 : random.range(0, 0.1);
      for (const kind of ['triangles', 'facets', 'edges', 'summits'] as const) {
        twin.place(bInA, reach, way);
        twin.find(a[kind], b[kind]);
        leaves.place(bInA, reach, way);
        leaves.find(a[kind], b[kind]);
        expect(leaves.count).toBe(twin.count);
        const [own, other] = [leaves, twin].map(({ items, count }) => Buffer.from(items.slice(0, 2 * count).buffer));
        expect(own.equals(other)).toBe(true);
        found += twin.count > 0 ? 1 : 0;
      }
    }
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThan(240);
  });

  test('searches for crossings answer as the twin', () => {
    const random = createRandom(2);
    const kernel = new ContactKernel(limits);
    let crossings = 0;
    const rounds = 120;
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [0, 1].map(() => models[random.integer(models.length)].parts);
      const [search, twin] = [kernel, null].map(
        (own) =>
          new CrossingSearch(
            a.get(CONTACT_FEATURES),
            a.get(FEATURE_TREES).triangles,
            b.get(CONTACT_FEATURES),
            b.get(FEATURE_TREES).triangles,
            own,
          ),
      );
      const bInA = randomPlacement(random);
      const crosses = twin.find(bInA, 0.05);
      expect(search.find(bInA, 0.05)).toBe(crosses);
      expect(search.clear).toBe(twin.clear);
      expect(search.keepWithin(bInA, 0.01)).toBe(twin.keepWithin(bInA, 0.01));
      expect(search.crossesAmongKept(bInA)).toBe(twin.crossesAmongKept(bInA));
      crossings += crosses ? 1 : 0;
    }
    expect(crossings).toBeGreaterThan(0.2 * rounds);
    expect(crossings).toBeLessThan(0.8 * rounds);
  });
});

test('contacts are the same bits with and without a kernel', () => {
  const random = createRandom(3);
  const kernel = new ContactKernel({ price: 0 });
  const margin = 0.1;
  let points = 0;
  for (let round = 0; round < 40; round++) {
    const [a, b] = [0, 1].map(() => CollisionShape.solid(models[random.integer(models.length)]));
    const [own, twin] = [new PairContacts(a, b, kernel), new PairContacts(a, b)];
    const [still, placement] = [Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0), randomPlacement(random)];
    for (let step = 0; step < 4; step++) {
      placement[3] += 0.02;
      const motion = Float64Array.of(0, 0.1, 0, 0.05 * step, 0, 0);
      expect(own.update(still, placement, margin, motion)).toBe(twin.update(still, placement, margin, motion));
      expect(own.count).toBe(twin.count);
      expect(own.separations.slice(0, own.count)).toEqual(twin.separations.slice(0, own.count));
      expect(own.normals.slice(0, 3 * own.count)).toEqual(twin.normals.slice(0, 3 * own.count));
      points += own.count;
    }
  }
  expect(points).toBeGreaterThan(100);
});

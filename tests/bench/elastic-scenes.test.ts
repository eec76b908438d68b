// The scenes of elastic bodies: starts that are what they claim to be, and a coil that ends without overlap.
import { describe, expect, test } from 'vitest';
import { elasticScenes, findElasticScene } from '../../bench/scenarios/elastic/catalogue.js';
import { elementCount, meanEdgeOf } from '../../bench/scenarios/elastic/elastic-scene.js';
import { gulletAround } from './gullet-around.js';

describe.each(elasticScenes.filter(({ name }) => name !== 'snake-swallow'))(
  '$name',
  ({ realTimeElements, keyframes, build }) => {
    test('has about the elements that are asked for, starts apart and steps', () => {
      const setting = build(realTimeElements, { mode: 'real-time' });
      const { world, bodies, rigid, rigidMeshes } = setting;
      const elements = elementCount(setting);
      expect(elements).toBeGreaterThan(0.7 * realTimeElements);
      expect(elements).toBeLessThan(1.4 * realTimeElements);
      expect(world.bodies).toEqual(bodies.map(({ body }) => body));
      expect(rigidMeshes).toHaveLength(rigid?.bodies.length ?? 0);
      expect(setting.keyframes).toHaveLength(keyframes);
      expect(world.contactCount).toBe(0);
      expect(world.worstPenetration()).toBeLessThan(0.02 * meanEdgeOf(setting));
      const before = world.energy().total;
      for (let i = 0; i < 2; i++) world.step();
      expect(world.inverted).toBe(0);
      expect(Number.isFinite(world.energy().total - before)).toBe(true);
    });
  },
);

test('the coil meets itself and ends without overlap or inverted elements', () => {
  const { build, duration } = findElasticScene('snake-coil');
  const setting = build(2_500, { mode: 'real-time', timestep: 1 / 30 });
  const { world, bodies } = setting;
  const [{ body }] = bodies;
  let met = 0;
  for (let step = 0; step < 30 * duration; step++) {
    world.step();
    if (step % 10 === 0) met = Math.max(met, world.contactCount);
  }
  expect(met).toBeGreaterThan(3);
  expect(world.inverted).toBe(0);
  expect(world.worstPenetration()).toBeLessThan(0.1 * meanEdgeOf(setting));
  // It has come to rest, coiled: within a third of its length.
  expect(world.energy().kinetic).toBeLessThan(0.05 * world.energy().elastic);
  const xs = body.positions.filter((_, i) => i % 3 === 0);
  expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(0.7);
});

test('the snake swallows the apple: its mouth opens, and in the end the apple is inside of the gullet', () => {
  const scene = findElasticScene('snake-swallow');
  const setting = scene.build(scene.realTimeElements, { mode: 'real-time', timestep: 1 / 30 });
  const { world } = setting;
  const measure = (id: string): number => setting.measures.find((found) => found.id === id)!.now();
  const closed = measure('mouth');
  expect(measure('swallowed')).toBeLessThan(-0.1);
  let widest = 0;
  for (let step = 0; step < 30 * scene.duration; step++) {
    world.step();
    widest = Math.max(widest, measure('mouth'));
  }
  expect(widest).toBeGreaterThan(1.5 * closed);
  expect(measure('mouth')).toBeLessThan(1.05 * closed);
  expect(measure('swallowed')).toBeGreaterThan(0.15);
  expect(gulletAround(setting)).toBe(1);
  expect(world.inverted).toBe(0);
  expect(world.worstPenetration()).toBeLessThan(0.2 * meanEdgeOf(setting));
});

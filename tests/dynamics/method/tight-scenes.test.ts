// No scene makes energy: parts between walls that leave less than the gaps that bodies rest at, in slots, wedges and cavities.
import { expect, test } from 'vitest';
import { CollisionShape, DYNAMICS_METHODS, RigidWorld } from '../../../src/dynamics/index.js';
import { runTight, TightParts } from './tight-scenes.js';

const parts = new TightParts();
const SCENES = 20;
const STEPS = 40;
/** Seeds whose scenes made energy once: by gaps without room, by blows with friction and restitution, by springs that jump. */
const BAD = {
  auto: [155, 197, 433, 631, 1160],
  'time-of-contact': [52, 792, 1150],
  backtracking: [155, 197],
  penalty: [65, 137, 274],
} as const;

test.each(DYNAMICS_METHODS)('%s: tight scenes make no energy and keep finite', (method) => {
  const seeds: number[] = [...BAD[method]];
  for (let seed = 0; seed < SCENES; seed++) seeds.push(seed);
  let touched = 0;
  const bad: string[] = [];
  for (const seed of seeds) {
    const result = runTight(seed, parts, method, STEPS);
    if (!result.keepsFinite || result.growth > result.allowed)
      bad.push(`${seed}: ${result.growth} of ${result.allowed} J`);
    if (result.touched) touched++;
  }
  expect(bad).toEqual([]);
  expect(touched).toBeGreaterThan(0.9 * seeds.length);
});

/** A corner of three walls, and one more that leaves half a millimeter on both sides of a tetrahedron that falls into it. */
test.each(['auto', 'time-of-contact', 'backtracking'] as const)(
  '%s: a tetrahedron falls into a corner with gaps of half a millimeter and makes no energy at any step length',
  (method) => {
    for (const timestep of [1 / 60, 1 / 100, 1 / 1000]) {
      const world = new RigidWorld({ method, timestep });
      const at = (x: number, y: number, z: number) => [x, y, z, 0, 0, 0, 1] as const;
      world.addBody({ shape: { box: [10, 1, 10] }, pose: at(0, -1, 0), fixed: true, friction: 0 });
      for (const pose of [at(-1, 0, 0), at(0, 0, -1), at(1, 0, 0)]) {
        world.addBody({ shape: { box: [1, 1, 1] }, pose, fixed: true, friction: 0 });
      }
      const s = 0.999;
      const positions = Float64Array.of(0, 0, 0, s, 0, 0, 0, s, 0, 0, 0, s);
      const mesh = { positions, indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3) };
      const falling = world.addBody({
        shape: CollisionShape.solid(mesh),
        pose: at(-0.4995, 0.6, -0.4995),
        friction: 0,
      });
      // What lifting it by its gap takes.
      const allowed = world.massOf(falling) * 9.81 * 1e-3 * world.shapeOf(falling).model!.radius;
      let least = world.energy().total;
      let growth = 0;
      let touched = false;
      for (let step = 0; step < 0.4 / timestep; step++) {
        world.step();
        const { total } = world.energy();
        growth = Math.max(growth, total - least);
        least = Math.min(least, total);
        touched ||= world.contacts().some(({ force }) => force > 0);
      }
      expect(growth).toBeLessThan(allowed);
      expect(touched).toBe(true);
      expect(world.worstPenetration()).toBe(0);
    }
  },
);

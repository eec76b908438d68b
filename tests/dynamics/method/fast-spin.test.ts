// Bodies that strike at speed and spin: corners that hit again and again leave out no time, make no energy, and hardly overlap.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/index.js';
import { RigidWorld } from '../../../src/dynamics/index.js';
import { findModel } from '../../../src/mesh/index.js';

const TORUS = findModel('torus').build({ majorSegments: 12, minorSegments: 8 });

/** A box shot at 5 to 100 m/s at a ball on the floor and a torus above it. */
function shot(seed: number, method: 'auto' | 'time-of-contact' | 'backtracking'): RigidWorld {
  const random = createRandom(seed + 1);
  const world = new RigidWorld({ method });
  world.addBody({ shape: { box: [20, 1, 20] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  world.addBody({
    shape: { sphere: random.range(0.2, 0.4) },
    pose: [0, 0.41, 0, 0, 0, 0, 1],
    restitution: random.next() < 0.5 ? 0.4 : 0,
  });
  const x = random.range(-0.2, 0.4);
  world.addBody({
    shape: { mesh: TORUS },
    pose: [x, 2.1, 0, ...random.rotation()],
    restitution: random.next() < 0.3 ? 0.5 : 0,
  });
  const size = [0.05, 0.05, 0.05].map((least) => random.range(least, 0.25)) as [number, number, number];
  world.addBody({
    shape: { box: size },
    pose: [-1.5, random.range(0.3, 2.2), random.range(-0.3, 0.3), ...random.rotation()],
    velocity: [5 * 20 ** random.next(), 0, 0],
    angularVelocity: [random.range(-20, 20), random.range(-20, 20), random.range(-20, 20)],
    restitution: random.next() < 0.3 ? 0.6 : 0,
  });
  return world;
}

test.each(['auto', 'time-of-contact', 'backtracking'] as const)('%s: fast shots', (method) => {
  for (let seed = 0; seed < 10; seed++) {
    const world = shot(seed, method);
    const energy = world.energy().total;
    for (let step = 0; step < 20; step++) {
      world.step();
      expect(world.energy().total, `seed ${seed}`).toBeLessThan(energy * (1 + 1e-6));
      expect(world.worstPenetration(), `seed ${seed}`).toBeLessThanOrEqual(method === 'backtracking' ? 0 : 5e-3);
    }
    expect(world.lostTime, `seed ${seed}`).toBe(0);
  }
});

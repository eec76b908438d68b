// The method time-of-contact by the published ways to find times: the same motion as by certificates, in scene files too.
import { expect, test } from 'vitest';
import {
  RigidWorld,
  readSimulationScene,
  simulateScene,
  TIME_OF_CONTACT_METHODS,
  type TimeOfContactMethod,
} from '../../../src/dynamics/index.js';

/** A ball that bounces, and a box that comes down on an edge. */
function bounce(timeOfContact: TimeOfContactMethod): { readonly heights: number[]; readonly deepest: number } {
  const world = new RigidWorld({ method: 'time-of-contact', timeOfContact });
  world.addBody({ shape: { box: [9, 1, 9] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  const ball = world.addBody({ shape: { sphere: 0.2 }, pose: [0, 1.2, 0, 0, 0, 0, 1], restitution: 0.8 });
  const box = world.addBody({
    shape: { box: [0.4, 0.4, 0.4] },
    pose: [2, 1, 0, 0, 0, 0.3, Math.sqrt(0.91)],
    restitution: 0.5,
  });
  const heights: number[] = [];
  let deepest = 0;
  for (let step = 0; step < 60; step++) {
    world.step();
    heights.push(world.centerOf(ball)[1], world.centerOf(box)[1]);
    deepest = Math.max(deepest, world.worstPenetration());
  }
  return { heights, deepest };
}

test.each(TIME_OF_CONTACT_METHODS.slice(1))('%s: impacts are those of the certified times', (method) => {
  const expected = bounce('certified');
  const { heights, deepest } = bounce(method);
  expect(deepest).toBe(0);
  for (const [i, height] of heights.entries()) expect(Math.abs(height - expected.heights[i])).toBeLessThan(2e-3);
  // The ball bounced to 0.64 of its height of fall.
  const ball = heights.filter((_, i) => i % 2 === 0);
  const low = ball.indexOf(Math.min(...ball));
  expect(Math.max(...ball.slice(low)) - 0.2).toBeCloseTo(0.64, 2);
});

test('a scene file names the way, in space only', async () => {
  const scene = { method: 'time-of-contact', timeOfContact: 'cubic', bodies: [{ shape: { sphere: 1 } }] } as const;
  const { status } = simulateScene(await readSimulationScene(scene), { steps: 2 });
  expect(status).toBe('done');
  await expect(readSimulationScene({ ...scene, timeOfContact: 'guess' as never })).rejects.toThrow(/timeOfContact/);
  const plane = { dimension: 2, timeOfContact: 'cubic', bodies: [{ shape: { circle: 1 } }] } as const;
  await expect(readSimulationScene(plane)).rejects.toThrow(/timeOfContact.* is for scenes in space/);
});

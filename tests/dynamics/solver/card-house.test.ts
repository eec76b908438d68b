// A house of cards that is hit by two blocks: impulses of impacts start substeps that are longer by millions.
import { expect, test } from 'vitest';
import { warmScale } from '../../../src/dynamics/solver/warm-scale.js';
import { RigidWorld } from '../../../src/dynamics/world.js';
import { PlaneWorld } from '../../../src/plane-dynamics/plane-world.js';

const THICKNESS = 0.02;
const WIDTH = 0.6;
/** The lean of a card, rad. */
const LEAN = 0.35;
const GAP = 2e-3;
/** Cards of 1 m in three floors: 3, 2 and 1 pairs that lean on each other, with cards across. */
const FLOORS = 3;

function addHouse(world: RigidWorld): number {
  const [sin, cos] = [Math.sin(LEAN / 2), Math.cos(LEAN / 2)];
  const height = Math.cos(LEAN) + THICKNESS * Math.sin(LEAN) + GAP;
  const run = Math.sin(LEAN) + THICKNESS * Math.cos(LEAN);
  const pitch = 2 * run + GAP;
  let cards = 0;
  for (let floor = 0; floor < FLOORS; floor++) {
    const pairs = FLOORS - floor;
    const foot = floor * (height + THICKNESS + GAP) + GAP / 2;
    for (let i = 0; i < pairs; i++) {
      const x = (i - (pairs - 1) / 2) * pitch;
      for (const side of [-1, 1]) {
        const pose = [x + side * (run / 2 + GAP / 4), foot + height / 2, 0, 0, 0, side * sin, cos] as const;
        world.addBody({ shape: { box: [THICKNESS, 1, WIDTH] }, pose: [...pose] });
        cards++;
      }
    }
    for (let i = 0; i < pairs - 1; i++) {
      const x = (i - (pairs - 2) / 2) * pitch;
      const y = foot + height + THICKNESS / 2 + GAP / 2;
      world.addBody({ shape: { box: [pitch - GAP, THICKNESS, WIDTH] }, pose: [x, y, 0, 0, 0, 0, 1] });
      cards++;
    }
  }
  return cards;
}

test.each(['auto', 'time-of-contact', 'backtracking'] as const)(
  '%s: a house of cards hit by blocks stays finite and makes no energy',
  (method) => {
    const world = new RigidWorld({ method });
    world.addBody({ shape: { box: [20, 1, 20] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
    expect(addHouse(world)).toBe(15);
    const blocks = [0, 1].map((i) =>
      world.addBody({
        shape: { box: [0.3, 0.3, 0.3] },
        pose: [-4 - i, 0.6 + 0.5 * i, 0.05 * i, 0, 0, 0, 1],
        velocity: [20, 0, 0],
        angularVelocity: [1, 2, 3],
      }),
    );
    const start = world.energy().total;
    // The first block meets the house in step 8.
    for (let step = 0; step < 12; step++) {
      world.step();
      expect(world.readPoses().every(Number.isFinite), `step ${step}`).toBe(true);
      expect(world.energy().total, `step ${step}`).toBeLessThan(start * (1 + 1e-9));
    }
    // It was hit: without the house it would have moved on at its speed.
    expect(world.velocityOf(blocks[0])[0]).toBeLessThan(19);
  },
);

test('a start is never more than the last impulse', () => {
  expect(warmScale(0, 1e-3)).toBe(1);
  expect(warmScale(2e-3, 1e-3)).toBe(0.5);
  expect(warmScale(1e-10, 1e-3)).toBe(1);
});

test('a step that leaves the range of numbers throws, in space and in the plane', () => {
  const space = new RigidWorld();
  const shell = space.addBody({ name: 'shell', shape: { sphere: 1 }, mass: 1e-300 });
  space.step();
  space.applyForce(shell, [1e20, 0, 0]);
  expect(() => space.step()).toThrow(/^Body 'shell' has left the range of numbers in the step to 0.03/);
  const plane = new PlaneWorld();
  const disc = plane.addBody({ name: 'disc', shape: { circle: 1 }, mass: 1e-300 });
  plane.step();
  plane.applyForce(disc, [1e14, 0]);
  expect(() => plane.step()).toThrow(/^Body 'disc' has left the range of numbers in the step to 0.03/);
});

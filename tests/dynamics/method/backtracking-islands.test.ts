// Backtracking in space: islands go back on their own, and bodies on paths keep to them.
import { expect, test } from 'vitest';
import { RigidWorld, type RigidWorldOptions } from '../../../src/dynamics/index.js';
import { testIntersection } from '../../../src/proximity/queries.js';

const OPTIONS: RigidWorldOptions = { method: 'backtracking' };

function withFloor(): RigidWorld {
  const world = new RigidWorld(OPTIONS);
  world.addBody({ shape: { box: [40, 1, 40] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  return world;
}

/** Whether two bodies, both meshes, have a point in common. */
function meets(world: RigidWorld, a: number, b: number): boolean {
  const [p, q] = [world.shapeOf(a).model!, world.shapeOf(b).model!];
  return testIntersection(p, q, world.poseOf(a), world.poseOf(b)).intersects;
}

test('what an island does far away changes no bit of another', () => {
  const run = (crowd: number): Float64Array => {
    const world = withFloor();
    const ball = world.addBody({ shape: { sphere: 0.1 }, pose: [9, 1, 0, 0, 0, 0, 1], restitution: 0.9 });
    const box = { shape: { box: [0.3, 0.2, 0.4] as const }, restitution: 0.4 };
    for (let i = 0; i < crowd; i++) world.addBody({ ...box, pose: [0.1 * i, 0.4 + 0.3 * i, 0, 0.6, 0, 0, 0.8] });
    const path = new Float64Array(3 * 40);
    for (let step = 0; step < 40; step++) {
      world.step();
      path.set(world.centerOf(ball), 3 * step);
    }
    return path;
  };
  expect(run(2)).toEqual(run(0));
});

test('a tower that tumbles does not freeze, and nothing overlaps', () => {
  const world = withFloor();
  const boxes = [0, 1, 2, 3].map((k) =>
    world.addBody({ shape: { box: [0.4, 0.3, 0.4] }, pose: [0.15 * k, 0.151 + 0.302 * k, 0, 0, 0, 0, 1] }),
  );
  const energy = world.energy().total;
  for (let step = 0; step < 90; step++) {
    world.step();
    expect(world.energy().total).toBeLessThan(energy * (1 + 1e-6));
    for (let i = 0; i <= boxes.length; i++) for (let j = 0; j < i; j++) expect(meets(world, i, j)).toBe(false);
  }
  // The upper two have their center of mass beyond the edge of what they stand on: they are down.
  expect(world.centerOf(boxes[3])[1]).toBeLessThan(0.5);
  expect(world.lostTime).toBeLessThan(0.01);
});

test('a blow that reaches another island within a substep makes one of the two', () => {
  const world = new RigidWorld({ ...OPTIONS, gravity: [0, 0, 0], timestep: 0.1, substeps: 1 });
  const ball = { shape: { sphere: 0.1 }, restitution: 1, friction: 0 };
  // The first strikes the light one, which reaches the third within the same substep.
  const a = world.addBody({ ...ball, mass: 100, pose: [-0.25, 0, 0, 0, 0, 0, 1], velocity: [1, 0, 0] });
  const b = world.addBody({ ...ball, mass: 1e-3 });
  const c = world.addBody({ ...ball, mass: 1, pose: [0.23, 0, 0, 0, 0, 0, 1] });
  const { linear } = world.momentum();
  const energy = world.energy().total;
  for (let step = 0; step < 5; step++) {
    world.step();
    const [x, y, z] = [a, b, c].map((body) => world.centerOf(body)[0]);
    expect(Math.min(y - x, z - y)).toBeGreaterThanOrEqual(0.2);
  }
  expect(world.momentum().linear[0]).toBeCloseTo(linear[0], 9);
  expect(world.energy().total).toBeCloseTo(energy, 9);
  expect(world.velocityOf(c)[0]).toBeGreaterThan(1e-3);
});

test('a body on a path pushes others without overlap where they have room', () => {
  const world = withFloor();
  const path = [0, 1].map((k) => ({ time: k, pose: [-1.2 + 1.5 * k, 0.3, 0, 0, 0, 0, 1] }));
  const paddle = world.addBody({ shape: { box: [0.2, 0.5, 1] }, path });
  const boxes = [0, 1, 2].map((k) =>
    world.addBody({ shape: { box: [0.2, 0.2, 0.2] }, pose: [-0.6 + 0.3 * k, 0.101, 0.1 * k, 0, 0, 0, 1] }),
  );
  for (let step = 0; step < 75; step++) {
    world.step();
    for (const box of boxes) for (const other of [0, paddle]) expect(meets(world, box, other)).toBe(false);
  }
  expect(world.poseOf(paddle)[0]).toBeCloseTo(0.3, 12);
  for (const box of boxes) expect(world.centerOf(box)[0]).toBeGreaterThan(0.49);
});

test('a press that leaves no room goes on by its path: only it overlaps, and no time is lost', () => {
  const world = withFloor();
  const path = [0, 1].map((k) => ({ time: 0.2 * k, pose: [0, 0.41 - 0.02 * k, 0, 0, 0, 0, 1] }));
  const press = world.addBody({ shape: { box: [1, 0.2, 1] }, path });
  const box = world.addBody({ shape: { box: [0.3, 0.3, 0.3] }, pose: [0, 0.1501, 0, 0, 0, 0, 1] });
  for (let step = 0; step < 15; step++) world.step();
  expect(world.poseOf(press)[1]).toBeCloseTo(0.39, 12);
  expect(meets(world, press, box)).toBe(true);
  expect(meets(world, box, 0)).toBe(false);
  expect(world.lostTime).toBe(0);
  expect(world.poseOf(box).every(Number.isFinite)).toBe(true);
  expect(world.energy().kinetic).toBeLessThan(1e3);
});

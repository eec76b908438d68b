// A step that may not take long ends within it, with all bodies where they were; and moved bodies that overlap are told of.
import { expect, test, vi } from 'vitest';
import { DYNAMICS_METHODS, RigidWorld, readSimulationScene, simulateScene } from '../../../src/dynamics/index.js';
import { ElasticBody } from '../../../src/elastic/body/elastic-body.js';
import { ElasticWorld } from '../../../src/elastic/world/elastic-world.js';
import { PLANE_METHODS } from '../../../src/plane-dynamics/plane-options.js';
import { PlaneWorld } from '../../../src/plane-dynamics/plane-world.js';
import { tetrahedraGrid } from '../../generators/tetrahedra-grid.js';

/** A tower whose boxes would take the step some time. */
function tower(method: (typeof DYNAMICS_METHODS)[number]): RigidWorld {
  const world = new RigidWorld({ method });
  world.addBody({ shape: { box: [9, 1, 9] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  for (let i = 0; i < 8; i++) {
    world.addBody({ shape: { box: [0.5, 0.5, 0.5] }, pose: [0, 0.25 + 0.6 * i, 0, 0, 0, 0, 1], velocity: [0, -1, 0] });
  }
  return world;
}

test.each(DYNAMICS_METHODS)(
  '%s: a step without time leaves the world as it was, and the next one goes on',
  (method) => {
    const world = tower(method);
    world.step();
    const poses = world.readPoses();
    const { total } = world.energy();
    expect(world.step(0)).toBe(false);
    expect(world.readPoses()).toEqual(poses);
    expect(world.energy().total).toBe(total);
    expect(world.time).toBe(world.timestep);
    for (let step = 0; step < 5; step++) expect(world.step(60_000)).toBe(true);
    expect(world.time).toBeCloseTo(6 * world.timestep, 12);
    expect(world.energy().total).toBeLessThan(total);
    expect(world.readPoses().every(Number.isFinite)).toBe(true);
  },
);

/** Runs a step on a clock that is a millisecond later at every look. @returns how often it was looked at. */
function countLooks(step: () => void): number {
  let looks = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => looks++);
  step();
  clock.mockRestore();
  return looks;
}

test.each(PLANE_METHODS)('in the plane, %s: a step looks at its time in every substep, and goes back', (method) => {
  const world = new PlaneWorld({ method });
  const twin = new PlaneWorld({ method });
  for (const { addBody } of [world, twin].map((of) => ({ addBody: of.addBody.bind(of) }))) {
    for (let i = 0; i < 3; i++) addBody({ shape: { circle: 0.5 }, pose: [0.1 * i, 1.2 * i, 0], velocity: [0, -i] });
  }
  world.step();
  twin.step();
  const before = world.snapshot();
  expect(countLooks(() => expect(world.step(1e6)).toBe(true))).toBeGreaterThan(world.substeps);
  world.restore(before);
  // The start of the step is one look; it ends at the third that follows.
  expect(countLooks(() => expect(world.step(2.5)).toBe(false))).toBe(4);
  expect(world.snapshot()).toEqual(before);
  world.step();
  twin.step();
  expect(world.readPoses()).toEqual(twin.readPoses());
});

test.each(['field', 'barrier'] as const)('elastic, %s: a step looks at its time in every iteration', (contact) => {
  const rigid = new RigidWorld();
  rigid.addBody({ shape: { box: [4, 1, 4] }, pose: [0, -0.51, 0, 0, 0, 0, 1], fixed: true });
  const world = new ElasticWorld({ rigid, contact });
  const body = new ElasticBody(tetrahedraGrid([2, 2, 2], [0.2, 0.2, 0.2]), { young: 1e5 });
  world.addBody(body);
  world.step();
  const [positions, velocities] = [body.positions.slice(), body.velocities.slice()];
  expect(countLooks(() => expect(world.step(0)).toBeNull())).toBe(2);
  expect([body.positions, body.velocities]).toEqual([positions, velocities]);
  expect(world.time).toBe(world.timestep);
  expect(world.step().status).toBe('converged');
  expect(body.positions).not.toEqual(positions);
  expect(() => world.step(-1)).toThrow(/The time of a step is -1/);
});

test('the time of a step is checked', () => {
  expect(() => new RigidWorld().step(-1)).toThrow(/The time of a step is -1/);
  expect(() => new RigidWorld().step(Number.NaN)).toThrow(/give milliseconds/);
});

test('a simulation without time has its first frame and ends with the status budget', async () => {
  const simulation = await readSimulationScene({ bodies: [{ shape: { sphere: 1 } }] });
  const { status, frames, steps } = simulateScene(simulation, { steps: 3, maxSeconds: 0 });
  expect([status, frames.length, steps]).toEqual(['budget', 1, 0]);
});

test('a moved body in a fixed one counts as a contact and as an overlap', async () => {
  const simulation = await readSimulationScene({
    bodies: [
      { shape: { box: [1, 1, 1] }, fixed: true },
      {
        shape: { box: [0.4, 0.4, 0.4] },
        path: [
          { time: 0, pose: [-2, 0, 0, 0, 0, 0, 1] },
          { time: 1, pose: [2, 0, 0, 0, 0, 0, 1] },
        ],
      },
    ],
  });
  const { frames } = simulateScene(simulation, { steps: 60, every: 30 });
  expect(frames.map(({ contacts }) => contacts)).toEqual([0, 1, 0]);
  expect(frames[1].worstPenetration).toBeCloseTo(0.7, 9);
  expect(frames[1].localPenetration).toBeLessThanOrEqual(frames[1].worstPenetration);
});

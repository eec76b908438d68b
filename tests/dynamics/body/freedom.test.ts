// What bodies may do: locked axes, being held until a time, even motions, damping, surfaces of pairs; against closed forms.
import { describe, expect, test } from 'vitest';
import { type LockedAxis, RigidWorld } from '../../../src/dynamics/index.js';
import { codeOf } from '../../error-code.js';

const G = 9.81;
const at = (x: number, y: number, z: number) => [x, y, z, 0, 0, 0, 1] as const;

describe('locks', () => {
  test('a body keeps to its free axes under gravity, pushes and contacts', () => {
    const world = new RigidWorld({ timestep: 1 / 60 });
    world.addBody({ shape: { box: [4, 1, 4] }, pose: at(0, -0.5, 0), fixed: true, friction: 0 });
    const box = world.addBody({
      shape: { box: [0.4, 0.2, 0.3] },
      pose: at(0.1, 0.4, 0),
      velocity: [1, 0, 0.5],
      angularVelocity: [3, 2, 1],
      locks: ['x', 'rx', 'rz'],
      friction: 0,
    });
    for (let i = 0; i < 120; i++) world.step();
    const [x, y, z, qx, qy, qz] = world.poseOf(box);
    expect(Math.abs(x - 0.1)).toBeLessThan(1e-9);
    expect(y).toBeCloseTo(0.1, 3);
    expect(z).toBeCloseTo(1, 2);
    expect(Math.hypot(qx, qz)).toBeLessThan(1e-6);
    expect(Math.abs(qy)).toBeGreaterThan(0.1);
  });

  test.each<[LockedAxis[], number]>([
    [['rx', 'ry', 'rz'], 0],
    [['rx', 'ry'], 1],
    [['rz'], 0],
    [[], 1],
  ])('turning under a torque about z with the locks %j', (locks, share) => {
    const world = new RigidWorld({ gravity: [0, 0, 0] });
    const box = world.addBody({ shape: { box: [1, 1, 1] }, mass: 6, locks });
    for (let i = 0; i < 60; i++) {
      world.applyTorque(box, [0, 0, 1]);
      world.step();
    }
    // The moment of a cube of 6 kg and 1 m is 1 kg m².
    expect(world.angularVelocityOf(box)[2]).toBeCloseTo(share, 9);
  });

  test('locks follow a body that is placed, and a mistaken name is refused', () => {
    const world = new RigidWorld();
    const ball = world.addBody({ shape: { sphere: 0.1 }, locks: ['x', 'y', 'z'] });
    world.setPose(ball, at(1, 2, 3));
    for (let i = 0; i < 10; i++) world.step();
    expect(world.centerOf(ball)).toEqual([1, 2, 3].map((value) => expect.closeTo(value, 9)));
    expect(codeOf(() => world.addBody({ shape: { sphere: 1 }, locks: ['w' as LockedAxis] }))).toBe('bad-argument');
  });
});

describe('held bodies', () => {
  test('a fixed body falls from the time at which it is let go', () => {
    const world = new RigidWorld({ timestep: 1 / 100 });
    const body = world.addBody({ shape: { box: [1, 2, 1] }, pose: at(0, 5, 0), fixed: true, letGo: 0.5 });
    for (let i = 0; i < 50; i++) world.step();
    expect(world.centerOf(body)[1]).toBe(5);
    for (let i = 0; i < 50; i++) world.step();
    expect(world.centerOf(body)[1]).toBeCloseTo(5 - 0.5 * G * 0.25, 9);
  });

  test('what rests on a body falls with it', () => {
    const world = new RigidWorld({ timestep: 1 / 100 });
    const tray = world.addBody({ shape: { box: [2, 0.2, 2] }, fixed: true, letGo: 2 });
    const load = world.addBody({ shape: { box: [0.5, 0.5, 0.5] }, pose: at(0, 0.36, 0) });
    for (let i = 0; i < 200; i++) world.step();
    expect(world.isAsleep(load)).toBe(true);
    for (let i = 0; i < 50; i++) world.step();
    expect(world.centerOf(load)[1]).toBeLessThan(-0.5);
    expect(world.centerOf(tray)[1]).toBeLessThan(-0.5);
  });

  test('an even motion turns about the center of mass, ends, and passes its velocity on', () => {
    const world = new RigidWorld({ timestep: 1 / 100, gravity: [0, 0, 0] });
    const moves = { velocity: [1, 0, 0], angularVelocity: [0, 0, Math.PI], until: 0.5 } as const;
    const stands = world.addBody({ shape: { box: [1, 1, 1] }, moves });
    const flies = world.addBody({
      shape: { box: [1, 1, 1] },
      pose: at(0, 9, 0),
      moves: { ...moves, until: 9 },
      letGo: 0.5,
    });
    for (let i = 0; i < 100; i++) world.step();
    expect(world.poseOf(stands)).toEqual(
      [0.5, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2].map((value) => expect.closeTo(value, 9)),
    );
    expect(world.centerOf(flies)[0]).toBeCloseTo(1, 9);
    expect(world.angularVelocityOf(flies)[2]).toBeCloseTo(Math.PI, 9);
  });

  test('a snapshot from before is restored after it was let go', () => {
    const make = () => {
      const world = new RigidWorld({ timestep: 1 / 100 });
      world.addBody({ shape: { box: [9, 1, 9] }, pose: at(0, -2, 0), fixed: true });
      world.addBody({ shape: { box: [1, 1, 1] }, fixed: true, letGo: 0.1 });
      return world;
    };
    const world = make();
    for (let i = 0; i < 5; i++) world.step();
    const early = world.snapshot();
    for (let i = 0; i < 40; i++) world.step();
    const late = world.readPoses();
    world.restore(early);
    for (let i = 0; i < 40; i++) world.step();
    expect(world.readPoses()).toEqual(late);
    const other = make();
    other.restore(early);
    for (let i = 0; i < 40; i++) other.step();
    expect(other.readPoses()).toEqual(late);
  });

  test('a snapshot that is refused leaves a body that was let go as it was', () => {
    const make = () => {
      const world = new RigidWorld({ timestep: 1 / 100 });
      world.addBody({ shape: { box: [1, 1, 1] }, fixed: true, letGo: 0.05 });
      return world;
    };
    const [world, untouched] = [make(), make()];
    const early = world.snapshot();
    for (let i = 0; i < 20; i++) for (const each of [world, untouched]) each.step();
    expect(codeOf(() => world.restore(early.slice(0, -8)))).toBe('file-truncated');
    expect(world.energy()).toEqual(untouched.energy());
    for (let i = 0; i < 20; i++) for (const each of [world, untouched]) each.step();
    expect(world.readPoses()).toEqual(untouched.readPoses());
  });

  test('two motions at once, and letGo of a free body, are refused', () => {
    const world = new RigidWorld();
    const shape = { sphere: 1 } as const;
    const refuses = (options: object) => codeOf(() => world.addBody({ shape, ...options }));
    expect(refuses({ fixed: true, moves: { velocity: [1, 0, 0] } })).toBe('bad-argument');
    expect(refuses({ letGo: 1 })).toBe('bad-argument');
    expect(refuses({ fixed: true, letGo: Number.NaN })).toBe('bad-argument');
    expect(refuses({ moves: { until: Number.NaN } })).toBe('bad-argument');
    expect(refuses({ friction: 0.5, staticFriction: 0.4 })).toBe('bad-argument');
    expect(refuses({ damping: { linear: -1 } })).toBe('bad-argument');
  });
});

test('damping takes velocities by its exponential', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const damping = { linear: 0.5, angular: 2 };
  const body = world.addBody({ shape: { sphere: 1 }, velocity: [1, 0, 0], angularVelocity: [0, 3, 0], damping });
  for (let i = 0; i < 60; i++) world.step();
  expect(world.velocityOf(body)[0]).toBeCloseTo(Math.exp(-0.5), 9);
  expect(world.angularVelocityOf(body)[1]).toBeCloseTo(3 * Math.exp(-2), 9);
});

describe('friction', () => {
  /** A box on a slope of an angle, pushed along it at a speed; how far it came in a second. */
  function slide(angle: number, speed: number, friction: number, staticFriction: number): number {
    const gravity = [-G * Math.sin(angle), -G * Math.cos(angle), 0] as const;
    const world = new RigidWorld({ timestep: 1 / 100, gravity, sleeping: false });
    const floor = world.addBody({ shape: { box: [40, 1, 4] }, pose: at(0, -0.5, 0), fixed: true });
    const box = world.addBody({ shape: { box: [1, 0.2, 1] }, pose: at(0, 0.1, 0), velocity: [-speed, 0, 0] });
    world.setPairSurface(floor, box, { friction, staticFriction });
    for (let i = 0; i < 100; i++) world.step();
    return -world.centerOf(box)[0];
  }

  test('what rests holds up to the static coefficient, what slides has the kinetic one', () => {
    const angle = Math.atan(0.5);
    expect(slide(angle, 0, 0.4, 0.6)).toBeLessThan(1e-4);
    const way = 1 + 0.5 * G * (Math.sin(angle) - 0.4 * Math.cos(angle));
    expect(slide(angle, 1, 0.4, 0.6)).toBeCloseTo(way, 2);
    expect(slide(angle, 0, 0.4, 0.45)).toBeCloseTo(way - 1, 2);
  });

  test('the surface of a pair takes the place of what both have, until it is taken back', () => {
    const world = new RigidWorld({ timestep: 1 / 100 });
    const floor = world.addBody({ shape: { box: [9, 1, 9] }, pose: at(0, -0.5, 0), fixed: true });
    const ball = world.addBody({ shape: { sphere: 0.1 }, pose: at(0, 1.1, 0) });
    world.setPairSurface(floor, ball, { restitution: 1 });
    const peak = () => {
      let most = 0;
      for (let i = 0; i < 60; i++) {
        world.step();
        if (i > 20) most = Math.max(most, world.centerOf(ball)[1]);
      }
      return most;
    };
    for (let i = 0; i < 50; i++) world.step();
    expect(peak()).toBeCloseTo(1.1, 1);
    world.setPairSurface(floor, ball, null);
    for (let i = 0; i < 100; i++) world.step();
    expect(world.centerOf(ball)[1]).toBeCloseTo(0.1, 3);
    expect(codeOf(() => world.setPairSurface(floor, ball, { friction: 1, staticFriction: 0.5 }))).toBe('bad-argument');
  });
});

test('the impulse of contacts in a step holds a body up, and stops one that lands', () => {
  const world = new RigidWorld({ timestep: 1 / 100, sleeping: false });
  world.addBody({ shape: { box: [9, 1, 9] }, pose: at(0, -0.5, 0), fixed: true });
  const rests = world.addBody({ shape: { box: [1, 1, 1] }, pose: at(2, 0.5, 0), mass: 3 });
  const falls = world.addBody({ shape: { sphere: 0.5 }, pose: at(-2, 1.5, 0), mass: 2 });
  let hit = 0;
  for (let i = 0; i < 80; i++) {
    world.step();
    hit = Math.max(hit, world.contactImpulse(falls));
  }
  expect(world.contactImpulse(rests)).toBeCloseTo(3 * G * 0.01, 4);
  expect(hit).toBeGreaterThan(0.95 * 2 * Math.sqrt(2 * G));
  expect(hit).toBeLessThan(1.1 * 2 * Math.sqrt(2 * G));
});

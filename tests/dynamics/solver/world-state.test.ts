// What a world remembers: sleep, filters, sensors, events, snapshots, and that the same input gives the same bits.
import { expect, test } from 'vitest';
import { DYNAMICS_METHODS, RigidWorld } from '../../../src/dynamics/index.js';
import { findModel } from '../../../src/mesh/index.js';

function pile(): RigidWorld {
  const world = new RigidWorld();
  world.addBody({ shape: { box: [20, 1, 20] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  const letter = findModel('letter-k').build();
  for (let k = 0; k < 8; k++) {
    const shape = k % 3 === 0 ? { sphere: 0.3 } : k % 3 === 1 ? { box: [0.5, 0.4, 0.6] } : { mesh: letter };
    const turn = [Math.sin(k) / 2, 0.5, Math.cos(k) / 2, 0.5].map((value) => value / Math.hypot(0.5, 0.5, 0.5));
    const pose = [0.3 * Math.sin(5 * k), 1 + 0.9 * k, 0.3 * Math.cos(3 * k), ...turn];
    world.addBody({ shape: shape as { sphere: number }, pose, restitution: k === 3 ? 0.4 : 0 });
  }
  world.addJoint({ type: 'ball', bodyA: 2, bodyB: 1, at: [0, 1.5, 0] });
  return world;
}

test('the same input gives the same bits, and a snapshot goes on bit for bit', () => {
  const worlds = [pile(), pile()];
  for (let step = 0; step < 60; step++) for (const world of worlds) world.step();
  expect(worlds[0].readPoses()).toEqual(worlds[1].readPoses());
  const bytes = worlds[0].snapshot();
  for (let step = 0; step < 90; step++) worlds[0].step();
  const later = worlds[0].snapshot();
  const fresh = pile();
  for (const world of [worlds[0], worlds[1], fresh]) {
    world.restore(bytes);
    for (let step = 0; step < 90; step++) world.step();
    expect(world.time).toBeCloseTo(2.5, 12);
    expect(world.snapshot()).toEqual(later);
  }
});

test.each(DYNAMICS_METHODS)('%s: snapshots change nothing, and a world restored goes on bit for bit', (method) => {
  const torus = findModel('torus').build({ majorSegments: 8, minorSegments: 5 });
  const make = (): RigidWorld => {
    const world = new RigidWorld({ method });
    world.addBody({ shape: { box: [20, 1, 20] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
    // Two that are in each other at the start, one that falls on a ball, and one that flies at it.
    for (const k of [0, 1]) {
      world.addBody({ shape: { box: [0.5, 0.4, 0.6] }, pose: [4 + 0.2 * k, 0.6 + 0.2 * k, 0, 0, 0, 0, 1] });
    }
    world.addBody({ shape: { sphere: 0.3 }, pose: [0, 0.35, 0, 0, 0, 0, 1], restitution: 0.4 });
    world.addBody({ shape: { mesh: torus }, pose: [0.3, 1.1, 0, 0.6, 0, 0, 0.8] });
    world.addBody({ shape: { box: [0.2, 0.1, 0.1] }, pose: [-0.8, 0.4, 0, 0, 0, 0, 1], velocity: [6, 0, 0] });
    return world;
  };
  const plain = make();
  const watched = make();
  const snapshots: Uint8Array[] = [];
  for (let step = 0; step < 24; step++) {
    plain.step();
    watched.step();
    if (step % 8 === 5) snapshots.push(watched.snapshot());
  }
  expect(watched.readPoses()).toEqual(plain.readPoses());
  const last = plain.snapshot();
  expect(watched.snapshot()).toEqual(last);
  const energy = plain.energy();
  for (const [k, bytes] of snapshots.entries()) {
    const world = k === 0 ? watched : make();
    world.restore(bytes);
    expect(world.snapshot()).toEqual(bytes);
    while (world.time < plain.time - 1e-9) world.step();
    expect(world.readPoses(), `snapshot ${k}`).toEqual(plain.readPoses());
    expect(world.energy()).toEqual(energy);
    expect(world.snapshot(), `snapshot ${k}`).toEqual(last);
  }
});

test('snapshots of other worlds and damaged ones are refused, and change nothing', () => {
  const world = pile();
  for (let step = 0; step < 10; step++) world.step();
  const bytes = world.snapshot();
  const poses = world.readPoses();
  const other = new RigidWorld();
  expect(() => other.restore(bytes)).toThrow('other bodies');
  expect(() => world.restore(bytes.slice(0, bytes.length - 8))).toThrow('ends early');
  expect(() => world.restore(bytes.slice(0, 13))).toThrow('no snapshot');
  expect(() => world.restore(new Uint8Array(64))).toThrow('no snapshot');
  expect(world.readPoses()).toEqual(poses);
});

test('bodies at rest sleep until they are touched or lose their support', () => {
  const world = new RigidWorld();
  world.addBody({ shape: { box: [20, 1, 20] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  const [low, high] = [0, 1].map((k) =>
    world.addBody({ shape: { box: [1, 1, 1] }, pose: [0, 0.5 + k, 0, 0, 0, 0, 1] }),
  );
  for (let step = 0; step < 60; step++) world.step();
  expect([low, high].map((body) => world.isAsleep(body))).toEqual([true, true]);
  const ball = world.addBody({ shape: { sphere: 0.2 }, pose: [-3, 1.5, 0, 0, 0, 0, 1], velocity: [9, 1, 0] });
  let woke = -1;
  for (let step = 0; step < 60 && woke < 0; step++) {
    world.step();
    if (!world.isAsleep(high)) woke = step;
  }
  // 2.3 m at 9 m/s.
  expect(woke).toBeGreaterThan(10);
  expect(woke).toBeLessThan(20);
  world.removeBody(ball);
  for (let step = 0; step < 240; step++) world.step();
  expect(world.isAsleep(high)).toBe(true);
  world.removeBody(low);
  for (let step = 0; step < 60; step++) world.step();
  expect(world.centerOf(high)[1]).toBeLessThan(0.6);
});

test('a body that drifts slowly in free space never sleeps', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const ball = world.addBody({ shape: { sphere: 1 }, velocity: [1e-5, 0, 0] });
  for (let step = 0; step < 120; step++) world.step();
  expect(world.centerOf(ball)[0]).toBeCloseTo(2e-5, 12);
});

test('filters let bodies pass, sensors notice them, and events say when', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  world.addBody({ shape: { box: [1, 1, 1] }, fixed: true, group: 2 });
  const gate = world.addBody({ shape: { box: [1, 4, 4] }, pose: [-3, 0, 0, 0, 0, 0, 1], fixed: true, sensor: true });
  const ghost = world.addBody({ shape: { sphere: 0.25 }, pose: [-5, 0, 0, 0, 0, 0, 1], velocity: [6, 0, 0], mask: ~2 });
  const solid = world.addBody({ shape: { sphere: 0.25 }, pose: [0, 5, 0, 0, 0, 0, 1], velocity: [0, -6, 0] });
  const seen: string[] = [];
  for (let step = 0; step < 90; step++) {
    world.step();
    for (const { type, bodyA, bodyB, sensor } of world.takeEvents()) {
      seen.push(`${type} ${bodyA} ${bodyB}${sensor ? ' sensor' : ''}`);
    }
  }
  expect(world.centerOf(ghost)[0]).toBeCloseTo(4, 9);
  expect(seen.filter((event) => event.includes(String(ghost)))).toEqual([
    `begin ${gate} ${ghost} sensor`,
    `end ${gate} ${ghost} sensor`,
  ]);
  expect(seen).toContain(`begin 0 ${solid}`);
  expect(world.centerOf(solid)[1]).toBeCloseTo(0.75, 3);
});

test('bodies on paths carry and push others', () => {
  const world = new RigidWorld();
  // Slowly away and up, and to rest again.
  const path = Array.from({ length: 121 }, (_, k) => {
    const share = (1 - Math.cos((Math.PI * k) / 120)) / 2;
    return { time: k / 60, pose: [2 * share, share - 0.5, 0, 0, 0, 0, 1] };
  });
  world.addBody({ shape: { box: [4, 1, 4] }, path, friction: 1 });
  const box = world.addBody({ shape: { box: [0.5, 0.5, 0.5] }, pose: [0, 0.25, 0, 0, 0, 0, 1], friction: 1 });
  for (let step = 0; step < 240; step++) world.step();
  const [x, y, z] = world.centerOf(box);
  // The platform's speed changes by 4 cm/s at each keyframe, which friction takes two substeps to pass on.
  expect(Math.hypot(x - 2, y - 1.25, z)).toBeLessThan(0.01);
});

// The benchmark's scenarios are what they claim: the document's models, in smooth motion, near each other, never through
// each other; and the same every time.
import { box, quat, vec3 } from 'nearfield/core';
import { Pair, ProximityModel } from 'nearfield/proximity';
import { beforeAll, describe, expect, test } from 'vitest';
import { scenarios } from '../../bench/scenarios/catalogue.js';
import { poseAt, posesAt, type Scenario } from '../../bench/scenarios/scenario.js';

/** Triangles of each body. */
const TRIANGLES: Record<string, readonly number[]> = {
  'interlocked-tori': [2000, 2000],
  'cup-spoon': [8452, 84],
  'spiral-peg-large-tori': [8040, 2000, 2000, 2000],
  'spiral-peg-small-tori': [8040, 2000, 2000, 2000],
  'teeth-shifting': [46_942, 39_806],
  'teeth-opening': [46_942, 39_806],
  slabs: [44_940, 44_940],
};
/** One in this count of frames is looked at; all of them in the soak. */
const STRIDE = Math.max(1, Math.floor(20 / Number(process.env.NEARFIELD_SOAK ?? 1)));

test('the scenarios are those of the document, and the slabs', () => {
  expect(scenarios.map(({ name }) => name)).toEqual(Object.keys(TRIANGLES));
});

describe.each(scenarios)('$name', (definition) => {
  let scenario: Scenario;
  let size: number;
  beforeAll(() => {
    scenario = definition.build();
    size = Math.min(...scenario.bodies.map(({ mesh }) => box.diagonal(box.ofPositions(mesh.positions))));
  });

  test('has its bodies, pairs and poses', () => {
    expect(scenario.bodies.map(({ mesh }) => mesh.indices.length / 3)).toEqual(TRIANGLES[scenario.name]);
    expect(scenario.poses.length).toBe(7 * scenario.bodies.length * scenario.frameCount);
    expect(scenario.frameCount).toBe(500);
    for (const [a, b] of scenario.pairs) expect(a).toBeLessThan(b);
    for (const [, , , ...rotation] of posesAt(scenario, 123)) expect(Math.hypot(...rotation)).toBeCloseTo(1, 12);
  });

  test('moves, and smoothly', () => {
    let traveled = 0;
    for (let body = 0; body < scenario.bodies.length; body++) {
      for (let frame = 1; frame < scenario.frameCount; frame++) {
        const [x0, y0, z0, ...from] = poseAt(scenario, frame - 1, body);
        const [x1, y1, z1, ...to] = poseAt(scenario, frame, body);
        const step = vec3.distance([x0, y0, z0], [x1, y1, z1]);
        const turn = Math.hypot(...quat.multiply(to, quat.conjugate(from)).slice(0, 3));
        expect(step).toBeLessThan(0.05 * size);
        expect(turn).toBeLessThan(0.1);
        traveled += step;
      }
    }
    expect(traveled).toBeGreaterThan(0.02 * size);
  });

  test('comes near and never meets', () => {
    const models = new Map(scenario.bodies.map(({ mesh }) => [mesh, new ProximityModel(mesh)]));
    let nearest = Number.POSITIVE_INFINITY;
    let near = 0;
    let frames = 0;
    const pairs = scenario.pairs.map(([a, b]) => ({
      a,
      b,
      pair: new Pair(models.get(scenario.bodies[a].mesh)!, models.get(scenario.bodies[b].mesh)!),
    }));
    for (let frame = 0; frame < scenario.frameCount; frame += STRIDE) {
      const poses = posesAt(scenario, frame);
      let clearance = Number.POSITIVE_INFINITY;
      for (const { a, b, pair } of pairs) {
        const { intersects, distance } = pair.distance(poses[a], poses[b]);
        expect(intersects, `frame ${frame}, bodies ${a} and ${b}`).toBe(false);
        clearance = Math.min(clearance, distance!);
      }
      nearest = Math.min(nearest, clearance);
      if (clearance < 0.05 * size) near++;
      frames++;
    }
    expect(nearest).toBeLessThan(0.02 * size);
    expect(near / frames).toBeGreaterThan(0.2);
  });
});

test('a motion is the same every time', () => {
  const [tori] = scenarios;
  expect(tori.build().poses).toEqual(tori.build().poses);
});

// The deepest overlap against depths known in closed form, and against all pairs one by one.
import { describe, expect, test } from 'vitest';
import { createRandom, pose } from '../../../src/core/index.js';
import { CollisionShape, RigidWorld } from '../../../src/dynamics/index.js';
import { type PlacedBody, WorstPenetration } from '../../../src/dynamics/overlap/worst-penetration.js';
import { findModel } from '../../../src/mesh/index.js';
import { measurePenetrationSync } from '../../../src/penetration/index.js';

const cube = CollisionShape.solid(findModel('box').build());
const ball = CollisionShape.ball(0.5);
const at = (shape: CollisionShape, x: number, y: number, z: number, moves = true): PlacedBody => ({
  shape,
  pose: [x, y, z, 0, 0, 0, 1],
  moves,
});
const measure = (...bodies: PlacedBody[]) => new WorstPenetration().measure(bodies);

describe('the deepest overlap', () => {
  test('of boxes and balls', () => {
    expect(measure(at(cube, 0, 0, 0), at(cube, 0.9, 0.3, 0.2))).toBeCloseTo(0.1, 9);
    expect(measure(at(ball, 0, 0, 0), at(ball, 0.75, 0, 0))).toBeCloseTo(0.25, 9);
    expect(measure(at(cube, 0, 0, 0), at(ball, 0, 0.8, 0))).toBeCloseTo(0.2, 9);
    expect(measure(at(ball, 0, 0, 0), at(cube, 0, 0, 0.8))).toBeCloseTo(0.2, 9);
    expect(measure(at(cube, 0, 0, 0), at(cube, 0.9, 0, 0), at(cube, 10, 0, 0), at(cube, 10, 0.7, 0))).toBeCloseTo(
      0.3,
      9,
    );
  });

  test('is 0 where bodies are apart, touch, or do not move', () => {
    expect(measure()).toBe(0);
    expect(measure(at(cube, 0, 0, 0), at(cube, 1.01, 0, 0), at(ball, 0, 1.1, 0))).toBe(0);
    expect(measure(at(cube, 0, 0, 0), at(cube, 1, 0, 0))).toBe(0);
    expect(measure(at(cube, 0, 0, 0, false), at(cube, 0.5, 0, 0, false))).toBe(0);
    expect(measure(at(cube, 0, 0, 0, false), at(cube, 0.6, 0, 0))).toBeCloseTo(0.4, 9);
    expect(new WorstPenetration((a, b) => a + b !== 1).measure([at(cube, 0, 0, 0), at(cube, 0.5, 0, 0)])).toBe(0);
  });

  test('of a world leaves out what does not collide, and follows bodies that come and go', () => {
    const world = new RigidWorld({ gravity: [0, 0, 0] });
    const box = (x: number, options = {}) =>
      world.addBody({ shape: { box: [1, 1, 1] }, pose: [x, 0, 0, 0, 0, 0, 1], ...options });
    const [first, second] = [box(0), box(0.9)];
    expect(world.worstPenetration()).toBeCloseTo(0.1, 9);
    const third = box(-0.8);
    expect(world.worstPenetration()).toBeCloseTo(0.2, 9);
    box(0.3, { sensor: true });
    box(-0.3, { group: 2, mask: 2 });
    expect(world.worstPenetration()).toBeCloseTo(0.2, 9);
    world.removeBody(third);
    expect(world.worstPenetration()).toBeCloseTo(0.1, 9);
    world.addBody({ shape: { sphere: 0.5 }, pose: [-0.7, 0, 0, 0, 0, 0, 1] });
    expect(world.worstPenetration()).toBeCloseTo(0.3, 9);
    world.setPose(first, [0, 5, 0, 0, 0, 0, 1]);
    const joint = world.addJoint({ type: 'ball', bodyA: first, bodyB: second, at: [0, 0, 0] });
    world.setPose(first, [0.5, 0, 0, 0, 0, 0, 1]);
    expect(world.worstPenetration()).toBe(0);
    world.removeJoint(joint);
    expect(world.worstPenetration()).toBeCloseTo(0.6, 9);
  });

  test('is at least that of each pair of letters, and hardly more', () => {
    const random = createRandom(3);
    const shapes = ['letter-s', 'letter-h', 'digit-8', 'digit-4'].map((name) =>
      CollisionShape.solid(findModel(name).build()),
    );
    const bodies = Array.from({ length: 10 }, (_, i): PlacedBody => {
      const place = [random.range(0, 1.5), random.range(0, 1.5), random.range(0, 1.5)] as const;
      return { shape: shapes[i % 4], pose: pose.create(place, random.rotation()), moves: true };
    });
    let [lower, upper] = [0, 0];
    for (const [i, a] of bodies.entries()) {
      for (const b of bodies.slice(i + 1)) {
        const depth = measurePenetrationSync(a.shape.model!, b.shape.model!, a.pose, b.pose, { relativeGap: 0.05 });
        lower = Math.max(lower, depth.lower);
        upper = Math.max(upper, depth.upper);
      }
    }
    const found = measure(...bodies);
    expect(lower).toBeGreaterThan(0.05);
    expect(found).toBeGreaterThanOrEqual(lower);
    expect(found).toBeLessThan(1.25 * upper);
  });
});

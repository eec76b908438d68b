import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { Bodies } from '../../../src/dynamics/body/bodies.js';
import { measureEnergy, measureMomentum } from '../../../src/dynamics/body/conserved.js';
import { type ImpactPair, ImpactResponse } from '../../../src/dynamics/impact/impact-response.js';
import { PairContacts } from '../../../src/manifold/pair-contacts.js';
import { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';
import { boxMesh } from '../../generators/surfaces.js';
import { addBody } from '../overlap/tangles.js';

/** All pairs of bodies with contacts within a reach. */
function findTouching(bodies: Bodies, reach: number): ImpactPair[] {
  const placements = Array.from({ length: bodies.count }, (_, i) => {
    const placement = new Float64Array(12);
    bodies.writePlacement(i, placement);
    return placement;
  });
  const pairs: ImpactPair[] = [];
  for (let a = 0; a < bodies.count; a++) {
    for (let b = a + 1; b < bodies.count; b++) {
      const contacts = new PairContacts(bodies.shape[a]!, bodies.shape[b]!);
      if (contacts.update(placements[a], placements[b], reach) > 0) pairs.push({ a, b, contacts, reach });
    }
  }
  return pairs;
}

const respond = (bodies: Bodies, reach = 1e-3): void => {
  new ImpactResponse().respond(bodies, findTouching(bodies, reach), 1e-9, 1e-12);
};

describe('balls', () => {
  test('the blow runs through a row: as many leave as come', () => {
    for (const coming of [1, 2, 3, 4]) {
      const bodies = new Bodies();
      for (let i = 0; i < 5; i++) {
        addBody(bodies, CollisionShape.ball(0.5), [i * 1.0001, 0, 0, 0, 0, 0, 1]);
        bodies.restitution[i] = 1;
        if (i < coming) bodies.velocity[3 * i] = 2;
      }
      respond(bodies);
      for (let i = 0; i < 5; i++) expect(bodies.velocity[3 * i]).toBeCloseTo(i >= 5 - coming ? 2 : 0, 12);
    }
  });

  test('of any masses collide as the closed form says', () => {
    const random = createRandom(2);
    for (let i = 0; i < 50; i++) {
      const bodies = new Bodies();
      const e = random.next();
      const [r, q] = [random.range(0.1, 1), random.range(0.1, 1)];
      const n = random.direction();
      addBody(bodies, CollisionShape.ball(r), [0, 0, 0, 0, 0, 0, 1]);
      addBody(bodies, CollisionShape.ball(q), [...n.map((value) => value * (r + q + 1e-6)), 0, 0, 0, 1]);
      bodies.restitution[0] = e;
      const [m, k] = [bodies.mass[0], bodies.mass[1]];
      for (let axis = 0; axis < 6; axis++) bodies.velocity[axis] = random.normal();
      const before = bodies.velocity.slice();
      const along = n.reduce((sum, value, axis) => sum + value * (before[3 + axis] - before[axis]), 0);
      respond(bodies);
      const change = along < 0 ? (-(1 + e) * along) / (1 / m + 1 / k) : 0;
      for (let axis = 0; axis < 3; axis++) {
        expect(bodies.velocity[axis]).toBeCloseTo(before[axis] - (change / m) * n[axis], 9);
        expect(bodies.velocity[3 + axis]).toBeCloseTo(before[3 + axis] + (change / k) * n[axis], 9);
      }
    }
  });
});

test('a box that lands flat bounces flat', () => {
  const bodies = new Bodies();
  addBody(bodies, CollisionShape.solid(boxMesh([-5, -1, -5], [5, 0, 5])), [0, 0, 0, 0, 0, 0, 1], true);
  addBody(bodies, CollisionShape.solid(boxMesh([-0.3, -0.2, -0.4], [0.3, 0.2, 0.4])), [0, 0.2001, 0, 0, 0, 0, 1]);
  bodies.restitution[1] = 0.5;
  bodies.velocity[4] = -3;
  respond(bodies);
  expect(bodies.velocity[4]).toBeCloseTo(1.5, 10);
  expect(Math.hypot(...bodies.angularVelocity.subarray(3, 6))).toBeLessThan(1e-9);
});

test('random heaps of boxes: momentum is kept and energy never grows', () => {
  const random = createRandom(4);
  const box = CollisionShape.solid(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]));
  for (let i = 0; i < 20; i++) {
    const bodies = new Bodies();
    for (let k = 0; k < 8; k++) {
      const at = [k & 1, (k >> 1) & 1, k >> 2].map((value) => value * 1.0001);
      addBody(bodies, box, [...at, 0, 0, 0, 1]);
      bodies.restitution[k] = random.next();
      bodies.friction[k] = random.next();
    }
    for (let k = 0; k < 24; k++) {
      bodies.velocity[k] = random.normal();
      bodies.angularVelocity[k] = random.normal();
    }
    const energy = measureEnergy(bodies, [0, 0, 0]).kinetic;
    const { linear, angular } = measureMomentum(bodies);
    respond(bodies);
    expect(measureEnergy(bodies, [0, 0, 0]).kinetic).toBeLessThanOrEqual(energy);
    const after = measureMomentum(bodies);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(after.linear[k] - linear[k])).toBeLessThan(1e-9);
      expect(Math.abs(after.angular[k] - angular[k])).toBeLessThan(1e-9);
    }
  }
});

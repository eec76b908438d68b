// Contacts of simple solids, where the answer is known.
import { describe, expect, test } from 'vitest';
import { writePlacement } from '../../src/core/placement.js';
import { createRandom } from '../../src/core/random.js';
import { APART, NEAR, OVERLAP } from '../../src/manifold/contact-state.js';
import { PairContacts } from '../../src/manifold/pair-contacts.js';
import { CollisionShape } from '../../src/manifold/shape/collision-shape.js';
import { box } from '../../src/models/primitives/box.js';

const at = (x: number, y: number, z: number, q = [0, 0, 0, 1]): Float64Array =>
  writePlacement([x, y, z, ...q], new Float64Array(12));
const yaw = (angle: number): number[] => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];

describe('a box over a slab', () => {
  const slab = CollisionShape.solid(box.build({ width: 10, height: 1, depth: 10 }));
  const cube = CollisionShape.solid(box.build({ width: 1, height: 1, depth: 1 }));

  test('touches with its four corners at any yaw', () => {
    const random = createRandom(1);
    for (let round = 0; round < 50; round++) {
      const pair = new PairContacts(slab, cube);
      const angle = random.range(0, 7);
      const x = random.range(-3, 3);
      const z = random.range(-3, 3);
      expect(pair.update(at(0, 0, 0), at(x, 1.0005, z, yaw(angle)), 0.002)).toBe(NEAR);
      expect(pair.count).toBe(4);
      expect(pair.distance).toBeCloseTo(0.0005, 12);
      for (let i = 0; i < 4; i++) {
        expect(pair.separations[i]).toBeCloseTo(0.0005, 12);
        expect(pair.normals[3 * i + 1]).toBeCloseTo(1, 12);
        expect(Math.hypot(pair.pointsB[3 * i] - x, pair.pointsB[3 * i + 2] - z)).toBeCloseTo(Math.SQRT1_2, 12);
        expect(pair.pointsA[3 * i + 1]).toBeCloseTo(0.5, 12);
      }
    }
  });

  test('is apart beyond the margin, with a bound that holds', () => {
    const pair = new PairContacts(slab, cube);
    expect(pair.update(at(0, 0, 0), at(0, 1.3, 0), 0.01)).toBe(APART);
    expect(pair.count).toBe(0);
    expect(pair.distance).toBeGreaterThanOrEqual(0.01);
    expect(pair.distance).toBeLessThanOrEqual(0.3);
  });

  test('tells a shallow overlap from a deep one', () => {
    const pair = new PairContacts(slab, cube);
    expect(pair.update(at(0, 0, 0), at(0, 0.9999, 0), 0.002)).toBe(NEAR);
    expect(pair.count).toBe(4);
    expect(pair.distance).toBeCloseTo(-0.0001, 12);
    expect(pair.update(at(0, 0, 0), at(0, 0.7, 0), 0.002)).toBe(OVERLAP);
    expect(pair.update(at(0, 0, 0), at(0, 0, 0), 0.002)).toBe(OVERLAP);
    expect(pair.update(at(0, 0, 0), at(0, 1.0001, 0), 0.002)).toBe(NEAR);
  });

  test('keeps its contacts when it is pressed in, and loses them when it moves far', () => {
    const pair = new PairContacts(slab, cube);
    pair.update(at(0, 0, 0), at(0, 1.0005, 0), 0.002);
    expect(pair.update(at(0, 0, 0), at(0.05, 0.9, 0), 0.002)).toBe(OVERLAP);
    expect(pair.count).toBe(4);
    for (let i = 0; i < 4; i++) {
      expect(pair.separations[i]).toBeCloseTo(-0.1, 12);
      expect(pair.normals[3 * i + 1]).toBeCloseTo(1, 12);
    }
    expect(pair.update(at(0, 0, 0), at(0, 0.6, 0), 0.002)).toBe(OVERLAP);
    expect(pair.count).toBe(0);
  });

  test('has its contacts moved along while it is still, to the second order', () => {
    const pair = new PairContacts(slab, cube);
    const fresh = new PairContacts(slab, cube);
    const motion = new Float64Array(6);
    pair.update(at(0, 0, 0), at(0, 1.0005, 0), 0.01, motion, 5e-4);
    const moved = at(1e-4, 1.0003, 0, yaw(1e-4));
    expect(pair.update(at(0, 0, 0), moved, 0.01, motion, 5e-4)).toBe(NEAR);
    fresh.update(at(0, 0, 0), moved, 0.01, motion);
    expect(pair.count).toBe(fresh.count);
    for (let k = 0; k < 3 * pair.count; k++) expect(Math.abs(pair.pointsB[k] - fresh.pointsB[k])).toBeLessThan(1e-7);
    expect(pair.distance).toBeCloseTo(fresh.distance, 7);
  });
});

describe('two boxes', () => {
  const cube = CollisionShape.solid(box.build({ width: 1, height: 1, depth: 1 }));

  test('stacked crosswise touch at the corners of the common square', () => {
    const bar = CollisionShape.solid(box.build({ width: 3, height: 0.2, depth: 0.4 }));
    const pair = new PairContacts(bar, bar);
    expect(pair.update(at(0, 0, 0), at(0, 0.201, 0, yaw(Math.PI / 2)), 0.002)).toBe(NEAR);
    expect(pair.count).toBe(4);
    for (let i = 0; i < 4; i++) {
      expect(Math.abs(pair.pointsA[3 * i])).toBeCloseTo(0.2, 12);
      expect(Math.abs(pair.pointsA[3 * i + 2])).toBeCloseTo(0.2, 12);
    }
  });

  test('corner to corner have one contact along the diagonal', () => {
    const pair = new PairContacts(cube, cube);
    expect(pair.update(at(0, 0, 0), at(1.001, 1.001, 1.001), 0.01)).toBe(NEAR);
    expect(pair.count).toBe(1);
    for (let k = 0; k < 3; k++) expect(pair.normals[k]).toBeCloseTo(Math.sqrt(1 / 3), 9);
    expect(pair.separations[0]).toBeCloseTo(0.001 * Math.sqrt(3), 12);
  });
});

describe('balls', () => {
  const ball = CollisionShape.ball(0.5);
  const cube = CollisionShape.solid(box.build({ width: 1, height: 1, depth: 1 }));

  test('touch along the line of their centers', () => {
    const pair = new PairContacts(ball, CollisionShape.ball(0.25));
    expect(pair.update(at(1, 0, 0), at(1, 0.76, 0), 0.02)).toBe(NEAR);
    expect(pair.separations[0]).toBeCloseTo(0.01, 14);
    expect([...pair.normals.slice(0, 3)]).toEqual([0, 1, 0]);
    expect([...pair.pointsA.slice(0, 3)]).toEqual([1, 0.5, 0]);
    expect(pair.pointsB[1]).toBeCloseTo(0.51, 14);
  });

  test('touch a face, an edge and a corner of a box, whichever comes first', () => {
    for (const [x, y, z] of [
      [0.1, 1.001, 0.2],
      [0.5 + 0.501 * Math.SQRT1_2, 0.5 + 0.501 * Math.SQRT1_2, 0.2],
      [0.5 + 0.501 / Math.sqrt(3), 0.5 + 0.501 / Math.sqrt(3), 0.5 + 0.501 / Math.sqrt(3)],
    ]) {
      const pair = new PairContacts(cube, ball);
      expect(pair.update(at(0, 0, 0), at(x, y, z), 0.01)).toBe(NEAR);
      expect(pair.count).toBe(1);
      expect(pair.separations[0]).toBeCloseTo(0.001, 12);
      const back = new PairContacts(ball, cube);
      expect(back.update(at(x, y, z), at(0, 0, 0), 0.01)).toBe(NEAR);
      for (let k = 0; k < 3; k++) {
        expect(back.normals[k]).toBeCloseTo(-pair.normals[k], 12);
        expect(back.pointsA[k]).toBeCloseTo(pair.pointsB[k], 12);
        expect(back.pointsB[k]).toBeCloseTo(pair.pointsA[k], 12);
      }
    }
  });

  test('overlap a box by up to their radius with negative separations', () => {
    const pair = new PairContacts(cube, ball);
    expect(pair.update(at(0, 0, 0), at(0, 0.6, 0), 0.01)).toBe(NEAR);
    expect(pair.separations[0]).toBeCloseTo(-0.4, 12);
    expect(pair.update(at(0, 0, 0), at(0, 0.4, 0), 0.01)).toBe(OVERLAP);
  });

  test('pass beside an edge, or hit it where they would', () => {
    const pair = new PairContacts(cube, ball);
    // Beside the cube by a tenth of a millimeter more than its radius, and above its top, the ball falls past it.
    const falling = Float64Array.of(0, 0, 0, 0, -0.3, 0);
    expect(pair.update(at(0, 0, 0), at(1.0001, 0.7, 0.1), 0.31, falling)).toBe(NEAR);
    for (let i = 0; i < pair.count; i++) {
      expect(pair.separations[i] - 0.3 * pair.normals[3 * i + 1]).toBeGreaterThanOrEqual(0);
    }
    // Over the edge it hits with the side that is turned to it: where its center is 0.5 from the edge.
    expect(pair.update(at(0, 0, 0), at(0.8, 1.1, 0.1), 0.31, falling)).toBe(NEAR);
    expect(pair.count).toBe(1);
    const drop = 0.6 - 0.4;
    expect(pair.normals[0]).toBeCloseTo(0.6, 12);
    expect(pair.normals[1]).toBeCloseTo(0.8, 12);
    expect(pair.separations[0]).toBeCloseTo(drop * 0.8, 12);
    const back = new PairContacts(ball, cube);
    expect(back.update(at(0.8, 1.1, 0.1), at(0, 0, 0), 0.31, Float64Array.of(0, 0, 0, 0, 0.3, 0))).toBe(NEAR);
    expect(back.normals[1]).toBeCloseTo(-0.8, 12);
    expect(back.separations[0]).toBeCloseTo(drop * 0.8, 12);
  });
});

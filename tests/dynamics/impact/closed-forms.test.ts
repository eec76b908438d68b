// Times of contact that are known: balls against balls, faces, edges and corners, and spinning rods against walls.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import {
  type MovingShape,
  TIME_OF_CONTACT_METHODS,
  timeOfContact,
} from '../../../src/dynamics/impact/time-of-contact.js';
import { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';
import { boxMesh } from '../../generators/surfaces.js';

const ball = (radius: number) => CollisionShape.ball(radius);
const box = (low: [number, number, number], high: [number, number, number]) => CollisionShape.solid(boxMesh(low, high));
const TOLERANCE = 1e-9;

/** Every method finds the time, and its bracket holds it. */
function expectContact(a: MovingShape, b: MovingShape, duration: number, time: number, speed: number): void {
  for (const method of TIME_OF_CONTACT_METHODS) {
    const found = timeOfContact(a, b, { method, duration, tolerance: TOLERANCE });
    expect(found.status, method).toBe('contact');
    expect(found.lower, method).toBeLessThanOrEqual(time + 1e-12);
    expect(found.upper, method).toBeGreaterThanOrEqual(time - 1e-12);
    expect(Math.abs(found.time! - time) * speed, method).toBeLessThan(2 * TOLERANCE);
    expect(found.certified).toBe(method === 'certified');
    if (method === 'certified') expect((found.upper! - found.lower) * speed).toBeLessThan(1e-8);
  }
}

describe('balls', () => {
  test('against a face', () => {
    const floor = { shape: box([-5, -1, -5], [5, 0, 5]), pose: [0, 0, 0, 0, 0, 0, 1] };
    const falling: MovingShape = { shape: ball(0.25), pose: [0.3, 2, 0.7, 0, 0, 0, 1], velocity: [1, -4, 0.5] };
    expectContact(falling, floor, 0.5, 1.75 / 4, 4);
    const found = timeOfContact(falling, floor, { duration: 0.5 });
    expect(found.normal![1]).toBeCloseTo(-1, 12);
    expect(found.pointB![1]).toBeCloseTo(0, 9);
    expect(found.pointA![0]).toBeCloseTo(0.3 + 1.75 / 4, 8);
  });

  test('against an edge and a corner', () => {
    const cube = { shape: box([-1, -1, -1], [0, 0, 0]), pose: [0, 0, 0, 0, 0, 0, 1] };
    // The center passes the edge x = y = 0 at the height 0.3 along −x: it touches at x = 0.4, where it is 0.5 away.
    expectContact({ shape: ball(0.5), pose: [1, 0.3, -0.5, 0, 0, 0, 1], velocity: [-2, 0, 0] }, cube, 0.4, 0.3, 1.6);
    // Off the corner by 0.2 in y and in z, along −x: x² = 0.25 − 0.08.
    const x = Math.sqrt(0.17);
    const a: MovingShape = { shape: ball(0.5), pose: [1, 0.2, 0.2, 0, 0, 0, 1], velocity: [-2, 0, 0] };
    expectContact(a, cube, 0.4, (1 - x) / 2, 2 * (x / 0.5));
  });

  test('against each other, whatever their spin', () => {
    const random = createRandom(1);
    let contacts = 0;
    for (let i = 0; i < 400; i++) {
      const [r, q] = [random.range(0.1, 0.6), random.range(0.1, 0.6)];
      const [from, spin] = [random.direction(), random.direction()];
      for (let k = 0; k < 3; k++) {
        from[k] *= 2;
        spin[k] *= 20;
      }
      const velocity: [number, number, number] = [0, 0, 0];
      for (let k = 0; k < 3; k++) velocity[k] = -from[k] + 0.6 * random.normal();
      const a: MovingShape = { shape: ball(r), pose: [...from, 0, 0, 0, 1], velocity, angularVelocity: spin };
      const b: MovingShape = { shape: ball(q), pose: [0, 0, 0, 0, 0, 0, 1], angularVelocity: spin };
      const vv = velocity.reduce((sum, v) => sum + v * v, 0);
      const pv = velocity.reduce((sum, v, k) => sum + v * from[k], 0);
      const discriminant = pv * pv - vv * (4 - (r + q) ** 2);
      const time = (-pv - Math.sqrt(discriminant)) / vv;
      // Grazing is for rounding to decide.
      if (Math.abs(discriminant) < 1e-3) continue;
      const found = timeOfContact(a, b, { tolerance: TOLERANCE });
      if (discriminant < 0 || time > 1) {
        expect(found.status).toBe('clear');
        continue;
      }
      contacts++;
      expect(found.lower).toBeLessThanOrEqual(time);
      // Rounding moves the root of the closed form the more, the nearer the balls come to passing each other.
      const rounding = (1e-14 * pv * pv) / (vv * Math.sqrt(discriminant));
      expect(found.upper).toBeGreaterThanOrEqual(time - rounding);
      expect(found.upper! - found.lower).toBeLessThan(1e-7);
    }
    expect(contacts).toBeGreaterThan(150);
    expect(contacts).toBeLessThan(320);
  });

  test('that start in a mesh, or overlapping it, overlap', () => {
    const cube = { shape: box([-1, -1, -1], [1, 1, 1]), pose: [0, 0, 0, 0, 0, 0, 1] };
    for (const method of TIME_OF_CONTACT_METHODS) {
      for (const x of [0, 0.5, 1.05]) {
        const inner: MovingShape = { shape: ball(0.1), pose: [x, 0, 0, 0, 0, 0, 1], velocity: [9, 0, 0] };
        const found = timeOfContact(inner, cube, { method });
        expect(found).toMatchObject({ status: 'overlap', lower: 0, upper: 0, time: null });
      }
    }
  });
});

describe('rods', () => {
  /** Half-length 1, half-thickness 0.1, with its center at (0.3, 0.2, −0.4) of its frame. */
  const rod = box([-0.7, 0.1, -0.5], [1.3, 0.3, -0.3]);
  const center = [0.3, 0.2, -0.4] as const;
  const wall = { shape: box([0.8, -5, -5], [0.9, 5, 5]), pose: [0, 0, 0, 0, 0, 0, 1] };
  /** Standing along y, with its center in the origin. */
  const upright = [0.2, -0.3, 0.4, 0, 0, Math.SQRT1_2, Math.SQRT1_2];

  /** When a corner at the angle atan(0.1) from the rod's axis first reaches x = 0.8. */
  const reach = Math.hypot(1, 0.1);
  const angle = Math.PI / 2 - Math.acos(0.8 / reach) - Math.atan(0.1);

  test('that spin about their center meet a wall when their corner does', () => {
    const a: MovingShape = { shape: rod, pose: upright, center, angularVelocity: [0, 0, -2] };
    expectContact(a, wall, 0.6, angle / 2, 2 * reach * Math.sin(Math.acos(0.8 / reach)));
  });

  test('that spin by several turns meet it in the first quarter turn: only the certificate sees it', () => {
    const a: MovingShape = { shape: rod, pose: upright, center, angularVelocity: [0, 0, -2 * Math.PI * 50] };
    const duration = 0.1;
    const found = timeOfContact(a, wall, { duration });
    expect(found.status).toBe('contact');
    expect(found.lower).toBeLessThanOrEqual(angle / (100 * Math.PI) + 1e-13);
    expect(found.upper).toBeGreaterThanOrEqual(angle / (100 * Math.PI) - 1e-13);
    for (const method of TIME_OF_CONTACT_METHODS.slice(1)) {
      expect(timeOfContact(a, wall, { duration, method }).status).toBe('clear');
    }
  });

  test('thrown spinning follow their center of mass', () => {
    const spin: MovingShape = { shape: rod, pose: upright, center, angularVelocity: [0, 0, -1] };
    const a: MovingShape = { ...spin, velocity: [0.5, -0.2, 0.1] };
    const b: MovingShape = { ...wall, velocity: [-0.5, 0, 0] };
    const corner = (t: number): number => reach * Math.sin(t + Math.atan(0.1));
    let [low, high] = [0, 0.79];
    for (let i = 0; i < 100; i++) {
      const middle = (low + high) / 2;
      if (0.5 * middle + corner(middle) < 0.8 - 0.5 * middle) low = middle;
      else high = middle;
    }
    expectContact(a, b, 1, low, 1.5);
  });
});

test('a bullet that is through a sheet within the step is seen by the certificate alone', () => {
  const sheet = { shape: box([-0.0005, -1, -1], [0.0005, 1, 1]), pose: [0, 0, 0, 0, 0, 0, 1] };
  const bullet: MovingShape = { shape: ball(0.004), pose: [-3, 0.1, 0.2, 0, 0, 0, 1], velocity: [900, 0, 0] };
  const found = timeOfContact(bullet, sheet, { duration: 1 / 60 });
  expect(found.status).toBe('contact');
  expect(found.time).toBeCloseTo((3 - 0.0045) / 900, 11);
  for (const method of TIME_OF_CONTACT_METHODS.slice(1)) {
    const missed = timeOfContact(bullet, sheet, { duration: 1 / 60, method });
    expect(missed).toMatchObject({ status: 'clear', certified: false });
  }
});

test('bad arguments are refused', () => {
  const a: MovingShape = { shape: ball(1), pose: [0, 0, 0, 0, 0, 0, 1] };
  const b: MovingShape = { shape: ball(1), pose: [3, 0, 0, 0, 0, 0, 1] };
  expect(() => timeOfContact(a, b, { duration: 0 })).toThrow('duration is 0');
  expect(() => timeOfContact(a, b, { duration: Number.NaN })).toThrow('duration');
  expect(() => timeOfContact(a, b, { method: 'quartic' as never })).toThrow("'certified', 'cubic'");
  expect(() => timeOfContact(a, b, { tolerance: -1 })).toThrow('tolerance');
  expect(() => timeOfContact(a, b, { maxIterations: 0 })).toThrow('maxIterations');
  expect(() => timeOfContact({ ...a, pose: [0, 0] }, b)).toThrow('pose of A');
  expect(() => timeOfContact({ ...a, velocity: [1, 2] as never }, b)).toThrow('velocity of A');
  expect(() => timeOfContact({ ...a, velocity: [Number.NaN, 0, 0] }, b)).toThrow('velocity of A');
  expect(() => timeOfContact({ ...a, center: [Number.NaN, 0, 0] }, b)).toThrow('center of A');
  expect(() => timeOfContact(a, { ...b, angularVelocity: [1e9, 0, 0] })).toThrow('B turns by');
  expect(() => timeOfContact({ ...a, shape: 3 as never }, b)).toThrow('CollisionShape.ball');
  expect(() => timeOfContact(a, { ...b, speed: 1 } as never)).toThrow('speed');
});

// The distance and nearest points of two triangles against the oracle, in every order of the corners.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { TriangleDistance } from '../../../src/mesh/triangle/triangle-distance.js';
import { FACE_REGION } from '../../../src/mesh/triangle/triangle-region.js';
import { triangleDistanceSquared } from '../../oracles/triangle-distance-oracle.js';
import { trianglesMeet } from '../../oracles/triangles-meet.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const ORDERS = [
  [0, 3, 6],
  [3, 6, 0],
  [6, 0, 3],
  [0, 6, 3],
  [6, 3, 0],
  [3, 0, 6],
] as const;

/** Random triangles, many of them special: on a grid, needles, parallel, sharing corners, without area. */
function createPair(seed: number): [Float64Array, Float64Array] {
  const random = createRandom(seed);
  const kind = random.integer(6);
  const grid = kind === 0 || kind === 3;
  const value = () => (grid ? random.integer(4) : random.range(-1, 1));
  const p = Float64Array.from({ length: 9 }, value);
  const q = Float64Array.from({ length: 9 }, value);
  for (let k = 0; k < 9; k += 3) q[k] += grid ? random.integer(2) : random.range(0, 1.5);
  if (kind === 1) for (let k = 0; k < 3; k++) q[6 + k] = q[3 + k] + 1e-7 * random.range(-1, 1);
  if (kind === 2) {
    const lift = random.range(0, 0.5);
    for (let k = 0; k < 9; k++) q[k] = p[k] * 0.7 + (k % 3 === 2 ? lift : 0.1);
  }
  if (kind === 4) for (let k = 0; k < 3; k++) q[k] = p[3 + k];
  if (kind === 5) for (let k = 0; k < 3; k++) q[6 + k] = (q[k] + q[3 + k]) / 2;
  return [p, q];
}

test('agrees with the oracle in every order of the corners', () => {
  const distance = new TriangleDistance();
  let meeting = 0;
  const count = 6000 * SOAK;
  for (let seed = 0; seed < count; seed++) {
    const [p, q] = createPair(seed);
    const meets = trianglesMeet(p, 0, 3, 6, q, 0, 3, 6);
    const wanted = Math.sqrt(triangleDistanceSquared(p, [0, 3, 6], q, [0, 3, 6]));
    if (meets) meeting++;
    const [a0, a1, a2] = ORDERS[seed % 6];
    const [b0, b1, b2] = ORDERS[Math.floor(seed / 6) % 6];
    const squared = distance.measure(p, a0, a1, a2, q, b0, b1, b2);
    expect(squared === 0, `seed ${seed}`).toBe(meets);
    const got = Math.sqrt(squared);
    expect(Math.abs(got - (meets ? 0 : wanted)), `seed ${seed}`).toBeLessThan(1e-11);
    const { pointA, pointB, regionA, regionB } = distance;
    const apart = Math.hypot(pointA[0] - pointB[0], pointA[1] - pointB[1], pointA[2] - pointB[2]);
    expect(Math.abs(apart - got), `seed ${seed}`).toBeLessThan(1e-12);
    expect(offRegion(p, [a0, a1, a2], regionA, pointA), `seed ${seed}`).toBeLessThan(1e-9);
    expect(offRegion(q, [b0, b1, b2], regionB, pointB), `seed ${seed}`).toBeLessThan(1e-9);
  }
  expect(meeting / count).toBeGreaterThan(0.15);
  expect(meeting / count).toBeLessThan(0.7);
});

test('is exact where triangles touch, and positive where they do not', () => {
  const distance = new TriangleDistance();
  const p = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0);
  const spike = (z: number) => Float64Array.of(1, 1, z, 1, 2, z + 1, 2, 1, z + 1);
  expect(distance.measure(p, 0, 3, 6, spike(0), 0, 3, 6)).toBe(0);
  expect([...distance.pointA]).toEqual([1, 1, 0]);
  for (const gap of [Number.EPSILON, 1e-100, Number.MIN_VALUE]) {
    expect(distance.measure(p, 0, 3, 6, spike(gap), 0, 3, 6)).toBeGreaterThan(0);
  }
  expect(distance.measure(p, 0, 3, 6, spike(-Number.MIN_VALUE), 0, 3, 6)).toBe(0);
});

test('a hexagram of two coplanar triangles has a common point within both', () => {
  const distance = new TriangleDistance();
  const p = Float64Array.of(0, 0, 0, 4, 0, 0, 2, 3, 0);
  const q = Float64Array.of(0, 2, 0, 4, 2, 0, 2, -1, 0);
  expect(distance.measure(p, 0, 3, 6, q, 0, 3, 6)).toBe(0);
  expect(offRegion(p, [0, 3, 6], FACE_REGION, distance.pointA)).toBeLessThan(1e-14);
  expect(offRegion(q, [0, 3, 6], FACE_REGION, distance.pointB)).toBeLessThan(1e-14);
});

/** How far a point is from the corner, edge or face that a region names, by the oracle's triangle distance. */
function offRegion(t: Float64Array, corners: readonly number[], region: number, point: Float64Array): number {
  const at =
    region < 3 ? [region, region, region] : region < 6 ? [region - 3, (region - 2) % 3, (region - 2) % 3] : [0, 1, 2];
  const [a, b, c] = at.map((k) => corners[k]);
  return Math.sqrt(triangleDistanceSquared(t, [a, b, c], point, [0, 0, 0]));
}

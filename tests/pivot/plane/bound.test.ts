// The bound of Hoff et al. 2001, held against brute force: pixels are within the error of A and in B, every point of A's
// boundary deeper than the error has a pixel within the error, depths are within the error. On 10,000 pairs at four
// resolutions, with the share of pairs that meet asserted.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { PlanePivot } from '../../../src/pivot/plane/plane-pivot.js';
import { randomShape } from '../../generators/plane-shapes.js';
import { boundaryDistance, isInside, type Rings, ringPoints, walkBoundary } from '../../oracles/pivot/plane-oracle.js';

const ERRORS = [0.08, 0.04, 0.02, 0.01];
const SLACK = 1 + 1e-9;

test('penetrating points of 10,000 pairs keep the bound at four resolutions', () => {
  const random = createRandom(16);
  const queries = ERRORS.map((error, index) => new PlanePivot({ error, maxDepth: index }));
  let meeting = 0;
  let deep = 0;
  let points = 0;
  const faults: string[] = [];
  for (let pair = 0; pair < 10_000; pair++) {
    const a = randomShape(random, 0, 0);
    const b = randomShape(random, random.range(-0.9, 0.9), random.range(-0.9, 0.9));
    const rings = [ringPoints(a.rings), ringPoints(b.rings)];
    for (const [index, error] of ERRORS.entries()) {
      const found = queries[index].penetration(a, b);
      if (found.error !== error) faults.push(`${pair}: the error is ${found.error}`);
      points += found.count;
      if (found.count > 0) meeting++;
      // Each pair in full at one resolution; at the others the places of the points.
      const inFull = pair % ERRORS.length === index;
      for (let k = 0; k < found.count; k += inFull ? 1 : 11) {
        const point = [found.points[2 * k], found.points[2 * k + 1]] as const;
        const own = rings[found.objects[k]];
        const other = rings[1 - found.objects[k]];
        const depth = boundaryDistance(other, point);
        if (boundaryDistance(own, point) > error * SLACK) faults.push(`${pair}: a pixel is away from its object`);
        if (depth > 1e-12 && !isInside(other, point)) faults.push(`${pair}: a pixel is outside`);
        if (Math.abs(depth - found.depths[k]) > 1e-12) faults.push(`${pair}: a depth is wrong`);
        const [ux, uy] = [found.directions[2 * k], found.directions[2 * k + 1]];
        const way = [point[0] + ux * depth, point[1] + uy * depth] as const;
        if (depth > 1e-6 && boundaryDistance(other, way) > 1e-9) faults.push(`${pair}: a direction is wrong`);
        if (Math.abs(Math.hypot(ux, uy) - 1) > 1e-9) faults.push(`${pair}: a direction is not of unit length`);
      }
      if (inFull) deep += checkDeepPoints(rings, found, error, faults, pair);
    }
    if (faults.length > 20) break;
  }
  expect(faults).toEqual([]);
  expect(meeting / 40_000).toBeGreaterThan(0.3);
  expect(meeting / 40_000).toBeLessThan(0.9);
  expect(points).toBeGreaterThan(500_000);
  expect(deep).toBeGreaterThan(15_000);
});

function checkDeepPoints(
  rings: readonly Rings[],
  found: ReturnType<PlanePivot['penetration']>,
  error: number,
  faults: string[],
  pair: number,
): number {
  let deep = 0;
  for (const object of [0, 1]) {
    walkBoundary(rings[object], 5 * error, (point) => {
      const depth = boundaryDistance(rings[1 - object], point);
      if (depth <= error || !isInside(rings[1 - object], point)) return;
      deep++;
      for (let k = 0; k < found.count; k++) {
        const gap = Math.hypot(found.points[2 * k] - point[0], found.points[2 * k + 1] - point[1]);
        if (found.objects[k] === object && gap <= error * SLACK) return;
      }
      faults.push(`${pair}: a point of object ${object}, ${depth} deep, has no pixel`);
    });
  }
  return deep;
}

test('the points are all samples near one boundary and inside the other shape, at every depth of the hierarchy', () => {
  const random = createRandom(5);
  let kept = 0;
  for (let pair = 0; pair < 100; pair++) {
    const a = randomShape(random, 0, 0);
    const b = randomShape(random, random.range(-0.6, 0.6), random.range(-0.6, 0.6));
    const [ringsA, ringsB] = [ringPoints(a.rings), ringPoints(b.rings)];
    const error = random.range(0.01, 0.05);
    const size = error * Math.SQRT2;
    const found = new PlanePivot({ error, maxDepth: pair % 6 }).intersect(a, b, 'boundary-volume');
    const keys = new Set<string>();
    for (let k = 0; k < found.count; k++) {
      keys.add(`${Math.floor(found.points[2 * k] / size)} ${Math.floor(found.points[2 * k + 1] / size)}`);
    }
    expect(keys.size).toBe(found.count);
    const reach = Math.ceil(0.7 / size);
    for (let j = -reach; j < reach; j++) {
      for (let i = -reach; i < reach; i++) {
        const point = [(i + 0.5) * size, (j + 0.5) * size] as const;
        const near = boundaryDistance(ringsA, point);
        const depth = boundaryDistance(ringsB, point);
        // Rounding decides on the border itself.
        if (Math.abs(near - error) < 1e-12 || depth < 1e-12) continue;
        const expected = near < error && isInside(ringsB, point);
        if (expected) kept++;
        if (expected !== keys.has(`${i} ${j}`)) expect.fail(`pair ${pair}: pixel ${i}, ${j} is ${!expected}`);
      }
    }
  }
  expect(kept).toBeGreaterThan(1_000);
});

test('the lengths add up to the boundary inside, whatever the resolution', () => {
  const random = createRandom(7);
  for (let pair = 0; pair < 40; pair++) {
    const a = randomShape(random, 0, 0);
    const b = randomShape(random, random.range(-0.4, 0.4), random.range(-0.4, 0.4));
    const ringsB = ringPoints(b.rings);
    let truth = 0;
    let crossings = 0;
    let before: boolean | null = null;
    walkBoundary(ringPoints(a.rings), 2e-3, (point, length) => {
      const inside = isInside(ringsB, point);
      if (inside) truth += length;
      if (before !== null && before !== inside) crossings++;
      before = inside;
    });
    for (const error of [0.02, 0.005, 0.00125]) {
      const { count, lengths } = new PlanePivot({ error }).intersect(a, b);
      const sum = lengths.subarray(0, count).reduce((total, length) => total + length, 0);
      // At a crossing, the part of a square that is decided by its sample: no more than two diagonals of a square, unless
      // the two boundaries run along each other.
      expect(Math.abs(sum - truth)).toBeLessThan(8 * error * (crossings + 2) + 4e-3 * (crossings + 1));
    }
  }
});

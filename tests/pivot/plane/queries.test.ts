// Every query against brute force that shares no code with it, on random shapes with holes, crossings and slivers.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { PlanePivot } from '../../../src/pivot/plane/plane-pivot.js';
import { PlaneScene } from '../../../src/pivot/plane/plane-scene.js';
import { randomShape } from '../../generators/plane-shapes.js';
import {
  boundaryDistance,
  boundaryGap,
  isInside,
  type Rings,
  ringPoints,
  walkBoundary,
} from '../../oracles/pivot/plane-oracle.js';

const SLACK = 1 + 1e-9;

/** Random pairs with an error each, from overlapping to apart. */
function* pairs(seed: number, count: number, reach: number) {
  const random = createRandom(seed);
  for (let pair = 0; pair < count; pair++) {
    const a = randomShape(random, 0, 0);
    const b = randomShape(random, random.range(-reach, reach), random.range(-reach, reach));
    const error = 0.003 * 10 ** random.range(0, 1);
    yield { pair, a, b, error, ringsA: ringPoints(a.rings), ringsB: ringPoints(b.rings) };
  }
}

function pointsOf({ count, points }: { count: number; points: Float64Array }): [number, number][] {
  return Array.from({ length: count }, (_, k) => [points[2 * k], points[2 * k + 1]]);
}

function solidsMeet(a: Rings, b: Rings): boolean {
  return boundaryGap(a, b) === 0 || a.some((ring) => isInside(b, ring[0])) || b.some((ring) => isInside(a, ring[0]));
}

test('boundaries meet where both are within the error', () => {
  let crossings = 0;
  for (const { pair, a, b, error, ringsA, ringsB } of pairs(1, 120, 0.7)) {
    const found = pointsOf(new PlanePivot({ error, maxDepth: pair % 5 }).intersect(a, b, 'boundary-boundary'));
    for (const point of found) {
      expect(boundaryDistance(ringsA, point)).toBeLessThanOrEqual(error * SLACK);
      expect(boundaryDistance(ringsB, point)).toBeLessThanOrEqual(error * SLACK);
    }
    walkBoundary(ringsA, error / 4, (point) => {
      // Both within the error of a sample, wherever that is: the boundary of B passes within an eighth of an error.
      if (boundaryDistance(ringsB, point) > error / 8) return;
      crossings++;
      expect(found.some(([x, y]) => Math.hypot(x - point[0], y - point[1]) <= 1.2 * error)).toBe(true);
    });
  }
  expect(crossings).toBeGreaterThan(100);
});

test('volumes meet in all samples inside both, and rows give the area', () => {
  let inside = 0;
  for (const { pair, a, b, ringsA, ringsB } of pairs(2, 60, 0.5)) {
    const error = 0.02;
    const size = error * Math.SQRT2;
    const { area, ...found } = new PlanePivot({ error }).intersect(a, b, 'volume-volume');
    const keys = new Set(pointsOf(found).map(([x, y]) => `${Math.floor(x / size)} ${Math.floor(y / size)}`));
    expect(keys.size).toBe(found.count);
    for (let j = -30; j < 30; j++) {
      for (let i = -30; i < 30; i++) {
        const point = [(i + 0.5) * size, (j + 0.5) * size] as const;
        if (Math.min(boundaryDistance(ringsA, point), boundaryDistance(ringsB, point)) < 1e-12) continue;
        const expected = isInside(ringsA, point) && isInside(ringsB, point);
        if (expected) inside++;
        if (expected !== keys.has(`${i} ${j}`)) expect.fail(`pair ${pair}: pixel ${i}, ${j} is ${!expected}`);
      }
    }
    expect(Math.abs(area - found.count * size * size)).toBeLessThan(0.1 * area + 12 * size);
  }
  expect(inside).toBeGreaterThan(2_000);
});

test('the area of a known intersection converges with the square of the error', () => {
  const square = { rings: [Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1)] };
  const diamond = { rings: [Float64Array.of(0.5, -0.2, 1.2, 0.5, 0.5, 1.2, -0.2, 0.5)] };
  // The diamond of area 0.98 less four corners beyond the square, each 0.2 high and 0.4 wide.
  for (const error of [0.01, 0.001]) {
    const { area } = new PlanePivot({ error }).intersect(square, diamond, 'volume-volume');
    expect(Math.abs(area - (0.98 - 4 * 0.04))).toBeLessThan(4 * error);
  }
});

test('contacts are near A, within the threshold of B, signed, and none is missing', () => {
  let kept = 0;
  let deep = 0;
  for (const { pair, a, b, error, ringsA, ringsB } of pairs(3, 150, 0.9)) {
    const threshold = 2 * error;
    const found = new PlanePivot({ error, maxDepth: pair % 5 }).contacts(a, b, threshold);
    const points = pointsOf(found);
    points.forEach((point, k) => {
      const gap = boundaryDistance(ringsB, point);
      expect(boundaryDistance(ringsA, point)).toBeLessThanOrEqual(error * SLACK);
      expect(gap).toBeLessThanOrEqual((threshold + error) * SLACK);
      expect(Math.abs(Math.abs(found.distances[k]) - gap)).toBeLessThan(1e-12);
      if (gap > 1e-12) expect(found.distances[k] < 0).toBe(isInside(ringsB, point));
      if (found.distances[k] < 0) deep++;
      // The normal leads from the sample to B from outside, and on the same way from inside.
      const way = [found.normals[2 * k] * found.distances[k], found.normals[2 * k + 1] * found.distances[k]];
      expect(boundaryDistance(ringsB, [point[0] + way[0], point[1] + way[1]])).toBeLessThan(1e-9);
      expect(Math.hypot(found.normals[2 * k], found.normals[2 * k + 1])).toBeCloseTo(1, 9);
    });
    kept += points.length;
    walkBoundary(ringsA, error, (point) => {
      if (boundaryDistance(ringsB, point) > threshold) return;
      expect(points.some(([x, y]) => Math.hypot(x - point[0], y - point[1]) <= error * SLACK)).toBe(true);
    });
  }
  expect(kept).toBeGreaterThan(1_000);
  expect(deep / kept).toBeGreaterThan(0.2);
});

test('closest points and separations are within the error, and exact on request', () => {
  let apart = 0;
  for (const { pair, a, b, error, ringsA, ringsB } of pairs(4, 600, 1.6)) {
    const query = new PlanePivot({ error, maxDepth: pair % 6 });
    const gap = boundaryGap(ringsA, ringsB);
    const closest = query.closestPoint(a, b);
    expect(Math.abs(closest.distance - gap)).toBeLessThanOrEqual(error * (1 + 1e-5));
    expect(boundaryDistance(ringsA, closest.point)).toBeLessThanOrEqual(error * SLACK);
    expect(boundaryDistance(ringsB, closest.other)).toBeLessThan(1e-12);
    const meets = solidsMeet(ringsA, ringsB);
    const rough = query.separation(a, b);
    const exact = query.separation(a, b, { exact: true });
    expect(exact.intersects).toBe(meets);
    expect(exact.error).toBe(0);
    expect(rough.error).toBe(error);
    expect(Math.abs(exact.distance - (meets ? 0 : gap))).toBeLessThan(1e-12);
    if (!meets && gap > error) expect(rough.intersects).toBe(false);
    if (meets) continue;
    apart++;
    expect(Math.abs(rough.distance - (rough.intersects ? 0 : gap))).toBeLessThanOrEqual(error * (1 + 1e-5));
    const [x, y] = exact.direction ?? [0, 0];
    const [pa, pb] = [exact.pointA ?? [], exact.pointB ?? []];
    expect(Math.hypot(pb[0] - pa[0], pb[1] - pa[1])).toBeCloseTo(gap, 12);
    if (gap > 1e-6) expect(x * (pb[0] - pa[0]) + y * (pb[1] - pa[1])).toBeCloseTo(gap, 12);
    expect(boundaryDistance(ringsA, [pa[0], pa[1]])).toBeLessThan(1e-12);
    expect(boundaryDistance(ringsB, [pb[0], pb[1]])).toBeLessThan(1e-12);
  }
  expect(apart / 600).toBeGreaterThan(0.3);
  expect(apart / 600).toBeLessThan(0.9);
});

describe('fields', () => {
  test('are exact at samples and within the error between them', () => {
    const random = createRandom(9);
    let wrongSigns = 0;
    for (let k = 0; k < 30; k++) {
      const shape = randomShape(random, 0.2, -0.1);
      const rings = ringPoints(shape.rings);
      const error = 0.02;
      const field = new PlanePivot({ error, maxDepth: k % 5 }).field(shape, [-0.5, -0.6, 0.7, 0.5]);
      const signed = (point: readonly [number, number]): number =>
        (isInside(rings, point) ? -1 : 1) * boundaryDistance(rings, point);
      for (let at = 0; at < field.values.length; at += 13) {
        const point = [
          field.origin[0] + (at % field.width) * field.pixel,
          field.origin[1] + Math.floor(at / field.width) * field.pixel,
        ] as const;
        const truth = signed(point);
        if (Math.abs(truth) > 1e-12) expect(field.values[at]).toBeCloseTo(truth, 12);
      }
      for (let i = 0; i < 200; i++) {
        const point = [random.range(-0.5, 0.7), random.range(-0.6, 0.5)] as const;
        const truth = signed(point);
        const value = field.sample(...point);
        expect(Math.abs(Math.abs(value) - Math.abs(truth))).toBeLessThanOrEqual(error * SLACK);
        if (value < 0 !== truth < 0) {
          wrongSigns++;
          expect(Math.abs(truth)).toBeLessThanOrEqual(Math.SQRT2 * error * SLACK);
        }
      }
    }
    expect(wrongSigns).toBeGreaterThan(0);
    expect(wrongSigns / 6_000).toBeLessThan(0.1);
  });

  test('have the gradient of a half plane, also across its boundary', () => {
    const half = { rings: [Float64Array.of(-9, -9, 9, -9, 9, 0, -9, 0)] };
    const field = new PlanePivot({ error: 0.05 }).field(half, [-1, -1, 1, 1]);
    for (const y of [-0.5, -0.03, 0, 0.04, 0.7]) {
      const [gx, gy] = field.gradient(0.1, y);
      expect(gx).toBeCloseTo(0, 9);
      expect(gy).toBeCloseTo(1, 9);
    }
  });

  test('at single points are exact, with a unit gradient', () => {
    const random = createRandom(12);
    const query = new PlanePivot();
    for (let k = 0; k < 50; k++) {
      const shape = randomShape(random, 0, 0);
      const rings = ringPoints(shape.rings);
      const points = Float64Array.from({ length: 40 }, () => random.range(-0.8, 0.8));
      const gradients = new Float64Array(40);
      const distances = query.distances(shape, points, new Float64Array(20), gradients);
      for (let i = 0; i < 20; i++) {
        const point = [points[2 * i], points[2 * i + 1]] as const;
        const size = boundaryDistance(rings, point);
        expect(distances[i]).toBeCloseTo(isInside(rings, point) ? -size : size, 12);
        const foot = [
          point[0] - gradients[2 * i] * distances[i],
          point[1] - gradients[2 * i + 1] * distances[i],
        ] as const;
        expect(boundaryDistance(rings, foot)).toBeLessThan(1e-9);
      }
    }
  });
});

test('a scene answers as its pairs do, in every frame of a motion', () => {
  const random = createRandom(21);
  // Around their own origins, beside them and far from them.
  const shapes = Array.from({ length: 12 }, (_, i) => {
    const away = [0, 0.3, 0.8, 5][i % 4];
    const angle = random.range(0, 7);
    const x = random.range(0, 3) - away * Math.cos(angle);
    const y = random.range(0, 2) - away * Math.sin(angle);
    return { ...randomShape(random, away, 0), pose: Float64Array.of(x, y, angle) };
  });
  const error = 0.01;
  const scene = new PlaneScene({ error });
  const pairQuery = new PlanePivot({ error });
  let met = 0;
  for (let frame = 0; frame < 30; frame++) {
    for (const { pose } of shapes) {
      for (let axis = 0; axis < 3; axis++) pose[axis] += random.range(-0.1, 0.1) / (axis === 2 ? 4 : 1);
    }
    for (const kind of ['penetration', 'contacts'] as const) {
      const all = kind === 'penetration' ? scene.penetration(shapes) : scene.contacts(shapes, 0.03);
      const seen = new Map<string, number>();
      for (let k = 0; k < all.pairCount; k++) {
        const end = k + 1 < all.pairCount ? all.starts[k + 1] : all.count;
        seen.set(`${all.pairs[2 * k]} ${all.pairs[2 * k + 1]}`, end - all.starts[k]);
      }
      for (let i = 0; i < shapes.length; i++) {
        for (let j = i + 1; j < shapes.length; j++) {
          const single =
            kind === 'penetration'
              ? pairQuery.penetration(shapes[i], shapes[j])
              : pairQuery.contacts(shapes[i], shapes[j], 0.03);
          expect(seen.get(`${i} ${j}`) ?? 0).toBe(single.count);
          if (single.count > 0) met++;
        }
      }
      if (kind === 'contacts') continue;
      const penetration = scene.penetration(shapes);
      for (let k = 0; k < penetration.count; k++) {
        const shape = shapes[penetration.objects[k]];
        const point = [penetration.points[2 * k], penetration.points[2 * k + 1]] as const;
        if (k % 10 === 0) {
          expect(boundaryDistance(ringPoints(shape.rings, shape.pose), point)).toBeLessThanOrEqual(error * SLACK);
        }
      }
    }
  }
  expect(met).toBeGreaterThan(100);
});

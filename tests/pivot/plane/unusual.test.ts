// Shapes that deform, touch themselves, have no area, are huge or tiny or far away, and arguments that are refused.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { PlanePivot } from '../../../src/pivot/plane/plane-pivot.js';
import { PlaneScene } from '../../../src/pivot/plane/plane-scene.js';
import { codeOf } from '../../error-code.js';
import { randomShape, starRing } from '../../generators/plane-shapes.js';
import { boundaryDistance, isInside, ringPoints } from '../../oracles/pivot/plane-oracle.js';

const square = (x = 0, y = 0, side = 1) => ({
  rings: [Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side)],
});
const total = ({ count, lengths }: { count: number; lengths: Float64Array }): number =>
  lengths.subarray(0, count).reduce((sum, length) => sum + length, 0);

test('rings that change between calls are read anew', () => {
  const random = createRandom(31);
  const a = { rings: [starRing(random, 40, 0, 0, 1)] };
  const b = { rings: [starRing(random, 60, 1, 0, 1)] };
  const query = new PlanePivot({ error: 0.01 });
  let points = 0;
  for (let frame = 0; frame < 40; frame++) {
    for (const { rings } of [a, b]) for (let i = 0; i < rings[0].length; i++) rings[0][i] += random.range(-0.02, 0.02);
    const fresh = new PlanePivot({ error: 0.01 }).penetration(a, b);
    const reused = query.penetration(a, b);
    expect(reused.count).toBe(fresh.count);
    expect(reused.points.slice(0, 2 * reused.count)).toEqual(fresh.points.slice(0, 2 * fresh.count));
    expect(reused.depths.slice(0, reused.count)).toEqual(fresh.depths.slice(0, fresh.count));
    points += reused.count;
  }
  expect(points).toBeGreaterThan(1_000);
});

test('poses turn, then move', () => {
  const random = createRandom(32);
  for (let k = 0; k < 100; k++) {
    const shape = randomShape(random, 0, 0);
    const pose = [random.range(-1, 1), random.range(-1, 1), random.range(-9, 9)];
    const rings = ringPoints(shape.rings, pose);
    const points = Float64Array.from({ length: 20 }, () => random.range(-1.5, 1.5));
    const distances = new PlanePivot().distances({ ...shape, pose }, points, new Float64Array(10));
    for (let i = 0; i < 10; i++) {
      const point = [points[2 * i], points[2 * i + 1]] as const;
      const size = boundaryDistance(rings, point);
      expect(distances[i]).toBeCloseTo(isInside(rings, point) ? -size : size, 9);
    }
  }
});

describe('the even-odd rule', () => {
  test('a ring that crosses itself has a hole where it winds twice', () => {
    const star = {
      rings: [Float64Array.from([0, 2, 4, 1, 3].flatMap((k) => [Math.sin(1.2566 * k), Math.cos(1.2566 * k)]))],
    };
    const query = new PlanePivot({ error: 0.001 });
    const [tip, center] = query.distances(star, [0, 0.6, 0, 0], new Float64Array(2));
    expect(tip).toBeLessThan(0);
    expect(center).toBeGreaterThan(0);
    const probe = square(-0.05, -0.05, 0.1);
    expect(query.penetration(probe, star).count).toBe(0);
    expect(query.separation(probe, star, { exact: true }).intersects).toBe(false);
  });

  test('the direction of rings does not matter', () => {
    const reversed = { rings: [Float64Array.of(0, 1, 1, 1, 1, 0, 0, 0)] };
    const other = square(0.5, 0.3);
    const query = new PlanePivot({ error: 0.01 });
    expect(query.penetration(reversed, other).count).toBe(query.penetration(square(), other).count);
  });

  test('two squares that touch at a corner, as one ring, and along an edge, as two', () => {
    const corner = { rings: [Float64Array.of(0, 0, 1, 0, 1, 1, 2, 1, 2, 2, 1, 2, 1, 1, 0, 1)] };
    const edge = { rings: [...square().rings, ...square(1, 0).rings] };
    const query = new PlanePivot({ error: 0.01 });
    const points = [0.5, 0.5, 1.5, 1.5, 1.5, 0.5, 0.5, 1.5];
    const sides = (shape: typeof corner) => Array.from(query.distances(shape, points, new Float64Array(4)), Math.sign);
    expect(sides(corner)).toEqual([-1, -1, 1, 1]);
    expect(sides(edge)).toEqual([-1, 1, -1, 1]);
  });

  test('an edge that is walked there and back is a boundary with the same side on both sides', () => {
    const slit = { rings: [Float64Array.of(0, 0, 1, 0, 1, 1, 0.5, 1, 0.5, 0.5, 0.5, 1, 0, 1)] };
    const query = new PlanePivot({ error: 0.01 });
    const distances = query.distances(slit, [0.45, 0.7, 0.55, 0.7], new Float64Array(2));
    expect(Array.from(distances, (value) => Number(value.toFixed(9)))).toEqual([-0.05, -0.05]);
  });
});

describe('degenerate shapes', () => {
  const query = new PlanePivot({ error: 0.01 });
  const flat = { rings: [Float64Array.of(0.2, 0.5, 0.8, 0.5, 0.5, 0.5)] };
  const dot = { rings: [Float64Array.of(0.5, 0.5, 0.5, 0.5, 0.5, 0.5)] };

  test('a ring without area has no inside but a boundary', () => {
    const found = query.penetration(flat, square());
    expect(found.count).toBeGreaterThan(30);
    expect(found.objects.slice(0, found.count).every((object) => object === 0)).toBe(true);
    // There and back.
    expect(total(found)).toBeCloseTo(1.2, 9);
    expect(query.intersect(square(), flat).count).toBe(0);
    expect(query.intersect(flat, square(), 'volume-volume').area).toBe(0);
  });

  test('a ring in one point is drawn as a disc', () => {
    const found = query.penetration(dot, square());
    expect(found.count).toBeGreaterThan(0);
    expect(found.depths[0]).toBeCloseTo(0.5, 1);
    expect(total(found)).toBe(0);
    expect(query.separation(dot, square(2, 0), { exact: true }).distance).toBe(1.5);
    expect(query.closestPoint(dot, square(2, 0)).distance).toBeCloseTo(1.5, 1);
  });

  test('the same shape twice penetrates nowhere deeper than the error', () => {
    const { count, depths } = query.penetration(square(), square());
    expect(Math.max(...depths.subarray(0, count))).toBeLessThanOrEqual(0.01);
    expect(query.separation(square(), square(), { exact: true }).intersects).toBe(true);
  });

  test('one shape inside another', () => {
    const found = query.penetration(square(0.25, 0.25, 0.5), square());
    expect(total(found)).toBeCloseTo(2, 9);
    expect(Math.max(...found.depths.subarray(0, found.count))).toBeCloseTo(0.25, 1);
    expect(query.separation(square(0.25, 0.25, 0.5), square()).intersects).toBe(true);
    expect(query.separation(square(), square(0.25, 0.25, 0.5), { exact: true }).distance).toBe(0);
  });

  test('touching intersects, exactly; a gap of one part in 1e15 does not', () => {
    expect(query.separation(square(), square(1, 1), { exact: true }).intersects).toBe(true);
    const near = query.separation(square(), square(1 + 2 ** -50, 0), { exact: true });
    expect(near.intersects).toBe(false);
    expect(near.distance).toBe(2 ** -50);
    expect(near.direction).toEqual([1, 0]);
  });
});

// Powers of two near 1e-6 and 1e6: nothing is rounded otherwise.
test.each([2 ** -20, 2 ** 20])('scaled by %s the answer is the same', (scale) => {
  const random = createRandom(40);
  for (let k = 0; k < 50; k++) {
    const a = randomShape(random, 0, 0);
    const b = randomShape(random, 0.4, 0.2);
    const grown = [a, b].map(({ rings }) => ({ rings: rings.map((ring) => ring.map((x) => x * scale)) }));
    const one = new PlanePivot().penetration(a, b);
    const other = new PlanePivot().penetration(grown[0], grown[1]);
    expect(other.error).toBe(one.error * scale);
    expect(other.count).toBe(one.count);
    expect(other.points.slice(0, 2 * one.count)).toEqual(one.points.slice(0, 2 * one.count).map((x) => x * scale));
    expect(total(other)).toBeCloseTo(total(one) * scale, scale > 1 ? 6 : 15);
  }
});

test('far from the origin the bound holds', () => {
  const [x, y] = [123456, -654321];
  const error = 0.01;
  const a = square(x, y);
  const b = square(x + 0.7, y + 0.6);
  const found = new PlanePivot({ error }).penetration(a, b);
  const rings = [ringPoints(a.rings), ringPoints(b.rings)];
  expect(found.count).toBeGreaterThan(50);
  for (let k = 0; k < found.count; k++) {
    const point = [found.points[2 * k], found.points[2 * k + 1]] as const;
    expect(boundaryDistance(rings[found.objects[k]], point)).toBeLessThanOrEqual(error * (1 + 1e-6));
    expect(Math.abs(boundaryDistance(rings[1 - found.objects[k]], point) - found.depths[k])).toBeLessThan(1e-9);
  }
  expect(total(found)).toBeCloseTo(1.4, 1);
});

describe('refused', () => {
  const query = new PlanePivot();
  const cases: [string, string, () => unknown][] = [
    ['no rings', 'bad-argument', () => query.penetration({ rings: [] }, square())],
    [
      'a ring of two points',
      'bad-argument',
      () => query.penetration(square(), { rings: [Float64Array.of(0, 0, 1, 1)] }),
    ],
    ['an odd ring', 'bad-argument', () => query.penetration(square(), { rings: [new Float64Array(7)] })],
    ['plain arrays', 'bad-argument', () => query.penetration({ rings: [[0, 0, 1, 0, 0, 1]] } as never, square())],
    ['no shape', 'bad-argument', () => query.penetration(null as never, square())],
    ['NaN', 'non-finite', () => query.penetration({ rings: [Float64Array.of(0, 0, 1, 0, Number.NaN, 1)] }, square())],
    [
      'infinity',
      'non-finite',
      () => query.contacts({ rings: [Float64Array.of(0, 0, Infinity, 0, 1, 1)] }, square(), 1),
    ],
    ['a pose of NaN', 'non-finite', () => query.closestPoint({ ...square(), pose: [0, Number.NaN, 0] }, square())],
    ['a pose of two numbers', 'non-finite', () => query.closestPoint({ ...square(), pose: [0, 1] }, square())],
    ['a negative error', 'bad-argument', () => new PlanePivot({ error: -1 })],
    ['an error of 0', 'bad-argument', () => new PlaneScene({ error: 0 })],
    ['a depth of 1.5', 'bad-argument', () => new PlanePivot({ maxDepth: 1.5 })],
    ['a misspelled option', 'bad-argument', () => new PlanePivot({ errror: 1 } as never)],
    ['a negative threshold', 'bad-argument', () => query.contacts(square(), square(), -1)],
    ['an unknown kind', 'bad-argument', () => query.intersect(square(), square(), 'edges' as never)],
    ['a box upside down', 'bad-argument', () => query.field(square(), [0, 1, 1, 0])],
    ['a point of NaN', 'non-finite', () => query.distances(square(), [0, Number.NaN], new Float64Array(1))],
    ['no room for distances', 'bad-argument', () => query.distances(square(), [0, 0, 1, 1], new Float64Array(1))],
    [
      'too many pixels',
      'too-large',
      () => new PlanePivot({ error: 1e-8 }).intersect(square(), square(), 'volume-volume'),
    ],
    [
      'a boundary of too many pixels',
      'too-large',
      () => new PlanePivot({ error: 2e-9 }).penetration(square(), square(0.5, 0.5)),
    ],
    [
      'parallel edges of too many pixels',
      'too-large',
      () => new PlanePivot({ error: 1e-8 }).separation(square(), square(1.5, 0)),
    ],
    ['a box of a field too far away', 'bad-argument', () => query.field(square(), [1e15, 0, 1e15 + 1, 1])],
    ['no pose', 'non-finite', () => query.closestPoint({ ...square(), pose: null as never }, square())],
    ['an error below rounding', 'bad-argument', () => new PlanePivot({ error: 1e-12 }).penetration(square(), square())],
    ['no extent and no error', 'degenerate', () => query.penetration({ rings: [new Float64Array(6)] }, square())],
    ['shapes that are no list', 'bad-argument', () => new PlaneScene().penetration(square() as never)],
  ];
  test.each(cases)('%s', (_, code, ask) => {
    expect(codeOf(ask)).toBe(code);
  });
});

test('hidden numbers of frames that were refused do not stay', () => {
  const query = new PlanePivot({ error: 0.01 });
  const broken = { rings: [Float64Array.of(0, 0, 1, 0, Number.NaN, 1)] };
  const before = query.penetration(square(), square(0.5, 0.5)).count;
  expect(codeOf(() => query.penetration(broken, square()))).toBe('non-finite');
  expect(query.penetration(square(), square(0.5, 0.5)).count).toBe(before);
});

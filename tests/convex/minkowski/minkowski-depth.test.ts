import { describe, expect, test } from 'vitest';
import type { ConvexSet } from '../../../src/convex/closest/convex-set.js';
import { Epa } from '../../../src/convex/closest/epa.js';
import { featureVertices } from '../../../src/convex/closest/feature.js';
import { Gjk } from '../../../src/convex/closest/gjk.js';
import { placeHandle } from '../../../src/convex/closest/vertex-handle.js';
import { convexDepth } from '../../../src/convex/minkowski/convex-depth.js';
import { MinkowskiSums } from '../../../src/convex/minkowski/minkowski-sums.js';
import { createRandom } from '../../../src/core/random.js';
import { dotProduct, findTops, minkowskiBoundary } from '../../oracles/minkowski-sum.js';
import { makePair, rotationMatrix } from '../closest/convex-pairs.js';
import { IDENTITY, isRigid, makeCase, placementOf, type SumCase } from './check-sum.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const box = (x: number, y: number, z: number): number[] =>
  Array.from({ length: 8 }, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat();
const measure = ({ setA, setB, placement }: SumCase) => convexDepth(setA, 0, setB, 0, placement);

/** The depth by brute force: the least reach of the sum along any direction that a facet may have; negative when apart. */
function leastReach({ p, q }: SumCase): number {
  return Math.min(
    ...minkowskiBoundary(p, q).map(({ direction }) => findTops(p, direction)[0] + findTops(q, direction)[0]),
  );
}

/** The points are where they are said to be: on the two, as far apart as A moves, along the direction, on their features. */
function checkTouch(made: SumCase, found: NonNullable<ReturnType<typeof measure>>): void {
  const { setA, setB, p, q, size } = made;
  const { depth, direction, pointA, pointB } = found;
  expect(Math.abs(Math.hypot(...direction) - 1)).toBeLessThan(2e-15);
  for (let axis = 0; axis < 3; axis++) {
    expect(Math.abs(pointB[axis] - pointA[axis] - depth * direction[axis]) / size).toBeLessThan(2e-15);
  }
  // Each is as far along the direction as its polyhedron goes.
  expect(Math.abs(findTops(q, direction)[0] - dotProduct(pointB, direction)) / size).toBeLessThan(1e-12);
  expect(Math.abs(findTops(p, direction)[0] + dotProduct(pointA, direction)) / size).toBeLessThan(1e-12);
  expect(
    isInHull(
      p.map((x) => -x),
      pointA,
      1e-11 * size,
    ),
  ).toBe(true);
  expect(isInHull(q, pointB, 1e-11 * size)).toBe(true);
  for (const a of featureVertices(setA, 0, found.featureA)) {
    const offset = dotProduct(p.slice(3 * a, 3 * a + 3), direction);
    expect(Math.abs(offset - findTops(p, direction)[0]) / size).toBeLessThan(1e-13);
  }
  for (const b of featureVertices(setB, 0, found.featureB)) {
    const offset = dotProduct(q.slice(3 * b, 3 * b + 3), direction);
    expect(Math.abs(offset - findTops(q, direction)[0]) / size).toBeLessThan(1e-13);
  }
}

/** Whether a point is in the hull of points: the sum of them and the point negated holds the origin. */
function isInHull(points: number[], point: readonly number[], tolerance: number): boolean {
  return minkowskiBoundary(
    points,
    point.map((x) => -x),
  ).every(({ reach }) => reach >= -tolerance);
}

const isThin = ({ flatNodes, nodeFaces }: ConvexSet): boolean => flatNodes[0] === 1 || nodeFaces.length === 0;

describe('worked examples', () => {
  test('boxes: the least overlap of their sides', () => {
    const found = measure(
      makeCase(box(1, 1, 1), box(2, 2, 2), placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [2.5, 0.25, 0])),
    )!;
    expect(found.depth).toBe(0.5);
    expect(found.direction.map(Math.abs)).toEqual([1, 0, 0]);
    expect(found.direction[0]).toBe(-1);
  });

  test('a corner in a face, and two edges across each other', () => {
    const tip = [0, 0, 0.1, 0.3, 0, 2, -0.3, 0.2, 2, 0, -0.4, 2];
    const face = measure(makeCase(box(1, 1, 1), tip, placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [0.2, 0.3, 0.7])))!;
    expect(face.depth).toBeCloseTo(0.2, 15);
    face.direction.forEach((x, i) => {
      expect(x).toBeCloseTo([0, 0, -1][i], 15);
    });
    expect(face.pointB).toEqual([0.2, 0.3, 0.7 + 0.1]);
    const wedgeUp = [-2, 0, 1, 2, 0, 1, -2, 1, 0, 2, 1, 0, -2, -1, 0, 2, -1, 0];
    const wedgeDown = [0, -2, -1, 0, 2, -1, 1, -2, 0, 1, 2, 0, -1, -2, 0, -1, 2, 0];
    const edges = measure(makeCase(wedgeUp, wedgeDown, placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [0.1, -0.2, 1.75])))!;
    expect(edges.depth).toBeCloseTo(0.25, 15);
    [0.1, 0, 1].forEach((x, i) => {
      expect(edges.pointA[i]).toBeCloseTo(x, 14);
    });
  });

  test('apart is null, touching is 0', () => {
    const at = (x: number) =>
      measure(makeCase(box(1, 1, 1), box(1, 1, 1), placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [x, 0.5, 0])));
    expect(at(2 + 1e-15)).toBeNull();
    expect(at(2)!.depth).toBe(0);
    expect(at(3)).toBeNull();
  });

  test('a box inside another, its faces parallel: points on both', () => {
    const made = makeCase(box(3, 3, 3), box(1, 0.5, 0.25), placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [0.5, 0, 0]));
    const found = measure(made)!;
    expect(found.depth).toBe(3.25);
    checkTouch(made, found);
  });

  test('crossing bars: neither has a corner within the face of the other', () => {
    const made = makeCase(box(5, 1, 1), box(1, 5, 1), placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 1.5]));
    const found = measure(made)!;
    expect(found.depth).toBe(0.5);
    checkTouch(made, found);
  });
});

test('seeded pairs: the depth of brute force, points and features in place, and never more than the expanding polytope', () => {
  const random = createRandom(77);
  const gjk = new Gjk();
  const epa = new Epa();
  const sums = new MinkowskiSums();
  let [checked, meet, compared] = [0, 0, 0];
  while (checked < 80 * SOAK) {
    const { pointsA, pointsB, placement } = makePair(random);
    // Some of them closer, so that about half overlap.
    if (random.next() < 0.4) for (const i of [3, 7, 11]) placement[i] /= 2;
    if (pointsA.length > 30 || pointsB.length > 30 || !isRigid(placement)) continue;
    const made = makeCase(pointsA, pointsB, placement);
    const { setA, setB, size } = made;
    // Brute force knows no walls of what has no inside.
    if (isThin(setA) && isThin(setB)) continue;
    checked++;
    const found = convexDepth(setA, 0, setB, 0, placement, sums);
    const least = leastReach(made);
    if (found === null) {
      expect(least / size).toBeLessThan(4e-15);
      continue;
    }
    meet++;
    expect(Math.abs(found.depth - Math.max(0, least)) / size).toBeLessThan(4e-15);
    checkTouch(made, found);
    gjk.run(setA, 0, setB, 0, placement, placeHandle(setA, 0, 0), placeHandle(setB, 0, 0));
    if (!gjk.intersects) continue;
    compared++;
    const depth = epa.run(setA, 0, setB, 0, placement, gjk);
    expect(found.depth).toBeLessThanOrEqual(depth + 4e-15 * size);
    expect(found.depth).toBeGreaterThanOrEqual(depth - epa.gap - 2e-13 * size);
  }
  expect(meet / checked).toBeGreaterThan(0.3);
  expect(meet / checked).toBeLessThan(0.7);
  expect(compared).toBeGreaterThan(0.8 * meet);
});

test('moved by the depth the two only touch, swapped the direction is the other way, scaled it scales', () => {
  const random = createRandom(12);
  let meet = 0;
  for (let i = 0; i < 100 * SOAK; i++) {
    const { pointsA, pointsB, placement: m } = makePair(random);
    if (pointsA.length > 90 || pointsB.length > 90 || !isRigid(m)) continue;
    const made = makeCase(pointsA, pointsB, m);
    const found = measure(made);
    if (found === null) continue;
    meet++;
    const tolerance = 1e-14 * made.size;
    const moved = m.slice();
    for (let axis = 0; axis < 3; axis++) moved[4 * axis + 3] -= found.depth * found.direction[axis];
    expect(measure(makeCase(pointsA, pointsB, moved))?.depth ?? 0).toBeLessThan(tolerance);
    const r = [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]];
    const t = [0, 1, 2].map((k) => -(r[3 * k] * m[3] + r[3 * k + 1] * m[7] + r[3 * k + 2] * m[11]));
    const swapped = measure(makeCase(pointsB, pointsA, placementOf(r, t)));
    expect(Math.abs((swapped?.depth ?? 0) - found.depth)).toBeLessThan(tolerance);
    for (const scale of [1e-6, 1e6]) {
      const grown = m.slice();
      for (const k of [3, 7, 11]) grown[k] *= scale;
      const scaled = measure(
        makeCase(
          pointsA.map((x) => x * scale),
          pointsB.map((x) => x * scale),
          grown,
        ),
      );
      expect(Math.abs((scaled?.depth ?? 0) / scale - found.depth)).toBeLessThan(tolerance);
    }
  }
  expect(meet).toBeGreaterThan(30 * SOAK);
});

test('a rotation of both changes nothing but the frame', () => {
  const random = createRandom(15);
  for (let i = 0; i < 20 * SOAK; i++) {
    const cloud = (): number[] => Array.from({ length: 8 }, () => random.direction()).flat();
    const [pointsA, pointsB] = [cloud(), cloud()];
    const rotation = rotationMatrix(random.rotation());
    const turn = (points: number[]): number[] => makeCase([0, 0, 0], points, placementOf(rotation, [0, 0, 0])).q;
    const first = measure(makeCase(pointsA, pointsB, IDENTITY))!;
    const second = measure(makeCase(turn(pointsA), turn(pointsB), IDENTITY))!;
    expect(Math.abs(first.depth - second.depth)).toBeLessThan(1e-14);
    const direction = turn([...first.direction]);
    for (let axis = 0; axis < 3; axis++) expect(Math.abs(direction[axis] - second.direction[axis])).toBeLessThan(1e-13);
  }
});

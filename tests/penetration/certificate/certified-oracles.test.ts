// Every depth known from elsewhere lies in the interval of the certificate: closed forms, exact coordinate compression
// of boxes, brute force over supporting planes, and the measurements of CGAL.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { grateLarge, grateSmall } from '../../../src/models/objects/grates.js';
import type { PenetrationResult } from '../../../src/penetration/result.js';
import { boxCases, randomBoxCase, randomOf } from '../../oracles/penetration/box-cases.js';
import {
  boxUnionSolid,
  growBoxes,
  measureBoxUnions,
  moveBoxes,
  permuteBoxes,
} from '../../oracles/penetration/box-union.js';
import { hullOfPoints, measureConvexPair } from '../../oracles/penetration/convex-depth.js';
import { grateBoxes } from '../../oracles/penetration/grate-boxes.js';
import {
  ballsOf,
  measureBalls,
  measureParallelTori,
  measureTorusAndBall,
  torusMeshError,
} from '../../oracles/penetration/round-depth.js';
import { join, move, type Point, type Solid, sphere, torus, turnInsideOut } from '../../oracles/penetration/shapes.js';
import { readCgalPairs } from '../cgal-pairs.js';
import { type Body, bodyOf, exactly, type Truth } from '../check-depth.js';
import { type CertificateOptions, checkCertificate, PLACING, sizeOf } from './check-certificate.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
/** Where nothing closes the gap, more cells would not either. */
const MAX_CELLS = 4_000;

/** The truth, or some of what it may be, lies in the interval; which is as narrow as asked unless it `mayRunOut`. */
function checkHolds(
  name: string,
  a: Body,
  b: Body,
  truth: Truth,
  options: CertificateOptions & { readonly mayRunOut?: boolean } = {},
): PenetrationResult {
  const { mayRunOut = false, ...rest } = options;
  const result = checkCertificate(name, a, b, randomOf(1), { maxCells: MAX_CELLS, directions: 40, ...rest });
  const rounding = PLACING * sizeOf(a, b);
  expect(result.lower, `${name}: lower`).toBeLessThanOrEqual(truth.high + rounding);
  expect(result.upper, `${name}: upper`).toBeGreaterThanOrEqual(truth.low - rounding);
  if (truth.low > rounding) expect(result.status, name).not.toBe('separate');
  if (truth.high === 0) expect(result.status, name).toBe('separate');
  else if (!mayRunOut) expect(['certified', 'exact', 'separate'], name).toContain(result.status);
  return result;
}

describe('unions of boxes', () => {
  // A slot of no width lets B through, touching on both sides; to the oracles it is shut, to a proof it is not.
  const runOut = new Set([
    'I as tall as the mouth of C',
    'T hooked behind the arms of C',
    'box that fills a cavity',
    'three boxes among three boxes',
  ]);

  test.each(boxCases.map((entry) => [entry.name, entry] as const))('%s', (name, { a, b }) => {
    const { depth } = measureBoxUnions(a, b);
    const mayRunOut = runOut.has(name);
    checkHolds(name, bodyOf(boxUnionSolid(a)), bodyOf(boxUnionSolid(b)), exactly(depth), { mayRunOut });
  });

  test.each([
    ['in general position', 60, 2],
    ['on one grid', 60, 1],
  ])('random polycubes %s', (_, pairs, step) => {
    const failures: string[] = [];
    let deep = 0;
    let closed = 0;
    for (let seed = 1; seed <= pairs * SOAK; seed++) {
      const { name, ...boxes } = randomBoxCase(seed);
      const a = growBoxes(boxes.a, step);
      const b = moveBoxes(growBoxes(boxes.b, step), step - 1, step - 1, step - 1);
      const { depth } = measureBoxUnions(a, b);
      if (depth > 0) deep++;
      try {
        const { status } = checkHolds(name, bodyOf(boxUnionSolid(a)), bodyOf(boxUnionSolid(b)), exactly(depth), {
          mayRunOut: step === 1,
        });
        if (status === 'certified' || status === 'exact') closed++;
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    expect(failures).toEqual([]);
    expect(deep / (pairs * SOAK)).toBeGreaterThan(0.35);
    expect(deep / (pairs * SOAK)).toBeLessThan(0.65);
    expect(closed / deep).toBeGreaterThan(0.9);
  });
});

describe('what CGAL measured', () => {
  const runOut = new Set([
    'tetrahedron that fits an octahedral cavity without clearance',
    'cavity in cavity',
    'cube between two cubes',
    'I filling the slot of U, no clearance',
  ]);

  test.each(readCgalPairs().map((pair) => [pair.name, pair] as const))('%s', (name, { a, b, depth }) => {
    checkHolds(name, bodyOf(a), bodyOf(b), exactly(depth), { mayRunOut: runOut.has(name) });
  });
});

test('the grates of the catalogue', () => {
  const { small, large } = grateBoxes;
  const bodies = { small: bodyOf(grateSmall.build() as Solid), large: bodyOf(grateLarge.build() as Solid) };
  const unit = small.unit;
  for (const [x, y, z] of [
    [7, 11, 2],
    [3, 5, 9],
    [5, 5, 13],
  ]) {
    const { depth } = measureBoxUnions(large.boxes, moveBoxes(small.boxes, x, y, z));
    const poseB: Pose = [x * unit, y * unit, z * unit, 0, 0, 0, 1];
    checkHolds(`parallel, at ${[x, y, z]}`, bodies.large, bodies.small, exactly(depth * unit), {
      poseB,
      directions: 8,
    });
  }
  for (const [x, y, z] of [
    [0, 0, 0],
    [7, 3, 5],
    [9, 17, 21],
  ]) {
    const { depth } = measureBoxUnions(large.boxes, moveBoxes(permuteBoxes(small.boxes, [2, 0, 1]), x, y, z));
    const poseB: Pose = [x * unit, y * unit, z * unit, 0.5, 0.5, 0.5, 0.5];
    checkHolds(`crossed, at ${[x, y, z]}`, bodies.large, bodies.small, exactly(depth * unit), { poseB, directions: 8 });
  }
});

test('convex pairs are exact', () => {
  const random = randomOf(22);
  const cloud = () => {
    const stretch = [0, 1, 2].map(() => 0.1 + random());
    const points: number[] = [];
    for (let i = 5 + Math.floor(6 * random()); i > 0; i--) {
      points.push(...stretch.map((value) => value * (random() - 0.5)));
    }
    return hullOfPoints(points);
  };
  let deep = 0;
  const count = 40 * SOAK;
  for (let i = 0; i < count; i++) {
    const a = cloud();
    const b = move(cloud(), 0.5 * (random() - 0.5), 0.5 * (random() - 0.5), 0.5 * (random() - 0.5));
    const { depth } = measureConvexPair(a.positions, b.positions);
    const { status } = checkHolds(`pair ${i}`, bodyOf(a), bodyOf(b), exactly(depth));
    if (depth === 0) continue;
    deep++;
    expect(status, `pair ${i}`).toBe('exact');
  }
  expect(deep / count).toBeGreaterThan(0.3);
  expect(deep / count).toBeLessThan(0.7);
});

describe('round solids', () => {
  test('two spheres', () => {
    const [large, small] = [sphere(2, 4), sphere(1, 3)];
    const [outside, inside] = [ballsOf(large), ballsOf(small)];
    for (const distance of [0, 0.5, 1.25, 2.25, 2.9, 3.1]) {
      const b = move(small, (2 / 7) * distance, (3 / 7) * distance, (6 / 7) * distance);
      const low = measureBalls(outside.inner, inside.inner, distance);
      const high = measureBalls(outside.outer, inside.outer, distance);
      checkHolds(`at ${distance}`, bodyOf(large), bodyOf(b), { low, high });
    }
  });

  test('a sphere in a round cavity', () => {
    const shell = join(sphere(4, 5), turnInsideOut(sphere(2.5, 5)));
    const [outer, cavity] = [ballsOf(sphere(4, 5)), ballsOf(sphere(2.5, 5))];
    const ball = sphere(1, 3);
    const { inner, outer: radius } = ballsOf(ball);
    for (const distance of [2, 2.9, 4.4]) {
      const b = bodyOf(move(ball, 0, 0.6 * distance, 0.8 * distance));
      const low = Math.min(distance + inner - cavity.outer, outer.inner + inner - distance);
      const high = Math.min(distance + radius - cavity.inner, outer.outer + radius - distance);
      checkHolds(`at ${distance}`, bodyOf(shell), b, { low, high }, { relativeGap: 1e-2 });
    }
  });

  test('torus and sphere', () => {
    const [ringRadius, tubeRadius, around, across] = [3, 1, 20, 10];
    const ring = bodyOf(torus(ringRadius, tubeRadius, around, across));
    const error = torusMeshError(ringRadius, tubeRadius, around, across);
    const ball = sphere(1.2, 4);
    const { inner, outer } = ballsOf(ball);
    const centers: Point[] = [
      [4.2, 0.5, 0.3],
      [2, 2.2, 1.4],
      [1.2, -0.6, 0.3],
      [1.8, 2.4, 0],
      [0.1, 0.1, 0],
    ];
    for (const center of centers) {
      const low = measureTorusAndBall(ringRadius, tubeRadius - error, inner, center);
      const high = measureTorusAndBall(ringRadius, tubeRadius + error, outer, center);
      checkHolds(`at ${center}`, ring, bodyOf(move(ball, ...(center as [number, number, number]))), { low, high });
    }
  });

  test('two tori around parallel axes', () => {
    const [ringRadius, tubeRadius, around, across] = [3, 1, 14, 8];
    const mesh = torus(ringRadius, tubeRadius, around, across);
    const error = torusMeshError(ringRadius, tubeRadius, around, across);
    const a = bodyOf(mesh);
    const offsets: Point[] = [
      [7.1, 0.5, 0.3],
      [5, 3.3, 0.8],
      [2, 1, 1.1],
      [0, 0, 0],
      [8.5, 0, 0.2],
    ];
    for (const offset of offsets) {
      const low = measureParallelTori(ringRadius, tubeRadius - error, offset);
      const high = measureParallelTori(ringRadius, tubeRadius + error, offset);
      checkHolds(`at ${offset}`, a, bodyOf(move(mesh, ...(offset as [number, number, number]))), { low, high });
    }
  });
});

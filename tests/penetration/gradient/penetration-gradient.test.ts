// The gradient of the depth against central differences of certified depths, and the cases that have none.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import * as pose from '../../../src/core/pose.js';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import * as vec3 from '../../../src/core/vec3.js';
import { findFarContacts } from '../../../src/penetration/gradient/far-contacts.js';
import {
  type PenetrationGradient,
  penetrationGradient,
} from '../../../src/penetration/gradient/penetration-gradient.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { beginQuery } from '../../../src/penetration/penetration-query.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { testIntersection } from '../../../src/proximity/queries.js';
import {
  box,
  extrude,
  octahedron,
  type Solid,
  scale,
  squareFrame,
  stellate,
  tetrahedron,
  torus,
} from '../../oracles/penetration/shapes.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const HERE: Pose = [0, 0, 0, 0, 0, 0, 1];
const L: [number, number][] = [
  [0, 0],
  [6, 0],
  [6, 1],
  [1, 1],
  [1, 5],
  [0, 5],
];

const convex = [box([-1, -2, -3], [1, 2, 3]), octahedron(2.5), tetrahedron(2)];
const others = [extrude(L, -1, 1), stellate(octahedron(2), 0.8), squareFrame(1.5, 3, 1), torus(3, 1, 8, 6)];

const modelOf = (solid: Solid): ProximityModel => new ProximityModel(solid);

function measure(a: ProximityModel, b: ProximityModel, poseA: Pose, poseB: Pose) {
  return measurePenetrationSync(a, b, poseA, poseB, { method: 'certified', relativeGap: 1e-6 });
}

function gradientOf(a: ProximityModel, b: ProximityModel, poseA: Pose, poseB: Pose): PenetrationGradient {
  return penetrationGradient(measure(a, b, poseA, poseB), poseA, poseB, a, b);
}

/** A pose moved along, or turned about, an axis of the world through its origin. */
function nudge(pose: Pose, axis: number, turn: boolean, by: number): Pose {
  const moved: Pose = [...pose];
  if (!turn) {
    moved[axis] += by;
    return moved;
  }
  const way: Vec3 = [0, 0, 0];
  way[axis] = 1;
  const q = quat.normalize(quat.multiply(quat.fromAxisAngle(way, by), [pose[3], pose[4], pose[5], pose[6]]));
  return [pose[0], pose[1], pose[2], ...q];
}

/** The largest miss of any of the twelve derivatives against central differences. */
function missOf(a: ProximityModel, b: ProximityModel, poses: [Pose, Pose], gradient: PenetrationGradient, h: number) {
  const { translationA, rotationA, translationB, rotationB } = gradient;
  const analytic = [
    [translationA, rotationA!],
    [translationB, rotationB!],
  ];
  let miss = 0;
  for (let who = 0; who < 2; who++) {
    for (let axis = 0; axis < 3; axis++) {
      for (let turn = 0; turn < 2; turn++) {
        const [up, down] = [h, -h].map((by) => {
          const moved: [Pose, Pose] = [...poses];
          moved[who] = nudge(poses[who], axis, turn === 1, by);
          return measure(a, b, ...moved).depth;
        });
        miss = Math.max(miss, Math.abs((up - down) / (2 * h) - analytic[who][turn][axis]));
      }
    }
  }
  return miss;
}

/** Random overlapping pairs of shapes, their gradients, and how far these are from differences where they are unique. */
function compare(shapesA: readonly Solid[], shapesB: readonly Solid[], count: number, seed: number) {
  const [modelsA, modelsB] = [shapesA.map(modelOf), shapesB.map(modelOf)];
  const random = createRandom(seed);
  const anywhere = (): Pose => [...vec3.scale(random.direction(), random.range(0, 2)), ...random.rotation()];
  const misses: number[] = [];
  const reasons: string[] = [];
  let creases = 0;
  while (reasons.length < count) {
    const [a, b] = [modelsA[random.integer(modelsA.length)], modelsB[random.integer(modelsB.length)]];
    const poses: [Pose, Pose] = [anywhere(), anywhere()];
    const result = measure(a, b, ...poses);
    if (result.depth === 0) continue;
    const gradient = penetrationGradient(result, ...poses, a, b);
    reasons.push(gradient.reason ?? 'unique');
    if (!gradient.unique) continue;
    // Another contact may come into play within the wider difference; the narrower one is coarser by rounding.
    const miss = missOf(a, b, poses, gradient, 1e-5);
    misses.push(miss < 1e-5 ? miss : Math.min(miss, missOf(a, b, poses, gradient, 1e-6)));
    const query = beginQuery(a, b, ...poses, {});
    const vector = pose.transformVector(pose.invert(poses[0]), result.vector);
    if (findFarContacts(query, vector)!.length > 1) creases++;
  }
  return { worst: Math.max(...misses), share: misses.length / reasons.length, reasons, creases };
}

describe('against central differences', () => {
  test('of convex pairs', () => {
    const { worst, share } = compare(convex, convex, 40 * SOAK, 1);
    expect(worst).toBeLessThan(2e-5);
    expect(share).toBeGreaterThan(0.9);
  });

  test('of pairs that are not convex, on creases of several contacts too', () => {
    const { worst, share, reasons, creases } = compare([...convex, ...others], others, 14 * SOAK, 2);
    expect(worst).toBeLessThan(1e-4);
    expect(share, reasons.join()).toBeGreaterThan(0.7);
    expect(creases).toBeGreaterThan(0);
  });
});

describe('no gradient', () => {
  test('a box in the middle of a slab has two ways out', () => {
    const [a, b] = [modelOf(tetrahedron(1)), modelOf(box([-9, -9, -2], [9, 9, 2]))];
    const poseA: Pose = [0, 0, 0, ...createRandom(3).rotation()];
    const down = -Math.min(...corners(a, poseA));
    const up = Math.max(...corners(a, poseA));
    // Both faces are as far from the corners that leave last.
    const middle: Pose = [0, 0, (down - up) / 2, poseA[3], poseA[4], poseA[5], poseA[6]];
    const result = measure(a, b, middle, HERE);
    const { unique, reason, rival, translationA } = penetrationGradient(result, middle, HERE, a, b);
    expect({ unique, reason }).toEqual({ unique: false, reason: 'several-vectors' });
    expect(vec3.length(rival!)).toBeLessThanOrEqual(result.depth * (1 + 1e-6));
    expect(vec3.dot(rival!, translationA)).toBeGreaterThan(0);
    const moved: Pose = [
      ...vec3.add([middle[0], middle[1], middle[2]], rival!),
      middle[3],
      middle[4],
      middle[5],
      middle[6],
    ];
    expect(testIntersection(a, b, moved, HERE).intersects).toBe(false);
    // A little off the middle there is one, and it points the shorter way.
    const off: Pose = [...middle];
    off[2] += 0.01;
    const beside = gradientOf(a, b, off, HERE);
    expect(beside.unique).toBe(true);
    expect(beside.translationA[2]).toBeCloseTo(-1, 12);
  });

  test('faces on faces turn one way or the other, but move smoothly', () => {
    const [a, b] = [modelOf(box([0, 0, 0], [2, 2, 2])), modelOf(box([-5, -5, -5], [5, 5, 0.25]))];
    const { unique, reason, translationA, translationB, rotationA, rotationB } = gradientOf(a, b, HERE, HERE);
    expect({ unique, reason, rotationA, rotationB }).toEqual({
      unique: false,
      reason: 'several-contacts',
      rotationA: null,
      rotationB: null,
    });
    expect(translationA[2]).toBeCloseTo(-1, 12);
    expect(translationB[2]).toBeCloseTo(1, 12);
  });

  test('edges on faces do too', () => {
    const ridge = modelOf(
      extrude(
        [
          [0, 0],
          [1, 1],
          [-1, 1],
        ],
        -2,
        2,
      ),
    );
    const floor = modelOf(box([-5, -5, -5], [5, 0.25, 5]));
    expect(gradientOf(ridge, floor, HERE, HERE).reason).toBe('several-contacts');
  });

  test('touching; and apart, where it is zero', () => {
    const [a, b] = [modelOf(box([0, 0, 0], [1, 1, 1])), modelOf(box([1, 0, 0], [2, 1, 1]))];
    expect(gradientOf(a, b, HERE, HERE)).toMatchObject({ unique: false, reason: 'touching', rotationA: null });
    const zero = [0, 0, 0];
    expect(gradientOf(a, b, [-1, 0, 0, 0, 0, 0, 1], HERE)).toMatchObject({
      unique: true,
      reason: null,
      translationA: zero,
      translationB: zero,
      rotationA: zero,
      rotationB: zero,
    });
  });

  test('a budget that is spent', () => {
    const [a, b] = [modelOf(torus(3, 1, 8, 6)), modelOf(octahedron(2.5))];
    const poseB: Pose = [2, 0.3, 0.4, ...createRandom(4).rotation()];
    const result = measure(a, b, HERE, poseB);
    const { unique, reason, rival } = penetrationGradient(result, HERE, poseB, a, b, { maxCells: 3 });
    expect({ unique, reason, rival }).toEqual({ unique: false, reason: 'budget', rival: null });
    expect(penetrationGradient(result, HERE, poseB, a, b).unique).toBe(true);
  });
});

test('moving both changes nothing; by scale only turning changes; swapping swaps', () => {
  const [solidA, solidB] = [torus(3, 1, 8, 6), stellate(octahedron(2), 0.8)];
  const random = createRandom(6);
  const [poseA, poseB]: [Pose, Pose] = [
    [0.5, 0.25, -0.5, ...random.rotation()],
    [2, 1, 0.5, ...random.rotation()],
  ];
  const expected = gradientOf(modelOf(solidA), modelOf(solidB), poseA, poseB);
  expect(expected.unique).toBe(true);
  const turn = random.rotation();
  const together = (pose: Pose): Pose => [
    ...vec3.add(quat.rotate(turn, [pose[0], pose[1], pose[2]]), [3, 1, -2]),
    ...quat.multiply(turn, [pose[3], pose[4], pose[5], pose[6]]),
  ];
  const turned = gradientOf(modelOf(solidA), modelOf(solidB), together(poseA), together(poseB));
  for (const key of ['translationA', 'rotationA', 'translationB', 'rotationB'] as const) {
    expect(vec3.distance(turned[key]!, quat.rotate(turn, expected[key]!)), key).toBeLessThan(1e-6);
  }
  const swapped = gradientOf(modelOf(solidB), modelOf(solidA), poseB, poseA);
  expect(vec3.distance(swapped.translationA, expected.translationB)).toBeLessThan(1e-6);
  expect(vec3.distance(swapped.rotationB!, expected.rotationA!)).toBeLessThan(1e-5);
  for (const factor of [1e-6, 1e6]) {
    const grown = (pose: Pose): Pose => pose.map((value, i) => (i < 3 ? factor * value : value)) as Pose;
    const scaled = gradientOf(
      modelOf(scale(solidA, factor)),
      modelOf(scale(solidB, factor)),
      grown(poseA),
      grown(poseB),
    );
    expect(vec3.distance(scaled.translationA, expected.translationA)).toBeLessThan(1e-6);
    expect(vec3.distance(vec3.scale(scaled.rotationA!, 1 / factor), expected.rotationA!)).toBeLessThan(1e-5);
  }
});

/** The heights of a model's vertices in a pose. */
function corners({ mesh: { positions } }: ProximityModel, pose: Pose): number[] {
  return Array.from({ length: positions.length / 3 }, (_, v) => {
    const corner: Vec3 = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    return quat.rotate([pose[3], pose[4], pose[5], pose[6]], corner)[2];
  });
}

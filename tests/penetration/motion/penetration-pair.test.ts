// A pair that remembers its last answer must give the guarantees of a fresh query, along smooth motions and across
// jumps of the depth. The depth changes no faster than models are translated; under a small rotation it may jump.
import { describe, expect, test } from 'vitest';
import { buildLetterC, buildLetterS } from '../../../bench/scenarios/stroke-letters.js';
import type { Pose } from '../../../src/core/pose.js';
import * as pose from '../../../src/core/pose.js';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { PenetrationPair } from '../../../src/penetration/motion/penetration-pair.js';
import type { PenetrationResult } from '../../../src/penetration/result.js';
import { measureByBruteForce, placeInFrame } from '../../oracles/mesh-distance.js';
import { box, octahedron, type Solid, squareFrame, stellate, torus } from '../../oracles/penetration/shapes.js';
import { type Body, bodyOf } from '../check-depth.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const HERE: Pose = [0, 0, 0, 0, 0, 0, 1];
const GAP = 1e-3;
const CERTIFIED = { method: 'certified', relativeGap: GAP } as const;
/** Of two measurements of one depth: the pushes past the boundary, and rounding of poses. */
const ROUNDING = 1e-9;

interface Motion {
  readonly name: string;
  readonly a: Body;
  readonly b: Body;
  readonly start: Pose;
  /** How far a step goes and turns. */
  readonly step: number;
}

const motions: Motion[] = [
  {
    name: 'letters',
    a: bodyOf(buildLetterC() as Solid),
    b: bodyOf(buildLetterS() as Solid),
    start: pose.create([0.5, 0.05, 0.02], quat.fromAxisAngle([0, 1, 0], 0.2)),
    step: 0.02,
  },
  {
    name: 'linked tori',
    a: bodyOf(torus(1, 0.3, 12, 6)),
    b: bodyOf(torus(1, 0.3, 12, 6)),
    start: pose.create([1.8, 0, 0], quat.fromAxisAngle([1, 0, 0], 1.5)),
    step: 0.03,
  },
  {
    name: 'stars',
    a: bodyOf(stellate(octahedron(1), 0.8)),
    b: bodyOf(stellate(octahedron(1), 0.7)),
    start: pose.create([0.4, 0.3, 0.2], quat.fromAxisAngle([1, 2, 3], 0.5)),
    step: 0.05,
  },
];

/** A walk whose direction changes slowly, drawn back to the start so that the models keep overlapping. */
function* walk({ start, step }: Motion, seed: number, count: number): Generator<{ poseA: Pose; poseB: Pose }> {
  const random = createRandom(seed);
  let poseA: Pose = HERE;
  let poseB = start;
  let drift = random.direction();
  let axis = random.direction();
  for (let i = 0; i < count; i++) {
    yield { poseA, poseB };
    drift = blend(drift, random.direction());
    axis = blend(axis, random.direction());
    const turn = quat.fromAxisAngle(axis, step);
    const back = [0, 1, 2].map((k) => 0.1 * (start[k] - poseB[k] + poseA[k]));
    poseB = pose.create(
      [0, 1, 2].map((k) => poseB[k] + step * drift[k] + back[k]) as [number, number, number],
      quat.multiply(turn, [poseB[3], poseB[4], poseB[5], poseB[6]]),
    );
    // A moves too, so that vectors of its frame, of B's and of the world are all different ones.
    poseA = pose.create(
      [0, 1, 2].map((k) => poseA[k] - 0.3 * step * drift[k]) as [number, number, number],
      quat.multiply(quat.fromAxisAngle(drift, 0.5 * step), [poseA[3], poseA[4], poseA[5], poseA[6]]),
    );
  }
}

function blend(u: readonly number[], v: readonly number[]): [number, number, number] {
  const sum = u.map((value, k) => 0.8 * value + 0.2 * v[k]);
  const length = Math.hypot(...sum);
  return [sum[0] / length, sum[1] / length, sum[2] / length];
}

function expectPromises(result: PenetrationResult, { a, b }: Motion, poseA: Pose, poseB: Pose): void {
  const { depth, lower, upper, vector, status } = result;
  expect(upper).toBe(depth);
  if (depth === 0) {
    expect(status).toBe('separate');
    return;
  }
  expect(status).toBe('certified');
  expect(upper - lower).toBeLessThanOrEqual(GAP * upper * (1 + ROUNDING));
  const moved: Pose = [...poseA];
  for (let k = 0; k < 3; k++) moved[k] += vector[k];
  const after = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, moved, poseB));
  expect(after.intersects).toBe(false);
}

/** Both intervals hold the depth, so they have a number in common. */
function expectSameDepth(one: PenetrationResult, other: PenetrationResult): void {
  expect(one.lower).toBeLessThanOrEqual(other.upper * (1 + ROUNDING));
  expect(other.lower).toBeLessThanOrEqual(one.upper * (1 + ROUNDING));
}

describe('along a motion', () => {
  test.each(motions.map((motion) => [motion.name, motion] as const))('%s: as good as fresh answers', (_, motion) => {
    const pair = new PenetrationPair(motion.a.model, motion.b.model, CERTIFIED);
    let [overlapping, warmRays, freshRays] = [0, 0, 0];
    const count = 100 * SOAK;
    let step = 0;
    for (const { poseA, poseB } of walk(motion, 7, count)) {
      const warm = pair.measure(poseA, poseB);
      const fresh = measurePenetrationSync(motion.a.model, motion.b.model, poseA, poseB, CERTIFIED);
      expect(warm.intersects).toBe(fresh.intersects);
      expectSameDepth(warm, fresh);
      if (step % 4 === 0) expectPromises(warm, motion, poseA, poseB);
      if (warm.depth > 0) overlapping++;
      warmRays += warm.levels[0]?.rays ?? 0;
      freshRays += fresh.levels[0]?.rays ?? 0;
      step++;
    }
    expect(overlapping).toBeGreaterThan(0.5 * count);
    // The first estimate comes from the last answer, not from probes.
    expect(warmRays).toBeLessThan(0.25 * freshRays);
  });

  test('the answer at a place does not depend on where the models were before', () => {
    const [{ a, b, start }] = motions;
    const pair = new PenetrationPair(a.model, b.model, CERTIFIED);
    const first = pair.measure(HERE, start);
    for (const { poseA, poseB } of walk(motions[0], 3, 5)) pair.measure(poseA, poseB);
    expectSameDepth(pair.measure(HERE, start), first);
    pair.reset();
    const again = pair.measure(HERE, start);
    expect([again.lower, again.upper, again.vector]).toEqual([first.lower, first.upper, first.vector]);
  });

  test('both moved together: the vector turns with them, and costs no probes', () => {
    const [{ a, b, start }] = motions;
    const pair = new PenetrationPair(a.model, b.model, CERTIFIED);
    const before = pair.measure(HERE, start);
    const motion = pose.create([30, -20, 10], [0.36, -0.48, 0.64, 0.48]);
    const after = pair.measure(motion, pose.multiply(motion, start));
    expectSameDepth(before, after);
    expect(after.levels[0].rays).toBe(0);
    const turned = pose.transformVector(motion, before.vector);
    for (let k = 0; k < 3; k++) expect(after.vector[k]).toBeCloseTo(turned[k], 6);
  });

  test('apart, touching and back', () => {
    const cube = bodyOf(box([-1, -1, -1], [1, 1, 1]));
    const star = bodyOf(stellate(octahedron(1), 0.8));
    const pair = new PenetrationPair(cube.model, star.model, CERTIFIED);
    const at = (x: number): PenetrationResult => pair.measure(HERE, [x, 0.1, 0.05, 0, 0, 0, 1]);
    expect(at(1.8).depth).toBeGreaterThan(0);
    expect(at(5)).toMatchObject({ intersects: false, depth: 0, status: 'separate' });
    expect(at(1.8).status).toBe('certified');
    expect(at(2).depth).toBe(0);
    expect(at(1.9).depth).toBeGreaterThan(0);
  });

  test('without a budget the interval is still true', () => {
    const [{ a, b }] = motions;
    const pair = new PenetrationPair(a.model, b.model, { method: 'certified', maxCells: 0 });
    for (const { poseA, poseB } of walk(motions[0], 5, 10)) {
      expectSameDepth(pair.measure(poseA, poseB), measurePenetrationSync(a.model, b.model, poseA, poseB, CERTIFIED));
    }
  });
});

describe('how fast the depth changes', () => {
  test.each(motions.map((motion) => [motion.name, motion] as const))(
    '%s: no faster than a translation',
    (_, motion) => {
      const { a, b, start } = motion;
      const random = createRandom(11);
      const pair = new PenetrationPair(a.model, b.model, CERTIFIED);
      const known: { at: readonly number[]; result: PenetrationResult }[] = [];
      let steep = 0;
      for (let i = 0; i < 30 * SOAK; i++) {
        const length = random.range(0, 5 * motion.step);
        const at = random.direction().map((value, k) => start[k] + length * value);
        const poseB: Pose = [at[0], at[1], at[2], start[3], start[4], start[5], start[6]];
        const result = pair.measure(HERE, poseB);
        for (const other of known) {
          const apart = Math.hypot(...at.map((value, k) => value - other.at[k]));
          expect(result.lower - other.result.upper).toBeLessThanOrEqual(apart * (1 + ROUNDING));
          expect(other.result.lower - result.upper).toBeLessThanOrEqual(apart * (1 + ROUNDING));
          if (Math.abs(result.upper - other.result.upper) > 0.8 * apart) steep++;
        }
        known.push({ at, result });
      }
      // The bound is met nearly, so that a depth that changes faster would not pass.
      expect(steep).toBeGreaterThan(0);
    },
  );

  test('it jumps when a bar in a hole is turned until its corners meet all four walls', () => {
    // The bar, 0.9 half wide in a hole of 1, fits at angles up to 0.1166, where 0.9 (cos + sin) = 1.
    const bar = bodyOf(box([-0.9, -0.9, -3], [0.9, 0.9, 3]));
    const hole = bodyOf(squareFrame(1, 2, 0.5));
    const motion: Motion = { name: 'bar', a: bar, b: hole, start: HERE, step: 0 };
    const pair = new PenetrationPair(bar.model, hole.model, CERTIFIED);
    const depths: number[] = [];
    const angles = [0, 0.05, 0.1, 0.13, 0.2, 0.13, 0.1, 0.05, 0];
    for (const angle of angles) {
      const poseA = pose.create([0.2, 0, 0], quat.fromAxisAngle([0, 0, 1], angle));
      const result = pair.measure(poseA, HERE);
      expectPromises(result, motion, poseA, HERE);
      expectSameDepth(result, measurePenetrationSync(bar.model, hole.model, poseA, HERE, CERTIFIED));
      depths.push(result.depth);
    }
    // Aligned: 0.1 back towards the middle. Turned too far: out of the frame, over 2.5.
    expect(depths[0]).toBeCloseTo(0.1, 9);
    expect(depths[8]).toBeCloseTo(0.1, 9);
    for (const i of [0, 1, 2, 6, 7, 8]) expect(depths[i]).toBeLessThan(0.25);
    for (const i of [3, 4, 5]) expect(depths[i]).toBeGreaterThan(2.5);
    // No point of the bar moves farther than this between 0.1 and 0.13.
    expect(depths[3] - depths[2]).toBeGreaterThan(20 * 0.03 * Math.hypot(0.9, 0.9));
  });
});

test('refuses what takes a promise, what is out of range and what is no solid', () => {
  const [{ a, b }] = motions;
  expect(() => new PenetrationPair(a.model, b.model, { method: 'image-space', query: 'windows' })).toThrow(
    /without a promise/,
  );
  expect(() => new PenetrationPair(a.model, b.model, { backend: 'webgpu' })).toThrow(/without a promise/);
  expect(() => new PenetrationPair(a.model, b.model, { relativeGap: 2 })).toThrow(
    /The relativeGap is 2; give a number between 0 and 1/,
  );
  expect(() => new PenetrationPair({} as never, b.model)).toThrow(/first model is not a ProximityModel/);
  const { positions, indices } = box([0, 0, 0], [1, 1, 1]);
  const open = bodyOf({ positions, indices: indices.slice(3) });
  expect(() => new PenetrationPair(open.model, b.model).measure(HERE, HERE)).toThrow(/not closed/);
  expect(() => new PenetrationPair(a.model, b.model).measure([0, 0, 0, 0, 0, 0, 2], HERE)).toThrow(/quaternion/);
});

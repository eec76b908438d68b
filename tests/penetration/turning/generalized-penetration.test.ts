// The depth under rotation and translation together: never above the translational one, confirmed by brute force, and
// below known motions that free jammed pairs by a small turn.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import * as vec3 from '../../../src/core/vec3.js';
import {
  type GeneralizedPenetration,
  type GeneralizedPenetrationOptions,
  measureGeneralizedPenetration,
} from '../../../src/penetration/turning/generalized-penetration.js';
import { measureByBruteForce, placeInFrame } from '../../oracles/mesh-distance.js';
import {
  box,
  extrude,
  frame,
  octahedron,
  type Solid,
  scale,
  squareFrame,
  stellate,
  tetrahedron,
} from '../../oracles/penetration/shapes.js';
import { type Body, bodyOf, HERE } from '../check-depth.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

type Outline = [number, number][];
const cross = (reach: number, half: number): Outline => [
  [reach, -half],
  [reach, half],
  [half, half],
  [half, reach],
  [-half, reach],
  [-half, half],
  [-reach, half],
  [-reach, -half],
  [-half, -half],
  [-half, -reach],
  [half, -reach],
  [half, -half],
];
const rectangle = (x: number, y: number): Outline => [
  [x, y],
  [-x, y],
  [-x, -y],
  [x, -y],
];
const hook: Outline = [
  [0, 0],
  [3.6, 0],
  [3.6, 3],
  [2.6, 3],
  [2.6, 1],
  [1, 1],
  [1, 6],
  [0, 6],
];

interface Jam {
  readonly name: string;
  readonly a: Solid;
  readonly b: Solid;
  /** Where A is free of B, which is here. */
  readonly free: Pose;
  /** How it was jammed: turned by the angle about the world's z axis through this point of its own. */
  readonly about: Vec3;
  readonly angle: number;
}

const jams: readonly Jam[] = [
  {
    name: 'a bar across its slot',
    a: box([-5, -0.5, -1], [5, 0.5, 1]),
    b: frame(rectangle(5.5, 0.6), rectangle(8, 3), -1, 1),
    free: HERE,
    about: [0, 0, 0],
    angle: 0.1,
  },
  {
    name: 'a box tilted in the corners of a shaft',
    a: box([-2, -2, -2], [2, 2, 2]),
    b: squareFrame(2.1, 5, 3),
    free: HERE,
    about: [0, 0, 0],
    angle: 0.2,
  },
  {
    name: 'a key turned in its hole',
    a: extrude(cross(3, 0.5), -2, 2),
    b: frame(cross(3.1, 0.6), cross(5, 3), -2, 2),
    free: HERE,
    about: [0, 0, 0],
    angle: 0.15,
  },
  {
    name: 'a hook jammed in a hook',
    a: extrude(hook, -2, 2),
    b: extrude(hook, -2, 2),
    free: [4.9, 4.3, 0, 0, 0, 1, 0],
    about: [2, 2, 0],
    angle: 0.3,
  },
];

/** The jammed pose. */
function jam({ free, about, angle }: Jam): Pose {
  const before: quat.Quat = [free[3], free[4], free[5], free[6]];
  const after = quat.multiply(quat.fromAxisAngle([0, 0, 1], angle), before);
  const shift = vec3.subtract(quat.rotate(before, about), quat.rotate(after, about));
  return [free[0] + shift[0], free[1] + shift[1], free[2] + shift[2], ...after];
}

/** The largest displacement of any vertex, hull or not, from one pose to another. */
function normOf({ positions }: Solid, from: Pose, to: Pose): number {
  const [before, after] = [from, to].map((pose) => placeInFrame(positions, HERE, pose));
  let largest = 0;
  for (let i = 0; i < positions.length; i += 3) {
    largest = Math.max(largest, Math.hypot(...[0, 1, 2].map((k) => after[i + k] - before[i + k])));
  }
  return largest;
}

function check(name: string, result: GeneralizedPenetration, a: Body, solidA: Solid, b: Body, from: Pose, poseB: Pose) {
  const { depth, translational, pose, rotation, translation, status } = result;
  const size = a.oracle.size + b.oracle.size;
  expect(depth, name).toBeLessThanOrEqual(translational.depth);
  expect(Math.abs(normOf(solidA, from, pose) - depth), `${name}: depth is the norm`).toBeLessThanOrEqual(1e-12 * size);
  for (let k = 0; k < 3; k++) expect(translation[k], name).toBe(pose[k] - from[k]);
  const angle = vec3.length(rotation);
  const turned = quat.multiply(quat.fromAxisAngle(vec3.normalize(rotation), angle), [
    from[3],
    from[4],
    from[5],
    from[6],
  ]);
  const same = Math.abs(turned.reduce((sum, value, k) => sum + value * pose[3 + k], 0));
  expect(same, `${name}: rotation leads to pose`).toBeCloseTo(1, 12);
  const after = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, pose, poseB));
  expect(after.intersects, `${name}: apart at pose`).toBe(false);
  expect(status, name).toBe(translational.depth === 0 ? 'separate' : angle > 0 ? 'rotation' : 'translation');
  if (status === 'rotation') expect(depth, name).toBeLessThan(translational.depth);
  else expect(depth, name).toBe(translational.depth);
}

describe.each(jams.map((entry) => [entry.name, entry] as const))('%s', (name, entry) => {
  const [a, b] = [bodyOf(entry.a), bodyOf(entry.b)];
  const jammed = jam(entry);
  const known = normOf(entry.a, jammed, entry.free);
  const result = measureGeneralizedPenetration(a.model, b.model, jammed, HERE);

  test('is freed by less than the known turn, and far less than by translation', () => {
    const before = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, entry.free, HERE));
    expect(before.intersects, 'the known pose is free').toBe(false);
    check(name, result, a, entry.a, b, jammed, HERE);
    expect(known).toBeLessThan(result.translational.lower);
    expect(result.depth).toBeLessThanOrEqual(1.05 * known);
    expect(result.evaluations).toBeLessThanOrEqual(6000 + 1);
  });

  test('turned and moved with the other, scaled', () => {
    const turn: quat.Quat = [0.36, -0.48, 0.64, 0.48];
    const together = (pose: Pose): Pose => [
      ...vec3.add(quat.rotate(turn, [pose[0], pose[1], pose[2]]), [5, -3, 2]),
      ...quat.multiply(turn, [pose[3], pose[4], pose[5], pose[6]]),
    ];
    const [from, poseB] = [together(jammed), together(HERE)];
    const moved = measureGeneralizedPenetration(a.model, b.model, from, poseB);
    check(`${name}, moved`, moved, a, entry.a, b, from, poseB);
    expect(Math.abs(moved.depth / result.depth - 1)).toBeLessThan(0.02);
    const factor = 1e6;
    const [largeA, largeB] = [scale(entry.a, factor), scale(entry.b, factor)];
    const far = jammed.map((value, i) => (i < 3 ? factor * value : value)) as Pose;
    const [bodyA, bodyB] = [bodyOf(largeA), bodyOf(largeB)];
    const large = measureGeneralizedPenetration(bodyA.model, bodyB.model, far, HERE);
    check(`${name}, scaled`, large, bodyA, largeA, bodyB, far, HERE);
    expect(Math.abs(large.depth / (factor * result.depth) - 1)).toBeLessThan(0.02);
  });
});

describe('random pairs', () => {
  const random = createRandom(8);
  const anywhere = (): Pose => [...vec3.scale(random.direction(), random.range(0, 3)), ...random.rotation()];
  const compare = (shapes: readonly Solid[], count: number) => {
    const bodies = shapes.map(bodyOf);
    const tally = { separate: 0, translation: 0, rotation: 0 };
    for (let i = 0; i < count; i++) {
      const [k, l] = [random.integer(bodies.length), random.integer(bodies.length)];
      const [poseA, poseB] = [anywhere(), anywhere()];
      const options = { maxEvaluations: 600 };
      const result = measureGeneralizedPenetration(bodies[k].model, bodies[l].model, poseA, poseB, options);
      check(`pair ${i}`, result, bodies[k], shapes[k], bodies[l], poseA, poseB);
      tally[result.status]++;
    }
    return tally;
  };

  test('of convex solids: turning never helps, so nothing is searched', () => {
    const count = 20 * SOAK;
    const { translation, rotation } = compare([box([-1, -2, -3], [1, 2, 3]), tetrahedron(2), octahedron(2)], count);
    expect(rotation).toBe(0);
    expect(translation / count).toBeGreaterThan(0.3);
  });

  test('of others: never above the translational depth, apart at the pose', () => {
    const count = 16 * SOAK;
    const { separate } = compare([extrude(hook, -1, 1), stellate(octahedron(2), 0.8), squareFrame(1, 3, 2)], count);
    expect(separate / count).toBeLessThan(0.7);
  });
});

test('the same seed gives the same answer; no budget the translation; touching and apart nothing', () => {
  const [a, b] = [bodyOf(extrude(hook, -1, 1)), bodyOf(box([-1, -2, -3], [1, 2, 3]))];
  const poseA: Pose = [1, 1.5, 0.5, ...createRandom(9).rotation()];
  const ask = (options: GeneralizedPenetrationOptions) => {
    const { depth, pose, evaluations, status } = measureGeneralizedPenetration(a.model, b.model, poseA, HERE, options);
    return { depth, pose, evaluations, status };
  };
  const once = ask({ maxEvaluations: 500, seed: 4 });
  expect(ask({ maxEvaluations: 500, seed: 4 })).toEqual(once);
  const none = ask({ maxEvaluations: 0 });
  expect(none).toMatchObject({ evaluations: 0, status: 'translation' });
  expect(once.depth).toBeLessThanOrEqual(none.depth);
  const away: Pose = [9, 0, 0, 0, 0, 0, 1];
  const apart = measureGeneralizedPenetration(a.model, b.model, away, HERE);
  expect(apart).toMatchObject({
    depth: 0,
    pose: away,
    rotation: [0, 0, 0],
    translation: [0, 0, 0],
    status: 'separate',
  });
  expect(() => ask({ maxEvaluations: -1 })).toThrow('The maxEvaluations is -1; give a number from 0.');
  expect(() => ask({ seed: 0.5 })).toThrow('seed');
});

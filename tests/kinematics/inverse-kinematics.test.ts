// Kinematics against closed forms and against products of matrices.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import {
  type ChainPlanRobot,
  forwardKinematics,
  type PlanJoint,
  planMotion,
  planningSample,
  solveInverseKinematics,
} from '../../src/planning/index.js';
import { linkFrames, matrixOf } from '../oracles/link-frames.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { boxes } from '../planning/planning-scenes.js';
import { makeRandomChain, randomValues } from '../planning/random-chains.js';

const largestDifference = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, k) => Math.abs(value - b[k])));

test('200 random chains: links are where products of matrices have them, and inverse kinematics leads back', () => {
  let [found, unreachable, within] = [0, 0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const chain = makeRandomChain(random);
    const values = randomValues(chain, random);
    const expected = linkFrames(chain, values);
    const poses = forwardKinematics(chain, values);
    for (const [link, frame] of expected) {
      expect(largestDifference(matrixOf(poses.get(link)!), frame)).toBeLessThan(1e-13 * 20);
    }
    // A pose that is had is found again, and so is a position that a point of the link has.
    const link = chain.links[chain.links.length - 1].name;
    const isPose = seed % 2 === 0;
    const pose = poses.get(link)!;
    const point = random.direction();
    const frame = expected.get(link)!;
    const position = [0, 1, 2].map((row) => {
      return frame[4 * row + 3] + [0, 1, 2].reduce((sum, k) => sum + frame[4 * row + k] * point[k], 0);
    }) as [number, number, number];
    const goal = isPose ? { link, pose } : { link, position, point };
    const { status, solutions } = solveInverseKinematics(chain, goal, { seed, solutions: 3 });
    // It is there, so it must not be proven that it is not.
    if (status === 'unreachable') unreachable++;
    if (status !== 'found') continue;
    found++;
    for (const { values: solution } of solutions) {
      const at = linkFrames(chain, solution).get(link)!;
      const reached = [0, 1, 2].map((row) => {
        const own = isPose ? [0, 0, 0] : point;
        return at[4 * row + 3] + [0, 1, 2].reduce((sum, k) => sum + at[4 * row + k] * own[k], 0);
      });
      expect(largestDifference(reached, isPose ? pose.slice(0, 3) : position)).toBeLessThan(2e-9);
      if (isPose) expect(largestDifference(at, frame)).toBeLessThan(3e-9);
    }
    const moving = chain.joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);
    const areWithin = solutions.every(({ values: solution }) =>
      moving.every(({ limits = [-2 * Math.PI, 2 * Math.PI] }, k) => {
        return solution[k] >= limits[0] && solution[k] <= limits[1];
      }),
    );
    if (areWithin) within++;
  }
  expect(unreachable).toBe(0);
  expect(within).toBe(found);
  expect(found).toBeGreaterThan(190);
});

/** Hinges about z, each at the end of a rod along x. */
function planarArm(lengths: readonly number[], limit = Math.PI): ChainPlanRobot {
  const joints = lengths.map((_, i): PlanJoint => {
    const origin = [i === 0 ? 0 : lengths[i - 1], 0, 0, 0, 0, 0, 1];
    const axis = [0, 0, 1] as const;
    return {
      name: `j${i}`,
      type: 'revolute',
      parent: `l${i}`,
      child: `l${i + 1}`,
      origin,
      axis,
      limits: [-limit, limit],
    };
  });
  const end = lengths.length;
  joints.push({
    name: 'end',
    type: 'fixed',
    parent: `l${end}`,
    child: 'tip',
    origin: [lengths[end - 1], 0, 0, 0, 0, 0, 1],
  });
  const links = [...Array.from({ length: end + 1 }, (_, i) => ({ name: `l${i}` })), { name: 'tip' }];
  return { type: 'chain', links, joints };
}

describe('two rods', () => {
  const [a, b] = [1, 0.7];
  const arm = planarArm([a, b]);

  test('both elbows are found, as the law of cosines gives them', () => {
    const random = createRandom(3);
    for (let i = 0; i < 50; i++) {
      const radius = random.range(a - b + 0.02, a + b - 0.02);
      const angle = random.range(-2, 2);
      const position = [radius * Math.cos(angle), radius * Math.sin(angle), 0] as const;
      const elbow = Math.acos((radius ** 2 - a ** 2 - b ** 2) / (2 * a * b));
      const expected = [elbow, -elbow].map((second) => {
        const first = angle - Math.atan2(b * Math.sin(second), a + b * Math.cos(second));
        return [Math.atan2(Math.sin(first), Math.cos(first)), second];
      });
      const { solutions, status } = solveInverseKinematics(arm, { link: 'tip', position }, { seed: i });
      expect(status).toBe('found');
      expect(solutions).toHaveLength(2);
      for (const values of expected) {
        const least = Math.min(...solutions.map((solution) => largestDifference(solution.values, values)));
        expect(least).toBeLessThan(1e-7);
      }
    }
  });

  test('what is too far or too near is proven to be out of reach', () => {
    const far = solveInverseKinematics(arm, { link: 'tip', position: [1.71, 0, 0] });
    expect(far).toMatchObject({ status: 'unreachable', solutions: [], nearest: null });
    expect(far.proof!.distance).toBeCloseTo(1.71, 12);
    expect(far.proof!.most).toBeCloseTo(1.7, 9);
    const near = solveInverseKinematics(arm, { link: 'tip', position: [0, 0.29, 0] });
    expect(near.status).toBe('unreachable');
    expect(near.proof!.least).toBeCloseTo(0.3, 9);
    // Off the plane, but within the ball: nothing is found, and nothing is claimed.
    const off = solveInverseKinematics(arm, { link: 'tip', position: [1, 0, 0.5] }, { starts: 20 });
    expect(off.status).toBe('not-found');
    expect(off.nearest!.position).toBeCloseTo(0.5, 6);
    // Stretched out is a double solution.
    expect(solveInverseKinematics(arm, { link: 'tip', position: [1.7, 0, 0] }).status).toBe('found');
  });

  test('limits bound the solutions, and tolerances widen the goal', () => {
    const elbowUp = {
      ...arm,
      joints: arm.joints.map((j) => (j.name === 'j1' ? { ...j, limits: [0, 3] as const } : j)),
    };
    const { solutions } = solveInverseKinematics(elbowUp, { link: 'tip', position: [1, 0.5, 0] });
    expect(solutions).toHaveLength(1);
    expect(solutions[0].values[1]).toBeGreaterThan(0);
    // Both angles are needed for the position; the place of the elbow would be too near.
    const pose = [1, 0.5, 0, 0, 0, Math.sin(0.2), Math.cos(0.2)];
    expect(solveInverseKinematics(arm, { link: 'tip', pose }, { starts: 20 }).status).toBe('unreachable');
    expect(solveInverseKinematics(arm, { link: 'tip', pose, angleTolerance: 2 }).status).toBe('found');
  });
});

test('a spherical wrist has eight solutions, and each is right', () => {
  // Shoulder, elbow and three axes that meet (Pieper 1968).
  const hinge = (i: number, origin: number[], axis: [number, number, number]): PlanJoint => {
    return { name: `j${i}`, type: 'revolute', parent: `l${i}`, child: `l${i + 1}`, origin, axis, limits: [-3.1, 3.1] };
  };
  const at = (x: number, y: number, z: number): number[] => [x, y, z, 0, 0, 0, 1];
  const robot: ChainPlanRobot = {
    type: 'chain',
    links: [...Array.from({ length: 7 }, (_, i) => ({ name: `l${i}` })), { name: 'tool' }],
    joints: [
      hinge(0, at(0, 0, 0), [0, 0, 1]),
      hinge(1, at(0, 0, 0.4), [0, 1, 0]),
      hinge(2, at(0, 0, 0.6), [0, 1, 0]),
      hinge(3, at(0, 0, 0.5), [0, 0, 1]),
      hinge(4, at(0, 0, 0), [0, 1, 0]),
      hinge(5, at(0, 0, 0), [0, 0, 1]),
      { name: 'end', type: 'fixed', parent: 'l6', child: 'tool', origin: at(0.02, 0, 0.1) },
    ],
  };
  const values = [0.4, 0.5, 0.9, 0.7, -0.8, 0.3];
  const pose = forwardKinematics(robot, values).get('tool')!;
  const { solutions } = solveInverseKinematics(robot, { link: 'tool', pose }, { solutions: 12, starts: 400 });
  expect(solutions).toHaveLength(8);
  for (const { values: found } of solutions) {
    expect(largestDifference(linkFrames(robot, found).get('tool')!, matrixOf(pose))).toBeLessThan(1e-9 * 3);
  }
  // The same with the wrist turned over: 4 by π, 5 the other way, 6 by π.
  const turned = [0.4, 0.5, 0.9, 0.7 - Math.PI, 0.8, 0.3 - Math.PI];
  expect(Math.min(...solutions.map((one) => largestDifference(one.values, turned)))).toBeLessThan(1e-6);
  // By the orientation the wrist's place is known, and it is out of reach although the tool's is not.
  const away = [1.05, 0, 0.4, 0, -Math.SQRT1_2, 0, Math.SQRT1_2];
  const proven = solveInverseKinematics(robot, { link: 'tool', pose: away });
  expect(proven.status).toBe('unreachable');
  expect(proven.proof!.distance).toBeGreaterThan(1.1);
});

describe('scenes', () => {
  const arm = planarArm([1, 0.7]);
  const withBodies: ChainPlanRobot = {
    ...arm,
    links: arm.links.map((link, i) => ({
      ...link,
      ...(i === 2 ? { mesh: boxes([0.1, -0.02, -0.02, 0.7, 0.02, 0.02]) } : {}),
    })),
  };
  const wall = { mesh: boxes([0.9, 0.55, -0.1, 1.1, 0.65, 0.1]) };

  test('solutions without collisions come first', () => {
    const goal = { link: 'tip', position: [1.2, 0.3, 0] } as const;
    const without = solveInverseKinematics(withBodies, goal).solutions;
    expect(without.map(({ isFree }) => isFree)).toEqual([null, null]);
    const { solutions } = solveInverseKinematics(withBodies, goal, { environment: [wall], from: [1.2, -1.4] });
    expect(solutions.map(({ isFree }) => isFree)).toEqual([true, false]);
    // Without the wall the other one is nearer.
    const open = solveInverseKinematics(withBodies, goal, { environment: [], from: [1.2, -1.4] });
    expect(open.solutions[0].values[1]).toBeLessThan(0);
    expect(solutions[0].values[1]).toBeGreaterThan(0);
  });

  test('a goal may be the place of a link', () => {
    const problem = {
      robots: [{ ...withBodies, start: { j0: -1 }, goal: { link: 'tip', position: [1.2, 0.3, 0] as const } }],
      environment: [wall],
    };
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
    const out = { link: 'tip', position: [3, 0, 0] as const };
    expect(planMotion({ ...problem, robots: [{ ...problem.robots[0], goal: out }] }).status).toBe('invalid-goal');
  });

  test('the arm brings its gripper to a pose in the shelf', () => {
    const sample = planningSample('arm');
    const [arm6] = sample.robots as [ChainPlanRobot];
    const pose = forwardKinematics(arm6, arm6.goal as number[]).get('gripper')!;
    const problem = { ...sample, robots: [{ ...arm6, goal: { link: 'gripper', pose } }] };
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    const reached = linkFrames(arm6, result.paths[0].poses.at(-1)!).get('gripper')!;
    expect(largestDifference(reached, matrixOf(pose))).toBeLessThan(3e-9);
  });
});

describe('what is no goal is refused', () => {
  const arm = planarArm([1, 0.7]);
  test.each([
    [{ link: 'hand', position: [1, 0, 0] }, /link 'hand'; the links are l0, l1, l2, tip/],
    [{ link: 'tip' }, /needs a pose or a position/],
    [{ link: 'tip', position: [1, Number.NaN, 0] }, /three finite numbers/],
    [{ link: 'tip', position: [1, 0, 0], tolerence: 1 }, /did you mean 'tolerance'/],
    [{ link: 'tip', position: [1, 0, 0], tolerance: -1 }, /tolerance of the goal is -1/],
    [{ link: 'tip', pose: [0, 0, 0, 0, 0, 0, 0] }, /goal of tip/],
    [[1, 2], /The goal is an array of 2/],
  ])('%j', (goal, message) => {
    expect(() => solveInverseKinematics(arm, goal as never)).toThrow(message);
  });

  test('joints by name', () => {
    expect(() => forwardKinematics(arm, { elbow: 1 })).toThrow(
      /the joint elbow, which has no value; those that move are j0, j1/,
    );
    expect(() => forwardKinematics(arm, [1])).toThrow(/give 2 finite numbers/);
    expect(() => solveInverseKinematics(arm, { link: 'tip', position: [1, 0, 0] }, { starts: 0 })).toThrow(
      /starts is 0/,
    );
  });

  test('mimics', () => {
    const with1 = (mimic: object): ChainPlanRobot => {
      return { ...arm, joints: arm.joints.map((j) => (j.name === 'j1' ? ({ ...j, mimic } as PlanJoint) : j)) };
    };
    expect(() => forwardKinematics(with1({ joint: 'j9' }), [0])).toThrow(
      /mimics the joint 'j9', which the robot does not have/,
    );
    expect(() => forwardKinematics(with1({ joint: 'j1' }), [0])).toThrow(/mimics itself/);
    expect(() => forwardKinematics(with1({ joint: 'end' }), [0])).toThrow(/which is fixed/);
    const [x, y] = forwardKinematics(with1({ joint: 'j0', factor: -2, offset: 0.1 }), [0.3]).get('tip')!;
    expect([x, y]).toEqual(
      [Math.cos(0.3) + 0.7 * Math.cos(-0.2), Math.sin(0.3) + 0.7 * Math.sin(-0.2)].map((v) => expect.closeTo(v, 12)),
    );
  });
});

// Paths are proven or refuted by an independent checker; proofs that there is none are compared with what is known.
import { describe, expect, test } from 'vitest';
import { Deadline } from '../../src/core/deadline.js';
import type { ReadonlyVec3, Vec3 } from '../../src/core/vec3.js';
import type { ChainRobot } from '../../src/kinematics/robot/chain-robot.js';
import { findModel } from '../../src/mesh/index.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { proveByJoints } from '../../src/planning/chain/joint-proof.js';
import {
  type ChainPlanRobot,
  type PlanProblem,
  planMotion,
  planningSample,
  type RigidPlanRobot,
} from '../../src/planning/index.js';
import { buildScene } from '../../src/planning/problem/build-scene.js';
import { ClearanceMap } from '../../src/planning/workspace/clearance-map.js';
import { prepareOracle } from '../oracles/mesh-distance.js';
import { checkPath } from '../oracles/path-checker.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { BRICK, boxes, holeProblem, mazeProblem, randomProblem, wallWithHole } from './planning-scenes.js';

const oracle = ({ positions, indices }: Mesh): ReturnType<typeof prepareOracle> => prepareOracle(positions, indices);

function robotMesh(problem: PlanProblem): Mesh {
  return (problem.robots[0] as { mesh: Mesh }).mesh;
}

describe('the checker', () => {
  test('refutes a path through a wall, and proves one beside it', () => {
    const wall = oracle(boxes([-1, -1, -0.001, 1, 1, 0.001]));
    const across = [
      [0, 0, -2, 0, 0, 0, 1],
      [0, 0, 2, 0, 0, 0, 1],
    ];
    expect(checkPath(oracle(BRICK), wall, across).verdict).toBe('refuted');
    const beside = across.map(([, ...rest]) => [1.6, ...rest]);
    expect(checkPath(oracle(BRICK), wall, beside)).toEqual({ verdict: 'proven', least: expect.closeTo(0.1, 6) });
  });
});

describe('a brick through a hole in a wall', () => {
  test.each([1.6, 1.1, 1.05, 1.02])('%f times as large as its section', (share) => {
    for (const seed of [1, 2]) {
      const problem = holeProblem(share, { seed });
      const result = planMotion(problem);
      expect(result.status).toBe('solved');
      expect(result.certified).toBe(true);
      const [{ poses }] = result.paths;
      expect(poses[0]).toEqual([0, 0, -2, 0, 0, 0, 1]);
      expect(poses.at(-1)).toEqual([0, 0, 2, 0, 0, 0, 1]);
      const { verdict, least } = checkPath(oracle(BRICK), oracle(wallWithHole(share)), poses);
      expect(verdict).toBe('proven');
      const clearance = result.clearance!;
      expect(clearance.lower).toBeGreaterThan(0);
      expect(clearance.lower).toBeLessThanOrEqual(clearance.upper);
      // The checker only measures in the middles of its intervals.
      expect(least).toBeGreaterThanOrEqual(clearance.lower * (1 - 1e-9));
      expect(clearance.upper).toBeLessThan(0.15 * (share - 1) + 1e-9);
    }
  });

  test('a hole smaller than a ball inside of the brick is proven to be closed', () => {
    const result = planMotion(holeProblem(0.7));
    expect(result.status).toBe('infeasible');
    const { radius, center } = result.proof!;
    // The hole is 0.21 high, the brick 0.3.
    expect(radius).toBeGreaterThan(0.105);
    for (const [k, half] of [0.5, 0.25, 0.15].entries()) expect(Math.abs(center[k]) + radius).toBeLessThanOrEqual(half);
    expect(result.paths).toEqual([]);
  });

  test('with a wanted clearance, the whole path keeps it, and what leaves no room for it is infeasible', () => {
    const result = planMotion(holeProblem(1.6, { clearance: 0.02 }));
    expect(result.status).toBe('solved');
    expect(result.clearance!.lower).toBeGreaterThanOrEqual(0.02);
    const [{ poses }] = result.paths;
    expect(checkPath(oracle(BRICK), oracle(wallWithHole(1.6)), poses, 0.0199).verdict).toBe('proven');
    expect(planMotion(holeProblem(1.05, { clearance: 0.05 })).status).toBe('infeasible');
  });
});

test('the same seed gives the same path, another one may not', () => {
  const [a, b] = [planMotion(holeProblem(1.3, { seed: 5 })), planMotion(holeProblem(1.3, { seed: 5 }))];
  expect(a.paths).toEqual(b.paths);
  expect(a.counters).toEqual(b.counters);
  expect(planMotion(holeProblem(1.3, { seed: 6 })).paths).not.toEqual(a.paths);
});

test('a bar turns around the ends of walls in the plane', () => {
  const problem = mazeProblem();
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  const [{ poses }] = result.paths;
  for (const pose of poses) {
    expect(pose[2]).toBe(0);
    expect(Math.hypot(pose[3], pose[4])).toBe(0);
  }
  expect(checkPath(oracle(robotMesh(problem)), oracle(problem.environment[0].mesh), poses).verdict).toBe('proven');
  expect(result.turning).toBeGreaterThan(1);
});

test('random problems: every path is proven by the checker against each box, every proof leaves no way', () => {
  let solved = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const problem = randomProblem(seed);
    const result = planMotion(problem);
    expect(['solved', 'invalid-start', 'invalid-goal', 'timeout', 'infeasible']).toContain(result.status);
    if (result.status !== 'solved') continue;
    solved++;
    let least = Infinity;
    for (const { mesh } of problem.environment) {
      const checked = checkPath(oracle(BRICK), oracle(mesh), result.paths[0].poses);
      expect(checked.verdict).toBe('proven');
      least = Math.min(least, checked.least);
    }
    expect(least).toBeGreaterThanOrEqual(result.clearance!.lower * (1 - 1e-9));
  }
  expect(solved).toBeGreaterThan(8);
});

test('RRT-Connect alone finds the way where there is room', () => {
  const problem = { ...randomProblem(3), planner: 'rrt-connect' as const, timeLimit: 20 };
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  expect(result.planner).toBe('rrt-connect');
  for (const { mesh } of problem.environment) {
    expect(checkPath(oracle(BRICK), oracle(mesh), result.paths[0].poses).verdict).toBe('proven');
  }
});

describe('trees get a nail off the one that it hangs in', () => {
  // The space is up to four times as wide as needed: steps must not depend on it.
  test.each([1, 4])('in a space %i times as wide', (wide) => {
    const problem = planningSample('nails', { gap: 2 });
    const [nail] = problem.robots;
    if (nail.type !== 'rigid') throw new Error('not a rigid robot');
    const widen = (corner: ReadonlyVec3): Vec3 => [wide * corner[0], wide * corner[1], wide * corner[2]];
    const bounds = { min: widen(nail.bounds.min), max: widen(nail.bounds.max) };
    for (const seed of [1, 2, 3]) {
      const result = planMotion({ ...problem, robots: [{ ...nail, bounds }], planner: 'rrt-connect', seed });
      expect(result.status).toBe('solved');
      expect(result.counters.samples).toBeLessThan(20_000);
      const nailOracle = oracle(robotMesh(problem));
      expect(checkPath(nailOracle, nailOracle, result.paths[0].poses).verdict).toBe('proven');
    }
  });
});

test('an invalid start names what collides, the place and the depth', () => {
  const problem = planningSample('hole');
  const [robot] = problem.robots as [RigidPlanRobot];
  // A unit cube reaches 0.25 into a large one, whose face is at x = 1.
  const cube = findModel('box').build({ width: 1, height: 1, depth: 1 });
  const large = findModel('box').build({ width: 2, height: 8, depth: 8 });
  const start = [1.25, 0, 0, 0, 0, 0, 1];
  const given: PlanProblem = {
    robots: [{ ...robot, name: 'cube', mesh: cube, start, goal: [3, 0, 0, 0, 0, 0, 1] }],
    environment: [{ mesh: large }],
  };
  const { status, reason, collision } = planMotion(given);
  expect([status, reason]).toEqual(['invalid-start', 'cube and environment 1 touch']);
  expect(collision).toMatchObject({ a: 'cube', b: 'environment 1', distance: 0 });
  expect(collision!.depth!.lower).toBeLessThanOrEqual(0.25 + 1e-9);
  expect(collision!.depth!.upper).toBeGreaterThanOrEqual(0.25 - 1e-9);
  expect(collision!.depth!.upper).toBeLessThan(0.26);
  expect(collision!.point![0]).toBeCloseTo(1, 9);
  const near = planMotion({
    ...given,
    robots: [{ ...given.robots[0], start: [1.6, 0, 0, 0, 0, 0, 1] } as RigidPlanRobot],
    clearance: 0.2,
  });
  expect(near.collision).toMatchObject({ depth: null });
  expect(near.collision!.distance).toBeCloseTo(0.1, 12);
  expect(planMotion(problem).collision).toBeNull();
});

test('answers of chains name their joints', () => {
  const { paths } = planMotion(planningSample('arm'));
  const [{ poses, joints }] = paths;
  expect(joints!.length).toBe(poses[0].length);
  expect(new Set(joints!.map(({ name }) => name)).size).toBe(joints!.length);
  for (const [k, { values }] of joints!.entries()) expect(values).toEqual(poses.map((row) => row[k]));
  expect(planMotion(planningSample('hole')).paths[0].joints).toBeUndefined();
});

test('a chain is planned alike in any unit of length', () => {
  const problem = planningSample('crane');
  const [crane] = problem.robots as [ChainPlanRobot];
  const inUnit = (unit: number): PlanProblem => {
    const scaleMesh = ({ positions, indices }: Mesh): Mesh => ({ positions: positions.map((x) => unit * x), indices });
    const scalePose = (p: ArrayLike<number>): number[] => Array.from(p, (x, k) => (k < 3 ? unit * x : x));
    const moved = crane.joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);
    const unitOf = (k: number): number => (moved[k].type === 'prismatic' ? unit : 1);
    const scaleValues = (values: readonly number[]): number[] => values.map((x, k) => unitOf(k) * x);
    const robot: ChainPlanRobot = {
      ...crane,
      base: scalePose(crane.base ?? [0, 0, 0, 0, 0, 0, 1]),
      links: crane.links.map((link) => (link.mesh === undefined ? link : { ...link, mesh: scaleMesh(link.mesh) })),
      joints: crane.joints.map((joint) => {
        const { type, origin = [0, 0, 0, 0, 0, 0, 1], limits } = joint;
        const inMeters = type === 'prismatic' && limits !== undefined;
        const scaled = inMeters ? ([unit * limits[0], unit * limits[1]] as const) : limits;
        return { ...joint, origin: scalePose(origin), limits: scaled };
      }),
      start: scaleValues(crane.start as number[]),
      goal: scaleValues(crane.goal as number[]),
    };
    const environment = problem.environment.map(({ mesh, pose = [0, 0, 0, 0, 0, 0, 1] }) => {
      return { mesh: scaleMesh(mesh), pose: scalePose(pose) };
    });
    return { ...problem, robots: [robot], environment, clearance: unit * (problem.clearance ?? 0) };
  };
  // Powers of two round nothing.
  const [meters, ...others] = [1, 1024, 1 / 1024].map((unit) => planMotion(inUnit(unit)));
  expect(meters.status).toBe('solved');
  for (const other of others) {
    expect(other.counters).toEqual(meters.counters);
    expect(other.turning).toBeCloseTo(meters.turning, 9);
  }
});

describe('several robots', () => {
  test('two bricks change places without touching', () => {
    const robot = (x: number): PlanProblem['robots'][number] => ({
      type: 'rigid',
      mesh: BRICK,
      bounds: { min: [-2, -2, -2], max: [2, 2, 2] },
      start: [x, 0, 0, 0, 0, 0, 1],
      goal: [-x, 0, 0, 0, 0, 0, 1],
    });
    const result = planMotion({ robots: [robot(-1.2), robot(1.2)], environment: [] });
    expect(result.status).toBe('solved');
    const [a, b] = result.paths;
    expect(a.poses.length).toBe(b.poses.length);
    // The second seen from the first, at many times.
    for (let i = 1; i < a.poses.length; i++) {
      for (let k = 0; k <= 20; k++) {
        const at = (poses: readonly (readonly number[])[]): number[] => {
          return poses[i - 1].map((value, j) => value + (k / 20) * (poses[i][j] - value)).slice(0, 3);
        };
        const [p, q] = [at(a.poses), at(b.poses)];
        expect(Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])).toBeGreaterThan(0.3);
      }
    }
  });
});

describe('problems that are none', () => {
  const [brick] = holeProblem(2).robots;
  test.each<[string, unknown, RegExp]>([
    ['no robots', { robots: [], environment: [] }, /robots is an array of 0; give a list/],
    ['an unknown key', { ...holeProblem(2), planer: 'auto' }, /planer/],
    ['an unknown planner', holeProblem(2, { planner: 'magic' as 'auto' }), /planner is 'magic'; give auto, hybrid/],
    ['a negative clearance', holeProblem(2, { clearance: -1 }), /clearance is -1/],
    ['no bounds', { robots: [{ ...brick, bounds: undefined }], environment: [] }, /brick: has no bounds/],
    ['a start of NaN', { robots: [{ ...brick, start: [NaN, 0, 0, 0, 0, 0, 1] }], environment: [] }, /brick: .*start/],
    ['an empty mesh', { robots: [brick], environment: [{ mesh: { positions: [], indices: [] } }] }, /environment 1/],
    [
      'a planar goal off its plane',
      { robots: [{ ...brick, type: 'planar', plane: 'xy' }], environment: [] },
      /does not reach/,
    ],
  ])('%s', (_, problem, message) => {
    expect(() => planMotion(problem as PlanProblem)).toThrow(message);
  });

  test('a start or goal that touches or is out of bounds is an answer', () => {
    const at = (key: 'start' | 'goal', x: number): PlanProblem => ({
      ...holeProblem(2),
      robots: [{ ...brick, [key]: [x, 0, key === 'start' ? 0.05 : -0.05, 0, 0, 0, 1] } as typeof brick],
    });
    expect(planMotion(at('start', 2)).status).toBe('invalid-start');
    expect(planMotion(at('goal', 2)).status).toBe('invalid-goal');
    const out = { ...holeProblem(2), robots: [{ ...brick, start: [0, 0, -4, 0, 0, 0, 1] } as typeof brick] };
    expect(planMotion(out).status).toBe('invalid-start');
  });

  test.each(['hybrid', 'voronoi', 'rrt-connect'] as const)('time that runs out claims nothing: %s', (planner) => {
    const result = planMotion(holeProblem(1.02, { timeLimit: 0, planner }));
    expect(result.status).toBe('timeout');
    expect(result.paths).toEqual([]);
    // The straight edge, and no more.
    expect(result.counters.edgesTested).toBe(1);
  });
});

test('the hybrid planner leads the load of a crane, and auto chooses it for chains', () => {
  for (const planner of ['hybrid', 'auto'] as const) {
    const result = planMotion({ ...planningSample('crane'), planner });
    expect(result).toMatchObject({ status: 'solved', planner: 'hybrid', certified: true });
  }
});

describe('a chain that no motion of its joints brings to the goal', () => {
  const box = (width: number, height: number, depth: number): Mesh => findModel('box').build({ width, height, depth });
  const slide = (name: string, parent: string, child: string, axis: Vec3, reach: number) => {
    return { name, type: 'prismatic' as const, parent, child, axis, limits: [-reach, reach] as const };
  };
  const gantry = {
    type: 'chain' as const,
    name: 'gantry',
    links: [{ name: 'frame' }, { name: 'bridge' }, { name: 'carriage' }, { name: 'load', mesh: box(0.3, 0.3, 0.3) }],
    joints: [
      slide('x', 'frame', 'bridge', [1, 0, 0], 1),
      slide('y', 'bridge', 'carriage', [0, 1, 0], 0.5),
      slide('z', 'carriage', 'load', [0, 0, 1], 0.5),
    ],
    start: [-0.8, 0, 0],
    goal: [0.8, 0, 0],
  };
  const wall = (hole: number) => {
    const side = (4 - hole) / 2;
    const at = (y: number, z: number) => [0, y, z, 0, 0, 0, 1] as const;
    return [
      { mesh: box(0.1, side, 4), pose: at(hole / 2 + side / 2, 0) },
      { mesh: box(0.1, side, 4), pose: at(-hole / 2 - side / 2, 0) },
      { mesh: box(0.1, hole, side), pose: at(0, hole / 2 + side / 2) },
      { mesh: box(0.1, hole, side), pose: at(0, -hole / 2 - side / 2) },
    ];
  };

  test('a wall whose hole is too small for the ball in the load is a proof', () => {
    const { status, proof } = planMotion({ robots: [gantry], environment: wall(0.25), timeLimit: 120 });
    expect(status).toBe('infeasible');
    expect(proof).toMatchObject({ kind: 'ball', robot: 'gantry', link: 'load' });
    // The ball is inside of the load, and wider than the hole is.
    expect(Math.max(...proof!.center.map(Math.abs)) + proof!.radius).toBeLessThanOrEqual(0.15);
    expect(2 * proof!.radius).toBeGreaterThan(0.25);
  });

  describe('a post that the bridge does not pass, and the load does', () => {
    // The bridge is a beam of 0.2 along y, above the load.
    const beam = boxes([-0.1, -1, 0.9, 0.1, 1, 1.1]);
    const links = gantry.links.map((link) => (link.name === 'bridge' ? { ...link, mesh: beam } : link));
    const post = (x: number) => ({ mesh: box(0.1, 0.1, 1), pose: [x, 0.8, 0.5, 0, 0, 0, 1] as const });
    const problemOf = (x: number) => ({ robots: [{ ...gantry, links }], environment: [post(x)], timeLimit: 60 });

    test('is a proof where it stands between start and goal', () => {
      const { status, proof } = planMotion(problemOf(0));
      expect(status).toBe('infeasible');
      expect(proof).toMatchObject({ kind: 'ball', robot: 'gantry', link: 'bridge', joint: gantry.joints[0].name });
      const [x, y, z] = proof!.center;
      // At the value the ball is in the post, along x too.
      const across = Math.abs(x + proof!.value!) - 0.05;
      const { radius } = proof!;
      // Inside of the beam.
      for (const [at, half] of [
        [x, 0.1],
        [y, 1],
        [z - 1, 0.1],
      ]) {
        expect(Math.abs(at) + radius).toBeLessThanOrEqual(half + 1e-12);
      }
      // The beam moves along x alone.
      const gap = Math.hypot(Math.max(0, across), Math.max(0, Math.abs(y - 0.8) - 0.05), Math.max(0, z - 1));
      expect(gap).toBeLessThan(radius);
    });

    test('is none where it stands beyond the goal, or where the bridge has no body', () => {
      const prove = (problem: PlanProblem) => {
        const { scene, start, goal } = buildScene(problem, 0);
        const [robot] = scene.robots as ChainRobot[];
        const map = new ClearanceMap(scene.obstacles);
        return proveByJoints({ scene, robot, name: 'gantry', map, start, goal, deadline: new Deadline(60) });
      };
      expect(prove(problemOf(0))).not.toBeNull();
      expect(prove(problemOf(0.99))).toBeNull();
      expect(prove({ ...problemOf(0), robots: [gantry] })).toBeNull();
    });
  });

  test('a hole that the load passes is none', () => {
    const problem = { robots: [gantry], environment: wall(0.4), timeLimit: 120 };
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
  });
});

// The Voronoi planner, at rest and with obstacles that move: every path is proven by the independent checker, and what is
// repaired is compared with what is planned anew.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { type PlanProblem, type PlanResult, planMotion, VoronoiPlanner } from '../../src/planning/index.js';
import { ClearanceMap } from '../../src/planning/workspace/clearance-map.js';
import { hasRoom } from '../../src/planning/workspace/passages.js';
import { ProximityModel } from '../../src/proximity/index.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { checkPath } from '../oracles/path-checker.js';
import { currentProblem, floorPlan, nudge, WALLS } from './floor-plan.js';
import { boxes, holeProblem, mazeProblem, randomProblem } from './planning-scenes.js';

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

/** The mesh of a part of the environment where it is. */
function placedOracle({ mesh, pose }: PlanProblem['environment'][number]): ReturnType<typeof prepareOracle> {
  const { positions, indices } = mesh;
  return prepareOracle(placeInFrame(positions, IDENTITY, Array.from(pose ?? IDENTITY)), indices);
}

/** Proves a path against each part of the environment. */
function expectProven(problem: PlanProblem, result: PlanResult): void {
  expect(result.status).toBe('solved');
  expect(result.certified).toBe(true);
  const { mesh } = problem.robots[0] as { mesh: Mesh };
  const robot = prepareOracle(mesh.positions, mesh.indices);
  let least = Infinity;
  for (const part of problem.environment) {
    const checked = checkPath(robot, placedOracle(part), result.paths[0].poses, problem.clearance ?? 0);
    expect(checked.verdict).toBe('proven');
    least = Math.min(least, checked.least);
  }
  const { lower, upper } = result.clearance!;
  expect(lower).toBeLessThanOrEqual(upper);
  // The checker measures in the middles of its intervals only.
  expect(least).toBeGreaterThanOrEqual(lower * (1 - 1e-9));
}

/** Compares graphs: as many places and links, with the same room. In the plane edges have chords within an error. */
function expectSameGuide({ guide: a }: VoronoiPlanner, { guide: b }: VoronoiPlanner, error: number): void {
  expect(a.rooms.length).toBe(b.rooms.length);
  expect(a.links.length).toBe(b.links.length);
  const [rooms, others] = [a.rooms.toSorted(), b.rooms.toSorted()];
  expect(Math.max(...rooms.map((room, i) => Math.abs(room - others[i])))).toBeLessThan(error);
}

describe('by name', () => {
  test('a bar turns around the ends of walls in the plane, without a sample', () => {
    const problem = mazeProblem({ planner: 'voronoi' });
    const result = planMotion(problem);
    expectProven(problem, result);
    expect(result.planner).toBe('voronoi');
    expect(result.counters.samples).toBe(0);
    expect(result.paths[0].poses[0]).toEqual([0.7, 0.5, 0, 0, 0, 0, 1]);
  });

  test.each(['xz', 'yz'] as const)('in the plane %s the same way is found', (plane) => {
    const turn = (values: ArrayLike<number>): number[] =>
      plane === 'xz' ? [values[0], values[2], values[1]] : [values[2], values[0], values[1]];
    const problem = mazeProblem({ planner: 'voronoi' });
    const [robot] = problem.robots as [Extract<PlanProblem['robots'][number], { type: 'planar' }>];
    // Axes that change places turn meshes inside out; the order of corners is turned back.
    const moved = ({ positions, indices }: Mesh): Mesh => ({
      positions: positions.map((_, i) => turn(positions.subarray(i - (i % 3), i - (i % 3) + 3))[i % 3]),
      indices: plane === 'xz' ? indices.map((_, i) => indices[i - (i % 3) + [0, 2, 1][i % 3]]) : indices,
    });
    const at = (pose: ArrayLike<number>): number[] => [...turn(pose), 0, 0, 0, 1];
    const turned: PlanProblem = {
      ...problem,
      robots: [
        {
          ...robot,
          plane,
          mesh: moved(robot.mesh),
          bounds: { min: turn(robot.bounds.min) as never, max: turn(robot.bounds.max) as never },
          start: at(robot.start!),
          goal: at(robot.goal!),
        },
      ],
      environment: [{ mesh: moved(problem.environment[0].mesh) }],
    };
    const result = planMotion(turned);
    expectProven(turned, result);
    expect(result.counters.samples).toBe(0);
    expect(result.length).toBeLessThan(30);
  });

  test.each([1.6, 1.1, 1.02])('a brick passes a hole %f times as large as its section, without a sample', (share) => {
    const problem = holeProblem(share, { planner: 'voronoi' });
    const result = planMotion(problem);
    expectProven(problem, result);
    expect(result.counters.samples).toBe(0);
    expect(result.counters.edgesTested).toBeLessThan(200);
  });

  test('a hole that a ball inside of the brick does not pass is proven to be closed', () => {
    const result = planMotion(holeProblem(0.7, { planner: 'voronoi' }));
    expect(result.status).toBe('infeasible');
    expect(result.proof!.radius).toBeGreaterThan(0.105);
  });

  test('random boxes: paths are proven, and the same each time', () => {
    let solved = 0;
    for (const seed of [3, 5]) {
      const problem: PlanProblem = { ...randomProblem(seed), planner: 'voronoi' };
      const result = planMotion(problem);
      if (result.status !== 'solved') continue;
      solved++;
      expectProven(problem, result);
      if (seed === 3) expect(planMotion(problem).paths).toEqual(result.paths);
    }
    expect(solved).toBe(2);
  });

  test('a wanted clearance is kept in the plane', () => {
    const problem = { ...floorPlan(3).problem, planner: 'voronoi' as const, clearance: 0.03 };
    const result = planMotion(problem);
    expectProven(problem, result);
    expect(result.clearance!.lower).toBeGreaterThanOrEqual(0.03);
  });

  test('chains are refused', () => {
    const robot = {
      type: 'chain' as const,
      links: [{ name: 'base' }, { name: 'arm', mesh: boxes([0, -0.1, -0.1, 1, 0.1, 0.1]) }],
      joints: [{ name: 'turn', type: 'revolute' as const, parent: 'base', child: 'arm', limits: [-3, 3] as const }],
      start: [0],
      goal: [2],
    };
    const wall = boxes([0.5, -0.5, 0.5, 0.7, 0.5, 0.7]);
    const problem: PlanProblem = { robots: [{ ...robot }], environment: [{ mesh: wall }], planner: 'voronoi' };
    expect(() => new VoronoiPlanner(problem)).toThrow(/one rigid or planar robot; give auto/);
  });
});

describe('furniture that moves', () => {
  test('after many small moves the repaired path is as valid as a new one, and most proofs are kept', () => {
    const plan = floorPlan(2);
    const planner = new VoronoiPlanner(plan.problem);
    const first = planner.plan();
    expectProven(plan.problem, first);
    expect(first.repair.pathKept).toBe(0);
    const sums = { tested: 0, retested: 0, made: 0, kept: 0, unchanged: 0, anew: 0 };
    for (let move = 0; move < 48; move++) {
      const piece = nudge(plan, 0.12);
      planner.moveObstacle(WALLS + piece, plan.poses[piece]);
      const result = planner.plan();
      const { repair } = result;
      sums.tested += repair.tested;
      sums.retested += repair.retested;
      sums.made += repair.graphMade;
      sums.kept += repair.graphKept;
      if (repair.pathKept === result.paths[0]?.poses.length - 1) sums.unchanged++;
      if (move % 8 !== 7) continue;
      const problem = currentProblem(plan);
      const anew = new VoronoiPlanner(problem).plan();
      sums.anew += anew.repair.tested;
      expect(anew.status).toBe('solved');
      expectProven(problem, result);
    }
    // The path stays as it is most of the time; a new one costs more tests than all that a repair takes, on average.
    expect(sums.unchanged).toBeGreaterThan(24);
    expect((sums.tested + sums.retested) / 48).toBeLessThan(sums.anew / 6);
    expect(sums.kept / (sums.kept + sums.made)).toBeGreaterThan(0.7);
  });

  test('a repaired graph is that of the same obstacles from scratch', () => {
    const plan = floorPlan(5, 8);
    const planner = new VoronoiPlanner(plan.problem);
    for (let move = 0; move < 12; move++) {
      const piece = nudge(plan, 0.4);
      planner.moveObstacle(WALLS + piece, plan.poses[piece]);
    }
    expectSameGuide(planner, new VoronoiPlanner(currentProblem(plan)), 0.15 / 64);
  });

  test('places of the graph are in the middle: their room is the distance to the obstacles, and two are that near', () => {
    const plan = floorPlan(6, 6);
    const { guide } = new VoronoiPlanner(plan.problem);
    // A needle across the heights of the stand measures distances in the plane.
    const needle = prepareOracle(Float64Array.of(0, 0, 0.05, 0, 0, 1.2, 0, 0, 1.2), Uint32Array.of(0, 1, 2));
    const parts = plan.problem.environment.map(placedOracle);
    let between = 0;
    for (let i = 0; i < guide.rooms.length; i += 40) {
      const place = [guide.points[3 * i], guide.points[3 * i + 1], 0, 0, 0, 0, 1];
      const distances = parts.map((part) => {
        return measureByBruteForce(part, needle, placeInFrame(needle.positions, IDENTITY, place)).distance;
      });
      distances.sort((a, b) => a - b);
      expect(Math.abs(distances[0] - guide.rooms[i])).toBeLessThan(0.01);
      if (distances[1] - distances[0] < 0.01) between++;
    }
    // The rest is between two sides of the outer wall, which is one part.
    expect(between).toBeGreaterThan(5);
  });

  test('a way that is closed is left, and taken again when it opens', () => {
    const wall = (y0: number, y1: number): { mesh: Mesh } => ({ mesh: boxes([-0.1, y0, -1, 0.1, y1, 1]) });
    const problem: PlanProblem = {
      robots: [
        {
          type: 'planar',
          plane: 'xy',
          mesh: boxes([-0.3, -0.1, -0.1, 0.3, 0.1, 0.1]),
          bounds: { min: [-2, -4, 0], max: [2, 4, 0] },
          start: [-1, 0, 0, 0, 0, 0, 1],
          goal: [1, 0, 0, 0, 0, 0, 1],
        },
      ],
      environment: [
        wall(-0.5, 0.5),
        wall(1.5, 5),
        wall(-5, -2.5),
        { mesh: boxes([-0.2, -0.6, -1, 0.2, 0.6, 1]), pose: [0, 9, 0, 0, 0, 0, 1] },
      ],
    };
    const planner = new VoronoiPlanner(problem);
    const short = planner.plan();
    expectProven(problem, short);
    const block = [0, 1, 0, 0, 0, 0, 1];
    planner.moveObstacle(3, block);
    const long = planner.plan();
    expectProven(
      { ...problem, environment: [...problem.environment.slice(0, 3), { ...problem.environment[3], pose: block }] },
      long,
    );
    expect(Math.max(...short.paths[0].poses.map(([, y]) => y))).toBeGreaterThan(0.4);
    expect(Math.min(...long.paths[0].poses.map(([, y]) => y))).toBeLessThan(-0.4);
    planner.moveObstacle(3, [0, 9, 0, 0, 0, 0, 1]);
    expect(planner.plan().repair.pathKept).toBe(long.paths[0].poses.length - 1);
    expect(planner.plan([-1, 0, 0, 0, 0, 0, 1], [1, 0.5, 0, 0, 0, 0, 1]).length).toBeLessThan(1.2 * short.length);
  });
});

test('a wall with a hole moves in space', () => {
  const problem = holeProblem(1.3);
  const planner = new VoronoiPlanner(problem);
  expectProven(problem, planner.plan());
  for (const place of [
    [0.6, -0.4, 0.1, 0, 0, 0, 1],
    [-0.5, 0.7, -0.2, 0, 0, Math.sin(0.3), Math.cos(0.3)],
  ]) {
    planner.moveObstacle(0, place);
    const moved = { ...problem, environment: [{ ...problem.environment[0], pose: place }] };
    const result = planner.plan();
    expectProven(moved, result);
    expect(result.counters.samples).toBe(0);
    const anew = new VoronoiPlanner(moved);
    expectSameGuide(planner, anew, 1e-9);
  }
});

test('bricks that fly through space: only a part of the graph is found anew', () => {
  const problem = randomProblem(3);
  const planner = new VoronoiPlanner(problem);
  expectProven(problem, planner.plan());
  const place = [0.1, 0.05, -0.1, 0, 0, 0, 1];
  planner.moveObstacle(2, place);
  const moved = {
    ...problem,
    environment: problem.environment.map((part, i) => (i === 2 ? { ...part, pose: place } : part)),
  };
  const result = planner.plan();
  expectProven(moved, result);
  expect(result.repair.graphMade).toBeGreaterThan(0);
  expect(result.repair.graphMade).toBeLessThan(0.6 * result.repair.graphKept);
});

test('a line that starts where there is no room has none, and the search along it ends', () => {
  const obstacle = { name: 'box', model: new ProximityModel(boxes([-1, -1, -1, 1, 1, 1])), pose: pose.identity() };
  const map = new ClearanceMap([obstacle]);
  expect(hasRoom(map, [0, 0, 0.9], [3, 0, 0.9], -0.09)).toBe(false);
  expect(hasRoom(map, [0, 0, 1.5], [3, 0, 1.5], 0.5 * (1 - 1e-9))).toBe(true);
});

describe('a planner that is asked for what there is not', () => {
  const planner = new VoronoiPlanner(holeProblem(2));

  test('an obstacle or a pose', () => {
    expect(() => planner.moveObstacle(1, IDENTITY)).toThrow(/obstacle is 1; give the index of one of the 1/);
    expect(() => planner.moveObstacle(0, [0, 0, NaN, 0, 0, 0, 1])).toThrow(/obstacle/);
    expect(() => planner.plan([0, 0])).toThrow(/start/);
  });

  test('a start or goal that touches is an answer', () => {
    expect(planner.plan([2, 0, 0, 0, 0, 0, 1]).status).toBe('invalid-start');
    expect(planner.plan(undefined, [2, 0, 0, 0, 0, 0, 1]).status).toBe('invalid-goal');
    expect(planner.plan().status).toBe('solved');
  });

  test('a planar robot does not leave its plane', () => {
    const stand = new VoronoiPlanner(floorPlan(1, 1).problem);
    expect(() => stand.plan([1, 1, 0.5, 0, 0, 0, 1])).toThrow(/start that its plane does not reach/);
  });
});

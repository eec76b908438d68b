// Several robots: answers are proven by the independent checker, which is itself held to dense samples.
import { describe, expect, test } from 'vitest';
import { type PlanProblem, type PlanRobot, planMotion, planningSample } from '../../src/planning/index.js';
import { checkInfeasible } from '../oracles/ball-flood.js';
import { measureByBruteForce, placeInFrame } from '../oracles/mesh-distance.js';
import { checkBodies } from '../oracles/path-checker.js';
import { checkAnswer, pairsApart } from '../oracles/plan-checker.js';
import { boxes } from './planning-scenes.js';
import { checkRandomTeam, makeRandomTeam } from './random-teams.js';

const at = (x: number, y: number): number[] => [x, y, 0, 0, 0, 0, 1];

/** A square cart of side 0.6. */
function cart(name: string, from: readonly number[], to: readonly number[], more: Partial<PlanRobot> = {}): PlanRobot {
  return {
    type: 'planar',
    plane: 'xy',
    name,
    mesh: boxes([-0.3, -0.3, -0.3, 0.3, 0.3, 0.3]),
    bounds: { min: [-4, -4, 0], max: [4, 4, 0] },
    start: at(from[0], from[1]),
    goal: at(to[0], to[1]),
    ...more,
  } as PlanRobot;
}

/** Carts whose ways cross in the middle. */
function crossroads(more: Partial<PlanProblem> = {}, speed = {}): PlanProblem {
  return {
    robots: [cart('one', [-2, 0], [2, 0], speed), cart('two', [0, -2], [0, 2], speed)],
    environment: [],
    timeLimit: 20,
    ...more,
  };
}

/** The largest distance of a waypoint from the straight line through start and goal of a robot in the plane. */
function detour(poses: readonly (readonly number[])[]): number {
  const [[ax, ay], [bx, by]] = [poses[0], poses[poses.length - 1]];
  const length = Math.hypot(bx - ax, by - ay);
  return Math.max(...poses.map(([x, y]) => Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length));
}

describe('samples are solved, and the checker proves the paths', () => {
  test.each<[string, Record<string, number>]>([
    ['bay', {}],
    ['crossing', { robots: 6 }],
    ['two-arms', {}],
    ['four-robots', {}],
  ])('%s %o', (name, parameters) => {
    const problem = planningSample(name, parameters);
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    if (name === 'crossing' || name === 'four-robots') expect(result.planner).toBe('prioritized');
    expect(checkAnswer(problem, result)).toEqual([]);
  });
});

test('arms that meet are joined by trees before roadmaps in time are made, with a tenth of their distances', () => {
  const problem = planningSample('two-arms');
  for (const seed of [1, 2, 3]) {
    const { status, planner, counters } = planMotion({ ...problem, seed });
    expect([status, planner]).toEqual(['solved', 'rrt-connect']);
    expect(counters.distanceQueries).toBeLessThan(12_000);
  }
});

test('robots that do not meet are planned alone', () => {
  const robots = [0, 1, 2, 3, 4, 5].map((i) => cart(`cart ${i}`, [-3, -3.5 + 1.4 * i], [3, -3.5 + 1.4 * i]));
  // The straight edge of all robots fails at the last one's wall, so that it is not the answer.
  const wall = { mesh: boxes([-0.1, 3, -1, 0.1, 3.3, 1]) };
  const problem: PlanProblem = { robots, environment: [wall] };
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  expect(checkAnswer(problem, result)).toEqual([]);
  for (const { poses } of result.paths.slice(0, 4)) expect(detour(poses)).toBeLessThan(1e-9);
});

test('an arm and a cart', () => {
  const bar = boxes([0.1, -0.06, -0.06, 1, 0.06, 0.06]);
  const hinge = (i: number) => ({
    name: `hinge ${i}`,
    type: 'revolute' as const,
    parent: `link ${i}`,
    child: `link ${i + 1}`,
    origin: [i === 0 ? 0 : 1.1, 0, 0, 0, 0, 0, 1],
    axis: [0, 0, 1] as const,
    limits: [-3, 3] as const,
  });
  const problem: PlanProblem = {
    robots: [
      {
        type: 'chain',
        name: 'arm',
        links: [{ name: 'link 0' }, { name: 'link 1', mesh: bar }, { name: 'link 2', mesh: bar }],
        joints: [hinge(0), hinge(1)],
        start: [0.2, 0.2],
        goal: [-0.2, -0.2],
        speed: { angular: 1 },
      },
      // The cart comes by where the arm stands at both ends.
      cart('cart', [1.6, -2.6], [1.6, 2.6], { speed: { linear: 1, angular: 1 } }),
    ],
    environment: [{ mesh: boxes([2.6, -0.3, -0.3, 4.5, 0.3, 0.3]) }],
    horizon: 60,
    timeLimit: 20,
  };
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  expect(checkAnswer(problem, result)).toEqual([]);
});

describe('times', () => {
  const speed = { speed: { linear: 1, angular: 1 } };

  test('every edge keeps the speed of every robot, and the last time is that of the slowest', () => {
    const problem = crossroads({ horizon: 12 }, speed);
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
    expect(result.times!.at(-1)).toBeGreaterThanOrEqual(4 * (1 - 1e-9));
    // One of them waits, or both make a little way around.
    expect(result.times!.at(-1)).toBeLessThan(6.5);
  });

  test('nobody waits longer than the others need', () => {
    const { robots, ...rest } = planningSample('bay');
    const problem = { ...rest, robots: robots.map((robot) => ({ ...robot, ...speed })), horizon: 100 };
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
    // The way of one after the way of the other would take as long as both together.
    expect(result.times!.at(-1)).toBeLessThanOrEqual(result.length + result.turning + 1e-9);
    // In every edge some robot is as fast as it may be.
    const [one, two] = result.paths.map(({ poses }) => poses);
    for (let i = 1; i < result.times!.length; i++) {
      const seconds = result.times![i] - result.times![i - 1];
      const speeds = [one, two].flatMap((poses) => {
        const [a, b] = [poses[i - 1], poses[i]];
        const dot = Math.abs([3, 4, 5, 6].reduce((sum, k) => sum + a[k] * b[k], 0));
        return [Math.hypot(b[0] - a[0], b[2] - a[2]) / seconds, (2 * Math.acos(Math.min(1, dot))) / seconds];
      });
      expect(Math.max(...speeds)).toBeCloseTo(1, 5);
    }
  });

  test('the same among obstacles that move', () => {
    const gate = {
      mesh: boxes([-0.2, -0.2, -0.5, 0.2, 0.2, 0.5]),
      motion: [
        { time: 0, pose: at(-3, 2) },
        { time: 9, pose: at(3, -2) },
      ],
    };
    const problem = crossroads({ horizon: 25, environment: [gate], clearance: 0.02 }, speed);
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
  });

  test('a horizon that no speed keeps is named, and claims nothing', () => {
    const result = planMotion(crossroads({ horizon: 3 }, speed));
    expect(result).toMatchObject({ status: 'timeout', paths: [], times: null });
    expect(result.reason).toBe('one needs at least 4 s at its speed, and the horizon is 3 s');
  });

  test('robots without a limit arrive by any horizon', () => {
    const problem = crossroads({ horizon: 0.01 });
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
  });
});

describe('what cannot be', () => {
  test('a robot that is locked in is a proof for all of them', () => {
    const cage = boxes(
      [-3, -3, -1, -1, -2.9, 1],
      [-3, -1.1, -1, -1, -1, 1],
      [-3, -2.9, -1, -2.9, -1.1, 1],
      [-1.1, -2.9, -1, -1, -1.1, 1],
    );
    const problem: PlanProblem = {
      robots: [cart('free', [2, 2], [3, -3]), cart('other', [0, 3], [3, 0]), cart('locked in', [-2, -2], [2, -1])],
      environment: [{ mesh: cage }],
    };
    const result = planMotion(problem);
    expect(result.status).toBe('infeasible');
    expect(result.proof!.robot).toBe('locked in');
    expect(checkInfeasible(problem, result)).toEqual([]);
    const timed = planMotion({ ...problem, horizon: 60 });
    expect(timed.status).toBe('infeasible');
    expect(checkInfeasible(problem, timed)).toEqual([]);
  });

  test('a corridor without a bay has no answer', () => {
    const result = planMotion({ ...planningSample('bay', { depth: 0 }), timeLimit: 1 });
    expect(result).toMatchObject({ status: 'timeout', paths: [], proof: null });
  });

  test.each<[string, PlanProblem, object]>([
    [
      'the same start',
      { robots: [cart('one', [0, 0], [2, 0]), cart('two', [0, 0], [-2, 0])], environment: [] },
      { status: 'invalid-start', reason: 'one and two touch' },
    ],
    [
      'starts that touch',
      { robots: [cart('one', [0, 0], [2, 0]), cart('two', [0.6, 0], [-2, 0])], environment: [] },
      { status: 'invalid-start', reason: 'one and two touch' },
    ],
    [
      'goals that are too near',
      { robots: [cart('one', [0, 0], [2, 0]), cart('two', [1, 0], [2.65, 0])], environment: [], clearance: 0.1 },
      { status: 'invalid-goal', reason: 'one and two are nearer than the clearance of 0.1' },
    ],
    [
      'a start in an obstacle',
      {
        robots: [cart('one', [0, 0], [2, 0]), cart('two', [1, 0], [3, 0])],
        environment: [{ mesh: boxes([3, 3, 0, 4, 4, 1]) }, { mesh: boxes([1, 0, 0, 1.1, 0.1, 1]) }],
      },
      { status: 'invalid-start', reason: 'two and environment 2 touch' },
    ],
    [
      'a start out of bounds',
      { robots: [cart('one', [0, 0], [2, 0]), cart('two', [5, 0], [3, 0])], environment: [] },
      { status: 'invalid-start', reason: 'two is out of its bounds' },
    ],
  ])('%s', (_, problem, answer) => {
    expect(planMotion(problem)).toMatchObject({ ...answer, paths: [] });
  });

  test('a speed of 0', () => {
    const problem = crossroads({ horizon: 9 }, { speed: { linear: 0 } });
    expect(() => planMotion(problem)).toThrow('one: The linear speed is 0; give a finite number above 0.');
  });
});

test('the same seed gives the same paths', () => {
  const [a, b] = [1, 2].map(() => planMotion({ ...planningSample('bay'), seed: 5 }));
  expect(a.paths).toEqual(b.paths);
  expect(a.counters).toEqual(b.counters);
});

test('the checker refutes straight motions of teams where dense samples do, and proves the others', () => {
  let [refuted, proven] = [0, 0];
  for (let seed = 1; seed <= 60; seed++) {
    const problem = makeRandomTeam(seed);
    const paths = problem.robots.map(({ start, goal }) => [
      Array.from(start as number[]),
      Array.from(goal as number[]),
    ]);
    const pairs = pairsApart(problem, paths, [0, 8]);
    const verdicts = pairs.map(({ a, b }) => checkBodies(a, b, 1).verdict);
    for (const [i, { a, b, name }] of pairs.entries()) {
      let least = Infinity;
      for (let k = 0; k <= 60; k++) {
        const placed = placeInFrame(a.mesh.positions, b.poseAt(0, k / 60), a.poseAt(0, k / 60));
        least = Math.min(least, measureByBruteForce(b.mesh, a.mesh, placed).distance);
      }
      if (least === 0) expect([seed, name, verdicts[i]]).toEqual([seed, name, 'refuted']);
      if (verdicts[i] === 'proven') proven++;
      else refuted++;
    }
  }
  expect(refuted / (refuted + proven)).toBeGreaterThan(0.05);
  expect(refuted / (refuted + proven)).toBeLessThan(0.6);
});

/** Random teams; npm run soak asks a thousand. */
const TEAMS = 50;

test('random teams have answers that are proven, or claim nothing', () => {
  const bad: string[] = [];
  const counts: Record<string, number> = {};
  let timed = 0;
  for (let seed = 1; seed <= TEAMS; seed++) {
    const { status, kind, isTimed, bad: found } = checkRandomTeam(seed, 2);
    for (const name of [status, `${kind} ${status}`]) counts[name] = (counts[name] ?? 0) + 1;
    if (isTimed) timed++;
    bad.push(...found);
  }
  expect(bad).toEqual([]);
  // Not all is easy, and every kind is there.
  expect(counts.solved / TEAMS).toBeGreaterThan(0.3);
  expect(counts.solved / TEAMS).toBeLessThan(0.9);
  expect(timed / TEAMS).toBeGreaterThan(0.1);
  for (const kind of ['planar', 'rigid', 'chains', 'mixed']) expect(counts[`${kind} solved`]).toBeGreaterThan(3);
});

// Obstacles that move: paths with times, proven by the independent checker with both sides in motion.
import { describe, expect, test } from 'vitest';
import { type PlanProblem, planMotion } from '../../src/planning/index.js';
import { buildScene } from '../../src/planning/problem/build-scene.js';
import { TimedScene } from '../../src/planning/time/plan-in-time.js';
import { prepareOracle } from '../oracles/mesh-distance.js';
import { checkBodies, keyedBody, movingBody } from '../oracles/path-checker.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { BRICK, boxes, holeProblem } from './planning-scenes.js';

const at = (x: number, y: number, z = 0): number[] => [x, y, z, 0, 0, 0, 1];
const turned = (x: number, y: number, angle: number): number[] => [
  x,
  y,
  0,
  0,
  0,
  Math.sin(angle / 2),
  Math.cos(angle / 2),
];

/** A square robot of side 0.6 in a corridor of width 1 along x, and a door that closes it until it opens. */
function doorProblem(more: Partial<PlanProblem> = {}): PlanProblem {
  return {
    robots: [
      {
        type: 'planar',
        plane: 'xy',
        name: 'cart',
        mesh: boxes([-0.3, -0.3, -0.3, 0.3, 0.3, 0.3]),
        bounds: { min: [-3, -3, 0], max: [3, 3, 0] },
        start: at(-2, 0),
        goal: at(2, 0),
        speed: { linear: 1, angular: 1 },
      },
    ],
    environment: [
      { mesh: boxes([-3.5, 0.5, -1, 3.5, 3.5, 1], [-3.5, -3.5, -1, 3.5, -0.5, 1]) },
      {
        mesh: boxes([-0.1, -0.49, -0.5, 0.1, 0.49, 0.5]),
        motion: [
          { time: 5, pose: at(0, 0) },
          { time: 6, pose: at(0, 0, 3) },
        ],
      },
    ],
    horizon: 20,
    timeLimit: 10,
    ...more,
  };
}

describe('the checker in time', () => {
  const cube = prepareOracle(
    ...(Object.values(boxes([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5])) as [Float64Array, Uint32Array]),
  );
  const across = [at(-3, 0), at(3, 0)];
  const passing = [
    { time: 0, pose: at(0, -3) },
    { time: 6, pose: at(0, 3) },
  ];

  test('refutes two cubes that cross at the same time, and proves them apart at another', () => {
    expect(checkBodies(movingBody(cube, across), keyedBody(cube, passing, [0, 6]), 1).verdict).toBe('refuted');
    expect(checkBodies(movingBody(cube, across), keyedBody(cube, passing, [0, 1]), 1).verdict).toBe('proven');
    // After the last key it stays where it is.
    expect(checkBodies(movingBody(cube, across), keyedBody(cube, passing, [7, 9]), 1).verdict).toBe('proven');
  });
});

describe('a door that opens', () => {
  test('a robot waits for it, at its speed and within the horizon', () => {
    const problem = doorProblem();
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
    expect(result.times!.at(-1)).toBeGreaterThan(6);
    expect(result.times!.at(-1)).toBeLessThan(10);
  });

  test('with a clearance', () => {
    const problem = doorProblem({ clearance: 0.05 });
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(result.clearance!.lower).toBeGreaterThanOrEqual(0.05);
    expect(checkAnswer(problem, result)).toEqual([]);
  });

  test('no path is claimed where the horizon is too near, for the door or for the speed', () => {
    expect(planMotion(doorProblem({ horizon: 5, timeLimit: 0.5 })).status).toBe('timeout');
    const result = planMotion(doorProblem({ horizon: 3 }));
    expect(result.status).toBe('timeout');
    expect(result.milliseconds).toBeLessThan(5000);
    expect(result.paths).toEqual([]);
  });

  test('a start that the door holds at time 0 is invalid, as is one in a wall', () => {
    const { robots, ...rest } = doorProblem();
    const start = (x: number, y: number): PlanProblem => ({
      ...rest,
      robots: [{ ...robots[0], start: at(x, y) } as never],
    });
    expect(planMotion(start(0, 0)).status).toBe('invalid-start');
    expect(planMotion(start(-2, 1)).status).toBe('invalid-start');
  });

  test('without speeds and without a horizon there is a path too', () => {
    const { robots, horizon: _, ...rest } = doorProblem();
    const problem = { ...rest, robots: [{ ...robots[0], speed: undefined }] };
    const result = planMotion(problem);
    expect(result.status).toBe('solved');
    expect(checkAnswer(problem, result)).toEqual([]);
  });

  test('the same seed gives the same path', () => {
    const [a, b] = [planMotion(doorProblem({ seed: 3 })), planMotion(doorProblem({ seed: 3 }))];
    expect(a.paths).toEqual(b.paths);
    expect(a.times).toEqual(b.times);
  });
});

test('an edge backwards in time meets what passes between two keys', () => {
  const { robots } = doorProblem();
  const motion = [3, 3, -3, 3].map((x, time) => ({ time, pose: at(x, 0) }));
  const { scene, timed } = buildScene({ robots, environment: [{ mesh: BRICK, motion }], horizon: 3 }, 0);
  const whole = new TimedScene(scene, timed!);
  const [first, last] = [0, 3].map((time) => whole.at(Float64Array.of(0, 0, 0), time));
  expect(whole.moving.isFree(first) && whole.moving.isFree(last)).toBe(true);
  // The brick comes to the robot at 0 when it is 0.8 from it, after 1 + 2.2 / 6 seconds, and leaves it at 3 − 2.2 / 6.
  expect(whole.moving.advance(first, last)).toBeCloseTo((1 + 2.2 / 6) / 3, 3);
  expect(whole.moving.advance(last, first)).toBeCloseTo(2.2 / 6 / 3, 3);
});

test('a lift carries a brick: it has to move along', () => {
  // Shelves left and right, and a lift of 1.4 that goes from one to the other in 8 seconds; nothing holds between.
  const car = boxes(
    [-0.7, -0.6, -0.5, 0.7, -0.5, 0.5],
    [-0.7, 0.5, -0.5, 0.7, 0.6, 0.5],
    [0.6, -0.5, -0.5, 0.7, 0.5, 0.5],
  );
  const problem: PlanProblem = {
    robots: [
      {
        type: 'planar',
        plane: 'xy',
        mesh: boxes([-0.3, -0.2, -0.2, 0.3, 0.2, 0.2]),
        bounds: { min: [-4, -1, 0], max: [2, 5, 0] },
        start: at(-3, 0),
        goal: at(-3, 4),
        speed: { linear: 2, angular: 2 },
      },
    ],
    environment: [
      // A wall with slots at both ends of the shaft: the only way is through the shaft, in the car.
      { mesh: boxes([-1.2, 0.55, -1, -1, 3.45, 1], [-4.5, 1.8, -1, -1.2, 2.2, 1]) },
      {
        mesh: car,
        motion: [
          { time: 3, pose: at(-0.2, 0) },
          { time: 11, pose: at(-0.2, 4) },
        ],
      },
      // A press that follows under the car.
      {
        mesh: boxes([-0.95, -6, -0.5, 2.9, -0.7, 0.5]),
        motion: [
          { time: 3, pose: at(0, 0) },
          { time: 11, pose: at(0, 4) },
        ],
      },
    ],
    horizon: 20,
    timeLimit: 20,
  };
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  expect(checkAnswer(problem, result)).toEqual([]);
});

test('a brick passes a bar that turns through the hole, in space', () => {
  const problem: PlanProblem = {
    ...holeProblem(2.4),
    environment: [
      ...holeProblem(2.4).environment,
      {
        mesh: boxes([-3, -0.05, -0.05, 3, 0.05, 0.05]),
        motion: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => {
          return { time: 2 * k, pose: [0, 0, 0.3, 0, 0, Math.sin(k / 2), Math.cos(k / 2)] };
        }),
      },
    ],
    robots: [{ ...holeProblem(1).robots[0], speed: { linear: 1, angular: 1 } }],
    horizon: 30,
    timeLimit: 20,
  };
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  expect(checkAnswer(problem, result)).toEqual([]);
});

test('an arm of two bars lets a post pass', () => {
  const bar = boxes([0, -0.05, -0.05, 1, 0.05, 0.05]);
  const problem: PlanProblem = {
    robots: [
      {
        type: 'chain',
        links: [{ name: 'base' }, { name: 'upper', mesh: bar }, { name: 'lower', mesh: bar }],
        joints: [
          { name: 'shoulder', type: 'revolute', parent: 'base', child: 'upper', axis: [0, 0, 1], limits: [-3, 3] },
          {
            name: 'elbow',
            type: 'revolute',
            parent: 'upper',
            child: 'lower',
            origin: [1, 0, 0.11, 0, 0, 0, 1],
            axis: [0, 0, 1],
            limits: [-3, 3],
          },
        ],
        start: [-1, 0],
        goal: [1, 0],
        speed: { angular: 1 },
      },
    ],
    environment: [
      {
        mesh: boxes([-0.1, -0.1, -1, 0.1, 0.1, 1]),
        motion: [
          { time: 0, pose: at(1.5, 0) },
          { time: 2, pose: at(1.5, 0) },
          { time: 6, pose: at(4, 0) },
        ],
      },
    ],
    horizon: 12,
    timeLimit: 10,
  };
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  expect(checkAnswer(problem, result)).toEqual([]);
});

test('two robots change places around a moving box', () => {
  const robot = (x: number): PlanProblem['robots'][number] => ({
    type: 'planar',
    plane: 'xy',
    mesh: BRICK,
    bounds: { min: [-3, -3, 0], max: [3, 3, 0] },
    start: at(x, 0),
    goal: at(-x, 0),
    speed: { linear: 1, angular: 1 },
  });
  const problem: PlanProblem = {
    robots: [robot(-2), robot(2)],
    environment: [
      {
        mesh: boxes([-0.4, -0.4, -0.4, 0.4, 0.4, 0.4]),
        motion: [
          { time: 0, pose: turned(0, -2.5, 0) },
          { time: 10, pose: turned(0, 2.5, 2) },
        ],
      },
    ],
    horizon: 30,
    timeLimit: 20,
  };
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  expect(checkAnswer(problem, result)).toEqual([]);
});

test('what obstacles at rest close for a ball inside of the robot is infeasible at all times', () => {
  const closed = holeProblem(0.7);
  const gate = { mesh: boxes([-1, -1, -1, 1, 1, 1]), motion: [{ time: 0, pose: at(0, 0, 9) }] };
  const result = planMotion({ ...closed, environment: [...closed.environment, gate] });
  expect(result.status).toBe('infeasible');
  expect(result.proof!.radius).toBeGreaterThan(0.105);
});

describe('motions that are none', () => {
  const problem = (motion: unknown, more: object = {}): PlanProblem => {
    const { environment, ...rest } = doorProblem();
    return { ...rest, environment: [environment[0], { ...environment[1], motion, ...more } as never] };
  };
  test.each<[string, PlanProblem, RegExp]>([
    ['no keys', problem([]), /environment 2: has the motion an array of 0; give \[\{ time, pose \}/],
    ['no time', problem([{ pose: at(0, 0) }]), /environment 2: has the time undefined at keyframe 1/],
    ['times that descend', problem([5, 4].map((time) => ({ time, pose: at(0, 0) }))), /keyframe 2 at 4, not after 5/],
    [
      'half a turn',
      problem([0, 1].map((time) => ({ time, pose: turned(0, 0, time * Math.PI) }))),
      /180 degrees up to keyframe 2/,
    ],
    ['a pose besides', problem([{ time: 0, pose: at(0, 0) }], { pose: at(0, 0) }), /a pose and a motion/],
    ['a horizon of 0', doorProblem({ horizon: 0 }), /horizon is 0/],
    [
      'a speed below 0',
      { ...doorProblem(), robots: [{ ...doorProblem().robots[0], speed: { linear: -1 } }] },
      /cart: The linear speed is -1/,
    ],
    [
      'an unknown speed',
      { ...doorProblem(), robots: [{ ...doorProblem().robots[0], speed: { radial: 1 } as never }] },
      /radial/,
    ],
  ])('%s', (_, given, message) => {
    expect(() => planMotion(given)).toThrow(message);
  });
});

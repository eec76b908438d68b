import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { boxMesh, outerSphere } from '../../src/kinematics/urdf/outer-shapes.js';
import { planningSample } from '../../src/samples/planning/catalogue.js';
import { certifyTrajectory } from '../../src/sweep/trajectory/certify-trajectory.js';
import type { MotionProblem } from '../../src/sweep/trajectory/motion-problem.js';
import type { JointTrajectory, JointWaypoint } from '../../src/sweep/trajectory/motion-trajectory.js';
import { sampleTrajectory } from '../../src/sweep/trajectory/sample-trajectory.js';
import { codeOf } from '../error-code.js';
import { distanceToRod, pendulum, SPECK } from './pendulum.js';

/** The polynomial of a piece, by Hermite's formulas in powers: nothing of it is shared with the library. */
function hermite(a: JointWaypoint, b: JointWaypoint, time: number): number {
  const h = b.time! - a.time!;
  const t = (time - a.time!) / h;
  const [p, q] = [a.positions[0], b.positions[0]];
  if (a.velocities === undefined || b.velocities === undefined) return p + t * (q - p);
  const [v, w] = [h * a.velocities[0], h * b.velocities[0]];
  if (a.accelerations === undefined || b.accelerations === undefined) {
    return p * (1 + 2 * t) * (1 - t) ** 2 + v * t * (1 - t) ** 2 + q * t * t * (3 - 2 * t) + w * t * t * (t - 1);
  }
  const [c, d] = [(h * h * a.accelerations[0]) / 2, (h * h * b.accelerations[0]) / 2];
  const [r, s, u] = [q - p - v - c, w - v - 2 * c, 2 * d - 2 * c];
  return (
    p +
    v * t +
    c * t * t +
    (10 * r - 4 * s + u / 2) * t ** 3 +
    (7 * s - 15 * r - u) * t ** 4 +
    (6 * r - 3 * s + u / 2) * t ** 5
  );
}

/** The least distance of the rod from a point over a trajectory, by many samples: off by no more than a sample's step. */
function leastByFormula(point: readonly number[], points: readonly JointWaypoint[]): number {
  let least = Infinity;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    for (let k = 0; k <= 4000; k++) {
      const time = a.time! + ((b.time! - a.time!) * k) / 4000;
      least = Math.min(least, distanceToRod(point, hermite(a, b, time)));
    }
  }
  return least;
}

describe('certifyTrajectory', () => {
  it.each(['straight', 'cubic', 'quintic'])('brackets the closed form of a pendulum past a point: %s', (kind) => {
    const random = createRandom(7);
    let violated = 0;
    for (let round = 0; round < 10; round++) {
      const angle = random.range(-3, 3);
      const point = [1.02 * Math.cos(angle) + random.range(-0.2, 0.2), 1.02 * Math.sin(angle), 0] as const;
      const points = Array.from({ length: 4 }, (_, i): JointWaypoint => {
        return {
          time: i * random.range(0.9, 1),
          positions: [random.range(-1.4, 1.4)],
          ...(kind === 'straight' ? {} : { velocities: [random.range(-2, 2)] }),
          ...(kind === 'quintic' ? { accelerations: [random.range(-4, 4)] } : {}),
        };
      });
      const wanted = random.range(0.05, 0.6);
      const { verdict, clearance } = certifyTrajectory(
        pendulum(point),
        { joints: ['hinge'], points },
        { clearance: wanted },
      );
      const least = leastByFormula(point, points);
      // The rod and the point have sizes.
      const sizes = 4 * SPECK;
      expect(clearance!.lower).toBeLessThanOrEqual(least + 1e-9);
      expect(clearance!.upper).toBeGreaterThanOrEqual(least - sizes - 1e-3);
      if (clearance!.upper > 0) expect(clearance!.lower).toBeGreaterThanOrEqual(0.98 * clearance!.upper - 1e-12);
      expect(clearance!.upper).toBeLessThanOrEqual(1.0102 * Math.max(0, least) + 1e-9);
      expect(verdict).not.toBe('undecided');
      if (Math.abs(least - wanted) > 2 * sizes + 1e-3) expect(verdict).toBe(least < wanted ? 'violated' : 'holds');
      if (verdict === 'violated') violated++;
    }
    expect(violated).toBeGreaterThan(0);
    expect(violated).toBeLessThan(10);
  });

  it('finds a trajectory that grazes between waypoints, where sampling at a thousand times sees nothing', () => {
    // The rod passes a speck within a ten-thousandth of a turn, and each waypoint is far from it.
    const problem = pendulum([0.999, 0.0003, 0]);
    const points = [0, 1, 2].map((time) => ({ time, positions: [[-1, 1.1, 0.9][time]] }));
    const trajectory: JointTrajectory = { joints: ['hinge'], points };
    const { verdict, segments } = certifyTrajectory(problem, trajectory);
    const sampled = sampleTrajectory(problem, trajectory, { frames: 1000 });
    expect(sampled.frames.some((frame) => frame.clearance === 0)).toBe(false);
    expect(verdict).toBe('violated');
    expect(segments.map((segment) => segment.verdict)).toEqual(['violated', 'holds']);
    const [{ time, a, b, depth, pointA }] = segments;
    expect([a, b]).toEqual(['rod', 'speck']);
    expect(time).toBeCloseTo(1 / 2.1, 3);
    expect(pointA![0]).toBeCloseTo(0.999, 3);
    expect(depth!.upper).toBeGreaterThan(0);
    expect(depth!.lower).toBeLessThanOrEqual(depth!.upper);
  });

  it('finds what cubics do between waypoints that straight lines do not', () => {
    const problem = pendulum([0, 1.1, 0]);
    const points = [
      { time: 0, positions: [1], velocities: [3] },
      { time: 1, positions: [1], velocities: [-3] },
    ];
    const trajectory = { joints: ['hinge'], points };
    // By cubics the rod goes to 1.75 and back, past the speck at π / 2.
    expect(certifyTrajectory(problem, trajectory, { clearance: 0.15 }).verdict).toBe('violated');
    expect(certifyTrajectory(problem, trajectory, { clearance: 0.15, interpolation: 'linear' }).verdict).toBe('holds');
  });

  it('brackets the distance of a body that goes straight past a sphere', () => {
    const random = createRandom(3);
    for (let round = 0; round < 8; round++) {
      const offset = random.range(0.5, 1.5);
      const problem: MotionProblem = {
        robots: [{ type: 'rigid', name: 'ball', mesh: outerSphere(0.2) }],
        environment: [{ mesh: outerSphere(0.3), pose: [0, 0, 0, 0, 0, 0, 1] }],
      };
      const points = [-2, 1.5].map((x, i) => ({ time: 3 * i, pose: [x, offset, 0, 0, 0, 0, 1] as const }));
      const { clearance } = certifyTrajectory(problem, { points });
      // The meshes are outside of the balls by less than a hundredth of their radii.
      expect(clearance!.lower).toBeLessThanOrEqual(Math.max(0, offset - 0.5));
      expect(clearance!.upper).toBeGreaterThanOrEqual(Math.max(0, offset - 0.5 * 1.05));
      expect(clearance!.lower).toBeGreaterThanOrEqual(0.98 * clearance!.upper);
    }
  });

  it('keeps several robots and moving obstacles on one clock', () => {
    const cube = boxMesh([0.2, 0.2, 0.2]);
    const problem: MotionProblem = {
      robots: [
        { type: 'rigid', name: 'a', mesh: cube },
        { type: 'rigid', name: 'b', mesh: cube },
      ],
      environment: [
        {
          name: 'cart',
          mesh: cube,
          motion: [
            { time: 0, pose: [5, 0, 0, 0, 0, 0, 1] },
            { time: 10, pose: [-5, 0, 0, 0, 0, 0, 1] },
          ],
        },
      ],
    };
    const goes = (body: string, from: number, to: number, y: number) => ({
      body,
      points: [
        { time: from, pose: [-1, y, 0, 0, 0, 0, 1] as const },
        { time: to, pose: [1, y, 0, 0, 0, 0, 1] as const },
      ],
    });
    // The cart is at the origin at 5 s; a passes there at 3 s and again, if it starts later, at 5 s.
    const early = certifyTrajectory(problem, [goes('a', 2, 3, 0), goes('b', 0, 9, 1)]);
    const late = certifyTrajectory(problem, [goes('a', 4, 6, 0), goes('b', 0, 9, 1)]);
    const apart = certifyTrajectory(problem, [goes('a', 4, 6, 3), goes('b', 0, 9, 1)]);
    expect(late.verdict).toBe('violated');
    expect(late.segments.find((segment) => segment.verdict === 'violated')!.b).toBe('cart');
    expect(apart.verdict).toBe('holds');
    expect(apart.clearance!.upper).toBeCloseTo(0.8, 9);
    expect(early.verdict).toBe('violated');
    expect(early.segments.length).toBe(3);
  });

  it('agrees with dense samples both ways on an arm that goes by quintics', () => {
    const problem = planningSample('arm');
    const random = createRandom(11);
    const robot = problem.robots[0];
    const start = Array.from(robot.start as ArrayLike<number>);
    let held = 0;
    for (let round = 0; round < 4; round++) {
      const reach = round < 2 ? 0.04 : 0.3;
      const points = Array.from({ length: 4 }, (_, i) => ({
        time: i,
        positions: start.map((value) => value + (i === 0 ? 0 : random.range(-reach, reach))),
        velocities: start.map(() => random.range(-reach, reach)),
        accelerations: start.map(() => random.range(-reach, reach)),
      }));
      const chain = robot as Extract<typeof robot, { type: 'chain' }>;
      const names = chain.joints.filter(({ type }) => type !== 'fixed').map(({ name }) => name);
      expect(names.length).toBe(6);
      const trajectory = { joints: names, points };
      const { verdict, clearance, proven, segments } = certifyTrajectory(problem, trajectory);
      const { frames } = sampleTrajectory(problem, trajectory, { frames: 120 });
      const least = Math.min(...frames.map((frame) => frame.clearance));
      expect(clearance!.lower).toBeLessThanOrEqual(least);
      expect(clearance!.upper).toBeGreaterThanOrEqual(clearance!.lower);
      if (least === 0) expect(verdict).toBe('violated');
      for (const { time, clearance: had } of frames) {
        for (const { from, to, lower } of proven)
          if (time >= from && time <= to) expect(had).toBeGreaterThanOrEqual(lower);
      }
      if (verdict === 'holds') {
        held++;
        expect(segments.every((segment) => segment.lower > 0)).toBe(true);
        // The samples are not far from the nearest place.
        expect(clearance!.upper).toBeGreaterThan(0.5 * least);
      }
    }
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(4);
  });

  it('bounds fingers that follow one value from both sides', () => {
    const finger = boxMesh([0.1, 0.4, 0.1]);
    const slide = { type: 'prismatic' as const, parent: 'palm', limits: [0, 1] as const };
    const problem: MotionProblem = {
      robots: [
        {
          type: 'chain',
          name: 'gripper',
          links: [{ name: 'palm' }, { name: 'left', mesh: finger }, { name: 'right', mesh: finger }],
          joints: [
            { ...slide, name: 'grip', child: 'left', origin: [-0.5, 0, 0, 0, 0, 0, 1], axis: [1, 0, 0] },
            {
              ...slide,
              name: 'follow',
              child: 'right',
              origin: [0.5, 0, 0, 0, 0, 0, 1],
              axis: [-1, 0, 0],
              mimic: { joint: 'grip' },
            },
          ],
        },
      ],
      environment: [],
    };
    // The cubic reaches 0.4 at 1 s with this slope, and goes to 0.4 + 4/27 · 0.3 on its way back.
    const points = [
      { time: 0, positions: [0.1], velocities: [0] },
      { time: 1, positions: [0.4], velocities: [0.3] },
      { time: 2, positions: [0.4], velocities: [0] },
    ];
    const { clearance, verdict } = certifyTrajectory(problem, { joints: ['grip'], points });
    const least = 0.9 - 2 * (0.4 + (4 / 27) * 0.3);
    expect(verdict).toBe('holds');
    expect(clearance!.lower).toBeLessThanOrEqual(least + 1e-9);
    expect(clearance!.lower).toBeGreaterThan(0.98 * least);
    expect(clearance!.upper).toBeCloseTo(least, 4);
  });

  it('moves two arms by the names of their robots, and says what stays', () => {
    const problem = pendulum([3, 3, 0]);
    const chain = problem.robots[0] as Extract<MotionProblem['robots'][number], { type: 'chain' }>;
    const robots = [chain, { ...chain, name: 'other', base: [0, 0, 0.5, 0, 0, 0, 1] as const }];
    const goes = (name: string) => ({ joints: [name], points: [0, 1].map((time) => ({ time, positions: [time] })) });
    expect(() => certifyTrajectory({ ...problem, robots }, goes('hinge'))).toThrow(/several robots have/);
    const { notes, clearance } = certifyTrajectory({ ...problem, robots }, goes('other/hinge'));
    expect(notes).toEqual(['pendulum: nothing is said of these joints; they stay: hinge at 0.']);
    expect(clearance!.upper).toBeCloseTo(0.5 - 2 * SPECK, 9);
    expect(certifyTrajectory({ ...problem, robots }, [goes('other/hinge'), goes('pendulum/hinge')]).notes).toEqual([]);
  });

  it('reports joints that leave their limits between waypoints', () => {
    const points = [
      { time: 0, positions: [0.9], velocities: [1] },
      { time: 1, positions: [0.9], velocities: [-1] },
    ];
    const problem = pendulum([3, 3, 0], [-1, 1]);
    const chain = problem.robots[0] as Extract<MotionProblem['robots'][number], { type: 'chain' }>;
    const joints = chain.joints.map((joint) => ({ ...joint, velocity: 0.5, acceleration: 3 }));
    const { limits, verdict } = certifyTrajectory(
      { ...problem, robots: [{ ...chain, joints }] },
      { joints: ['hinge'], points },
    );
    expect(verdict).toBe('holds');
    expect(limits.map(({ kind }) => kind)).toEqual(['position', 'velocity', 'velocity']);
    // The cubic is 0.9 + t (1 − t).
    expect(limits[0].value).toBeCloseTo(1.15, 6);
    expect(limits[0].time).toBeCloseTo(0.5, 3);
    expect(limits[1].value).toBeCloseTo(1, 9);
    expect(limits[2].value).toBeCloseTo(-1, 9);
  });

  it('decides nothing without time, and says so', () => {
    const points = [0, 1].map((time) => ({ time, positions: [time] }));
    const { verdict, segments, clearance } = certifyTrajectory(
      pendulum([0.8, 0.9, 0]),
      { joints: ['hinge'], points },
      { maxSeconds: 0 },
    );
    expect(verdict).toBe('undecided');
    expect(segments[0].lower).toBe(0);
    expect(clearance!.upper).toBeGreaterThan(0);
  });

  it('gives the same answer twice', () => {
    const points = [0, 1].map((time) => ({ time, positions: [1.2 * time] }));
    const problem = pendulum([0.8, 0.9, 0]);
    const run = () => certifyTrajectory(problem, { joints: ['hinge'], points }).clearance;
    expect(run()).toEqual(run());
  });

  it('says what is wrong with a trajectory', () => {
    const problem = pendulum([2, 2, 0]);
    const certify = (trajectory: unknown) => () => certifyTrajectory(problem, trajectory as JointTrajectory);
    const at = (...times: number[]) => times.map((time) => ({ time, positions: [time] }));
    expect(codeOf(certify({ joints: ['elbow'], points: at(0, 1) }))).toBe('bad-argument');
    expect(certify({ joints: ['elbow'], points: at(0, 1) })).toThrow(/elbow.*those that move are hinge/);
    expect(certify({ joints: ['hinge'], points: at(0, 2, 1) })).toThrow(/point 3 is at 1 s, not after 2 s/);
    expect(certify({ joints: ['hinge'], points: [{ time: 0, positions: [1, 2] }] })).toThrow(
      /point 1 has the positions/,
    );
    expect(certify({ joints: ['hinge'], points: [] })).toThrow(/no points/);
    expect(certify({ points: [{ time: 0, pose: [0, 0, 0, 0, 0, 0, 1] }] })).toThrow(/rigid robots are none/);
    expect(certify(7)).toThrow(/The trajectory is 7/);
    expect(certify([])).toThrow(/no trajectory/);
    expect(
      certify([
        { joints: ['hinge'], points: at(0) },
        { joints: ['hinge'], points: at(0) },
      ]),
    ).toThrow(/moves already/);
    const options = { clearance: -1 };
    expect(() => certifyTrajectory(problem, { joints: ['hinge'], points: at(0, 1) }, options)).toThrow(/clearance/);
  });

  it('counts its work: a clear trajectory needs little more than a proof for each segment', () => {
    const points = Array.from({ length: 201 }, (_, i) => ({ time: i / 100, positions: [Math.sin(i / 40)] }));
    const { verdict, queries } = certifyTrajectory(
      pendulum([0.2, 1.2, 0]),
      { joints: ['hinge'], points },
      { relativeError: 0.1 },
    );
    expect(verdict).toBe('holds');
    expect(queries).toBeLessThan(600);
  });
});

// What planes between hulls prove of links, against distances over all triangles at many places of an edge, with placements by
// kinematics of their own; and how links move, against differences of their places.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ChainMotion, FRAME } from '../../src/kinematics/filter/chain-motion.js';
import { HullFilter } from '../../src/kinematics/filter/hull-filter.js';
import { SupportCells } from '../../src/kinematics/filter/support-cells.js';
import { buildChain } from '../../src/kinematics/robot/build-chain.js';
import type { PlanJoint } from '../../src/kinematics/robot/chain-description.js';
import type { ChainRobot } from '../../src/kinematics/robot/chain-robot.js';
import { farthestVertex } from '../../src/kinematics/robot/rigid-robot.js';
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import { ProximityModel } from '../../src/proximity/index.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { boxes, wallWithHole } from '../planning/planning-scenes.js';

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

/** Two boxes at a right angle, whose hull is far from them. */
const BENT = boxes([-0.1, -0.1, 0, 0.1, 0.1, 0.8], [-0.1, 0.1, 0.6, 0.1, 0.6, 0.8]);

/** Turns, a slide and turns again. */
function arm(): ChainRobot {
  const links = ['base', 'a', 'b', 'c'].map((name, i) => ({
    name,
    mesh: i % 2 === 0 ? boxMesh([0.2, 0.2, 0.8]) : BENT,
  }));
  const joints: PlanJoint[] = [
    {
      name: 'turn',
      type: 'revolute',
      axis: [0, 0.6, 0.8],
      limits: [-3, 3],
      parent: 'base',
      child: 'a',
      origin: [0.1, 0.3, 0.9, 0, 0, 0, 1],
    },
    {
      name: 'slide',
      type: 'prismatic',
      axis: [1, 0, 0],
      limits: [-0.5, 1],
      parent: 'a',
      child: 'b',
      origin: [0, 0.2, 0.9, 0, 0.6, 0, 0.8],
    },
    {
      name: 'last',
      type: 'revolute',
      axis: [1, 0, 0],
      limits: [-2, 2],
      parent: 'b',
      child: 'c',
      origin: [0.4, 0, 0.6, 0, 0, 0, 1],
    },
  ];
  return buildChain({ type: 'chain', links, joints }, 'arm', 0);
}

function motionOf(robot: ChainRobot): ChainMotion {
  return new ChainMotion(
    [robot],
    3,
    robot.links.map(({ model }) => farthestVertex(model.mesh.positions)),
  );
}

test('the farthest point in a direction is the farthest of all', () => {
  const random = createRandom(5);
  for (const count of [8, 20, 300]) {
    const points = Float64Array.from({ length: 3 * count }, () => random.range(-1, 1));
    const cells = new SupportCells(points);
    // One direction alone, or that and the opposite one.
    const directions = new Float64Array(6);
    const places = new Int32Array(2);
    for (let i = 0; i < 3000; i++) {
      const [u, v, w] =
        i < 6
          ? [i % 3 === 0, i % 3 === 1, i % 3 === 2].map((one) => (i < 3 ? 1 : -1) * Number(one))
          : [0, 0, 0].map(() => random.normal());
      let most = -Infinity;
      for (let k = 0; k < points.length; k += 3)
        most = Math.max(most, points[k] * u + points[k + 1] * v + points[k + 2] * w);
      directions.set([u, v, w, -u, -v, -w]);
      const heights = Float64Array.of(0, 10);
      cells.reach(directions, 1 + (i % 2), places, heights);
      expect(heights[0]).toBe(most);
      const [x, y, z] = points.subarray(places[0], places[0] + 3);
      expect(x * u + y * v + z * w).toBe(most);
      if (i % 2 === 0) continue;
      let least = Infinity;
      for (let k = 0; k < points.length; k += 3)
        least = Math.min(least, points[k] * u + points[k + 1] * v + points[k + 2] * w);
      expect(heights[1]).toBe(10 - least);
    }
  }
});

test('velocities, accelerations and what carries them are those of places a moment before and after', () => {
  const robot = arm();
  const motion = motionOf(robot);
  const random = createRandom(3);
  const step = 1e-4;
  const seen = new Float64Array(FRAME);
  const sample = (): Float64Array => Float64Array.from(robot.limits, ([low, high]) => random.range(low, high));
  for (let i = 0; i < 20; i++) {
    const [a, b] = [sample(), sample()];
    motion.begin(a, b);
    const frameAt = (t: number, link: number, from: number): Float64Array => {
      motion.place(a.map((value, k) => value + t * (b[k] - value)));
      if (from >= 0) motion.writeRelative(from, link, seen);
      else seen.set(motion.frames.subarray(motion.bodyFrames[link], motion.bodyFrames[link] + FRAME));
      return seen.slice();
    };
    for (const [link, from] of [
      [3, -1],
      [2, -1],
      [3, 1],
      [2, 1],
      [1, 0],
    ]) {
      const p = [random.normal(), random.normal(), random.normal()];
      const placeOf = (f: Float64Array): number[] =>
        [0, 1, 2].map((r) => f[9 + r] + f[3 * r] * p[0] + f[3 * r + 1] * p[1] + f[3 * r + 2] * p[2]);
      const [before, now, after] = [0.5 - step, 0.5, 0.5 + step].map((t) => placeOf(frameAt(t, link, from)));
      const f = frameAt(0.5, link, from);
      const [x, y, z] = now.map((value, k) => value - f[9 + k]);
      const cross = ([u, v, w]: readonly number[], [k, l, m]: readonly number[]): number[] => [
        v * m - w * l,
        w * k - u * m,
        u * l - v * k,
      ];
      const turned = cross(f.subarray(12, 15) as unknown as number[], [x, y, z]);
      const twice = cross(f.subarray(12, 15) as unknown as number[], turned);
      const speeding = cross(f.subarray(18, 21) as unknown as number[], [x, y, z]);
      for (let k = 0; k < 3; k++) {
        expect(f[15 + k] + turned[k]).toBeCloseTo((after[k] - before[k]) / (2 * step), 4);
        expect(f[21 + k] + twice[k] + speeding[k]).toBeCloseTo((after[k] - 2 * now[k] + before[k]) / step ** 2, 3);
      }
    }
  }
});

test('stretches that hulls call clear keep their distance, of obstacles and of links', () => {
  const robot = arm();
  const motion = motionOf(robot);
  const obstacle = {
    name: 'wall',
    model: new ProximityModel(wallWithHole(5)),
    pose: [0.1, 0.3, 1.3, 0, 0, 0.6, 0.8] as never,
  };
  const hulls = new HullFilter(
    robot.links.map(({ model }) => model),
    [obstacle],
    motion,
  );
  hulls.prepare();
  const wall = placeInFrame(obstacle.model.mesh.positions, IDENTITY, obstacle.pose);
  const oracle = prepareOracle(wall, obstacle.model.mesh.indices);
  const random = createRandom(8);
  const counts = { clear: 0, deep: 0, open: 0 };
  const placed = (q: Float64Array, link: number): Float64Array => {
    return placeInFrame(
      robot.links[link].model.mesh.positions,
      IDENTITY,
      robot.frameAt(q, robot.linkNames.indexOf(robot.links[link].name)).slice(),
    );
  };
  for (let i = 0; i < 250; i++) {
    const a = Float64Array.from(robot.limits, ([low, high]) => random.range(low, high));
    const half = 0.5 ** (1 + random.integer(8));
    const b = a.map((value) => value + random.range(-0.8, 0.8));
    const [link, other] = [1 + random.integer(3), i % 3 === 0 ? -1 : 0];
    motion.begin(a, b);
    motion.place(a.map((value, k) => (value + b[k]) / 2));
    const between = other < 0 ? null : motion.moversBetween(other, link);
    const clearance = random.range(0, 0.1);
    const rest = (motion.jerk(link) * half ** 3) / 6;
    const question = {
      half,
      limit: clearance + rest,
      bent: (motion.bend(link) * half * half) / 2 + rest,
      isDeep: false,
    };
    const ask = (): boolean =>
      other < 0 ? hulls.clearsObstacles(link, question) : hulls.clearsLinks(other, link, question);
    expect(between === null).toBe(other < 0);
    const isShallow = ask();
    question.isDeep = true;
    if (!ask()) {
      expect(isShallow).toBe(false);
      counts.open++;
      continue;
    }
    counts[isShallow ? 'clear' : 'deep']++;
    for (let k = 0; k <= 6; k++) {
      const t = 0.5 + half * (k / 3 - 1);
      const q = a.map((value, n) => value + t * (b[n] - value));
      const own = placed(q, link);
      const second = other < 0 ? oracle : prepareOracle(placed(q, other), robot.links[other].model.mesh.indices);
      const { distance } = measureByBruteForce(second, prepareOracle(own, robot.links[link].model.mesh.indices));
      expect(distance).toBeGreaterThan(clearance);
    }
  }
  expect(Math.min(counts.clear, counts.open)).toBeGreaterThan(20);
  expect(counts.deep).toBeGreaterThan(5);
});

// How far edges are proven, against distances over all triangles at many places of the edge; chains by kinematics of their
// own.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { ChainRobot } from '../../src/kinematics/robot/chain-robot.js';
import { RigidRobot } from '../../src/kinematics/robot/rigid-robot.js';
import { CollisionScene } from '../../src/kinematics/validity/collision-scene.js';
import { LinkBalls } from '../../src/kinematics/validity/link-balls.js';
import { ClearanceMap } from '../../src/planning/workspace/clearance-map.js';
import { ProximityModel } from '../../src/proximity/index.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { poseBetween } from '../oracles/slerp-motion.js';
import { BRICK, boxes, wallWithHole } from '../planning/planning-scenes.js';

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

describe('edges of a rigid robot', () => {
  test('are free as far as they are proven, and end where something is near', () => {
    const wall = wallWithHole(1.5);
    const robot = new RigidRobot('brick', 0, new ProximityModel(BRICK), { min: [-3, -3, -3], max: [3, 3, 3] });
    const obstacle = { name: 'wall', model: new ProximityModel(wall), pose: pose.identity() };
    const random = createRandom(7);
    const [a, b] = [new Float64Array(7), new Float64Array(7)];
    const [oracleWall, oracleBrick] = [wall, BRICK].map(({ positions, indices }) => prepareOracle(positions, indices));
    const distanceAt = (t: number): number => {
      const placed = placeInFrame(BRICK.positions, IDENTITY, poseBetween(a, b, t));
      return measureByBruteForce(oracleWall, oracleBrick, placed).distance;
    };
    let ended = 0;
    for (const clearance of [0, 0.03]) {
      const scene = new CollisionScene([robot], [obstacle], clearance);
      for (let i = 0; i < 60; i++) {
        do robot.sample(random, a);
        while (!scene.isFree(a));
        robot.sample(random, b);
        const share = scene.advance(a, b);
        for (let k = 0; k <= 12; k++) expect(distanceAt((k / 12) * share)).toBeGreaterThan(clearance - 1e-12);
        if (share === 1) continue;
        ended++;
        // Where an edge ends, the distance is nearly the clearance.
        expect(distanceAt(share)).toBeLessThan(clearance + 1e-3);
      }
    }
    expect(ended).toBeGreaterThan(20);
  });

  test('after obstacles have moved, answers are those of a scene made anew', () => {
    const robot = new RigidRobot('brick', 0, new ProximityModel(BRICK), { min: [-3, -3, -3], max: [3, 3, 3] });
    const models = [boxes([-0.5, -1, -0.5, 0.5, 1, 0.5]), wallWithHole(1.5)].map((mesh) => new ProximityModel(mesh));
    const make = (poses: readonly pose.Pose[]): CollisionScene => {
      const obstacles = models.map((model, i) => ({
        name: 'part',
        model,
        pose: [...poses[i]] as pose.Pose,
      }));
      return new CollisionScene([robot], obstacles, 0.01);
    };
    const random = createRandom(9);
    const poses = models.map(() => pose.identity());
    const scene = make(poses);
    const map = new ClearanceMap(scene.obstacles);
    const [a, b] = [new Float64Array(7), new Float64Array(7)];
    const seen = { free: 0, ended: 0 };
    for (let i = 0; i < 40; i++) {
      const moved = i % 2;
      poses[moved] = [random.range(-2, 2), random.range(-2, 2), random.range(-2, 2), ...random.rotation()];
      scene.moveObstacle(moved, poses[moved]);
      map.update(moved);
      const anew = make(poses);
      robot.sample(random, a);
      robot.sample(random, b);
      expect(scene.isFree(a)).toBe(anew.isFree(a));
      expect(map.at([a[0], a[1], a[2]])).toBeCloseTo(new ClearanceMap(anew.obstacles).at([a[0], a[1], a[2]]), 12);
      if (!scene.isFree(a)) continue;
      seen.free++;
      expect(scene.distance(a)).toBeCloseTo(anew.distance(a), 12);
      expect(scene.advance(a, b)).toBeCloseTo(anew.advance(a, b), 6);
      if (scene.advance(a, b) < 1) seen.ended++;
    }
    expect(seen.free).toBeGreaterThan(10);
    expect(seen.ended).toBeGreaterThan(5);
  });

  test('end where the robot leaves its bounds', () => {
    const robot = new RigidRobot('brick', 0, new ProximityModel(BRICK), { min: [-3, -3, -3], max: [3, 3, 3] });
    const scene = new CollisionScene([robot], [], 0);
    const [inside, outside] = [Float64Array.of(1, 0, 0, 0, 0, 0, 1), Float64Array.of(5, 0, 0, 0, 0, 0, 1)];
    expect(scene.advance(inside, outside)).toBeCloseTo(0.5, 9);
    expect(scene.advance(inside, outside)).toBeLessThanOrEqual(0.5);
  });

  test('the least distance is that of all triangles', () => {
    const wall = wallWithHole(1.5);
    const robot = new RigidRobot('brick', 0, new ProximityModel(BRICK), { min: [-3, -3, -3], max: [3, 3, 3] });
    const obstacle = { name: 'wall', model: new ProximityModel(wall), pose: pose.identity() };
    const scene = new CollisionScene([robot], [obstacle], 0);
    const random = createRandom(8);
    const q = new Float64Array(7);
    const [oracleWall, oracleBrick] = [wall, BRICK].map(({ positions, indices }) => prepareOracle(positions, indices));
    for (let i = 0; i < 30; i++) {
      robot.sample(random, q);
      const placed = placeInFrame(BRICK.positions, IDENTITY, q);
      const { distance, intersects } = measureByBruteForce(oracleWall, oracleBrick, placed);
      expect(scene.distance(q)).toBeCloseTo(distance, 10);
      expect(scene.isFree(q)).toBe(!intersects);
    }
  });
});

describe('edges of a chain', () => {
  /** Two bars of length 1 along x that turn about z, the second one on the end of the first, and a slide along z. */
  const bar = boxes([0, -0.05, -0.05, 1, 0.05, 0.05]);
  const tool = boxes([0.9, -0.05, -0.3, 1, 0.05, -0.05]);
  const make = (): ChainRobot => {
    const model = new ProximityModel(bar);
    const joint = { axis: [0, 0, 1] as [number, number, number], limits: [-3, 3] as const };
    return new ChainRobot(
      'arm',
      0,
      [
        { name: 'base', model: null },
        { name: 'upper', model },
        { name: 'lower', model },
        { name: 'tool', model: new ProximityModel(tool) },
      ],
      [
        { name: 'shoulder', type: 'revolute', parent: 0, child: 1, origin: pose.identity(), ...joint },
        { name: 'elbow', type: 'revolute', parent: 1, child: 2, origin: [1, 0, 0.2, 0, 0, 0, 1], ...joint },
        {
          name: 'slide',
          type: 'prismatic',
          parent: 2,
          child: 3,
          origin: pose.identity(),
          ...joint,
          limits: [-0.2, 0.2],
        },
      ],
      [0, 0, 0.5, 0, 0, 0, 1],
      [],
    );
  };

  /** Poses of upper, lower and tool by sums of angles. */
  const kinematics = (q: ArrayLike<number>): number[][] => {
    const [a, b] = [q[0], q[0] + q[1]];
    const turn = (angle: number): number[] => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const elbow = [Math.cos(a), Math.sin(a), 0.7];
    return [
      [0, 0, 0.5, ...turn(a)],
      [...elbow, ...turn(b)],
      [elbow[0], elbow[1], 0.7 + q[2], ...turn(b)],
    ];
  };

  test('links are where sums of angles put them', () => {
    const robot = make();
    const random = createRandom(3);
    const q = new Float64Array(3);
    const poses = new Float64Array(21);
    for (let i = 0; i < 20; i++) {
      robot.sample(random, q);
      robot.place(q, poses);
      for (const [link, expected] of kinematics(q).entries()) {
        const found = [...poses.subarray(7 * link, 7 * link + 7)];
        const sign = found[6] * expected[6] + found[5] * expected[5] < 0 ? -1 : 1;
        for (let k = 0; k < 7; k++) expect(k < 3 ? found[k] : sign * found[k]).toBeCloseTo(expected[k], 12);
      }
    }
  });

  test('are free as far as they are proven, and end where something is near', () => {
    const robot = make();
    const post = boxes([0.6, 0.6, -1, 0.8, 0.8, 1.2], [-1.6, -0.5, 0.3, -1.3, 0.2, 0.45]);
    const obstacle = { name: 'post', model: new ProximityModel(post), pose: pose.identity() };
    const scene = new CollisionScene([robot], [obstacle], 0);
    const oraclePost = prepareOracle(post.positions, post.indices);
    const meshes = [bar, bar, tool];
    const oracles = meshes.map(({ positions, indices }) => prepareOracle(positions, indices));
    const distanceAt = (q: readonly number[]): number => {
      const places = kinematics(q);
      const toPost = meshes.map(({ positions }, i) => {
        return measureByBruteForce(oraclePost, oracles[i], placeInFrame(positions, IDENTITY, places[i])).distance;
      });
      // The upper bar against the tool; neighbors are not tested.
      const across = placeInFrame(tool.positions, places[0], places[2]);
      return Math.min(...toPost, measureByBruteForce(oracles[0], oracles[2], across).distance);
    };
    const random = createRandom(11);
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    let ended = 0;
    const { counters } = scene;
    const queries = { advance: 0, proves: 0 };
    for (let i = 0; i < 60; i++) {
      do robot.sample(random, a);
      while (!scene.isFree(a));
      robot.sample(random, b);
      const before = counters.distanceQueries;
      const share = scene.advance(a, b);
      const between = counters.distanceQueries;
      expect(scene.proves(a, b)).toBe(share === 1);
      if (share < 1) {
        queries.advance += between - before;
        queries.proves += counters.distanceQueries - between;
      }
      const at = (t: number): number[] => [0, 1, 2].map((k) => a[k] + t * (b[k] - a[k]));
      for (let k = 0; k <= 16; k++) expect(distanceAt(at((k / 16) * share))).toBeGreaterThan(0);
      if (share === 1) continue;
      ended++;
      expect(distanceAt(at(share))).toBeLessThan(1e-3);
    }
    expect(ended).toBeGreaterThan(15);
    // That an edge is not free is known sooner than where it ends.
    expect(queries.proves).toBeLessThan(0.5 * queries.advance);
  });

  test('balls around links claim nothing that distances of all triangles refute', () => {
    const robot = make();
    const meshes = [bar, bar, tool];
    const oracles = meshes.map(({ positions, indices }) => prepareOracle(positions, indices));
    const post = boxes([-0.1, -0.2, -0.3, 0.1, 0.2, 0.3]);
    const oraclePost = prepareOracle(post.positions, post.indices);
    const balls = new LinkBalls(
      robot.links.map(({ model }) => model),
      3,
    );
    const random = createRandom(12);
    const [a, b, q] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
    const poses = new Float64Array(21);
    const seen = { asked: 0, apart: 0, clear: 0 };
    for (let i = 0; i < 300; i++) {
      robot.sample(random, a);
      robot.sample(random, b);
      robot.prepare(a, a, b, 1);
      for (let k = 0; k <= 2; k++) {
        robot.interpolate(a, b, k / 2, q);
        robot.place(q, poses);
        balls.place(k, poses);
      }
      for (let link = 0; link < 3; link++) balls.setBend(link, robot.bend(link, -1) / 4, 1.1);
      const placed = [random.range(-2, 2), random.range(-2, 2), random.range(0, 1), ...random.rotation()] as pose.Pose;
      const obstacle = { name: 'post', model: new ProximityModel(post), pose: placed };
      const part = i % 2;
      const limit = random.next() < 0.5 ? 0 : random.range(0, 0.3);
      for (let link = 0; link < 3; link++) {
        const isApart = link > 0 && balls.areApart(0, link, limit, part, part + 1);
        const isClear = balls.isClear(link, obstacle, limit, part, part + 1);
        seen.asked++;
        seen.apart += Number(isApart);
        seen.clear += Number(isClear);
        if (!isApart && !isClear) continue;
        for (let k = 0; k <= 6; k++) {
          robot.interpolate(a, b, (part + k / 6) / 2, q);
          const places = kinematics(q);
          const from = (frame: readonly number[]): Float64Array => {
            return placeInFrame(meshes[link].positions, frame, places[link]);
          };
          if (isApart) {
            expect(measureByBruteForce(oracles[0], oracles[link], from(places[0])).distance).toBeGreaterThan(limit);
          }
          if (isClear) {
            expect(measureByBruteForce(oraclePost, oracles[link], from(placed)).distance).toBeGreaterThan(limit);
          }
        }
      }
    }
    expect(seen.apart / seen.asked).toBeGreaterThan(0.02);
    expect(seen.clear / seen.asked).toBeGreaterThan(0.3);
    expect(seen.clear / seen.asked).toBeLessThan(0.9);
  });
});

// Samplers against distances over all triangles, neighbors against all nodes, and paths of sampled roadmaps against the
// independent checker.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { planMotion, SAMPLERS } from '../../src/planning/index.js';
import { buildScene } from '../../src/planning/problem/build-scene.js';
import { makeSampler } from '../../src/planning/roadmap/make-sampler.js';
import { NearestNodes } from '../../src/planning/roadmap/nearest-nodes.js';
import type { VoronoiSampler } from '../../src/planning/roadmap/voronoi-sampler.js';
import { Configurations } from '../../src/planning/search/configurations.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { checkPath } from '../oracles/path-checker.js';
import { BRICK, holeProblem, mazeProblem, wallWithHole } from './planning-scenes.js';

const oracle = ({ positions, indices }: Mesh): ReturnType<typeof prepareOracle> => prepareOracle(positions, indices);
const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

describe('the nearest nodes', () => {
  test.each([1, 12])('%i of them are those of a search through all, also after more were added', (count) => {
    const { scene } = buildScene(holeProblem(2), 0);
    const [robot] = scene.robots;
    const nodes = new Configurations();
    const nearest = new NearestNodes(nodes, (a, b) => robot.distance(a, b));
    const random = createRandom(4);
    const q = new Float64Array(7);
    for (let i = 0; i < 1500; i++) {
      robot.sample(random, q);
      // Some come twice.
      nearest.add(nodes.add(i % 50 === 49 ? nodes.at(i - 7) : q));
      if (i % 60 !== 0) continue;
      robot.sample(random, q);
      const isAccepted = (node: number): boolean => node % 5 !== 0;
      nearest.find(q, count, isAccepted);
      const all = Array.from({ length: nodes.count }, (_, node) => node).filter(isAccepted);
      const distances = new Map(all.map((node) => [node, robot.distance(q, nodes.at(node))]));
      all.sort((a, b) => distances.get(a)! - distances.get(b)! || a - b);
      expect(nearest.found).toEqual(all.slice(0, count));
    }
  });

  test('take far fewer distances than there are nodes where neighbors are near', () => {
    const { scene } = buildScene(mazeProblem(), 0);
    const [robot] = scene.robots;
    const nodes = new Configurations();
    const nearest = new NearestNodes(nodes, (a, b) => robot.distance(a, b));
    const random = createRandom(4);
    const q = new Float64Array(3);
    for (let i = 0; i < 10_000; i++) {
      robot.sample(random, q);
      nearest.add(nodes.add(q));
    }
    nearest.evaluations = 0;
    for (let i = 0; i < 100; i++) {
      robot.sample(random, q);
      nearest.find(q, 12, () => true);
    }
    expect(nearest.evaluations / 100).toBeLessThan(1500);
  });
});

describe('samples', () => {
  const [brick, wall] = [oracle(BRICK), oracle(wallWithHole(1.3))];
  const distanceAt = (q: Float64Array): number => {
    return measureByBruteForce(wall, brick, placeInFrame(BRICK.positions, IDENTITY, [...q])).distance;
  };

  test.each(SAMPLERS)('%s: free as said, as far away as said, and where they should be', (name) => {
    const { scene } = buildScene(holeProblem(1.3), 0.01);
    const sampler = makeSampler(scene, name);
    const random = createRandom(2);
    const q = new Float64Array(7);
    const distances: number[] = [];
    for (let draws = 0; distances.length < 60 && draws < 5000; draws++) {
      const known = sampler.draw(random, q);
      if (known < 0) continue;
      const distance = distanceAt(q);
      expect(distance).toBeGreaterThan(0.01);
      expect(distance).toBeGreaterThanOrEqual(known);
      distances.push(distance);
    }
    expect(distances.length).toBe(60);
    const mean = distances.reduce((sum, value) => sum + value, 0) / distances.length;
    // The wall is in the middle of a cube of side 6.
    if (name === 'uniform') expect(mean).toBeGreaterThan(0.7);
    if (name === 'gaussian') expect(mean).toBeLessThan(0.6);
  });

  test('points of passages lie in the hole, between walls that face each other, along it', () => {
    const { scene } = buildScene(holeProblem(1.3), 0);
    const sampler = makeSampler(scene, 'voronoi') as VoronoiSampler;
    const random = createRandom(3);
    const q = new Float64Array(7);
    for (let i = 0; i < 500; i++) sampler.draw(random, q);
    expect(sampler.passages.length).toBeGreaterThan(3);
    for (const { point, clearance, along, across } of sampler.passages) {
      // The hole is 0.65 × 0.39 wide; its short side decides.
      expect(Math.abs(point[0])).toBeLessThan(0.325);
      expect(Math.abs(point[1])).toBeLessThan(0.02);
      expect(clearance).toBeLessThanOrEqual(0.5);
      expect(clearance).toBeGreaterThan(0.15);
      expect(Math.abs(across[1])).toBeGreaterThan(0.9);
      if (Math.abs(point[2]) < 0.05) expect(Math.abs(along[2])).toBeGreaterThan(0.9);
    }
    expect(sampler.accepted).toBeGreaterThan(10);
  });

  test('a scene of chains or of several robots has no Voronoi samples', () => {
    const [robot] = holeProblem(2).robots;
    const { scene } = buildScene({ robots: [robot, { ...robot, name: 'other' }], environment: [] }, 0);
    expect(() => makeSampler(scene, 'voronoi')).toThrow(/one rigid or planar robot; give uniform/);
    expect(makeSampler(scene, undefined).name).toBe('uniform');
  });
});

describe('planners on sampled roadmaps', () => {
  test.each(SAMPLERS)('prm with the sampler %s solves a maze, and the checker proves the path', (sampler) => {
    const problem = mazeProblem({ planner: 'prm', sampler });
    const result = planMotion(problem);
    expect(result).toMatchObject({ status: 'solved', planner: 'prm', certified: true });
    const bar = (problem.robots[0] as { mesh: Mesh }).mesh;
    const { verdict, least } = checkPath(oracle(bar), oracle(problem.environment[0].mesh), result.paths[0].poses);
    expect(verdict).toBe('proven');
    expect(least).toBeGreaterThanOrEqual(result.clearance!.lower * (1 - 1e-9));
  });

  test.each([1.6, 1.2])('roadmap goes through a hole of %f times the brick', (share) => {
    const [a, b] = [1, 2].map(() => planMotion(holeProblem(share, { planner: 'roadmap', seed: 3 })));
    expect(a).toMatchObject({ status: 'solved', planner: 'roadmap', certified: true });
    expect(checkPath(oracle(BRICK), oracle(wallWithHole(share)), a.paths[0].poses).verdict).toBe('proven');
    expect(b.paths).toEqual(a.paths);
    expect(b.counters).toEqual(a.counters);
  });

  test('a sampler that there is not is refused', () => {
    const problem = mazeProblem({ planner: 'prm', sampler: 'halton' as 'uniform' });
    expect(() => planMotion(problem)).toThrow(/sampler is 'halton'; give uniform, gaussian, bridge, voronoi/);
  });
});

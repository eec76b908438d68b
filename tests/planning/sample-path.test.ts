import { expect, test } from 'vitest';
import type { Mesh } from '../../src/mesh/mesh.js';
import { planMotion, samplePath } from '../../src/planning/index.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { holeProblem, randomProblem } from './planning-scenes.js';

const HERE = [0, 0, 0, 0, 0, 0, 1] as const;

test('frames go from start to goal in even steps, and none is nearer than the proven clearance', () => {
  const problem = holeProblem(1.3);
  const result = planMotion(problem);
  const { links, frames } = samplePath(problem, result, { frames: 41 });
  expect(links.map(({ robot }) => robot)).toEqual([result.paths[0].robot]);
  expect(frames).toHaveLength(41);
  const [{ poses }] = result.paths;
  expect([...frames[0].poses]).toEqual(poses[0]);
  // q and −q are the same rotation.
  const end = frames[40].poses[6] < 0 ? poses.at(-1)!.map((x, i) => (i < 3 ? x : -x)) : poses.at(-1)!;
  expect([...frames[40].poses].map((x) => x + 0)).toEqual(end.map((x) => x + 0));
  const [robot, wall] = [links[0].mesh, problem.environment[0].mesh].map(({ positions, indices }: Mesh) =>
    prepareOracle(positions, indices),
  );
  for (const { poses: at, clearance, segment } of frames) {
    expect(clearance).toBeGreaterThanOrEqual(result.clearance!.lower);
    expect(clearance).toBeCloseTo(
      measureByBruteForce(wall, robot, placeInFrame(robot.positions, HERE, at)).distance,
      9,
    );
    expect(segment).toBeLessThan(poses.length - 1);
  }
});

test('a path that is not there, or of another problem, is refused', () => {
  const problem = holeProblem(1.3);
  expect(() => samplePath(problem, planMotion(holeProblem(0.7)))).toThrow('infeasible');
  const two = { ...problem, robots: [...problem.robots, ...randomProblem(1).robots] };
  expect(() => samplePath(two, planMotion(problem))).toThrow('1 paths, the problem 2 robots');
  expect(() => samplePath(problem, planMotion(problem), { frames: 1 })).toThrow('from 2 to');
});

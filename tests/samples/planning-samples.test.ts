// Sample problems: their meshes are solids, their starts and goals are free, and problem files carry them.
import { describe, expect, test } from 'vitest';
import { inspectMesh, type Mesh } from '../../src/mesh/index.js';
import {
  type PlanProblem,
  planMotion,
  planningSample,
  planningSamples,
  readPlanProblem,
  writePlanProblem,
} from '../../src/planning/index.js';
import { buildScene } from '../../src/planning/problem/build-scene.js';
import { prepareOracle } from '../oracles/mesh-distance.js';
import { checkPath } from '../oracles/path-checker.js';

function meshesOf({ robots, environment }: PlanProblem): Set<Mesh> {
  const own = robots.flatMap((robot) => (robot.type === 'chain' ? robot.links.map(({ mesh }) => mesh!) : [robot.mesh]));
  return new Set([...own, ...environment.map(({ mesh }) => mesh)]);
}

const all = planningSamples.map(({ name }) => name);

test.each(all)('%s: solids, and ends that are free', (name) => {
  // Coarse walls: the grid on them changes nothing.
  const problem = planningSample(name, name === 'piano' || name === 'arrow' ? { spacing: 1 } : {});
  for (const mesh of meshesOf(problem)) {
    const report = inspectMesh(mesh);
    expect(report).toMatchObject({ closed: true, manifold: true, outward: true, selfIntersections: 0 });
  }
  const { scene, start, goal } = buildScene(problem, 0);
  expect([scene.isFree(start), scene.isFree(goal)]).toEqual([true, true]);
});

test('other plants of the crane complex are solids too, with ends that are free', () => {
  for (const plant of [3, 10]) {
    const problem = planningSample('crane-complex', { plant });
    for (const { mesh } of problem.environment) {
      expect(inspectMesh(mesh)).toMatchObject({ closed: true, manifold: true, outward: true, selfIntersections: 0 });
    }
    const { scene, start, goal } = buildScene(problem, 0);
    expect([scene.isFree(start), scene.isFree(goal)]).toEqual([true, true]);
  }
});

test('the house has 100,000 triangles', () => {
  const [{ mesh }] = planningSample('piano').environment;
  expect(mesh.indices.length / 3).toBeGreaterThan(95_000);
  expect(mesh.indices.length / 3).toBeLessThan(105_000);
  expect(inspectMesh(mesh, { selfIntersections: false })).toMatchObject({
    closed: true,
    manifold: true,
    outward: true,
  });
});

test.each(['sheets', 'screw'])('%s: solved, and the checker proves the path', (name) => {
  const problem = planningSample(name);
  const result = planMotion(problem);
  expect(result.status).toBe('solved');
  const [robot] = meshesOf(problem);
  for (const { mesh } of problem.environment) {
    const [a, b] = [robot, mesh].map(({ positions, indices }) => prepareOracle(positions, indices));
    expect(checkPath(a, b, result.paths[0].poses).verdict).toBe('proven');
  }
});

// The crane complex is solved by npm run soak, which takes half a minute.
describe('problem files', () => {
  test.each(['hole', 'crane', 'four-robots'])('%s is read as it was written', async (name) => {
    const problem = { ...planningSample(name), clearance: 0.001, seed: 7 };
    const { text, meshes } = writePlanProblem(problem);
    const read = await readPlanProblem(text, { loadMesh: (file) => meshes.get(file)! });
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    expect(plain(read)).toMatchObject(plain(problem) as object);
    // The same mesh is written once.
    expect(meshes.size).toBe(meshesOf(problem).size);
  });

  test('what is no problem is refused', () => {
    expect(() => writePlanProblem({} as PlanProblem)).toThrow(/no problem to write/);
  });
});

test('unknown samples and parameters are refused', () => {
  expect(() => planningSample('holes')).toThrow(/There is no sample "holes"; the samples are open-space/);
  expect(() => planningSample('hole', { width: 1 })).toThrow(
    'The sample hole has no parameter "width"; it takes share.',
  );
  expect(() => planningSample('hole', { share: 0 })).toThrow(
    /share of the sample hole is 0; give a number from 0.1 to 10/,
  );
});

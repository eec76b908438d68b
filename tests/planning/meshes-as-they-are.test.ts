// Robots and obstacles as people have them: doubled faces, cracks, faces without area, flat and open ones. What a clean
// problem answers, its broken versions answer too, and the proof holds for the meshes as they were given.
import { describe, expect, test } from 'vitest';
import type { Mesh } from '../../src/mesh/mesh.js';
import { type PlanProblem, type PlanRobot, planMotion, planningSample } from '../../src/planning/index.js';
import { checkAnswer } from '../oracles/plan-checker.js';

type Break = (mesh: Mesh) => Mesh;

/** Every face twice, front and back, as SketchUp writes them, with corners of its own. */
const doubled: Break = ({ positions, indices }) => {
  const faces: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    faces.push(a, b, c, a, c, b);
  }
  return unwelded({ positions, indices: Uint32Array.from(faces) });
};

/** Each face with corners of its own. */
const unwelded: Break = ({ positions, indices }) => ({
  positions: Float64Array.from([...indices].flatMap((v) => [...positions.subarray(3 * v, 3 * v + 3)])),
  indices: Uint32Array.from(indices, (_, i) => i),
});

/** The first face split at the middle of a side that its neighbor does not have: a T-junction. */
const cracked: Break = ({ positions, indices }) => {
  const [a, b, c] = indices;
  const middle = [0, 1, 2].map((k) => (positions[3 * a + k] + positions[3 * b + k]) / 2);
  const m = positions.length / 3;
  return {
    positions: Float64Array.from([...positions, ...middle]),
    indices: Uint32Array.from([a, m, c, m, b, c, ...indices.subarray(3)]),
  };
};

/** Faces that name a vertex twice. */
const degenerate: Break = ({ positions, indices }) => ({
  positions,
  indices: Uint32Array.from([...indices, indices[0], indices[0], indices[1], indices[3], indices[4], indices[4]]),
});

/** Some faces turned inside out. */
const turned: Break = ({ positions, indices }) => ({
  positions,
  indices: indices.map((_, i) => (i < 12 ? indices[i - (i % 3) + [0, 2, 1][i % 3]] : indices[i])),
});

/** A face missing. */
const open: Break = ({ positions, indices }) => ({ positions, indices: indices.slice(3) });

function broken(problem: PlanProblem, change: Break): PlanProblem {
  return {
    ...problem,
    robots: problem.robots.map((robot): PlanRobot => {
      if (robot.type !== 'chain') return { ...robot, mesh: change(robot.mesh) };
      const links = robot.links.map((link) => (link.mesh === undefined ? link : { ...link, mesh: change(link.mesh) }));
      return { ...robot, links };
    }),
    environment: problem.environment.map((part) => ({ ...part, mesh: change(part.mesh) })),
  };
}

describe.each(['hole', 'arm'])('the sample %s', (name) => {
  const problem = planningSample(name);

  test.each(Object.entries({ doubled, unwelded, cracked, degenerate, turned }))('%s', (_, change) => {
    const given = broken(problem, change);
    const answer = planMotion(given);
    expect(answer.status).toBe('solved');
    expect(answer.certified).toBe(true);
    expect(checkAnswer(given, answer)).toEqual([]);
  });

  test('says what was done to doubled faces, and nothing of clean ones', () => {
    expect(planMotion(problem).notes).toEqual([]);
    const { notes } = planMotion(broken(problem, doubled));
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.join('\n')).toMatch(/^\w.*: Doubled faces dropped: \d+\.$/m);
  });
});

test('an open robot is planned as a surface', () => {
  const problem = planningSample('arm');
  const given = { ...broken(problem, open), environment: problem.environment };
  const answer = planMotion(given);
  expect(answer.status).toBe('solved');
  expect(answer.notes).toEqual([]);
  expect(checkAnswer(given, answer)).toEqual([]);
});

test('a robot of doubled faces that fits nowhere is proven not to pass, as the clean one is', () => {
  const problem = planningSample('hole');
  const [robot] = problem.robots;
  if (robot.type === 'chain') throw new Error('The sample has a rigid robot.');
  const large = { ...robot.mesh, positions: robot.mesh.positions.map((value) => 1.5 * value) };
  const clean = { ...problem, robots: [{ ...robot, mesh: large }] };
  expect(planMotion(clean).status).toBe('infeasible');
  expect(planMotion({ ...clean, robots: [{ ...robot, mesh: doubled(large) }] }).status).toBe('infeasible');
});

test.each(['auto', 'hybrid', 'voronoi', 'rrt-connect'] as const)(
  'a flat robot ends within its time by %s',
  (planner) => {
    const problem = planningSample('hole');
    const [robot] = problem.robots;
    if (robot.type === 'chain') throw new Error('The sample has a rigid robot.');
    // Both sides of a sheet: every edge has two faces, and there is no volume.
    const { positions, indices } = robot.mesh;
    const flat = { positions: positions.map((value, i) => (i % 3 === 1 ? 0 : value)), indices };
    const given: PlanProblem = { ...problem, robots: [{ ...robot, mesh: flat }], planner, timeLimit: 1 };
    const answer = planMotion(given);
    expect(['solved', 'timeout']).toContain(answer.status);
    // The time that was spent, which does not count that others take; setting up comes before the first look.
    expect(answer.milliseconds).toBeLessThan(1.1 * 1000 + answer.preprocessMs + 2000);
    if (answer.status === 'solved') expect(checkAnswer(given, answer)).toEqual([]);
  },
);

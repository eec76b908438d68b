// Robots and obstacles as people have them: doubled faces, cracks, rounded corners, faces without area, flat and open
// meshes. What a clean problem answers, its broken versions answer too, and the proof holds for the meshes as they were given.
import { describe, expect, test } from 'vitest';
import type { Mesh } from '../../src/mesh/mesh.js';
import { type PlanProblem, planMotion, planningSample } from '../../src/planning/index.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { BREAKS, broken, flat, open } from './broken-problems.js';

/** @param isChecked whether an oracle that knows all triangles proves the path too, which takes seconds. */
function expectSolved(problem: PlanProblem, isChecked: boolean): ReturnType<typeof planMotion> {
  const answer = planMotion(problem);
  expect(answer.status).toBe('solved');
  expect(answer.certified).toBe(true);
  if (isChecked) expect(checkAnswer(problem, answer).filter(isMoreThanMended)).toEqual([]);
  return answer;
}

/** A place with the least clearance is one of the mended solid: as far from the given mesh as that is. */
function isMoreThanMended(fault: string): boolean {
  const [, stated, had] = /^upper (\S+), but (\S+) there$/.exec(fault) ?? [];
  return stated === undefined || Math.abs(Number(stated) - Number(had)) > 1e-6;
}

/** Breaks whose repair changes which faces there are. */
const MOVED = { doubled: true, 'cracked nearby': true, rounded: true };

// The other samples: npm run soak.
describe.each(['hole', 'arm'])('the sample %s', (name) => {
  const problem = planningSample(name);

  test.each(Object.entries(BREAKS))('%s', (kind, change) => {
    expectSolved(broken(problem, change), name === 'hole' && kind in MOVED);
  });

  test('says what was done to doubled faces, and nothing of clean ones', () => {
    expect(planMotion(problem).notes).toEqual([]);
    const { notes } = planMotion(broken(problem, BREAKS.doubled));
    expect(notes.join('\n')).toMatch(/^\w.*: Doubled faces dropped: \d+\.$/m);
  });
});

describe.each(['open-space', 'maze', 'bay'])('the sample %s', (name) => {
  test.each(['doubled', 'cracked nearby'] as const)('%s', (kind) => {
    expectSolved(broken(planningSample(name), BREAKS[kind]), false);
  });
});

test.each(['hole', 'maze', 'bug-trap', 'arm'])('the open robot of %s is planned as a surface', (name) => {
  const problem = broken(planningSample(name), open, true);
  const { notes, counters } = expectSolved(problem, name === 'hole');
  const count = problem.robots[0].type === 'chain' ? problem.robots[0].links.filter(({ mesh }) => mesh).length : 1;
  expect(notes.length).toBe(count);
  for (const note of notes) expect(note).toMatch(/: The mesh is open at 3 edges and counts as a surface/);
  // Trees alone do not get through these.
  if (name === 'hole' || name === 'bug-trap') expect(counters.samples).toBeLessThan(3000);
});

test('a distance over which a mesh was closed is in the notes', () => {
  const { notes } = expectSolved(broken(planningSample('hole'), BREAKS.rounded), false);
  const [distance] = notes.flatMap(
    (note) => /brick: The surface was closed over at most (\S+) m/.exec(note)?.[1] ?? [],
  );
  expect(Number(distance)).toBeGreaterThan(0);
  expect(Number(distance)).toBeLessThan(1e-5);
});

describe('a robot that fits nowhere', () => {
  const problem = planningSample('hole');
  const [robot] = problem.robots;
  if (robot.type === 'chain') throw new Error('The sample has a rigid robot.');
  const large = { ...robot.mesh, positions: robot.mesh.positions.map((value) => 1.5 * value) };
  const given: PlanProblem = { ...problem, robots: [{ ...robot, mesh: large }], timeLimit: 0.5 };

  test.each(Object.entries({ clean: (mesh: Mesh) => mesh, ...BREAKS }))('%s is proven not to pass', (_, change) => {
    expect(planMotion(broken(given, change)).status).toBe('infeasible');
  });

  test('and is open is not: its ball is a guide', () => {
    for (const planner of ['auto', 'voronoi'] as const) {
      const { status, proof } = planMotion({ ...broken(given, open, true), planner });
      expect(status).toBe('timeout');
      expect(proof).toBe(null);
    }
  });
});

test.each(['auto', 'hybrid', 'voronoi', 'roadmap', 'rrt-connect'] as const)(
  'a flat robot ends within its time by %s',
  (planner) => {
    // Both sides of a sheet: every edge has two faces, and there is no volume.
    const given = { ...broken(planningSample('hole'), flat, true), planner, timeLimit: 0.5 };
    const answer = planMotion(given);
    expect(['solved', 'timeout']).toContain(answer.status);
    // The time that was spent, which does not count that others take; setting up comes before the first look.
    expect(answer.milliseconds).toBeLessThan(1.1 * 500 + answer.preprocessMs + 2000);
    if (answer.status === 'solved') expect(checkAnswer(given, answer)).toEqual([]);
  },
);

// Random edges against dense sampling, and random problems whose answers are proven by checkers of their own.
import { expect, test } from 'vitest';
import { type PlanProblem, planMotion, planningSample, planningSamples } from '../../src/planning/index.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { BREAKS, broken, flat, open } from '../planning/broken-problems.js';
import { measureEdges } from '../planning/edge-cost.js';
import { checkRandomAnswer } from '../planning/random-answers.js';
import { checkRandomEdges } from '../planning/random-edges.js';
import { makeRandomProblem } from '../planning/random-problems.js';
import { checkRandomTeam } from '../planning/random-teams.js';

/** Scenes of edges whose cost is compared with sampling. */
const SCENES = ['hole', 'maze', 'nails', 'piano', 'arm', 'crane', 'four-robots'];

const FIRST = 1000;
const EDGES = Number(process.env.NEARFIELD_PLAN_EDGES ?? 100_000);
const PROBLEMS = Number(process.env.NEARFIELD_PLAN_PROBLEMS ?? 1000);
const PLANTS = Number(process.env.NEARFIELD_PLAN_PLANTS ?? 20);

test(`${EDGES} edges hold what they claim`, () => {
  const bad: string[] = [];
  let edges = 0;
  for (let seed = FIRST; edges < EDGES; seed++) {
    const found = checkRandomEdges(seed, 40);
    bad.push(...found.bad);
    edges += found.edges;
  }
  expect(bad).toEqual([]);
});

test(`${PROBLEMS} problems have answers that hold`, () => {
  const bad: string[] = [];
  for (let seed = FIRST; seed < FIRST + PROBLEMS; seed++) bad.push(...checkRandomAnswer(seed, 4).bad);
  expect(bad).toEqual([]);
});

test(`${PROBLEMS} teams of robots have answers that hold`, () => {
  const bad: string[] = [];
  let solved = 0;
  for (let seed = FIRST; seed < FIRST + PROBLEMS; seed++) {
    const { status, bad: found } = checkRandomTeam(seed, 4);
    bad.push(...found);
    if (status === 'solved') solved++;
  }
  expect(bad).toEqual([]);
  expect(solved / PROBLEMS).toBeGreaterThan(0.4);
});

test('the crane complex: solved, and the checker proves the path among 100,000 triangles', () => {
  const problem = { ...planningSample('crane-complex'), seed: 2, timeLimit: 600 };
  const result = planMotion(problem);
  expect(result).toMatchObject({ status: 'solved', planner: 'hybrid', certified: true });
  expect(checkAnswer(problem, result)).toEqual([]);
});

test(`${PLANTS} plants of the crane complex have answers that hold`, () => {
  let solved = 0;
  for (let plant = 1; plant <= PLANTS; plant++) {
    const problem = { ...planningSample('crane-complex', { plant }), timeLimit: 600 };
    const result = planMotion(problem);
    if (result.status !== 'solved') continue;
    solved++;
    expect(checkAnswer(problem, result)).toEqual([]);
  }
  expect(solved / PLANTS).toBeGreaterThan(0.9);
});

test.each(['sheets', 'corridor'])('the sample %s with doubled faces, with cracks nearby, and open', (name) => {
  const problem = planningSample(name);
  const changed = [broken(problem, BREAKS.doubled), broken(problem, BREAKS['cracked nearby'])];
  if (name === 'corridor') changed.push(broken(problem, open, true));
  for (const given of changed) expect(planMotion(given)).toMatchObject({ status: 'solved', certified: true });
});

/** What a plan may take beyond its limit of time: a share of it, and milliseconds. */
const LATE_SHARE = 0.1;
const LATE = 50;

test(`${PROBLEMS} problems and all broken samples keep their limit of time, once they are prepared`, () => {
  const late: string[] = [];
  const ask = (name: string, problem: PlanProblem, timeLimit: number): void => {
    const { milliseconds, preprocessMs, status } = planMotion({ ...problem, timeLimit });
    // Meshes are prepared before the first look at the time.
    const most = Math.max(1000 * timeLimit, preprocessMs) * (1 + LATE_SHARE) + LATE;
    if (milliseconds > most) late.push(`${name}: ${status} after ${milliseconds.toFixed(0)} of ${1000 * timeLimit} ms`);
  };
  for (let seed = FIRST; seed < FIRST + PROBLEMS; seed++) ask(`${seed}`, makeRandomProblem(seed), 0.3);
  for (const { name } of planningSamples) {
    const problem = planningSample(name);
    for (const [kind, change] of Object.entries(BREAKS)) ask(`${name} ${kind}`, broken(problem, change), 1);
    ask(`${name} open`, broken(problem, open), 1);
    ask(`${name} flat`, broken(problem, flat, true), 1);
  }
  expect(late).toEqual([]);
});

test('edges cost less proven than sampled at a thousandth', () => {
  for (const scene of SCENES) {
    const { edges, free, proven, sampled, samples, missed } = measureEdges(scene, {}, 300);
    const ratio = (sampled / proven).toFixed(1);
    console.log(
      `${scene}: ${edges} edges, ${free} free; proven ${proven.toFixed(3)} ms, sampled ${sampled.toFixed(3)} ms ` +
        `(${ratio} times), ${samples.toFixed(0)} samples, ${missed} missed`,
    );
    expect(proven).toBeLessThan(sampled);
  }
});

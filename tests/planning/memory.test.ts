// The memory of a plan: what trees and roadmaps hold is counted, a plan ends where it would be more, and says so.
import { describe, expect, test } from 'vitest';
import { Deadline } from '../../src/core/deadline.js';
import {
  MotionPlanner,
  PLANNING_DEFAULTS,
  type PlannerName,
  type PlanProblem,
  planMotion,
  planningSample,
  planQueries,
  VoronoiPlanner,
} from '../../src/planning/index.js';

/** Two carts that cannot pass each other, and a brick that does not fit: planners that prove nothing go on and on. */
const HELD = planningSample('hole', { share: 0.98 });
const SWAP = planningSample('bay', { depth: 0 });

/** The bytes that meshes count. */
function meshesOf(problem: PlanProblem): number {
  let [low, high] = [0, 1e9];
  const alone = { ...problem, timeLimit: 0 };
  while (high - low > 1) {
    const middle = (low + high) / 2;
    const { counters, status } = planMotion({ ...alone, maxMemory: middle });
    // Nothing is looked at where the meshes alone are too much.
    if (status === 'memory-limit' && counters.configurationsTested === 0) low = middle;
    else high = middle;
  }
  return high;
}

describe('what a plan may hold', () => {
  test('is a gigabyte unless a problem says otherwise', () => {
    expect(PLANNING_DEFAULTS.maxMemory).toBe(1e9);
  });

  test.each<[PlannerName, PlanProblem]>([
    ['rrt-connect', HELD],
    ['roadmap', HELD],
    ['prm', HELD],
    ['rrt-connect', SWAP],
    ['prioritized', SWAP],
  ])('ends %s', (planner, sample) => {
    const room = 300_000;
    const problem = { ...sample, planner, maxMemory: meshesOf(sample) + room, timeLimit: 60 };
    const { status, reason, paths, counters } = planMotion(problem);
    expect(status).toBe('memory-limit');
    expect(paths).toEqual([]);
    expect(reason).toMatch(/^the plan needs more than maxMemory, .* of which the meshes take about .*; give it more/);
    expect(counters.vertices).toBeGreaterThan(10);
    expect(counters.vertices).toBeLessThan(room / 1000 + 2);
    // It is counted, not measured: the same search ends at the same place.
    expect(planMotion(problem).counters).toEqual(counters);
  });

  test('refuses meshes that are too much by themselves before anything is prepared', () => {
    const { status, reason, preprocessMs, counters } = planMotion({ ...HELD, maxMemory: 1000 });
    expect(status).toBe('memory-limit');
    expect(reason).toContain('give it more, or coarser meshes');
    expect(preprocessMs).toBe(0);
    expect(counters.configurationsTested).toBe(0);
  });

  test('is no matter where a path is found before', () => {
    const problem = planningSample('hole');
    const { maxMemory: _, ...wide } = { ...problem, maxMemory: 0 };
    const narrow = { ...wide, maxMemory: meshesOf(problem) + 2e6 };
    expect(planMotion(narrow).paths).toEqual(planMotion(wide).paths);
  });

  test('holds for planners that stay', () => {
    const problem = { ...HELD, planner: 'rrt-connect' as const, maxMemory: meshesOf(HELD) + 300_000, timeLimit: 60 };
    expect(new MotionPlanner(problem).plan().status).toBe('memory-limit');
    expect(new VoronoiPlanner({ ...problem, maxMemory: meshesOf(HELD) }).plan().status).toBe('memory-limit');
    const [robot] = HELD.robots;
    if (robot.type === 'chain') throw new Error('The sample has a rigid robot.');
    const queries = [{ start: robot.start!, goal: robot.goal! }];
    const asked = { ...problem, planner: 'prm' as const, queries };
    expect(planQueries(asked).map(({ status }) => status)).toEqual(['memory-limit']);
  });

  test.each([-1, Number.NaN, '1'])('is refused as %s', (maxMemory) => {
    expect(() => planMotion({ ...HELD, maxMemory: maxMemory as number })).toThrow('maxMemory is');
  });
});

describe('a deadline for a part', () => {
  test('ends with the whole, and asks whether to stop as that does', () => {
    let isOver = false;
    const whole = new Deadline(0);
    const part = whole.within(1000);
    expect(part.isOver('working')).toBe(true);
    const signal = {
      get aborted() {
        return isOver;
      },
    };
    const stopped = new Deadline(1e6, { signal }).within(1e6);
    expect(stopped.isOver('working')).toBe(false);
    isOver = true;
    expect(() => stopped.isOver('working')).toThrow("Stopped at the caller's request");
  });

  test('ends where the memory of the whole is full', () => {
    let held = 0;
    const whole = new Deadline(1e6);
    whole.limitMemory({ most: 10, held: () => held });
    const part = whole.within(1e6);
    expect(part.isOver('working')).toBe(false);
    held = 11;
    expect(part.isOver('working')).toBe(true);
    expect(whole.isFull).toBe(true);
    whole.limitMemory(null);
    expect(part.isOver('working')).toBe(false);
  });
});

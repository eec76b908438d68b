// Four rooms with doors and furniture that can be moved about, for a stand that turns sideways in narrow places.
import { createRandom, type Random } from '../../src/core/random.js';
import type { PlanProblem } from '../../src/planning/index.js';
import { boxes } from './planning-scenes.js';

/** Parts of the environment before the furniture. */
export const WALLS = 5;

export interface FloorPlan {
  readonly problem: PlanProblem;
  /** Where the furniture is, piece by piece. */
  readonly poses: number[][];
  readonly random: Random;
}

const START = [0.8, 0.8];
const GOAL = [9.2, 7.2];

export function floorPlan(seed: number, pieces = 20): FloorPlan {
  const random = createRandom(seed);
  const outside = boxes(
    [-0.2, -0.2, 0, 10.2, 0, 2.5],
    [-0.2, 8, 0, 10.2, 8.2, 2.5],
    [-0.2, 0, 0, 0, 8, 2.5],
    [10, 0, 0, 10.2, 8, 2.5],
  );
  const environment: { mesh: ReturnType<typeof boxes>; pose?: number[] }[] = [
    { mesh: outside },
    { mesh: boxes([4.95, 0, 0, 5.05, 3, 2.5]) },
    { mesh: boxes([4.95, 4.2, 0, 5.05, 8, 2.5]) },
    { mesh: boxes([0, 4.95, 0, 1.5, 5.05, 2.5]) },
    { mesh: boxes([2.7, 4.95, 0, 4.95, 5.05, 2.5]) },
  ];
  const poses: number[][] = [];
  while (poses.length < pieces) {
    const [x, y] = [random.range(0.6, 9.4), random.range(0.6, 7.4)];
    if (!isAway(x, y) || poses.some(([a, b]) => Math.hypot(a - x, b - y) < 1)) continue;
    const [w, d, h] = [random.range(0.15, 0.5), random.range(0.15, 0.35), random.range(0.4, 1.8)];
    poses.push(placed(x, y, random.range(0, Math.PI)));
    environment.push({ mesh: boxes([-w, -d, 0.01, w, d, h]), pose: poses[poses.length - 1] });
  }
  const problem: PlanProblem = {
    robots: [
      {
        type: 'planar',
        name: 'stand',
        plane: 'xy',
        mesh: boxes([-0.35, -0.15, 0.05, 0.35, 0.15, 1.2]),
        bounds: { min: [0, 0, 0], max: [10, 8, 0] },
        start: [START[0], START[1], 0, 0, 0, 0, 1],
        goal: [GOAL[0], GOAL[1], 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2],
      },
    ],
    environment,
    timeLimit: 20,
  };
  return { problem, poses, random };
}

/** Moves a random piece of furniture a little; returns which. */
export function nudge({ poses, random }: FloorPlan, reach: number): number {
  for (;;) {
    const piece = random.integer(poses.length);
    const [x, y, , , , s, c] = poses[piece];
    const [a, b] = [x + random.range(-reach, reach), y + random.range(-reach, reach)];
    if (!isAway(a, b) || a < 0.6 || a > 9.4 || b < 0.6 || b > 7.4) continue;
    poses[piece] = placed(a, b, 2 * Math.atan2(s, c) + random.range(-reach, reach));
    return piece;
  }
}

/** The problem with the furniture where it is now. */
export function currentProblem({ problem, poses }: FloorPlan): PlanProblem {
  const environment = problem.environment.map((part, i) => (i < WALLS ? part : { ...part, pose: poses[i - WALLS] }));
  return { ...problem, environment };
}

function isAway(x: number, y: number): boolean {
  return [START, GOAL].every(([a, b]) => Math.hypot(x - a, y - b) > 1.2);
}

function placed(x: number, y: number, angle: number): number[] {
  return [x, y, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
}

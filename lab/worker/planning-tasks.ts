// Tasks of the chapter Planning: a sample problem as it is moved by hand, planned, and its path sampled for drawing.
import { type Box, box as boxes, type Pose, type ProgressOptions, pose, type Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import {
  forwardKinematics,
  type InverseKinematicsResult,
  type JointValues,
  type PlannerName,
  type PlanObstacle,
  type PlanProblem,
  type PlanResult,
  planMotion,
  planningSample,
  samplePath,
  solveInverseKinematics,
  type WrittenProblem,
  writePlanProblem,
} from 'nearfield/planning';
import type { Move } from '../controls.js';
import { moveBody } from '../hand.js';

/** Which problem; parameters and joint values by name. */
export interface PlanQuestion {
  readonly sample: string;
  /** JSON, so that equal values are the same question. */
  readonly parameters: string;
}

/** What does not change while a problem is moved and planned. */
export interface OpenedPlan {
  /** Links of all robots. */
  readonly links: readonly { readonly robot: number; readonly mesh: Mesh; readonly center: Vec3 }[];
  /** Whether a robot is placed by a pose. */
  readonly isRigid: readonly boolean[];
  readonly obstacles: readonly { readonly mesh: Mesh; readonly place: Pose }[];
  readonly box: Box;
  readonly triangles: number;
}

/** A planned path, ready to be drawn. Poses have seven numbers a link. */
export interface PlannedPath {
  readonly result: PlanResult;
  readonly start: Float64Array;
  readonly goal: Float64Array;
  /** At even distances along the path; none without a path. */
  readonly frames: readonly Float64Array[];
  readonly clearances: Float64Array;
  readonly obstacles: readonly Pose[];
}

/** A problem moved by hand. */
export interface MovedQuestion extends PlanQuestion {
  /** Values of the joints at the goal of a chain, as JSON; empty for those of the sample. */
  readonly joints: string;
  /** Moves of the start and the goal of each robot, then of obstacles, as JSON. */
  readonly hand: string;
}

/** A problem moved by hand, and how it is planned. */
export interface PathQuestion extends MovedQuestion {
  readonly planner: PlannerName;
  readonly clearance: number;
  readonly seed: number;
  readonly timeLimit: number;
}

/** Where the tool of a chain is to be. */
export interface ToolQuestion extends PlanQuestion {
  /** The link that is the tool. */
  readonly link: string;
  /** Moves of the tool from its place at the goal of the sample, then of the obstacles, as JSON. */
  readonly hand: string;
  /** Whether it has to be turned so, too. */
  readonly turned: boolean;
  readonly clearance: number;
}

/** What brings the tool there. */
export interface ReachedTool {
  readonly at: Pose;
  /** Links at the start, seven numbers each. */
  readonly start: Float64Array;
  readonly obstacles: readonly Pose[];
  readonly result: InverseKinematicsResult;
  /** Solutions that touch nothing, those near to the start first. */
  readonly free: readonly (readonly number[])[];
  readonly milliseconds: number;
}

/** Places along a path, its ends among them. */
export const PATH_FRAMES = 241;

export const planningTasks = {
  openPlan({ sample, parameters }: PlanQuestion): OpenedPlan {
    const problem = problemOf(sample, parameters);
    const { links, frames } = samplePath(problem, straightOf(problem), { frames: 2 });
    const obstacles = problem.environment.map(({ mesh, pose: at }) => {
      return { mesh, place: Array.from(at ?? pose.identity()) as Pose };
    });
    const corners = [
      ...problem.environment.flatMap(({ mesh, pose: at }) => cornersOf(mesh, at ?? pose.identity())),
      ...frames.flatMap(({ poses }) =>
        links.flatMap(({ mesh }, i) => cornersOf(mesh, poses.subarray(7 * i, 7 * i + 7))),
      ),
    ];
    const names = [...new Set(links.map(({ robot }) => robot))];
    return {
      links: links.map(({ robot, mesh }) => ({ robot: names.indexOf(robot), mesh, center: centerOf(mesh) })),
      isRigid: problem.robots.map(({ type }) => type !== 'chain'),
      obstacles,
      box: boxes.ofPositions(corners),
      triangles: [...links, ...obstacles].reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0),
    };
  },

  reachTool({ sample, parameters, link, hand, turned, clearance }: ToolQuestion): ReachedTool {
    const problem = problemOf(sample, parameters);
    const [robot] = problem.robots;
    if (robot.type !== 'chain') throw new Error('the sample has no chain');
    const moves = JSON.parse(hand) as readonly Move[];
    const size = sizeOf(planningTasks.openPlan({ sample, parameters }).box);
    const from = forwardKinematics(robot, robot.goal as JointValues).get(link)!;
    const at = moveBody(from, [0, 0, 0], moves[0], size);
    const environment = problem.environment.map((part, i) => movePart(part, moves[1 + i], size));
    const begin = performance.now();
    const goal = turned ? { link, pose: at } : { link, position: at.slice(0, 3) as Vec3 };
    const result = solveInverseKinematics(robot, goal, { from: robot.start as JointValues, environment, clearance });
    return {
      at,
      start: samplePath(problem, straightOf(problem), { frames: 2 }).frames[0].poses,
      obstacles: environment.map(({ pose: placed }) => Array.from(placed ?? pose.identity()) as Pose),
      result,
      free: result.solutions.flatMap(({ values, isFree }) => (isFree === true ? [values] : [])),
      milliseconds: performance.now() - begin,
    };
  },

  /** The problem as it was moved, as a file, and whether it was moved at all. */
  writeProblem(question: MovedQuestion): WrittenProblem & { readonly isMoved: boolean } {
    const written = writePlanProblem(moveProblem(question));
    const before = writePlanProblem(problemOf(question.sample, question.parameters));
    return { ...written, isMoved: written.text !== before.text };
  },

  planPath(question: PathQuestion, options: ProgressOptions): PlannedPath {
    const { planner, clearance, seed, timeLimit } = question;
    const problem = { ...moveProblem(question), planner, clearance, seed, timeLimit };
    const result = planMotion(problem, options);
    const [start, goal] = samplePath(problem, straightOf(problem), { frames: 2 }).frames;
    const frames = result.status === 'solved' ? samplePath(problem, result, { frames: PATH_FRAMES }).frames : [];
    return {
      result,
      start: start.poses,
      goal: goal.poses,
      frames: frames.map(({ poses }) => poses),
      clearances: Float64Array.from(frames, (frame) => frame.clearance),
      obstacles: problem.environment.map(({ pose: at }) => Array.from(at ?? pose.identity()) as Pose),
    };
  },
};

let last: { readonly key: string; readonly problem: PlanProblem } | null = null;

function problemOf(sample: string, parameters: string): PlanProblem {
  const key = `${sample} ${parameters}`;
  if (last?.key !== key) last = { key, problem: planningSample(sample, JSON.parse(parameters)) };
  return last.problem;
}

/** The most obstacles that can be dragged. */
export const MAX_DRAGGED = 40;

/** The problem with starts, goals and obstacles where the hand has put them. */
function moveProblem({ sample, parameters, joints, hand }: MovedQuestion): PlanProblem {
  const problem = problemOf(sample, parameters);
  const moves = JSON.parse(hand) as readonly Move[];
  const goals = JSON.parse(joints) as readonly number[];
  const size = sizeOf(planningTasks.openPlan({ sample, parameters }).box);
  // Moves of obstacles are the last ones: there may be more of robots than this problem has.
  const first = moves.length - Math.min(problem.environment.length, MAX_DRAGGED);
  const place = (from: ArrayLike<number>, mesh: Mesh, move: Move): Pose =>
    moveBody(Array.from(from) as Pose, centerOf(mesh), move, size);
  return {
    ...problem,
    robots: problem.robots.map((robot, i) => {
      if (robot.type === 'chain') return goals.length === 0 ? robot : { ...robot, goal: goals };
      const normal = robot.type === 'planar' ? NORMALS[robot.plane] : null;
      const [start, goal] = [robot.start, robot.goal].map((from, end) => {
        const move = moves[2 * i + end];
        if (isStill(move)) return from;
        return place(from!, robot.mesh, normal === null ? move : inPlane(move, normal));
      });
      return { ...robot, start, goal };
    }),
    environment: problem.environment.map((part, i) => movePart(part, moves[first + i], size)),
  };
}

/** An obstacle where the hand has put it. */
function movePart(part: PlanObstacle, move: Move | undefined, size: number): PlanObstacle {
  if (move === undefined || isStill(move)) return part;
  const at = Array.from(part.pose ?? pose.identity()) as Pose;
  return { ...part, pose: moveBody(at, centerOf(part.mesh), move, size) };
}

/** Whether the hand has not moved it: then its pose stays the sample's, to the last digit. */
function isStill(move: Move): boolean {
  return move.every((value) => value === 0);
}

/** The axis across a plane. */
const NORMALS = { xy: 2, xz: 1, yz: 0 } as const;

/** What of a move stays in the plane: no way along the normal, and turns about it only. */
export function inPlane(move: Move, normal: number): Move {
  return move.map((value, k) => ((k < 3 ? k !== normal : k - 3 === normal) ? value : 0)) as unknown as Move;
}

export function sizeOf({ min, max }: Box): number {
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** Straight from start to goal, whatever is in the way: to place links at both. */
function straightOf({ robots }: PlanProblem): PlanResult {
  const paths = robots.map(({ name, start, goal }) => {
    return { robot: name ?? '', poses: [Array.from(start as number[]), Array.from(goal as number[])] };
  });
  return { status: 'solved', paths } as Partial<PlanResult> as PlanResult;
}

export function centerOf({ positions }: Mesh): Vec3 {
  const { min, max } = boxes.ofPositions(positions);
  return [0, 1, 2].map((k) => (min[k] + max[k]) / 2) as Vec3;
}

export function cornersOf({ positions }: Mesh, at: ArrayLike<number>): number[] {
  const { min, max } = boxes.ofPositions(positions);
  return Array.from({ length: 8 }, (_, corner) => {
    const point = [0, 1, 2].map((k) => ((corner >> k) & 1 ? max[k] : min[k])) as Vec3;
    return pose.transformPoint(Array.from(at) as Pose, point);
  }).flat();
}

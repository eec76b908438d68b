// Tasks of the scene that plans while furniture moves: one Voronoi planner, repaired from frame to frame.
import { type Pose, pose, quat } from 'nearfield/core';
import { planningSample, samplePath, VoronoiPlanner, type VoronoiPlanResult } from 'nearfield/planning';
import type { Move } from '../controls.js';
import { moveBody } from '../hand.js';
import { centerOf, inPlane, planningTasks, sizeOf } from './planning-tasks.js';

/** The room at a frame. */
export interface LivePlan {
  readonly result: VoronoiPlanResult;
  /** Where the pieces are. */
  readonly obstacles: readonly Pose[];
  readonly start: Pose;
  readonly goal: Pose;
  /** At even distances along the path; none without a path. */
  readonly frames: readonly Float64Array[];
  readonly clearances: Float64Array;
  /** Segments of the graph, six numbers each, and for each the room to its nearest obstacle. */
  readonly graph: Float64Array;
  readonly rooms: Float64Array;
  /** Moving the pieces, and planning again. */
  readonly graphMs: number;
  readonly planMs: number;
}

/** Frames after which all pieces are back. */
export const LIVE_ROUND = 600;
const LIVE_FRAMES = 121;
const SAMPLE = 'furniture';

/** How pieces move: to and fro along x and z, in meters, turning; the count of times a round. */
const TRACKS: Readonly<Record<number, { x: number; z: number; turn: number; times: number }>> = {
  1: { x: 0.4, z: 0.5, turn: 0.6, times: 1 },
  2: { x: 0.6, z: 0.3, turn: 1, times: 2 },
  3: { x: 0.3, z: 0.9, turn: 0.5, times: 3 },
  6: { x: 0.5, z: -0.4, turn: 0.3, times: 1 },
  8: { x: 1.1, z: -0.2, turn: 0, times: 2 },
};

let planner: VoronoiPlanner | null = null;
let placed: Pose[] = [];

export const livePlanTasks = {
  planLive({ frame, hand }: { frame: number; hand: string }): LivePlan {
    const problem = planningSample(SAMPLE);
    const [robot] = problem.robots;
    if (robot.type !== 'planar') throw new Error('the sample has another robot');
    if (planner === null) {
      planner = new VoronoiPlanner(problem);
      placed = problem.environment.map(({ pose: at }) => Array.from(at ?? pose.identity()) as Pose);
    }
    const moves = JSON.parse(hand) as readonly Move[];
    const size = sizeOf(planningTasks.openPlan({ sample: SAMPLE, parameters: '{}' }).box);
    const begin = performance.now();
    for (const [i, { mesh, pose: at }] of problem.environment.entries()) {
      const from = along(Array.from(at ?? pose.identity()) as Pose, TRACKS[i], frame);
      const to = moveBody(from, centerOf(mesh), inPlane(moves[2 + i], 1), size);
      if (to.every((value, k) => Math.abs(value - placed[i][k]) < 1e-12)) continue;
      planner.moveObstacle(i, to);
      placed[i] = to;
    }
    const moved = performance.now();
    const [start, goal] = [robot.start, robot.goal].map((from, end) =>
      moveBody(Array.from(from ?? pose.identity()) as Pose, centerOf(robot.mesh), inPlane(moves[end], 1), size),
    );
    const result = planner.plan(start, goal);
    const planMs = performance.now() - moved;
    const here = { ...problem, environment: problem.environment.map((part, i) => ({ ...part, pose: placed[i] })) };
    const frames = result.status === 'solved' ? samplePath(here, result, { frames: LIVE_FRAMES }).frames : [];
    const { points, rooms, links } = planner.guide;
    return {
      result,
      obstacles: [...placed],
      start,
      goal,
      frames: frames.map(({ poses }) => poses),
      clearances: Float64Array.from(frames, ({ clearance }) => clearance),
      graph: Float64Array.from(Array.from(links).flatMap((at) => [...points.subarray(3 * at, 3 * at + 3)])),
      rooms: Float64Array.from({ length: links.length / 2 }, (_, i) =>
        Math.min(rooms[links[2 * i]], rooms[links[2 * i + 1]]),
      ),
      graphMs: moved - begin,
      planMs,
    };
  },
};

/** Where a piece is on its track. */
function along(from: Pose, track: (typeof TRACKS)[number] | undefined, frame: number): Pose {
  if (track === undefined) return from;
  const phase = Math.sin((2 * Math.PI * track.times * frame) / LIVE_ROUND);
  const [x, y, z, ...turn] = from;
  const turned = quat.multiply(quat.fromAxisAngle([0, 1, 0], track.turn * phase), turn);
  return [x + track.x * phase, y, z + track.z * phase, ...quat.normalize(turned)];
}

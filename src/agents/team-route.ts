// Joined agents as one body: a planned path for them, as they are placed to each other now, around what no one of them sees alone.
import * as pose from '../core/pose.js';
import type { BodyRobot } from '../kinematics/robot/body-robot.js';
import { CollisionScene } from '../kinematics/validity/collision-scene.js';
import type { Obstacle } from '../kinematics/validity/obstacle.js';
import { joinMeshes, placeMesh } from '../mesh/place-mesh.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import type { Agent } from './agent.js';
import { writePoint } from './world-body.js';

/** Chosen: the count of turns in which one agent of a team may stand at its goal. */
const TURNS = 16;

/** Chosen: the stops of a path are so near that a team turns by less than this between two, in radians. */
const MAX_TURN = 0.1;

/** The team as a robot, with where it is and may be. */
export interface TeamTask {
  readonly scene: CollisionScene;
  readonly start: Float64Array;
  readonly goal: Float64Array;
  /** The stops of each member along a path of the team. */
  stopsOf(path: readonly Float64Array[]): Float64Array[][];
}

/** A team among obstacles at rest; null where none of it has a goal, or it fits nowhere. */
export function teamTask(team: readonly Agent[], obstacles: readonly Obstacle[], distance: number): TeamTask | null {
  // The largest one carries the frame of the team.
  const frame = team.reduce((a, b) => (b.body.shape.model.radius > a.body.shape.model.radius ? b : a));
  const here = pose.invert(poseOf(frame.robot, frame.q));
  const places = team.map(({ robot, q }) => pose.multiply(here, poseOf(robot, q)));
  const mesh = joinMeshes(team.map(({ body }, i) => placeMesh(body.shape.model.mesh, places[i])));
  const robot = frame.robot.withModel(new ProximityModel(mesh));
  const scene = new CollisionScene([robot], obstacles, distance);
  const start = frame.q.slice();
  if (!scene.isFree(start)) return null;
  const goal = goalsOf(team, frame).find((q) => scene.isFree(q));
  if (goal === undefined) return null;
  const stopsOf = (path: readonly Float64Array[]): Float64Array[][] => {
    const fine = withSteps(robot, path);
    return team.map((member, i) =>
      fine.map((q) => {
        const own = member.q.slice();
        member.robot.read(pose.multiply(poseOf(frame.robot, q), places[i]), own);
        return own;
      }),
    );
  };
  return { scene, start, goal, stopsOf };
}

function poseOf(robot: BodyRobot, q: Float64Array): pose.Pose {
  const out = new Float64Array(7);
  robot.place(q, out);
  return pose.parse(out);
}

/** Where the frame may be when the members are at their goals, what fits best first. */
function goalsOf(team: readonly Agent[], frame: Agent): Float64Array[] {
  if (frame.goal !== null) return [frame.goal.slice()];
  const ends = team.flatMap(({ robot, body, goal }) => {
    if (goal === null) return [];
    const there = new Float64Array(3);
    writePoint(poseOf(robot, goal), body.shape.model.center, there);
    return [{ here: body.center, there }];
  });
  if (ends.length === 0) return [];
  if (frame.ways === 3) return ends.length === 1 ? [shifted(frame, ends[0].here, ends[0].there)] : [];
  if (ends.length > 1) return [fitted(frame, ends)];
  return Array.from({ length: TURNS }, (_, i) => {
    // From the least turn to half of one, to both sides.
    const angle = ((i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * 2 * Math.PI) / TURNS;
    return turnedAbout(frame, ends[0].here, ends[0].there, angle);
  });
}

function shifted({ robot, q }: Agent, here: Float64Array, there: Float64Array): Float64Array {
  const out = q.slice();
  for (let k = 0; k < robot.ways; k++) out[robot.offset + k] += there[robot.axes[k]] - here[robot.axes[k]];
  return out;
}

/** Turned in the plane about a point, which is then brought to another one. */
function turnedAbout(frame: Agent, here: ArrayLike<number>, there: ArrayLike<number>, angle: number): Float64Array {
  const { robot, q } = frame;
  const [u, v] = robot.axes;
  const out = q.slice();
  const [x, y] = [q[robot.offset] - here[u], q[robot.offset + 1] - here[v]];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  out[robot.offset] = there[u] + c * x - s * y;
  out[robot.offset + 1] = there[v] + s * x + c * y;
  out[robot.offset + 2] += robot.turnSign * angle;
  return out;
}

/** The motion in the plane that brings points nearest to others, by least squares. */
function fitted(frame: Agent, ends: readonly { here: Float64Array; there: Float64Array }[]): Float64Array {
  const [u, v] = frame.robot.axes;
  const middle = (of: 'here' | 'there'): number[] =>
    [0, 1, 2].map((k) => ends.reduce((sum, end) => sum + end[of][k], 0) / ends.length);
  const [a, b] = [middle('here'), middle('there')];
  let [along, across] = [0, 0];
  for (const { here, there } of ends) {
    const [x, y, p, q] = [here[u] - a[u], here[v] - a[v], there[u] - b[u], there[v] - b[v]];
    along += x * p + y * q;
    across += x * q - y * p;
  }
  return turnedAbout(frame, a, b, Math.atan2(across, along));
}

/** A path with stops so near to each other that members hardly leave their places to each other between them. */
function withSteps(robot: BodyRobot, path: readonly Float64Array[]): Float64Array[] {
  const stops = [path[0]];
  for (let i = 1; i < path.length; i++) {
    const count = Math.max(1, Math.ceil(robot.measure(path[i - 1], path[i]).turning / MAX_TURN));
    for (let step = 1; step <= count; step++) {
      const q = path[i].slice();
      if (step < count) robot.interpolate(path[i - 1], path[i], step / count, q);
      stops.push(q);
    }
  }
  return stops;
}

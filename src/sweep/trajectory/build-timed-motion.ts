// Robots, obstacles and trajectories made ready for proofs: a motion on one clock, and the scenes that it must stay clear in.
import { nameValue } from '../../core/check/check-options.js';
import * as pose from '../../core/pose.js';
import { angleBetween } from '../../core/turns.js';
import type { Vec3 } from '../../core/vec3.js';
import { buildChain, limitsOf, movingJoints } from '../../kinematics/robot/build-chain.js';
import type { ChainPlanRobot } from '../../kinematics/robot/chain-description.js';
import { refuse, within } from '../../kinematics/robot/refusals.js';
import { RigidRobot } from '../../kinematics/robot/rigid-robot.js';
import type { Robot } from '../../kinematics/robot/robot.js';
import { type ModelOf, soundModel } from '../../kinematics/robot/sound-model.js';
import { SpeedLimits } from '../../kinematics/robot/speed-limits.js';
import { Clock } from '../../kinematics/validity/clock.js';
import { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { MovingObstacle, Obstacle } from '../../kinematics/validity/obstacle.js';
import { readKeyframes } from '../../kinematics/validity/read-keyframes.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { type Assignment, assignTrajectories } from './assign-trajectories.js';
import { NET } from './bernstein.js';
import type { MotionBody, MotionProblem } from './motion-problem.js';
import type { Interpolation, MotionTrajectory } from './motion-trajectory.js';
import { TimedMotion } from './timed-motion.js';

/** Chosen: a proof may end where bodies come within the clearance and this share of the size of the largest link. */
const TOUCHING = 1e-9;

/** Rounding: bodies turn by less than this between two waypoints, in radians. At 180 degrees rounding would choose the way. */
const HALF_TURN = Math.PI - 1e-6;

/** A motion, and what it must stay clear of. */
export interface BuiltTimedMotion {
  readonly motion: TimedMotion;
  /** Everything that moves with the robots alone, and what moves with time. Configurations end with the time. */
  readonly scenes: readonly CollisionScene[];
  readonly names: readonly string[];
  readonly assignment: Assignment;
  readonly clearance: number;
  readonly notes: readonly string[];
}

export function buildTimedMotion(
  problem: MotionProblem,
  trajectories: readonly MotionTrajectory[],
  clearance: number,
  interpolation: Interpolation,
): BuiltTimedMotion {
  const { robots: given, environment } = problem ?? {};
  if (!Array.isArray(given) || given.length === 0)
    refuse(`robots is ${nameValue(given)}; give a list of at least one robot`);
  if (!Array.isArray(environment)) refuse(`environment is ${nameValue(environment)}; give a list of { mesh, pose }`);
  const names = given.map((robot, i) => robot?.name ?? `robot ${i + 1}`);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) refuse(`two robots have the name ${nameValue(twice)}; give each its own`);
  const assignment = assignTrajectories(problem, names, trajectories, interpolation);
  const notes = [...assignment.notes];
  const models = new Map<Mesh, ProximityModel>();
  const modelOf = (mesh: Mesh, name: string, warnsOfOpen: boolean): ProximityModel => {
    const model = models.get(mesh) ?? soundModel(mesh, name, notes, warnsOfOpen);
    models.set(mesh, model);
    return model;
  };
  const ofRobot: ModelOf = (mesh, name) => modelOf(mesh, name, true);
  const robots: Robot[] = [];
  let offset = 0;
  for (const [i, robot] of given.entries()) {
    const built = within(names[i], () => {
      if (robot.type !== 'chain') return buildBody(robot, names[i], offset, assignment, i, ofRobot);
      return buildChain(widened(robot, assignment, i), names[i], offset, true, ofRobot);
    });
    robots.push(built);
    offset += built.size;
  }
  const motion = joinMotion(robots, assignment, offset);
  const obstacles: Obstacle[] = [];
  const moving: MovingObstacle[] = [];
  for (const [i, part] of environment.entries()) {
    const name = part?.name ?? `environment ${i + 1}`;
    within(name, () => {
      const model = modelOf(part?.mesh, name, false);
      if (part.motion !== undefined && part.pose !== undefined) refuse('has a pose and a motion; give one of them');
      if (part.motion !== undefined) moving.push({ name, model, keys: readKeyframes(part.motion) });
      else
        obstacles.push({
          name,
          model,
          pose: part.pose === undefined ? pose.identity() : pose.parse(part.pose, 'environment'),
        });
    });
  }
  return {
    motion,
    scenes: makeScenes(robots, obstacles, moving, clearance, motion),
    names,
    assignment,
    clearance,
    notes,
  };
}

function makeScenes(
  robots: readonly Robot[],
  obstacles: readonly Obstacle[],
  moving: readonly MovingObstacle[],
  clearance: number,
  { times, size }: TimedMotion,
): CollisionScene[] {
  const rest = new CollisionScene(robots, obstacles, clearance, { touching: TOUCHING });
  if (moving.length === 0) return [rest];
  // Trajectories may begin before 0, and robots are as fast as they are said to be.
  const free = new SpeedLimits([], [], 1);
  const clock = new Clock(size - 1, moving, times[times.length - 1] + 1, free, times[0] - 1);
  const { counters, scale } = rest;
  const timed = new CollisionScene([...robots, clock], [], clearance, {
    watched: 'timed',
    touching: TOUCHING,
    counters,
    scale,
  });
  return [rest, timed];
}

function joinMotion(robots: readonly Robot[], { tracks, bodies, rest }: Assignment, size: number): TimedMotion {
  const start = new Float64Array(size);
  for (const [i, robot] of robots.entries()) robot.read(rest[i], start);
  const moved = tracks.map(({ joints, track }) => ({
    track,
    values: joints.map(({ robot, joint }) => robots[robot].offset + robots[robot].chain!.valueNames.indexOf(joint)),
  }));
  const placed = bodies.map(({ robot, times, poses }) => {
    const places = poses.map((own) => {
      const q = new Float64Array(size);
      robots[robot].read(own, q);
      return q;
    });
    return { robot: robots[robot], times, places };
  });
  return new TimedMotion(robots, moved, placed, start);
}

/** The chain with limits that contain all that the trajectory does: whether it keeps those of the robot is another question. */
function widened(robot: ChainPlanRobot, { tracks, rest }: Assignment, index: number): ChainPlanRobot {
  if (!Array.isArray(robot.joints)) return robot;
  const moving = movingJoints(robot.joints);
  const ranges = new Map(moving.map(({ name }, k) => [name, [rest[index][k], rest[index][k]] as [number, number]]));
  for (const { joints, track } of tracks) {
    for (const [k, { robot: owner, joint }] of joints.entries()) {
      if (owner !== index) continue;
      const range: [number, number] = [
        Math.min(track.first[k], track.last[k]),
        Math.max(track.first[k], track.last[k]),
      ];
      for (let piece = 0; piece < track.degrees.length; piece++) {
        for (let i = 0; i <= track.degrees[piece]; i++) {
          const value = track.nets[NET * (track.size * piece + k) + i];
          range[0] = Math.min(range[0], value);
          range[1] = Math.max(range[1], value);
        }
      }
      ranges.set(joint, range);
    }
  }
  const joints = robot.joints.map((joint) => {
    const range = ranges.get(joint.name);
    const limits = limitsOf(joint);
    if (range === undefined || limits === undefined) return joint;
    // Room for the rounding of values between waypoints.
    const pad = 1e-9 * (1 + Math.abs(range[0]) + Math.abs(range[1]));
    return { ...joint, limits: [Math.min(limits[0], range[0] - pad), Math.max(limits[1], range[1] + pad)] as const };
  });
  return { ...robot, joints };
}

function buildBody(
  { mesh }: MotionBody,
  name: string,
  offset: number,
  { bodies, rest }: Assignment,
  index: number,
  modelOf: ModelOf,
): RigidRobot {
  const poses = bodies.find(({ robot }) => robot === index)?.poses ?? [rest[index] as unknown as pose.Pose];
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const [i, own] of poses.entries()) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], own[k]);
      max[k] = Math.max(max[k], own[k]);
    }
    if (i === 0) continue;
    const turn = angleBetween(Float64Array.from(poses[i - 1]), 3, Float64Array.from(own), 3);
    if (!(turn < HALF_TURN)) {
      refuse(`turns by 180 degrees up to point ${i + 1}, so no way is shorter; give a point between`);
    }
  }
  // Room for the rounding of points between.
  const pad = 1e-9 * Math.max(...min.map(Math.abs), ...max.map(Math.abs), 1);
  for (let k = 0; k < 3; k++) {
    min[k] -= pad;
    max[k] += pad;
  }
  return new RigidRobot(name, offset, modelOf(mesh, name), { min, max });
}

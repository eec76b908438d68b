// Robots and obstacles of a problem, checked, as planners work with them.
import { nameValue } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { ProximityModel } from '../../proximity/proximity-model.js';
import { type ChainJoint, ChainRobot } from '../robot/chain-robot.js';
import { PlanarRobot } from '../robot/planar-robot.js';
import { RigidRobot } from '../robot/rigid-robot.js';
import type { Robot } from '../robot/robot.js';
import { CollisionScene } from '../validity/collision-scene.js';
import type { Obstacle } from '../validity/obstacle.js';
import type { ChainPlanRobot, PlanProblem, PlanRobot } from './plan-problem.js';

/** A problem ready to be searched. */
export interface PlanScene {
  readonly scene: CollisionScene;
  readonly names: readonly string[];
  readonly start: Float64Array;
  readonly goal: Float64Array;
}

/** A goal of a planar robot may be off its plane by this share of the robot's size, and tilted by as many radians. */
const OFF_PLANE = 1e-6;

export function buildScene(problem: PlanProblem, clearance: number): PlanScene {
  const { robots, environment } = problem ?? {};
  if (!Array.isArray(robots) || robots.length === 0) {
    refuse(`robots is ${nameValue(robots)}; give a list of at least one robot`);
  }
  if (!Array.isArray(environment)) refuse(`environment is ${nameValue(environment)}; give a list of { mesh, pose }`);
  const names = robots.map((robot: PlanRobot, i) => robot?.name ?? `robot ${i + 1}`);
  const built: Robot[] = [];
  const configurations: { start: number[]; goal: number[] }[] = [];
  let offset = 0;
  for (const [i, robot] of robots.entries()) {
    const made = within(names[i], () => buildRobot(robot, names[i], offset));
    built.push(made.robot);
    configurations.push(made);
    offset += made.robot.size;
  }
  const obstacles = environment.map((part, i): Obstacle => {
    return within(`environment ${i + 1}`, () => ({
      name: `environment ${i + 1}`,
      model: new ProximityModel(part?.mesh),
      pose: part.pose === undefined ? pose.identity() : pose.parse(part.pose, 'environment'),
      motion: null,
    }));
  });
  return {
    scene: new CollisionScene(built, obstacles, clearance),
    names,
    start: Float64Array.from(configurations.flatMap(({ start }) => start)),
    goal: Float64Array.from(configurations.flatMap(({ goal }) => goal)),
  };
}

/** A configuration as results have it: poses, or joint values. */
export function describeConfiguration(robot: Robot, q: Float64Array): number[] {
  if (robot instanceof ChainRobot) return [...q.subarray(robot.offset, robot.offset + robot.size)];
  const poses = new Float64Array(7);
  robot.place(q, poses);
  return [...poses];
}

interface BuiltRobot {
  readonly robot: Robot;
  readonly start: number[];
  readonly goal: number[];
}

function buildRobot(robot: PlanRobot, name: string, offset: number): BuiltRobot {
  if (robot === null || typeof robot !== 'object') refuse(`is ${nameValue(robot)}; give { type, mesh, … }`);
  if (robot.type === 'chain') return buildChain(robot, name, offset);
  if (robot.type !== 'rigid' && robot.type !== 'planar') {
    refuse(`has the type ${nameValue((robot as { type: unknown }).type)}; give 'rigid', 'planar' or 'chain'`);
  }
  const { min, max } = robot.bounds ?? {};
  if (min?.length !== 3 || max?.length !== 3) refuse('has no bounds; give { min, max }, where its origin may be');
  for (let k = 0; k < 3; k++) {
    if (!(min[k] <= max[k]) || !Number.isFinite(max[k] - min[k])) {
      refuse(`has bounds from ${min[k]} to ${max[k]}; give finite numbers in ascending order`);
    }
  }
  const bounds = { min: [min[0], min[1], min[2]] as Vec3, max: [max[0], max[1], max[2]] as Vec3 };
  const model = new ProximityModel(robot.mesh);
  const start = pose.parse(robot.start, 'start');
  const goal = pose.parse(robot.goal, 'goal');
  if (robot.type === 'rigid') return { robot: new RigidRobot(name, offset, model, bounds), start, goal };
  if (!['xy', 'xz', 'yz'].includes(robot.plane)) {
    refuse(`moves in the plane ${nameValue(robot.plane)}; give 'xy', 'xz' or 'yz'`);
  }
  const made = new PlanarRobot(name, offset, model, bounds, robot.plane, start);
  const q = new Float64Array(offset + 3);
  made.read(start, q);
  const first = [...q.subarray(offset)];
  const { height, tilt } = made.read(goal, q);
  if (height > OFF_PLANE * model.radius || tilt > OFF_PLANE) {
    refuse(`has a goal that its plane ${robot.plane} does not reach: ${height} across it, tilted by ${tilt} radians`);
  }
  return { robot: made, start: first, goal: [...q.subarray(offset)] };
}

function buildChain(chain: ChainPlanRobot, name: string, offset: number): BuiltRobot {
  if (!Array.isArray(chain.links) || chain.links.length === 0) refuse('has no links; give [{ name, mesh }, …]');
  if (!Array.isArray(chain.joints)) refuse('has no joints; give a list');
  const links = chain.links.map((link) => {
    const model = link.mesh === undefined ? null : within(`link ${link.name}`, () => new ProximityModel(link.mesh!));
    return { name: String(link.name), model };
  });
  const indexOf = (link: string, where: string): number => {
    const index = links.findIndex((other) => other.name === link);
    return index >= 0 ? index : refuse(`${where} names the link ${nameValue(link)}, which there is not`);
  };
  const placed = new Set([0]);
  const joints = chain.joints.map((joint): ChainJoint => {
    const where = `joint ${joint.name}`;
    if (!['revolute', 'prismatic', 'fixed'].includes(joint.type)) {
      refuse(`${where} has the type ${nameValue(joint.type)}; give 'revolute', 'prismatic' or 'fixed'`);
    }
    const [parent, child] = [indexOf(joint.parent, where), indexOf(joint.child, where)];
    if (!placed.has(parent)) refuse(`${where} comes before the joint of its parent; give parents before children`);
    if (placed.has(child))
      refuse(`${where} moves the link ${joint.child}, which another joint moves or which is the root`);
    placed.add(child);
    const axis = [...(joint.axis ?? [1, 0, 0])] as Vec3;
    if (axis.length !== 3 || !(vec3.length(axis) > 0) || !Number.isFinite(vec3.length(axis))) {
      refuse(`${where} has no axis; give three numbers, not all 0`);
    }
    const limits = joint.limits ?? [0, 0];
    const areFinite = Number.isFinite(limits[0]) && Number.isFinite(limits[1]);
    if (joint.type !== 'fixed' && (joint.limits === undefined || !areFinite || !(limits[0] <= limits[1]))) {
      refuse(`${where} has no limits; give the least and the greatest value`);
    }
    return {
      name: joint.name,
      type: joint.type,
      parent,
      child,
      origin: joint.origin === undefined ? pose.identity() : pose.parse(joint.origin, where),
      axis: vec3.normalize(axis),
      limits: [limits[0], limits[1]],
    };
  });
  const loose = links.find((_, i) => !placed.has(i));
  if (loose !== undefined) refuse(`has the link ${loose.name}, which no joint holds; add its joint`);
  const ignored = (chain.ignore ?? []).map(([a, b]) => [indexOf(a, 'ignore'), indexOf(b, 'ignore')] as const);
  const base = chain.base === undefined ? pose.identity() : pose.parse(chain.base, 'base');
  const robot = new ChainRobot(name, offset, links, joints, base, ignored);
  const values = (given: ArrayLike<number>, what: string): number[] => {
    const list = Array.from(given ?? []);
    if (list.length !== robot.size || !list.every(Number.isFinite)) {
      refuse(`has a ${what} of ${nameValue(given)}; give ${robot.size} finite numbers, one for each joint that moves`);
    }
    return list;
  };
  return { robot, start: values(chain.start, 'start'), goal: values(chain.goal, 'goal') };
}

function refuse(what: string): never {
  throw new NearfieldError('bad-argument', `The problem: ${what}.`);
}

/** Runs work whose errors name the part of the problem. */
function within<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    throw new NearfieldError(error.code, `${name}: ${error.message.replace(/^The problem: /, '')}`, error.location);
  }
}

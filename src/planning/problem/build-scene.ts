// Robots and obstacles of a problem, checked, as planners work with them.
import { nameValue } from '../../core/check/check-options.js';
import { labelled, optionTable } from '../../core/check/option-table.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { isLinkGoal } from '../../kinematics/inverse/inverse-kinematics.js';
import type { BodyRobot } from '../../kinematics/robot/body-robot.js';
import { buildChain, readJointValues } from '../../kinematics/robot/build-chain.js';
import type { LinkGoal } from '../../kinematics/robot/chain-description.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import { type JointRates, readJointRates } from '../../kinematics/robot/joint-rates.js';
import { PlanarRobot } from '../../kinematics/robot/planar-robot.js';
import { refuse, within } from '../../kinematics/robot/refusals.js';
import { RigidRobot } from '../../kinematics/robot/rigid-robot.js';
import type { Robot } from '../../kinematics/robot/robot.js';
import { type ModelOf, plainModel } from '../../kinematics/robot/sound-model.js';
import type { SpeedLimit } from '../../kinematics/robot/speed-limits.js';
import { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { MovingObstacle, Obstacle } from '../../kinematics/validity/obstacle.js';
import { readKeyframes } from '../../kinematics/validity/read-keyframes.js';
import type { TimedPart } from '../time/plan-in-time.js';
import type { PlanProblem, PlanRobot } from './plan-problem.js';
import { PreparedParts } from './prepared-parts.js';

/** A problem ready to be searched. */
export interface PlanScene {
  readonly scene: CollisionScene;
  readonly names: readonly string[];
  readonly start: Float64Array;
  readonly goal: Float64Array;
  /** Robots whose goals are where a link is to be; their numbers in `goal` are those of the start until they are found. */
  readonly linkGoals: readonly { readonly robot: ChainRobot; readonly goal: LinkGoal }[];
  /** What the problem says of time; null where times do not count. The scene has the obstacles at rest. */
  readonly timed: TimedPart | null;
  /** By robot: what is said of how fast the joints of a chain may move; null for others. */
  readonly rates: readonly (ReadonlyMap<string, JointRates> | null)[];
  /** What was done to meshes that bound no solid as they are, a sentence each. */
  readonly notes: readonly string[];
}

const SPEED_RULE = {
  expects: 'a finite number above 0',
  accepts: (value: unknown) => typeof value === 'number' && value > 0 && value < Infinity,
};
const SPEED_OPTIONS = optionTable<SpeedLimit>('Speeds')({
  linear: labelled('linear speed', SPEED_RULE),
  angular: labelled('angular speed', SPEED_RULE),
});

/** @param prepared models and chains made earlier; those that are made now are added. */
export function buildScene(problem: PlanProblem, clearance: number, prepared = new PreparedParts()): PlanScene {
  const { robots, environment } = problem ?? {};
  if (!Array.isArray(robots) || robots.length === 0) {
    refuse(`robots is ${nameValue(robots)}; give a list of at least one robot`);
  }
  if (!Array.isArray(environment)) refuse(`environment is ${nameValue(environment)}; give a list of { mesh, pose }`);
  const names = robots.map((robot: PlanRobot, i) => robot?.name ?? `robot ${i + 1}`);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) refuse(`two robots have the name ${nameValue(twice)}; give each its own`);
  const built: Robot[] = [];
  const configurations: BuiltRobot[] = [];
  const notes: string[] = [];
  const modelOf: ModelOf = (mesh, name) => prepared.model(mesh, name, notes, true);
  let offset = 0;
  for (const [i, robot] of robots.entries()) {
    const made = within(names[i], () => buildRobot(robot, names[i], offset, modelOf, prepared));
    built.push(made.robot);
    configurations.push(made);
    offset += made.robot.size;
  }
  const obstacles: Obstacle[] = [];
  const moving: MovingObstacle[] = [];
  for (const [i, part] of environment.entries()) {
    const name = part?.name ?? `environment ${i + 1}`;
    within(name, () => {
      // Floors and walls are often open on purpose.
      const model = prepared.model(part?.mesh, name, notes, false);
      if (part.motion !== undefined) {
        if (part.pose !== undefined) refuse('has a pose and a motion; give one of them');
        moving.push({ name, model, keys: readKeyframes(part.motion) });
        return;
      }
      const placed = part.pose === undefined ? pose.identity() : pose.parse(part.pose, 'environment');
      obstacles.push({ name, model, pose: placed });
    });
  }
  const limits = robots.map((robot: PlanRobot, i) => within(names[i], () => readSpeed(robot.speed)));
  const rates = robots.map((robot: PlanRobot, i) => {
    return robot.type === 'chain' ? within(names[i], () => readJointRates(robot)) : null;
  });
  const horizon = problem.horizon ?? Infinity;
  if (!(typeof horizon === 'number' && horizon > 0)) {
    refuse(`horizon is ${nameValue(horizon)}; give the last time allowed, in seconds above 0`);
  }
  return {
    scene: new CollisionScene(built, obstacles, clearance),
    names,
    start: Float64Array.from(configurations.flatMap(({ start }) => start)),
    goal: Float64Array.from(configurations.flatMap(({ goal }) => goal)),
    linkGoals: configurations.flatMap(({ robot, linkGoal }) => {
      return linkGoal === undefined || robot.chain === null ? [] : [{ robot: robot.chain, goal: linkGoal }];
    }),
    timed: moving.length > 0 || problem.horizon !== undefined ? { moving, horizon, limits } : null,
    rates,
    notes,
  };
}

export function readSpeed(speed: SpeedLimit | undefined): SpeedLimit | undefined {
  if (speed === undefined) return undefined;
  if (speed === null || typeof speed !== 'object')
    refuse(`has the speed ${nameValue(speed)}; give { linear, angular }`);
  SPEED_OPTIONS.assert(speed);
  return speed;
}

/** A configuration as results have it: poses, or joint values. */
export function describeConfiguration(robot: Robot, q: Float64Array): number[] {
  return robot.describe(q);
}

export interface BuiltRobot {
  readonly robot: Robot;
  readonly start: number[];
  readonly goal: number[];
  readonly linkGoal?: LinkGoal;
}

/**
 * @param modelOf makes the model of each body.
 * @param prepared has the chains that were made earlier.
 */
export function buildRobot(
  robot: PlanRobot,
  name: string,
  offset: number,
  modelOf: ModelOf = plainModel,
  prepared?: PreparedParts,
): BuiltRobot {
  if (robot === null || typeof robot !== 'object') refuse(`is ${nameValue(robot)}; give { type, mesh, … }`);
  if (robot.type === 'chain') {
    const make = (): ChainRobot => buildChain(robot, name, offset, true, modelOf);
    const made = prepared?.chain(robot, name, offset, modelOf, make) ?? make();
    const start = readJointValues(robot, robot.start, 'start');
    if (isLinkGoal(robot.goal)) return { robot: made, start, goal: start, linkGoal: robot.goal };
    return { robot: made, start, goal: readJointValues(robot, robot.goal, 'goal') };
  }
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
  const model = modelOf(robot.mesh, name);
  const start = pose.parse(robot.start!, 'start');
  const goal = pose.parse(robot.goal!, 'goal');
  if (robot.type === 'rigid') return { robot: new RigidRobot(name, offset, model, bounds), start, goal };
  if (!['xy', 'xz', 'yz'].includes(robot.plane)) {
    refuse(`moves in the plane ${nameValue(robot.plane)}; give 'xy', 'xz' or 'yz'`);
  }
  const made = new PlanarRobot(name, offset, model, bounds, robot.plane, start);
  const q = new Float64Array(offset + 3);
  made.read(start, q);
  const first = [...q.subarray(offset)];
  made.read(goal, q);
  assertFits(made, goal, 'goal');
  return { robot: made, start: first, goal: [...q.subarray(offset)] };
}

/** Refuses a pose that the robot cannot take. */
export function assertFits(robot: BodyRobot, given: pose.ReadonlyPose, name: string): void {
  const misfit = robot.misfit(given);
  if (misfit !== null) refuse(`has a ${name} ${misfit}`);
}

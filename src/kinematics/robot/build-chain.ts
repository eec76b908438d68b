// Chains of a problem, checked, and their configurations: lists of values, or values by the names of joints.
import { nameValue } from '../../core/check/check-options.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ChainPlanRobot, JointValues, PlanJoint } from './chain-description.js';
import { type ChainJoint, ChainRobot } from './chain-robot.js';
import { refuse, within } from './refusals.js';
import { type ModelOf, plainModel } from './sound-model.js';

/**
 * Chosen: the limits of a continuous joint that names none, in radians: two turns, so that any angle is reached from
 * either side.
 */
const CONTINUOUS_LIMITS = [-2 * Math.PI, 2 * Math.PI] as const;

/** The joints that have a value in a configuration, in order: those that are not fixed and mimic no other. */
export function movingJoints(joints: readonly PlanJoint[]): PlanJoint[] {
  return joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);
}

/** The limits of a joint that is not fixed. */
export function limitsOf({ type, limits }: PlanJoint): readonly [number, number] | undefined {
  return limits ?? (type === 'continuous' ? CONTINUOUS_LIMITS : undefined);
}

/**
 * Builds a chain.
 * @param withBodies whether links have bodies: without them it serves kinematics only.
 * @param modelOf makes the model of a link.
 */
export function buildChain(
  chain: ChainPlanRobot,
  name: string,
  offset: number,
  withBodies = true,
  modelOf: ModelOf = plainModel,
): ChainRobot {
  if (!Array.isArray(chain?.links) || chain.links.length === 0) refuse('has no links; give [{ name, mesh }, …]');
  if (!Array.isArray(chain.joints)) refuse('has no joints; give a list');
  const links = chain.links.map((link) => {
    const hasBody = withBodies && link.mesh !== undefined;
    const model = hasBody
      ? within(`link ${link.name}`, () => modelOf(link.mesh!, `link ${link.name} of ${name}`))
      : null;
    return { name: String(link.name), model };
  });
  const indexOf = (link: string, where: string): number => {
    const index = links.findIndex((other) => other.name === link);
    return index >= 0 ? index : refuse(`${where} names the link ${nameValue(link)}, which the robot does not have`);
  };
  const placed = new Set([0]);
  const joints = chain.joints.map((joint): ChainJoint => {
    const where = `joint ${joint.name}`;
    if (!['revolute', 'continuous', 'prismatic', 'fixed'].includes(joint.type)) {
      const types = "'revolute', 'continuous', 'prismatic' or 'fixed'";
      refuse(`${where} has the type ${nameValue(joint.type)}; give ${types}`);
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
    const { limits, mimic } = within(where, () => readMotion(joint, chain.joints));
    return {
      name: joint.name,
      type: joint.type === 'continuous' ? 'revolute' : joint.type,
      parent,
      child,
      origin: joint.origin === undefined ? pose.identity() : pose.parse(joint.origin, where),
      axis: vec3.normalize(axis),
      limits,
      mimic,
    };
  });
  const loose = links.find((_, i) => !placed.has(i));
  if (loose !== undefined) refuse(`has the link ${loose.name}, which no joint holds; add its joint`);
  const ignored = (chain.ignore ?? []).map(([a, b]) => [indexOf(a, 'ignore'), indexOf(b, 'ignore')] as const);
  const base = chain.base === undefined ? pose.identity() : pose.parse(chain.base, 'base');
  return new ChainRobot(name, offset, links, joints, base, ignored);
}

/** The limits of a joint, and the joint that moves it where it mimics another one, which may mimic a third. */
function readMotion(joint: PlanJoint, all: readonly PlanJoint[]): Pick<ChainJoint, 'limits' | 'mimic'> {
  if (joint.type === 'fixed') return { limits: [0, 0] };
  let [leader, factor, offset] = [joint, 1, 0];
  for (const seen = new Set([joint.name]); leader.mimic !== undefined; ) {
    const { joint: name, factor: own = 1, offset: added = 0 } = leader.mimic;
    if (!Number.isFinite(own) || !Number.isFinite(added)) refuse('mimics with numbers that are not finite');
    const next = all.find((other) => other.name === name);
    if (next === undefined) refuse(`mimics the joint ${nameValue(name)}, which the robot does not have`);
    if (next.type === 'fixed') refuse(`mimics the joint ${name}, which is fixed; make it fixed too`);
    if (seen.has(name)) refuse(`mimics itself, by the joint ${name}; let one of them move freely`);
    seen.add(name);
    offset += factor * added;
    factor *= own;
    leader = next;
  }
  const limits = limitsOf(leader);
  const areFinite = limits !== undefined && Number.isFinite(limits[0]) && Number.isFinite(limits[1]);
  if (!areFinite || !(limits[0] <= limits[1])) refuse('has no limits; give the least and the greatest value');
  if (leader === joint) return { limits: [limits[0], limits[1]] };
  const ends = [factor * limits[0] + offset, factor * limits[1] + offset];
  const mimic = { joint: all.indexOf(leader), factor, offset };
  return { limits: [Math.min(...ends), Math.max(...ends)], mimic };
}

/** The values of a configuration of a chain. Joints that a description by name leaves out are at 0, or at the limit next to it. */
export function readJointValues(
  chain: ChainPlanRobot,
  given: ArrayLike<number> | JointValues | undefined,
  what: string,
): number[] {
  const moving = movingJoints(chain.joints);
  const isByName = typeof given === 'object' && given !== null && !Array.isArray(given) && !ArrayBuffer.isView(given);
  if (isByName) return valuesByName(moving, given as JointValues, what);
  const list = Array.from((given as ArrayLike<number> | undefined) ?? []);
  if (list.length !== moving.length || !list.every(Number.isFinite)) {
    refuse(`has a ${what} of ${nameValue(given)}; give ${moving.length} finite numbers, one for each joint that moves`);
  }
  return list;
}

function valuesByName(moving: readonly PlanJoint[], given: JointValues, what: string): number[] {
  for (const [name, value] of Object.entries(given)) {
    if (!moving.some((joint) => joint.name === name)) {
      const names = moving.map((joint) => joint.name).join(', ');
      refuse(`has a ${what} with the joint ${name}, which has no value; those that move are ${names}`);
    }
    if (!Number.isFinite(value)) refuse(`has a ${what} with ${nameValue(value)} for the joint ${name}; give a number`);
  }
  return moving.map((joint) => {
    const [low, high] = limitsOf(joint)!;
    return given[joint.name] ?? Math.min(high, Math.max(low, 0));
  });
}

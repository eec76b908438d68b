// What callers say of an agent with an elastic body, what a step of it tells, and the checks.
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, numberAbove, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import type { ReadonlyPose } from '../core/pose.js';
import type { ReadonlyVec3 } from '../core/vec3.js';
import type { ElasticBodyOptions } from '../elastic/body/body-options.js';
import type { RobotBounds } from '../kinematics/robot/body-robot.js';
import type { Mesh } from '../mesh/mesh.js';

/** An obstacle at rest: a closed mesh. */
export interface DeformableObstacle {
  readonly mesh: Mesh;
  /** Default: at the origin. */
  readonly pose?: ReadonlyPose | undefined;
}

/** An agent with an elastic body, and what is around it. Units are meters, seconds, kilograms and newtons. */
export interface DeformableAgentOptions {
  /** The surface of the body at rest, closed. */
  readonly mesh: Mesh;
  /** Where it is at first, at rest; it must not touch anything. */
  readonly pose: ReadonlyPose;
  /** Where its center of mass is to be. */
  readonly goal: ReadonlyVec3;
  /** Where its center of mass may be led. */
  readonly bounds: RobotBounds;
  readonly obstacles: readonly DeformableObstacle[];
  /** What it is made of. */
  readonly material: Pick<ElasticBodyOptions, 'young' | 'poisson' | 'density' | 'material' | 'damping'>;
  /** It pushes itself with at most this force in all, in newtons. */
  readonly force: number;
  /** It wants to be as fast, in m/s. Default 1. */
  readonly speed?: number | undefined;
  /** It has arrived when its center of mass is as near to the goal. Default: a fiftieth of its size. */
  readonly tolerance?: number | undefined;
  /** The length of edges of its elements. Default: a sixth of its diameter. */
  readonly elementSize?: number | undefined;
  /** Passages down to this share of its least width at rest are tried. Default 0.5. */
  readonly squeeze?: number | undefined;
  /** Coulomb's coefficient between it and the obstacles. Default 0. */
  readonly friction?: number | undefined;
  /** The agent is given up after this count of seconds without progress. Default: the time for eight of its radii. */
  readonly patience?: number | undefined;
  /** Of a step, in seconds. Default 1/60. */
  readonly timeStep?: number | undefined;
}

/** 'moving', 'arrived', or 'stuck': it makes no progress, and `reason` says why. */
export type DeformableStatus = 'moving' | 'arrived' | 'stuck';

/** What a step did. */
export interface DeformableStep {
  readonly time: number;
  readonly status: DeformableStatus;
  /** The force that it pushed itself with, in newtons: never above the bound. */
  readonly force: number;
  /** How fast its center of mass is, in m/s. */
  readonly speed: number;
  /** What is left of the way along the potential, in meters at full speed; Infinity where none is known. */
  readonly left: number;
  /** The forces that obstacles push back with, their lengths summed, in newtons. */
  readonly contactForce: number;
  /** The least ratio of an element's volume to that at rest; 0 or less for one that is turned inside out. */
  readonly leastVolume: number;
  /**
   * Whether the forces of the step are balanced to the solver's tolerance. If not, the step still has no overlap, but its motion is
   * less accurate.
   */
  readonly converged: boolean;
}

const OPTIONS = optionTable<DeformableAgentOptions>('Agents')({
  mesh: checkedElsewhere<DeformableAgentOptions['mesh']>(),
  pose: checkedElsewhere<DeformableAgentOptions['pose']>(),
  goal: checkedElsewhere<DeformableAgentOptions['goal']>(),
  bounds: checkedElsewhere<DeformableAgentOptions['bounds']>(),
  obstacles: checkedElsewhere<DeformableAgentOptions['obstacles']>(),
  material: checkedElsewhere<DeformableAgentOptions['material']>(),
  force: numberAbove(0),
  speed: numberAbove(0),
  tolerance: numberAbove(0),
  elementSize: numberAbove(0),
  squeeze: {
    expects: 'a share of the width at rest above 0, up to 1',
    accepts: (value) => typeof value === 'number' && value > 0 && value <= 1,
  },
  friction: checkedElsewhere<number>(),
  patience: numberAbove(0),
  timeStep: numberAbove(0),
});

/** The body checks the values. */
const MATERIAL_OPTIONS = optionTable<DeformableAgentOptions['material']>('Materials')({
  young: checkedElsewhere<number>(),
  poisson: checkedElsewhere<number>(),
  density: checkedElsewhere<number>(),
  material: checkedElsewhere<NonNullable<ElasticBodyOptions['material']>>(),
  damping: checkedElsewhere<NonNullable<ElasticBodyOptions['damping']>>(),
});

/** Refuses options that are missing, unknown or out of range, but for those that are checked where they are used. */
export function checkDeformableOptions(options: DeformableAgentOptions): void {
  if (options === undefined) refuse('The agent is undefined; give { mesh, pose, goal, … }.');
  OPTIONS.assert(options);
  const { goal, obstacles, material, force } = options;
  if (goal?.length !== 3 || !Number.isFinite(goal[0] + goal[1] + goal[2])) {
    refuse(`The goal is ${nameValue(goal)}; give three finite numbers, where the center of mass is to be.`);
  }
  if (!Array.isArray(obstacles)) refuse(`The obstacles are ${nameValue(obstacles)}; give a list.`);
  if (material === null || typeof material !== 'object') {
    refuse(`The material is ${nameValue(material)}; give { young, … }.`);
  }
  MATERIAL_OPTIONS.assert(material);
  if (force === undefined) refuse('The force is undefined; give a positive number, in newtons.');
}

export function refuse(message: string): never {
  throw new NearfieldError('bad-argument', message);
}

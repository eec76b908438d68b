// What every planner gets and gives. A planner is a function in a file of its own, named in the table of `search-path`.

import type { Deadline } from '../../core/deadline.js';
import type { Random } from '../../core/random.js';
import type { BodyRobot } from '../../kinematics/robot/body-robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { PlanScene } from '../problem/build-scene.js';
import type { InfeasibilityProof, PlannerName } from '../problem/plan-problem.js';
import type { SamplerName } from '../roadmap/sampler.js';
import type { Sampler } from '../search/grow-trees.js';

/** A search: start and goal are free, and the straight edge between them is not. */
export interface PlanTask extends Omit<PlanScene, 'rates'> {
  readonly random: Random;
  readonly deadline: Deadline;
  /** In seconds. */
  readonly timeLimit: number;
  /** Of those planners that have a choice. */
  readonly sampler?: SamplerName | undefined;
  /** What chains keep beyond the clearance where there is room, in meters. Default: a share of their size. */
  readonly preferred?: number | undefined;
}

/** What a search has found: a path whose edges are all proven, a proof that no path exists, or neither. */
export interface FoundPath {
  /** The planner that found it. */
  readonly planner: PlannerName;
  readonly path: readonly Float64Array[] | null;
  readonly proof: InfeasibilityProof | null;
  /** Whether the path has been made short already. */
  readonly isShort?: boolean;
}

export type Planner = (task: PlanTask) => FoundPath;

/** The only robot of a scene, if it is a rigid body; null otherwise. */
export function singleBody({ robots }: CollisionScene): BodyRobot | null {
  return robots.length === 1 ? robots[0].body : null;
}

/** Samples the whole space evenly. */
export function uniformSampler({ robots }: CollisionScene): Sampler {
  return (random, out) => {
    for (const robot of robots) robot.sample(random, out);
  };
}

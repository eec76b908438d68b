// A proof that a chain has no path: a ball inside of one of its links that no motion brings from start to goal, whatever the joints
// do. Where the link can be is bounded by the lengths of the chain.

import type { Deadline } from '../../core/deadline.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { reachOf } from '../../kinematics/inverse/reach.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { InfeasibilityProof } from '../problem/plan-problem.js';
import { BallSearch } from '../workspace/ball-search.js';
import type { ClearanceMap } from '../workspace/clearance-map.js';
import { findInnerBall } from '../workspace/inner-ball.js';

/** Chosen: the size of the smallest cells of the search, as a share of the ball's radius. */
const FINEST = 1 / 16;

/** Chosen: the most cells of the search. */
const MAX_CELLS = 50_000;

/** What a proof is looked for of: that a chain has no path from start to goal. */
export interface ChainErrand {
  readonly scene: CollisionScene;
  readonly robot: ChainRobot;
  /** The name of the robot in the answer. */
  readonly name: string;
  readonly map: ClearanceMap;
  readonly start: Float64Array;
  readonly goal: Float64Array;
  readonly deadline: Deadline;
}

/** Looks at links with large balls first; null if every ball has a way, or none is known to have none. */
export function proveByLinks(errand: ChainErrand): InfeasibilityProof | null {
  const { scene, robot, name, map, start, goal, deadline } = errand;
  const balls = robot.links.flatMap(({ name: link, model, isTested }) => {
    const ball = isTested ? findInnerBall(model) : null;
    return ball === null ? [] : [{ link, ...ball }];
  });
  balls.sort((a, b) => b.radius - a.radius);
  for (const { link, center, radius } of balls) {
    if (deadline.isOver('Looking for a proof')) return null;
    const index = robot.linkNames.indexOf(link);
    const [from, to] = [start, goal].map((q) => pose.transformPoint(robot.frameAt(q, index), center));
    const { center: middle, most } = reachOf(robot, index, center);
    const search = new BallSearch(map, {
      radius: radius + scene.clearance,
      min: middle.map((value) => value - most) as Vec3,
      max: middle.map((value) => value + most) as Vec3,
      axes: [0, 1, 2],
      comfort: radius + scene.clearance,
      finest: FINEST * radius,
      maxCells: MAX_CELLS,
    });
    if (search.find(from, to, deadline).status === 'blocked')
      return { kind: 'ball', robot: name, link, center, radius };
  }
  return null;
}

// What leads a rigid robot: the graph of the obstacles' Voronoi diagram as stations, in the plane or in space.
import type { Vec3 } from '../../core/vec3.js';
import type { GuidedBody } from '../../kinematics/robot/guided-body.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { ClearanceMap } from '../workspace/clearance-map.js';
import type { InnerBall } from '../workspace/inner-ball.js';
import type { GuideGraph, Station } from './guide-graph.js';

/** What a change of the obstacles left of a guide. */
export interface GuideChange {
  /** Edges of the diagram's graph that stayed as they were, and those found anew. */
  readonly kept: number;
  readonly made: number;
}

export interface Guide {
  readonly graph: GuideGraph;
  /** The stations that a robot follows on a way. */
  refine(way: readonly Station[]): readonly Station[];
  /** Follows an obstacle that has moved. */
  obstacleMoved(index: number): GuideChange;
}

/** What a guide leads: one of its points, and how much room the rest needs. */
export interface GuideShape {
  /** Where the point may be, but for its distance from the origin of the frame. */
  readonly bounds: { readonly min: Vec3; readonly max: Vec3 };
  /** In the frame of the body. */
  readonly anchor: Vec3;
  /** The largest distance of a vertex from it, and half of the least width. */
  readonly radius: number;
  readonly halfWidth: number;
}

/** What a guide is made from. */
export interface GuideTask<Body extends GuideShape = GuidedBody> {
  readonly scene: CollisionScene;
  readonly body: Body;
  /** A ball inside of the robot; null for an open mesh. */
  readonly ball: InnerBall | null;
  /** Details of this size matter. */
  readonly grain: number;
  readonly map: ClearanceMap;
}

/** Chosen: ways through less than half of the robot's width cost this factor more. */
const TOO_NARROW = 30;

/** The cost of a length: ways with less room than the robot needs to turn cost more. */
export function costBy({ scene, body }: GuideTask<GuideShape>): (length: number, room: number) => number {
  const wide = body.radius + scene.clearance;
  const narrow = 0.98 * (body.halfWidth + scene.clearance);
  return (length, room) => {
    const factor = room >= wide ? 1 : wide / room;
    return length * factor * (room < narrow ? TOO_NARROW : 1);
  };
}

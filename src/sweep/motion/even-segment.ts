// The motion of two bodies of a chain that one value moves, as an even motion of each: seen from a link between the joints that
// move, one body turns about or slides along the axis of one joint, and the other body that of the other joint.
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import type { EvenMotion, Segment } from '../../proximity/impact/motion.js';

/** A joint that moves, on the way from body a to body b. */
export interface MovingJoint {
  readonly joint: number;
  /** How far it moves along the range: radians or meters. */
  readonly change: number;
  /** Whether a is beyond the joint; otherwise b is. */
  readonly isOfA: boolean;
}

/** What of a chain two bodies are on. */
export interface EvenBodies {
  readonly chain: ChainRobot;
  /** The configuration at the start of the range. */
  readonly q: Float64Array;
  readonly poseA: Pose;
  readonly poseB: Pose;
}

/**
 * @param moving one or two joints, in order from a to b.
 * @returns the segment, in the frame of the link between the joints at the start of the range.
 */
export function evenSegment(bodies: EvenBodies, moving: readonly MovingJoint[], low: number, high: number): Segment {
  const [first, second] = moving;
  // Seen from between, the body before the first joint moves by it, and the body after the last one by that.
  const frame = second === undefined ? bodies.poseB : linkBetween(bodies, first);
  const a = evenMotion(bodies, first, bodies.poseA, frame, first.isOfA ? 1 : -1);
  const b =
    second === undefined
      ? atRest(pose.bInA(frame, bodies.poseB))
      : evenMotion(bodies, second, bodies.poseB, frame, second.isOfA ? -1 : 1);
  return { start: low, end: high, a, b };
}

/** The frame of the link behind the first joint, seen from a. Joints of a come before joints of b. */
function linkBetween({ chain, q }: EvenBodies, first: MovingJoint): Pose {
  const { parent, child } = chain.joints[first.joint];
  return copy(chain.frameAt(q, first.isOfA ? parent : child));
}

function evenMotion(
  { chain, q }: EvenBodies,
  { joint, change }: MovingJoint,
  body: Pose,
  frame: Pose,
  sense: number,
): EvenMotion {
  const { type, axis, child } = chain.joints[joint];
  const placed = pose.bInA(frame, copy(chain.frameAt(q, child)));
  const own = pose.bInA(frame, body);
  const [x, y, z] = pose.transformVector(placed, axis);
  const way = sense * change;
  if (type === 'prismatic') {
    const to: [number, number, number] = [own[0] + way * x, own[1] + way * y, own[2] + way * z];
    return { ...atRest(own), to };
  }
  // The point of the axis that stays, in the frame and in the body.
  const pivot: [number, number, number] = [placed[0], placed[1], placed[2]];
  const inBody = pose.transformPoint(pose.invert(own), pivot);
  const sign = way < 0 ? -1 : 1;
  return {
    from: pivot,
    to: pivot,
    pivot: inBody,
    rotation: [own[3], own[4], own[5], own[6]],
    axis: [sign * x, sign * y, sign * z],
    angle: Math.abs(way),
  };
}

function atRest(p: Pose): EvenMotion {
  const at: [number, number, number] = [p[0], p[1], p[2]];
  return { from: at, to: at, rotation: [p[3], p[4], p[5], p[6]], axis: [0, 0, 1], angle: 0 };
}

function copy(frame: Float64Array): Pose {
  return [frame[0], frame[1], frame[2], frame[3], frame[4], frame[5], frame[6]];
}

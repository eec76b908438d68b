// What a sweep knows of a motion, whatever moves: bodies, numbers that say where they are (values of joints, or the time), and
// how far two bodies can come towards each other while these numbers stay within a box.
import type { Pose } from '../../core/pose.js';
import type { Segment } from '../../proximity/impact/motion.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** A rigid body of a motion. */
export interface SweptBody {
  readonly name: string;
  readonly model: ProximityModel;
}

/** Two bodies that move against each other, by index. */
export interface SweptPair {
  readonly a: number;
  readonly b: number;
  /** How deep they may overlap by design. */
  readonly allowedDepth: number;
}

/** One number that says where bodies are, and its range. */
export interface SweptAxis {
  /** The joint, or 'time'. */
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

/** Bodies that move with a few numbers. It is placed at one set of numbers at a time. */
export interface SweptMotion {
  readonly kind: 'joints' | 'time';
  readonly axes: readonly SweptAxis[];
  readonly bodies: readonly SweptBody[];
  readonly pairs: readonly SweptPair[];
  /** The axes on which the placement of one body seen from the other depends, in order. */
  axesOf(pair: SweptPair): readonly number[];
  /** Moves to values of all axes. */
  place(u: Float64Array): void;
  /** The pose of a body where it was placed. */
  poseOf(body: number, out: Pose): Pose;
  /**
   * The most by which the distance of a pair can change while each axis stays within its half-width of where the bodies are
   * placed; Infinity if that is not known for a box of this size.
   */
  reach(pair: SweptPair, widths: Float64Array): number;
  /** At most the distance of a pair anywhere in the motion, by its balls; cheap, and need not look further than the limit. */
  sweptGap(pair: SweptPair, limit: number): number;
  /** The motion of a pair as stretches in which both move evenly, seen from some frame, where it depends on one axis; or null. */
  segmentsOf(pair: SweptPair): readonly Segment[] | null;
  /**
   * The motion of a pair that one solved value moves alone, as a segment over an interval that this value is proven not to leave;
   * null for other pairs.
   */
  solvedSegmentOf?(pair: SweptPair): SolvedSegment | null;
}

/** A segment over the value of a joint that closes loops. */
export interface SolvedSegment {
  readonly segment: Segment;
  /** Values of all axes at which the joint has about this value. */
  placeOf(value: number): Float64Array;
}

/** Chosen: a motion is halved this often to tell by balls how near two bodies come. */
const MAX_HALVINGS = 7;

/** How near the balls of a pair come, by boxes of the axes that matter, each halved along its longest axis. */
export function sweptBallGap(motion: SweptMotion, pair: SweptPair, limit: number): number {
  const axes = motion.axesOf(pair);
  const middle = Float64Array.from(motion.axes, ({ low, high }) => (low + high) / 2);
  const widths = new Float64Array(motion.axes.length);
  for (const axis of axes) widths[axis] = (motion.axes[axis].high - motion.axes[axis].low) / 2;
  const visit = (level: number, longest: number): number => {
    motion.place(middle);
    const gap = ballGap(motion, pair) - motion.reach(pair, widths);
    if (gap > limit || level === MAX_HALVINGS * axes.length) return Math.max(0, gap);
    const axis = axes[longest % axes.length];
    const [at, width] = [middle[axis], widths[axis]];
    widths[axis] = width / 2;
    middle[axis] = at - width / 2;
    let least = visit(level + 1, longest + 1);
    if (least > limit) {
      middle[axis] = at + width / 2;
      least = Math.min(least, visit(level + 1, longest + 1));
    }
    middle[axis] = at;
    widths[axis] = width;
    return least;
  };
  return visit(0, 0);
}

/** The gap between the balls around two bodies where they are placed. */
export function ballGap(motion: SweptMotion, { a, b }: SweptPair): number {
  const poseA = motion.poseOf(a, [0, 0, 0, 0, 0, 0, 1]);
  const poseB = motion.poseOf(b, [0, 0, 0, 0, 0, 0, 1]);
  const [modelA, modelB] = [motion.bodies[a].model, motion.bodies[b].model];
  const [p, q] = [centerAt(poseA, modelA.center), centerAt(poseB, modelB.center)];
  const gap = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  return gap * (1 - ROUNDING) - modelA.radius - modelB.radius - ROUNDING * (Math.hypot(...p) + Math.hypot(...q));
}

/** Rounding: gaps of balls are lowered by this share of the coordinates. */
const ROUNDING = 1e-12;

/** A point of a body in the world. */
export function centerAt(p: Pose, center: ArrayLike<number>): [number, number, number] {
  const [cx, cy, cz] = [center[0], center[1], center[2]];
  const tx = 2 * (p[4] * cz - p[5] * cy);
  const ty = 2 * (p[5] * cx - p[3] * cz);
  const tz = 2 * (p[3] * cy - p[4] * cx);
  return [
    p[0] + cx + p[6] * tx + p[4] * tz - p[5] * ty,
    p[1] + cy + p[6] * ty + p[5] * tx - p[3] * tz,
    p[2] + cz + p[6] * tz + p[3] * ty - p[4] * tx,
  ];
}

// How far a point of a link can be from where its chain begins, by the lengths of its rigid parts: a place out of this reach
// is proven to be out of reach.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ChainRobot } from '../robot/chain-robot.js';

/** The distances from a center that the point of a link can have, whatever the joint values. */
export interface Reach {
  readonly center: Vec3;
  readonly least: number;
  readonly most: number;
}

/** Chosen: the most slides in a row that are bounded exactly; each doubles the count of corners. */
const MAX_SLIDES = 10;

/**
 * The reach of a point of a link. Between two hinges the way of the chain is a vector of fixed length, or one that slides
 * lengthen; the whole is at most their sum, and at least what the longest exceeds the others by.
 */
export function reachOf(robot: ChainRobot, link: number, point: Readonly<Vec3>): Reach {
  const joints = robot.jointsOf(link).reverse();
  const base = robot.frameAt(new Float64Array(robot.offset + robot.size), 0).slice();
  const center: Vec3 = [base[0], base[1], base[2]];
  // Each part begins at a hinge; within it there are fixed turns and slides only.
  let frame: pose.Pose = pose.identity();
  let slides: { readonly along: Vec3; readonly limits: readonly [number, number] }[] = [];
  const parts: { readonly least: number; readonly most: number }[] = [];
  let isFirst = true;
  /** The axis of the first hinge: what lies on it is at rest too. */
  let firstAxis: Vec3 | null = null;
  let turn = pose.create([0, 0, 0], [base[3], base[4], base[5], base[6]]);
  const close = (offset: Readonly<Vec3>): void => {
    if (isFirst && slides.length === 0) {
      // What comes before the first joint that moves is at rest.
      const moved = pose.transformPoint(base, offset);
      for (let k = 0; k < 3; k++) center[k] = moved[k];
      turn = pose.multiply(turn, [0, 0, 0, frame[3], frame[4], frame[5], frame[6]]);
    } else if (parts.length === 0 && slides.length === 0 && isParallel(offset, firstAxis)) {
      const moved = pose.transformVector(turn, offset);
      for (let k = 0; k < 3; k++) center[k] += moved[k];
      firstAxis = null;
    } else parts.push(lengthRange(offset, slides));
    isFirst = false;
    slides = [];
    frame = pose.identity();
  };
  for (const j of joints) {
    const joint = robot.joints[j];
    frame = pose.multiply(frame, joint.origin);
    if (joint.type === 'fixed') continue;
    if (joint.type === 'prismatic') {
      slides.push({ along: pose.transformVector(frame, joint.axis), limits: joint.limits });
      continue;
    }
    const isLeading = isFirst && slides.length === 0;
    close([frame[0], frame[1], frame[2]]);
    if (isLeading) firstAxis = joint.axis;
  }
  close(pose.transformPoint(frame, point));
  const sum = parts.reduce((total, { most }) => total + most, 0);
  let least = 0;
  for (const part of parts) least = Math.max(least, part.least - (sum - part.most));
  return { center, least: least * (1 - 1e-12), most: sum * (1 + 1e-12) };
}

function isParallel(offset: Readonly<Vec3>, axis: Readonly<Vec3> | null): boolean {
  if (axis === null) return false;
  return vec3.length(vec3.cross(offset, axis)) <= 1e-12 * vec3.length(offset);
}

/** The lengths of an offset and slides: the greatest is at a corner; the least is bounded by 0 for more than one slide. */
function lengthRange(
  offset: Readonly<Vec3>,
  slides: readonly { readonly along: Vec3; readonly limits: readonly [number, number] }[],
): { readonly least: number; readonly most: number } {
  if (slides.length === 0) {
    const length = Math.hypot(...offset);
    return { least: length, most: length };
  }
  if (slides.length > MAX_SLIDES) {
    const most = slides.reduce((sum, { limits }) => sum + Math.max(...limits.map(Math.abs)), Math.hypot(...offset));
    return { least: 0, most };
  }
  let most = 0;
  for (let corner = 0; corner < 1 << slides.length; corner++) {
    const at: Vec3 = [...offset];
    for (const [i, { along, limits }] of slides.entries()) {
      for (let k = 0; k < 3; k++) at[k] += along[k] * limits[(corner >> i) & 1];
    }
    most = Math.max(most, Math.hypot(...at));
  }
  if (slides.length > 1) return { least: 0, most };
  const [{ along, limits }] = slides;
  const nearest = Math.min(
    limits[1],
    Math.max(limits[0], -offset.reduce((sum, value, k) => sum + value * along[k], 0)),
  );
  return { least: Math.hypot(...offset.map((value, k) => value + nearest * along[k])), most };
}

// The motion between two poses as `proximity` has it: the origin on a straight line, turning evenly the shorter way.
import * as quat from '../../core/quat.js';
import type { EvenMotion } from '../../proximity/impact/motion.js';

/** The motion from pose i of a to pose i of b, each of seven numbers. */
export function evenMotion(a: Float64Array, b: Float64Array, i: number): EvenMotion {
  const at = 7 * i;
  const rotation: quat.Quat = [a[at + 3], a[at + 4], a[at + 5], a[at + 6]];
  const turn = quat.multiply([b[at + 3], b[at + 4], b[at + 5], b[at + 6]], quat.conjugate(rotation));
  const length = Math.hypot(turn[0], turn[1], turn[2]);
  const scale = length > 0 ? (turn[3] < 0 ? -1 : 1) / length : 0;
  return {
    from: [a[at], a[at + 1], a[at + 2]],
    to: [b[at], b[at + 1], b[at + 2]],
    rotation,
    axis: length > 0 ? [turn[0] * scale, turn[1] * scale, turn[2] * scale] : [0, 0, 1],
    angle: 2 * Math.atan2(length, Math.abs(turn[3])),
  };
}

// The keyframes of an obstacle that moves, checked.
import { nameValue } from '../../core/check/check-options.js';
import * as pose from '../../core/pose.js';
import { angleBetween } from '../../core/turns.js';
import type { Keyframe } from '../../proximity/impact/motion.js';
import { refuse } from '../robot/refusals.js';
import type { MovingObstacle } from './obstacle.js';

/**
 * Rounding: obstacles turn by less than this between two keys, in radians. At 180 degrees rounding would choose the
 * way.
 */
const HALF_TURN = Math.PI - 1e-6;

/** The keys of a motion, checked: times ascend, and no turn is by 180 degrees, where no way is shorter. */
export function readKeyframes(keys: readonly Keyframe[]): MovingObstacle['keys'] {
  if (!Array.isArray(keys) || keys.length === 0) refuse(`has the motion ${nameValue(keys)}; give [{ time, pose }, …]`);
  const read = keys.map((key: Keyframe, i) => {
    const { time } = key ?? {};
    if (typeof time !== 'number' || !Number.isFinite(time)) {
      refuse(`has the time ${nameValue(time)} at keyframe ${i + 1}; give a finite number of seconds`);
    }
    if (i > 0 && !(time > keys[i - 1].time)) {
      refuse(`has keyframe ${i + 1} at ${time}, not after ${keys[i - 1].time}; give keyframes in order of time`);
    }
    return { time, pose: pose.parse(key.pose, `keyframe ${i + 1}`) };
  });
  for (let i = 1; i < read.length; i++) {
    const [from, to] = [Float64Array.from(read[i - 1].pose), Float64Array.from(read[i].pose)];
    if (angleBetween(from, 3, to, 3) < HALF_TURN) continue;
    refuse(`turns by 180 degrees up to keyframe ${i + 1}, so no way is shorter; give a keyframe between`);
  }
  return read;
}

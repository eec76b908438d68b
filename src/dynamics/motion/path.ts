// Paths of bodies that are moved, not simulated: keyframes, straight and even between them, at rest outside.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type Pose, parse } from '../../core/pose.js';
import type { Keyframe } from '../../proximity/impact/motion.js';

/** Checked with their neighbors. */
const KEYFRAME = optionTable<Keyframe>('The fields')({
  time: checkedElsewhere<number>(),
  pose: checkedElsewhere<Pose>(),
});

/** Where a body that is moved, not simulated, is at each time. */
export interface BodyPath {
  /** Writes the pose at a time. */
  at(time: number, out: Pose): Pose;
}

/** A path with its keyframes in order of time. */
export class Path implements BodyPath {
  readonly #times: readonly number[];
  readonly #poses: readonly Pose[];

  /** @param owner whose path it is, for messages. */
  constructor(keyframes: readonly Keyframe[], owner: string) {
    if (!Array.isArray(keyframes) || keyframes.length === 0) {
      throw new NearfieldError(
        'bad-argument',
        `The path of ${owner} is ${nameValue(keyframes)}; give a list of { time, pose }.`,
      );
    }
    keyframes.forEach((frame: Keyframe, i) => {
      if (frame === null || typeof frame !== 'object') {
        throw new NearfieldError(
          'bad-argument',
          `Keyframe ${i} of ${owner} is ${nameValue(frame)}; give { time, pose }.`,
        );
      }
      KEYFRAME.assert(frame, `keyframe ${i} of ${owner}`);
      if (!Number.isFinite(frame.time) || (i > 0 && !(frame.time > keyframes[i - 1].time))) {
        throw new NearfieldError(
          'bad-argument',
          `Keyframe ${i} of ${owner} has the time ${nameValue(frame.time)}; give finite times that increase.`,
        );
      }
    });
    this.#times = keyframes.map(({ time }) => time);
    this.#poses = keyframes.map(({ pose }, i) => parse(pose, `keyframe ${i} of ${owner}`));
  }

  /** Writes the pose at a time. */
  at(time: number, out: Pose): Pose {
    const times = this.#times;
    let next = 0;
    while (next < times.length && times[next] <= time) next++;
    if (next === 0 || next === times.length) return copyPose(this.#poses[next === 0 ? 0 : next - 1], out);
    const share = (time - times[next - 1]) / (times[next] - times[next - 1]);
    return between(this.#poses[next - 1], this.#poses[next], share, out);
  }

  /** The keyframes, for snapshots. */
  keyframes(): Keyframe[] {
    return this.#times.map((time, i) => ({ time, pose: this.#poses[i] }));
  }
}

function copyPose(from: Pose, out: Pose): Pose {
  for (let k = 0; k < 7; k++) out[k] = from[k];
  return out;
}

/** The pose at a share of the way: the origin straight, turning evenly the shorter way. */
function between(a: Pose, b: Pose, share: number, out: Pose): Pose {
  for (let k = 0; k < 3; k++) out[k] = a[k] + share * (b[k] - a[k]);
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += a[k] * b[k];
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sin = Math.sin(angle);
  const p = sin > 1e-9 ? Math.sin((1 - share) * angle) / sin : 1 - share;
  const q = (sin > 1e-9 ? Math.sin(share * angle) / sin : share) * sign;
  let length = 0;
  for (let k = 3; k < 7; k++) {
    out[k] = p * a[k] + q * b[k];
    length += out[k] * out[k];
  }
  for (let k = 3; k < 7; k++) out[k] /= Math.sqrt(length);
  return out;
}

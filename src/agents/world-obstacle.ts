// What agents must not touch: at rest, moved by hand, or in motion through keyframes.
import type { Pose } from '../core/pose.js';
import { slerp } from '../core/turns.js';
import type { MovingObstacle } from '../kinematics/validity/obstacle.js';
import { SHARES } from './agent.js';
import type { Stoppable } from './step-proof.js';
import type { WorldBody } from './world-body.js';

export class WorldObstacle implements Stoppable {
  readonly body: WorldBody;
  /** Null for one that is at rest, or moved by hand. */
  readonly keys: MovingObstacle['keys'] | null;
  /** Where a hand moves it to. */
  target: Pose | null = null;
  level = 0;

  constructor(body: WorldBody, keys: MovingObstacle['keys'] | null) {
    this.body = body;
    this.keys = keys;
    if (keys !== null) this.moveTo(-Infinity);
  }

  /** Puts it where its keys have it at a time. */
  moveTo(time: number): void {
    this.#poseAt(time, this.body.pose);
    this.body.next.set(this.body.pose);
    this.body.place();
    this.body.measure();
  }

  /** Writes the next pose: that of a time, or where the hand moves it. */
  plan(time: number): void {
    this.level = 0;
    if (this.keys !== null) {
      this.#poseAt(time, this.body.next);
      this.body.measure();
    } else this.apply();
    this.body.reach = this.body.motion * (1 + 1e-9);
  }

  /** Moves to the target by its share. */
  apply(): void {
    const { body, target } = this;
    const { pose, next } = body;
    const share = target === null ? 0 : SHARES[this.level];
    next.set(pose);
    if (target !== null && share > 0) {
      for (let k = 0; k < 3; k++) next[k] = pose[k] + share * (target[k] - pose[k]);
      slerp(pose, 3, Float64Array.from(target), 3, share, next, 3);
    }
    body.measure();
  }

  #poseAt(time: number, out: Float64Array): void {
    const keys = this.keys!;
    const last = keys.length - 1;
    let k = 0;
    while (k < last && keys[k + 1].time <= time) k++;
    out.set(keys[k].pose);
    if (k === last || time <= keys[k].time) return;
    const [a, b] = [keys[k], keys[k + 1]];
    const t = (time - a.time) / (b.time - a.time);
    for (let c = 0; c < 3; c++) out[c] = a.pose[c] + t * (b.pose[c] - a.pose[c]);
    slerp(Float64Array.from(a.pose), 3, Float64Array.from(b.pose), 3, t, out, 3);
  }
}

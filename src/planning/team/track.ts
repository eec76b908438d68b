// The motion of one robot in time: waypoints with times, at rest after the last. Configurations have the numbers of all robots
// and a time; only those of this robot count.

import type { Robot } from '../../kinematics/robot/robot.js';
import { BOX, boxGap, type SweptBoxes } from '../roadmap/swept-box.js';

export class Track {
  /** The index of the robot. */
  readonly robot: number;
  readonly waypoints: readonly Float64Array[];
  /** Of the waypoints, ascending from 0. */
  readonly times: readonly number[];
  readonly #body: Robot;
  /** Around everything that the robot touches between two waypoints, and at the last. */
  readonly #boxes: readonly Float64Array[];

  /** @param waypoints that end with their times, the first at 0. Those at the same time as the one before are left out. */
  constructor(robot: number, body: Robot, waypoints: readonly Float64Array[], boxes: SweptBoxes) {
    const kept = waypoints.filter((q, i) => i === 0 || timeOf(q) > timeOf(waypoints[i - 1]));
    this.robot = robot;
    this.#body = body;
    this.waypoints = kept;
    this.times = kept.map(timeOf);
    const ends = kept.map((q) => {
      const box = new Float64Array(BOX);
      boxes.ofConfiguration(q, box);
      return box;
    });
    this.#boxes = ends.map((box, i) => {
      if (i === ends.length - 1) return box;
      const swept = new Float64Array(BOX);
      boxes.ofEdge(kept[i], kept[i + 1], box, ends[i + 1], swept);
      return swept;
    });
  }

  /** When the robot is at its goal. */
  get arrival(): number {
    return this.times[this.times.length - 1];
  }

  /** The parts of the motion: one for each edge, and the rest at the last waypoint. */
  get pieceCount(): number {
    return this.waypoints.length;
  }

  /** The end of a piece; Infinity for the last one, which begins at the arrival. */
  endOf(piece: number): number {
    return piece + 1 < this.times.length ? this.times[piece + 1] : Infinity;
  }

  /** Whether a piece stays farther from a box than a limit. */
  staysFar(piece: number, box: Float64Array, limit: number): boolean {
    return boxGap(this.#boxes[piece], box) > limit;
  }

  /** The piece at a time: the later one of two. */
  pieceAt(time: number): number {
    let [low, high] = [0, this.times.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Writes where the robot is at a time of a piece. */
  write(piece: number, time: number, out: Float64Array): void {
    const [from, to] = [this.times[piece], this.endOf(piece)];
    const next = this.waypoints[Math.min(piece + 1, this.waypoints.length - 1)];
    const t = time <= from || to === Infinity ? 0 : time >= to ? 1 : (time - from) / (to - from);
    // The waypoint itself: its numbers are not rounded again.
    if (t === 0 || t === 1) {
      const q = t === 0 ? this.waypoints[piece] : next;
      for (let k = this.#body.offset; k < this.#body.offset + this.#body.size; k++) out[k] = q[k];
    } else this.#body.interpolate(this.waypoints[piece], next, t, out);
  }
}

/** The time that a configuration ends with. */
export function timeOf(q: Float64Array): number {
  return q[q.length - 1];
}

// The orientations that are tried along a way, by number: fixed ones everywhere, then those that turn the body along the way
// at each station, then those that slides ended in.
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { Orientation } from '../../kinematics/robot/guided-body.js';
import type { GuideTask } from './guide.js';
import type { Station } from './guide-graph.js';
import { narrowDirection } from './narrow-direction.js';

/** Chosen: from one orientation the robot turns to this count of nearest others. */
const NEAREST = 4;

/** Chosen: the count of stations to each side that decide on the direction of the way. */
const WINDOW = 2;

export class WayOrientations {
  readonly firstAligned: number;
  readonly firstSlid: number;
  /** Numbers of orientations at each station. */
  readonly width: number;
  readonly #task: GuideTask;
  readonly #way: readonly Station[];
  readonly #fixed: readonly Orientation[];
  readonly #slid: Orientation[] = [];
  readonly #aligned: (readonly Orientation[] | undefined)[];
  readonly #near: (readonly number[])[] = [];
  readonly #nearAligned = new Map<number, readonly number[][]>();

  constructor(task: GuideTask, way: readonly Station[], fixed: readonly Orientation[], slides: number) {
    this.#task = task;
    this.#way = way;
    this.#fixed = fixed;
    this.#aligned = new Array(way.length);
    this.firstAligned = fixed.length;
    this.firstSlid = fixed.length + (task.body.ways === 2 ? 2 : 4);
    this.width = this.firstSlid + slides;
  }

  get(at: number, turn: number): Orientation {
    if (turn < this.firstAligned) return this.#fixed[turn];
    return turn < this.firstSlid ? this.#alignments(at)[turn - this.firstAligned] : this.#slid[turn - this.firstSlid];
  }

  keyOf(at: number, turn: number): string {
    return this.#task.body.keyOf(this.get(at, turn));
  }

  isAlignment(turn: number): boolean {
    return turn >= this.firstAligned && turn < this.firstSlid;
  }

  hasAlignment(at: number, turn: number): boolean {
    return turn - this.firstAligned < this.#alignments(at).length;
  }

  addSlid(orientation: Orientation): void {
    this.#slid.push(orientation);
  }

  /** The number of the nearest orientation along the way, or −1. */
  nearestAlignment(at: number, orientation: Orientation): number {
    const { body } = this.#task;
    let [best, least] = [-1, Infinity];
    for (const [i, aligned] of this.#alignments(at).entries()) {
      const angle = body.angle(orientation, aligned);
      if (angle < least) [best, least] = [this.firstAligned + i, angle];
    }
    return best;
  }

  /** The orientations that one turns to at a station. */
  neighbors(at: number, turn: number): readonly number[] {
    if (turn >= this.firstSlid) return this.#nearest(this.get(at, turn), turn);
    const aligned = this.#neighborsOfAligned(at);
    if (turn >= this.firstAligned) return aligned[turn - this.firstAligned];
    this.#near[turn] ??= this.#nearest(this.#fixed[turn], turn);
    const near = this.#near[turn];
    const back = aligned.flatMap((list, i) => (list.includes(turn) ? [this.firstAligned + i] : []));
    return back.length === 0 ? near : [...near, ...back];
  }

  #neighborsOfAligned(at: number): readonly (readonly number[])[] {
    let near = this.#nearAligned.get(at);
    if (near === undefined) {
      near = this.#alignments(at).map((aligned, i) => this.#nearest(aligned, this.firstAligned + i));
      this.#nearAligned.set(at, near);
    }
    return near;
  }

  /** The nearest fixed orientations, but for itself. */
  #nearest(orientation: Orientation, self: number): number[] {
    const { body } = this.#task;
    const angles: number[] = [];
    const near: number[] = [];
    for (const [i, target] of this.#fixed.entries()) {
      if (i === self) continue;
      const angle = body.angle(orientation, target);
      let slot = near.length;
      while (slot > 0 && angles[slot - 1] > angle) slot--;
      if (slot >= NEAREST) continue;
      near.splice(slot, 0, i);
      angles.splice(slot, 0, angle);
      near.length = angles.length = Math.min(near.length, NEAREST);
    }
    return near;
  }

  #alignments(at: number): readonly Orientation[] {
    this.#aligned[at] ??= this.#align(at);
    return this.#aligned[at];
  }

  /** The body turned along the way, its short side to the nearest walls. */
  #align(at: number): Orientation[] {
    const way = this.#way;
    const [a, b] = [way[Math.max(0, at - WINDOW)].point, way[Math.min(way.length - 1, at + WINDOW)].point];
    const along: Vec3 = vec3.subtract(b, a);
    const length = vec3.length(along);
    if (!(length > 0)) return [];
    vec3.scale(along, 1 / length, along);
    return this.#task.body.alignments(along, narrowDirection(this.#task, way[at], along));
  }
}

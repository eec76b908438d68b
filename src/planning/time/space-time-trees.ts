// Trees in space and time (after Kuffner and LaValle 2000, and Grothe et al. 2022): one grows from the start forwards, one
// from the goal at many times backwards. Edges have any speed up to the limits, so that robots can move along with what moves.
import type { Random } from '../../core/random.js';
import type { SpeedLimits } from '../../kinematics/robot/speed-limits.js';
import type { Clock } from '../../kinematics/validity/clock.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';

/** Chosen: edges that end at an obstacle are cut back to this share. */
const CUT_BACK = 0.9;

/** Chosen: the longest edge, as a share of the space, and as a share of the time. */
const RANGE = 0.2;

/** Chosen: edges shorter than this share of a whole one are not added. */
const MIN_EDGE = 1e-3;

/** Chosen: one in this count of turns adds the goal at a new time. */
const NEW_GOALS = 10;

interface TreeNode {
  /** The configuration, and its time. */
  readonly q: Float64Array;
  readonly parent: TreeNode | null;
}

export class SpaceTimeTrees {
  readonly #scene: CollisionScene;
  readonly #clock: Clock;
  readonly #limits: SpeedLimits;
  readonly #random: Random;
  readonly #goal: Float64Array;
  readonly #forwards: TreeNode[];
  readonly #backwards: TreeNode[] = [];
  /** Meters that count as much as a second, in distances of space and time. */
  readonly #pace: number;
  readonly #range: number;
  readonly #sample: Float64Array;
  #turn = 0;

  /** @param scene that watches everything; start and goal are configurations of it, whatever their time. */
  constructor(
    scene: CollisionScene,
    clock: Clock,
    limits: SpeedLimits,
    random: Random,
    start: Float64Array,
    goal: Float64Array,
  ) {
    this.#scene = scene;
    this.#clock = clock;
    this.#limits = limits;
    this.#random = random;
    this.#goal = goal;
    const root = start.slice();
    root[clock.offset] = 0;
    this.#forwards = [{ q: root, parent: null }];
    this.#sample = new Float64Array(scene.size);
    const other = new Float64Array(scene.size);
    let sum = 0;
    for (let i = 0; i < 32; i++) {
      for (const robot of scene.robots) {
        robot.sample(random, this.#sample);
        robot.sample(random, other);
      }
      sum += scene.separation(this.#sample, other);
    }
    this.#range = (RANGE * sum) / 32;
    this.#pace = this.#range / (RANGE * clock.horizon);
  }

  /** Grows the trees by the count of edges given; returns the path, once there is one. */
  grow(turns: number, isOver: () => boolean): Float64Array[] | null {
    for (let i = 0; i < turns; i++) {
      if (isOver()) return null;
      if (this.#turn++ % NEW_GOALS === 0) this.#addGoal();
      const isForward = this.#turn % 2 === 0 || this.#backwards.length === 0;
      for (const robot of this.#scene.robots) robot.sample(this.#random, this.#sample);
      this.#scene.counters.samples++;
      const own = isForward ? this.#forwards : this.#backwards;
      const grown = this.#extend(own, this.#sample, isForward, this.#range);
      if (grown === null) continue;
      const met = this.#extend(isForward ? this.#backwards : this.#forwards, grown.q, !isForward, Infinity);
      if (met === null || !this.#isSame(met.q, grown.q)) continue;
      const [first, second] = isForward ? [grown, met] : [met, grown];
      return [...trace(first).reverse(), ...trace(second).slice(1)];
    }
    return null;
  }

  #addGoal(): void {
    const { offset, horizon } = this.#clock;
    const least = Math.min(horizon, this.#limits.duration(this.#forwards[0].q, this.#goal));
    const root = this.#goal.slice();
    root[offset] = this.#random.range(least, horizon);
    if (this.#scene.isFree(root)) this.#backwards.push({ q: root, parent: null });
  }

  #isSame(a: Float64Array, b: Float64Array): boolean {
    return this.#scene.separation(a, b) === 0 && a[this.#clock.offset] === b[this.#clock.offset];
  }

  /** Grows a tree from its nearest node towards a configuration, or as near to its time as the speed allows. */
  #extend(tree: TreeNode[], to: Float64Array, isForward: boolean, range: number): TreeNode | null {
    const scene = this.#scene;
    const { offset, horizon } = this.#clock;
    const near = this.#nearest(tree, to, isForward);
    if (near === null) return null;
    const from = near.q[offset];
    const sign = isForward ? 1 : -1;
    const duration = Math.max(this.#limits.duration(near.q, to), sign * (to[offset] - from));
    const end = to.slice();
    // The very time of the target where that is in reach, so that trees can meet.
    if (duration !== sign * (to[offset] - from)) end[offset] = from + sign * duration;
    const way = scene.separation(near.q, to);
    const most = Math.max(way / range, range < Infinity ? duration / (RANGE * horizon) : 0, 1);
    if (most > 1) scene.interpolate(near.q, end, 1 / most, end);
    if (end[offset] < 0 || end[offset] > horizon) return null;
    const share = scene.advance(near.q, end);
    if (share < 1) {
      if (!(CUT_BACK * share > MIN_EDGE)) return null;
      scene.interpolate(near.q, end, CUT_BACK * share, end);
    }
    const node = { q: end, parent: near };
    tree.push(node);
    scene.counters.edges++;
    scene.counters.vertices++;
    return node;
  }

  /** The nearest node from which the configuration can be reached in time, else the nearest in space and time. */
  #nearest(tree: readonly TreeNode[], to: Float64Array, isForward: boolean): TreeNode | null {
    const { offset } = this.#clock;
    let best: TreeNode | null = null;
    let least = Infinity;
    for (const node of tree) {
      const wait = (isForward ? 1 : -1) * (to[offset] - node.q[offset]);
      const late = Math.max(0, this.#limits.duration(node.q, to) - wait);
      const distance = this.#scene.separation(node.q, to) + this.#pace * (Math.abs(wait) + 4 * late);
      if (distance >= least) continue;
      least = distance;
      best = node;
    }
    return best;
  }
}

function trace(node: TreeNode): Float64Array[] {
  const path: Float64Array[] = [];
  for (let at: TreeNode | null = node; at !== null; at = at.parent) path.push(at.q);
  return path;
}

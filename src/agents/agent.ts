// An agent: a rigid body with a goal, what it wants to do in a step, and what it does.
import type { BodyRobot } from '../kinematics/robot/body-robot.js';
import type { AgentStatus } from './agent-options.js';
import type { GoalField } from './goal-field.js';
import { Progress } from './progress.js';
import type { BodyShape, FlatMotion } from './world-body.js';
import { WorldBody } from './world-body.js';

/** Proven: the most numbers of a small motion of a rigid body. */
export const FREEDOMS = 6;

/** Chosen: the shares of a motion that are tried where the whole one is not proven; the last one is rest. */
export const SHARES = [1, 0.5, 0.125, 0] as const;

/** Chosen: the least share of its speed that an agent wants. */
const MIN_EAGER = 0.1;

/** Chosen: an agent wants more than it got in the last step by this factor. */
const MORE_EAGER = 1.25;

/** Why an agent is given up or led elsewhere than by its potential. */
export interface AgentWay {
  /** Configurations to pass, one after the other. */
  readonly stops: readonly Float64Array[];
  next: number;
  /** Stops on the way are passed as near as this, in meters; the last one, and without it all, within the tolerance. */
  readonly passed?: number;
  /** The stop that all agents of a team go to, where they are led together; `next` follows it. */
  readonly team?: { next: number };
}

export class Agent {
  readonly name: string;
  readonly index: number;
  readonly robot: BodyRobot;
  readonly body: WorldBody;
  /** Configurations: now, and after the step. */
  readonly q: Float64Array;
  readonly qNext: Float64Array;
  readonly #target: Float64Array;
  goal: Float64Array | null = null;
  field: GoalField | null = null;
  /** Followed before the goal, if there is one. */
  way: AgentWay | null = null;
  /** Where the agent has to be in a plan to pass others, and whether it is part of one. */
  post: Float64Array | null = null;
  status: AgentStatus = 'arrived';
  /** Meters and radians a second. */
  readonly linear: number;
  readonly angular: number;
  readonly tolerance: number;
  readonly priority: number;
  /** How far it gives way: the inverse of its priority, changed where agents block each other. */
  yielding = Number.NaN;
  /** What it wants in this step, and what it gets. */
  readonly wish = new Float64Array(FREEDOMS);
  readonly motion = new Float64Array(FREEDOMS);
  /** How far it gives way in this step. Not 1 at first: when the first fraction came, all compiled code would be thrown away. */
  mobility = Number.NaN;
  /** How easily a push turns it: 1 as its mass says, less as if it were heavier. */
  turning = 1;
  /** The share of its speed that it wants: less while others are in its way, so that a crowd does not press. */
  eagerness = 1;
  /** A configuration that the wish leads to evenly, and the share of the way there. */
  exact: Float64Array | null = null;
  #exactShare = 0;
  /** Index of the share of its motion that it makes. */
  level = 0;
  /** Agents that are moved by the same share, by joints; itself alone otherwise. */
  cluster: Agent[] = [this];
  readonly progress = new Progress();
  /** Whether it has arrived and has not asked for the right of way since: it is moved easily, and comes back. */
  isSettled = false;

  constructor(
    index: number,
    robot: BodyRobot,
    shape: BodyShape,
    start: Float64Array,
    limits: { linear: number; angular: number; tolerance: number; priority: number },
  ) {
    this.name = robot.name;
    this.index = index;
    this.robot = robot;
    const size = robot.offset + robot.size;
    this.q = start.slice(0, size);
    this.qNext = start.slice(0, size);
    this.#target = new Float64Array(size);
    const pose = new Float64Array(7);
    robot.place(this.q, pose);
    const flat: FlatMotion | null =
      robot.ways === 2 ? { axes: [robot.axes[0], robot.axes[1]], arm: robot.radius } : null;
    this.body = new WorldBody(robot.name, index, shape, pose, flat);
    this.linear = limits.linear;
    this.angular = limits.angular;
    this.tolerance = limits.tolerance;
    this.priority = limits.priority;
    this.yielding = 1 / limits.priority;
  }

  /** Meters of a turn by a radian, as small motions count it. */
  get lever(): number {
    return this.robot.ways === 2 ? this.robot.radius : this.robot.links[0].model.radius;
  }

  /** The count of coordinates of the position. */
  get ways(): number {
    return this.robot.ways;
  }

  /** Writes the most that it can move in a time. */
  setReach(time: number): void {
    const { center } = this.body.shape.model;
    const arm = this.body.arm + Math.hypot(center[0], center[1], center[2]);
    this.body.reach = (this.linear + arm * this.angular) * time * (1 + 1e-9);
  }

  /** Writes the wish to go to a configuration, as fast as allowed. Returns how far that is. */
  wishFor(target: Float64Array, time: number): number {
    const { robot, wish, ways } = this;
    wish.fill(0);
    if (!robot.hasWay(this.q, target)) {
      // Half a turn: any way will do.
      robot.interpolate(this.q, target, 0.5, this.#target);
      robot.wayTo(this.q, this.#target, wish);
    } else robot.wayTo(this.q, target, wish);
    const left = lengthOf(wish, 0, ways);
    this.#limit(wish, time);
    return left;
  }

  /** Writes the wish to go to a configuration evenly, as an edge of a path does. */
  wishExactly(target: Float64Array, time: number): void {
    const { robot, wish } = this;
    robot.wayTo(this.q, target, wish);
    const { length, turning } = robot.measure(this.q, target);
    const share = Math.min(1, (this.linear * time) / length, (this.angular * time) / turning);
    this.#exactShare = Number.isNaN(share) ? 1 : share;
    for (let k = 0; k < FREEDOMS; k++) wish[k] *= this.#exactShare;
    this.exact = target;
  }

  /** Writes the wish to move along a direction, without turning. */
  wishAlong(direction: ArrayLike<number>, speed: number, time: number): void {
    this.wish.fill(0);
    for (let k = 0; k < this.ways; k++) this.wish[k] = direction[k] * Math.min(speed, this.linear) * time;
  }

  /** Keeps the motion within the speeds, and writes the next configuration for a share of it. */
  apply(time: number): void {
    const { robot, body, q, qNext, exact } = this;
    const share = SHARES[this.level];
    if (share === 0) qNext.set(q);
    else if (exact !== null && this.motion.every((value, k) => value === this.wish[k])) {
      if (share * this.#exactShare === 1) qNext.set(exact.subarray(0, qNext.length));
      else robot.interpolate(q, exact, share * this.#exactShare, qNext);
    } else {
      this.#limit(this.motion, time);
      robot.moveBy(q, this.motion, this.#target);
      const { length, turning } = robot.measure(q, this.#target);
      const most = Math.min(1, (this.linear * time) / length, (this.angular * time) / turning);
      const part = share * (Number.isNaN(most) ? 1 : most);
      if (part === 1) qNext.set(this.#target);
      else robot.interpolate(q, this.#target, part, qNext);
    }
    robot.place(qNext, body.next);
    body.measure();
  }

  /** Wants about as much as it got. */
  adaptWish(): void {
    let [got, wanted] = [0, 0];
    const share = SHARES[this.level];
    for (let k = 0; k < FREEDOMS; k++) {
      got += share * this.motion[k] * this.wish[k];
      wanted += this.wish[k] ** 2;
    }
    const part = wanted > 0 ? Math.max(0, got / wanted) : 1;
    this.eagerness = Math.min(1, Math.max(MIN_EAGER, this.eagerness * (MORE_EAGER * part) + 0.01));
  }

  commit(): void {
    this.q.set(this.qNext);
    this.body.commit();
  }

  #limit(motion: Float64Array, time: number): void {
    const { ways, robot } = this;
    scale(motion, 0, ways, this.linear * time);
    scale(motion, ways, robot.freedoms, this.angular * time * this.lever);
  }
}

function lengthOf(values: Float64Array, from: number, to: number): number {
  let squared = 0;
  for (let k = from; k < to; k++) squared += values[k] * values[k];
  return Math.sqrt(squared);
}

/** Makes a part of a vector no longer than `most`. */
function scale(values: Float64Array, from: number, to: number, most: number): void {
  const length = lengthOf(values, from, to);
  if (!(length > most)) return;
  for (let k = from; k < to; k++) values[k] *= most / length;
}

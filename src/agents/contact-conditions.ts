// The conditions on the motions of a step: bodies that are near do not come nearer than wanted, lines of sight stay, and
// joints hold.
import type { Agent } from './agent.js';
import { FREEDOMS } from './agent.js';
import type { NearPair, NearPairs, Obstruction } from './near-pairs.js';
import type { SightLine } from './sight-line.js';
import type { VelocitySolver } from './velocity-solver.js';
import { type WorldBody, writeLocal, writePoint } from './world-body.js';

/** Chosen: the share of a gap that may be closed in a step. */
const CLOSED = 0.8;

/**
 * Measured on a crowd of 200 agents, where nearly all were slowed down without it: bodies are softly kept apart by
 * this share of the smaller one more than wanted, so that the error left by the sweeps takes from that.
 */
const SOFT_MARGIN = 0.01;

/** Chosen: the share of the missing margin that is made up for in a step. */
const WIDENED = 0.2;

/**
 * Chosen: the margin where an agent follows a planned path, as a share of the smaller body: exact proofs need some
 * room.
 */
const FLOOR = 2e-4;

/** Chosen: the share of the error of a joint that is corrected in a step. */
const CORRECTED = 0.5;

/** Two points of two agents that are to be one. */
export class Joint {
  readonly a: Agent;
  readonly b: Agent;
  readonly worldA = new Float64Array(3);
  readonly worldB = new Float64Array(3);
  error = 0;
  readonly #pointA: ArrayLike<number>;
  readonly #pointB: ArrayLike<number>;

  constructor(a: Agent, b: Agent, pointA: ArrayLike<number>, pointB: ArrayLike<number>) {
    this.a = a;
    this.b = b;
    this.#pointA = pointA;
    this.#pointB = pointB;
    this.measure();
  }

  measure(): void {
    writePoint(this.a.body.pose, this.#pointA, this.worldA);
    writePoint(this.b.body.pose, this.#pointB, this.worldB);
    const { worldA: p, worldB: q } = this;
    this.error = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  }
}

export class ContactConditions {
  readonly #solver: VelocitySolver;
  readonly #pairs: NearPairs;
  readonly #part = new Float64Array(FREEDOMS);
  readonly #local = new Float64Array(3);
  readonly #moved = new Float64Array(3);

  constructor(solver: VelocitySolver, pairs: NearPairs) {
    this.#solver = solver;
    this.#pairs = pairs;
  }

  gather(near: readonly NearPair[], sights: readonly SightLine[], joints: readonly Joint[]): void {
    this.#solver.clear();
    for (const joint of joints) this.#addJoint(joint);
    for (const pair of near) {
      pair.isRefused = false;
      this.#addPair(pair);
    }
    for (const sight of sights) this.#addSight(sight);
  }

  /** Adds the conditions of a pair whose motion is not proven without them. */
  addRefused(pair: NearPair, obstruction: Obstruction | null): void {
    if (isPlanned(pair)) {
      pair.isRefused = true;
      this.#addPair(pair);
    } else if (obstruction !== null) this.#addObstructions(pair, obstruction);
  }

  #addPair(pair: NearPair): void {
    const { distance, normal, pointA, pointB } = pair;
    if (!(distance > 0) || isPlanned(pair)) return;
    this.#addContact(pair, pointA, pointB, normal, distance, true);
    this.#addObstructions(pair, null);
    if (pair.kept.length < 2) return;
    const most = pair.wanted + pair.a.reach + pair.b.reach;
    this.#pairs.eachKept(pair, most, (a, b, n, d) => this.#addContact(pair, a, b, n, d, false));
  }

  /** Conditions where motions were refused before; only one of them, or all. */
  #addObstructions(pair: NearPair, only: Obstruction | null): void {
    this.#pairs.eachObstruction(pair, only, (pointA, pointB, normal, distance, from) => {
      const { a, b, agentA, agentB, wanted } = pair;
      const gap = distance - wanted - FLOOR * Math.min(a.shape.model.radius, b.shape.model.radius);
      const carried = agentB === null ? this.#motionAlong(b, pointB, normal) : 0;
      const least = -(gap > 0 ? CLOSED : WIDENED) * gap - carried;
      const keep = (force: number): void => {
        from.force = force;
      };
      const row = this.#solver.add(agentA, agentB, least, false, from.force, keep);
      this.#writeRow(agentA, pointA, normal, -1, row, 0);
      if (agentB !== null) this.#writeRow(agentB, pointB, normal, 1, row, FREEDOMS);
    });
  }

  #addContact(
    pair: NearPair,
    pointA: Float64Array,
    pointB: Float64Array,
    normal: Float64Array,
    distance: number,
    isNearest: boolean,
  ): void {
    const { a, b, agentA, agentB, wanted } = pair;
    const margin =
      (agentA.exact !== null && agentB === null ? FLOOR : SOFT_MARGIN) *
      Math.min(a.shape.model.radius, b.shape.model.radius);
    const gap = distance - wanted - margin;
    const carried = agentB === null ? this.#motionAlong(b, pointB, normal) : 0;
    const keep = isNearest ? (force: number) => (pair.force = force) : null;
    const start = isNearest ? pair.force : 0;
    const least = -(gap > 0 ? CLOSED : WIDENED) * gap - carried;
    const row = this.#solver.add(agentA, agentB, least, false, start, keep);
    this.#writeRow(agentA, pointA, normal, -1, row, 0);
    if (agentB !== null) this.#writeRow(agentB, pointB, normal, 1, row, FREEDOMS);
  }

  #addSight(sight: SightLine): void {
    const { a, b, share, normal, least, wanted } = sight;
    if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) return;
    const gap = least - wanted - 10 * FLOOR * sight.scale;
    if (gap > a.body.reach + b.body.reach) return;
    const row = this.#solver.add(a, b, -CLOSED * gap, false, sight.force, (force) => {
      sight.force = force;
    });
    this.#writeRow(a, a.body.center, normal, 1 - share, row, 0);
    this.#writeRow(b, b.body.center, normal, share, row, FREEDOMS);
  }

  #addJoint({ a, b, worldA, worldB }: Joint): void {
    const axis = new Float64Array(3);
    const across = a.ways === 2 && b.ways === 2 ? a.robot.axes[2] : -1;
    for (let k = 0; k < 3; k++) {
      if (k === across) continue;
      axis.fill(0)[k] = 1;
      const row = this.#solver.add(a, b, CORRECTED * (worldA[k] - worldB[k]), true, 0, null);
      this.#writeRow(a, worldA, axis, -1, row, 0);
      this.#writeRow(b, worldB, axis, 1, row, FREEDOMS);
    }
  }

  #writeRow(
    { robot, body, q }: Agent,
    point: Float64Array,
    direction: Float64Array,
    factor: number,
    row: Float64Array,
    at: number,
  ): void {
    const part = this.#part;
    robot.pushRow(q, body.pose, 0, point, direction, part);
    for (let k = 0; k < robot.freedoms; k++) row[at + k] = factor * part[k];
  }

  /** How far an obstacle's point moves along a direction in the step. */
  #motionAlong(body: WorldBody, point: Float64Array, normal: Float64Array): number {
    if (body.motion === 0) return 0;
    writeLocal(body.pose, point, this.#local);
    writePoint(body.next, this.#local, this.#moved);
    let along = 0;
    for (let k = 0; k < 3; k++) along += normal[k] * (this.#moved[k] - point[k]);
    return along;
  }
}

/** Whether an agent follows a planned path past an obstacle at rest: linear conditions would keep it from what is tight. */
function isPlanned({ agentA, agentB, b, isRefused }: NearPair): boolean {
  return agentA.exact !== null && agentB === null && b.motion === 0 && !isRefused;
}

// Pairs of bodies that may come near in a step. Balls and distances known from earlier steps, less the motion since then,
// rule out most; the exact distance of the meshes is measured for the others.
import type { Pose } from '../core/pose.js';
import { EvenPair } from '../kinematics/validity/even-pair.js';
import { poseAt } from '../proximity/impact/motion.js';
import { Pair } from '../proximity/pair.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { Agent } from './agent.js';
import { type WorldBody, writeLocal, writePoint } from './world-body.js';

/** Chosen: the count of nearest points of earlier steps that are kept, so that flat faces have more than one. */
const KEPT_POINTS = 3;

/**
 * Chosen: a point of an earlier step counts while the cosine between its direction and that of the nearest points is
 * above this.
 */
const SAME_SIDE = 0.5;

/** Chosen: points nearer to each other than this share of the smaller body are one. */
const SAME_POINT = 0.05;

/** Chosen: directions are one if their cosine is above this. */
const SAME_NORMAL = 0.98;

/** Chosen: a pair that was not near for this count of steps gives its memory back. */
const FORGOTTEN = 60;

/**
 * Chosen: distances are measured up to this multiple of what matters, so that they need not be measured in every
 * step.
 */
const FORESIGHT = 2;

/** Chosen: bodies keep this share of their size beyond the wanted distance, where exact proofs end. */
const TOUCHING = 1e-5;

/** Two points of two bodies that were the nearest ones, in the frames of the bodies. */
interface KeptPoints {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** Chosen: the most obstructions of a pair that are kept. */
const MAX_OBSTRUCTIONS = 4;

/** Chosen: an obstruction is kept for this count of steps after it was last found. */
const REMEMBERED = 30;

/**
 * Where two bodies would have met in a motion that was refused: the nearest points then, in the frames of the bodies, and the direction
 * from a to b in the frame of a.
 */
export interface Obstruction {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly normal: Float64Array;
  found: number;
  force: number;
}

/** Two bodies, an agent first. */
export class NearPair {
  readonly a: WorldBody;
  readonly b: WorldBody;
  readonly agentA: Agent;
  /** Null for an obstacle. */
  readonly agentB: Agent | null;
  /** Kept between the two. */
  wanted: number;
  /** The exact distance at the start of the step, a point of each, and the direction from a to b. */
  distance = 0;
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  readonly normal = new Float64Array(3);
  readonly kept: KeptPoints[] = [];
  readonly obstructions: Obstruction[] = [];
  /** The force of the nearest points in the last step. */
  force = 0;
  /** A distance that was known, and the travels of both then. */
  bound = 0;
  travelA = 0;
  travelB = 0;
  lastNear = 0;
  /** Whether the motion that was planned in this step is not proven. */
  isRefused = false;
  queries: Pair | null = null;

  constructor(a: WorldBody, b: WorldBody, agentA: Agent, agentB: Agent | null, wanted: number) {
    this.a = a;
    this.b = b;
    this.agentA = agentA;
    this.agentB = agentB;
    this.wanted = wanted;
  }

  /** The two are at least as far apart, by what is known from before. */
  get known(): number {
    return this.bound - (this.a.travel - this.travelA) - (this.b.travel - this.travelB);
  }

  /** Room beyond the wanted distance. */
  get gap(): number {
    return this.distance - this.wanted;
  }
}

export class NearPairs {
  distanceQueries = 0;
  /** Those near in the current step. */
  readonly near: NearPair[] = [];
  readonly #pairs = new Map<number, NearPair>();
  readonly #wanted = new Map<number, number>();
  readonly #joined = new Set<number>();
  /** Queries of pairs of models that no pair of bodies uses now. */
  readonly #free = new Map<ProximityModel, Map<ProximityModel, Pair[]>>();
  readonly #exact = new Map<ProximityModel, Map<ProximityModel, EvenPair>>();
  readonly #distance: number;
  readonly #localA = new Float64Array(3);
  readonly #localB = new Float64Array(3);
  readonly #direction = new Float64Array(3);
  readonly #poseA: Pose = [0, 0, 0, 0, 0, 0, 1];
  readonly #poseB: Pose = [0, 0, 0, 0, 0, 0, 1];
  #step = 0;
  #order: Agent[] = [];

  /** @param distance that bodies keep. */
  constructor(distance: number) {
    this.#distance = distance;
  }

  /** Two bodies that keep another distance. */
  setWanted(a: WorldBody, b: WorldBody, distance: number): void {
    this.#wanted.set(keyOf(a, b), distance);
    this.#pairs.delete(keyOf(a, b));
  }

  /** Two bodies that may touch. */
  join(a: WorldBody, b: WorldBody): void {
    this.#joined.add(keyOf(a, b));
    this.#pairs.delete(keyOf(a, b));
  }

  /** The distance of two bodies that may be no pair yet; `cutoff` if they are farther apart. */
  measureOnce(a: WorldBody, b: WorldBody, cutoff: number): number {
    const [x, y, z] = [a.center[0] - b.center[0], a.center[1] - b.center[1], a.center[2] - b.center[2]];
    const [p, q] = [a.shape.model, b.shape.model];
    if (Math.sqrt(x * x + y * y + z * z) > p.radius + q.radius + cutoff * (1 + 1e-9)) return Infinity;
    const queries = this.#takeQueries(p, q);
    const { distance } = queries.distance(a.pose, b.pose, { cutoff });
    this.#giveBack(queries);
    return distance ?? Infinity;
  }

  wantedOf(a: WorldBody, b: WorldBody): number {
    return this.#wanted.get(keyOf(a, b)) ?? this.#distance;
  }

  /** To be called when a body has been put elsewhere at once. */
  forget(body: WorldBody): void {
    for (const [key, pair] of this.#pairs) if (pair.a === body || pair.b === body) this.#drop(key, pair);
  }

  /** Finds the pairs that can come near in this step. */
  update(agents: readonly Agent[], obstacles: readonly WorldBody[]): void {
    this.#step++;
    this.near.length = 0;
    this.#sweep(agents);
    for (const agent of agents) {
      for (const obstacle of obstacles) this.#consider(agent.body, obstacle, agent, null);
    }
    if (this.#step % FORGOTTEN !== 0) return;
    for (const [key, pair] of this.#pairs) if (this.#step - pair.lastNear > FORGOTTEN) this.#drop(key, pair);
  }

  /** Calls back with nearest points of earlier steps that still matter: a point of each body, the direction and the distance. */
  eachKept(
    pair: NearPair,
    most: number,
    add: (pointA: Float64Array, pointB: Float64Array, normal: Float64Array, distance: number) => void,
  ): void {
    const { a, b, normal, pointA } = pair;
    const [p, q, n] = [this.#localA, this.#localB, this.#direction];
    const same = samePoint(pair);
    for (const kept of pair.kept) {
      writePoint(a.pose, kept.a, p);
      writePoint(b.pose, kept.b, q);
      const distance = distanceBetween(p, q);
      if (!(distance > 0) || distance > most || distanceBetween(p, pointA) < same) continue;
      for (let k = 0; k < 3; k++) n[k] = (q[k] - p[k]) / distance;
      if (n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2] < SAME_SIDE) continue;
      add(p, q, n, distance);
    }
  }

  /**
   * Keeps where two bodies are nearest when a share of the motions is made: what comes in their way there may not be near where they
   * are nearest now. Returns null if it is known.
   */
  learn(pair: NearPair, share: number): Obstruction | null {
    const { a, b, obstructions } = pair;
    const [poseA, poseB] = [poseAt(a.even, share, this.#poseA), poseAt(b.even, share, this.#poseB)];
    this.distanceQueries++;
    pair.queries ??= this.#takeQueries(a.shape.model, b.shape.model);
    const { witness } = pair.queries.distance(poseA, poseB);
    if (witness === null || witness.normal === null) return null;
    const [pointA, pointB, normal] = [this.#localA, this.#localB, this.#direction];
    writeLocal(poseA, witness.pointA, pointA);
    writeLocal(poseB, witness.pointB, pointB);
    const [, , , x, y, z, w] = poseA;
    writePoint([0, 0, 0, -x, -y, -z, w], witness.normal, normal);
    const same = samePoint(pair);
    const at = obstructions.findIndex(
      (old) => distanceBetween(old.a, pointA) < same && dot(old.normal, normal) > SAME_NORMAL,
    );
    const isFull = obstructions.length === MAX_OBSTRUCTIONS;
    const slot = at >= 0 ? obstructions.splice(at, 1)[0] : isFull ? obstructions.shift()! : emptyObstruction();
    if (at < 0) slot.force = 0;
    slot.a.set(pointA);
    slot.b.set(pointB);
    slot.normal.set(normal);
    slot.found = this.#step;
    obstructions.push(slot);
    return slot;
  }

  /** Calls back with obstructions that still matter, as `eachKept` does; distances are along the direction. */
  eachObstruction(
    pair: NearPair,
    only: Obstruction | null,
    add: (
      pointA: Float64Array,
      pointB: Float64Array,
      normal: Float64Array,
      distance: number,
      from: Obstruction,
    ) => void,
  ): void {
    const { a, b, obstructions } = pair;
    const reach = a.reach + b.reach;
    const [p, q, n] = [this.#localA, this.#localB, this.#direction];
    for (let i = obstructions.length - 1; i >= 0; i--) {
      const obstruction = obstructions[i];
      if (only !== null && obstruction !== only) continue;
      writePoint(a.pose, obstruction.a, p);
      writePoint(b.pose, obstruction.b, q);
      const [, , , x, y, z, w] = a.pose;
      writePoint([0, 0, 0, x, y, z, w], obstruction.normal, n);
      let [along, squared] = [0, 0];
      for (let k = 0; k < 3; k++) {
        along += n[k] * (q[k] - p[k]);
        squared += (q[k] - p[k]) ** 2;
      }
      const aside = Math.sqrt(Math.max(0, squared - along * along));
      if (only === null && (aside > reach || this.#step - obstruction.found > REMEMBERED)) {
        obstructions.splice(i, 1);
        continue;
      }
      if (along > pair.wanted + reach) continue;
      if (obstruction.force > 0) obstruction.found = this.#step;
      add(p, q, n, along, obstruction);
    }
  }

  /** What proves motions of two models. */
  exactOf(a: ProximityModel, b: ProximityModel): EvenPair {
    let byB = this.#exact.get(a);
    if (byB === undefined) this.#exact.set(a, (byB = new Map()));
    let exact = byB.get(b);
    if (exact === undefined) byB.set(b, (exact = new EvenPair(a, b, TOUCHING * Math.min(a.radius, b.radius))));
    return exact;
  }

  /** Sorts agents along x, and looks at those whose balls overlap there. */
  #sweep(agents: readonly Agent[]): void {
    const order = this.#order;
    if (order.length !== agents.length) this.#order = [...agents];
    const low = ({ body }: Agent): number => body.center[0] - radiusAlongX(body) - body.reach;
    const sorted = this.#order;
    // Nearly sorted from the step before.
    for (let i = 1; i < sorted.length; i++) {
      const agent = sorted[i];
      const at = low(agent);
      let slot = i;
      while (slot > 0 && low(sorted[slot - 1]) > at) {
        sorted[slot] = sorted[slot - 1];
        slot--;
      }
      sorted[slot] = agent;
    }
    let most = this.#distance;
    for (const wanted of this.#wanted.values()) most = Math.max(most, wanted);
    for (let i = 0; i < sorted.length; i++) {
      const { body } = sorted[i];
      const end = body.center[0] + radiusAlongX(body) + body.reach + most;
      for (let k = i + 1; k < sorted.length && low(sorted[k]) <= end; k++) {
        const other = sorted[k];
        if (sorted[i].index < other.index) this.#consider(body, other.body, sorted[i], other);
        else this.#consider(other.body, body, other, sorted[i]);
      }
    }
    this.near.sort((p, q) => p.a.index - q.a.index || p.b.index - q.b.index);
  }

  #consider(a: WorldBody, b: WorldBody, agentA: Agent, agentB: Agent | null): void {
    const reach = a.reach + b.reach;
    const key = keyOf(a, b);
    const wanted = this.#wanted.size > 0 ? this.wantedOf(a, b) : this.#distance;
    const apart = agentB === null ? distanceToBox(a, b) : distanceOfBalls(a, b);
    if (apart > wanted + reach || this.#joined.has(key)) return;
    let pair = this.#pairs.get(key);
    if (pair === undefined) this.#pairs.set(key, (pair = new NearPair(a, b, agentA, agentB, wanted)));
    else if (pair.known > wanted + reach) return;
    pair.lastNear = this.#step;
    this.#measure(pair, wanted + FORESIGHT * reach);
    if (pair.distance <= wanted + reach) this.near.push(pair);
  }

  #measure(pair: NearPair, cutoff: number): void {
    const { a, b } = pair;
    this.distanceQueries++;
    pair.queries ??= this.#takeQueries(a.shape.model, b.shape.model);
    const found = pair.queries.distance(a.pose, b.pose, { cutoff });
    pair.travelA = a.travel;
    pair.travelB = b.travel;
    pair.distance = pair.bound = found.distance ?? cutoff;
    const { witness } = found;
    if (witness === null) return;
    pair.pointA.set(witness.pointA);
    pair.pointB.set(witness.pointB);
    if (witness.normal !== null) pair.normal.set(witness.normal);
    this.#keepPoints(pair);
  }

  /** Keeps the nearest points: in later steps they say more than the nearest ones then, where faces are parallel. */
  #keepPoints(pair: NearPair): void {
    const { a, b, kept } = pair;
    const isFull = kept.length === KEPT_POINTS;
    const [pointA, pointB] = [this.#localA, this.#localB];
    writeLocal(a.pose, pair.pointA, pointA);
    writeLocal(b.pose, pair.pointB, pointB);
    const same = samePoint(pair);
    const at = kept.findIndex((old) => distanceBetween(old.a, pointA) < same);
    const slot = at >= 0 ? kept.splice(at, 1)[0] : isFull ? kept.shift()! : emptyPoints();
    slot.a.set(pointA);
    slot.b.set(pointB);
    kept.push(slot);
  }

  #takeQueries(a: ProximityModel, b: ProximityModel): Pair {
    return this.#free.get(a)?.get(b)?.pop() ?? new Pair(a, b);
  }

  #drop(key: number, pair: NearPair): void {
    this.#pairs.delete(key);
    if (pair.queries !== null) this.#giveBack(pair.queries);
  }

  #giveBack(queries: Pair): void {
    let byB = this.#free.get(queries.a);
    if (byB === undefined) this.#free.set(queries.a, (byB = new Map()));
    const free = byB.get(queries.b);
    if (free === undefined) byB.set(queries.b, [queries]);
    else free.push(queries);
  }
}

/** How far a body extends along x from its middle. */
function radiusAlongX({ flat, radius, shape }: WorldBody): number {
  return flat === null || flat.includes(0) ? radius : shape.model.radius;
}

/** Two bodies are at least as far apart, by the balls around them, or the discs of those that move in the same plane. */
function distanceOfBalls(a: WorldBody, b: WorldBody): number {
  const [p, q] = [a.center, b.center];
  if (a.flat !== null && b.flat !== null && a.flat[0] === b.flat[0] && a.flat[1] === b.flat[1]) {
    const [u, v] = a.flat;
    return Math.hypot(p[u] - q[u], p[v] - q[v]) * (1 - 1e-12) - a.radius - b.radius;
  }
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) * (1 - 1e-12) - a.shape.model.radius - b.shape.model.radius;
}

/** A body is at least as far from an obstacle, by the ball or the disc around it and the box around the obstacle. */
function distanceToBox({ center, flat, radius }: WorldBody, obstacle: WorldBody): number {
  obstacle.findBox();
  const { low, high } = obstacle;
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    if (flat !== null && k !== flat[0] && k !== flat[1]) continue;
    squared += Math.max(0, low[k] - center[k], center[k] - high[k]) ** 2;
  }
  return Math.sqrt(squared) * (1 - 1e-12) - radius;
}

function keyOf(a: WorldBody, b: WorldBody): number {
  return a.index < b.index ? a.index * 0x100000 + b.index : b.index * 0x100000 + a.index;
}

/** What exact proofs leave between two bodies, beyond the wanted distance. */
export function touchingOf(a: WorldBody, b: WorldBody): number {
  return TOUCHING * Math.min(a.shape.model.radius, b.shape.model.radius);
}

function samePoint({ a, b }: NearPair): number {
  return SAME_POINT * Math.min(a.shape.model.radius, b.shape.model.radius);
}

function emptyPoints(): KeptPoints {
  return { a: new Float64Array(3), b: new Float64Array(3) };
}

function emptyObstruction(): Obstruction {
  return { ...emptyPoints(), normal: new Float64Array(3), found: 0, force: 0 };
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function distanceBetween(a: Float64Array, b: Float64Array): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(x * x + y * y + z * z);
}

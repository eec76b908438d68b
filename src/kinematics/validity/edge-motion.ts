// An edge in question: where all links are along it, how fast they can move against each other, and how far it is proven for one
// pair of bodies. Nothing is sampled: a pair stays apart where its distance exceeds what motions can close.
import * as pose from '../../core/pose.js';
import { angleBetween } from '../../core/turns.js';
import type { EvenMotion } from '../../proximity/impact/motion.js';
import { EdgePoses } from './edge-poses.js';
import { evenMotion } from './even-motion.js';
import { LinkBalls } from './link-balls.js';
import type { ScenePoses } from './scene-poses.js';
import { staysFar } from './stays-far.js';
import type { Body, WatchedPair } from './watched-pairs.js';

/** Chosen: the most parts of an edge of links that do not move evenly; a longer proof ends there. */
const MAX_PARTS = 2000;

/**
 * Measured on links that graze each other on their whole way, which took minutes: the pairs of volumes and triangles
 * along an edge after which the rest of it is not proven.
 */
const MAX_WORK = 3e4;

/** Chosen: a part of an edge is first so short that links deviate from even motion by this share of their gap. */
const DEVIATION = 0.1;

/** Chosen: a distance at the start of an edge may exceed the true one by this share of it. */
const START_ERROR = 0.5;

/** Chosen: the count of parts of an edge in which balls around links of chains are compared. */
export const BALL_PARTS = 4;

/**
 * Chosen: the count of parts of an edge in which distances are compared with what motions can close, before an edge
 * is followed.
 */
export const PARTS = 8;

/** Chosen: where a part is not proven, the next try is shorter by this factor. */
const SHORTER = 1 / 16;

const AT_REST: EvenMotion = { from: [0, 0, 0], to: [0, 0, 0], rotation: [0, 0, 0, 1], axis: [0, 0, 1], angle: 0 };

/** Chosen: the count of halvings that find where an edge leaves the bounds of a robot. */
const BISECTIONS = 40;

/** The tolerances of a scene, in meters. */
export interface EdgeLimits {
  /** What an edge ends at, beyond the clearance. */
  readonly touching: number;
  /** The size of the largest link. */
  readonly scale: number;
}

export class EdgeMotion {
  /** Poses of all links at the start and the end of the edge. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Poses of all links along the edge. */
  readonly along: EdgePoses;
  readonly #places: ScenePoses;
  readonly #limits: EdgeLimits;
  /** Where exact queries are counted. */
  readonly #counters: { distanceQueries: number };
  #edgeA: Float64Array;
  #edgeB: Float64Array;
  readonly #q: Float64Array;
  /** Where the links of chains are at the ends of parts of the edge. */
  readonly #edgeBalls: LinkBalls;
  /** Of all links. */
  readonly #radii: readonly number[];
  readonly #relative = [new Float64Array(7), new Float64Array(7)] as const;
  /** Where links begin to move in another way on the edge, from 0 to 1, and the poses of all links there. */
  readonly #cuts: number[] = [];
  readonly #cutPoses: Float64Array[] = [];
  readonly #betweenPoses: Float64Array[] = [];
  readonly #poseA = pose.identity();
  readonly #poseB = pose.identity();

  /** @param links all links, in the order of their poses. */
  constructor(
    places: ScenePoses,
    links: readonly Body[],
    size: number,
    limits: EdgeLimits,
    counters: { distanceQueries: number },
  ) {
    this.#places = places;
    this.#limits = limits;
    this.#counters = counters;
    this.from = new Float64Array(7 * places.linkCount);
    this.to = new Float64Array(7 * places.linkCount);
    this.#q = new Float64Array(size);
    this.#edgeA = this.#edgeB = this.#q;
    this.along = new EdgePoses(7 * places.linkCount, (share, out) => {
      places.interpolate(this.#edgeA, this.#edgeB, share, this.#q);
      places.place(this.#q, out);
    });
    this.#radii = links.map(({ radius }) => radius);
    this.#edgeBalls = new LinkBalls(
      links.map(({ model }) => model),
      BALL_PARTS + 1,
    );
  }

  /** Takes an edge. Bounds of motions are not prepared. */
  begin(a: Float64Array, b: Float64Array): void {
    this.#places.place(a, this.from);
    this.#places.place(b, this.to);
    this.#cutEdge(a, b);
    this.#edgeA = a;
    this.#edgeB = b;
    this.along.clear();
  }

  /** Prepares bounds of motions, from the middle of the edge. */
  boundFromMiddle(): void {
    this.#places.interpolate(this.#edgeA, this.#edgeB, 0.5, this.#q);
    for (const { speeds } of this.#places.robots) speeds?.prepare(this.#q, this.#edgeA, this.#edgeB, 0.5);
  }

  /** Prepares bounds of motions, from the start of the edge. */
  boundFromStart(): void {
    for (const { speeds } of this.#places.robots) speeds?.prepare(this.#edgeA, this.#edgeA, this.#edgeB, 1);
  }

  /** Places the balls of links along the edge, whose bounds of motions are prepared. */
  placeBalls(): void {
    const balls = this.#edgeBalls;
    if (this.#places.robots.every(({ speeds }) => speeds === null)) return;
    for (let i = 0; i <= BALL_PARTS; i++) balls.place(i, this.along.at(i / BALL_PARTS));
    let at = 0;
    for (const { links, speeds } of this.#places.robots) {
      for (let link = 0; link < links.length; link++, at++) {
        if (speeds !== null) balls.setBend(at, speeds.bend(link, -1) / BALL_PARTS ** 2, this.#radii[at]);
      }
    }
  }

  /** The parts of the edge, from its start on, in which balls tell that two bodies stay apart. */
  partsApart(pair: WatchedPair, clearance: number, share: number): number {
    let part = 0;
    if (!pair.hasBalls) return part;
    while (part < share * BALL_PARTS && areApart(this.#places, pair, this.#edgeBalls, clearance, part, part + 1))
      part++;
    return part;
  }

  /** The parts of the edge, as bits, in which balls do not tell that two bodies stay apart. */
  openParts(pair: WatchedPair, clearance: number): number {
    let open = 0;
    for (let part = 0; part < BALL_PARTS; part++) {
      if (pair.hasBalls && areApart(this.#places, pair, this.#edgeBalls, clearance, part, part + 1)) continue;
      open |= partsWithin(part / BALL_PARTS, (part + 1) / BALL_PARTS);
    }
    return open;
  }

  /** How far an edge stays within the bounds of the robots, which are convex. */
  shareWithinBounds(a: Float64Array, b: Float64Array): number {
    const isAllowed = (q: Float64Array): boolean => this.#places.robots.every((robot) => robot.isAllowed(q));
    if (isAllowed(b)) return 1;
    let [low, high] = [0, 1];
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (low + high) / 2;
      this.#places.interpolate(a, b, middle, this.#q);
      if (isAllowed(this.#q)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Whether balls tell that a link stays farther from an obstacle at rest than a limit. */
  staysFar({ a, b, isTimed }: WatchedPair, limit: number): boolean {
    const { from, to } = this;
    return b.robot < 0 && !isTimed && staysFar(a.model, from, to, a.index, this.#places.obstacles[b.index], limit);
  }

  /** Finds where links begin to move in another way, and their poses there. */
  #cutEdge(a: Float64Array, b: Float64Array): void {
    const cuts = this.#cuts;
    cuts.length = 0;
    cuts.push(0);
    for (const robot of this.#places.robots) robot.cuts?.(a, b, cuts);
    cuts.push(1);
    this.#cutPoses[0] = this.from;
    for (let i = 1; i < cuts.length - 1; i++) {
      this.#betweenPoses[i] ??= new Float64Array(7 * this.#places.linkCount);
      this.#cutPoses[i] = this.#betweenPoses[i];
      this.#places.interpolate(a, b, cuts[i], this.#q);
      this.#places.place(this.#q, this.#cutPoses[i]);
    }
    this.#cutPoses[cuts.length - 1] = this.to;
  }

  advanceEven(pair: WatchedPair, clearance: number, limit: number): number {
    const cuts = this.#cuts;
    if (!pair.isTimed || cuts.length === 2) {
      this.#counters.distanceQueries++;
      const [from, to] = [this.from, this.to];
      return pair.even.advance(
        this.#places.motionOf(pair.a, from, to),
        this.#places.motionOf(pair.b, from, to),
        clearance,
        limit,
      );
    }
    for (let i = 1; i < cuts.length && cuts[i - 1] < limit; i++) {
      this.#counters.distanceQueries++;
      const [from, to] = [this.#cutPoses[i - 1], this.#cutPoses[i]];
      const share = pair.even.advance(
        this.#places.motionOf(pair.a, from, to),
        this.#places.motionOf(pair.b, from, to),
        clearance,
      );
      if (share < 1) return cuts[i - 1] + share * (cuts[i] - cuts[i - 1]);
    }
    return 1;
  }

  /**
   * Links of a chain do not move evenly. But over a short part of an edge they nearly do: a point that is where even motion
   * has it at both ends of a part of length h deviates from it by at most h²/8 times the largest difference of the two
   * accelerations. So each part is proven as for even motion, at a clearance that is larger by this.
   */
  advanceCurved(pair: WatchedPair, clearance: number, limit: number, start = 0): number {
    const { a, b, carrier, gap } = pair;
    if (!(gap > 0)) return 0;
    const bend = this.#bend(a, b, carrier) + this.#bend(b, a, carrier);
    const touching = this.#limits.touching;
    const rounding = 1e-14 * this.#limits.scale;
    let length = 1;
    while ((bend * length * length) / 8 > Math.max(DEVIATION * gap, touching / 4)) length /= 2;
    let s = start;
    for (let i = 0, work = 0; i < MAX_PARTS && work < MAX_WORK && s < limit; i++) {
      const end = Math.min(s + length, this.#cutAfter(s), limit);
      const [from, to] = [this.along.at(s), this.along.at(end)];
      const motionA = this.#motionAlong(a, b, carrier === 'b', carrier === 'a', from, to);
      const motionB = this.#motionAlong(b, a, carrier === 'a', carrier === 'b', from, to);
      const turned = (motionA.angle ** 2 * a.radius + motionB.angle ** 2 * b.radius) / 8;
      const off = (bend * (end - s) ** 2) / 8 + turned + rounding;
      this.#counters.distanceQueries++;
      const share = pair.even.advance(motionA, motionB, clearance + off, 1, MAX_WORK - work);
      work += pair.even.pairs;
      if (share === 1) {
        s = end;
        length *= 2;
        continue;
      }
      const reached = s + share * (end - s);
      if (off < touching / 4) return reached;
      length = SHORTER * Math.min(length, end - s);
      // On a grid, so that other pairs ask for the same places.
      s = Math.max(s, Math.floor(reached / length) * length);
    }
    return Math.min(s, limit);
  }

  /** Measures how far two bodies are apart at a place of the edge, and so how soon they can come near. */
  measureGap(pair: WatchedPair, poses: Float64Array, clearance: number, limit: number): void {
    this.#setPoses(pair, poses);
    this.#counters.distanceQueries++;
    const speed = this.speed(pair) * (1 + 1e-12);
    const cutoff = clearance + speed * limit;
    const about = pair.queries.distance(this.#poseA, this.#poseB, { cutoff, relativeError: START_ERROR }).distance;
    let distance = about === null ? null : about / (1 + START_ERROR);
    // Near the clearance only the distance itself tells.
    if (distance !== null && distance < 2 * clearance) {
      distance = pair.queries.distance(this.#poseA, this.#poseB, { cutoff }).distance;
    }
    pair.gap = distance === null ? Infinity : distance - clearance;
    pair.soonest = distance === null ? Infinity : (pair.gap - 1e-14 * this.#limits.scale) / speed;
  }

  /** The next cut of the edge after s. */
  #cutAfter(s: number): number {
    for (const cut of this.#cuts) if (cut > s) return cut;
    return 1;
  }

  /** The motion of a body over a part of the edge: in the world, as seen from the other one, or at rest if it carries that. */
  #motionAlong(
    body: Body,
    other: Body,
    isCarried: boolean,
    carries: boolean,
    from: Float64Array,
    to: Float64Array,
  ): EvenMotion {
    if (carries) return AT_REST;
    if (!isCarried) return this.#places.motionOf(body, from, to);
    const [first, last] = this.#relative;
    for (const [poses, out] of [[from, first] as const, [to, last] as const]) {
      this.#places.setPose(other, poses, this.#poseA);
      this.#places.setPose(body, poses, this.#poseB);
      out.set(pose.bInA(this.#poseA, this.#poseB));
    }
    return evenMotion(first, last, 0);
  }

  /** The largest acceleration of a point of a body besides that of even motion, per squared unit of the edge. */
  #bend(body: Body, other: Body, carrier: 'a' | 'b' | null): number {
    const speeds = body.robot >= 0 ? this.#places.robots[body.robot].speeds : null;
    if (speeds === null) return 0;
    return speeds.bend(body.link, carrier === null ? -1 : other.link);
  }

  /** The largest speed of two points of a pair against each other, per unit of the edge. */
  speed({ a, b }: WatchedPair): number {
    if (a.robot >= 0 && a.robot === b.robot) return this.#places.robots[a.robot].speeds!.between(a.link, b.link);
    let sum = 0;
    for (const body of [a, b]) {
      if (body.robot >= 0) sum += this.#places.robots[body.robot].speeds?.ofLink(body.link) ?? this.#evenSpeed(body);
    }
    return sum;
  }

  /** The largest speed of a point of a body that moves evenly between the cuts of the edge. */
  #evenSpeed({ index, radius }: Body): number {
    let most = 0;
    const at = 7 * index;
    for (let i = 1; i < this.#cuts.length; i++) {
      const [from, to] = [this.#cutPoses[i - 1], this.#cutPoses[i]];
      const way = Math.hypot(to[at] - from[at], to[at + 1] - from[at + 1], to[at + 2] - from[at + 2]);
      const turn = angleBetween(from, at + 3, to, at + 3);
      most = Math.max(most, (way + radius * turn) / (this.#cuts[i] - this.#cuts[i - 1]));
    }
    return most;
  }

  #setPoses({ a, b }: WatchedPair, poses: Float64Array): void {
    this.#places.setPose(a, poses, this.#poseA);
    this.#places.setPose(b, poses, this.#poseB);
  }
}

/** Whether balls tell that two bodies stay farther apart than a limit, from one place of the balls to the next. */
export function areApart(
  places: ScenePoses,
  { a, b }: WatchedPair,
  balls: LinkBalls,
  limit: number,
  from: number,
  to: number,
): boolean {
  if (b.robot >= 0) return balls.areApart(a.index, b.index, limit, from, to);
  return balls.isClear(a.index, places.obstacles[b.index], limit, from, to);
}

/** The parts of an edge that lie between two places of it, as bits. */
export function partsWithin(from: number, to: number): number {
  const [first, last] = [Math.max(0, Math.ceil(PARTS * from)), Math.min(PARTS, Math.floor(PARTS * to))];
  return last > first ? 2 ** last - 2 ** first : 0;
}

export function isOpen({ open }: WatchedPair, part: number): boolean {
  return ((open >> part) & 1) === 1;
}

// All robots and obstacles of a problem, and the pairs of bodies that must stay apart: whether a configuration is free, and
// how far along an edge that is proven. Nothing is sampled: an edge is free where distances exceed what motions can close.
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { EvenMotion } from '../../proximity/impact/motion.js';
import { Pair } from '../../proximity/pair.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { Robot } from '../robot/robot.js';
import { evenMotion } from './even-motion.js';
import { EvenPair } from './even-pair.js';
import type { Obstacle } from './obstacle.js';

/** Edges end where bodies come within this share of the robot's size, beyond the clearance. */
const TOUCHING = 1e-5;

/** A step of an edge of links that do not move evenly goes at least this share of the edge, or the edge ends there. */
const LEAST_STEP = 1e-7;

/** What planning has cost. */
export interface PlanningCounters {
  samples: number;
  configurationsTested: number;
  edgesTested: number;
  distanceQueries: number;
  vertices: number;
  edges: number;
}

/** One end of a pair: a link of a robot, or an obstacle. */
export interface Body {
  /** Of a robot; −1 for an obstacle. */
  readonly robot: number;
  /** The index of its pose among those of all links, or of the obstacle. */
  readonly index: number;
  /** The index among the links of its robot, and the index of the robot's first link among all. */
  readonly link: number;
  readonly first: number;
  readonly model: ProximityModel;
}

/** Two bodies that must stay apart. */
export interface BodyPair {
  readonly a: Body;
  readonly b: Body;
}

interface WatchedPair extends BodyPair {
  /** For single configurations, and for those along an edge. */
  readonly queries: Pair;
  readonly even: EvenPair | null;
}

export class CollisionScene {
  readonly robots: readonly Robot[];
  readonly obstacles: readonly Obstacle[];
  /** Numbers of a configuration. */
  readonly size: number;
  /** Links of all robots. */
  readonly linkCount: number;
  readonly clearance: number;
  readonly counters: PlanningCounters = {
    samples: 0,
    configurationsTested: 0,
    edgesTested: 0,
    distanceQueries: 0,
    vertices: 0,
    edges: 0,
  };
  /** The size of the largest link. */
  readonly scale: number;
  readonly #pairs: WatchedPair[];
  /** Poses of all links at the start, the end and on the way of an edge. */
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #now: Float64Array;
  readonly #q: Float64Array;
  readonly #poseA = pose.identity();
  readonly #poseB = pose.identity();

  constructor(robots: readonly Robot[], obstacles: readonly Obstacle[], clearance: number) {
    this.robots = robots;
    this.obstacles = obstacles;
    this.clearance = clearance;
    this.size = robots.reduce((sum, { size }) => sum + size, 0);
    const links = robots.reduce((sum, robot) => sum + robot.links.length, 0);
    this.linkCount = links;
    this.#from = new Float64Array(7 * links);
    this.#to = new Float64Array(7 * links);
    this.#now = new Float64Array(7 * links);
    this.#q = new Float64Array(this.size);
    this.scale = Math.max(...robots.flatMap((robot) => robot.links.map(({ model }) => model.radius)));
    this.#pairs = this.#makePairs();
    this.bodyPairs = [...this.#pairs];
  }

  /** The pairs of bodies that must stay apart, in a fixed order. */
  readonly bodyPairs: readonly BodyPair[];

  /** The poses of all links at q; written anew by the next call. */
  posesAt(q: Float64Array): Float64Array {
    this.#place(q, this.#now);
    return this.#now;
  }

  /** The pose of a body where those of all links are given; written anew by the next call. */
  poseOf(body: Body, poses: Float64Array): Pose {
    this.#setPose(body, poses, this.#poseA);
    return this.#poseA;
  }

  /** Whether nothing is nearer than the clearance, and the configuration is within its bounds. */
  isFree(q: Float64Array): boolean {
    this.counters.configurationsTested++;
    if (!this.robots.every((robot) => robot.isAllowed(q))) return false;
    this.#place(q, this.#now);
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i++) {
      this.counters.distanceQueries++;
      this.#setPoses(pairs[i], this.#now);
      const { queries } = pairs[i];
      const meets =
        this.clearance > 0
          ? queries.within(this.#poseA, this.#poseB, this.clearance).within
          : queries.intersects(this.#poseA, this.#poseB).intersects;
      if (!meets) continue;
      this.#moveUp(i);
      return false;
    }
    return true;
  }

  /** The least distance of all pairs; `cutoff` if none is nearer. */
  distance(q: Float64Array, cutoff = Infinity): number {
    this.#place(q, this.#now);
    let least = cutoff;
    for (const pair of this.#pairs) {
      this.counters.distanceQueries++;
      this.#setPoses(pair, this.#now);
      const { distance } = pair.queries.distance(this.#poseA, this.#poseB, { cutoff: least });
      if (distance !== null) least = Math.min(least, distance);
    }
    return least;
  }

  /**
   * The share of the way from a, which is free, to b that is proven free: 1 for the whole edge. The end of the share is
   * about where something comes within the clearance.
   */
  advance(a: Float64Array, b: Float64Array, clearance = this.clearance): number {
    this.counters.edgesTested++;
    for (const robot of this.robots) if (!robot.hasWay(a, b)) return 0;
    this.#place(a, this.#from);
    this.#place(b, this.#to);
    let share = 1;
    let first = -1;
    for (let i = 0; i < this.#pairs.length && share > 0; i++) {
      const pair = this.#pairs[i];
      const reached =
        pair.even !== null ? this.#advanceEven(pair, clearance) : this.#advanceChain(pair, a, b, clearance, share);
      if (!(reached < share)) continue;
      share = Math.max(0, reached);
      first = i;
    }
    if (first >= 0) this.#moveUp(first);
    return share;
  }

  /** Writes the configuration at t on the way from a to b. */
  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    for (const robot of this.robots) robot.interpolate(a, b, t, out);
  }

  /** How far a and b are apart: the sum over robots, in meters. */
  separation(a: Float64Array, b: Float64Array): number {
    let sum = 0;
    for (const robot of this.robots) sum += robot.distance(a, b);
    return sum;
  }

  #advanceEven(pair: WatchedPair, clearance: number): number {
    this.counters.distanceQueries++;
    return pair.even!.advance(this.#motionOf(pair.a), this.#motionOf(pair.b), clearance);
  }

  /** Conservative advancement (Mirtich 1996): each step goes as far as the distance allows at the largest speed. */
  #advanceChain(pair: WatchedPair, a: Float64Array, b: Float64Array, clearance: number, limit: number): number {
    const q = this.#q;
    let s = 0;
    while (s < limit) {
      this.interpolate(a, b, s, q);
      const rest = limit - s;
      const speed = this.#speed(pair, q, a, b, rest) * (1 + 1e-12);
      this.#place(q, this.#now);
      this.#setPoses(pair, this.#now);
      this.counters.distanceQueries++;
      const { distance } = pair.queries.distance(this.#poseA, this.#poseB, { cutoff: clearance + speed * rest });
      if (distance === null) return limit;
      const step = (distance - clearance - 1e-14 * this.scale) / speed;
      if (!(step > LEAST_STEP) || distance - clearance < TOUCHING * this.scale) return s;
      s += step;
    }
    return limit;
  }

  /** The largest speed of two points of a pair against each other, per unit of the edge. */
  #speed({ a, b }: WatchedPair, q: Float64Array, from: Float64Array, to: Float64Array, rest: number): number {
    let sum = 0;
    if (a.robot >= 0 && a.robot === b.robot) {
      const speeds = this.robots[a.robot].speeds!;
      speeds.prepare(q, from, to, rest);
      return speeds.between(a.link, b.link);
    }
    for (const { robot, link } of [a, b]) {
      if (robot < 0) continue;
      const { speeds } = this.robots[robot];
      if (speeds === null) sum += this.robots[robot].distance(from, to);
      else {
        speeds.prepare(q, from, to, rest);
        sum += speeds.ofLink(link);
      }
    }
    return sum;
  }

  #motionOf(body: Body): EvenMotion {
    if (body.robot >= 0) return evenMotion(this.#from, this.#to, body.index);
    const { pose: p } = this.obstacles[body.index];
    return {
      from: [p[0], p[1], p[2]],
      to: [p[0], p[1], p[2]],
      rotation: [p[3], p[4], p[5], p[6]],
      axis: [0, 0, 1],
      angle: 0,
    };
  }

  #place(q: Float64Array, out: Float64Array): void {
    let at = 0;
    for (const robot of this.robots) {
      robot.place(q, at === 0 ? out : out.subarray(at));
      at += 7 * robot.links.length;
    }
  }

  #setPoses({ a, b }: WatchedPair, poses: Float64Array): void {
    this.#setPose(a, poses, this.#poseA);
    this.#setPose(b, poses, this.#poseB);
  }

  #setPose({ robot, index }: Body, poses: Float64Array, out: Pose): void {
    const source: ReadonlyPose = robot >= 0 ? poses : this.obstacles[index].pose;
    const at = robot >= 0 ? 7 * index : 0;
    for (let k = 0; k < 7; k++) out[k] = source[at + k];
  }

  /** What ended an edge or made a configuration unfree is tested first the next time: answers do not depend on the order. */
  #moveUp(index: number): void {
    const pairs = this.#pairs;
    if (index > 0) [pairs[index - 1], pairs[index]] = [pairs[index], pairs[index - 1]];
  }

  #makePairs(): WatchedPair[] {
    const pairs: WatchedPair[] = [];
    const bodies: Body[][] = [];
    let index = 0;
    for (const [robot, { links }] of this.robots.entries()) {
      const first = index;
      bodies.push(links.map(({ model }, link) => ({ robot, index: index++, link, first, model })));
    }
    const isEven = ({ robot }: Body): boolean => robot < 0 || this.robots[robot].speeds === null;
    const watch = (a: Body, b: Body): void => {
      const even = isEven(a) && isEven(b) ? new EvenPair(a.model, b.model, TOUCHING * this.scale) : null;
      pairs.push({ a, b, queries: new Pair(a.model, b.model), even });
    };
    for (const [r, robot] of this.robots.entries()) {
      for (const [l, link] of robot.links.entries()) {
        if (!link.isTested) continue;
        for (const [o, { model }] of this.obstacles.entries()) {
          watch(bodies[r][l], { robot: -1, index: o, link: 0, first: 0, model });
        }
      }
      for (const [i, k] of robot.linkPairs) watch(bodies[r][i], bodies[r][k]);
      for (let other = 0; other < r; other++) {
        for (const a of bodies[other]) {
          for (const b of bodies[r]) watch(a, b);
        }
      }
    }
    return pairs;
  }
}

// All robots and obstacles of a problem, and the pairs of bodies that must stay apart: whether a configuration is free, and
// how far along an edge that is proven. Nothing is sampled: an edge is free where distances exceed what motions can close.
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import { angleBetween } from '../../core/turns.js';
import type { EvenMotion } from '../../proximity/impact/motion.js';
import { BallFilter } from '../filter/ball-filter.js';
import type { Robot } from '../robot/robot.js';
import { EdgePoses } from './edge-poses.js';
import { evenMotion } from './even-motion.js';
import { LinkBalls } from './link-balls.js';
import type { Obstacle } from './obstacle.js';
import { staysFar } from './stays-far.js';
import { type Body, type BodyPair, linkBodies, obstacleOf, type WatchedPair, watchPairs } from './watched-pairs.js';

/** Chosen: an edge ends where bodies come within the clearance and this share of the robot's size, unless another is given. */
const TOUCHING = 1e-5;

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
const BALL_PARTS = 4;

/**
 * Chosen: configurations at these shares of an edge of evenly moving bodies are tested before it is proven: a proof
 * costs far more.
 */
const TESTED_FIRST = [1, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];

/**
 * Chosen: the count of parts of an edge in which distances are compared with what motions can close, before an edge
 * is followed.
 */
const PARTS = 8;

/** Chosen: where a part is not proven, the next try is shorter by this factor. */
const SHORTER = 1 / 16;

/** Chosen: where nothing is known to be near, what is within this share of the scale is looked for first. */
const FIRST_REACH = 0.1;

/** Chosen: where nothing is that near, this many times as far is looked. */
const LONGER_REACH = 4;

/** Chosen: after this count of tests all pairs are measured. */
const MAX_REACHES = 8;

const AT_REST: EvenMotion = { from: [0, 0, 0], to: [0, 0, 0], rotation: [0, 0, 0, 1], axis: [0, 0, 1], angle: 0 };

/** Chosen: the count of halvings that find where an edge leaves the bounds of a robot. */
const BISECTIONS = 40;

/** What planning has cost. */
export interface PlanningCounters {
  samples: number;
  configurationsTested: number;
  edgesTested: number;
  distanceQueries: number;
  vertices: number;
  edges: number;
}

/** How a scene is made. */
export interface CollisionSceneOptions {
  /** The pairs that are watched: all, only those with obstacles that move with time, or only links of different robots. Default 'all'. */
  readonly watched?: 'all' | 'timed' | 'between';
  /** Where costs are counted. Default: counters of its own. */
  readonly counters?: PlanningCounters;
  /** The size that tolerances are shares of, for scenes of some of the robots. Default: that of the largest link. */
  readonly scale?: number;
  /** An edge ends where bodies come within the clearance and this share of the scale. Default 1e-5. */
  readonly touching?: number;
}

/** A stretch of an edge, in shares of it, on which a pair may be near; the distance is that in its middle. */
export interface PairStretch {
  readonly pair: WatchedPair;
  readonly from: number;
  readonly to: number;
  readonly distance: number;
  /** Whether solids are proven to be nearer, so that other stretches were not looked for. */
  readonly isMet: boolean;
}

export class CollisionScene {
  readonly robots: readonly Robot[];
  readonly obstacles: readonly Obstacle[];
  /** Numbers of a configuration, up to the last one of these robots: scenes of some robots share configurations of all. */
  readonly size: number;
  /** Links of all robots. */
  readonly linkCount: number;
  readonly clearance: number;
  readonly counters: PlanningCounters;
  /** The size of the largest link. */
  readonly scale: number;
  /** In meters beyond the clearance: see {@link CollisionSceneOptions.touching}. */
  readonly #touchingGap: number;
  readonly #pairs: WatchedPair[];
  /** The pair that determined the last distance. */
  #nearest: WatchedPair | null = null;
  /** Poses of all links at the start, the end and on the way of an edge. */
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #now: Float64Array;
  readonly #q: Float64Array;
  /** The edge in question, and poses along it. */
  #edgeA: Float64Array;
  #edgeB: Float64Array;
  readonly #along: EdgePoses;
  readonly #waiting: number[] = [];
  /** Where the links of chains are at the ends of parts of an edge, and in a single configuration. */
  readonly #edgeBalls: LinkBalls;
  readonly #balls: LinkBalls;
  /** Of all links. */
  readonly #radii: readonly number[];
  readonly #relative = [new Float64Array(7), new Float64Array(7)] as const;
  /** Where links begin to move in another way on an edge, from 0 to 1, and the poses of all links there. */
  readonly #cuts: number[] = [];
  readonly #cutPoses: Float64Array[] = [];
  readonly #betweenPoses: Float64Array[] = [];
  readonly #poseA = pose.identity();
  readonly #poseB = pose.identity();
  /** Of scenes of chains and obstacles at rest: made when first needed. */
  #filter: BallFilter | null = null;
  readonly #isFiltered: boolean;
  /** By item of the filter: the pairs that it stands for. */
  #filtered: readonly (readonly WatchedPair[])[] = [];
  /** Pairs of which the second may be inside of the first without any ball near a surface. */
  #holders: readonly WatchedPair[] = [];
  /** Whether the filter has refused last, which pair did so is looked for when asked. */
  #isMet = false;
  #blocker = -1;
  #touching: BodyPair | null = null;

  constructor(
    robots: readonly Robot[],
    obstacles: readonly Obstacle[],
    clearance: number,
    options: CollisionSceneOptions = {},
  ) {
    const { watched = 'all', counters, scale, touching = TOUCHING } = options;
    this.counters = counters ?? {
      samples: 0,
      configurationsTested: 0,
      edgesTested: 0,
      distanceQueries: 0,
      vertices: 0,
      edges: 0,
    };
    this.robots = robots;
    this.obstacles = obstacles;
    this.clearance = clearance;
    this.size = Math.max(...robots.map(({ offset, size }) => offset + size));
    const links = robots.reduce((sum, robot) => sum + robot.links.length, 0);
    this.linkCount = links;
    this.#from = new Float64Array(7 * links);
    this.#to = new Float64Array(7 * links);
    this.#now = new Float64Array(7 * links);
    this.#q = new Float64Array(this.size);
    this.#edgeA = this.#edgeB = this.#q;
    this.#along = new EdgePoses(7 * links, (share, out) => {
      this.interpolate(this.#edgeA, this.#edgeB, share, this.#q);
      this.#place(this.#q, out);
    });
    const solids = robots.filter(({ isClock }) => !isClock).flatMap((robot) => robot.links);
    this.scale = scale ?? Math.max(...solids.map(({ model }) => model.radius));
    this.#touchingGap = touching * this.scale;
    const bodies = linkBodies(robots);
    const models = bodies.flat().map(({ model }) => model);
    this.#radii = bodies.flat().map(({ radius }) => radius);
    this.#edgeBalls = new LinkBalls(models, BALL_PARTS + 1);
    this.#balls = new LinkBalls(models, 1);
    const isBetween = ({ a, b }: BodyPair): boolean => a.robot >= 0 && b.robot >= 0 && a.robot !== b.robot;
    this.#pairs = watchPairs(robots, obstacles, bodies, this.#touchingGap).filter((pair) => {
      return watched === 'all' || (watched === 'timed' ? pair.isTimed : isBetween(pair));
    });
    this.bodyPairs = [...this.#pairs];
    this.#isFiltered = watched === 'all' && robots.every(({ chain, isClock }) => chain !== null && isClock !== true);
  }

  /** Bytes of the tables of quick tests, which grow with what is asked. */
  get bytes(): number {
    return this.#filter?.bytes ?? 0;
  }

  /** Makes what quick tests need, which otherwise the first of them does. */
  prepare(): void {
    this.#quick()?.prepare();
  }

  /** The quick tests of a scene of chains; null for others. */
  #quick(): BallFilter | null {
    if (!this.#isFiltered || this.#filter !== null) return this.#filter;
    const chains = this.robots.map(({ chain }) => chain!);
    const links: (readonly [number, number])[] = [];
    for (const { a, b } of this.#pairs) if (b.robot >= 0) links.push([a.index, b.index]);
    const isTested = chains.flatMap((chain) => chain.links.map((link) => link.isTested));
    const filter = new BallFilter(chains, this.obstacles, this.size, links, isTested);
    this.#filtered = filter.items.map(({ link, other }) => {
      return this.#pairs.filter(({ a, b }) => {
        if (other < 0 || b.robot < 0) return other < 0 && b.robot < 0 && a.index === link;
        return (a.index === link && b.index === other) || (a.index === other && b.index === link);
      });
    });
    this.#holders = this.#pairs.filter(({ a, b }) => {
      return (a.model.closed && fitsInto(b, a)) || (b.robot >= 0 && b.model.closed && fitsInto(a, b));
    });
    this.#filter = filter;
    return filter;
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

  /**
   * Moves an obstacle. What was proven before holds no longer where the obstacle comes. The pose is written in place, so that
   * other scenes with the same obstacle see it too.
   */
  moveObstacle(index: number, to: ReadonlyPose): void {
    const { pose: own } = this.obstacles[index];
    for (let k = 0; k < 7; k++) own[k] = to[k];
  }

  /** The obstacle that made the last configuration unfree or ended the last edge; −1 if it was anything else. */
  get blocker(): number {
    this.#findMet();
    return this.#blocker;
  }

  /** The bodies that made the last configuration unfree; null if it was free, or out of bounds. */
  get touching(): BodyPair | null {
    this.#findMet();
    return this.#touching;
  }

  #forgetMet(): void {
    this.#isMet = false;
    this.#blocker = -1;
    this.#touching = null;
  }

  /** Finds the pair that the filter has refused. */
  #findMet(): void {
    if (!this.#isMet) return;
    this.#isMet = false;
    const filter = this.#filter!;
    const pairs = this.#filtered[filter.met];
    const [x, y, z] = filter.metAt;
    const nearest = filter.items[filter.met].other < 0 ? filter.field.nearest(x, y, z) : -1;
    const pair = nearest < 0 ? pairs[0] : pairs.find((one) => obstacleOf(one) === nearest)!;
    this.#blocker = nearest;
    this.#touching = pair;
  }

  /**
   * Whether nothing is nearer than the clearance, and the configuration is within its bounds.
   * @param only the one obstacle to test against; −1 for everything.
   */
  isFree(q: Float64Array, only = -1): boolean {
    this.counters.configurationsTested++;
    this.#forgetMet();
    for (const robot of this.robots) if (!robot.isAllowed(q)) return false;
    const filter = only < 0 ? this.#quick() : null;
    if (filter !== null) return this.#isFreeBy(filter, q);
    this.#place(q, this.#now);
    this.#balls.place(0, this.#now);
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i++) {
      if (only >= 0 && obstacleOf(pairs[i]) !== only) continue;
      if (this.#areApart(pairs[i], this.#balls, this.clearance, 0, 0)) continue;
      if (!this.#meets(pairs[i], this.#now, this.clearance)) continue;
      this.#blocker = obstacleOf(pairs[i]);
      this.#touching = pairs[i];
      this.#moveUp(i);
      return false;
    }
    return true;
  }

  /** As {@link isFree}: exact queries are for what balls leave open. */
  #isFreeBy(filter: BallFilter, q: Float64Array): boolean {
    const verdict = filter.testConfiguration(q, this.clearance);
    this.#isMet = verdict === 'met';
    if (verdict === 'met') return false;
    const { open } = filter;
    if (open.length > 0 || this.#holders.length > 0) {
      this.#place(q, this.#now);
      this.#balls.place(0, this.#now);
    }
    for (const item of open) {
      for (const pair of this.#filtered[item]) {
        if (this.#areApart(pair, this.#balls, this.clearance, 0, 0)) continue;
        if (this.#keepsFrom(filter, pair, this.clearance) || !this.#meets(pair, this.#now, this.clearance)) continue;
        this.#blocker = obstacleOf(pair);
        this.#touching = pair;
        return false;
      }
    }
    for (const pair of this.#holders) {
      if (!this.#isHeld(pair, this.#now)) continue;
      this.#blocker = obstacleOf(pair);
      this.#touching = pair;
      return false;
    }
    return true;
  }

  /** Whether hulls tell that a link keeps a distance from an obstacle in the configuration tested last. */
  #keepsFrom(filter: BallFilter, { a, b }: WatchedPair, distance: number): boolean {
    return b.robot < 0 && filter.keepsFrom(a.index, b.index, distance);
  }

  /** Whether a part of one body of a pair is inside of the other, where their surfaces are apart. The balls are placed at the poses. */
  #isHeld(pair: WatchedPair, poses: Float64Array): boolean {
    if (this.#areApart(pair, this.#balls, 0, 0, 0)) return false;
    const { a, b } = pair;
    this.#setPoses(pair, poses);
    const isIn = (inner: Body, outer: Body, at: Pose, holder: Pose): boolean => {
      if (!outer.model.closed || !fitsInto(inner, outer)) return false;
      const { positions } = inner.model.mesh;
      const { boxMin, boxMax } = outer.model;
      const relative = pose.bInA(holder, at);
      for (const vertex of inner.model.componentVertices) {
        const p = pose.transformPoint(relative, [
          positions[3 * vertex],
          positions[3 * vertex + 1],
          positions[3 * vertex + 2],
        ]);
        if (p.some((value, k) => value < boxMin[k] || value > boxMax[k])) continue;
        if (outer.model.isInside(p)) return true;
      }
      return false;
    };
    return isIn(b, a, this.#poseB, this.#poseA) || (b.robot >= 0 && isIn(a, b, this.#poseA, this.#poseB));
  }

  /** The least distance of all pairs; `cutoff` if none is nearer. */
  distance(q: Float64Array, cutoff = Infinity): number {
    this.#place(q, this.#now);
    this.#balls.place(0, this.#now);
    let least = cutoff;
    const measure = (pair: WatchedPair, upTo: number): void => {
      if (this.#areApart(pair, this.#balls, upTo, 0, 0)) return;
      this.counters.distanceQueries++;
      this.#setPoses(pair, this.#now);
      const { distance } = pair.queries.distance(this.#poseA, this.#poseB, { cutoff: upTo });
      if (distance === null || distance >= upTo) return;
      least = distance;
      this.#nearest = pair;
    };
    // The nearest pair of the last call is likely to be near: others are far then.
    const first = this.#nearest;
    if (first !== null) measure(first, least);
    const filter = this.#quick();
    let reach = least < Infinity ? least : FIRST_REACH * this.scale;
    for (let i = 0; filter !== null && i < MAX_REACHES; i++) {
      const verdict = filter.testConfiguration(q, reach);
      // Where balls meet, the other pairs were not looked at.
      const items = verdict === 'met' ? [filter.met] : verdict === 'open' ? filter.open : [];
      for (const item of items) {
        for (const pair of this.#filtered[item]) {
          const upTo = Math.min(least, reach);
          if (pair !== first && !this.#keepsFrom(filter, pair, upTo)) measure(pair, upTo);
        }
      }
      if (verdict === 'met' && least >= reach) break;
      if (verdict !== 'met' && least <= reach) return least;
      reach = Math.min(least, verdict === 'met' ? reach : LONGER_REACH * reach);
    }
    for (const pair of this.#pairs) if (pair !== first) measure(pair, least);
    return least;
  }

  /** The pair that {@link distance} found last: the nearest one, where it was nearer than the cut-off. */
  get nearest(): BodyPair | null {
    return this.#nearest;
  }

  /**
   * The share of the way from a, which is free, to b that is proven free: 1 for the whole edge. The end of the share is
   * about where something comes within the clearance.
   * @param only the one obstacle to test against; −1 for everything.
   */
  advance(a: Float64Array, b: Float64Array, clearance = this.clearance, only = -1): number {
    this.counters.edgesTested++;
    this.#forgetMet();
    for (const robot of this.robots) if (!robot.hasWay(a, b)) return 0;
    const filter = only < 0 ? this.#quick() : null;
    let share = this.#shareWithinBounds(a, b);
    if (filter !== null && share === 1 && filter.testEdge(a, b, clearance) === 'clear') return 1;
    this.#beginEdge(a, b);
    for (const { speeds } of this.robots) speeds?.prepare(a, a, b, 1);
    this.#placeBalls();
    let first = -1;
    const waiting = this.#waiting;
    waiting.length = 0;
    for (let i = 0; i < this.#pairs.length && share > 0; i++) {
      const pair = this.#pairs[i];
      if (only >= 0 && obstacleOf(pair) !== only) continue;
      if (pair.isEven && this.#stayFar(pair, this.#from, this.#to, clearance)) continue;
      if (!pair.isEven) {
        const far = this.#partsApart(pair, clearance, share) / BALL_PARTS;
        if (far >= share) continue;
        this.#measureGap(pair, this.#from, clearance, share);
        pair.soonest = Math.max(pair.soonest, far);
        if (pair.soonest < share) waiting.push(i);
        continue;
      }
      const reached = this.#advanceEven(pair, clearance, share);
      if (!(reached < share)) continue;
      share = Math.max(0, reached);
      first = i;
    }
    // What is soonest to come near comes first: the rest is proven no farther.
    waiting.sort((i, k) => this.#pairs[i].soonest - this.#pairs[k].soonest || i - k);
    for (const i of waiting) {
      if (this.#pairs[i].soonest >= share || share === 0) break;
      const reached = this.#advanceCurved(this.#pairs[i], clearance, share);
      if (!(reached < share)) continue;
      share = Math.max(0, reached);
      first = i;
    }
    if (first >= 0) this.#endEdge(first);
    return share;
  }

  /**
   * Whether the whole edge from a, which is free, to b is proven free. Where it is not, that is known sooner than how far the edge
   * is free: configurations on the edge are tested first.
   */
  proves(a: Float64Array, b: Float64Array, clearance = this.clearance): boolean {
    this.counters.edgesTested++;
    this.#forgetMet();
    for (const robot of this.robots) if (!robot.hasWay(a, b) || !robot.isAllowed(b)) return false;
    const filter = this.#quick();
    if (filter !== null) return this.#provesBy(filter, a, b, clearance);
    this.#beginEdge(a, b);
    const waiting = this.#waiting;
    waiting.length = 0;
    this.interpolate(a, b, 0.5, this.#q);
    for (const { speeds } of this.robots) speeds?.prepare(this.#q, a, b, 0.5);
    this.#placeBalls();
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i];
      if (pair.isEven) {
        if (this.#stayFar(pair, this.#from, this.#to, clearance)) continue;
        const meets = TESTED_FIRST.some((share) => this.#meets(pair, this.#along.at(share), clearance));
        if (meets || this.#advanceEven(pair, clearance, 1) < 1) return this.#endEdge(i);
      } else {
        pair.open = this.#openParts(pair, clearance);
        pair.nearest = Infinity;
        if (pair.open !== 0) waiting.push(i);
      }
    }
    for (const i of waiting) if (this.#meets(this.#pairs[i], this.#to, clearance)) return this.#endEdge(i);
    // Distances in the middle, in the middles of the halves and so on: each proves what motions cannot close around it.
    for (let parts = 2; parts <= PARTS; parts *= 2) {
      for (let k = 1; k < parts; k += 2) {
        const around = partsWithin((k - 1) / parts, (k + 1) / parts);
        for (const i of waiting) {
          const pair = this.#pairs[i];
          if ((pair.open & around) === 0) continue;
          this.#measureGap(pair, this.#along.at(k / parts), clearance, 1 / parts);
          if (!(pair.gap > 0)) return this.#endEdge(i);
          const reach = Math.min(pair.soonest, 1 / parts);
          pair.open &= ~partsWithin(k / parts - reach, k / parts + reach);
          pair.nearest = Math.min(pair.nearest, pair.gap);
        }
      }
    }
    waiting.sort((i, k) => this.#pairs[i].nearest - this.#pairs[k].nearest || i - k);
    for (const i of waiting) {
      const pair = this.#pairs[i];
      pair.gap = pair.nearest;
      for (let first = 0, last = 0; first < PARTS; first = last) {
        for (last = first + 1; last < PARTS && isOpen(pair, last) === isOpen(pair, first); ) last++;
        if (!isOpen(pair, first)) continue;
        if (this.#advanceCurved(pair, clearance, last / PARTS, first / PARTS) < last / PARTS) return this.#endEdge(i);
      }
    }
    return true;
  }

  /** As {@link proves}: exact queries are for stretches that balls leave open. */
  #provesBy(filter: BallFilter, a: Float64Array, b: Float64Array, clearance: number): boolean {
    const verdict = filter.testEdge(a, b, clearance);
    this.#isMet = verdict === 'met';
    if (verdict !== 'open') return verdict === 'clear';
    this.#beginEdge(a, b);
    this.interpolate(a, b, 0.5, this.#q);
    for (const { speeds } of this.robots) speeds?.prepare(this.#q, a, b, 0.5);
    const waiting: { readonly pair: WatchedPair; readonly from: number; readonly to: number; readonly gap: number }[] =
      [];
    // Distances in the middles of stretches tell what is met, and what motions cannot close around it.
    for (const { item, from, to } of filter.stretches) {
      const [middle, half] = [(from + to) / 2, (to - from) / 2];
      const poses = this.#along.at(middle);
      for (const pair of this.#filtered[item]) {
        if (this.#isFarFrom(pair, poses, clearance, half)) continue;
        this.#measureGap(pair, poses, clearance, half);
        if (!(pair.gap > 0)) return this.#endBy(pair);
        if (pair.soonest < half) waiting.push({ pair, from, to, gap: pair.gap });
      }
    }
    waiting.sort((one, other) => one.gap - other.gap);
    for (const { pair, from, to, gap } of waiting) {
      pair.gap = gap;
      if (this.#advanceCurved(pair, clearance, to, from) < to) return this.#endBy(pair);
    }
    return true;
  }

  /**
   * Of a scene with quick tests: the stretches of an edge on which pairs may come within a clearance, those with the least distance
   * in their middle first. They are valid until the next edge.
   */
  stretchesWithin(a: Float64Array, b: Float64Array, clearance: number): PairStretch[] {
    const filter = this.#quick()!;
    this.counters.edgesTested++;
    const verdict = filter.testEdge(a, b, clearance);
    if (verdict === 'clear') return [];
    this.#beginEdge(a, b);
    this.interpolate(a, b, 0.5, this.#q);
    for (const { speeds } of this.robots) speeds?.prepare(this.#q, a, b, 0.5);
    // Where balls meet, the other stretches are not known: the place is looked at alone.
    const open = verdict === 'met' ? [filter.metStretch] : filter.stretches;
    const near: PairStretch[] = [];
    for (const { item, from, to } of open) {
      const [middle, half] = [(from + to) / 2, (to - from) / 2];
      const poses = this.#along.at(middle);
      for (const pair of this.#filtered[item]) {
        if (this.#isFarFrom(pair, poses, clearance, half)) continue;
        const reach = clearance + half * this.#speed(pair) * (1 + 1e-12);
        const distance = this.pairDistance(pair, middle, reach);
        if (distance < reach) near.push({ pair, from, to, distance, isMet: verdict === 'met' });
      }
    }
    return near.sort((one, other) => one.distance - other.distance);
  }

  /** How far the bodies of a pair are apart at a place of the last edge; `cutoff` if not nearer. */
  pairDistance(pair: WatchedPair, t: number, cutoff: number): number {
    this.#setPoses(pair, this.#along.at(t));
    this.counters.distanceQueries++;
    return pair.queries.distance(this.#poseA, this.#poseB, { cutoff }).distance ?? cutoff;
  }

  /** How far along the last edge a pair is proven to keep a clearance, from one place to another; see {@link advance}. */
  advancePair(pair: WatchedPair, clearance: number, from: number, to: number, gap: number): number {
    pair.gap = gap;
    return this.#advanceCurved(pair, clearance, to, from);
  }

  /** The largest speed of two points of a pair against each other on the last edge, per unit of it. */
  pairSpeed(pair: WatchedPair): number {
    return this.#speed(pair);
  }

  /** Whether quick tests tell which stretches of an edge are near to something. */
  get knowsStretches(): boolean {
    return this.#quick() !== null;
  }

  /** Whether a ball around a link and the box around an obstacle, or another ball, tell that a pair stays apart around a place. */
  #isFarFrom(pair: WatchedPair, poses: Float64Array, clearance: number, half: number): boolean {
    this.#balls.place(0, poses);
    return this.#areApart(pair, this.#balls, clearance + half * this.#speed(pair) * (1 + 1e-12), 0, 0);
  }

  #endBy(pair: WatchedPair): false {
    this.#blocker = obstacleOf(pair);
    this.#touching = pair;
    return false;
  }

  /** Writes the configuration at t on the way from a to b. */
  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    for (const robot of this.robots) robot.interpolate(a, b, t, out);
  }

  /** Whether quick tests alone prove that a configuration is within its bounds and keeps a clearance; false for scenes without them. */
  isRoomy(q: Float64Array, clearance: number): boolean {
    this.counters.configurationsTested++;
    for (const robot of this.robots) if (!robot.isAllowed(q)) return false;
    const filter = this.#quick();
    if (filter === null || !filter.clears(q, clearance)) return false;
    if (this.#holders.length === 0) return true;
    this.#place(q, this.#now);
    this.#balls.place(0, this.#now);
    return !this.#holders.some((pair) => this.#isHeld(pair, this.#now));
  }

  /** Whether quick tests alone prove that an edge from a, which is free, keeps a clearance; false for scenes without them. */
  provesRoomy(a: Float64Array, b: Float64Array, clearance: number): boolean {
    this.counters.edgesTested++;
    for (const robot of this.robots) if (!robot.hasWay(a, b) || !robot.isAllowed(b)) return false;
    return this.#quick()?.clearsEdge(a, b, clearance) ?? false;
  }

  /** How far a and b are apart: the sum over robots, in meters. */
  separation(a: Float64Array, b: Float64Array): number {
    let sum = 0;
    for (const robot of this.robots) sum += robot.distance(a, b);
    return sum;
  }

  #beginEdge(a: Float64Array, b: Float64Array): void {
    this.#place(a, this.#from);
    this.#place(b, this.#to);
    this.#cutEdge(a, b);
    this.#edgeA = a;
    this.#edgeB = b;
    this.#along.clear();
  }

  /** Places the balls of links along the edge, whose bounds of motions are prepared. */
  #placeBalls(): void {
    const balls = this.#edgeBalls;
    if (this.robots.every(({ speeds }) => speeds === null)) return;
    for (let i = 0; i <= BALL_PARTS; i++) balls.place(i, this.#along.at(i / BALL_PARTS));
    let at = 0;
    for (const { links, speeds } of this.robots) {
      for (let link = 0; link < links.length; link++, at++) {
        if (speeds !== null) balls.setBend(at, speeds.bend(link, -1) / BALL_PARTS ** 2, this.#radii[at]);
      }
    }
  }

  /** The parts of the edge, from its start on, in which balls tell that two bodies stay apart. */
  #partsApart(pair: WatchedPair, clearance: number, share: number): number {
    let part = 0;
    if (!pair.hasBalls) return part;
    while (part < share * BALL_PARTS && this.#areApart(pair, this.#edgeBalls, clearance, part, part + 1)) part++;
    return part;
  }

  /** The parts of the edge, as bits, in which balls do not tell that two bodies stay apart. */
  #openParts(pair: WatchedPair, clearance: number): number {
    let open = 0;
    for (let part = 0; part < BALL_PARTS; part++) {
      if (pair.hasBalls && this.#areApart(pair, this.#edgeBalls, clearance, part, part + 1)) continue;
      open |= partsWithin(part / BALL_PARTS, (part + 1) / BALL_PARTS);
    }
    return open;
  }

  /** Whether balls tell that two bodies stay farther apart than a limit, from one place of the balls to the next. */
  #areApart({ a, b }: WatchedPair, balls: LinkBalls, limit: number, from: number, to: number): boolean {
    if (b.robot >= 0) return balls.areApart(a.index, b.index, limit, from, to);
    return balls.isClear(a.index, this.obstacles[b.index], limit, from, to);
  }

  /** Remembers what ended an edge. */
  #endEdge(index: number): false {
    this.#blocker = obstacleOf(this.#pairs[index]);
    this.#moveUp(index);
    return false;
  }

  /** Whether two bodies come within a clearance. */
  #meets(pair: WatchedPair, poses: Float64Array, clearance: number): boolean {
    this.counters.distanceQueries++;
    this.#setPoses(pair, poses);
    return clearance > 0
      ? pair.queries.within(this.#poseA, this.#poseB, clearance).within
      : pair.queries.intersects(this.#poseA, this.#poseB).intersects;
  }

  /** How far an edge stays within the bounds of the robots, which are convex. */
  #shareWithinBounds(a: Float64Array, b: Float64Array): number {
    const isAllowed = (q: Float64Array): boolean => this.robots.every((robot) => robot.isAllowed(q));
    if (isAllowed(b)) return 1;
    let [low, high] = [0, 1];
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (low + high) / 2;
      this.interpolate(a, b, middle, this.#q);
      if (isAllowed(this.#q)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Whether balls tell that a link stays farther from an obstacle at rest than a limit. */
  #stayFar({ a, b, isTimed }: WatchedPair, from: Float64Array, to: Float64Array, limit: number): boolean {
    return b.robot < 0 && !isTimed && staysFar(a.model, from, to, a.index, this.obstacles[b.index], limit);
  }

  /** Finds where links begin to move in another way, and their poses there. */
  #cutEdge(a: Float64Array, b: Float64Array): void {
    const cuts = this.#cuts;
    cuts.length = 0;
    cuts.push(0);
    for (const robot of this.robots) robot.cuts?.(a, b, cuts);
    cuts.push(1);
    this.#cutPoses[0] = this.#from;
    for (let i = 1; i < cuts.length - 1; i++) {
      this.#betweenPoses[i] ??= new Float64Array(7 * this.linkCount);
      this.#cutPoses[i] = this.#betweenPoses[i];
      this.interpolate(a, b, cuts[i], this.#q);
      this.#place(this.#q, this.#cutPoses[i]);
    }
    this.#cutPoses[cuts.length - 1] = this.#to;
  }

  #advanceEven(pair: WatchedPair, clearance: number, limit: number): number {
    const cuts = this.#cuts;
    if (!pair.isTimed || cuts.length === 2) {
      this.counters.distanceQueries++;
      const [from, to] = [this.#from, this.#to];
      return pair.even.advance(this.#motionOf(pair.a, from, to), this.#motionOf(pair.b, from, to), clearance, limit);
    }
    for (let i = 1; i < cuts.length && cuts[i - 1] < limit; i++) {
      this.counters.distanceQueries++;
      const [from, to] = [this.#cutPoses[i - 1], this.#cutPoses[i]];
      const share = pair.even.advance(this.#motionOf(pair.a, from, to), this.#motionOf(pair.b, from, to), clearance);
      if (share < 1) return cuts[i - 1] + share * (cuts[i] - cuts[i - 1]);
    }
    return 1;
  }

  /**
   * Links of a chain do not move evenly. But over a short part of an edge they nearly do: a point that is where even motion
   * has it at both ends of a part of length h deviates from it by at most h²/8 times the largest difference of the two
   * accelerations. So each part is proven as for even motion, at a clearance that is larger by this.
   */
  #advanceCurved(pair: WatchedPair, clearance: number, limit: number, start = 0): number {
    const { a, b, carrier, gap } = pair;
    if (!(gap > 0)) return 0;
    const bend = this.#bend(a, b, carrier) + this.#bend(b, a, carrier);
    const touching = this.#touchingGap;
    const rounding = 1e-14 * this.scale;
    let length = 1;
    while ((bend * length * length) / 8 > Math.max(DEVIATION * gap, touching / 4)) length /= 2;
    let s = start;
    for (let i = 0, work = 0; i < MAX_PARTS && work < MAX_WORK && s < limit; i++) {
      const end = Math.min(s + length, this.#cutAfter(s), limit);
      const [from, to] = [this.#along.at(s), this.#along.at(end)];
      const motionA = this.#motionAlong(a, b, carrier === 'b', carrier === 'a', from, to);
      const motionB = this.#motionAlong(b, a, carrier === 'a', carrier === 'b', from, to);
      const turned = (motionA.angle ** 2 * a.radius + motionB.angle ** 2 * b.radius) / 8;
      const off = (bend * (end - s) ** 2) / 8 + turned + rounding;
      this.counters.distanceQueries++;
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
  #measureGap(pair: WatchedPair, poses: Float64Array, clearance: number, limit: number): void {
    this.#setPoses(pair, poses);
    this.counters.distanceQueries++;
    const speed = this.#speed(pair) * (1 + 1e-12);
    const cutoff = clearance + speed * limit;
    const about = pair.queries.distance(this.#poseA, this.#poseB, { cutoff, relativeError: START_ERROR }).distance;
    let distance = about === null ? null : about / (1 + START_ERROR);
    // Near the clearance only the distance itself tells.
    if (distance !== null && distance < 2 * clearance) {
      distance = pair.queries.distance(this.#poseA, this.#poseB, { cutoff }).distance;
    }
    pair.gap = distance === null ? Infinity : distance - clearance;
    pair.soonest = distance === null ? Infinity : (pair.gap - 1e-14 * this.scale) / speed;
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
    if (!isCarried) return this.#motionOf(body, from, to);
    const [first, last] = this.#relative;
    for (const [poses, out] of [[from, first] as const, [to, last] as const]) {
      this.#setPose(other, poses, this.#poseA);
      this.#setPose(body, poses, this.#poseB);
      out.set(pose.bInA(this.#poseA, this.#poseB));
    }
    return evenMotion(first, last, 0);
  }

  /** The largest acceleration of a point of a body besides that of even motion, per squared unit of the edge. */
  #bend(body: Body, other: Body, carrier: 'a' | 'b' | null): number {
    const speeds = body.robot >= 0 ? this.robots[body.robot].speeds : null;
    if (speeds === null) return 0;
    return speeds.bend(body.link, carrier === null ? -1 : other.link);
  }

  /** The largest speed of two points of a pair against each other, per unit of the edge. */
  #speed({ a, b }: WatchedPair): number {
    if (a.robot >= 0 && a.robot === b.robot) return this.robots[a.robot].speeds!.between(a.link, b.link);
    let sum = 0;
    for (const body of [a, b]) {
      if (body.robot >= 0) sum += this.robots[body.robot].speeds?.ofLink(body.link) ?? this.#evenSpeed(body);
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

  #motionOf(body: Body, from: Float64Array, to: Float64Array): EvenMotion {
    if (body.robot >= 0) return evenMotion(from, to, body.index);
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
}

/** Whether a body may be inside of another one: no side of its box is longer than what is around the other. */
function fitsInto({ model: inner }: Body, { model: outer }: Body): boolean {
  return inner.boxMax.every((high, k) => high - inner.boxMin[k] <= 2 * outer.radius);
}

/** The parts of an edge that lie between two places of it, as bits. */
function partsWithin(from: number, to: number): number {
  const [first, last] = [Math.max(0, Math.ceil(PARTS * from)), Math.min(PARTS, Math.floor(PARTS * to))];
  return last > first ? 2 ** last - 2 ** first : 0;
}

function isOpen({ open }: WatchedPair, part: number): boolean {
  return ((open >> part) & 1) === 1;
}

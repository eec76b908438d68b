// All robots and obstacles of a problem, and the pairs of bodies that must stay apart: whether a configuration is free, and
// how far along an edge that is proven. Nothing is sampled: an edge is free where distances exceed what motions can close.
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import { BallFilter } from '../filter/ball-filter.js';
import type { Robot } from '../robot/robot.js';
import { areApart, BALL_PARTS, EdgeMotion, isOpen, PARTS, partsWithin } from './edge-motion.js';
import { LinkBalls } from './link-balls.js';
import type { Obstacle } from './obstacle.js';
import { ScenePoses } from './scene-poses.js';
import { type Body, type BodyPair, linkBodies, obstacleOf, type WatchedPair, watchPairs } from './watched-pairs.js';

/** Chosen: an edge ends where bodies come within the clearance and this share of the robot's size, unless another is given. */
const TOUCHING = 1e-5;

/**
 * Chosen: configurations at these shares of an edge of evenly moving bodies are tested before it is proven: a proof
 * costs far more.
 */
const TESTED_FIRST = [1, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];

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
  readonly #pairs: WatchedPair[];
  /** The pair that determined the last distance. */
  #nearest: WatchedPair | null = null;
  readonly #places: ScenePoses;
  /** The edge in question. */
  readonly #edge: EdgeMotion;
  /** Poses of all links at the configuration in question. */
  readonly #now: Float64Array;
  readonly #waiting: number[] = [];
  /** Where the links of chains are in that configuration. */
  readonly #balls: LinkBalls;
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
    this.#places = new ScenePoses(robots, obstacles);
    this.linkCount = this.#places.linkCount;
    this.#now = new Float64Array(7 * this.linkCount);
    const solids = robots.filter(({ isClock }) => !isClock).flatMap((robot) => robot.links);
    this.scale = scale ?? Math.max(...solids.map(({ model }) => model.radius));
    const touchingGap = touching * this.scale;
    const bodies = linkBodies(robots);
    const limits = { touching: touchingGap, scale: this.scale };
    this.#edge = new EdgeMotion(this.#places, bodies.flat(), this.size, limits, this.counters);
    const models = bodies.flat().map(({ model }) => model);
    this.#balls = new LinkBalls(models, 1);
    const isBetween = ({ a, b }: BodyPair): boolean => a.robot >= 0 && b.robot >= 0 && a.robot !== b.robot;
    this.#pairs = watchPairs(robots, obstacles, bodies, touchingGap).filter((pair) => {
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
    this.#quick();
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
      return this.#pairs.filter(
        ({ a, b }) => a.index === link && (other < 0 ? b.robot < 0 : b.robot >= 0 && b.index === other),
      );
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
    this.#places.place(q, this.#now);
    return this.#now;
  }

  /** The pose of a body where those of all links are given; written anew by the next call. */
  poseOf(body: Body, poses: Float64Array): Pose {
    this.#places.setPose(body, poses, this.#poseA);
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
    this.#places.place(q, this.#now);
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
      this.#places.place(q, this.#now);
      this.#balls.place(0, this.#now);
    }
    for (const item of open) {
      for (const pair of this.#filtered[item]) {
        if (this.#areApart(pair, this.#balls, this.clearance, 0, 0)) continue;
        if (!this.#meets(pair, this.#now, this.clearance)) continue;
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
    this.#places.place(q, this.#now);
    this.#balls.place(0, this.#now);
    let least = cutoff;
    const measure = (pair: WatchedPair): void => {
      if (this.#areApart(pair, this.#balls, least, 0, 0)) return;
      this.counters.distanceQueries++;
      this.#setPoses(pair, this.#now);
      const { distance } = pair.queries.distance(this.#poseA, this.#poseB, { cutoff: least });
      if (distance === null || distance >= least) return;
      least = distance;
      this.#nearest = pair;
    };
    // The nearest pair of the last call is likely to be near: others are far then.
    const first = this.#nearest;
    if (first !== null) measure(first);
    const filter = least < Infinity ? this.#quick() : null;
    const verdict = filter?.testConfiguration(q, least) ?? 'met';
    if (verdict === 'clear') return least;
    // Where balls meet, the other pairs were not looked at.
    const open = verdict === 'met' ? [this.#pairs] : filter!.open.map((item) => this.#filtered[item]);
    for (const pairs of open) for (const pair of pairs) if (pair !== first) measure(pair);
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
    let share = this.#edge.shareWithinBounds(a, b);
    if (filter !== null && share === 1 && filter.testEdge(a, b, clearance) === 'clear') return 1;
    this.#edge.begin(a, b);
    this.#edge.boundFromStart();
    this.#edge.placeBalls();
    let first = -1;
    const waiting = this.#waiting;
    waiting.length = 0;
    for (let i = 0; i < this.#pairs.length && share > 0; i++) {
      const pair = this.#pairs[i];
      if (only >= 0 && obstacleOf(pair) !== only) continue;
      if (pair.isEven && this.#edge.staysFar(pair, clearance)) continue;
      if (!pair.isEven) {
        const far = this.#edge.partsApart(pair, clearance, share) / BALL_PARTS;
        if (far >= share) continue;
        this.#edge.measureGap(pair, this.#edge.from, clearance, share);
        pair.soonest = Math.max(pair.soonest, far);
        if (pair.soonest < share) waiting.push(i);
        continue;
      }
      const reached = this.#edge.advanceEven(pair, clearance, share);
      if (!(reached < share)) continue;
      share = Math.max(0, reached);
      first = i;
    }
    // What is soonest to come near comes first: the rest is proven no farther.
    waiting.sort((i, k) => this.#pairs[i].soonest - this.#pairs[k].soonest || i - k);
    for (const i of waiting) {
      if (this.#pairs[i].soonest >= share || share === 0) break;
      const reached = this.#edge.advanceCurved(this.#pairs[i], clearance, share);
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
    this.#edge.begin(a, b);
    const waiting = this.#waiting;
    waiting.length = 0;
    this.#edge.boundFromMiddle();
    this.#edge.placeBalls();
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i];
      if (pair.isEven) {
        if (this.#edge.staysFar(pair, clearance)) continue;
        const meets = TESTED_FIRST.some((share) => this.#meets(pair, this.#edge.along.at(share), clearance));
        if (meets || this.#edge.advanceEven(pair, clearance, 1) < 1) return this.#endEdge(i);
      } else {
        pair.open = this.#edge.openParts(pair, clearance);
        pair.nearest = Infinity;
        if (pair.open !== 0) waiting.push(i);
      }
    }
    for (const i of waiting) if (this.#meets(this.#pairs[i], this.#edge.to, clearance)) return this.#endEdge(i);
    // Distances in the middle, in the middles of the halves and so on: each proves what motions cannot close around it.
    for (let parts = 2; parts <= PARTS; parts *= 2) {
      for (let k = 1; k < parts; k += 2) {
        const around = partsWithin((k - 1) / parts, (k + 1) / parts);
        for (const i of waiting) {
          const pair = this.#pairs[i];
          if ((pair.open & around) === 0) continue;
          this.#edge.measureGap(pair, this.#edge.along.at(k / parts), clearance, 1 / parts);
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
        if (this.#edge.advanceCurved(pair, clearance, last / PARTS, first / PARTS) < last / PARTS)
          return this.#endEdge(i);
      }
    }
    return true;
  }

  /** As {@link proves}: exact queries are for stretches that balls leave open. */
  #provesBy(filter: BallFilter, a: Float64Array, b: Float64Array, clearance: number): boolean {
    const verdict = filter.testEdge(a, b, clearance);
    this.#isMet = verdict === 'met';
    if (verdict !== 'open') return verdict === 'clear';
    this.#edge.begin(a, b);
    this.#edge.boundFromMiddle();
    const waiting: { readonly pair: WatchedPair; readonly from: number; readonly to: number; readonly gap: number }[] =
      [];
    // Distances in the middles of stretches tell what is met, and what motions cannot close around it.
    for (const { item, from, to } of filter.stretches) {
      const [middle, half] = [(from + to) / 2, (to - from) / 2];
      const poses = this.#edge.along.at(middle);
      for (const pair of this.#filtered[item]) {
        if (this.#isFarFrom(pair, poses, clearance, half)) continue;
        this.#edge.measureGap(pair, poses, clearance, half);
        if (!(pair.gap > 0)) return this.#endBy(pair);
        if (pair.soonest < half) waiting.push({ pair, from, to, gap: pair.gap });
      }
    }
    waiting.sort((one, other) => one.gap - other.gap);
    for (const { pair, from, to, gap } of waiting) {
      pair.gap = gap;
      if (this.#edge.advanceCurved(pair, clearance, to, from) < to) return this.#endBy(pair);
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
    this.#edge.begin(a, b);
    this.#edge.boundFromMiddle();
    // Where balls meet, the other stretches are not known: the place is looked at alone.
    const open = verdict === 'met' ? [filter.metStretch] : filter.stretches;
    const near: PairStretch[] = [];
    for (const { item, from, to } of open) {
      const [middle, half] = [(from + to) / 2, (to - from) / 2];
      const poses = this.#edge.along.at(middle);
      for (const pair of this.#filtered[item]) {
        if (this.#isFarFrom(pair, poses, clearance, half)) continue;
        const reach = clearance + half * this.#edge.speed(pair) * (1 + 1e-12);
        const distance = this.pairDistance(pair, middle, reach);
        if (distance < reach) near.push({ pair, from, to, distance, isMet: verdict === 'met' });
      }
    }
    return near.sort((one, other) => one.distance - other.distance);
  }

  /** How far the bodies of a pair are apart at a place of the last edge; `cutoff` if not nearer. */
  pairDistance(pair: WatchedPair, t: number, cutoff: number): number {
    this.#setPoses(pair, this.#edge.along.at(t));
    this.counters.distanceQueries++;
    return pair.queries.distance(this.#poseA, this.#poseB, { cutoff }).distance ?? cutoff;
  }

  /** How far along the last edge a pair is proven to keep a clearance, from one place to another; see {@link advance}. */
  advancePair(pair: WatchedPair, clearance: number, from: number, to: number, gap: number): number {
    pair.gap = gap;
    return this.#edge.advanceCurved(pair, clearance, to, from);
  }

  /** The largest speed of two points of a pair against each other on the last edge, per unit of it. */
  pairSpeed(pair: WatchedPair): number {
    return this.#edge.speed(pair);
  }

  /** Whether quick tests tell which stretches of an edge are near to something. */
  get knowsStretches(): boolean {
    return this.#quick() !== null;
  }

  /** Whether a ball around a link and the box around an obstacle, or another ball, tell that a pair stays apart around a place. */
  #isFarFrom(pair: WatchedPair, poses: Float64Array, clearance: number, half: number): boolean {
    this.#balls.place(0, poses);
    return this.#areApart(pair, this.#balls, clearance + half * this.#edge.speed(pair) * (1 + 1e-12), 0, 0);
  }

  #endBy(pair: WatchedPair): false {
    this.#blocker = obstacleOf(pair);
    this.#touching = pair;
    return false;
  }

  /** Writes the configuration at t on the way from a to b. */
  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    this.#places.interpolate(a, b, t, out);
  }

  /** Whether quick tests alone prove that a configuration is within its bounds and keeps a clearance; false for scenes without them. */
  isRoomy(q: Float64Array, clearance: number): boolean {
    this.counters.configurationsTested++;
    for (const robot of this.robots) if (!robot.isAllowed(q)) return false;
    const filter = this.#quick();
    if (filter === null || !filter.clears(q, clearance)) return false;
    if (this.#holders.length === 0) return true;
    this.#places.place(q, this.#now);
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

  /** Whether balls tell that two bodies stay farther apart than a limit, from one place of the balls to the next. */
  #areApart(pair: WatchedPair, balls: LinkBalls, limit: number, from: number, to: number): boolean {
    return areApart(this.#places, pair, balls, limit, from, to);
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

  #setPoses({ a, b }: WatchedPair, poses: Float64Array): void {
    this.#places.setPose(a, poses, this.#poseA);
    this.#places.setPose(b, poses, this.#poseB);
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

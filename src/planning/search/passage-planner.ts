// The hybrid planner (after Foskey, Garber, Lin and Manocha 2001) for one rigid robot. The way of a ball inside of the robot
// is the estimate; it keeps to the middle between obstacles, as the Voronoi diagram does. In its narrow places the robot
// itself is fitted in, and slides out of them along the way on both sides. What is left between is joined by trees.

import type { Deadline } from '../../core/deadline.js';
import * as pose from '../../core/pose.js';
import type { Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import type { BodyRobot } from '../../kinematics/robot/body-robot.js';
import { scaledRobot } from '../../kinematics/robot/scaled-robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { Inflation } from '../local/inflation.js';
import { LocalMotion } from '../local/local-motion.js';
import { BallSearch, type BallWay } from '../workspace/ball-search.js';
import { ClearanceMap } from '../workspace/clearance-map.js';
import type { InnerBall } from '../workspace/inner-ball.js';
import { type CenteredWay, centerWay, findPassages, type Passage } from '../workspace/passages.js';
import type { Sampler } from './grow-trees.js';
import type { RoadmapGraph } from './roadmap.js';

/** Chosen: the count of tries to fit the robot into one passage in a round. */
const TRIES = 40;

/** Chosen: the count of steps of a slide from one point of the way to the next. */
const SLIDE_STEPS = 20;

/** Chosen: how far to go straight on to leave a narrow place, in reaches of the robot. */
const LEAVING = 1.2;

/** Chosen: the most steps of that. */
const LEAVING_STEPS = 100;

/** Chosen: the share of samples near the way. */
const NEAR_WAY = 0.5;

/** A node of the roadmap at a point of the way. */
interface Station {
  readonly node: number;
  readonly at: number;
}

export class PassagePlanner {
  readonly scene: CollisionScene;
  readonly ball: InnerBall;
  /** The largest distance of a vertex from the middle of the ball. */
  readonly reach: number;
  readonly map: ClearanceMap;
  way: CenteredWay | null = null;
  readonly #robot: BodyRobot;
  /** Made when first needed: contacts of large models take long to prepare. */
  #local: LocalMotion | null = null;
  #inflation: Inflation | null = null;
  /** Of the passages being added; whether the robot slides along what it meets. */
  #slides = true;
  #deadline: Deadline | null = null;
  /** The narrow places, and the stations on both sides of each that were found. */
  #passages: { readonly passage: Passage; readonly found: Station[] }[] = [];
  /** The axes of the model's box, the longest first. */
  readonly #sides: readonly Vec3[];

  constructor(scene: CollisionScene, robot: BodyRobot, ball: InnerBall) {
    this.scene = scene;
    this.ball = ball;
    this.#robot = robot;
    this.map = new ClearanceMap(scene.obstacles);
    const { positions } = robot.links[0].model.mesh;
    let reach = 0;
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = ball.center;
      reach = Math.max(reach, Math.hypot(positions[i] - x, positions[i + 1] - y, positions[i + 2] - z));
    }
    this.reach = reach;
    const { boxMin, boxMax } = robot.links[0].model;
    const axes: Vec3[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const lengthOf = (axis: Vec3): number => axis.reduce((sum, value, k) => sum + value * (boxMax[k] - boxMin[k]), 0);
    this.#sides = axes.sort((a, b) => lengthOf(b) - lengthOf(a));
  }

  /** The way of a ball of a share of the inner one's radius. */
  findWay(start: Float64Array, goal: Float64Array, share: number, finest: number, deadline: Deadline): BallWay {
    const { bounds, axes } = this.#robot;
    const radius = share * this.ball.radius + this.scene.clearance;
    const from = this.#ballAt(start);
    const offset = Math.hypot(...this.ball.center);
    const min = bounds.min.map((value) => value - offset) as Vec3;
    const max = bounds.max.map((value) => value + offset) as Vec3;
    const moving = axes.slice(0, this.#robot.ways);
    for (let k = 0; k < 3; k++) if (!moving.includes(k)) min[k] = max[k] = from[k];
    const search = new BallSearch(this.map, {
      radius,
      min,
      max,
      axes: moving,
      comfort: this.reach + this.scene.clearance,
      finest,
      maxCells: 400_000,
    });
    return search.find(from, this.#ballAt(goal), deadline);
  }

  /** Takes the way of the ball, and finds its narrow places. */
  setWay({ points }: BallWay): void {
    const wide = this.reach + this.scene.clearance;
    this.way = centerWay(this.map, points, this.ball.radius / 2, wide);
    this.#passages = findPassages(this.way, wide).map((passage) => ({ passage, found: [] }));
  }

  /**
   * Whether the way has no narrow place between its ends, and room for every orientation of the robot along half of it: what
   * holds the robot is then something that the ball does not see, such as a wire in its loop.
   */
  get isWide(): boolean {
    if (this.#passages.length > 0) return false;
    const clearances = [...this.way!.clearances].sort((a, b) => a - b);
    return clearances[clearances.length >> 1] >= this.reach + this.scene.clearance;
  }

  /**
   * Adds what is found in the narrow places of the way to a roadmap, and joins it along the way as far as that goes
   * without sampling. Each round looks for one more way through each.
   */
  addPassages(
    roadmap: RoadmapGraph,
    start: number,
    goal: number,
    round: number,
    random: Random,
    deadline: Deadline,
  ): void {
    this.#deadline = deadline;
    const { points } = this.way!;
    // The first two rounds have tried what there is without narrow places: straight, and sliding.
    if (round > 2 && this.#passages.length === 0) return;
    this.#slides = round > 1 || !this.isWide;
    let stations: Station[] = [{ node: start, at: 0 }];
    for (const { passage, found } of this.#passages) {
      for (let i = 0; i < TRIES && found.length < 2 * round; i++) {
        if (deadline.isOver('Fitting in') || roadmap.component(start) === roadmap.component(goal)) return;
        const q = this.#fit(passage.narrowest, i, random);
        if (q === null) continue;
        const node = roadmap.add(q);
        const here: Station = { node, at: passage.narrowest };
        const [back, on] = [passage.first, passage.last].map((end) => this.#leave(roadmap, here, end));
        if (back.at > passage.first || on.at < passage.last) continue;
        found.push(back, on);
      }
      for (let i = 0; i < found.length; i += 2) {
        for (const from of stations) if (this.#travel(roadmap, from, found[i])) break;
      }
      if (found.length > 0) stations = found.filter((_, i) => i % 2 === 1);
    }
    for (const from of stations) if (this.#travel(roadmap, from, { node: goal, at: points.length - 1 })) return;
  }

  /** Samples near the way in any orientation, among samples of the whole space. */
  sampler(): Sampler {
    return (random, out) => {
      this.#robot.sample(random, out);
      if (this.way === null || random.next() > NEAR_WAY) return;
      const { points } = this.way;
      const point = points[random.integer(points.length)];
      this.#carry(out, point.map((value) => value + random.normal() * this.ball.radius) as Vec3);
    };
  }

  /**
   * Joins two stations through the wide places between them: straight, or turned to the second's orientation first, or last,
   * and along the way.
   */
  #travel(roadmap: RoadmapGraph, from: Station, to: Station): boolean {
    if (roadmap.component(from.node) === roadmap.component(to.node)) return true;
    const { scene } = this;
    const target = roadmap.nodes.at(to.node).slice();
    const start = roadmap.nodes.at(from.node).slice();
    if (scene.proves(start, target)) {
      roadmap.join(from.node, to.node);
      return true;
    }
    for (const isFirst of [true, false]) {
      const [near, far] = isFirst ? [start, target] : [target, start];
      const turned = far.slice();
      this.#carry(turned, this.#ballAt(near));
      if (!scene.isFree(turned) || !scene.proves(near, turned)) continue;
      const [own, other] = isFirst ? [from, to] : [to, from];
      const node = roadmap.addWay(own.node, [turned]);
      const end = this.#follow(roadmap, { node, at: own.at }, other.at, false);
      if (!scene.proves(roadmap.nodes.at(end.node), far)) continue;
      roadmap.join(end.node, other.node);
      return true;
    }
    return false;
  }

  /**
   * A configuration in which the robot fits into the way at a point; null if none is found. Most trials begin with one of its
   * longer sides along the way, others in any orientation.
   */
  #fit(at: number, trial: number, random: Random): Float64Array | null {
    this.#inflation ??= new Inflation(
      this.scene,
      (scale) => scaledRobot(this.#robot, this.ball.center, scale),
      this.#isOver,
    );
    const q = new Float64Array(this.scene.size);
    this.#robot.sample(random, q);
    const side = this.#sides[[0, 0, 1, 3][trial % 4]];
    if (side !== undefined) {
      const t = this.way!.tangents[at];
      const axis = pose.transformVector(this.scene.posesAt(q), side);
      const isAlong = axis[0] * t[0] + axis[1] * t[1] + axis[2] * t[2] > 0;
      this.#robot.turn(q, axis, isAlong ? t : [-t[0], -t[1], -t[2]]);
    }
    this.#carry(q, this.way!.points[at]);
    this.scene.counters.samples++;
    return this.#inflation.fit(q) && this.scene.isFree(q) ? q : null;
  }

  /**
   * Leaves a narrow place: along the way to a point of it, or else straight on, since a long robot cannot turn off where the
   * way of the ball does.
   */
  #leave(roadmap: RoadmapGraph, from: Station, to: number): Station {
    const followed = this.#follow(roadmap, from, to);
    if (followed.at === to) return followed;
    const { points, tangents } = this.way!;
    const sign = Math.sign(to - from.at);
    const [middle, axis] = [points[from.at], tangents[from.at]];
    const aim = middle.map((value, k) => value + sign * LEAVING * this.reach * axis[k]) as Vec3;
    const target = new Float64Array(this.scene.size);
    this.#local ??= new LocalMotion(this.scene, this.#isOver);
    const way = this.#local.slide(roadmap.nodes.at(from.node), target, LEAVING_STEPS, (q) => {
      target.set(q);
      this.#carry(target, aim);
    });
    if (way.length === 0) return followed;
    const at = this.#ballAt(way[way.length - 1]);
    const gone = sign * (axis[0] * (at[0] - middle[0]) + axis[1] * (at[1] - middle[1]) + axis[2] * (at[2] - middle[2]));
    return gone < this.reach ? followed : { node: roadmap.addWay(from.node, way), at: to };
  }

  /**
   * Moves along the way to one of its points: straight as far as that goes, else sliding from point to point. Returns how
   * far it came.
   * @param turns whether the robot turns as the way does.
   */
  #follow(roadmap: RoadmapGraph, from: Station, to: number, turns = true): Station {
    const { points, tangents } = this.way!;
    const step = Math.sign(to - from.at);
    let { node, at } = from;
    const target = new Float64Array(this.scene.size);
    while (at !== to && !this.#deadline?.isOver('Fitting in')) {
      const q = roadmap.nodes.at(node).slice();
      const aim = (next: number, isTurned: boolean): boolean => {
        target.set(q);
        if (isTurned) this.#robot.turn(target, tangents[at], tangents[next]);
        this.#carry(target, points[next]);
        return this.scene.isFree(target) && this.scene.proves(q, target);
      };
      let skip = Math.abs(to - at);
      for (; skip > 0; skip >>= 1) {
        const next = at + step * skip;
        if (aim(next, false) || (turns && aim(next, true))) break;
      }
      if (skip > 0) {
        node = roadmap.addWay(node, [target]);
        at += step * skip;
        continue;
      }
      const slid = this.#slides ? this.#slideTo(q, target, points[at + step], turns) : null;
      if (slid === null) break;
      node = roadmap.addWay(node, slid);
      at += step;
    }
    return { node, at };
  }

  /**
   * Slides towards a configuration, or else with the ball towards a point, turning as contacts turn the robot: so it goes
   * through a thread. Null where the ball does not come near.
   */
  #slideTo(q: Float64Array, target: Float64Array, point: Vec3, turns: boolean): Float64Array[] | null {
    this.#local ??= new LocalMotion(this.scene, this.#isOver);
    const isNear = (way: readonly Float64Array[]): boolean => {
      if (way.length === 0) return false;
      const [x, y, z] = this.#ballAt(way[way.length - 1]);
      return Math.hypot(x - point[0], y - point[1], z - point[2]) <= this.ball.radius / 2;
    };
    const slid = this.#local.slide(q, target, SLIDE_STEPS);
    if (isNear(slid)) return slid;
    if (!turns) return null;
    const turning = this.#local.slide(q, target, SLIDE_STEPS, (at) => {
      target.set(at);
      this.#carry(target, point);
    });
    return isNear(turning) ? turning : null;
  }

  readonly #isOver = (): boolean => this.#deadline?.isOver('Fitting in') ?? false;

  #ballAt(q: Float64Array): Vec3 {
    const poses = this.scene.posesAt(q);
    return pose.transformPoint(poses.subarray(0, 7), this.ball.center);
  }

  /** Shifts a configuration so that the middle of the ball is at a point. */
  #carry(q: Float64Array, point: Vec3): void {
    const at = this.#ballAt(q);
    const { offset, ways, axes } = this.#robot;
    for (let k = 0; k < ways; k++) q[offset + k] += point[axes[k]] - at[axes[k]];
  }
}

// The Voronoi planner of Hoff, Culver, Keyser, Lin and Manocha (2000) for one rigid body, static and dynamic. The cheapest
// way on the graph of the obstacles' diagram is chosen, and the roadmap is built along it only; where the robot does not get
// on, the way costs more, and another one is chosen. Proofs are kept with the graph, and stay as obstacles move.

import type { Deadline } from '../../core/deadline.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { GuidedBody } from '../../kinematics/robot/guided-body.js';
import { type Certificate, Certificates } from '../../kinematics/validity/certificates.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { LocalMotion } from '../local/local-motion.js';
import type { Sampler } from '../search/grow-trees.js';
import { ClearanceMap } from '../workspace/clearance-map.js';
import { findInnerBall } from '../workspace/inner-ball.js';
import { hasRoom } from '../workspace/passages.js';
import type { Guide, GuideChange, GuideTask } from './guide.js';
import { type RaisedCosts, raiseCost, type Station } from './guide-graph.js';
import { PlaneGuide } from './plane-guide.js';
import { SpaceGuide } from './space-guide.js';
import { WaySearch } from './way-search.js';

/** Chosen: the most ways that are tried for one query. */
const MAX_WAYS = 60;

/** Chosen: the count of stations that a start or goal is joined to. */
const JOINED = 8;

/** Chosen: what a failure adds to the cost of a link, in radii of the robot; after the second one the link is cut. */
const RAISED = 30;

/** Chosen: the share of samples near the way. */
const NEAR_WAY = 0.7;

/** A path: edges that are proven. */
export type ProvenPath = readonly Certificate[];

export class VoronoiSearch {
  readonly task: GuideTask;
  readonly guide: Guide;
  readonly certificates: Certificates;
  /** Ways tried by the last query. */
  waysTried = 0;
  readonly #search: WaySearch;
  #local: LocalMotion | null = null;
  /** Of the last query. */
  #deadline: Deadline | null = null;
  /** The first way that the last query tried. */
  #way: readonly Vec3[] = [];

  /**
   * @param progress watches and stops the making of the diagram in space.
   * @throws NearfieldError `unsupported` for several robots, and for chains.
   */
  constructor(scene: CollisionScene, progress: ProgressOptions = {}) {
    const robot = scene.robots.length === 1 ? scene.robots[0].body : null;
    if (robot === null) {
      throw new NearfieldError('unsupported', 'The planner voronoi is for one rigid or planar robot; give auto.');
    }
    const body = new GuidedBody(robot, scene.size);
    const ball = findInnerBall(robot.links[0].model);
    // Flat and open bodies have next to no ball.
    const grain = Math.max(ball?.radius ?? 0, 0.5 * body.halfWidth, 0.02 * body.radius);
    this.task = { scene, body, ball, grain, map: new ClearanceMap(scene.obstacles) };
    this.guide = robot.ways === 2 ? new PlaneGuide(this.task) : new SpaceGuide(this.task, progress);
    this.certificates = new Certificates(scene);
    this.#search = new WaySearch(this.task, this.certificates, () => {
      this.#local ??= new LocalMotion(scene, () => this.#deadline?.isOver('Following a way') ?? false);
      return this.#local;
    });
  }

  /** Follows an obstacle whose pose in the scene has changed. */
  obstacleMoved(index: number): GuideChange {
    this.task.map.update(index);
    this.certificates.obstacleMoved(index);
    return this.guide.obstacleMoved(index);
  }

  /** A path between free configurations; null when all ways have been tried, or the time is over. */
  findPath(start: Float64Array, goal: Float64Array, deadline: Deadline): ProvenPath | null {
    this.waysTried = 0;
    this.#deadline = deadline;
    const direct = this.certificates.make(start, goal);
    if (direct.isFree) return [direct];
    const from = this.#enter(start);
    const to = this.#enter(goal);
    try {
      return this.#followWays(from, to, start, goal, deadline);
    } finally {
      this.guide.graph.remove(to);
      this.guide.graph.remove(from);
    }
  }

  /** Samples near the way that the last query tried first, in any orientation, among samples of the whole space. */
  sampler(): Sampler {
    const { body } = this.task;
    const way = this.#way;
    return (random: Random, out: Float64Array) => {
      body.robot.sample(random, out);
      if (way.length === 0 || random.next() > NEAR_WAY) return;
      const point = way[random.integer(way.length)];
      const near = point.map((value) => value + random.normal() * 0.5 * body.radius) as Vec3;
      out.set(body.place(near, body.orientationOf(out)));
    };
  }

  #followWays(
    from: Station,
    to: Station,
    start: Float64Array,
    goal: Float64Array,
    deadline: Deadline,
  ): ProvenPath | null {
    const raised: RaisedCosts = new Map();
    this.#way = [];
    while (this.waysTried < MAX_WAYS && !deadline.isOver('Following ways')) {
      const way = this.guide.graph.findWay(from, to, raised);
      if (way === null) return null;
      const fine = this.guide.refine(way);
      if (this.waysTried++ === 0) this.#way = fine.map(({ point }) => point);
      // First the body along the way all the time; where that fails, all orientations are searched.
      const aligned = this.prove(this.#search.alignedPath(fine, start, goal));
      if (aligned !== null) return aligned;
      const { path, reached } = this.#search.search(fine, start, goal, deadline);
      const proven = path === null ? null : this.prove(path);
      if (proven !== null) return proven;
      const blocked = nearestLink(
        way,
        fine[Math.min(reached, fine.length - 2)],
        fine[Math.min(reached + 1, fine.length - 1)],
      );
      const [a, b] = [way[blocked], way[blocked + 1]];
      const isSecond = raised.get(a)?.has(b) ?? false;
      raiseCost(raised, a, b, isSecond ? Infinity : RAISED * this.task.body.radius);
    }
    return null;
  }

  /** Proves a path, leaving out configurations where longer edges are free; null if an edge is not. */
  prove(path: readonly Float64Array[]): Certificate[] | null {
    const proven: Certificate[] = [];
    for (let at = 0; at < path.length - 1; ) {
      let skip = path.length - 1 - at;
      let edge: Certificate;
      for (;;) {
        edge = this.certificates.make(path[at], path[at + skip]);
        if (edge.isFree) break;
        if (skip === 1) return null;
        skip >>= 1;
      }
      proven.push(edge);
      at += skip;
    }
    return proven;
  }

  /** Adds a place to the graph: joined to the nearest stations that are seen from it, and to other places added. */
  #enter(q: Float64Array): Station {
    const { graph } = this.guide;
    const { body, map, grain } = this.task;
    const point = body.anchorAt(q);
    const room = map.at(point);
    const least = Math.max(1e-3 * grain, Math.min(0.3 * grain, 0.5 * room));
    let seen = graph.nearest(point, JOINED, (other) =>
      hasRoom(map, other.point, point, Math.min(least, 0.5 * other.room)),
    );
    // The anchor of a bent robot may be where there is no room.
    if (seen.length === 0) seen = graph.nearest(point, JOINED, () => true);
    const station = graph.add(point, Math.max(room, 0.1 * grain));
    for (const other of seen) graph.join(station, other);
    return station;
  }
}

/** The link of a way that is nearest to a step of its finer version. */
function nearestLink(way: readonly Station[], a: Station, b: Station): number {
  const middle = vec3.lerp(a.point, b.point, 0.5);
  let [best, least] = [0, Infinity];
  for (let i = 0; i + 1 < way.length; i++) {
    if (way[i] === a && way[i + 1] === b) return i;
    const distance = vec3.distance(vec3.lerp(way[i].point, way[i + 1].point, 0.5), middle);
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

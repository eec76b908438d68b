// The hybrid planner for one chain (after Foskey, Garber, Lin and Manocha 2001). The graph of the obstacles' Voronoi diagram gives the
// estimated path of the tool; inverse kinematics makes configurations along it; where these do not join, trees with samples near
// that stretch bridge it. Where nothing does, the way costs more there, and the next cheapest one is followed.

import type { Deadline } from '../../core/deadline.js';
import type { Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { GuideShape, GuideTask } from '../guide/guide.js';
import { type RaisedCosts, raiseCost, type Station } from '../guide/guide-graph.js';
import { SpaceGuide } from '../guide/space-guide.js';
import { growTrees, type Sampler } from '../search/grow-trees.js';
import type { RoadmapGraph } from '../search/roadmap.js';
import { ClearanceMap } from '../workspace/clearance-map.js';
import { findInnerBall } from '../workspace/inner-ball.js';
import { ChainWay, type WayPlace } from './chain-way.js';
import { alongSlot, GuidedChain } from './guided-chain.js';

/** Chosen: the most ways that are followed in one round. */
const MAX_WAYS = 12;

/** Chosen: the count of stations that a start or goal is joined to. */
const JOINED = 12;

/**
 * Chosen: what a failure adds to the cost of a link, in radii of the tool; each further failure adds twice as much.
 */
const RAISED = 20;

/** Chosen: the most points of a way that one step skips. */
const LONGEST_STEP = 16;

/** Chosen: the most points of an invalid stretch that trees try to bridge. */
const LONGEST_STRETCH = 10;

/** Chosen: the count of configurations from which a way is followed at a time. */
const FRONT = 4;

/** Chosen: the count of samples of the trees that bridge a stretch. */
const BRIDGE_TURNS = 30;

/** Chosen: how far these samples spread, in sizes of the tool. */
const SPREAD = 0.25;

/** Chosen: the share of samples near the way in trees that bridge a stretch. */
const NEAR_STRETCH = 0.8;

/** Chosen: the share of samples near the way in trees over the whole space. */
const NEAR_WAY = 0.5;

/** Where a way was left: the nodes that it was followed to, and the point of it. */
interface Front {
  readonly nodes: readonly number[];
  readonly at: number;
}

export class ChainSearch {
  readonly body: GuidedChain;
  readonly guide: SpaceGuide;
  readonly map: ClearanceMap;
  readonly #scene: CollisionScene;
  readonly #random: Random;
  readonly #raised: RaisedCosts = new Map();
  readonly #ways: ChainWay;
  /** The points of the last way. */
  #way: readonly Vec3[] = [];

  constructor(scene: CollisionScene, robot: ChainRobot, random: Random) {
    this.#scene = scene;
    this.#random = random;
    this.body = new GuidedChain(scene, robot, random);
    this.map = new ClearanceMap(scene.obstacles);
    const ball = findInnerBall(robot.links[this.body.link].model);
    const grain = Math.max(ball?.radius ?? 0, 0.5 * this.body.halfWidth, 0.02 * this.body.radius);
    const task: GuideTask<GuideShape> = { scene, body: this.body, ball, grain, map: this.map };
    this.guide = new SpaceGuide(task);
    this.#ways = new ChainWay(scene, this.body, this.map);
  }

  /** Follows ways until start and goal are joined in the roadmap; false when some were followed in vain, or time is over. */
  join(roadmap: RoadmapGraph, start: number, goal: number, deadline: Deadline): boolean {
    const { graph } = this.guide;
    const [from, to] = [start, goal].map((node): WayPlace => {
      const q = roadmap.nodes.at(node).slice();
      return { station: this.#enter(q), q };
    });
    try {
      for (let i = 0; i < MAX_WAYS && !deadline.isOver('Following ways'); i++) {
        const way = this.#ways.find(from, to, this.#raised, deadline);
        if (way === null) return false;
        this.#way = way.map(({ q }) => this.body.anchorAt(q));
        const reached = this.#follow(roadmap, way, start, goal, deadline);
        if (roadmap.component(start) === roadmap.component(goal)) return true;
        this.#raise(way, reached);
      }
      return false;
    } finally {
      graph.remove(to.station);
      graph.remove(from.station);
    }
  }

  /** Samples near the last way among samples of the whole space. */
  sampler(): Sampler {
    return this.#nearPoints(this.#way, NEAR_WAY);
  }

  /** Follows a way with front after front of configurations; returns the point where that ended. */
  #follow(roadmap: RoadmapGraph, way: readonly WayPlace[], start: number, goal: number, deadline: Deadline): number {
    const end = way.length - 1;
    const ends = [start, goal].map((node) => this.body.longAt(roadmap.nodes.at(node)));
    let front: Front = { nodes: [start], at: 0 };
    let skip = 1;
    while (front.at < end && !deadline.isOver('Following ways')) {
      const straight = this.#stride(roadmap, way, front, skip, goal);
      skip = straight === null ? 1 : Math.min(LONGEST_STEP, 2 * (straight.at - front.at));
      const next =
        straight ?? this.#step(roadmap, way, front, ends) ?? this.#bridge(roadmap, way, front, ends, deadline);
      if (next === null) return front.at;
      front = next;
      if (front.nodes[0] === goal) return end;
      if (this.#joinGoal(roadmap, front, goal)) return end;
    }
    const last = front.nodes[front.nodes.length - 1];
    const sample = this.#nearPoints(this.#way.slice(-LONGEST_STRETCH), NEAR_STRETCH);
    growTrees(this.#scene, roadmap, [last, goal], this.#random, deadline, sample, 4 * BRIDGE_TURNS);
    return Math.max(0, end - 1);
  }

  /** The longest step along the way, to one of its own configurations, that is proven; null if none is. */
  #stride(roadmap: RoadmapGraph, way: readonly WayPlace[], front: Front, most: number, goal: number): Front | null {
    const end = way.length - 1;
    for (let skip = Math.min(most, end - front.at); skip > 0; skip >>= 1) {
      const at = front.at + skip;
      const from = front.nodes.find((node) => this.#scene.proves(roadmap.nodes.at(node), way[at].q));
      if (from === undefined) continue;
      if (at < end) return { nodes: [roadmap.addWay(from, [way[at].q])], at };
      roadmap.join(from, goal);
      return { nodes: [goal], at };
    }
    return null;
  }

  /** The longest step along the way that is proven; null if none is. */
  #step(roadmap: RoadmapGraph, way: readonly WayPlace[], front: Front, ends: readonly Vec3[]): Front | null {
    for (let skip = Math.min(LONGEST_STEP, way.length - 1 - front.at); skip > 0; skip >>= 1) {
      const at = front.at + skip;
      const nodes = this.#addJoined(
        roadmap,
        front.nodes,
        this.#candidatesAt(roadmap, way, at, front.nodes, ends, false),
      );
      if (nodes.length > 0) return { nodes, at };
    }
    return null;
  }

  /** Adds configurations that a proven edge leads to from a front, or from each other; returns their nodes. */
  #addJoined(roadmap: RoadmapGraph, front: readonly number[], candidates: readonly Float64Array[]): number[] {
    const nodes: number[] = [];
    let waiting = [...candidates];
    for (let isGrown = true; isGrown && waiting.length > 0; ) {
      isGrown = false;
      const left: Float64Array[] = [];
      for (const q of waiting) {
        const from = [...nodes, ...front].find((node) => this.#scene.proves(roadmap.nodes.at(node), q));
        if (from === undefined) left.push(q);
        else {
          nodes.push(roadmap.addWay(from, [q]));
          isGrown = true;
        }
      }
      // Without a first one there are no new nodes to try from.
      if (nodes.length === 0) break;
      waiting = left;
    }
    return nodes.slice(0, FRONT);
  }

  /** Bridges an invalid stretch by trees to the first configurations behind it that are free. */
  #bridge(
    roadmap: RoadmapGraph,
    way: readonly WayPlace[],
    front: Front,
    ends: readonly Vec3[],
    deadline: Deadline,
  ): Front | null {
    const last = Math.min(way.length - 1, front.at + LONGEST_STRETCH);
    for (let at = front.at + 1; at <= last; at++) {
      const [q] = this.#candidatesAt(roadmap, way, at, front.nodes, ends, true);
      if (q === undefined) continue;
      const node = roadmap.add(q);
      const sample = this.#nearPoints(this.#way.slice(Math.max(0, front.at - 3), at + 4), NEAR_STRETCH);
      if (growTrees(this.#scene, roadmap, [front.nodes[0], node], this.#random, deadline, sample, BRIDGE_TURNS)) {
        return { nodes: [node], at };
      }
      return null;
    }
    return null;
  }

  #joinGoal(roadmap: RoadmapGraph, front: Front, goal: number): boolean {
    const target = roadmap.nodes.at(goal);
    const from = front.nodes.find((node) => this.#scene.proves(roadmap.nodes.at(node), target));
    if (from === undefined) return false;
    roadmap.join(from, goal);
    return true;
  }

  #candidatesAt(
    roadmap: RoadmapGraph,
    way: readonly WayPlace[],
    at: number,
    nodes: readonly number[],
    ends: readonly Vec3[],
    withRandom: boolean,
  ): Float64Array[] {
    const points = this.#way;
    const gap = vec3.subtract(points[Math.min(points.length - 1, at + 1)], points[Math.max(0, at - 1)]);
    const tangent: Vec3 = vec3.length(gap) > 0 ? vec3.normalize(gap) : [0, 0, 1];
    const slot = alongSlot(tangent, this.#narrowAt(points[at], tangent));
    const directions = [tangent, ...(slot === null ? [] : [slot]), ...ends];
    const from = [way[at].q, ...nodes.map((node) => roadmap.nodes.at(node).slice())];
    return this.body.candidates(points[at], from, directions, withRandom ? this.#random : null);
  }

  /** The direction across a way in which there is the least room, on both sides together. */
  #narrowAt(point: Readonly<Vec3>, along: Vec3): Vec3 {
    const u = vec3.normalize(vec3.perpendicular(along));
    const v = vec3.cross(along, u);
    const reach = 0.7 * Math.min(Math.max(0, this.map.at([...point])), this.body.radius);
    let [best, least] = [u, Infinity];
    for (let i = 0; i < 8; i++) {
      const angle = (Math.PI * i) / 8;
      const d = vec3.addScaled(vec3.scale(u, Math.cos(angle)), v, Math.sin(angle));
      const room = this.map.at(vec3.addScaled(point, d, reach)) + this.map.at(vec3.addScaled(point, d, -reach));
      if (room < least) [best, least] = [d, room];
    }
    return best;
  }

  /** Samples with the tool near one of some points, from random joint values, among samples of the whole space. */
  #nearPoints(points: readonly Vec3[], share: number): Sampler {
    const { body } = this;
    return (random, out) => {
      body.robot.sample(random, out);
      if (points.length === 0 || random.next() > share) return;
      const point = points[random.integer(points.length)];
      const near = point.map((value) => value + random.normal() * SPREAD * body.radius) as Vec3;
      const q = body.reach(out, near, null);
      if (q !== null) out.set(q);
    };
  }

  /** Makes the link of a way where it ended, and those beside it, cost more. */
  #raise(way: readonly WayPlace[], reached: number): void {
    const at = Math.min(reached, way.length - 2);
    const [a, b] = [way[at].station, way[at + 1].station];
    const before = this.#raised.get(a)?.get(b) ?? 0;
    raiseCost(this.#raised, a, b, before + RAISED * this.body.radius);
    for (const station of [a, b]) {
      for (const { to } of station.links) {
        if (to !== a && to !== b) raiseCost(this.#raised, station, to, before + (RAISED / 2) * this.body.radius);
      }
    }
  }

  /** Adds a place to the graph: joined to the nearest stations. */
  #enter(q: Float64Array): Station {
    const { graph } = this.guide;
    const point = this.body.anchorAt(q);
    const seen = graph.nearest(point, JOINED, () => true);
    const station = graph.add(point, Math.max(this.map.at(point), 0.1 * this.body.halfWidth));
    for (const other of seen) graph.join(station, other);
    return station;
  }
}

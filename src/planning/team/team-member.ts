// One robot of a team: its way alone, and a roadmap around it on which it gives way to others.
import type { Random } from '../../core/random.js';
import type { Robot } from '../../kinematics/robot/robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Sampler } from '../search/grow-trees.js';
import { TimedRoadmap } from '../time/timed-roadmap.js';
import type { TeamScenes } from './team-scenes.js';
import { Track, timeOf } from './track.js';
import { TrackTraffic } from './track-traffic.js';

/** Chosen: without a horizon, a robot looks at this count of crossings of its space after all others have arrived. */
const PATIENCE = 20;

/** Chosen: the count of parts of the way alone; a robot can wait at their ends. */
const PARTS = 16;

/** Chosen: the share of samples on and near the way alone, in trees of several robots. */
const NEAR_WAY = 0.4;

/** How a robot is to move. */
export interface Pace {
  /** Divides its speed; at least 1. */
  readonly slower: number;
  /** The time before which it does not leave its start. */
  readonly delay: number;
}

export const AT_ONCE: Pace = { slower: 1, delay: 0 };

export class TeamMember {
  readonly index: number;
  /** The motion alone, with nothing of other robots. */
  readonly alone: Track;
  readonly #scenes: TeamScenes;
  readonly #scene: CollisionScene;
  readonly #robot: Robot;
  readonly #way: readonly Float64Array[];
  readonly #roadmap: TimedRoadmap;
  readonly #from: number;
  readonly #to: number;
  #hasWay = false;

  /** @param way alone, from start to goal; configurations end with their times. */
  constructor(scenes: TeamScenes, index: number, way: readonly Float64Array[]) {
    this.index = index;
    this.#scenes = scenes;
    this.#scene = scenes.alone[index];
    this.#robot = scenes.joint.robots[index];
    this.#way = way;
    this.alone = new Track(index, this.#robot, way, scenes.boxes[index]);
    const limits = scenes.limits([index]);
    this.#roadmap = new TimedRoadmap(this.#scene, new TrackTraffic(scenes, index, [], 0), limits);
    this.#from = this.#roadmap.add(way[0]);
    this.#to = this.#roadmap.add(way[way.length - 1]);
  }

  get start(): Float64Array {
    return this.#way[0];
  }

  get goal(): Float64Array {
    return this.#way[this.#way.length - 1];
  }

  /** A motion that avoids tracks of others, and stays at the goal until a time; null if none is found. */
  planAmong(tracks: readonly Track[], { slower, delay }: Pace, until: number, isOver: () => boolean): Track | null {
    const scenes = this.#scenes;
    const limits = scenes.limits([this.index], slower);
    const traffic = new TrackTraffic(scenes, this.index, tracks, delay + PATIENCE * limits.crossing);
    const last = Math.max(until, ...tracks.map(({ arrival }) => arrival));
    const own = this.#wayAlone(slower, delay);
    if (own.arrival <= scenes.horizon && isTrackClear(own, traffic, Math.max(last, own.arrival))) return own;
    this.#addWay();
    this.#roadmap.setTraffic(traffic, limits);
    const path = this.#roadmap.search(this.#from, this.#to, isOver, { until: last, after: delay });
    return path === null ? null : new Track(this.index, this.#robot, path, scenes.boxes[this.index]);
  }

  /** Adds free samples to the roadmap: all over space, upright as on the way, and near the way. */
  addSamples(count: number, random: Random): void {
    this.#addWay();
    const { counters } = this.#scene;
    for (let i = 0; i < count; i++) {
      const q = new Float64Array(this.#scenes.size);
      if (i % 4 === 3) this.#sampleNearWay(random, q);
      else {
        this.#robot.sample(random, q);
        if (i % 4 < 2) this.#turnAsOnWay(random, q);
      }
      counters.samples++;
      if (this.#scene.isFree(q)) this.#roadmap.add(q);
    }
  }

  /** Samples for trees of several robots. */
  readonly sample: Sampler = (random, out) => {
    if (random.next() < NEAR_WAY) this.#sampleNearWay(random, out);
    else this.#robot.sample(random, out);
  };

  /** The way alone at another pace. */
  #wayAlone(slower: number, delay: number): Track {
    if (slower === 1 && delay === 0) return this.alone;
    const first = this.#way[0].slice();
    const moved = this.#way.map((q) => {
      const later = q.slice();
      later[later.length - 1] = delay + slower * timeOf(q);
      return later;
    });
    return new Track(this.index, this.#robot, [first, ...moved], this.#scenes.boxes[this.index]);
  }

  #addWay(): void {
    if (this.#hasWay) return;
    this.#hasWay = true;
    const { alone } = this;
    const nodes = [this.start];
    for (let k = 1; k <= PARTS; k++) {
      const time = (alone.arrival * k) / PARTS;
      const q = new Float64Array(this.#scenes.size);
      alone.write(alone.pieceAt(time), time, q);
      for (const [i, at] of alone.times.entries()) {
        if (at > (alone.arrival * (k - 1)) / PARTS && at < time) nodes.push(alone.waypoints[i]);
      }
      nodes.push(q);
    }
    this.#roadmap.addPath(nodes, this.#from, this.#to);
  }

  #sampleNearWay(random: Random, out: Float64Array): void {
    const time = random.range(0, this.alone.arrival);
    this.#robot.sample(random, out);
    const on = new Float64Array(this.#scenes.size);
    this.alone.write(this.alone.pieceAt(time), time, on);
    this.#robot.interpolate(on, out, random.next() ** 2 / 2, out);
  }

  /** Gives a body an orientation that it has on its way. */
  #turnAsOnWay(random: Random, out: Float64Array): void {
    const { body } = this.#robot;
    if (body === null) return;
    const time = random.range(0, this.alone.arrival);
    const on = new Float64Array(this.#scenes.size);
    this.alone.write(this.alone.pieceAt(time), time, on);
    for (let k = body.offset + body.ways; k < body.offset + body.size; k++) out[k] = on[k];
  }
}

/** Whether a track keeps away from what moves, until a time after its arrival. */
export function isTrackClear({ waypoints, arrival }: Track, traffic: TrackTraffic, until: number): boolean {
  for (let i = 1; i < waypoints.length; i++) if (!traffic.isClear(waypoints[i - 1], waypoints[i])) return false;
  if (!(until > arrival)) return true;
  const [from, to] = [waypoints[waypoints.length - 1], waypoints[waypoints.length - 1].slice()];
  to[to.length - 1] = until;
  return traffic.isClear(from, to);
}

// What one robot has to avoid in time: robots that follow their tracks, and obstacles that move. Every answer is a proof by the
// edges of the pair, piece by piece of a track; boxes tell most pieces apart.
import { BOX } from '../roadmap/swept-box.js';
import { findSafeIntervals, type SafeInterval } from '../time/safe-intervals.js';
import type { Traffic } from '../time/timed-roadmap.js';
import type { TeamScenes } from './team-scenes.js';
import { type Track, timeOf } from './track.js';

/**
 * Chosen: a time in which a place is blocked is longer by this share at both ends, so that robots do not leave at the
 * last moment.
 */
const BLOCKED_MARGIN = 0.01;

/** Chosen: intervals shorter than this share of the time until all is quiet are left out. */
const SHORTEST = 1e-6;

export class TrackTraffic implements Traffic {
  readonly size: number;
  readonly quiet: number;
  /** The end of the time that is looked at. */
  readonly horizon: number;
  readonly #scenes: TeamScenes;
  readonly #robot: number;
  readonly #tracks: readonly Track[];
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  readonly #boxA = new Float64Array(BOX);
  readonly #boxB = new Float64Array(BOX);
  readonly #box = new Float64Array(BOX);

  /** @param patience the time that is looked at after the last track has ended, where there is no horizon. */
  constructor(scenes: TeamScenes, robot: number, tracks: readonly Track[], patience: number) {
    this.#scenes = scenes;
    this.#robot = robot;
    this.#tracks = tracks.filter((track) => track.robot !== robot);
    this.size = scenes.size;
    this.#a = new Float64Array(this.size);
    this.#b = new Float64Array(this.size);
    const cuts = scenes.moving(robot)?.clock.cutTimes ?? [];
    this.quiet = Math.max(0, cuts[cuts.length - 1] ?? 0, ...this.#tracks.map(({ arrival }) => arrival));
    this.horizon = Math.min(scenes.horizon, this.quiet + patience);
  }

  isClear(a: Float64Array, b: Float64Array): boolean {
    const scenes = this.#scenes;
    const moving = scenes.moving(this.#robot);
    if (moving !== null && !moving.scene.proves(a, b)) return false;
    const boxes = scenes.boxes[this.#robot];
    boxes.ofConfiguration(a, this.#boxA);
    boxes.ofConfiguration(b, this.#boxB);
    boxes.ofEdge(a, b, this.#boxA, this.#boxB, this.#box);
    return this.#tracks.every((track) => this.#isClearOf(track, a, b));
  }

  safeIntervals(q: Float64Array): readonly SafeInterval[] {
    const { scenes, robot } = { scenes: this.#scenes, robot: this.#robot };
    scenes.boxes[robot].ofConfiguration(q, this.#box);
    const blocked = this.#tracks.flatMap((track) => this.#blockedBy(track, q));
    const moving = scenes.moving(robot);
    if (moving !== null) {
      let last = 0;
      for (const { start, end } of findSafeIntervals(moving.scene, moving.clock, q, scenes.isOver)) {
        if (start > last) blocked.push({ start: last, end: start });
        last = end;
      }
      if (last < this.horizon) blocked.push({ start: last, end: Infinity });
    }
    blocked.sort((a, b) => a.start - b.start);
    const free: SafeInterval[] = [];
    let from = 0;
    const put = (end: number): void => {
      if (end - from > SHORTEST * this.horizon) free.push({ start: from, end });
    };
    for (const { start, end } of blocked) {
      put(Math.min(start, this.horizon));
      from = Math.max(from, end);
    }
    put(this.horizon);
    return free;
  }

  /** The edge has its box in #box. */
  #isClearOf(track: Track, a: Float64Array, b: Float64Array): boolean {
    const { clearance, robots } = this.#scenes.joint;
    const own = robots[this.#robot];
    const [start, end] = [timeOf(a), timeOf(b)];
    for (let piece = track.pieceAt(start); piece < track.pieceCount && track.times[piece] < end; piece++) {
      if (track.staysFar(piece, this.#box, clearance)) continue;
      const from = Math.max(start, track.times[piece]);
      const to = Math.min(end, track.endOf(piece));
      if (!(to > from)) continue;
      own.interpolate(a, b, (from - start) / (end - start), this.#a);
      own.interpolate(a, b, (to - start) / (end - start), this.#b);
      track.write(piece, from, this.#a);
      track.write(piece, to, this.#b);
      if (!this.#scenes.pair(this.#robot, track.robot).proves(this.#a, this.#b)) return false;
    }
    return true;
  }

  /** When a track comes near a place, whose box is in #box. */
  #blockedBy(track: Track, q: Float64Array): SafeInterval[] {
    const { joint } = this.#scenes;
    const pair = this.#scenes.pair(this.#robot, track.robot);
    const own = joint.robots[this.#robot];
    const blocked: SafeInterval[] = [];
    const [a, b] = [this.#a, this.#b];
    own.interpolate(q, q, 0, a);
    own.interpolate(q, q, 0, b);
    for (let piece = 0; piece < track.pieceCount; piece++) {
      if (track.staysFar(piece, this.#box, joint.clearance)) continue;
      const [from, to] = [track.times[piece], track.endOf(piece)];
      track.write(piece, from, a);
      if (to === Infinity) {
        if (!pair.isFree(a)) blocked.push({ start: from, end: Infinity });
        continue;
      }
      track.write(piece, to, b);
      const length = to - from;
      const [isFreeFirst, isFreeLast] = [pair.isFree(a), pair.isFree(b)];
      const first = isFreeFirst ? pair.advance(a, b) : 0;
      if (first === 1) continue;
      const last = isFreeLast ? pair.advance(b, a) : 0;
      const margin = BLOCKED_MARGIN * length;
      blocked.push({ start: from + first * length - margin, end: to - last * length + margin });
    }
    return blocked;
  }
}

// Leads a robot along a way of the guide. States are stations of the way times orientations: a fixed set, those of start and
// goal, and the body turned along the passage. Steps are tested when the search comes to them: by the field where that
// decides, else exactly. Where nothing goes on, the robot slides along what it meets.

import type { Deadline } from '../../core/deadline.js';
import { growTo } from '../../core/grow-array.js';
import { IndexedHeap } from '../../core/heap.js';
import * as vec3 from '../../core/vec3.js';
import type { Orientation } from '../../kinematics/robot/guided-body.js';
import type { Certificates } from '../../kinematics/validity/certificates.js';
import type { LocalMotion } from '../local/local-motion.js';
import type { GuideTask } from './guide.js';
import type { Station } from './guide-graph.js';
import { WayOrientations } from './way-orientations.js';

/** Chosen: the count of rounds of slides where the search ends. */
const SLIDE_ROUNDS = 6;

/** Chosen: the count of slides in a round. */
const SLIDES = 4;

/** Chosen: the count of steps of a slide. */
const SLIDE_STEPS = 16;

/** Chosen: the cost of turning, as a share of the way of the farthest point. */
const TURN_COST = 0.5;

/** Chosen: the rest of the way counts more than what is behind by this factor: the first path is shortened anyway. */
const HASTE = 1.5;

/** What a search along a way found. */
export interface FollowedWay {
  /** Configurations from start to goal; null without a path. Edges between them are not all tested. */
  readonly path: Float64Array[] | null;
  /** The last station of the way that was reached. */
  readonly reached: number;
}

/** A configuration that was slid to, and those on the way there. */
interface Slid {
  readonly at: number;
  readonly q: Float64Array;
  readonly via: readonly Float64Array[];
}

export class WaySearch {
  readonly #task: GuideTask;
  readonly #certificates: Certificates;
  readonly #local: () => LocalMotion;
  readonly #turns: readonly Orientation[];
  #way: readonly Station[] = [];
  #rest: Float64Array = new Float64Array(0);
  #orientations!: WayOrientations;
  /** By state, which is station · width + orientation, or a slid one after all of these: its last step, −1 if not reached. */
  #reachedBy = new Int32Array(0);
  readonly #placed = new Map<number, Float64Array>();
  #slid: Slid[] = [];
  /** Steps: the state that it leads to, the step before, and the cost so far. */
  #stepStates = new Int32Array(256);
  #stepsBefore = new Int32Array(256);
  #stepCosts = new Float64Array(256);
  #stepCount = 0;
  readonly #heap = new IndexedHeap();

  constructor(task: GuideTask, certificates: Certificates, local: () => LocalMotion) {
    this.#task = task;
    this.#certificates = certificates;
    this.#local = local;
    this.#turns = task.body.turns();
  }

  /** @param way stations; start and goal have their anchors at the first and the last one. */
  search(way: readonly Station[], start: Float64Array, goal: Float64Array, deadline: Deadline): FollowedWay {
    const { body } = this.#task;
    this.#way = way;
    this.#rest = costsToGo(way);
    const ends = [body.orientationOf(start), body.orientationOf(goal)];
    this.#orientations = new WayOrientations(this.#task, way, [...this.#turns, ...ends], SLIDE_ROUNDS * SLIDES);
    const { width } = this.#orientations;
    const last = way.length - 1;
    this.#reachedBy = growTo(this.#reachedBy, way.length * width + SLIDE_ROUNDS * SLIDES);
    this.#reachedBy.fill(-1);
    this.#placed.clear();
    this.#slid = [];
    this.#stepCount = 0;
    this.#heap.clear();
    const from = this.#turns.length;
    this.#placed.set(from, start);
    this.#placed.set(last * width + from + 1, goal);
    const barrier = this.#findBarrier();
    if (barrier > 0) return { path: null, reached: barrier - 1 };
    this.#push(from, -1, 0);
    let reached = 0;
    for (let round = 0; round < SLIDE_ROUNDS; round++) {
      for (let tested = 0; this.#heap.size > 0; tested++) {
        const step = this.#heap.pop();
        const state = this.#stepStates[step];
        if (this.#reachedBy[state] >= 0 || !this.#isOpen(state, this.#stepsBefore[step])) continue;
        this.#reachedBy[state] = step;
        reached = Math.max(reached, this.#stationOf(state));
        if (state === last * width + from + 1) return { path: this.#pathTo(step), reached };
        if (tested % 16 === 15 && deadline.isOver('Following a way')) return { path: null, reached };
        this.#expand(step);
      }
      if (reached === last || deadline.isOver('Following a way') || !this.#slideOn(reached)) break;
    }
    return { path: null, reached };
  }

  /** The path with the body turned along the way all the time, as the field orients it. */
  alignedPath(way: readonly Station[], start: Float64Array, goal: Float64Array): Float64Array[] {
    const { body } = this.#task;
    this.#way = way;
    const orientations = new WayOrientations(this.#task, way, [], 0);
    const path = [start];
    let last = body.orientationOf(start);
    for (let at = 0; at < way.length; at++) {
      const aligned = orientations.nearestAlignment(at, last);
      if (aligned < 0) continue;
      last = orientations.get(at, aligned);
      path.push(body.place(way[at].point, last));
    }
    path.push(goal);
    return path;
  }

  #stationOf(state: number): number {
    const placed = this.#way.length * this.#orientations.width;
    return state < placed ? Math.floor(state / this.#orientations.width) : this.#slid[state - placed].at;
  }

  /** The orientation of a state, by number; that of a slid one is kept for it. */
  #turnOf(state: number): number {
    const { width } = this.#orientations;
    const placed = this.#way.length * width;
    return state < placed ? state % width : this.#orientations.firstSlid + state - placed;
  }

  #configurationOf(state: number): Float64Array {
    const placed = this.#way.length * this.#orientations.width;
    if (state >= placed) return this.#slid[state - placed].q;
    let q = this.#placed.get(state);
    if (q === undefined) {
      const at = this.#stationOf(state);
      q = this.#task.body.place(this.#way[at].point, this.#orientations.get(at, this.#turnOf(state)));
      this.#placed.set(state, q);
    }
    return q;
  }

  #push(state: number, before: number, cost: number): void {
    if (this.#reachedBy[state] >= 0) return;
    const step = this.#stepCount++;
    this.#stepStates = growTo(this.#stepStates, this.#stepCount);
    this.#stepsBefore = growTo(this.#stepsBefore, this.#stepCount);
    this.#stepCosts = growTo(this.#stepCosts, this.#stepCount);
    this.#stepStates[step] = state;
    this.#stepsBefore[step] = before;
    this.#stepCosts[step] = cost;
    this.#heap.set(step, cost + HASTE * this.#rest[this.#stationOf(state)]);
  }

  #expand(step: number): void {
    const state = this.#stepStates[step];
    const [at, turn] = [this.#stationOf(state), this.#turnOf(state)];
    const orientations = this.#orientations;
    const { width } = orientations;
    const cost = this.#stepCosts[step];
    const orientation = orientations.get(at, turn);
    for (const next of [at + 1, at - 1]) {
      if (next < 0 || next >= this.#way.length) continue;
      const moved = cost + Math.abs(this.#rest[at] - this.#rest[next]);
      if (!orientations.isAlignment(turn)) this.#push(next * width + turn, step, moved);
      const aligned = orientations.nearestAlignment(next, orientation);
      if (aligned < 0) continue;
      this.#push(
        next * width + aligned,
        step,
        moved + this.#turnCost(at, orientation, orientations.get(next, aligned)),
      );
    }
    for (const other of orientations.neighbors(at, turn)) {
      this.#push(at * width + other, step, cost + this.#turnCost(at, orientation, orientations.get(at, other)));
    }
  }

  #turnCost(at: number, from: Orientation, to: Orientation): number {
    const { body } = this.#task;
    return TURN_COST * body.radius * body.angle(from, to) * Math.max(1, body.radius / this.#way[at].room);
  }

  /** Tests the step to a state from the one before. */
  #isOpen(state: number, before: number): boolean {
    if (before < 0) return true;
    const { scene, body } = this.#task;
    const from = this.#stepStates[before];
    const placed = this.#way.length * this.#orientations.width;
    // A slide is proven as it is made.
    if (state >= placed) return true;
    const [station, other] = [this.#way[this.#stationOf(state)], this.#way[this.#stationOf(from)]];
    const q = this.#configurationOf(state);
    if (!body.robot.isAllowed(q)) return false;
    if (from < placed) {
      // Room for the body in any orientation, all along.
      const length = station === other ? 0 : vec3.distance(station.point, other.point);
      const wide = (body.radius + scene.clearance) * (1 + 1e-3);
      if (Math.min(station.room, other.room) - length / 2 > wide) return true;
    }
    if (!this.#isFree(state)) return false;
    const a = this.#configurationOf(from);
    if (from >= placed) return scene.proves(a, q);
    const [keyA, keyB] = [this.#keyOf(from), this.#keyOf(state)];
    return other.id <= station.id
      ? this.#holds(other, `${keyA}>${keyB}@${station.id}`, a, q)
      : this.#holds(station, `${keyB}>${keyA}@${other.id}`, q, a);
  }

  #keyOf(state: number): string {
    return this.#orientations.keyOf(this.#stationOf(state), this.#turnOf(state));
  }

  /** Tests a placed state: a ball inside of the robot without room refuses it before the exact test. */
  #isFree(state: number): boolean {
    const { scene, body, ball, map } = this.#task;
    const station = this.#way[this.#stationOf(state)];
    const key = this.#keyOf(state);
    const q = this.#configurationOf(state);
    if (ball !== null && !station.proofs.has(key)) {
      if (map.at(body.pointAt(q, ball.center)) < ball.radius + scene.clearance) return false;
    }
    return this.#holds(station, key, q, q);
  }

  #holds({ proofs }: Station, key: string, a: Float64Array, b: Float64Array): boolean {
    const known = proofs.get(key);
    if (known !== undefined) return this.#certificates.holds(known);
    const made = this.#certificates.make(a, b);
    proofs.set(key, made);
    return made.isFree;
  }

  /** The first station where the robot fits in no orientation, or −1. */
  #findBarrier(): number {
    const way = this.#way;
    const wide = this.#task.body.radius + this.#task.scene.clearance;
    const { width, firstAligned, firstSlid } = this.#orientations;
    for (let at = 1; at < way.length - 1; at++) {
      if (way[at].room > wide) continue;
      let fits = false;
      for (let turn = firstSlid - 1; turn >= 0 && !fits; turn--) {
        if (turn >= firstAligned && !this.#orientations.hasAlignment(at, turn)) continue;
        fits = this.#isFree(at * width + turn);
      }
      if (!fits) return at;
    }
    return -1;
  }

  /** Slides from the states that came farthest towards the next station; true if one came on. */
  #slideOn(reached: number): boolean {
    const { body } = this.#task;
    const { width, firstSlid } = this.#orientations;
    const [here, next] = [this.#way[reached].point, this.#way[reached + 1].point];
    let isOn = false;
    let tried = 0;
    for (let turn = firstSlid - 1; turn >= 0 && tried < SLIDES; turn--) {
      const step = this.#reachedBy[reached * width + turn];
      if (step < 0) continue;
      tried++;
      const orientation = this.#orientations.get(reached, turn);
      const aligned = this.#orientations.nearestAlignment(reached + 1, orientation);
      const aim = aligned < 0 ? orientation : this.#orientations.get(reached + 1, aligned);
      const from = this.#configurationOf(reached * width + turn);
      const slid = this.#local().slide(from, body.place(next, aim), SLIDE_STEPS);
      if (slid.length === 0) continue;
      const q = slid[slid.length - 1];
      if (vec3.distance(body.anchorAt(q), next) > 0.5 * vec3.distance(here, next)) continue;
      const index = this.#slid.push({ at: reached + 1, q, via: slid.slice(0, -1) }) - 1;
      this.#orientations.addSlid(body.orientationOf(q));
      const cost = this.#stepCosts[step] + this.#rest[reached] - this.#rest[reached + 1];
      this.#push(this.#way.length * width + index, step, cost);
      isOn = true;
    }
    return isOn;
  }

  #pathTo(step: number): Float64Array[] {
    const placed = this.#way.length * this.#orientations.width;
    const path: Float64Array[] = [];
    for (let at = step; at >= 0; at = this.#stepsBefore[at]) {
      const state = this.#stepStates[at];
      path.push(this.#configurationOf(state));
      if (state >= placed) path.push(...this.#slid[state - placed].via.toReversed());
    }
    return path.reverse();
  }
}

/** The cost of the rest of the way from each station. */
function costsToGo(way: readonly Station[]): Float64Array {
  const rest = new Float64Array(way.length);
  for (let i = way.length - 2; i >= 0; i--) {
    rest[i] = rest[i + 1] + way[i].links.find(({ to }) => to === way[i + 1])!.cost;
  }
  return rest;
}

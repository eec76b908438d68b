// The way of a chain's tool over the stations of a guide, looked for from both ends (Hart, Nilsson and Raphael 1968; Pohl 1971): to
// leave a narrow place is easier than to enter it. A configuration of a station comes from that of the station before, by inverse
// kinematics, so that a way that the joints cannot follow is discarded. A station has several, with the tool turned otherwise:
// the first to come there need not be the one that reaches the goal.

import type { Deadline } from '../../core/deadline.js';
import { IndexedHeap } from '../../core/heap.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { RaisedCosts, Station } from '../guide/guide-graph.js';
import type { ClearanceMap } from '../workspace/clearance-map.js';
import type { GuidedChain } from './guided-chain.js';

/** Chosen: from one station to the next no point of the robot moves farther than this, in sizes of the tool. */
const LONGEST_JUMP = 10;

/** Chosen: the weight of what is left between the joint values of a station and the goal. */
const GREED = 2;

/** Chosen: the most configurations of a station. */
const MAX_PLACES = 4;

/** Chosen: a station is left alone after this count of configurations that were not free. */
const MAX_FAILURES = 10;

/**
 * Chosen: two configurations of a station are the same if no point moves by more than this share of the tool's size.
 */
const SAME = 0.3;

/**
 * Chosen: configurations that are tested between two others are this far apart, in sizes of the tool; at least one is
 * tested.
 */
const BETWEEN = 0.5;

/** Chosen: the most configurations that are tested between two others. */
const MAX_BETWEEN = 15;

/** Chosen: where the tool can go no farther as it is turned, it is turned at one of this count of stations before. */
const MAX_BACK = 16;

/** Chosen: the count of steps that move a station to the middle. */
const CENTERING = 12;

/** A place of a way, and a free configuration with the tool there. */
export interface WayPlace {
  readonly station: Station;
  readonly q: Float64Array;
}

interface ReachedPlace extends WayPlace {
  readonly before: ReachedPlace | null;
  readonly cost: number;
  /** Configurations that came from each other without being turned have the same. */
  readonly turn: number;
  /** Whether the tool has been turned here, for what comes later. */
  isTurned: boolean;
}

/** What is known of a station in one search. */
interface StationState {
  readonly places: ReachedPlace[];
  readonly turns: Set<number>;
  failures: number;
}

/** What a search from one end knows. */
class Side {
  readonly states = new Map<Station, StationState>();
  readonly heap = new IndexedHeap();
  readonly entries: { readonly from: ReachedPlace; readonly to: Station; readonly cost: number }[] = [];

  /** @param target the joint values of the other end. */
  constructor(
    readonly target: Float64Array,
    readonly raised: RaisedCosts,
  ) {}

  stateOf(station: Station): StationState {
    let state = this.states.get(station);
    if (state === undefined) {
      state = { places: [], turns: new Set(), failures: 0 };
      this.states.set(station, state);
    }
    return state;
  }
}

export class ChainWay {
  readonly #scene: CollisionScene;
  readonly #body: GuidedChain;
  readonly #map: ClearanceMap;
  readonly #between: Float64Array;
  /** The points of stations, centered. */
  readonly #middles = new Map<Station, Vec3>();
  #turns = 0;

  constructor(scene: CollisionScene, body: GuidedChain, map: ClearanceMap) {
    this.#scene = scene;
    this.#body = body;
    this.#map = map;
    this.#between = new Float64Array(scene.size);
  }

  /** A cheap way between two stations, from one configuration to another, or null. */
  find(from: WayPlace, to: WayPlace, raised: RaisedCosts, deadline: Deadline): WayPlace[] | null {
    const ends = [from, to].map(({ q }) => this.#body.longAt(q));
    this.#turns = 2;
    const sides = [new Side(to.q, raised), new Side(from.q, raised)];
    for (const [i, { station, q }] of [from, to].entries()) {
      this.#add(sides[i], { station, q, before: null, cost: 0, turn: i, isTurned: false });
    }
    for (let turn = 0; sides.every(({ heap }) => heap.size > 0); turn++) {
      if (deadline.isOver('Looking for ways')) return null;
      const [side, other] = turn % 2 === 0 ? sides : [sides[1], sides[0]];
      for (const place of this.#advance(side, ends)) {
        const met = other.stateOf(place.station).places.find(({ q }) => this.#canJump(place.q, q));
        if (met === undefined) continue;
        const [first, last] = turn % 2 === 0 ? [place, met] : [met, place];
        return [...listPlaces(first).reverse(), ...listPlaces(last)];
      }
    }
    return null;
  }

  /** Goes on to the next station of a side; returns the places that are new. */
  #advance(side: Side, ends: readonly Vec3[]): ReachedPlace[] {
    const { from: last, to: station, cost } = side.entries[side.heap.pop()];
    const state = side.stateOf(station);
    const isKnown = state.turns.has(last.turn) || state.places.length >= MAX_PLACES;
    if (isKnown || state.failures >= MAX_FAILURES) return [];
    const found = this.#reach(side, station, last, ends);
    if (found === 'known') {
      state.turns.add(last.turn);
      return [];
    }
    if (found !== 'blocked' && found !== 'unturned') {
      return [this.#add(side, { station, before: last, cost, isTurned: false, ...found })];
    }
    state.failures++;
    return found === 'blocked' ? [] : this.#turnBefore(side, station, last, ends);
  }

  #canJump(a: Float64Array, b: Float64Array): boolean {
    return this.#body.robot.distance(a, b) <= LONGEST_JUMP * this.#body.radius && this.#isFreeBetween(a, b);
  }

  /** Whether some configurations between two are free: edges are proven when a way is followed. */
  #isFreeBetween(a: Float64Array, b: Float64Array): boolean {
    const q = this.#between;
    const way = this.#body.robot.distance(a, b) / (BETWEEN * this.#body.radius);
    // Halves first: what is not free is found sooner.
    for (let parts = 2; parts === 2 || (parts <= MAX_BETWEEN + 1 && parts <= 2 * way); parts *= 2) {
      for (let i = 1; i < parts; i += 2) {
        this.#body.robot.interpolate(a, b, i / parts, q);
        if (!this.#scene.isFree(q)) return false;
      }
    }
    return true;
  }

  /** Adds a place, and the ways on from it. */
  #add(side: Side, place: ReachedPlace): ReachedPlace {
    const { station, q, turn, cost } = place;
    const state = side.stateOf(station);
    state.places.push(place);
    state.turns.add(turn);
    // How far the joints are from the goal tells more than how far the tool is.
    const left = GREED * this.#body.robot.distance(q, side.target);
    const added = side.raised.get(station);
    for (const link of station.links) {
      if (side.states.get(link.to)?.turns.has(turn)) continue;
      const whole = cost + link.cost + (added?.get(link.to) ?? 0);
      side.heap.set(side.entries.length, whole + left);
      side.entries.push({ from: place, to: link.to, cost: whole });
    }
    return place;
  }

  /**
   * A free configuration at a station near one at the station before; 'known' if the station has one like that, 'blocked' if none is
   * found whichever way the tool is turned, 'unturned' if it has to be turned before.
   */
  #reach(
    side: Side,
    station: Station,
    { station: last, q, turn }: ReachedPlace,
    ends: readonly Vec3[],
  ): { readonly q: Float64Array; readonly turn: number } | 'known' | 'blocked' | 'unturned' {
    const body = this.#body;
    const state = side.stateOf(station);
    const isNarrow = station.room < body.radius;
    let isTurnable = false;
    // With room on all sides the middle is no better, and another orientation changes nothing.
    for (let i = 0; i < (isNarrow ? 2 : 1); i++) {
      const found = body.reach(q, i === 0 ? station.point : this.#middleOf(station), null);
      if (found === null || body.robot.distance(q, found) > LONGEST_JUMP * body.radius) continue;
      if (this.#isKnown(state, found)) return 'known';
      if (this.#scene.isFree(found) && this.#isFreeBetween(q, found)) return { q: found, turn };
      isTurnable ||= body.isTurnable(this.#scene.touching);
    }
    if (!isNarrow || !isTurnable) return 'blocked';
    for (const along of this.#directions(station, last, ends)) {
      const found = body.reach(q, this.#middleOf(station), along);
      if (found === null || this.#isKnown(state, found) || !this.#scene.isFree(found)) continue;
      if (this.#canJump(q, found)) return { q: found, turn: this.#turns++ };
    }
    return 'unturned';
  }

  /** Turns the tool as a station wants it some stations before, for ways that go on from there. */
  #turnBefore(side: Side, station: Station, last: ReachedPlace, ends: readonly Vec3[]): ReachedPlace[] {
    const body = this.#body;
    const turned: ReachedPlace[] = [];
    let place: ReachedPlace | null = last;
    for (let step = 0; place !== null && turned.length === 0 && step <= MAX_BACK; step++, place = place.before) {
      const state = side.stateOf(place.station);
      // One, two, four, eight stations back.
      if ((step & (step - 1)) !== 0 || place.isTurned || state.places.length >= MAX_PLACES) continue;
      place.isTurned = true;
      for (const along of this.#directions(station, last.station, ends)) {
        const q = body.reach(place.q, body.anchorAt(place.q), along);
        if (q === null || this.#isKnown(state, q) || !this.#scene.isFree(q) || !this.#canJump(place.q, q)) continue;
        const cost = place.cost + body.robot.distance(place.q, q);
        const turn = this.#turns++;
        turned.push(this.#add(side, { station: place.station, q, before: place, cost, turn, isTurned: true }));
      }
    }
    return turned;
  }

  /** How a long tool may be turned from one station to the next: along the way, or as at one of the ends. */
  #directions(station: Station, last: Station, ends: readonly Vec3[]): Vec3[] {
    const gap = vec3.subtract(station.point, last.point);
    return vec3.length(gap) > 0 ? [vec3.normalize(gap), ...ends] : [...ends];
  }

  #isKnown({ places }: StationState, q: Float64Array): boolean {
    const { robot, radius } = this.#body;
    return places.some((place) => robot.distance(place.q, q) < SAME * radius);
  }

  /** The point of a station, moved to the middle between the nearest obstacles. */
  #middleOf(station: Station): Vec3 {
    const known = this.#middles.get(station);
    if (known !== undefined) return known;
    let foot: Vec3 = [0, 0, 0];
    let point: Vec3 = [...station.point];
    let room = this.#map.nearest(point, foot);
    let step = room / 2;
    for (let i = 0; i < CENTERING && step > 0.02 * room; i++) {
      const away = vec3.subtract(point, foot);
      if (!(room > 0)) break;
      const trial = vec3.addScaled(point, away, step / room);
      // Within its room no surface is between the trial and the station.
      const isNear = vec3.distance(trial, station.point) < station.room;
      const trialFoot: Vec3 = [0, 0, 0];
      const wider = isNear ? this.#map.nearest(trial, trialFoot) : 0;
      if (wider > room) {
        [point, room, foot] = [trial, wider, trialFoot];
      } else step /= 2;
    }
    this.#middles.set(station, point);
    return point;
  }
}

/** A place and all before it. */
function listPlaces(last: ReachedPlace): WayPlace[] {
  const places: WayPlace[] = [];
  for (let at: ReachedPlace | null = last; at !== null; at = at.before) places.push(at);
  return places;
}

// Points near the medial axis of the space between obstacles, classified by width against a robot. From a random point one
// goes away from the nearest obstacle until another one is as near (Wilmarth, Amato and Stiller 1999); distances are exact,
// so bisection finds the place.
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ClearanceMap } from '../workspace/clearance-map.js';

/** A point of a passage that a robot passes in some orientations only. */
export interface PassagePoint {
  readonly point: Vec3;
  readonly clearance: number;
  /** Unit: along the passage, and across it to the nearest wall. */
  readonly along: Vec3;
  readonly across: Vec3;
}

/** What a search ends at. */
export type PlaceClass = 'wide' | 'narrow' | 'impassable' | 'open';

/** The room that decides on classes, and where points may be. */
export interface PassageWidths {
  /** Clearance that the robot needs at least, and clearance with which it passes in any orientation. */
  readonly least: number;
  readonly wide: number;
  readonly min: Vec3;
  readonly max: Vec3;
  /** The coordinates that change: all three, or two in a plane. */
  readonly axes: readonly number[];
}

/**
 * Chosen: walls on two sides of a passage face each other if the cosine of their normals is below this; otherwise
 * they form a corner.
 */
const FACING = -0.25;

/** Chosen: a passage wider than this multiple of the wide clearance is open space. */
const OPEN = 3;

/** Chosen: the most corners between which the search goes on. */
const TURNS = 4;

/** Chosen: the clearance has to grow by this share of the way. */
const MIN_RATE = 0.1;

/** Chosen: beyond the medial axis the clearance falls behind its first rate by this share. */
const SLACK = 0.02;

/** Chosen: the count of steps of the bisection. */
const STEPS = 10;

/** Chosen: the count of directions across which the room of a passage is compared. */
const DIRECTIONS = 8;

/** Chosen: the distance of a probe, as a share of the wide clearance. */
const PROBE = 1e-3;

/** Chosen: the distance of a look ahead, as a share of the clearance of the place. */
const LOOK = 0.7;

export class MedialPoints {
  readonly #map: ClearanceMap;
  readonly #widths: PassageWidths;
  readonly #at: Vec3 = [0, 0, 0];
  /** The point that the last search ended at, its clearance, the way it came, and the direction from the wall that ended it. */
  readonly point: Vec3 = [0, 0, 0];
  readonly #away: Vec3 = [0, 0, 0];
  readonly #across: Vec3 = [0, 0, 0];
  clearance = 0;

  constructor(map: ClearanceMap, widths: PassageWidths) {
    this.#map = map;
    this.#widths = widths;
  }

  /**
   * Moves {@link point} to the medial axis and says what is there. Where walls meet in a corner it goes on between them, away
   * from both, until other walls face it.
   */
  search(): PlaceClass {
    const { wide, least } = this.#widths;
    const { point } = this;
    this.clearance = this.#map.at(point);
    if (this.clearance > OPEN * wide || !this.#slope(point, PROBE * wide, this.#away)) return 'open';
    const next = this.#across;
    for (let turn = 0; turn < TURNS; turn++) {
      if (!this.#climb(next)) return 'open';
      if (vec3.dot(next, this.#away) < FACING) {
        if (!(this.clearance > least) || !this.#isInside(point)) return 'impassable';
        return this.clearance < wide ? 'narrow' : 'wide';
      }
      vec3.normalize(vec3.add(this.#away, next), this.#away);
    }
    return 'open';
  }

  /**
   * Moves the point away from the nearest wall, as far as the clearance grows at the rate at which it begins to, and writes the
   * direction from the wall that is nearest from there on; returns false where no wall is found.
   */
  #climb(next: Vec3): boolean {
    const { wide } = this.#widths;
    const { point } = this;
    const from: Vec3 = [...point];
    const limit = OPEN * wide;
    const start = this.clearance;
    const at = (way: number): number => {
      vec3.addScaled(from, this.#away, way, point);
      return this.#map.at(point);
    };
    const first = PROBE * wide;
    const rate = (at(first) - start) / first;
    if (!(rate > MIN_RATE)) return false;
    const holds = (way: number): boolean => at(way) > start + (rate - SLACK) * way;
    // Doubling, then bisection.
    let [low, high] = [first, Math.max(2 * first, Math.abs(start))];
    for (; holds(high); high *= 2) {
      if (start + rate * high > limit) return false;
      low = high;
    }
    for (let i = 0; i < STEPS; i++) {
      const middle = (low + high) / 2;
      if (holds(middle)) low = middle;
      else high = middle;
    }
    at(high + first);
    const isFound = this.#slope(point, PROBE * wide, next);
    this.clearance = at(low);
    return isFound;
  }

  /** The passage at the point of the last search, which was narrow. */
  describe(): PassagePoint {
    const { point, clearance } = this;
    const across: Vec3 = [...this.#across];
    return { point: [...point], clearance, along: this.#openDirection(across), across };
  }

  /** The direction across another in which most room is on both sides. */
  #openDirection(across: Vec3): Vec3 {
    const { axes } = this.#widths;
    if (axes.length === 2) {
      const along: Vec3 = [0, 0, 0];
      along[axes[0]] = -across[axes[1]];
      along[axes[1]] = across[axes[0]];
      return along;
    }
    const u = vec3.normalize(vec3.perpendicular(across));
    const v = vec3.cross(across, u);
    let [best, most]: [Vec3, number] = [u, -Infinity];
    for (let i = 0; i < DIRECTIONS; i++) {
      const angle = (Math.PI * i) / DIRECTIONS;
      const d = u.map((value, k) => Math.cos(angle) * value + Math.sin(angle) * v[k]) as Vec3;
      let room = Infinity;
      for (const sign of [-1, 1]) {
        for (let k = 0; k < 3; k++) this.#at[k] = this.point[k] + sign * LOOK * this.clearance * d[k];
        room = Math.min(room, this.#map.at(this.#at));
      }
      if (room > most) [best, most] = [d, room];
    }
    return best;
  }

  /** Writes the unit direction in which the clearance grows, within the coordinates that change; returns false if it grows in no direction. */
  #slope(point: Vec3, step: number, out: Vec3): boolean {
    const { axes } = this.#widths;
    const at = this.#at;
    out.fill(0);
    for (let k = 0; k < 3; k++) at[k] = point[k];
    for (const k of axes) {
      at[k] = point[k] + step;
      const above = this.#map.at(at);
      at[k] = point[k] - step;
      out[k] = above - this.#map.at(at);
      at[k] = point[k];
    }
    const size = Math.hypot(out[0], out[1], out[2]);
    if (!(size > 0.2 * step)) return false;
    for (let k = 0; k < 3; k++) out[k] /= size;
    return true;
  }

  #isInside(point: Vec3): boolean {
    const { min, max, axes } = this.#widths;
    return axes.every((k) => point[k] >= min[k] && point[k] <= max[k]);
  }
}

// How far four points may go along straight lines until a point meets a triangle, or two edges meet: conservative
// advancement (after Li et al. 2021) with proven bounds. A plane between the two gives a lower bound of their distance, whoever
// proposed it, and all rounding is subtracted from it, so that a share that is returned is free of contact for certain.
import { ClosestPoints } from './closest-points.js';

/** Chosen: a way ends where the distance has fallen to this share of what it was. */
const KEEP = 0.1;

/** Chosen: the search for that end stops at a distance within this factor of it. */
const NEAR_ENOUGH = 1.5;

/**
 * Chosen: passes of the search. Each at least halves the distance where the bound is sharp; where it is not, the way found so
 * far is the answer.
 */
const MAX_PASSES = 48;

/**
 * Proven: the rounding of positions on the way, of their differences, of products with the normal, and of the positions that a
 * caller writes is below 47 units (2⁻⁵³) of the largest coordinate; 64 are taken.
 */
const POSITION_ROUNDING = 64 * 2 ** -53;

/**
 * Rounding: squares of distances below this, in m², are near underflow and have lost digits; these distances count as
 * 0.
 */
const MIN_SQUARE = 1e-290;

/** Rounding: lengths and quotients are shortened by this factor; their own rounding is some units of 1e-16. */
const SLACK = 1 - 1e-12;

export class CertifiedAdvance {
  /** The nearest points at the start of the last way. */
  readonly closest = new ClosestPoints();
  /** How far the two can come nearer in the whole way. */
  approach = 0;
  /** Proven distance at the start, less the radius. */
  distance = 0;
  readonly #points = new Float64Array(12);
  readonly #moves = new Float64Array(12);
  readonly #now = new Float64Array(12);
  readonly #passing = new ClosestPoints();
  #isEdges = false;
  #rounding = 0;

  /**
   * Begins with four points and their moves: a point and a triangle, or two edges.
   * @param moves null where nothing moves.
   * @param radius of a ball about the point, which must stay off the triangle too.
   */
  begin(
    points: Float64Array,
    moves: Float64Array | null,
    ids: Int32Array,
    at: number,
    isEdges: boolean,
    radius: number,
  ): void {
    const [p, m] = [this.#points, this.#moves];
    let largest = radius;
    for (let k = 0; k < 4; k++) {
      const from = 3 * ids[at + k];
      for (let axis = 0; axis < 3; axis++) {
        const x = points[from + axis];
        const move = moves === null ? 0 : moves[from + axis];
        p[3 * k + axis] = x;
        m[3 * k + axis] = move;
        const size = Math.abs(x) + Math.abs(move);
        if (size > largest) largest = size;
      }
    }
    this.#isEdges = isEdges;
    this.#rounding = POSITION_ROUNDING * largest + radius;
    // The two nearest points move as means of the corners do.
    let fastest = 0;
    if (moves !== null) {
      const split = isEdges ? 2 : 1;
      for (let i = 0; i < split; i++) {
        for (let j = split; j < 4; j++) {
          const x = m[3 * i] - m[3 * j];
          const y = m[3 * i + 1] - m[3 * j + 1];
          const z = m[3 * i + 2] - m[3 * j + 2];
          const square = x * x + y * y + z * z;
          if (!(square <= fastest)) fastest = square;
        }
      }
    }
    this.approach = Math.sqrt(fastest) / SLACK;
    this.distance = this.#bound(p, this.closest);
  }

  /** The share of the way up to `most` on which the two stay apart for certain; 0 where they may touch now. */
  advance(most: number): number {
    const { approach } = this;
    if (!(this.distance > 0 && approach < Infinity)) return 0;
    const least = KEEP * this.distance;
    let distance = this.distance;
    let share = 0;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const step = ((distance - least) / approach) * SLACK;
      if (!(share + step < most)) return most;
      share += step;
      const [p, m, now] = [this.#points, this.#moves, this.#now];
      for (let i = 0; i < 12; i++) now[i] = p[i] + share * m[i];
      distance = this.#bound(now, this.#passing);
      if (!(distance > NEAR_ENOUGH * least)) return share;
    }
    return share;
  }

  /** A proven lower bound of the distance of four points, less rounding and the radius. */
  #bound(p: Float64Array, closest: ClosestPoints): number {
    if (this.#isEdges) closest.segments(p, 0, 1, 2, 3);
    else closest.pointTriangle(p, 0, 1, 2, 3);
    const [x, y, z] = closest.vector;
    const split = this.#isEdges ? 2 : 1;
    // The two lie on different sides of a slab across the vector, as thick as the least difference of corners along it.
    let least = Infinity;
    for (let i = 0; i < split; i++) {
      for (let j = split; j < 4; j++) {
        const along = x * (p[3 * i] - p[3 * j]) + y * (p[3 * i + 1] - p[3 * j + 1]) + z * (p[3 * i + 2] - p[3 * j + 2]);
        if (!(along >= least)) least = along;
      }
    }
    return closest.squared > MIN_SQUARE
      ? (least / Math.sqrt(closest.squared)) * SLACK - this.#rounding
      : -this.#rounding;
  }
}

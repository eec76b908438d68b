// Balls that contain the surface of a model: few coarse ones and, for what each of them has to cover, fine ones. Those of a
// solid have their centers inside: a ball that reaches ε farther than the surface next to its center is nowhere farther than
// ε out of the solid, since the ball without ε is inside of it. Of many balls few are taken by greedy choice (Chvatal 1979).
import { bytesOf, type Part } from '../../core/derived-parts.js';
import type { Vec3 } from '../../core/vec3.js';
import { OUTWARD_SURFACE, POINT_QUERY } from '../../proximity/model-parts.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { DISTANCE_ROUNDING } from '../validity/distance-rounding.js';
import { type SurfacePieces, splitSurface } from './surface-pieces.js';

/** Balls in the frame of a model. */
export interface BallCover {
  /**
   * Five numbers each, coarse balls first: the center, the radius, and the radius of a ball about the same center that is
   * inside of the solid; 0 where none is known.
   */
  readonly balls: Float64Array;
  readonly coarse: number;
  /** By coarse ball: the first of its fine balls; one more entry at the end. */
  readonly first: Int32Array;
}

/** Layout: numbers of a ball. */
export const BALL = 5;

/** Chosen: coarse balls reach this share of the model's radius out of it; more where that takes too many of them. */
const COARSE = 0.15;

/** Chosen: the same share for fine balls. */
const FINE = 0.03;

/** Chosen: the most coarse balls of a model. */
const MAX_COARSE = 8;

/** Chosen: the most fine balls for one coarse ball. */
const MAX_FINE = 30;

/** Chosen: where there are too many balls, they reach farther by this factor. */
const WIDER = 1.6;

/** Chosen: centers are looked for below no more than this count of pieces of the surface. */
const PLACES = 90;

/** Chosen: how deep below the surface the search for centers begins, in radii of the model. */
const DEPTH = 0.06;

/** Chosen: the count of steps that lead from there to the middle. */
const CLIMB = 12;

/** Chosen: the length of each of these steps, in depths. */
const LONGER = 0.4;

/** Chosen: the least distance of two centers, in radii of the model. */
const APART = 0.06;

/** Rounding: the nearest surface is the piece above if it is as far, by all but this share. */
const SAME = 1e-6;

/** The balls of a model. */
export const BALL_COVER: Part<ProximityModel, BallCover> = { name: 'balls', make: coverByBalls, bytes: bytesOf };

/** Possible centers: four numbers each, the last one how deep it is inside. */
type Centers = Float64Array;

function coverByBalls(model: ProximityModel): BallCover {
  const pieces = splitSurface(model.parts.get(OUTWARD_SURFACE).mesh, model.radius);
  const choice = new Choice(pieces, findCenters(model, pieces));
  const all = Int32Array.from({ length: pieces.count }, (_, i) => i);
  const coarse = choice.cover(all, COARSE * model.radius, MAX_COARSE);
  const fine = coarse.map(({ covered }) => choice.cover(Int32Array.from(covered), FINE * model.radius, MAX_FINE));
  const list = [...coarse, ...fine.flat()];
  const balls = new Float64Array(BALL * list.length);
  const rounding = DISTANCE_ROUNDING * (model.magnitude + model.radius);
  for (const [i, { x, y, z, radius, depth }] of list.entries()) {
    const inner = model.closed ? Math.max(0, depth - rounding) : 0;
    balls.set([x, y, z, radius + rounding, inner], BALL * i);
  }
  const first = new Int32Array(coarse.length + 1);
  first[0] = coarse.length;
  for (const [i, own] of fine.entries()) first[i + 1] = first[i] + own.length;
  return { balls, coarse: coarse.length, first };
}

/** Points little below pieces all over the surface, and the middles of balls inside that touch the surface on two sides. */
export function findCenters(model: ProximityModel, pieces: SurfacePieces): Centers {
  const query = model.parts.get(POINT_QUERY);
  const found: number[] = [];
  const foot: Vec3 = [0, 0, 0];
  const normal: Vec3 = [0, 0, 0];
  const apart = (APART * model.radius) ** 2;
  const add = ([x, y, z]: Vec3, depth: number): void => {
    for (let i = 0; i < found.length; i += 4) {
      if ((found[i] - x) ** 2 + (found[i + 1] - y) ** 2 + (found[i + 2] - z) ** 2 < apart) return;
    }
    found.push(x, y, z, depth);
  };
  const step = Math.max(1, pieces.count / PLACES);
  for (let i = 0; i < pieces.count; i += step) {
    const piece = Math.floor(i);
    const middle = pieces.middle(piece);
    if (!pieces.writeNormal(piece, normal)) continue;
    const below = DEPTH * model.radius;
    let point = middle.map((value, k) => value - below * normal[k]) as Vec3;
    let depth = query.nearest(point, Infinity, foot);
    // The point may be on the other side of a thin wall, or in a hole whose walls are one piece. A sheet has no inside.
    if ((model.closed || depth < (1 - SAME) * below) && !query.isInside(point)) continue;
    const shallow = point;
    const own = depth;
    for (let k = 0; k < CLIMB && depth > 0; k++) {
      const next = point.map((value, axis) => value + LONGER * (value - foot[axis])) as Vec3;
      const deeper = query.nearest(next, Infinity, foot);
      // A step shorter than the depth does not leave the solid.
      if (!(deeper > depth)) break;
      [point, depth] = [next, deeper];
    }
    add(point, depth);
    add(shallow, own);
  }
  return Float64Array.from(found);
}

interface ChosenBall {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
  readonly depth: number;
  /** The pieces that it has to cover. */
  readonly covered: number[];
}

class Choice {
  readonly #pieces: SurfacePieces;
  readonly #centers: Centers;
  readonly #count: number;
  /** By center and piece: how far the farthest corner is. */
  readonly #far: Float32Array;
  readonly #isOpen: Uint8Array;

  constructor(pieces: SurfacePieces, centers: Centers) {
    this.#pieces = pieces;
    this.#centers = centers;
    this.#count = centers.length / 4;
    this.#far = new Float32Array(this.#count * pieces.count);
    this.#isOpen = new Uint8Array(pieces.count);
    for (let i = 0, at = 0; i < this.#count; i++) {
      const [x, y, z] = [centers[4 * i], centers[4 * i + 1], centers[4 * i + 2]];
      for (let piece = 0; piece < pieces.count; piece++) this.#far[at++] = pieces.farthest(piece, x, y, z);
    }
  }

  /** Balls that cover some pieces: few, and reaching out little. */
  cover(wanted: Int32Array, reach: number, most: number): ChosenBall[] {
    for (let wider = reach; ; wider *= WIDER) {
      const chosen = this.#tryCover(wanted, wider, most);
      if (chosen !== null) return chosen;
    }
  }

  #tryCover(wanted: Int32Array, reach: number, most: number): ChosenBall[] | null {
    for (const piece of wanted) this.#isOpen[piece] = 1;
    const chosen: ChosenBall[] = [];
    /** At most as many pieces as a center covers now: those that it covered before. */
    const counts = new Int32Array(this.#count).fill(wanted.length);
    for (let left = wanted.length; left > 0; ) {
      if (chosen.length === most) return null;
      let [best, count] = [-1, 0];
      for (let i = 0; i < this.#count; i++) {
        if (counts[i] <= count) continue;
        counts[i] = this.#coveredCount(i, wanted, this.#centers[4 * i + 3] + reach);
        if (counts[i] > count) [best, count] = [i, counts[i]];
      }
      const ball = best < 0 ? this.#ballAbout(wanted, reach) : this.#ballAt(best, wanted, reach);
      for (const piece of ball.covered) this.#isOpen[piece] = 0;
      left -= ball.covered.length;
      chosen.push(ball);
    }
    return chosen;
  }

  #coveredCount(center: number, wanted: Int32Array, radius: number): number {
    const [far, isOpen] = [this.#far, this.#isOpen];
    const row = center * isOpen.length;
    let count = 0;
    for (let k = 0; k < wanted.length; k++) {
      const piece = wanted[k];
      if (isOpen[piece] === 1 && far[row + piece] <= radius) count++;
    }
    return count;
  }

  #ballAt(center: number, wanted: Int32Array, reach: number): ChosenBall {
    const [x, y, z, depth] = this.#centers.subarray(4 * center, 4 * center + 4);
    const row = center * this.#pieces.count;
    const covered = [...wanted].filter((p) => this.#isOpen[p] === 1 && this.#far[row + p] <= depth + reach);
    return { x, y, z, depth, covered, radius: this.#radius(covered, x, y, z) };
  }

  /** A ball about the first piece that no center covers: at an edge, or of a sheet. */
  #ballAbout(wanted: Int32Array, reach: number): ChosenBall {
    const first = wanted.find((piece) => this.#isOpen[piece] === 1)!;
    const [x, y, z] = this.#pieces.middle(first);
    const covered = [...wanted].filter((piece) => {
      return this.#isOpen[piece] === 1 && (piece === first || this.#pieces.farthest(piece, x, y, z) <= reach);
    });
    return { x, y, z, depth: 0, covered, radius: this.#radius(covered, x, y, z) };
  }

  #radius(covered: readonly number[], x: number, y: number, z: number): number {
    return covered.reduce((most, piece) => Math.max(most, this.#pieces.farthest(piece, x, y, z)), 0);
  }
}

// The largest distance of a surface from another one, from both sides: branch and bound over pieces of its triangles.
// A distance is 1-Lipschitz, and the distance to one triangle is convex, so that its largest value over a piece is at a
// corner; the smaller of the two bounds counts. The lower bound is a distance found (after Tang, Lee and Kim 2009).
import { growTo } from '../../core/grow-array.js';
import { IndexedHeap } from '../../core/heap.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { DISTANCE_ROUNDING } from '../field-error.js';
import { splitAlong, splitInHalf } from './split-along.js';
import type { SurfaceSearch } from './surface-search.js';

/** A number between two proven bounds. */
export interface DistanceBounds {
  /** A distance that a point of the surface has. */
  readonly lower: number;
  /** No point of the surface is farther. */
  readonly upper: number;
}

export interface DistanceBoundOptions extends ProgressOptions {
  /** The search ends when the bounds differ by this length, or by {@link RELATIVE_GAP} of the distance. */
  readonly tolerance: number;
  /** Points inside the other surface, which must bound a solid, count as having distance 0. Default false. */
  readonly solid?: boolean;
  /** The most pieces examined beyond one per triangle; then the bounds are wider. Default {@link MAX_PIECES}. */
  readonly maxPieces?: number;
}

/** Chosen: the search ends when the bounds differ by this share of the distance. */
const RELATIVE_GAP = 0.02;

/** Chosen: the pieces examined by default, about ten seconds. */
const MAX_PIECES = 2_000_000;

/** Chosen: pieces between two reports of progress. */
const PIECES_PER_REPORT = 4096;

/** The largest distance of the points of `mesh` from the surface of `target`. */
export function boundLargestDistance(mesh: Mesh, target: SurfaceSearch, options: DistanceBoundOptions): DistanceBounds {
  return new LargestDistance(mesh, target, options).run();
}

class LargestDistance {
  readonly #mesh: Mesh;
  readonly #target: SurfaceSearch;
  readonly #options: DistanceBoundOptions;
  readonly #heap = new IndexedHeap();
  readonly #point = new TrianglePoint();
  /** Corners of the waiting pieces, nine numbers each, and the nearest triangle of each; its complement if halves will do. */
  #pieces = new Float64Array(9 * 1024);
  #slots = new Int32Array(1024);
  readonly #free: number[] = [];
  readonly #parts = new Float64Array(27);
  #count = 0;
  #lower = 0;
  /** The largest upper bound of the pieces that were dropped. */
  #dropped = 0;

  constructor(mesh: Mesh, target: SurfaceSearch, options: DistanceBoundOptions) {
    this.#mesh = mesh;
    this.#target = target;
    this.#options = options;
  }

  run(): DistanceBounds {
    const { positions, indices } = this.#mesh;
    const t = new Float64Array(9);
    let guess = -1;
    for (let face = 0; face < indices.length / 3; face++) {
      if (face % PIECES_PER_REPORT === 0) reportProgress(this.#options, face / indices.length, 'distances');
      for (let c = 0; c < 9; c++) t[c] = positions[3 * indices[3 * face + Math.floor(c / 3)] + (c % 3)];
      guess = this.#examine(t, Infinity, guess);
    }
    this.#refine(t);
    const waiting = this.#heap.size > 0 ? -this.#heap.minKey() : 0;
    const largest = positions.reduce((most, value) => Math.max(most, Math.abs(value)), this.#target.extent);
    const rounding = DISTANCE_ROUNDING * largest;
    return {
      lower: Math.max(0, this.#lower - rounding),
      upper: Math.max(this.#lower, this.#dropped, waiting) + rounding,
    };
  }

  #refine(t: Float64Array): void {
    const { maxPieces = MAX_PIECES } = this.#options;
    const piecePoints = new Float64Array(9);
    let round = 0;
    for (let done = 0; done < maxPieces && this.#heap.size > 0; ) {
      if (round++ % PIECES_PER_REPORT === 0) reportProgress(this.#options, 0.3 + 0.7 * (done / maxPieces), 'distances');
      const upper = -this.#heap.minKey();
      if (upper <= this.#enough()) return;
      const piece = this.#heap.pop();
      const stored = this.#slots[piece];
      const guess = stored < 0 ? ~stored : stored;
      this.#free.push(piece);
      piecePoints.set(this.#pieces.subarray(9 * piece, 9 * piece + 9));
      const parts =
        stored < 0
          ? splitInHalf(piecePoints, this.#parts)
          : splitAlong(piecePoints, this.#target.corners, 9 * guess, this.#parts);
      for (let part = 0; part < parts; part++) {
        t.set(this.#parts.subarray(9 * part, 9 * part + 9));
        this.#examine(t, upper, guess);
      }
      done += parts;
    }
  }

  #enough(): number {
    return Math.max((1 + RELATIVE_GAP) * this.#lower, this.#lower + this.#options.tolerance);
  }

  /** Bounds a piece, and keeps it if it can hold the farthest point. Returns the slot of its nearest triangle. */
  #examine(t: Float64Array, most: number, guess: number): number {
    const cx = (t[0] + t[3] + t[6]) / 3;
    const cy = (t[1] + t[4] + t[7]) / 3;
    const cz = (t[2] + t[5] + t[8]) / 3;
    let radiusSquared = 0;
    for (let c = 0; c < 9; c += 3) {
      radiusSquared = Math.max(radiusSquared, (t[c] - cx) ** 2 + (t[c + 1] - cy) ** 2 + (t[c + 2] - cz) ** 2);
    }
    const target = this.#target;
    let distance = target.distance(cx, cy, cz, guess);
    const { slot } = target.closest;
    const radius = Math.sqrt(radiusSquared);
    if (this.#options.solid === true && distance + radius > this.#lower && target.lastIsInside(cx, cy, cz)) {
      distance = -distance;
    }
    if (distance > this.#lower) this.#lower = distance;
    let farthest = 0;
    for (let c = 0; c < 9; c += 3) {
      nearestOnTriangle(target.corners, 9 * slot, t[c], t[c + 1], t[c + 2], this.#point);
      farthest = Math.max(farthest, this.#point.distanceSquared);
    }
    const upper = Math.max(0, Math.min(most, distance + radius, Math.sqrt(farthest)));
    if (upper <= this.#enough()) this.#dropped = Math.max(this.#dropped, upper);
    else {
      // Halves of a piece far from the limit are decided by their size; others are cut along the nearest triangle.
      const isHalved = distance + 0.5 * radius <= this.#enough();
      this.#keep(t, upper, isHalved ? ~slot : slot);
    }
    return slot;
  }

  #keep(t: Float64Array, upper: number, slot: number): void {
    const piece = this.#free.pop() ?? this.#count++;
    if (9 * piece === this.#pieces.length) {
      this.#pieces = growTo(this.#pieces, 9 * piece + 9);
      this.#slots = growTo(this.#slots, piece + 1);
    }
    this.#pieces.set(t, 9 * piece);
    this.#slots[piece] = slot;
    this.#heap.set(piece, -upper);
  }
}

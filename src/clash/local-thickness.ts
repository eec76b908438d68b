// How deep the surfaces of two solids dip into each other where they overlap: the largest distance of a point of either
// surface, inside the other solid, to that solid's surface. A local measure, beside the way out of the whole. By branch and
// bound: signed distances change by no more than the way between two points, so one at the center of a box or a triangle
// bounds all others there. The bounds are proven up to rounding; the work is counted, so the answer is the same in every run.
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import { triangleBoxes } from '../mesh/triangle/triangle-boxes.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { buildBvh } from '../spatial/build-bvh.js';
import { type Bvh, boxOffset, endSlot, firstSlot, isLeaf, leftChild } from '../spatial/bvh.js';

/** How thick an overlap is at its thickest place. */
export interface LocalThickness {
  readonly lower: number;
  readonly upper: number;
  /** The deepest point found, in A's frame; null where no point of a surface was found inside. */
  readonly point: Vec3 | null;
}

/** Chosen: signed distances computed for one direction of a pair, some 20 µs each. */
const MAX_EVALUATIONS = 1500;

/** Chosen: the gap at which the search ends, as a share of the upper bound. */
const RELATIVE_GAP = 0.1;

/** Rounding: signed distances are off by this share of the coordinates they come from. */
const DISTANCE_ROUNDING = 64 * Number.EPSILON;

/** Measures overlaps; keeps the hierarchies over the triangles of the models. */
export class ThicknessMeasurer {
  readonly #hierarchies = new Map<ProximityModel, Bvh>();

  /**
   * The thickness of the overlap of two solids; null if one of them bounds no solid.
   * @param relative B's pose in A's frame.
   * @param floor the search ends where the overlap is proven to be no thicker than this.
   */
  measure(a: ProximityModel, b: ProximityModel, relative: pose.Pose, floor: number): LocalThickness | null {
    if (!a.closed || !b.closed) return null;
    const ofA = this.#deepest(a, b, pose.invert(relative), floor);
    const ofB = this.#deepest(b, a, relative, Math.max(floor, ofA.lower));
    const inA = ofB.point === null ? null : pose.transformPoint(relative, ofB.point);
    return {
      lower: Math.max(ofA.lower, ofB.lower),
      upper: Math.max(ofA.upper, ofB.upper),
      point: ofB.lower > ofA.lower ? inA : ofA.point,
    };
  }

  /** The deepest point of the surface of `inner` within `outer`, in the frame of `inner`. */
  #deepest(inner: ProximityModel, outer: ProximityModel, placement: pose.Pose, floor: number): LocalThickness {
    return new DepthSearch(inner, this.#hierarchyOf(inner), outer, placement).run(floor);
  }

  #hierarchyOf(model: ProximityModel): Bvh {
    const known = this.#hierarchies.get(model) ?? buildBvh(triangleBoxes(model.mesh));
    this.#hierarchies.set(model, known);
    return known;
  }
}

/** A part of the surface: a node of the hierarchy, or a triangle of nine coordinates. */
interface Piece {
  /** No point of the piece is deeper. */
  readonly bound: number;
  readonly node: number;
  readonly corners: Float64Array | null;
}

class DepthSearch {
  readonly #inner: ProximityModel;
  readonly #bvh: Bvh;
  readonly #outer: ProximityModel;
  /** Takes points of `inner` to the frame of `outer`. */
  readonly #placement: pose.Pose;
  readonly #rounding: number;
  /** A binary heap, the largest bound first. */
  readonly #heap: Piece[] = [];
  #evaluations = 0;
  #best = 0;
  #point: Vec3 | null = null;

  constructor(inner: ProximityModel, bvh: Bvh, outer: ProximityModel, placement: pose.Pose) {
    this.#inner = inner;
    this.#bvh = bvh;
    this.#outer = outer;
    this.#placement = placement;
    const coordinates = [...outer.boxMin, ...outer.boxMax, ...inner.boxMin, ...inner.boxMax, ...placement.slice(0, 3)];
    this.#rounding = DISTANCE_ROUNDING * Math.max(...coordinates.map(Math.abs));
  }

  run(floor: number): LocalThickness {
    this.#pushNode(0);
    let upper = 0;
    for (let piece = this.#pop(); ; piece = this.#pop()) {
      // Nothing is left that could be deeper than the best.
      upper = piece === null ? this.#best : piece.bound;
      const isDone = upper <= Math.max(floor, this.#best + RELATIVE_GAP * upper);
      if (piece === null || isDone || this.#evaluations >= MAX_EVALUATIONS) break;
      if (piece.corners !== null) this.#divide(piece.corners);
      else if (isLeaf(this.#bvh, piece.node)) this.#pushTriangles(piece.node);
      else {
        this.#pushNode(leftChild(this.#bvh, piece.node));
        this.#pushNode(leftChild(this.#bvh, piece.node) + 1);
      }
    }
    return { lower: this.#best, upper: Math.max(upper, this.#best) + this.#rounding, point: this.#point };
  }

  /** How deep a point is in the other solid; negative outside. */
  #depth(point: Vec3): number {
    this.#evaluations++;
    return -this.#outer.signedDistance(pose.transformPoint(this.#placement, point));
  }

  #pushNode(node: number): void {
    const boxes = this.#bvh.nodeBoxes;
    const o = boxOffset(node);
    const center: Vec3 = [0, 0, 0];
    let square = 0;
    for (let axis = 0; axis < 3; axis++) {
      center[axis] = (boxes[o + axis] + boxes[o + 3 + axis]) / 2;
      square += (boxes[o + 3 + axis] - boxes[o + axis]) ** 2 / 4;
    }
    this.#push(this.#depth(center) + Math.sqrt(square), node, null);
  }

  #pushTriangles(node: number): void {
    const { positions, indices } = this.#inner.mesh;
    for (let slot = firstSlot(this.#bvh, node); slot < endSlot(this.#bvh, node); slot++) {
      const triangle = this.#bvh.items[slot];
      const corners = new Float64Array(9);
      for (let k = 0; k < 3; k++) {
        const vertex = 3 * indices[3 * triangle + k];
        corners.set(positions.subarray(vertex, vertex + 3), 3 * k);
        this.#take(corners.slice(3 * k, 3 * k + 3));
      }
      this.#pushTriangle(corners);
    }
  }

  #pushTriangle(corners: Float64Array): void {
    const center: Vec3 = [0, 0, 0];
    for (let i = 0; i < 9; i++) center[i % 3] += corners[i] / 3;
    let radius = 0;
    for (let k = 0; k < 9; k += 3) {
      radius = Math.max(
        radius,
        Math.hypot(corners[k] - center[0], corners[k + 1] - center[1], corners[k + 2] - center[2]),
      );
    }
    this.#push(this.#take(center) + radius, -1, corners);
  }

  /** The depth of a point of the surface. */
  #take(at: ArrayLike<number>): number {
    const point: Vec3 = [at[0], at[1], at[2]];
    const depth = this.#depth(point);
    if (depth > this.#best) {
      this.#best = depth;
      this.#point = point;
    }
    return depth;
  }

  /** Into four triangles, at the middles of the sides. */
  #divide(c: Float64Array): void {
    const middle = (i: number, j: number): number[] => [0, 1, 2].map((k) => (c[3 * i + k] + c[3 * j + k]) / 2);
    const [p, q, r] = [0, 3, 6].map((o) => [c[o], c[o + 1], c[o + 2]]);
    const [pq, qr, rp] = [middle(0, 1), middle(1, 2), middle(2, 0)];
    this.#pushTriangle(Float64Array.of(...p, ...pq, ...rp));
    this.#pushTriangle(Float64Array.of(...pq, ...q, ...qr));
    this.#pushTriangle(Float64Array.of(...rp, ...qr, ...r));
    this.#pushTriangle(Float64Array.of(...pq, ...qr, ...rp));
  }

  #push(bound: number, node: number, corners: Float64Array | null): void {
    if (bound <= this.#best) return;
    const heap = this.#heap;
    let at = heap.push({ bound, node, corners }) - 1;
    for (let up = (at - 1) >> 1; at > 0 && heap[up].bound < heap[at].bound; up = (at - 1) >> 1) {
      [heap[up], heap[at]] = [heap[at], heap[up]];
      at = up;
    }
  }

  #pop(): Piece | null {
    const heap = this.#heap;
    if (heap.length === 0) return null;
    const top = heap[0];
    const last = heap.pop()!;
    if (heap.length === 0) return top;
    heap[0] = last;
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= heap.length) return top;
      if (child + 1 < heap.length && heap[child + 1].bound > heap[child].bound) child++;
      if (heap[child].bound <= heap[at].bound) return top;
      [heap[child], heap[at]] = [heap[at], heap[child]];
      at = child;
    }
  }
}

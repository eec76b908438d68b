// How deep the surfaces of two solids dip into each other where they overlap: the largest distance of a point of either
// surface, inside the other solid, to that solid's surface. A local measure, beside the way out of the whole. By branch and
// bound: signed distances change by no more than the way between two points, so one at the center of a box or a triangle
// bounds all others there; and the distance to one triangle of the other surface is convex, so that of the corners bounds a piece. The bounds are proven up to rounding; the work is counted, so the answer is the same in every run.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { SolidQuery } from '../../mesh/query/solid-query.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { OUTWARD_SURFACE, POINT_QUERY } from '../../proximity/model-parts.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { type Bvh, endSlot, firstSlot, isLeaf, leftChild } from '../../spatial/bvh.js';
import { ballOfNode, ballOfTriangle } from './piece-balls.js';
import { PieceHeap } from './piece-heap.js';

/** How thick an overlap is at its thickest place. */
export interface LocalThickness {
  readonly lower: number;
  readonly upper: number;
  /** The deepest point found, in A's frame; null where no point of a surface was found inside. */
  readonly point: Vec3 | null;
}

/** Chosen: the gap at which the search ends, as a share of the upper bound. */
const RELATIVE_GAP = 0.1;

/** Rounding: signed distances are off by this share of the coordinates they come from. */
const DISTANCE_ROUNDING = 64 * Number.EPSILON;

/** Measures overlaps; keeps the hierarchies over the triangles of the models. */
export class ThicknessMeasurer {
  readonly #hierarchies = new Map<ProximityModel, Bvh>();

  /**
   * The thickness of the overlap of two models. What is inside an open one is judged by winding numbers: the bounds are then
   * estimates.
   * @param relative B's pose in A's frame.
   * @param floor the search ends where the overlap is proven to be no thicker than this.
   * @param maxEvaluations signed distances for each of the two surfaces, some 20 µs each.
   */
  measure(
    a: ProximityModel,
    b: ProximityModel,
    relative: pose.Pose,
    floor: number,
    maxEvaluations: number,
  ): LocalThickness {
    const deepest = (inner: ProximityModel, outer: ProximityModel, placement: pose.Pose, from: number) =>
      new DepthSearch(inner, this.#hierarchyOf(inner), outer, placement, maxEvaluations).run(from);
    const ofA = deepest(a, b, pose.invert(relative), floor);
    const ofB = deepest(b, a, relative, Math.max(floor, ofA.lower));
    const inA = ofB.point === null ? null : pose.transformPoint(relative, ofB.point);
    return {
      lower: Math.max(ofA.lower, ofB.lower),
      upper: Math.max(ofA.upper, ofB.upper),
      point: ofB.lower > ofA.lower ? inA : ofA.point,
    };
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

/** The deepest point of the surface of `inner` within `outer`, in the frame of `inner`. */
class DepthSearch {
  readonly #inner: ProximityModel;
  readonly #bvh: Bvh;
  readonly #outer: ProximityModel;
  /** Takes points of `inner` to the frame of `outer`. */
  readonly #placement: pose.Pose;
  readonly #rounding: number;
  readonly #query: SolidQuery;
  /** The mesh that the query is over. */
  readonly #outerMesh: Mesh;
  readonly #near = new Float64Array(9);
  readonly #nearest = new TrianglePoint();
  readonly #heap = new PieceHeap<Piece>();
  readonly #maxEvaluations: number;
  #evaluations = 0;
  #best = 0;
  #point: Vec3 | null = null;

  constructor(inner: ProximityModel, bvh: Bvh, outer: ProximityModel, placement: pose.Pose, maxEvaluations: number) {
    this.#maxEvaluations = maxEvaluations;
    this.#inner = inner;
    this.#bvh = bvh;
    this.#outer = outer;
    this.#query = outer.parts.get(POINT_QUERY);
    this.#outerMesh = outer.parts.get(OUTWARD_SURFACE).mesh;
    this.#placement = placement;
    const coordinates = [...outer.boxMin, ...outer.boxMax, ...inner.boxMin, ...inner.boxMax, ...placement.slice(0, 3)];
    this.#rounding = DISTANCE_ROUNDING * Math.max(...coordinates.map(Math.abs));
  }

  run(floor: number): LocalThickness {
    this.#pushNode(0);
    let upper = 0;
    for (let piece = this.#heap.pop(); ; piece = this.#heap.pop()) {
      // Nothing is left that could be deeper than the best.
      upper = piece === null ? this.#best : piece.bound;
      const isDone = upper <= Math.max(floor, this.#best + RELATIVE_GAP * upper);
      if (piece === null || isDone || this.#evaluations >= this.#maxEvaluations) break;
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
    const placed = pose.transformPoint(this.#placement, point);
    const distance = this.#outer.signedDistance(placed);
    if (this.#outer.closed) return -distance;
    return this.#query.isInside(placed) ? distance : -distance;
  }

  #pushNode(node: number): void {
    const { center, radius } = ballOfNode(this.#bvh, node);
    this.#push(this.#depth(center) + radius, node, null);
  }

  #pushTriangles(node: number): void {
    const { positions, indices } = this.#inner.mesh;
    for (let slot = firstSlot(this.#bvh, node); slot < endSlot(this.#bvh, node); slot++) {
      const triangle = this.#bvh.items[slot];
      const corners = new Float64Array(9);
      for (let k = 0; k < 3; k++) {
        const vertex = 3 * indices[3 * triangle + k];
        corners.set(positions.subarray(vertex, vertex + 3), 3 * k);
      }
      const bound = this.#pushTriangle(corners);
      for (let k = 0; k < 9 && bound > this.#best; k += 3) this.#take(corners.slice(k, k + 3));
    }
  }

  /** Returns the bound of the triangle. */
  #pushTriangle(corners: Float64Array): number {
    const { center, radius } = ballOfTriangle(corners);
    const byCenter = this.#take(center) + radius;
    const bound = Math.min(byCenter, this.#toOneTriangle(corners, this.#query.lastTriangle));
    this.#push(bound, -1, corners);
    return bound;
  }

  /** The largest distance of a piece to one triangle of the other surface: convex, so that it is that of a corner. */
  #toOneTriangle(corners: Float64Array, triangle: number): number {
    const { positions, indices } = this.#outerMesh;
    const at = this.#near;
    for (let k = 0; k < 3; k++)
      at.set(positions.subarray(3 * indices[3 * triangle + k], 3 * indices[3 * triangle + k] + 3), 3 * k);
    let largest = 0;
    for (let k = 0; k < 9; k += 3) {
      const [x, y, z] = pose.transformPoint(this.#placement, [corners[k], corners[k + 1], corners[k + 2]]);
      nearestOnTriangle(at, 0, x, y, z, this.#nearest);
      largest = Math.max(largest, this.#nearest.distanceSquared);
    }
    return Math.sqrt(largest);
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

  /** Into two triangles, at the middle of the longest side: facets of cylinders are long and thin. */
  #divide(c: Float64Array): void {
    const side = (i: number, j: number): number =>
      Math.hypot(c[3 * i] - c[3 * j], c[3 * i + 1] - c[3 * j + 1], c[3 * i + 2] - c[3 * j + 2]);
    const sides = [side(0, 1), side(1, 2), side(2, 0)];
    const i = sides.indexOf(Math.max(...sides));
    const j = (i + 1) % 3;
    for (const replaced of [i, j]) {
      const half = c.slice();
      for (let k = 0; k < 3; k++) half[3 * replaced + k] = (c[3 * i + k] + c[3 * j + k]) / 2;
      this.#pushTriangle(half);
    }
  }

  #push(bound: number, node: number, corners: Float64Array | null): void {
    if (bound > this.#best) this.#heap.push(bound, { bound, node, corners });
  }
}

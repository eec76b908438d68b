// What a pair of triangles means for a query of two surfaces: the first within the limit answers it, or the nearest does.
// Searches over boxes give it pairs in any order and read the threshold, beyond which pairs cannot change the answer.
import type { Mesh } from '../../mesh/mesh.js';
import { TriangleDistance } from '../../mesh/triangle/triangle-distance.js';
import { trianglesMeet } from '../../mesh/triangle/triangles-meet.js';
import { clearOutcome, createOutcome } from '../surface-search.js';
import type { CrossingTest, NearTest } from './box-kernel.js';
import type { BoxTree } from './box-tree.js';
import { slackOf } from './placed-box.js';

/** Judges pairs of triangles, for one query at a time. */
export class TriangleJudge implements CrossingTest, NearTest {
  readonly outcome = createOutcome();
  /** Measures two triangles; it keeps those measured last. */
  readonly triangles = new TriangleDistance();
  /** Pairs beyond this cannot change the answer. */
  threshold = 0;
  /** The query has its answer. */
  ended = false;
  /** Rounding of the coordinates. */
  slack = 0;
  #placement: Float64Array = new Float64Array(12);
  /** Any pair within the limit is the answer. */
  #first = false;
  #limit = 0;
  #absoluteError = 0;
  #relativeError = 0;
  /** The corners of a triangle of B in A's frame. */
  readonly #q = new Float64Array(9);
  readonly #a: BoxTree;
  readonly #b: BoxTree;

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
  }

  /** Begins a query: for any pair within the limit (`first`), or for the nearest. */
  begin(placement: Float64Array, first: boolean, limit: number, absoluteError: number, relativeError: number): void {
    this.#placement = placement;
    this.slack = slackOf(this.#a, this.#b, placement);
    this.#first = first;
    this.#limit = limit;
    this.#absoluteError = absoluteError;
    this.#relativeError = relativeError;
    this.threshold = limit;
    this.ended = false;
    clearOutcome(this.outcome);
  }

  /** Ends a query whose search is over. */
  finish(): void {
    this.outcome.lowerBound = Math.min(this.threshold, this.outcome.distance);
  }

  /** Whether two triangles have a point in common, exactly; if so they are the answer. */
  cross(triangleA: number, triangleB: number): boolean {
    this.#placeTriangle(triangleB);
    const { positions, indices } = this.#a.mesh;
    const { outcome } = this;
    const i = 3 * triangleA;
    outcome.trianglePairs++;
    if (!trianglesMeet(positions, 3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2], this.#q, 0, 3, 6))
      return false;
    outcome.distance = 0;
    outcome.triangleA = triangleA;
    outcome.triangleB = triangleB;
    this.threshold = 0;
    this.ended = true;
    return true;
  }

  /** Measures two triangles; returns the threshold, negative when the search has its answer. */
  judge(triangleA: number, triangleB: number): number {
    if (this.outcome.triangleA >= 0 && this.#areBeyond(triangleA, triangleB)) this.outcome.trianglePairs++;
    else this.measure(triangleA, triangleB);
    return this.ended ? -1 : this.threshold;
  }

  /**
   * Whether two triangles are farther apart than the threshold along the line of the nearest points so far. Around those
   * points most triangles are, as surfaces that are convex there have a slab of that width between them.
   */
  #areBeyond(triangleA: number, triangleB: number): boolean {
    const { pointA, pointB } = this.outcome;
    let x = pointB[0] - pointA[0];
    let y = pointB[1] - pointA[1];
    let z = pointB[2] - pointA[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return false;
    x /= length;
    y /= length;
    z /= length;
    const m = this.#placement;
    const { mesh: meshA } = this.#a;
    const { mesh: meshB } = this.#b;
    const high = extentAlong(meshA, triangleA, x, y, z);
    // The direction in B's frame, from B to A: the farthest corner that way is the lowest along the line.
    const u = -(m[0] * x + m[4] * y + m[8] * z);
    const v = -(m[1] * x + m[5] * y + m[9] * z);
    const w = -(m[2] * x + m[6] * y + m[10] * z);
    const low = x * m[3] + y * m[7] + z * m[11] - extentAlong(meshB, triangleB, u, v, w);
    // The threshold is lower than the distance by up to eight times the slack. Only pairs that are farther than the nearest
    // are ruled out, so that the answer is the same to the last bit.
    return low - high - 16 * this.slack > this.threshold;
  }

  /** Evaluates two triangles for the query. Returns their distance. */
  measure(triangleA: number, triangleB: number): number {
    this.#placeTriangle(triangleB);
    const { positions, indices } = this.#a.mesh;
    const { outcome } = this;
    const triangles = this.triangles;
    const q = this.#q;
    const i = 3 * triangleA;
    const p0 = 3 * indices[i];
    const p1 = 3 * indices[i + 1];
    const p2 = 3 * indices[i + 2];
    outcome.trianglePairs++;
    triangles.beyond = Math.min(outcome.distance, this.#limit);
    const distance = Math.sqrt(triangles.measure(positions, p0, p1, p2, q, 0, 3, 6));
    if (distance > this.#limit || distance >= outcome.distance) return distance;
    outcome.distance = distance;
    outcome.triangleA = triangleA;
    outcome.triangleB = triangleB;
    for (let k = 0; k < 3; k++) {
      outcome.pointA[k] = triangles.pointA[k];
      outcome.pointB[k] = triangles.pointB[k];
    }
    outcome.regionA = triangles.regionA;
    outcome.regionB = triangles.regionB;
    if (this.#first || distance === 0) this.ended = true;
    const threshold = Math.max(0, Math.min(distance - this.#absoluteError, distance / (1 + this.#relativeError)));
    // Bounds are lowered by the slack; pairs at the same distance, as between parallel faces, need not be searched.
    const { slack } = this;
    this.threshold = threshold > 16 * slack ? threshold - 8 * slack : threshold;
    return distance;
  }

  /** Transforms the corners of a triangle of B into A's frame, always by the same operations. */
  #placeTriangle(triangle: number): void {
    const { positions, indices } = this.#b.mesh;
    const q = this.#q;
    const m = this.#placement;
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * triangle + k];
      const x = positions[v];
      const y = positions[v + 1];
      const z = positions[v + 2];
      q[3 * k] = m[0] * x + m[1] * y + m[2] * z + m[3];
      q[3 * k + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
      q[3 * k + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    }
  }
}

/** How far a triangle reaches along a direction. */
function extentAlong({ positions, indices }: Mesh, triangle: number, x: number, y: number, z: number): number {
  let most = -Infinity;
  for (let k = 3 * triangle; k < 3 * triangle + 3; k++) {
    const at = 3 * indices[k];
    const along = x * positions[at] + y * positions[at + 1] + z * positions[at + 2];
    if (along > most) most = along;
  }
  return most;
}

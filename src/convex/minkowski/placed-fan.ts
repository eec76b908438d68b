// Normal fans transformed for a sum: made when a node is first used, moved again when the placement changes. O(vertices
// + facets × a short walk) per node and placement; nothing is allocated once a node is known.
import type { ConvexSet } from '../closest/convex-set.js';
import { buildNormalFan, type NormalFan, shareNormalFans } from './normal-fan.js';

/**
 * Chosen: with up to this many vertices all are scanned for the farthest: that avoids a walk's chain of dependent
 * loads.
 */
const SCAN_VERTICES = 16;

/** Rounding: a ball around points is enlarged by this share of their coordinates. */
const BALL_ROUNDING = 1e-15;

/** A fan at its current placement. */
export class PlacedFan {
  readonly fan: NormalFan;
  /** The vertices and the normals, moved. */
  readonly points: Float64Array;
  readonly normals: Float64Array;
  /** How far the polyhedron reaches along each normal. */
  readonly offsets: Float64Array;
  /** The center of a ball around it, its radius, and the largest distance of a point from the origin of the frame. */
  readonly center = new Float64Array(3);
  radius = 0;
  magnitude = 0;
  /** The number of the placement. */
  stamp = -1;

  constructor(fan: NormalFan) {
    this.fan = fan;
    this.points = new Float64Array(fan.points.length);
    this.normals = new Float64Array(fan.normals.length);
    this.offsets = new Float64Array(fan.normals.length / 3);
  }

  /** Transforms the fan by a row-major 3 × 4 matrix: a rotation, or minus the identity. */
  move(m: Float64Array): void {
    const { fan, points, normals, offsets, center } = this;
    for (let i = 0; i < points.length; i += 3) {
      const x = fan.points[i];
      const y = fan.points[i + 1];
      const z = fan.points[i + 2];
      points[i] = m[0] * x + m[1] * y + m[2] * z + m[3];
      points[i + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
      points[i + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    }
    for (let i = 0; i < normals.length; i += 3) {
      const x = fan.normals[i];
      const y = fan.normals[i + 1];
      const z = fan.normals[i + 2];
      normals[i] = m[0] * x + m[1] * y + m[2] * z;
      normals[i + 1] = m[4] * x + m[5] * y + m[6] * z;
      normals[i + 2] = m[8] * x + m[9] * y + m[10] * z;
      const top = 3 * this.findSupport(fan.normalVertices[i / 3], normals[i], normals[i + 1], normals[i + 2]);
      offsets[i / 3] = points[top] * normals[i] + points[top + 1] * normals[i + 1] + points[top + 2] * normals[i + 2];
    }
    let largest = 0;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = axis; i < points.length; i += 3) {
        if (points[i] < low) low = points[i];
        if (points[i] > high) high = points[i];
      }
      center[axis] = low + (high - low) / 2;
      largest = Math.max(largest, -low, high);
    }
    let squared = 0;
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i] - center[0];
      const y = points[i + 1] - center[1];
      const z = points[i + 2] - center[2];
      squared = Math.max(squared, x * x + y * y + z * z);
    }
    this.magnitude = largest;
    this.radius = Math.sqrt(squared) + BALL_ROUNDING * largest;
  }

  /** The vertex farthest along a direction, by walking uphill from one if there are many. */
  findSupport(from: number, x: number, y: number, z: number): number {
    const { points, fan } = this;
    // A polygon's vertex may lie within an edge, where a walk across the edge would end.
    if (points.length > 3 * SCAN_VERTICES && fan.dimension === 3) {
      const { ringStart, ringVertices } = fan;
      let top = from;
      // Each move goes higher; rounding could otherwise loop.
      for (let moves = 3 * ringStart.length; moves > 0; moves--) {
        const tx = points[3 * top];
        const ty = points[3 * top + 1];
        const tz = points[3 * top + 2];
        let steepest = 0;
        let next = -1;
        for (let i = ringStart[top]; i < ringStart[top + 1]; i++) {
          const p = 3 * ringVertices[i];
          const rise = (points[p] - tx) * x + (points[p + 1] - ty) * y + (points[p + 2] - tz) * z;
          if (rise > steepest) {
            steepest = rise;
            next = ringVertices[i];
          }
        }
        if (next < 0) return top;
        top = next;
      }
    }
    let best = from;
    let highest = points[3 * from] * x + points[3 * from + 1] * y + points[3 * from + 2] * z;
    for (let p = 0, v = 0; p < points.length; p += 3, v++) {
      const height = points[p] * x + points[p + 1] * y + points[p + 2] * z;
      if (height > highest) {
        highest = height;
        best = v;
      }
    }
    return best;
  }
}

/** The fans of a set's nodes, placed together. */
export class PlacedFans {
  readonly set: ConvexSet;
  readonly #classes: ArrayLike<number> | undefined;
  readonly #known: (NormalFan | undefined)[];
  readonly #fans: (PlacedFan | undefined)[];
  readonly #placement = new Float64Array(12).fill(NaN);
  #stamp = 0;

  constructor(set: ConvexSet, classes?: ArrayLike<number>) {
    this.set = set;
    this.#classes = classes;
    this.#known = shareNormalFans(set, classes);
    this.#fans = new Array(set.vertexStart.length - 1).fill(undefined);
  }

  /** Sets the placement of nodes used from now on: row-major 3 × 4. */
  place(placement: Float64Array): void {
    const own = this.#placement;
    let same = true;
    for (let i = 0; i < 12; i++) {
      if (own[i] === placement[i]) continue;
      own[i] = placement[i];
      same = false;
    }
    if (!same) this.#stamp++;
  }

  /** A node at the current placement. */
  get(node: number): PlacedFan {
    let placed = this.#fans[node];
    if (placed === undefined) {
      const fan = this.#known[node] ?? buildNormalFan(this.set, node, this.#classes);
      this.#known[node] = fan;
      placed = new PlacedFan(fan);
      this.#fans[node] = placed;
    }
    if (placed.stamp !== this.#stamp) {
      placed.move(this.#placement);
      placed.stamp = this.#stamp;
    }
    return placed;
  }
}

// One of the two polyhedra of a march: its arrays, its current feature, and the descent test: can this side's point
// move over its surface, away from the feature, so that the distance to the other side's point decreases?
import type { ConvexSet } from './convex-set.js';
import { EDGE, FACE, VERTEX } from './feature.js';

/**
 * Rounding: slopes below the root of this, 1e-14, count as flat: the remaining gain is at most that share of the
 * polyhedron's size.
 */
const SLOPE_SQUARED = 1e-28;

/** Chosen: slopes are uncertain up to ten times the one of {@link SLOPE_SQUARED}; the factor is squared. */
const UNCERTAIN = 100;

/**
 * Chosen: a ring of neighbors is level if it falls by up to a thousand times the slope of {@link SLOPE_SQUARED}; the
 * factor is squared.
 */
const LEVEL_RING = 1e6;

/** Label: the feature is optimal for the direction. */
export const HELD = 0;
/** Label: the feature grew by a neighbor that lies further along the direction. */
export const GROWN = 1;
/** Label: the direction points into the solid through the facet that the feature lies within. */
export const INWARD = 2;

/** A node of a set with the march's feature on it. */
export class MarchSide {
  node = 0;
  positions: Float64Array = new Float64Array(0);
  halfEdgeVertices: Uint32Array = new Uint32Array(0);
  twins: Uint32Array = new Uint32Array(0);
  nodeFaces: Uint32Array = new Uint32Array(0);
  facePlanes: Float64Array = new Float64Array(0);
  /** Whether the node is a polygon with two sides: no direction points into it. */
  flat = false;
  /** The feature: kind and half-edge, as in a code of feature.ts. */
  kind = VERTEX;
  halfEdge = 0;
  /**
   * Whether the last {@link grow} held the feature though a neighbor is level with it within rounding: beyond a sliver,
   * or across a facet, the surface may still rise.
   */
  unsure = false;
  // The direction that grow tests, in this side's frame; in fields, because arguments would be boxed at every call.
  dx = 0;
  dy = 0;
  dz = 0;
  /** The other side in this side's frame, row-major 3 × 4. */
  readonly placement = new Float64Array(12);

  load(set: ConvexSet, node: number): void {
    this.node = node;
    this.positions = set.positions;
    this.halfEdgeVertices = set.halfEdgeVertices;
    this.twins = set.twins;
    this.nodeFaces = set.nodeFaces;
    this.facePlanes = set.facePlanes;
    this.flat = set.flatNodes[node] !== 0;
  }

  /**
   * Grows the feature by one dimension, by the steepest neighbor, if that reaches further along the direction. The
   * direction points to the other side and is orthogonal to the feature.
   */
  grow(): number {
    this.unsure = false;
    if (this.kind === VERTEX) return this.#growVertex();
    return this.kind === EDGE ? this.#growEdge() : HELD;
  }

  #growVertex(): number {
    const { positions, halfEdgeVertices, twins, dx, dy, dz } = this;
    const start = this.halfEdge;
    const v = 3 * halfEdgeVertices[start];
    const x = positions[v];
    const y = positions[v + 1];
    const z = positions[v + 2];
    const flat = SLOPE_SQUARED * (dx * dx + dy * dy + dz * dz);
    let steepest = flat;
    let deepest = 0;
    let highest = -Infinity;
    let highestWay = 0;
    let way = 0;
    let found = -1;
    let h = start;
    // A permutation of the half-edges, as in climbSupport: it comes back to the start.
    do {
      const previous = h % 3 === 0 ? h + 2 : h - 1;
      const u = 3 * halfEdgeVertices[previous];
      const ex = positions[u] - x;
      const ey = positions[u + 1] - y;
      const ez = positions[u + 2] - z;
      const rise = ex * dx + ey * dy + ez * dz;
      way = ex * ex + ey * ey + ez * ez;
      h = twins[previous];
      if (rise > highest) {
        highest = rise;
        highestWay = way;
      }
      if (rise < deepest) deepest = rise;
      else if (rise > 0 && rise * rise > steepest * way) {
        steepest = (rise * rise) / way;
        found = h;
      }
    } while (h !== start);
    if (found >= 0) {
      this.kind = EDGE;
      this.halfEdge = found;
      return GROWN;
    }
    this.unsure = highest * highest <= UNCERTAIN * flat * highestWay;
    if (this.flat || deepest * deepest > LEVEL_RING * flat * way) return HELD;
    // A vertex within a facet: its ring does not tell on which side of the facet the direction is.
    return this.#alongNormal(start) < 0 ? INWARD : HELD;
  }

  #growEdge(): number {
    const { dx, dy, dz } = this;
    const here = this.halfEdge;
    const beyond = this.twins[here];
    const squared = dx * dx + dy * dy + dz * dz;
    const slope = this.#slopeInto(here);
    const slopeBeyond = this.#slopeInto(beyond);
    if (!(slope > SLOPE_SQUARED * squared || slopeBeyond > SLOPE_SQUARED * squared)) {
      const level = -UNCERTAIN * SLOPE_SQUARED * squared;
      this.unsure = slope >= level || slopeBeyond >= level;
      if (this.flat) return HELD;
      // Neither face rises. Between two faces of one facet that also holds from behind.
      const ahead = this.#alongNormal(here) + this.#alongNormal(beyond);
      return ahead < 0 && ahead * ahead > squared ? INWARD : HELD;
    }
    this.kind = FACE;
    if (slopeBeyond > slope) this.halfEdge = beyond;
    return GROWN;
  }

  /** The direction along the normal of a half-edge's face. */
  #alongNormal(halfEdge: number): number {
    const { facePlanes, dx, dy, dz } = this;
    const plane = 4 * this.nodeFaces[(halfEdge / 3) | 0];
    return facePlanes[plane] * dx + facePlanes[plane + 1] * dy + facePlanes[plane + 2] * dz;
  }

  /** The square of the direction's rise towards the corner opposite a half-edge, by the way's square; negative for a fall. */
  #slopeInto(halfEdge: number): number {
    const { positions, halfEdgeVertices, dx, dy, dz } = this;
    const a = 3 * halfEdgeVertices[halfEdge];
    const w = 3 * halfEdgeVertices[halfEdge % 3 === 0 ? halfEdge + 2 : halfEdge - 1];
    const ex = positions[w] - positions[a];
    const ey = positions[w + 1] - positions[a + 1];
    const ez = positions[w + 2] - positions[a + 2];
    const rise = ex * dx + ey * dy + ez * dz;
    return (rise * Math.abs(rise)) / (ex * ex + ey * ey + ez * ez);
  }
}

// The planes of sums {b − a} of convex polyhedra from their normal fans: a facet of either with the farthest vertex of
// the other, and pairs of edges whose arcs cross, found by following each arc of B through the regions of −A's vertices,
// as in a parametric linear program. O(facets of the sum × a vertex's neighbors); allocates only when arrays grow.
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { copyInto } from '../../core/grow-array.js';
import type { ConvexSet } from '../closest/convex-set.js';
import { EDGE, encodeFeature, FACE, VERTEX } from '../closest/feature.js';
import { addFlatWalls } from './minkowski-walls.js';
import { type PlacedFan, PlacedFans } from './placed-fan.js';

/**
 * Rounding: vertices within this share of the coordinates below a facet's plane count as in it; a plane of two edges
 * that would be that close to the facet is left out. About eight half-ulps, as much as placing causes.
 */
const IN_PLACED_FACET = 1e-15;

/**
 * Rounding: edges at a smaller angle (its sine, squared) use the normal of the arc, because their cross product is
 * noise; the sine is 1e-13.
 */
const PARALLEL_SQUARED = 1e-26;

/** −A, to which B is added. */
const NEGATED = Float64Array.of(-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0);

/** Options of {@link MinkowskiSums}. */
export interface MinkowskiSumsOptions {
  /**
   * A class for each face record of A. Coplanar faces are one facet, named after the first of the lowest class.
   */
  readonly classesA?: ArrayLike<number> | undefined;
  /** The same for B. */
  readonly classesB?: ArrayLike<number> | undefined;
}

const SUMS_OPTIONS = optionTable<MinkowskiSumsOptions>()({
  classesA: checkedElsewhere(),
  classesB: checkedElsewhere(),
});

/**
 * Sums {b − a} of convex nodes in flat, growing arrays; planes only, which is all that rays need. Arrays may be longer
 * than their used part and are replaced when they grow. If kept between queries, it reuses the data of known nodes.
 */
export class MinkowskiSums {
  /** How many sums there are. */
  count = 0;
  /** The facets of sum i are `planeStart[i]` up to before `planeStart[i + 1]`. */
  planeStart = new Uint32Array(65);
  /**
   * Four numbers per facet: the unit outward normal n and the offset c: n·t ≤ c for all t of the sum, equal for some.
   * In no order. Every facet of the sum is included; some planes may be repeated, or touch the sum in less than a facet.
   */
  planes = new Float64Array(4 * 1024);
  /**
   * The feature of A behind each facet, see feature.ts: (vertex of A, face of B), (face, vertex) or (edge, edge). Sums
   * of two parallel flat nodes also have walls: (vertex, edge), (edge, vertex), or two vertices.
   */
  featuresA = new Int32Array(1024);
  /** The same for B. */
  featuresB = new Int32Array(1024);
  /** Four numbers per sum: the center and the radius of a ball around it. */
  spheres = new Float64Array(4 * 64);

  readonly #options: MinkowskiSumsOptions;
  readonly #knownA = new Map<ConvexSet, PlacedFans>();
  readonly #knownB = new Map<ConvexSet, PlacedFans>();
  #fansA: PlacedFans | null = null;
  #fansB: PlacedFans | null = null;
  #facets = 0;
  /** The vertex of −A farthest along each normal of B. */
  #supports = new Uint32Array(256);

  /** No sums yet. */
  constructor(options: MinkowskiSumsOptions = {}) {
    SUMS_OPTIONS.assert(options);
    this.#options = options;
  }

  /** How many facets all sums have. */
  get facetCount(): number {
    return this.#facets;
  }

  /** Removes the sums; the data of nodes stays. */
  clear(): void {
    this.count = 0;
    this.#facets = 0;
  }

  /**
   * Adds the sum of two nodes.
   * @param placement B in A's frame, row-major 3 × 4. Nodes of B are moved only when it changes.
   * @returns The index of the sum.
   */
  add(setA: ConvexSet, nodeA: number, setB: ConvexSet, nodeB: number, placement: Float64Array): number {
    const sum = this.count++;
    if (this.#fansA?.set !== setA) {
      this.#fansA = knownFans(this.#knownA, setA, this.#options.classesA);
      this.#fansA.place(NEGATED);
    }
    if (this.#fansB?.set !== setB) this.#fansB = knownFans(this.#knownB, setB, this.#options.classesB);
    this.#fansB.place(placement);
    const a = this.#fansA.get(nodeA);
    const b = this.#fansB.get(nodeB);
    if (sum + 2 > this.planeStart.length) this.planeStart = copyInto(this.planeStart, new Uint32Array(2 * sum + 2));
    if (4 * sum + 4 > this.spheres.length) this.spheres = copyInto(this.spheres, new Float64Array(8 * sum + 8));
    this.planeStart[sum] = this.#facets;
    for (let axis = 0; axis < 3; axis++) this.spheres[4 * sum + axis] = a.center[axis] + b.center[axis];
    this.spheres[4 * sum + 3] = a.radius + b.radius + IN_PLACED_FACET * (a.magnitude + b.magnitude);

    this.#addFacetsOfA(a, b);
    this.#addFacetsOfB(a, b);
    this.#addEdgePairs(a, b);
    if (a.fan.dimension < 3 && b.fan.dimension < 3) {
      addFlatWalls(a, b, (x, y, z, featureA, featureB) => {
        this.#put(x, y, z, this.#reach(a, 0, x, y, z) + this.#reach(b, 0, x, y, z), featureA, featureB);
      });
    }
    this.planeStart[sum + 1] = this.#facets;
    return sum;
  }

  /** Faces of A with vertices of B. */
  #addFacetsOfA({ fan, normals, offsets }: PlacedFan, b: PlacedFan): void {
    const { facetCount, normalsBefore, facetHandles } = fan;
    const { points } = b;
    this.#reserveSupports(facetCount);
    const supports = this.#supports;
    supports[0] = 0;
    for (let f = 0; f < facetCount; f++) {
      const x = normals[3 * f];
      const y = normals[3 * f + 1];
      const z = normals[3 * f + 2];
      const top = b.findSupport(supports[normalsBefore[f]], x, y, z);
      supports[f] = top;
      const c = offsets[f] + (points[3 * top] * x + points[3 * top + 1] * y + points[3 * top + 2] * z);
      this.#put(x, y, z, c, 4 * facetHandles[f] + FACE, 4 * b.fan.vertexHandles[top] + VERTEX);
    }
  }

  /** Faces of B with vertices of A; records the farthest vertex along every normal of B. */
  #addFacetsOfB(a: PlacedFan, { fan, normals, offsets }: PlacedFan): void {
    const { facetCount, normalsBefore, facetHandles } = fan;
    const { points } = a;
    const count = offsets.length;
    this.#reserveSupports(count);
    const supports = this.#supports;
    supports[0] = 0;
    for (let f = 0; f < count; f++) {
      const x = normals[3 * f];
      const y = normals[3 * f + 1];
      const z = normals[3 * f + 2];
      const top = a.findSupport(supports[normalsBefore[f]], x, y, z);
      supports[f] = top;
      if (f >= facetCount) continue;
      const c = offsets[f] + (points[3 * top] * x + points[3 * top + 1] * y + points[3 * top + 2] * z);
      this.#put(x, y, z, c, 4 * a.fan.vertexHandles[top] + VERTEX, 4 * facetHandles[f] + FACE);
    }
  }

  /** Edges of A with edges of B. An arc between two normals with the same vertex of −A crosses no arc of −A. */
  #addEdgePairs(a: PlacedFan, b: PlacedFan): void {
    const { arcNormals, arcHandles } = b.fan;
    const supports = this.#supports;
    for (let arc = 0; arc < arcHandles.length; arc++) {
      const first = supports[arcNormals[2 * arc]];
      const last = supports[arcNormals[2 * arc + 1]];
      if (first !== last) this.#followArc(a, b, arc, first, last);
    }
  }

  /** Walks from the vertex of −A that is farthest along an arc's first normal to that of its second. */
  #followArc(a: PlacedFan, b: PlacedFan, arc: number, first: number, last: number): void {
    const { ringStart, ringVertices, ringHandles } = a.fan;
    const { points } = a;
    const { normals } = b;
    const p = 3 * b.fan.arcNormals[2 * arc];
    const q = 3 * b.fan.arcNormals[2 * arc + 1];
    const mx = normals[p];
    const my = normals[p + 1];
    const mz = normals[p + 2];
    const nx = normals[q];
    const ny = normals[q + 1];
    const nz = normals[q + 2];
    let at = first;
    for (let moves = ringStart.length; moves > 0; moves--) {
      const x = points[3 * at];
      const y = points[3 * at + 1];
      const z = points[3 * at + 2];
      let soonest = 1;
      let next = -1;
      for (let i = ringStart[at]; i < ringStart[at + 1]; i++) {
        const w = 3 * ringVertices[i];
        const dx = points[w] - x;
        const dy = points[w + 1] - y;
        const dz = points[w + 2] - z;
        const end = dx * nx + dy * ny + dz * nz;
        // Farther than this vertex somewhere before the arc's end.
        if (!(end > 0)) continue;
        const begin = dx * mx + dy * my + dz * mz;
        const when = begin < 0 ? begin / (begin - end) : 0;
        if (when < soonest && end > begin) {
          soonest = when;
          next = i;
        }
      }
      if (next < 0) break;
      this.#tryPair(a, b, arc, at, ringVertices[next], ringHandles[next], soonest);
      at = ringVertices[next];
      if (at === last) return;
    }
    this.#endArc(a, b, arc, at, last);
  }

  /** A walk ended at another vertex than expected: one as far along the second normal, or the walk went wrong. */
  #endArc(a: PlacedFan, b: PlacedFan, arc: number, at: number, last: number): void {
    const { points, fan } = a;
    const q = b.fan.arcNormals[2 * arc + 1];
    const rise =
      (points[3 * last] - points[3 * at]) * b.normals[3 * q] +
      (points[3 * last + 1] - points[3 * at + 1]) * b.normals[3 * q + 1] +
      (points[3 * last + 2] - points[3 * at + 2]) * b.normals[3 * q + 2];
    const lost = Math.abs(rise) > IN_PLACED_FACET * a.magnitude;
    // All within rounding of a facet that the sum already has.
    if (!lost && q < b.fan.facetCount) return;
    for (let v = 0; v + 1 < fan.ringStart.length; v++) {
      for (let i = fan.ringStart[v]; i < fan.ringStart[v + 1]; i++) {
        if (fan.ringVertices[i] > v) this.#tryCrossing(a, b, arc, v, fan.ringVertices[i], fan.ringHandles[i]);
      }
    }
  }

  /** Adds the plane of an edge of A and an arc's edge if the arcs cross, or may within rounding. */
  #tryCrossing(a: PlacedFan, b: PlacedFan, arc: number, v: number, w: number, handle: number): void {
    const { points } = a;
    const p = 3 * b.fan.arcNormals[2 * arc];
    const q = 3 * b.fan.arcNormals[2 * arc + 1];
    const { normals } = b;
    const dx = points[3 * w] - points[3 * v];
    const dy = points[3 * w + 1] - points[3 * v + 1];
    const dz = points[3 * w + 2] - points[3 * v + 2];
    const begin = dx * normals[p] + dy * normals[p + 1] + dz * normals[p + 2];
    const end = dx * normals[q] + dy * normals[q + 1] + dz * normals[q + 2];
    const tie = IN_PLACED_FACET * a.magnitude;
    if ((begin > tie && end > tie) || (begin < -tie && end < -tie)) return;
    const when = begin === end ? 0.5 : Math.min(1, Math.max(0, begin / (begin - end)));
    const x = normals[p] + when * (normals[q] - normals[p]);
    const y = normals[p + 1] + when * (normals[q + 1] - normals[p + 1]);
    const z = normals[p + 2] + when * (normals[q + 2] - normals[p + 2]);
    const top = a.findSupport(v, x, y, z);
    const below =
      (points[3 * top] - points[3 * v]) * x +
      (points[3 * top + 1] - points[3 * v + 1]) * y +
      (points[3 * top + 2] - points[3 * v + 2]) * z;
    if (below <= 2 * tie) this.#tryPair(a, b, arc, v, w, handle, when);
  }

  /** Adds the plane of two edges, unless it is that of a facet of B. `when`: its position on the arc, 0 to 1. */
  #tryPair(a: PlacedFan, b: PlacedFan, arc: number, v: number, w: number, handle: number, when: number): void {
    const { arcNormals, arcVertices, arcHandles, facetCount } = b.fan;
    const p = arcNormals[2 * arc];
    const q = arcNormals[2 * arc + 1];
    if (p < facetCount && this.#isTied(a, b, p, v, w)) return;
    if (q < facetCount && this.#isTied(a, b, q, v, w)) return;
    const { points } = a;
    const { normals } = b;
    const dx = points[3 * w] - points[3 * v];
    const dy = points[3 * w + 1] - points[3 * v + 1];
    const dz = points[3 * w + 2] - points[3 * v + 2];
    const s = 3 * arcVertices[2 * arc];
    const t = 3 * arcVertices[2 * arc + 1];
    const ex = b.points[t] - b.points[s];
    const ey = b.points[t + 1] - b.points[s + 1];
    const ez = b.points[t + 2] - b.points[s + 2];
    const mx = normals[3 * p] + when * (normals[3 * q] - normals[3 * p]);
    const my = normals[3 * p + 1] + when * (normals[3 * q + 1] - normals[3 * p + 1]);
    const mz = normals[3 * p + 2] + when * (normals[3 * q + 2] - normals[3 * p + 2]);
    let x = dy * ez - dz * ey;
    let y = dz * ex - dx * ez;
    let z = dx * ey - dy * ex;
    const dd = dx * dx + dy * dy + dz * dz;
    const ee = ex * ex + ey * ey + ez * ez;
    let squared = x * x + y * y + z * z;
    if (squared > PARALLEL_SQUARED * dd * ee) {
      const scale = (x * mx + y * my + z * mz < 0 ? -1 : 1) / Math.sqrt(squared);
      x *= scale;
      y *= scale;
      z *= scale;
    } else {
      x = mx;
      y = my;
      z = mz;
    }
    // For nearly parallel edges, a tilt of the normal by rounding along them would count over their whole length.
    const along = dd > ee ? (x * dx + y * dy + z * dz) / dd : (x * ex + y * ey + z * ez) / ee;
    x -= along * (dd > ee ? dx : ex);
    y -= along * (dd > ee ? dy : ey);
    z -= along * (dd > ee ? dz : ez);
    squared = x * x + y * y + z * z;
    if (!(squared > 0)) return;
    const scale = 1 / Math.sqrt(squared);
    x *= scale;
    y *= scale;
    z *= scale;
    const c = this.#reach(a, v, x, y, z) + this.#reach(b, arcVertices[2 * arc], x, y, z);
    this.#put(x, y, z, c, encodeFeature(EDGE, handle), encodeFeature(EDGE, arcHandles[arc]));
  }

  /** Whether both ends of an edge of −A are extreme along a normal of B. */
  #isTied({ points, magnitude }: PlacedFan, { normals }: PlacedFan, normal: number, v: number, w: number): boolean {
    const x = normals[3 * normal];
    const y = normals[3 * normal + 1];
    const z = normals[3 * normal + 2];
    const top = 3 * this.#supports[normal];
    const lowest = -IN_PLACED_FACET * magnitude;
    return (
      (points[3 * v] - points[top]) * x +
        (points[3 * v + 1] - points[top + 1]) * y +
        (points[3 * v + 2] - points[top + 2]) * z >=
        lowest &&
      (points[3 * w] - points[top]) * x +
        (points[3 * w + 1] - points[top + 1]) * y +
        (points[3 * w + 2] - points[top + 2]) * z >=
        lowest
    );
  }

  /** How far a polyhedron reaches along a direction; one of its vertices is nearly there. */
  #reach(placed: PlacedFan, from: number, x: number, y: number, z: number): number {
    const { points } = placed;
    const top = 3 * placed.findSupport(from, x, y, z);
    return points[top] * x + points[top + 1] * y + points[top + 2] * z;
  }

  #put(x: number, y: number, z: number, c: number, featureA: number, featureB: number): void {
    const facet = this.#facets++;
    if (facet >= this.featuresA.length) {
      this.planes = copyInto(this.planes, new Float64Array(8 * facet));
      this.featuresA = copyInto(this.featuresA, new Int32Array(2 * facet));
      this.featuresB = copyInto(this.featuresB, new Int32Array(2 * facet));
    }
    this.planes[4 * facet] = x;
    this.planes[4 * facet + 1] = y;
    this.planes[4 * facet + 2] = z;
    this.planes[4 * facet + 3] = c;
    this.featuresA[facet] = featureA;
    this.featuresB[facet] = featureB;
  }

  #reserveSupports(count: number): void {
    if (count > this.#supports.length) this.#supports = new Uint32Array(2 * count);
  }
}

function knownFans(
  known: Map<ConvexSet, PlacedFans>,
  set: ConvexSet,
  classes: ArrayLike<number> | undefined,
): PlacedFans {
  let fans = known.get(set);
  if (fans === undefined) {
    fans = new PlacedFans(set, classes);
    known.set(set, fans);
  }
  return fans;
}

// Disjoint contacts from pairs of triangles: all local minima of the distance up to a tolerance. The minimizers of a
// pair lie on one feature of each mesh. They are kept if nothing around those features comes nearer, then joined where
// they touch, so that a pad on a plate is one contact. Each pair costs at most one triangle distance.

import { bytesOf } from '../../core/derived-parts.js';
import type { Vec3 } from '../../core/vec3.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { TriangleDistance } from '../../mesh/triangle/triangle-distance.js';
import { FACE_REGION, type MeshFeature, nameRegion } from '../../mesh/triangle/triangle-region.js';
import type { TrianglePairSink } from '../surface-search.js';
import { isSummit } from './contact-condition.js';
import { CONE_STRIDE, conesFace } from './contact-cones.js';
import { joinMinimizers, type Minimizer, type MinimizerGroup } from './contact-groups.js';
import { ContactNormal, findLevelCorners } from './contact-normal.js';
import type { ContactSurface } from './contact-surface.js';
import { MinimizerSet } from './minimizer-set.js';

/**
 * Chosen: features are parallel up to this slope, in radians. A pad tilted by less rests on its whole face: one contact
 * in its middle, whose distance may exceed the smallest one by this share of the pad's size. A pad tilted by more
 * touches with an edge or a corner. Rounding of a rotated model is some 1e-15; a file in single precision has 1e-7.
 */
export const PARALLEL_SLOPE = 1e-9;

/**
 * Rounding: heights and distances are off by less than this share of the largest coordinate, by placing B and by
 * measuring.
 */
const PLACING_ROUNDING = 1e-14;

/**
 * Rounding: one point computed from two pairs of triangles differs by less than this share of the largest coordinate.
 */
const REPEATED = 1e-13;

/** Chosen: a point lies on a corner or an edge if it is nearer than this many times {@link REPEATED}. */
const ON_FEATURE = 64;

/** A local minimum of the distance, or a connected set of them, represented by one pair of points. In A's frame. */
export interface FoundContact {
  readonly distance: number;
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** Unit, from A to B. */
  readonly normal: Vec3;
  readonly triangleA: number;
  readonly triangleB: number;
  /** The smallest feature that the point lies on. */
  readonly featureA: MeshFeature;
  readonly featureB: MeshFeature;
  /** The dimension of the connected minimizers: 0 a point, 1 segments, 2 polygons. The points are in their middle. */
  readonly dimension: number;
  /** How far they extend from there; 0 for a point. */
  readonly extent: number;
}

/** Takes pairs of triangles in any order, between `begin` and `finish`, and returns the contacts. */
export class ContactFinder implements TrianglePairSink {
  /** Pairs whose distance was measured since `begin`. */
  trianglePairs = 0;
  /** Whether two measured triangles share a point: there are no contacts then. Not every pair is measured. */
  crossed = false;
  readonly surfaces: readonly [ContactSurface, ContactSurface];
  readonly #a: ContactSurface;
  readonly #b: ContactSurface;
  readonly #placement = new Float64Array(12);
  #tolerance = 0;
  #rounding = 0;
  #repeated = 0;
  /** B's vertices in A's frame, valid where `placed` has the number of the query. */
  readonly #positionsB: Float64Array;
  readonly #placed: Uint32Array;
  /** Cone and sphere of B's triangles in A's frame, likewise: axis, then center. */
  readonly #boundsB: Float64Array;
  readonly #bounded: Uint32Array;
  #query = 0;
  readonly #measured = new TriangleDistance();
  readonly #normal = new ContactNormal();
  readonly #set = new MinimizerSet();
  readonly #place = new TrianglePoint();
  /** By pair of features, because all triangle pairs around two features yield the same minimizers. */
  readonly #found = new Map<number, Minimizer>();

  constructor(a: ContactSurface, b: ContactSurface) {
    this.surfaces = [a, b];
    this.#a = a;
    this.#b = b;
    this.#positionsB = new Float64Array(b.mesh.positions.length);
    this.#placed = new Uint32Array(b.mesh.positions.length / 3);
    this.#boundsB = new Float64Array(2 * b.indices.length);
    this.#bounded = new Uint32Array(b.indices.length / 3);
  }

  get bytes(): number {
    return bytesOf([this.#positionsB, this.#placed, this.#boundsB, this.#bounded]);
  }

  /**
   * @param placement where B is in A's frame, a row-major 3 × 4 matrix.
   * @param tolerance minima farther than this are not contacts.
   */
  begin(placement: Float64Array, tolerance: number): void {
    this.#placement.set(placement);
    this.#tolerance = tolerance;
    const shift = Math.max(Math.abs(placement[3]), Math.abs(placement[7]), Math.abs(placement[11]));
    const magnitude = Math.max(this.#a.magnitude, this.#b.magnitude + shift);
    this.#rounding = PLACING_ROUNDING * magnitude;
    this.#repeated = REPEATED * magnitude;
    this.trianglePairs = 0;
    this.crossed = false;
    this.#found.clear();
    if (++this.#query === 2 ** 32) {
      this.#placed.fill(0);
      this.#bounded.fill(0);
      this.#query = 1;
    }
  }

  offer(triangleA: number, triangleB: number): void {
    if (!this.#mayHoldMinimum(triangleA, triangleB)) return;
    const a = this.#a;
    const b = this.#b;
    const measured = this.#measured;
    const normal = this.#normal;
    const i = 3 * triangleA;
    const j = 3 * triangleB;
    const b0 = this.#placeVertex(b.indices[j]);
    const b1 = this.#placeVertex(b.indices[j + 1]);
    const b2 = this.#placeVertex(b.indices[j + 2]);
    this.trianglePairs++;
    const squared = measured.measure(
      a.mesh.positions,
      3 * a.indices[i],
      3 * a.indices[i + 1],
      3 * a.indices[i + 2],
      this.#positionsB,
      b0,
      b1,
      b2,
    );
    if (squared > this.#tolerance * this.#tolerance) return;
    if (squared === 0) {
      this.crossed = true;
      return;
    }
    const distance = Math.sqrt(squared);
    // The accuracy of the direction of the difference of the two points.
    const blur = this.#rounding / distance;
    if (blur > 0.1) {
      normal.separate(measured);
      this.#keepMinimizers(triangleA, triangleB, 0, false);
      return;
    }
    normal.take(measured, distance);
    const slope = PARALLEL_SLOPE + blur;
    const levelA = this.#findLevelA(slope);
    const levelB = this.#findLevelB(slope);
    // One point or many? Only if it is a single one do the measured features tell what surrounds it.
    const single = isPower(levelA) || isPower(levelB) || normal.crosses(measured, levelA, levelB);
    if (single && !this.#isMinimum(triangleA, measured.regionA, triangleB, measured.regionB, slope)) return;
    normal.refine(measured, levelA, levelB);
    this.#keepMinimizers(triangleA, triangleB, normal.exact ? PARALLEL_SLOPE : slope, true);
  }

  /** The contacts, nearest first; none when two triangles crossed. */
  finish(): FoundContact[] {
    if (this.crossed) return [];
    const minimizers = [...this.#found.values()].sort((m, n) => m.triangleA - n.triangleA || m.triangleB - n.triangleB);
    const reach = 4 * PARALLEL_SLOPE * Math.min(this.#a.diagonal, this.#b.diagonal) + ON_FEATURE * this.#repeated;
    const contacts = joinMinimizers(minimizers, reach).map((group) => this.#describe(group));
    return contacts.sort((c, d) => c.distance - d.distance || c.triangleA - d.triangleA || c.triangleB - d.triangleB);
  }

  /** False when spheres and normals alone show that the triangles are too far apart or hold no minimum. */
  #mayHoldMinimum(triangleA: number, triangleB: number): boolean {
    const a = this.#a;
    const b = this.#b;
    const boundsB = this.#boundsB;
    if (this.#bounded[triangleB] !== this.#query) this.#placeBounds(triangleB);
    const i = 4 * triangleA;
    const j = 6 * triangleB;
    const cone = CONE_STRIDE * triangleB;
    const vx = boundsB[j + 3] - a.spheres[i];
    const vy = boundsB[j + 4] - a.spheres[i + 1];
    const vz = boundsB[j + 5] - a.spheres[i + 2];
    const radius = a.spheres[i + 3] + b.spheres[4 * triangleB + 3] + this.#rounding;
    const reach = radius + this.#tolerance;
    if (vx * vx + vy * vy + vz * vz > reach * reach) return false;
    return conesFace(
      a.cones,
      triangleA,
      boundsB[j],
      boundsB[j + 1],
      boundsB[j + 2],
      b.cones[cone + 3],
      b.cones[cone + 4],
      vx,
      vy,
      vz,
      radius,
    );
  }

  #placeBounds(triangle: number): void {
    this.#bounded[triangle] = this.#query;
    const m = this.#placement;
    const boundsB = this.#boundsB;
    const { cones, spheres } = this.#b;
    const i = CONE_STRIDE * triangle;
    const j = 4 * triangle;
    for (let k = 0; k < 3; k++) {
      const row = 4 * k;
      boundsB[6 * triangle + k] = m[row] * cones[i] + m[row + 1] * cones[i + 1] + m[row + 2] * cones[i + 2];
      boundsB[6 * triangle + 3 + k] =
        m[row] * spheres[j] + m[row + 1] * spheres[j + 1] + m[row + 2] * spheres[j + 2] + m[row + 3];
    }
  }

  /** Where vertex `v` of B begins in `positionsB`; places it first if this query has not done so yet. */
  #placeVertex(v: number): number {
    const i = 3 * v;
    if (this.#placed[v] === this.#query) return i;
    this.#placed[v] = this.#query;
    const m = this.#placement;
    const positionsB = this.#positionsB;
    const { positions } = this.#b.mesh;
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    positionsB[i] = m[0] * x + m[1] * y + m[2] * z + m[3];
    positionsB[i + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    positionsB[i + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    return i;
  }

  #findLevelA(slope: number): number {
    const { p, regionA, pointA } = this.#measured;
    const { x, y, z } = this.#normal;
    return findLevelCorners(p, regionA, pointA, x, y, z, slope, this.#rounding);
  }

  #findLevelB(slope: number): number {
    const { q, regionB, pointB } = this.#measured;
    const { x, y, z } = this.#normal;
    return findLevelCorners(q, regionB, pointB, x, y, z, slope, this.#rounding);
  }

  /** Whether the surfaces around a point on each region come no nearer along the normal. */
  #isMinimum(triangleA: number, regionA: number, triangleB: number, regionB: number, slope: number): boolean {
    const m = this.#placement;
    const rounding = this.#rounding;
    const { x, y, z } = this.#normal;
    if (!isSummit(this.#a, triangleA, regionA, x, y, z, slope, rounding)) return false;
    const bx = -(m[0] * x + m[4] * y + m[8] * z);
    const by = -(m[1] * x + m[5] * y + m[9] * z);
    const bz = -(m[2] * x + m[6] * y + m[10] * z);
    return isSummit(this.#b, triangleB, regionB, bx, by, bz, slope, rounding);
  }

  /** Finds all minimizers of the measured pair; with `checked`, keeps them only if minima of the whole surfaces. */
  #keepMinimizers(triangleA: number, triangleB: number, slope: number, checked: boolean): void {
    const measured = this.#measured;
    const normal = this.#normal;
    const set = this.#set;
    const { p, q, pointA, pointB } = measured;
    const { x, y, z } = normal;
    const levelA = this.#findLevelA(PARALLEL_SLOPE);
    const levelB = this.#findLevelB(PARALLEL_SLOPE);
    set.find(p, levelA, q, levelB, pointA, x, y, z, this.#repeated);
    let ox = pointB[0] - pointA[0];
    let oy = pointB[1] - pointA[1];
    let oz = pointB[2] - pointA[2];
    if (set.dimension > 0) {
      const along = ox * x + oy * y + oz * z;
      ox = along * x;
      oy = along * y;
      oz = along * z;
    }
    const [cx, cy, cz] = set.center;
    const regionA = this.#findRegion(p, cx, cy, cz);
    const regionB = this.#findRegion(q, cx + ox, cy + oy, cz + oz);
    if (checked && !this.#isMinimum(triangleA, regionA, triangleB, regionB, slope)) return;
    const key = featureId(this.#a, triangleA, regionA) * featureCount(this.#b) + featureId(this.#b, triangleB, regionB);
    const known = this.#found.get(key);
    if (known !== undefined && (known.triangleA - triangleA || known.triangleB - triangleB) < 0) return;
    this.#found.set(key, {
      triangleA,
      triangleB,
      dimension: set.dimension,
      points: set.points.slice(0, 3 * set.count),
      center: set.center.slice(),
      measure: set.measure,
      offset: Float64Array.of(ox, oy, oz),
      normal: Float64Array.of(x, y, z),
    });
  }

  /** The smallest region of a triangle that its point nearest to (x, y, z) lies on; the point is left in `place`. */
  #findRegion(corners: Float64Array, x: number, y: number, z: number): number {
    const place = this.#place;
    nearestOnTriangle(corners, 0, x, y, z, place);
    const near = (ON_FEATURE * this.#repeated) ** 2;
    let region = FACE_REGION;
    for (let k = 2; k >= 0; k--) {
      const i = 3 * k;
      const j = k === 2 ? 0 : i + 3;
      const dx = place.x - corners[i];
      const dy = place.y - corners[i + 1];
      const dz = place.z - corners[i + 2];
      if (dx * dx + dy * dy + dz * dz <= near) return k;
      const ex = corners[j] - corners[i];
      const ey = corners[j + 1] - corners[i + 1];
      const ez = corners[j + 2] - corners[i + 2];
      const ee = ex * ex + ey * ey + ez * ez;
      const t = ee > 0 ? (dx * ex + dy * ey + dz * ez) / ee : 0;
      const aside = (dx - t * ex) ** 2 + (dy - t * ey) ** 2 + (dz - t * ez) ** 2;
      if (aside <= near) region = 3 + k;
    }
    return region;
  }

  #describe({ member, middle, dimension, extent }: MinimizerGroup): FoundContact {
    const a = this.#a;
    const b = this.#b;
    const place = this.#place;
    const { triangleA, triangleB, offset, normal } = member;
    const [x, y, z] = middle;
    const cornersA = new Float64Array(9);
    const cornersB = new Float64Array(9);
    for (let i = 0; i < 9; i++) {
      cornersA[i] = a.mesh.positions[3 * a.indices[3 * triangleA + Math.floor(i / 3)] + (i % 3)];
      cornersB[i] = this.#positionsB[3 * b.indices[3 * triangleB + Math.floor(i / 3)] + (i % 3)];
    }
    const regionA = this.#findRegion(cornersA, x, y, z);
    const pointA: Vec3 = [place.x, place.y, place.z];
    const regionB = this.#findRegion(cornersB, x + offset[0], y + offset[1], z + offset[2]);
    const pointB: Vec3 = [place.x, place.y, place.z];
    return {
      distance: Math.hypot(pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2]),
      pointA,
      pointB,
      normal: [normal[0], normal[1], normal[2]],
      triangleA,
      triangleB,
      featureA: nameRegion(a.mesh.indices, 3 * triangleA, regionA),
      featureB: nameRegion(b.mesh.indices, 3 * triangleB, regionB),
      dimension,
      extent,
    };
  }
}

/** Whether just one bit is set. */
function isPower(bits: number): boolean {
  return (bits & (bits - 1)) === 0;
}

function featureCount({ mesh, adjacency, indices }: ContactSurface): number {
  return mesh.positions.length / 3 + adjacency.edgeCount + indices.length / 3;
}

/** A key for the vertex, edge or face: the same from every triangle around it. */
function featureId({ mesh, adjacency, indices }: ContactSurface, triangle: number, region: number): number {
  const vertices = mesh.positions.length / 3;
  if (region < 3) return indices[3 * triangle + region];
  const edge = region === FACE_REGION ? -1 : adjacency.edgeOfHalfEdge[3 * triangle + region - 3];
  return edge >= 0 ? vertices + edge : vertices + adjacency.edgeCount + triangle;
}

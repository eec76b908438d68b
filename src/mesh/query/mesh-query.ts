// Points and rays against a mesh: winding number, inside test, closest point, signed distance, ray hits. One hierarchy
// and one copy of the triangles serve all of them; the memory of a query belongs to the object, so a call allocates
// nothing but its answer. A query object must not be called from within its own callbacks; two objects may run at once.

import { checkedElsewhere, oneOf, optionTable, PROGRESS_OPTIONS } from '../../core/check/option-table.js';
import { bytesOf } from '../../core/derived-parts.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { cross, normalize, type ReadonlyVec3, type Vec3 } from '../../core/vec3.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';
import { MESH_DEFAULTS } from '../defaults.js';
import { assertMesh, type Mesh } from '../mesh.js';
import { findOutwardSurface } from '../repair/outward-surface.js';
import { triangleBoxes } from '../triangle/triangle-boxes.js';
import { FACE_REGION, type MeshFeature, nameRegion } from '../triangle/triangle-region.js';
import { createTriangleTable, type TriangleTable } from '../triangle/triangle-table.js';
import { ClosestPointSearch } from './closest-point-search.js';
import { assertDirection, assertMaxDistance, assertRoom, assertVector, countPoints } from './query-arguments.js';
import { RaySearch, type RaySide, type SlotHit } from './ray-search.js';
import { WindingNumbers } from './winding-number.js';

/** The point of a mesh nearest to a point. */
export interface ClosestPoint {
  readonly point: Vec3;
  readonly distance: number;
  /** The triangle it lies on; the lowest of those equally near. */
  readonly triangle: number;
  /** The smallest part of that triangle it lies on. */
  readonly feature: MeshFeature;
}

/** Where a ray meets a triangle. */
export interface RayHit {
  readonly triangle: number;
  /** From the ray's origin in units of length, for a direction of any length. */
  readonly distance: number;
  readonly point: Vec3;
  /** Unit normal of the triangle, to its outer side. */
  readonly normal: Vec3;
  /** Whether the ray comes from the outer side (front) or the inner one (back). */
  readonly side: 'front' | 'back';
}

/** Which hits of a ray count. */
export interface RayOptions {
  /** Hits beyond this distance do not count. Default: no limit. */
  readonly maxDistance?: number | undefined;
  /** Which sides of the triangles count. Default 'both'. */
  readonly side?: RaySide | undefined;
}

const RAY_OPTIONS = optionTable<RayOptions>()({
  maxDistance: checkedElsewhere(Number.POSITIVE_INFINITY),
  side: oneOf(['both', 'front', 'back'], 'both'),
});

/** How a {@link MeshQuery} is made. */
export interface MeshQueryOptions {
  /**
   * How far `windingNumber` may be from the exact sum of solid angles: a proven bound, not an estimate. Default
   * `MESH_DEFAULTS.windingAccuracy`; 0 takes the exact sum. Inside tests are exact for any value.
   */
  readonly windingAccuracy?: number | undefined;
}

const QUERY_OPTIONS = optionTable<MeshQueryOptions>()({
  windingAccuracy: checkedElsewhere(MESH_DEFAULTS.windingAccuracy as number),
});

/** Where `closestPoints` writes; each array is optional and must be long enough for all points. */
export interface ClosestPointsOut {
  /** x, y, z per point. */
  readonly points?: Float64Array | undefined;
  readonly distances?: Float64Array | undefined;
  readonly triangles?: Uint32Array | undefined;
}

const OUT_ARRAYS = optionTable<ClosestPointsOut>('The arrays for results')({
  // Checked by assertRoom, which knows the count of points.
  points: checkedElsewhere<Float64Array>(),
  distances: checkedElsewhere<Float64Array>(),
  triangles: checkedElsewhere<Uint32Array>(),
});

/** Chosen: points answered between two reports of progress, some tens of milliseconds. */
const PROGRESS_STRIDE = 4096;

/**
 * Answers questions about points and rays against one mesh, which must not change while the object is in use.
 * Accepts any mesh that passes `assertMesh`: open, non-manifold, a soup of triangles, with degenerate triangles.
 */
export class MeshQuery {
  readonly #mesh: Mesh;
  readonly #bvh: Bvh;
  readonly #table: TriangleTable;
  readonly #windingAccuracy: number;
  readonly #closest: ClosestPointSearch;
  readonly #rays: RaySearch;
  #winding: WindingNumbers | undefined;
  #solid: WindingNumbers | undefined;

  /** @throws NearfieldError as `assertMesh` does. */
  constructor(mesh: Mesh, options: MeshQueryOptions = {}) {
    const { windingAccuracy } = QUERY_OPTIONS.read(options);
    assertMesh(mesh);
    if (!(windingAccuracy >= 0)) {
      throw new NearfieldError('bad-argument', `The winding accuracy is ${windingAccuracy}; give a number from 0.`);
    }
    this.#mesh = mesh;
    this.#windingAccuracy = windingAccuracy;
    this.#bvh = buildBvh(triangleBoxes(mesh));
    this.#table = createTriangleTable(mesh, this.#bvh);
    this.#closest = new ClosestPointSearch(this.#bvh, this.#table);
    this.#rays = new RaySearch(this.#bvh, this.#table);
  }

  /** The hierarchy over the triangles. */
  get bvh(): Bvh {
    return this.#bvh;
  }

  /** Bytes allocated for queries, not counting the mesh. */
  get bytes(): number {
    return bytesOf([this.#bvh, this.#table, this.#winding, this.#solid]);
  }

  /** Nodes of the hierarchy visited by all calls so far. */
  get nodesVisited(): number {
    const windings = new Set([this.#winding, this.#solid]);
    let visited = this.#closest.nodesVisited + this.#rays.nodesVisited;
    for (const winding of windings) visited += winding?.nodesVisited ?? 0;
    return visited;
  }

  /**
   * How often the mesh, with its faces as they run, winds around a point: the sum of the signed solid angles of its triangles over 4π, within the
   * accuracy given to the constructor. For a closed outward mesh 1 inside and 0 outside; in between near holes; any
   * number for soups. It jumps at the surface: on a face it is the value on the inner side, on an edge or a corner the
   * fraction of directions that lead inside.
   */
  windingNumber(point: ReadonlyVec3): number {
    assertVector(point, 'point');
    return this.#windings().evaluate(point[0], point[1], point[2], this.#windingAccuracy);
  }

  /**
   * Whether the winding number is at least one half; if the mesh bounds a solid, with its faces turned outward. A point
   * exactly on the surface is inside. Same answer as the exact sum: a hierarchical sum is refined until its error bound
   * cannot change the answer.
   */
  isInside(point: ReadonlyVec3): boolean {
    assertVector(point, 'point');
    return this.#solidWindings().isInside(point[0], point[1], point[2]);
  }

  /**
   * The point of the mesh nearest to a point, `null` when none is within `maxDistance` (inclusive).
   * Among equally near triangles it names the lowest.
   */
  closestPoint(point: ReadonlyVec3, maxDistance = Infinity): ClosestPoint | null {
    assertVector(point, 'point');
    assertMaxDistance(maxDistance);
    const search = this.#closest;
    search.find(point[0], point[1], point[2], maxDistance, -1);
    if (search.slot < 0) return null;
    const { x, y, z, distanceSquared, region } = search.best;
    return {
      point: [x, y, z],
      distance: Math.sqrt(distanceSquared),
      triangle: this.#bvh.items[search.slot],
      feature: this.#feature(search.slot, region),
    };
  }

  /** Distance to the surface: negative inside, see {@link isInside}, and 0 on it. */
  signedDistance(point: ReadonlyVec3): number {
    assertVector(point, 'point');
    return this.#signedDistance(point[0], point[1], point[2], -1);
  }

  /**
   * The first triangle a ray meets, `null` when it meets none. A ray through an edge or a corner shared by triangles
   * hits at least one of them. A ray within the plane of a triangle does not hit that triangle.
   * @param direction of any length but zero.
   */
  raycast(origin: ReadonlyVec3, direction: ReadonlyVec3, options: RayOptions = {}): RayHit | null {
    this.#aim(origin, direction, options);
    const hit = this.#rays.findFirst();
    return hit && this.#rayHit(hit);
  }

  /**
   * All triangles a ray meets, by distance, then by triangle. Through a shared edge or corner it may meet several of
   * the triangles there, at the same distance up to rounding.
   */
  rayHits(origin: ReadonlyVec3, direction: ReadonlyVec3, options: RayOptions = {}): RayHit[] {
    this.#aim(origin, direction, options);
    return this.#rays.findAll().map((hit) => this.#rayHit(hit));
  }

  /** {@link windingNumber} of many points, three numbers each. Returns `out`, or a new array when none is given. */
  windingNumbers(points: Float64Array, out?: Float64Array, options?: ProgressOptions): Float64Array {
    PROGRESS_OPTIONS.assert(options);
    const count = countPoints(points);
    const values = out ?? new Float64Array(count);
    assertRoom(values, count);
    const winding = this.#windings();
    for (let i = 0; i < count; i++) {
      if (i % PROGRESS_STRIDE === 0) reportProgress(options, i / count, 'winding numbers');
      values[i] = winding.evaluate(points[3 * i], points[3 * i + 1], points[3 * i + 2], this.#windingAccuracy);
    }
    return values;
  }

  /** {@link isInside} of many points, three numbers each: 1 inside, 0 outside. Returns `out`, or a new array. */
  insidePoints(points: Float64Array, out?: Uint8Array, options?: ProgressOptions): Uint8Array {
    PROGRESS_OPTIONS.assert(options);
    const count = countPoints(points);
    const flags = out ?? new Uint8Array(count);
    assertRoom(flags, count);
    const winding = this.#solidWindings();
    for (let i = 0; i < count; i++) {
      if (i % PROGRESS_STRIDE === 0) reportProgress(options, i / count, 'inside tests');
      flags[i] = winding.isInside(points[3 * i], points[3 * i + 1], points[3 * i + 2]) ? 1 : 0;
    }
    return flags;
  }

  /** {@link signedDistance} of many points, three numbers each. Returns `out`, or a new array when none is given. */
  signedDistances(points: Float64Array, out?: Float64Array, options?: ProgressOptions): Float64Array {
    PROGRESS_OPTIONS.assert(options);
    const count = countPoints(points);
    const distances = out ?? new Float64Array(count);
    assertRoom(distances, count);
    let guess = -1;
    for (let i = 0; i < count; i++) {
      if (i % PROGRESS_STRIDE === 0) reportProgress(options, i / count, 'signed distances');
      distances[i] = this.#signedDistance(points[3 * i], points[3 * i + 1], points[3 * i + 2], guess);
      guess = this.#closest.slot;
    }
    return distances;
  }

  /** {@link closestPoint} of many points, three numbers each, without limit or features. Returns `out`. */
  closestPoints<Out extends ClosestPointsOut>(points: Float64Array, out: Out, options?: ProgressOptions): Out {
    OUT_ARRAYS.assert(out ?? null);
    PROGRESS_OPTIONS.assert(options);
    const { points: places, distances, triangles } = out;
    const count = countPoints(points);
    assertRoom(places, 3 * count);
    assertRoom(distances, count);
    assertRoom(triangles, count);
    const search = this.#closest;
    const { best } = search;
    let guess = -1;
    for (let i = 0; i < count; i++) {
      if (i % PROGRESS_STRIDE === 0) reportProgress(options, i / count, 'closest points');
      search.find(points[3 * i], points[3 * i + 1], points[3 * i + 2], Infinity, guess);
      // Neighbors in the array are mostly neighbors in space.
      guess = search.slot;
      if (places !== undefined) {
        places[3 * i] = best.x;
        places[3 * i + 1] = best.y;
        places[3 * i + 2] = best.z;
      }
      if (distances !== undefined) distances[i] = Math.sqrt(best.distanceSquared);
      if (triangles !== undefined) triangles[i] = this.#bvh.items[guess];
    }
    return out;
  }

  /** Made when first needed: rays and closest points do not use it. */
  #windings(): WindingNumbers {
    return (this.#winding ??= new WindingNumbers(this.#bvh, this.#table));
  }

  /** Those of the faces turned outward, where the mesh bounds a solid. */
  #solidWindings(): WindingNumbers {
    if (this.#solid !== undefined) return this.#solid;
    const { mesh, flippedFaces } = findOutwardSurface(this.#mesh);
    this.#solid =
      flippedFaces === 0 ? this.#windings() : new WindingNumbers(this.#bvh, createTriangleTable(mesh, this.#bvh));
    return this.#solid;
  }

  #signedDistance(x: number, y: number, z: number, guess: number): number {
    this.#closest.find(x, y, z, Infinity, guess);
    const distance = Math.sqrt(this.#closest.best.distanceSquared);
    return distance > 0 && this.#solidWindings().isInside(x, y, z) ? -distance : distance;
  }

  #feature(slot: number, region: number): MeshFeature {
    // Regions are those of the table's sorted corners; the face has its corners in the mesh's order.
    if (region === FACE_REGION) return nameRegion(this.#mesh.indices, 3 * this.#bvh.items[slot], region);
    return nameRegion(this.#table.vertices, 3 * slot, region);
  }

  #aim(origin: ReadonlyVec3, direction: ReadonlyVec3, options: RayOptions): void {
    RAY_OPTIONS.assert(options);
    const { maxDistance = Infinity, side = 'both' } = options;
    assertVector(origin, 'origin of the ray');
    assertDirection(direction);
    assertMaxDistance(maxDistance);
    this.#rays.aim(origin, direction, maxDistance, side);
  }

  #rayHit(hit: SlotHit): RayHit {
    const ray = this.#rays.ray;
    const triangle = this.#bvh.items[hit.slot];
    return {
      triangle,
      distance: hit.distance,
      point: [
        ray.originX + hit.distance * ray.directionX,
        ray.originY + hit.distance * ray.directionY,
        ray.originZ + hit.distance * ray.directionZ,
      ],
      normal: triangleNormal(this.#mesh, triangle),
      side: hit.front ? 'front' : 'back',
    };
  }
}

function triangleNormal({ positions, indices }: Mesh, triangle: number): Vec3 {
  const a = 3 * indices[3 * triangle];
  const b = 3 * indices[3 * triangle + 1];
  const c = 3 * indices[3 * triangle + 2];
  const u: Vec3 = [
    positions[b] - positions[a],
    positions[b + 1] - positions[a + 1],
    positions[b + 2] - positions[a + 2],
  ];
  const v: Vec3 = [
    positions[c] - positions[a],
    positions[c + 1] - positions[a + 1],
    positions[c + 2] - positions[a + 2],
  ];
  return normalize(cross(u, v));
}

// Points against a solid: inside tests and signed distances, with less code than `MeshQuery` brings. For a surface that
// `findOutwardSurface` returned.
import { bytesOf } from '../../core/derived-parts.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';
import type { Mesh } from '../mesh.js';
import { triangleBoxes } from '../triangle/triangle-boxes.js';
import { createTriangleTable, type TriangleTable } from '../triangle/triangle-table.js';
import { ClosestPointSearch } from './closest-point-search.js';
import { KnownBalls } from './known-balls.js';
import { assertVector } from './query-arguments.js';
import { WindingNumbers } from './winding-number.js';

/** Answers questions about points and one solid. The answers are those of `MeshQuery`. */
export class SolidQuery {
  readonly #bvh: Bvh;
  readonly #table: TriangleTable;
  readonly #closest: ClosestPointSearch;
  readonly #known: KnownBalls;
  #windings: WindingNumbers | undefined;

  /** @param mesh that bounds a solid, with its faces turned outward, or an open one, which has only distances. */
  constructor(mesh: Mesh) {
    this.#bvh = buildBvh(triangleBoxes(mesh));
    this.#table = createTriangleTable(mesh, this.#bvh);
    this.#closest = new ClosestPointSearch(this.#bvh, this.#table);
    this.#known = new KnownBalls(Math.max(0, ...this.#bvh.nodeBoxes.subarray(0, 6).map(Math.abs)));
  }

  get bytes(): number {
    return bytesOf([this.#bvh, this.#table, this.#known, this.#windings]);
  }

  /** Makes what inside tests need; otherwise the first of them does. */
  prepareInsideTests(): WindingNumbers {
    this.#windings ??= new WindingNumbers(this.#bvh, this.#table);
    return this.#windings;
  }

  /** Whether a point is inside the solid or on its surface. */
  isInside(point: ReadonlyVec3): boolean {
    assertVector(point, 'point');
    return this.prepareInsideTests().isInside(point[0], point[1], point[2]);
  }

  /** The distance to the surface. */
  distance(point: ReadonlyVec3): number {
    assertVector(point, 'point');
    // Points are mostly asked for one near the other.
    this.#closest.find(point[0], point[1], point[2], Infinity, this.#closest.slot);
    return Math.sqrt(this.#closest.best.distanceSquared);
  }

  /** The triangle that the last distance led to. */
  get lastTriangle(): number {
    return this.#bvh.items[this.#closest.slot];
  }

  /** The distance to the surface and, in `out`, its nearest point; Infinity where that is farther than `maxDistance`. */
  nearest(point: ReadonlyVec3, maxDistance: number, out: Vec3): number {
    assertVector(point, 'point');
    this.#closest.find(point[0], point[1], point[2], maxDistance, this.#closest.slot);
    if (this.#closest.slot < 0) return Infinity;
    const { x, y, z, distanceSquared } = this.#closest.best;
    out[0] = x;
    out[1] = y;
    out[2] = z;
    return Math.sqrt(distanceSquared);
  }

  /** The distance to the surface, negative inside the solid. */
  signedDistance(point: ReadonlyVec3): number {
    const distance = this.distance(point);
    if (!(distance > 0)) return distance;
    const { 0: x, 1: y, 2: z } = point;
    const known = this.#known.sideOf(x, y, z, distance);
    const side = known === 0 ? (this.isInside(point) ? -1 : 1) : known;
    if (known === 0) this.#known.keep(x, y, z, distance, side);
    return side * distance;
  }
}

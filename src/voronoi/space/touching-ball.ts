// A ball inside a solid that touches its surface in two points: it touches the nearest point of a place, and shrinks around it
// until no other point is inside (Ma, Bae and Choi 2012). Each step takes the ball through the point found; near flat
// faces the error is squared each time.
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ClosestPointSearch } from '../../mesh/query/closest-point-search.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { createTriangleTable } from '../../mesh/triangle/triangle-table.js';
import { buildBvh } from '../../spatial/build-bvh.js';

/** Chosen: the steps of one search; curved surfaces take about ten. */
const STEPS = 60;

/**
 * Rounding: a ball contains no point of the surface if the nearest is nearer than its radius by this share of it or
 * less.
 */
const TOUCHING = 1e-12;

/** Finds balls in one solid. */
export class TouchingBall {
  /** The answer of the last call that returned true. */
  readonly center: Vec3 = [0, 0, 0];
  radius = 0;
  /** The cosine of the angle between the directions to the two points. */
  cosine = 1;
  readonly #search: ClosestPointSearch;

  constructor(mesh: Mesh) {
    const bvh = buildBvh(triangleBoxes(mesh));
    this.#search = new ClosestPointSearch(bvh, createTriangleTable(mesh, bvh));
  }

  /** The point of the surface nearest to (x, y, z). */
  nearest(x: number, y: number, z: number): ClosestPointSearch {
    this.#search.find(x, y, z, Infinity, this.#search.slot);
    return this.#search;
  }

  /**
   * The ball that touches the point nearest to (x, y, z), with its center beyond it on the same line.
   * @returns false if the center is more than `reach` away, or (x, y, z) is on the surface.
   */
  shrink(x: number, y: number, z: number, reach: number): boolean {
    const { best } = this.nearest(x, y, z);
    const [qx, qy, qz] = [best.x, best.y, best.z];
    const distance = Math.sqrt(best.distanceSquared);
    if (!(distance > 0)) return false;
    const [nx, ny, nz] = [(x - qx) / distance, (y - qy) / distance, (z - qz) / distance];
    let radius = distance + reach;
    let touched = false;
    for (let step = 0; step < STEPS; step++) {
      this.center[0] = qx + radius * nx;
      this.center[1] = qy + radius * ny;
      this.center[2] = qz + radius * nz;
      this.nearest(this.center[0], this.center[1], this.center[2]);
      if (Math.sqrt(best.distanceSquared) >= radius * (1 - TOUCHING)) break;
      const [ux, uy, uz] = [best.x - qx, best.y - qy, best.z - qz];
      const square = ux * ux + uy * uy + uz * uz;
      const next = square / (2 * (ux * nx + uy * ny + uz * nz));
      // Rounding: the ball is as small as it gets.
      if (!(next < radius) || !(next >= 0)) break;
      touched = true;
      radius = next;
      // Both points are on the ball: the chord between them gives the angle.
      this.cosine = 1 - square / (2 * radius * radius);
    }
    this.radius = radius;
    return touched;
  }
}

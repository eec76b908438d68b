// The triangles of a mesh with their hierarchy: finds the nearest triangle of a point and tells whether the point is
// inside, without an object per call.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ClosestPointSearch } from '../../mesh/query/closest-point-search.js';
import { WindingNumbers } from '../../mesh/query/winding-number.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { FACE_REGION } from '../../mesh/triangle/triangle-region.js';
import { createTriangleTable } from '../../mesh/triangle/triangle-table.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { faceNormal } from './face-shape.js';

export class SurfaceSearch {
  readonly closest: ClosestPointSearch;
  /** Nine numbers per slot of {@link ClosestPointSearch.slot}. */
  readonly corners: Float64Array;
  /** By slot: 1 where the sorted corners run as in the mesh, −1 where they run backwards. */
  readonly turns: Int8Array;
  /** The largest absolute coordinate. */
  readonly extent: number;
  readonly #makeWindings: () => WindingNumbers;
  #windings: WindingNumbers | undefined;

  /** `progress`: only its signal is used, here and when winding numbers are prepared. */
  constructor(mesh: Mesh, { signal }: ProgressOptions = {}) {
    const bvh = buildBvh(triangleBoxes(mesh), { signal });
    reportProgress({ signal }, 0, 'hierarchy');
    const table = createTriangleTable(mesh, bvh);
    this.closest = new ClosestPointSearch(bvh, table);
    this.corners = table.corners;
    this.turns = table.turns;
    this.extent = bvh.nodeBoxes.subarray(0, 6).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    this.#makeWindings = () => new WindingNumbers(bvh, table, { signal });
  }

  /** Winding numbers; prepared on first use. */
  get windings(): WindingNumbers {
    return (this.#windings ??= this.#makeWindings());
  }

  /** The distance of a point from the mesh; the nearest point is in {@link closest}. `guess`: a slot to try first, or −1. */
  distance(x: number, y: number, z: number, guess = -1): number {
    this.closest.find(x, y, z, Infinity, guess);
    return Math.sqrt(this.closest.best.distanceSquared);
  }

  /**
   * Whether the point of the last {@link distance} is inside, for a closed surface without self-intersections: by the
   * side of the nearest face, and by the winding number where the nearest point is on an edge or a corner.
   */
  lastIsInside(x: number, y: number, z: number): boolean {
    const { best, slot } = this.closest;
    if (best.region === FACE_REGION) {
      const t = this.corners;
      const o = 9 * slot;
      const [nx, ny, nz] = faceNormal(t, o, o + 3, o + 6);
      const height = nx * (x - best.x) + ny * (y - best.y) + nz * (z - best.z);
      const size = Math.hypot(nx, ny, nz) * Math.sqrt(best.distanceSquared);
      if (Math.abs(height) > 0.5 * size) return height * this.turns[slot] < 0;
    }
    return this.windings.isInside(x, y, z);
  }
}

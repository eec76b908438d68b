// What contact needs of a rigid shape, in its own frame: exact signed distances of points, corners with the area they stand
// for, and sharp edges. Bodies share it.
import type { Mesh } from '../../mesh/mesh.js';
import { ClosestPointSearch } from '../../mesh/query/closest-point-search.js';
import { WindingNumbers } from '../../mesh/query/winding-number.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { createTriangleTable } from '../../mesh/triangle/triangle-table.js';
import { findModel } from '../../models/catalogue.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { findSurfaceEdges, type SurfaceEdges, vertexAreas } from './surface-edges.js';

/** Chosen: subdivisions of the icosahedron whose 162 vertices are the points of a ball. */
const BALL_SUBDIVISIONS = 4;

export class RigidSolid {
  /** The box of the shape: six numbers. */
  readonly box: Float64Array;
  readonly vertices: Float64Array;
  readonly faces: Uint32Array;
  readonly areas: Float64Array;
  /** Points of the surface that may enter elements, and the area each stands for: the vertices, and some of a ball. */
  readonly points: Float64Array;
  readonly pointAreas: Float64Array;
  /** Sharp edges only. */
  readonly edges: SurfaceEdges;
  /** Of the last point that was near enough: negative inside; the nearest point of the surface; unit, outward. */
  distance = 0;
  readonly point = new Float64Array(3);
  readonly normal = new Float64Array(3);
  /** Of a ball; 0 for a mesh. */
  readonly radius: number;
  readonly #search: ClosestPointSearch | null = null;
  readonly #windings: WindingNumbers | null = null;
  readonly #corners: Float64Array = new Float64Array(0);
  readonly #turns: Int8Array = new Int8Array(0);
  readonly #nearest = new TrianglePoint();

  private constructor(mesh: Mesh | null, radius: number) {
    this.radius = radius;
    if (mesh === null) {
      this.box = Float64Array.of(-radius, -radius, -radius, radius, radius, radius);
      this.vertices = this.areas = new Float64Array(0);
      this.faces = new Uint32Array(0);
      const { positions } = findModel('icosphere').build({ radius: 1, subdivisions: BALL_SUBDIVISIONS });
      this.points = positions.map((value) => radius * value);
      this.pointAreas = new Float64Array(positions.length / 3).fill((12 * Math.PI * radius ** 2) / positions.length);
      this.edges = findSurfaceEdges(new Float64Array(0), new Uint32Array(0)).sharp;
      return;
    }
    const bvh = buildBvh(triangleBoxes(mesh));
    const table = createTriangleTable(mesh, bvh);
    this.#search = new ClosestPointSearch(bvh, table);
    this.#windings = new WindingNumbers(bvh, table);
    this.#corners = table.corners;
    this.#turns = table.turns;
    this.box = bvh.nodeBoxes.slice(0, 6);
    this.vertices = mesh.positions;
    this.faces = mesh.indices;
    this.areas = vertexAreas(mesh.positions, mesh.indices);
    this.points = this.vertices;
    this.pointAreas = this.areas;
    this.edges = findSurfaceEdges(mesh.positions, mesh.indices).sharp;
  }

  /** A ball about the origin. */
  static ball(radius: number): RigidSolid {
    return new RigidSolid(null, radius);
  }

  /** The solid in a closed mesh with outward faces. */
  static solid(mesh: Mesh): RigidSolid {
    return new RigidSolid(mesh, 0);
  }

  /**
   * Finds the signed distance of a point and where it is taken; false where the point is outside by more than `reach`. The
   * distance is known then too, but outside of the box.
   */
  measure(x: number, y: number, z: number, reach: number): boolean {
    const { box } = this;
    const isNear =
      x >= box[0] - reach &&
      y >= box[1] - reach &&
      z >= box[2] - reach &&
      x <= box[3] + reach &&
      y <= box[4] + reach &&
      z <= box[5] + reach;
    if (!isNear) {
      this.distance = Number.NaN;
      return false;
    }
    return this.#search === null ? this.#measureBall(x, y, z, reach) : this.#measureMesh(x, y, z, reach);
  }

  /** What the depth is at most in a triangle of nine numbers, after {@link measure} for a point of it. */
  boundDepth(t: Float64Array): number {
    const point = this.#nearest;
    if (this.#search === null) {
      nearestOnTriangle(t, 0, 0, 0, 0, point);
      return Math.max(0, this.radius - Math.sqrt(point.distanceSquared));
    }
    let most = 0;
    for (let k = 0; k < 9; k += 3) {
      nearestOnTriangle(this.#corners, 9 * this.#search.slot, t[k], t[k + 1], t[k + 2], point);
      most = Math.max(most, point.distanceSquared);
    }
    return Math.sqrt(most);
  }

  #measureBall(x: number, y: number, z: number, reach: number): boolean {
    const length = Math.sqrt(x * x + y * y + z * z);
    this.distance = length - this.radius;
    if (this.distance > reach) return false;
    const [nx, ny, nz] = length > 0 ? [x / length, y / length, z / length] : [0, 1, 0];
    this.normal.set([nx, ny, nz]);
    this.point.set([nx * this.radius, ny * this.radius, nz * this.radius]);
    return true;
  }

  #measureMesh(x: number, y: number, z: number, reach: number): boolean {
    const search = this.#search!;
    search.find(x, y, z, Infinity, -1);
    const { best } = search;
    const distance = Math.sqrt(best.distanceSquared);
    const isInside = this.#windings!.isInside(x, y, z);
    const sign = isInside ? -1 : 1;
    this.distance = sign * distance;
    if (this.distance > reach) return false;
    this.point.set([best.x, best.y, best.z]);
    // On the surface the way there has no direction: that of the face has to do.
    const scale = Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(this.box[3] - this.box[0]);
    if (distance > 1e-9 * scale) {
      for (let k = 0; k < 3; k++)
        this.normal[k] = (sign * ((k === 0 ? x : k === 1 ? y : z) - this.point[k])) / distance;
    } else this.#writeFaceNormal(search.slot);
    return true;
  }

  #writeFaceNormal(slot: number): void {
    const t = this.#corners;
    const i = 9 * slot;
    const [ux, uy, uz] = [t[i + 3] - t[i], t[i + 4] - t[i + 1], t[i + 5] - t[i + 2]];
    const [vx, vy, vz] = [t[i + 6] - t[i], t[i + 7] - t[i + 1], t[i + 8] - t[i + 2]];
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = this.#turns[slot] * Math.hypot(n[0], n[1], n[2]);
    for (let k = 0; k < 3; k++) this.normal[k] = n[k] / length;
  }
}

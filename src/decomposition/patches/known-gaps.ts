// Remembers for each face of a surface a plane that parted it from the hull of the patch at work. Whether it still does,
// the vertices that came since tell; a search would look at the whole hull again. Planes hold beyond rounding: what
// decides is a bound on the error over the box of all points.
import { measureFrame } from '../../convex/hull/hull-frame.js';
import { UNDERFLOW_BOUND } from '../../core/exact/orientation.js';
import { findGap } from './find-gap.js';
import { isClearOfHull } from './hull-contact.js';
import type { PatchHull } from './patch-hull.js';

/**
 * Proven: rounding of a plane through three points and of heights above it, as a share of its permanent, with slack.
 */
const PLANE_ERROR = 64 * 2 ** -53;

/** Chosen: triangles of the hull that are tried as separating planes before a plane is searched for. */
const PLANES_TRIED = 64;

/**
 * Chosen: where no gap was found, hulls of up to this many triangles are tested exactly: the search ends early on long
 * triangles.
 */
const MAX_EXACT_FACES = 64;

/** Chosen: the hull of fewer vertices is searched each time: that costs less than to remember its gap. */
const MIN_VERTICES = 24;

export class KnownGaps {
  /** Vertices and triangles of hulls looked at. */
  work = 0;
  /** The plane of the last {@link setPlane}: no point of the hull is higher than `reach` along the normal n. */
  nx = 0;
  ny = 0;
  nz = 0;
  reach = 0;
  #error = 0;
  readonly #points: Float64Array;
  readonly #origin: readonly [number, number, number];
  readonly #extent: readonly [number, number, number];
  /** Of each face the normal, out of the hull, and the greatest height of vertices that leaves a gap. */
  readonly #planes: Float64Array;
  /** The serial number of the last vertex that was found below the plane. */
  readonly #checked: Int32Array;
  readonly #gap = new Float64Array(4);

  constructor(points: Float64Array, faceCount: number) {
    const { originX, originY, originZ, extentX, extentY, extentZ } = measureFrame(points);
    this.#points = points;
    this.#origin = [originX, originY, originZ];
    this.#extent = [extentX, extentY, extentZ];
    this.#planes = new Float64Array(4 * faceCount);
    this.#checked = new Int32Array(faceCount).fill(-1);
  }

  /** Whether the face a, b, c, which shares no corner with the hull, is clear of it. False may be a false alarm. */
  isClear(patch: PatchHull, face: number, a: number, b: number, c: number): boolean {
    const remembers = patch.vertices.length >= MIN_VERTICES;
    if (remembers && this.#holds(patch, face)) return true;
    const { faces, faceCount, corners } = patch.hull;
    // The newest triangles come last, and lie between the face and the rest more often than not.
    const last = Math.max(0, faceCount - PLANES_TRIED);
    for (let i = faceCount - 1; i >= last; i--) {
      const at = faces[i];
      if (!(patch.sideOf(at, a) > 0 && patch.sideOf(at, b) > 0 && patch.sideOf(at, c) > 0)) continue;
      this.work += faceCount - i;
      if (!remembers) return true;
      this.setPlane(corners[3 * at], corners[3 * at + 1], corners[3 * at + 2]);
      this.#keep(patch, face, a, b, c);
      return true;
    }
    const gap = this.#gap;
    const isFound = findGap(this.#points, patch.support, a, b, c, gap);
    this.work += faceCount - last + 2 * patch.support.length;
    if (!isFound && faceCount <= MAX_EXACT_FACES) {
      this.work += 8 * faceCount;
      return isClearOfHull(patch.hull, 0, a, b, c);
    }
    if (!isFound || !remembers) return isFound;
    const [dx, dy, dz, nearest] = gap;
    this.nx = -dx;
    this.ny = -dy;
    this.nz = -dz;
    const [x, y, z] = this.#extent;
    this.#error = PLANE_ERROR * (Math.abs(dx) * x + Math.abs(dy) * y + Math.abs(dz) * z) + UNDERFLOW_BOUND;
    this.reach = this.heightOf(a) - nearest + this.#error;
    this.#keep(patch, face, a, b, c);
    return true;
  }

  /** Sets the plane of three corners of the hull, counter-clockwise seen from outside. */
  setPlane(a: number, b: number, c: number): void {
    const p = this.#points;
    const [ux, uy, uz] = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
    const [vx, vy, vz] = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
    const [x, y, z] = this.#extent;
    this.nx = uy * vz - uz * vy;
    this.ny = uz * vx - ux * vz;
    this.nz = ux * vy - uy * vx;
    this.#error =
      PLANE_ERROR *
        ((Math.abs(uy * vz) + Math.abs(uz * vy)) * x +
          (Math.abs(uz * vx) + Math.abs(ux * vz)) * y +
          (Math.abs(ux * vy) + Math.abs(uy * vx)) * z) +
      UNDERFLOW_BOUND;
    this.reach = this.heightOf(a) + this.#error;
  }

  /** The height of a vertex of the mesh above the middle of all, along the normal set last. */
  heightOf(vertex: number): number {
    const p = this.#points;
    const [x, y, z] = this.#origin;
    return this.nx * (p[3 * vertex] - x) + this.ny * (p[3 * vertex + 1] - y) + this.nz * (p[3 * vertex + 2] - z);
  }

  /** A height above zero, along the normal set last, that no point of the hull reaches, whatever rounding does. */
  reachOf(): number {
    const [x, y, z] = this.#origin;
    const middle = this.nx * x + this.ny * y + this.nz * z;
    const size = Math.abs(this.nx * x) + Math.abs(this.ny * y) + Math.abs(this.nz * z);
    return this.reach + middle + PLANE_ERROR * size + 2 * this.#error;
  }

  #keep(patch: PatchHull, face: number, a: number, b: number, c: number): void {
    const limit = Math.min(this.heightOf(a), this.heightOf(b), this.heightOf(c)) - 2 * this.#error;
    if (!(this.reach <= limit)) return;
    const planes = this.#planes;
    planes[4 * face] = this.nx;
    planes[4 * face + 1] = this.ny;
    planes[4 * face + 2] = this.nz;
    planes[4 * face + 3] = limit;
    this.#checked[face] = patch.lastSerial;
  }

  #holds(patch: PatchHull, face: number): boolean {
    const checked = this.#checked[face];
    if (checked < patch.firstSerial) return false;
    const { vertices, serials } = patch;
    const p = this.#points;
    const planes = this.#planes;
    const [x, y, z] = this.#origin;
    const nx = planes[4 * face];
    const ny = planes[4 * face + 1];
    const nz = planes[4 * face + 2];
    const limit = planes[4 * face + 3];
    // Vertices that were taken back meanwhile are gone from the list; a hull that shrank stays below the plane.
    for (let i = vertices.length - 1; i >= 0 && serials[i] > checked; i--) {
      const v = 3 * vertices[i];
      this.work++;
      if (!(nx * (p[v] - x) + ny * (p[v + 1] - y) + nz * (p[v + 2] - z) <= limit)) {
        this.#checked[face] = -1;
        return false;
      }
    }
    this.#checked[face] = patch.lastSerial;
    return true;
  }
}

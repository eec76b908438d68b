// The triangles of a hull under construction, in flat arrays: corners, twins of half-edges, and each face's plane with
// the error bound that decides most side tests in four multiplications; the exact predicate decides the rest.

import { sideDeterminant, UNDERFLOW_BOUND } from '../../core/exact/orientation.js';
import { copyInto } from '../../core/grow-array.js';
import type { PointFrame } from './hull-frame.js';
import { MemoryBlock } from './hull-memory.js';

/** Layout: numbers per face in {@link HullFaces.planes}: normal x, y, z, offset, error bound. */
export const PLANE_STRIDE = 5;

/**
 * Proven: rounding of normal·p − offset, in units of Σ |products in the normal's component| × half extent of the
 * points. 4 for the normal over a span of two half extents, 2 for local coordinates, 6 for the two dot products, 2 for
 * their difference: 18 half-ulps in all. The rest is slack for the second order and for the bound's own rounding.
 */
const PLANE_ERROR = 24 * 2 ** -53;

/** Faces as triangles over an array of points. Half-edge 3f + k leaves corner k of face f; `next` runs around the face. */
export class HullFaces {
  /** Point ids, three per face, counter-clockwise seen from outside. */
  corners: Int32Array;
  /** For each half-edge the opposite one along the same edge. */
  twins: Int32Array;
  /** {@link PLANE_STRIDE} numbers per face: p is beyond the plane if normal·(p − origin) − offset exceeds the bound. */
  planes: Float64Array;
  points!: Float64Array;
  /** Planes are relative to the points' frame, so that offsets cost no accuracy. */
  originX = 0;
  originY = 0;
  originZ = 0;
  extentX = 0;
  extentY = 0;
  extentZ = 0;
  isLattice = false;
  /** Side tests that the error bound left undecided. */
  exactTests = 0;

  constructor(points: Float64Array, frame: PointFrame, capacity: number) {
    const block = new MemoryBlock((8 * PLANE_STRIDE + 24) * capacity);
    this.planes = block.takeFloats(PLANE_STRIDE * capacity);
    this.corners = block.takeIntegers(3 * capacity);
    this.twins = block.takeIntegers(3 * capacity);
    this.setPoints(points, frame);
  }

  get capacity(): number {
    return this.corners.length / 3;
  }

  setPoints(points: Float64Array, frame: PointFrame): void {
    this.points = points;
    this.originX = frame.originX;
    this.originY = frame.originY;
    this.originZ = frame.originZ;
    this.extentX = frame.extentX;
    this.extentY = frame.extentY;
    this.extentZ = frame.extentZ;
    this.isLattice = frame.isLattice;
  }

  grow(): void {
    const capacity = 2 * this.capacity;
    this.planes = copyInto(this.planes, new Float64Array(PLANE_STRIDE * capacity));
    this.corners = copyInto(this.corners, new Int32Array(3 * capacity));
    this.twins = copyInto(this.twins, new Int32Array(3 * capacity));
  }

  /** Sets the corners and the plane of a face within the capacity. */
  setFace(face: number, a: number, b: number, c: number): void {
    const corners = this.corners;
    corners[3 * face] = a;
    corners[3 * face + 1] = b;
    corners[3 * face + 2] = c;
    const points = this.points;
    const ax = points[3 * a];
    const ay = points[3 * a + 1];
    const az = points[3 * a + 2];
    const ux = points[3 * b] - ax;
    const uy = points[3 * b + 1] - ay;
    const uz = points[3 * b + 2] - az;
    const vx = points[3 * c] - ax;
    const vy = points[3 * c + 1] - ay;
    const vz = points[3 * c + 2] - az;
    const yz = uy * vz;
    const zy = uz * vy;
    const zx = uz * vx;
    const xz = ux * vz;
    const xy = ux * vy;
    const yx = uy * vx;
    const nx = yz - zy;
    const ny = zx - xz;
    const nz = xy - yx;
    const planes = this.planes;
    const plane = PLANE_STRIDE * face;
    planes[plane] = nx;
    planes[plane + 1] = ny;
    planes[plane + 2] = nz;
    planes[plane + 3] = nx * (ax - this.originX) + ny * (ay - this.originY) + nz * (az - this.originZ);
    planes[plane + 4] =
      PLANE_ERROR *
        ((Math.abs(yz) + Math.abs(zy)) * this.extentX +
          (Math.abs(zx) + Math.abs(xz)) * this.extentY +
          (Math.abs(xy) + Math.abs(yx)) * this.extentZ) +
      UNDERFLOW_BOUND;
  }

  /** Links a ring of new faces, starting with `first`, each made over an edge of the rim, to the rim and each other. */
  linkCone(rim: Int32Array, count: number, first: number): void {
    const twins = this.twins;
    for (let i = 0; i < count; i++) {
      const face = first + i;
      const before = i > 0 ? face - 1 : first + count - 1;
      const twin = twins[rim[i]];
      twins[3 * face] = twin;
      twins[twin] = 3 * face;
      twins[3 * face + 2] = 3 * before + 1;
      twins[3 * before + 1] = 3 * face + 2;
    }
  }

  /** Exactly: positive when the point is outside the face's plane, zero on it, negative inside. */
  exactSide(face: number, x: number, y: number, z: number): number {
    this.exactTests++;
    const points = this.points;
    const a = 3 * this.corners[3 * face];
    const b = 3 * this.corners[3 * face + 1];
    const c = 3 * this.corners[3 * face + 2];
    // Frequent with grids and repeated points: four points in a plane across an axis, or two equal ones.
    for (let axis = 0; axis < 3; axis++) {
      const value = axis === 0 ? x : axis === 1 ? y : z;
      if (points[a + axis] === value && points[b + axis] === value && points[c + axis] === value) return 0;
    }
    if (isAt(points, a, x, y, z) || isAt(points, b, x, y, z) || isAt(points, c, x, y, z)) return 0;
    return sideDeterminant(
      points[a],
      points[a + 1],
      points[a + 2],
      points[b],
      points[b + 1],
      points[b + 2],
      points[c],
      points[c + 1],
      points[c + 2],
      x,
      y,
      z,
    );
  }

  exactSideOfPoint(face: number, point: number): number {
    const x = this.points[3 * point];
    const y = this.points[3 * point + 1];
    const z = this.points[3 * point + 2];
    return this.isLattice ? this.#planeValue(face, x, y, z) : this.exactSide(face, x, y, z);
  }

  /** The side of one of the points: by the plane if its error bound allows, otherwise exactly. */
  sideOfPoint(face: number, point: number): number {
    const value = this.#planeValue(
      face,
      this.points[3 * point],
      this.points[3 * point + 1],
      this.points[3 * point + 2],
    );
    const error = this.planes[PLANE_STRIDE * face + 4];
    return value > error || value < -error ? value : this.exactSideOfPoint(face, point);
  }

  #planeValue(face: number, x: number, y: number, z: number): number {
    const planes = this.planes;
    const plane = PLANE_STRIDE * face;
    return (
      planes[plane] * (x - this.originX) +
      planes[plane + 1] * (y - this.originY) +
      planes[plane + 2] * (z - this.originZ) -
      planes[plane + 3]
    );
  }
}

function isAt(points: Float64Array, offset: number, x: number, y: number, z: number): boolean {
  return points[offset] === x && points[offset + 1] === y && points[offset + 2] === z;
}

// Volume, area, center of mass and inertia tensor by the divergence theorem: signed tetrahedra from a center to each
// face, summed about the box center and then again about the center of mass, so that nothing large cancels.
// O(triangles). Moments of a tetrahedron: Tonon 2004.

import * as box from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import { VOLUME_ROUNDING } from '../../core/tolerances.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../mesh.js';
import { buildAdjacency } from '../topology/adjacency.js';
import { countEdgeKinds } from '../topology/edge-kinds.js';
import { boxOfFaces } from '../topology/unused-vertices.js';

/** Properties of the solid that a closed mesh bounds. */
export interface SolidMoments {
  /** Signed: negative for a mesh that is inside out. Where parts overlap, space counts as often as it is covered. */
  readonly volume: number;
  readonly centerOfMass: Vec3;
  /** The inertia tensor about the center of mass, by rows, in the axes of the mesh. It has the sign of the volume. */
  readonly inertia: [Vec3, Vec3, Vec3];
}

/** What {@link massProperties} returns. */
export interface MassProperties extends SolidMoments {
  /** The area of the surface. */
  readonly area: number;
  /** Density times volume. */
  readonly mass: number;
}

/**
 * Volume, area, center of mass and inertia tensor of the solid that a closed mesh bounds, with uniform density.
 * @throws NearfieldError `open-mesh` or `not-oriented` where the mesh bounds no solid; `degenerate` where the volume is
 * no larger than its rounding error. `repairMesh` may repair the mesh.
 */
export function massProperties(mesh: Mesh, density = 1): MassProperties {
  if (!(density > 0 && Number.isFinite(density))) {
    throw new NearfieldError('bad-argument', `The density is ${density}; give a positive number.`);
  }
  const adjacency = buildAdjacency(mesh);
  const { boundaryEdges, unbalancedEdges } = countEdgeKinds(adjacency);
  if (boundaryEdges > 0) {
    throw new NearfieldError(
      'open-mesh',
      `The mesh is open, ${boundaryEdges} of its edges belong to one face only, so it bounds no volume; close it first.`,
    );
  }
  if (unbalancedEdges > 0) {
    throw new NearfieldError(
      'not-oriented',
      `The faces on the two sides of ${unbalancedEdges} edges disagree on what is outside; repairMesh or orientFaces makes them agree.`,
    );
  }
  const area = measureArea(mesh);
  const solid = integrateSolid(mesh, area);
  if (solid === null) {
    throw new NearfieldError(
      'degenerate',
      'The mesh encloses no volume and has no center of mass; give a solid of some thickness.',
    );
  }
  const inertia = solid.inertia.map((row) => row.map((value) => value * density)) as SolidMoments['inertia'];
  return { ...solid, inertia, area, mass: density * solid.volume };
}

/** The area of all faces. */
export function measureArea(mesh: Mesh): number {
  const { positions, indices } = mesh;
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    sum += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  }
  return sum / 2;
}

/**
 * The moments of the solid inside a mesh that the caller knows to be closed and oriented; null where the volume is no
 * larger than its rounding error.
 */
export function integrateSolid(mesh: Mesh, area: number): SolidMoments | null {
  const bounds = boxOfFaces(mesh);
  const diagonal = box.diagonal(bounds);
  if (diagonal === 0) return null;
  const origin = box.center(bounds);
  // In units of the diagonal: fifth powers of the size of a small model would underflow.
  const first = sumMoments(mesh, origin, diagonal);
  if (!(Math.abs(first.volume) > (VOLUME_ROUNDING * area) / diagonal / diagonal)) return null;
  const centerOfMass: Vec3 = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    centerOfMass[axis] = origin[axis] + (first.moment[axis] / first.volume) * diagonal;
  }
  const { xx, yy, zz, xy, yz, zx } = sumMoments(mesh, centerOfMass, diagonal);
  const cube = diagonal * diagonal * diagonal;
  const f = cube * diagonal * diagonal;
  return {
    volume: first.volume * cube,
    centerOfMass,
    inertia: [
      [f * (yy + zz), 0 - f * xy, 0 - f * zx],
      [0 - f * xy, f * (zz + xx), 0 - f * yz],
      [0 - f * zx, 0 - f * yz, f * (xx + yy)],
    ],
  };
}

interface MomentSums {
  volume: number;
  moment: Vec3;
  /** Integrals of products of coordinates. */
  xx: number;
  yy: number;
  zz: number;
  xy: number;
  yz: number;
  zx: number;
}

/** Integrals over the solid of 1, of the coordinates and of their products, about `origin`, in units of `unit`. */
function sumMoments(mesh: Mesh, origin: Vec3, unit: number): MomentSums {
  const { positions, indices } = mesh;
  const [ox, oy, oz] = origin;
  let volume = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  let xx = 0;
  let yy = 0;
  let zz = 0;
  let xy = 0;
  let yz = 0;
  let zx = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    const ax = (positions[a] - ox) / unit;
    const ay = (positions[a + 1] - oy) / unit;
    const az = (positions[a + 2] - oz) / unit;
    const bx = (positions[b] - ox) / unit;
    const by = (positions[b + 1] - oy) / unit;
    const bz = (positions[b + 2] - oz) / unit;
    const cx = (positions[c] - ox) / unit;
    const cy = (positions[c + 1] - oy) / unit;
    const cz = (positions[c + 2] - oz) / unit;
    // The determinant via the face's sides: its error scales with the face's area, not with the distance to the origin.
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const vx = cx - ax;
    const vy = cy - ay;
    const vz = cz - az;
    const d = ax * (uy * vz - uz * vy) + ay * (uz * vx - ux * vz) + az * (ux * vy - uy * vx);
    const sx = ax + bx + cx;
    const sy = ay + by + cy;
    const sz = az + bz + cz;
    volume += d;
    mx += d * sx;
    my += d * sy;
    mz += d * sz;
    xx += d * (sx * sx + ax * ax + bx * bx + cx * cx);
    yy += d * (sy * sy + ay * ay + by * by + cy * cy);
    zz += d * (sz * sz + az * az + bz * bz + cz * cz);
    xy += d * (sx * sy + ax * ay + bx * by + cx * cy);
    yz += d * (sy * sz + ay * az + by * bz + cy * cz);
    zx += d * (sz * sx + az * ax + bz * bx + cz * cx);
  }
  return {
    volume: volume / 6,
    moment: [mx / 24, my / 24, mz / 24],
    xx: xx / 120,
    yy: yy / 120,
    zz: zz / 120,
    xy: xy / 120,
    yz: yz / 120,
    zx: zx / 120,
  };
}

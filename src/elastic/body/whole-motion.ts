// How nodes with masses move as a whole: as a rigid body with the same places and momenta would.
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';

export interface WholeMotion {
  readonly center: Vec3;
  /** Of the center of mass. */
  readonly velocity: Vec3;
  readonly angularVelocity: Vec3;
}

/** @param momentum linear, and angular about the origin. */
export function findWholeMotion(
  masses: Float64Array,
  positions: Float64Array,
  momentum: { readonly linear: ReadonlyVec3; readonly angular: ReadonlyVec3 },
): WholeMotion {
  const { linear, angular } = momentum;
  const center = centerOfMass(masses, positions);
  const mass = masses.reduce((sum, own) => sum + own, 0);
  // About the center of mass.
  const spin = [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return angular[k] - (center[i] * linear[j] - center[j] * linear[i]);
  });
  return {
    center,
    velocity: [linear[0] / mass, linear[1] / mass, linear[2] / mass],
    angularVelocity: solveSymmetric(inertiaOf(masses, positions, center), spin),
  };
}

export function centerOfMass(masses: Float64Array, positions: Float64Array): Vec3 {
  let [x, y, z, total] = [0, 0, 0, 0];
  for (let node = 0; node < masses.length; node++) {
    const m = masses[node];
    total += m;
    x += m * positions[3 * node];
    y += m * positions[3 * node + 1];
    z += m * positions[3 * node + 2];
  }
  return [x / total, y / total, z / total];
}

/** About a point: xx, yy, zz, xy, yz, zx. */
function inertiaOf(masses: Float64Array, positions: Float64Array, center: ReadonlyVec3): number[] {
  const sums = [0, 0, 0, 0, 0, 0];
  for (let node = 0; node < masses.length; node++) {
    const m = masses[node];
    const x = positions[3 * node] - center[0];
    const y = positions[3 * node + 1] - center[1];
    const z = positions[3 * node + 2] - center[2];
    sums[0] += m * (y * y + z * z);
    sums[1] += m * (z * z + x * x);
    sums[2] += m * (x * x + y * y);
    sums[3] -= m * x * y;
    sums[4] -= m * y * z;
    sums[5] -= m * z * x;
  }
  return sums;
}

/** Solves a symmetric system of three by Cramer's rule; zero where it is singular. */
function solveSymmetric([xx, yy, zz, xy, yz, zx]: readonly number[], [bx, by, bz]: readonly number[]): Vec3 {
  const [a, b, c] = [yy * zz - yz * yz, zx * yz - xy * zz, xy * yz - yy * zx];
  const [d, e, f] = [xx * zz - zx * zx, xy * zx - xx * yz, xx * yy - xy * xy];
  const det = xx * a + xy * b + zx * c;
  if (!(Math.abs(det) > 0)) return [0, 0, 0];
  return [(a * bx + b * by + c * bz) / det, (b * bx + d * by + e * bz) / det, (c * bx + e * by + f * bz) / det];
}

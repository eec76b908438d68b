// Where B is in A's frame, as queries take it: a row-major 3 × 4 matrix, rotation at 0, 1, 2, 4, 5, 6, 8, 9, 10,
// translation at 3, 7, 11. Poses (core/pose.ts) are what callers give; placements are what inner loops read.
import { bInA, type ReadonlyPose } from './pose.js';
import type { ReadonlyVec3 } from './vec3.js';

/** B's placement in A's frame. The quaternions are unit. */
export function placeBInA(poseA: ReadonlyPose, poseB: ReadonlyPose, out = new Float64Array(12)): Float64Array {
  return writePlacement(bInA(poseA, poseB), out);
}

/** Writes the placement of a pose whose quaternion is unit. */
export function writePlacement(p: ReadonlyPose, out: Float64Array): Float64Array {
  const x = p[3];
  const y = p[4];
  const z = p[5];
  const w = p[6];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - z * w);
  out[2] = 2 * (x * z + y * w);
  out[3] = p[0];
  out[4] = 2 * (x * y + z * w);
  out[5] = 1 - 2 * (x * x + z * z);
  out[6] = 2 * (y * z - x * w);
  out[7] = p[1];
  out[8] = 2 * (x * z - y * w);
  out[9] = 2 * (y * z + x * w);
  out[10] = 1 - 2 * (x * x + y * y);
  out[11] = p[2];
  return out;
}

/** Writes the placement that undoes one. */
export function invertPlacement(m: Float64Array, out: Float64Array = new Float64Array(12)): Float64Array {
  for (let row = 0; row < 3; row++) {
    for (let k = 0; k < 3; k++) out[4 * row + k] = m[4 * k + row];
    out[4 * row + 3] = -(m[row] * m[3] + m[4 + row] * m[7] + m[8 + row] * m[11]);
  }
  return out;
}

/** A bound on how far the turn between two placements moves a point at distance 1 from the center: 2 sin(θ/2). */
export function boundTurn(from: Float64Array, to: Float64Array): number {
  let squared = 0;
  for (let row = 0; row < 12; row += 4) {
    const x = to[row] - from[row];
    const y = to[row + 1] - from[row + 1];
    const z = to[row + 2] - from[row + 2];
    squared += x * x + y * y + z * z;
  }
  // Two rotations differ by 2 sin(θ/2) in the spectral norm and by √2 times that in Frobenius'.
  return Math.sqrt(squared / 2);
}

/** How far any point of a ball may have moved from one placement to the other: |Δ(Rc + t)| + |ΔR| r. */
export function boundMotion(from: Float64Array, to: Float64Array, center: ReadonlyVec3, radius: number): number {
  let shift = 0;
  for (let row = 0; row < 12; row += 4) {
    const x = to[row] - from[row];
    const y = to[row + 1] - from[row + 1];
    const z = to[row + 2] - from[row + 2];
    const moved = x * center[0] + y * center[1] + z * center[2] + (to[row + 3] - from[row + 3]);
    shift += moved * moved;
  }
  return Math.sqrt(shift) + boundTurn(from, to) * radius * (1 + 1e-12);
}

// Random pairs and configurations, and their clearance gradients beside central differences.
import type { Pose } from '../../src/core/pose.js';
import * as pose from '../../src/core/pose.js';
import * as quat from '../../src/core/quat.js';
import type { Random } from '../../src/core/random.js';
import type { Vec3 } from '../../src/core/vec3.js';
import { boxMesh, outerCylinder, outerSphere } from '../../src/kinematics/urdf/outer-shapes.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureDistance } from '../../src/proximity/queries.js';
import { clearanceGradient } from '../../src/sweep/derivative/clearance-gradient.js';

/** How far poses are moved for a difference. */
const STEP = 1e-5;

export function gradientModels(): ProximityModel[] {
  return [boxMesh([1, 0.6, 0.4]), outerCylinder(0.3, 1), boxMesh([0.2, 1.4, 0.2]), outerSphere(0.5)].map(
    (mesh) => new ProximityModel(mesh),
  );
}

function signedClearance(a: ProximityModel, b: ProximityModel, poseA: Pose, poseB: Pose): number {
  const { distance } = measureDistance(a, b, poseA, poseB);
  if (distance! > 0) return distance!;
  return -measurePenetrationSync(a, b, poseA, poseB, { relativeGap: 1e-9 }).upper;
}

/** A pose moved by one of its six freedoms. */
function moved(placed: Pose, freedom: number, by: number): Pose {
  const out = [...placed] as Pose;
  if (freedom < 3) {
    out[freedom] += by;
    return out;
  }
  const axis: Vec3 = [0, 0, 0];
  axis[freedom - 3] = 1;
  const turn = quat.multiply(quat.fromAxisAngle(axis, by), [placed[3], placed[4], placed[5], placed[6]]);
  return pose.create([placed[0], placed[1], placed[2]], quat.normalize(turn));
}

export interface GradientCase {
  readonly unique: boolean;
  readonly overlaps: boolean;
  /** The largest difference of a derivative from the central difference; NaN where that one is none itself. */
  readonly error: number;
}

/** Compares the derivatives by both poses with differences, for a random pair. */
export function compareGradient(models: readonly ProximityModel[], random: Random, reach: number): GradientCase {
  const [a, b] = [random, random].map(() => models[Math.floor(random.range(0, models.length))]);
  const place = (way: number): Pose =>
    pose.create([random.range(-way, way), random.range(-way, way), random.range(-way, way)], random.rotation());
  const [poseA, poseB] = [place(reach), place(reach)];
  const found = clearanceGradient(a, b, poseA, poseB);
  const own = [...found.translationA, ...(found.rotationA ?? []), ...found.translationB, ...(found.rotationB ?? [])];
  const overlaps = found.clearance < 0;
  if (own.length < 12) return { unique: found.unique, overlaps, error: Number.NaN };
  let error = 0;
  for (let k = 0; k < 12; k++) {
    const at = (by: number): number => {
      return k < 6
        ? signedClearance(a, b, moved(poseA, k, by), poseB)
        : signedClearance(a, b, poseA, moved(poseB, k - 6, by));
    };
    const [ahead, here, behind] = [at(STEP), at(0), at(-STEP)];
    // Next to a kink the two one-sided differences are not those of one derivative.
    if (Math.abs(ahead - 2 * here + behind) > 2e-2 * STEP) return { unique: found.unique, overlaps, error: Number.NaN };
    error = Math.max(error, Math.abs((ahead - behind) / (2 * STEP) - own[k]));
  }
  return { unique: found.unique, overlaps, error };
}

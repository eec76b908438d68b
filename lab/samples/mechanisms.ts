// The mechanisms that the scene of sweeps shows: which joint of each is varied, and how its range is drawn.
import { NearfieldError, type Vec3 } from 'nearfield/core';
import type { MotionSample } from 'nearfield/sweep';

/** A joint that can be varied. */
export interface ShownJoint {
  readonly name: string;
  readonly parent: string;
  readonly child: string;
  /** In the frame of the parent. */
  readonly axis: Vec3;
  /** Where the arc of its range begins at value 0, in the frame of the parent. */
  readonly zero: Vec3;
  /** Of that arc, in the unit of the sample. */
  readonly radius: number;
  /** The range that the scene opens with, in degrees. */
  readonly from: number;
  readonly to: number;
  /** How far it may be turned in the scene, in degrees. */
  readonly least: number;
  readonly most: number;
}

export interface ShownMechanism {
  readonly sample: MotionSample;
  readonly label: string;
  readonly unit: 'm' | 'mm';
  /** The clearance that the scene opens with, in millimeters. */
  readonly clearance: number;
  readonly joints: readonly ShownJoint[];
}

const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];

export const MECHANISMS: readonly ShownMechanism[] = [
  {
    ...{ sample: 'engine', label: 'Engine', unit: 'mm', clearance: 0.1 },
    joints: [
      {
        ...{ name: 'crank', parent: 'block', child: 'crank', axis: Z, zero: X, radius: 38 },
        ...{ from: 0, to: 360, least: 0, most: 360 },
      },
    ],
  },
  {
    ...{ sample: 'landing-gear', label: 'Landing gear', unit: 'm', clearance: 10 },
    joints: [
      {
        ...{ name: 'leg', parent: 'bay', child: 'leg', axis: Z, zero: [0, -1, 0], radius: 0.85 },
        ...{ from: 0, to: 83, least: 0, most: 83 },
      },
    ],
  },
  {
    ...{ sample: 'arm', label: 'Arm', unit: 'm', clearance: 10 },
    joints: [
      {
        ...{ name: 'elbow', parent: 'upper arm', child: 'forearm', axis: Y, zero: Z, radius: 0.3 },
        ...{ from: -150, to: 150, least: -160, most: 160 },
      },
      {
        ...{ name: 'shoulder', parent: 'shoulder', child: 'upper arm', axis: Y, zero: Z, radius: 0.3 },
        ...{ from: -110, to: 110, least: -120, most: 120 },
      },
    ],
  },
];

export function findMechanism(sample: string): ShownMechanism {
  const found = MECHANISMS.find((mechanism) => mechanism.sample === sample);
  if (found === undefined) throw new NearfieldError('bad-argument', `No sample is named ${sample}.`);
  return found;
}

// A robot arm of five joints in front of a shelf, in meters: what its joint limits allow is more than what fits.

import type { ChainPlanRobot } from '../../kinematics/robot/chain-description.js';
import type { Mesh } from '../../mesh/mesh.js';
import { placeMesh } from '../../mesh/place-mesh.js';
import { capsule } from '../../models/primitives/capsule.js';
import { circle, outline, slab, together } from './outlines.js';

/** A limb along z, from its joint on. */
function limb(length: number, radius: number): Mesh {
  const upright = capsule.build({ radius, length, segments: 24, rings: 6 });
  // The model is about y; a quarter turn about x brings it to z.
  return placeMesh(upright, [0, 0, length / 2, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
}

/** @param height along z, of the joint in the link before it. @param most radians to both sides. */
function hinge(
  name: string,
  parent: string,
  child: string,
  axis: readonly [number, number, number],
  height: number,
  most: number,
): ChainPlanRobot['joints'][number] {
  return { name, type: 'revolute', parent, child, axis, origin: [0, 0, height, 0, 0, 0, 1], limits: [-most, most] };
}

export function smallArm(): ChainPlanRobot {
  const base = together(slab([circle(0.16)], 0, 0.06), slab([circle(0.1)], 0.05, 0.24));
  const hand = together(
    slab([outline([-0.07, -0.035], [0.07, -0.035], [0.07, 0.035], [-0.07, 0.035])], 0.02, 0.07),
    slab([outline([-0.07, -0.03], [-0.045, -0.03], [-0.045, 0.03], [-0.07, 0.03])], 0.065, 0.17),
    slab([outline([0.045, -0.03], [0.07, -0.03], [0.07, 0.03], [0.045, 0.03])], 0.065, 0.17),
  );
  return {
    type: 'chain',
    name: 'arm',
    links: [
      { name: 'base', mesh: base },
      { name: 'shoulder', mesh: limb(0.1, 0.085) },
      { name: 'upper arm', mesh: limb(0.42, 0.06) },
      { name: 'forearm', mesh: limb(0.36, 0.05) },
      { name: 'wrist', mesh: limb(0.08, 0.05) },
      { name: 'hand', mesh: hand },
    ],
    joints: [
      hinge('turn', 'base', 'shoulder', [0, 0, 1], 0.27, 2.9),
      hinge('shoulder', 'shoulder', 'upper arm', [0, 1, 0], 0.1, 2.1),
      hinge('elbow', 'upper arm', 'forearm', [0, 1, 0], 0.42, 2.8),
      hinge('wrist', 'forearm', 'wrist', [0, 1, 0], 0.36, 2),
      hinge('spin', 'wrist', 'hand', [0, 0, 1], 0.08, 2.9),
    ],
    ignore: [
      ['base', 'upper arm'],
      ['forearm', 'hand'],
    ],
  };
}

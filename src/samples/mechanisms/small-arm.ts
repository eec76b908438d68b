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

/** Turns of the arm, from its base on. */
const JOINTS: ChainPlanRobot['joints'] = [
  {
    name: 'turn',
    type: 'revolute',
    parent: 'base',
    child: 'shoulder',
    axis: [0, 0, 1],
    origin: [0, 0, 0.27, 0, 0, 0, 1],
    limits: [-2.9, 2.9],
  },
  {
    name: 'shoulder',
    type: 'revolute',
    parent: 'shoulder',
    child: 'upper arm',
    axis: [0, 1, 0],
    origin: [0, 0, 0.1, 0, 0, 0, 1],
    limits: [-2.1, 2.1],
  },
  {
    name: 'elbow',
    type: 'revolute',
    parent: 'upper arm',
    child: 'forearm',
    axis: [0, 1, 0],
    origin: [0, 0, 0.42, 0, 0, 0, 1],
    limits: [-2.8, 2.8],
  },
  {
    name: 'wrist',
    type: 'revolute',
    parent: 'forearm',
    child: 'wrist',
    axis: [0, 1, 0],
    origin: [0, 0, 0.36, 0, 0, 0, 1],
    limits: [-2, 2],
  },
  {
    name: 'spin',
    type: 'revolute',
    parent: 'wrist',
    child: 'hand',
    axis: [0, 0, 1],
    origin: [0, 0, 0.08, 0, 0, 0, 1],
    limits: [-2.9, 2.9],
  },
];

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
    joints: JOINTS,
    ignore: [
      ['base', 'upper arm'],
      ['forearm', 'hand'],
    ],
  };
}

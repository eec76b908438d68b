// A robot arm as a URDF file whose meshes are in a package, and a motion to plan for it: from one side of a post to the other.
import type { Mesh } from '../../mesh/mesh.js';
import { findModel } from '../../models/catalogue.js';

/** The folder of the package, and the name that the URDF file has for it. */
export const ARM_FOLDER = 'robots/arm';
const ARM_PACKAGE = 'arm_description';

/** Chosen: the length of a link, in meters. */
const LINK_LENGTH = 0.4;

/** One link of the arm: along x from its joint, in meters. */
export function armLink(): Mesh {
  const { positions, indices } = findModel('box').build({ width: LINK_LENGTH, height: 0.06, depth: 0.08 });
  return { positions: positions.map((value, i) => (i % 3 === 0 ? value + LINK_LENGTH / 2 : value)), indices };
}

export function armUrdf(): string {
  const link = (name: string): string =>
    `  <link name="${name}"><collision><geometry><mesh filename="package://${ARM_PACKAGE}/link.stl"/></geometry></collision></link>`;
  const joint = (name: string, parent: string, child: string, x: number, axis: string, reach: number): string =>
    `  <joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="${x} 0 0"/>` +
    `<axis xyz="${axis}"/><limit lower="${-reach}" upper="${reach}"/></joint>`;
  return [
    '<robot name="arm">',
    '  <link name="base"/>',
    link('upper'),
    link('lower'),
    joint('shoulder', 'base', 'upper', 0, '0 1 0', 3),
    joint('elbow', 'upper', 'lower', LINK_LENGTH + 0.02, '0 1 0', 2.5),
    '</robot>',
    '',
  ].join('\n');
}

/** The post is within reach of the outer link only, so that the arm has to fold. */
export function robotCell(post: string): unknown {
  return {
    robots: [
      { urdf: `${ARM_FOLDER}/arm.urdf`, start: { shoulder: 0.8, elbow: 0 }, goal: { shoulder: -0.8, elbow: 0 } },
    ],
    environment: [{ model: post, pose: [0.62, 0, 0, 0, 0, 0, 1] }],
    clearance: 0.01,
  };
}

/**
 * The message of a planner that tests waypoints: the arm is clear at each of them, but unfolds between the second and the third
 * while the post is within reach.
 */
export function cellTrajectory(): string {
  const points = [
    [0.8, 0],
    [0.8, 2.4],
    [-1.6, 0],
    [-0.8, 0],
  ];
  const lines = ['joint_names: [shoulder, elbow]', 'points:'];
  for (const [i, positions] of points.entries()) {
    lines.push(`  - positions: [${positions.join(', ')}]`, '    velocities: [0, 0]');
    lines.push(`    time_from_start: {sec: ${2 * i}, nanosec: 0}`);
  }
  return `joint_trajectory:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

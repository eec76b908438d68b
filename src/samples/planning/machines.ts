// Robots of links and joints, and several at once.

import type { ChainPlanRobot, PlanJoint } from '../../kinematics/robot/chain-description.js';
import type { Mesh } from '../../mesh/mesh.js';
import { placeAt } from '../../mesh/place-mesh.js';
import { extrudePolygon } from '../../models/parts/extrude.js';
import { type ProfilePoint, revolve } from '../../models/parts/surface-of-revolution.js';
import { cylinder } from '../../models/primitives/cylinder.js';
import type { PlanProblem } from '../../planning/problem/plan-problem.js';
import { type Block, blockSolid } from './block-solid.js';
import { defineSample } from './sample.js';
import { towerCrane } from './tower-crane.js';

type Joint = Omit<PlanJoint, 'name' | 'parent' | 'child'>;

/** Chosen: the count of sides of what is turned on a lathe. */
const SIDES = 24;

/** Chosen: the count of points along a quarter of a circle. */
const QUARTER = 5;

/** Links and joints of an arm that reaches 1.4 m: rounded links along y, and a gripper with two fingers. */
export function sixJoints(): Pick<ChainPlanRobot, 'links' | 'joints'> {
  const links = [
    { name: 'base', mesh: turned([...flange(0.15, 0, 0.04), [0.1, 0.07], [0.1, 0.23], ...flange(0.13, 0.26, 0.3)]) },
    {
      name: 'shoulder',
      mesh: turned([...flange(0.12, 0.02, 0.07), [0.095, 0.1], [0.095, 0.15], ...dome(0.095, 0.25)]),
    },
    {
      name: 'upper arm',
      mesh: turned([...bowl(0.08, -0.08), [0.08, 0.06], ...waist(0.055, 0.13, 0.47), ...dome(0.08, 0.68)]),
    },
    {
      name: 'forearm',
      mesh: turned([...bowl(0.06, -0.06), [0.06, 0.05], ...waist(0.042, 0.12, 0.33), ...flange(0.05, 0.36, 0.4)]),
    },
    { name: 'wrist', mesh: turned([...flange(0.05, 0.01, 0.04), [0.042, 0.06], [0.042, 0.1], ...dome(0.042, 0.15)]) },
    { name: 'hand', mesh: turned([...bowl(0.04, -0.04), [0.04, 0.04], [0.04, 0.07], ...flange(0.05, 0.08, 0.1)]) },
    {
      name: 'gripper',
      mesh: extrudePolygon({ rings: [new Float64Array(GRIPPER.flat())] }, { depth: 0.06, bevel: 0.006 }),
    },
  ];
  const turning = (axis: 'y' | 'z', y: number, limit: number): Joint => ({
    type: 'revolute',
    axis: axis === 'y' ? [0, 1, 0] : [0, 0, 1],
    origin: placeAt([0, y, 0]),
    limits: [-limit, limit],
  });
  const joints = [
    turning('y', 0.3, 2.9),
    turning('z', 0.15, 2.2),
    turning('z', 0.6, 2.6),
    turning('y', 0.4, 3),
    turning('z', 0.15, 1.9),
    turning('y', 0.1, 3),
  ];
  return {
    links,
    joints: joints.map((joint, i): PlanJoint => {
      return { name: `joint ${i + 1}`, parent: links[i].name, child: links[i + 1].name, ...joint };
    }),
  };
}

/** The outline of the gripper: a palm with beveled corners, and two fingers that get thinner. */
const GRIPPER: readonly (readonly [number, number])[] = [
  [-0.07, 0.01],
  [0.07, 0.01],
  [0.1, 0.04],
  [0.1, 0.12],
  [0.085, 0.2],
  [0.065, 0.2],
  [0.06, 0.1],
  [0.04, 0.08],
  [-0.04, 0.08],
  [-0.06, 0.1],
  [-0.065, 0.2],
  [-0.085, 0.2],
  [-0.1, 0.12],
  [-0.1, 0.04],
];

/** A solid of revolution about y; the profile is closed on the axis at its ends. */
function turned(profile: readonly ProfilePoint[]): Mesh {
  return revolve(
    [[0, profile[0][1]], ...profile.filter(([radius]) => radius > 0), [0, profile[profile.length - 1][1]]],
    SIDES,
  );
}

/** A disk with beveled edges. */
function flange(radius: number, bottom: number, top: number): ProfilePoint[] {
  const bevel = 0.15 * (top - bottom);
  return [
    [radius - bevel, bottom],
    [radius, bottom + bevel],
    [radius, top - bevel],
    [radius - bevel, top],
  ];
}

/** A quarter of a circle up from the axis, and one up to the axis. */
function bowl(radius: number, bottom: number): ProfilePoint[] {
  return dome(radius, -bottom)
    .reverse()
    .map(([at, height]): ProfilePoint => [at, -height]);
}

function dome(radius: number, top: number): ProfilePoint[] {
  return Array.from({ length: QUARTER + 1 }, (_, i): ProfilePoint => {
    const angle = (Math.PI / 2) * (i / QUARTER);
    return [i === QUARTER ? 0 : radius * Math.cos(angle), top - radius + radius * Math.sin(angle)];
  });
}

/** A thinner stretch. */
function waist(radius: number, bottom: number, top: number): ProfilePoint[] {
  return [
    [radius, bottom],
    [radius, (bottom + top) / 2],
    [radius, top],
  ];
}

export const arm = defineSample({
  name: 'arm',
  title: 'Arm with six joints',
  description: 'An arm takes its gripper out of one compartment of a shelf and into another one.',
  parameters: {},
  build: (): PlanProblem => {
    const chain = sixJoints();
    const compartments = [0.12, 0.64].flatMap((y) => {
      return [-0.6, -0.19, 0.22].map((z): Block => [0.55, y, z, 0.93, y + 0.48, z + 0.38]);
    });
    return {
      robots: [
        {
          type: 'chain',
          name: 'arm',
          ...chain,
          start: ARM_START,
          goal: ARM_GOAL,
        },
      ],
      environment: [
        { mesh: blockSolid([[0.55, 0.08, -0.64, 0.97, 1.16, 0.64]], { cut: compartments }) },
        { mesh: blockSolid([[-0.9, 0.1, 0.4, -0.3, 0.5, 1]]) },
        { mesh: blockSolid([[0.25, 0, -1, 0.35, 1.4, -0.9]]) },
      ],
    };
  },
});

/** With the gripper in a lower compartment on one side, and in an upper one on the other. */
const ARM_START = [0.7, -0.88, -1.85, -2.31, -1.44, 0.83];
const ARM_GOAL = [-0.57, -0.17, -1.62, 1.5, -0.22, -0.63];

export const crane = defineSample({
  name: 'crane',
  title: 'Tower crane',
  description: 'A crane with jib, trolley and hoist carries a beam among pipes.',
  parameters: {},
  build: (): PlanProblem => {
    const standing = cylinder.build({ radius: 0.35, height: 6.5, segments: 16, bands: 1, capRings: 1 });
    const lying = cylinder.build({ radius: 0.3, height: 9, segments: 16, bands: 1, capRings: 1 });
    const around = Array.from({ length: 14 }, (_, i) => {
      const [angle, radius] = [-2.6 + 0.4 * i, i % 2 === 0 ? 5 : 9.5];
      return { mesh: standing, pose: placeAt([radius * Math.cos(angle), 3.25, -radius * Math.sin(angle)]) };
    });
    const racks = [1.6, 4.2].flatMap((y) => {
      return [2.4, -2.4].map((z) => ({ mesh: lying, pose: placeAt([0, y, z * 3], [0, 0, 1], Math.PI / 2) }));
    });
    return {
      robots: [
        {
          ...towerCrane({
            height: 10,
            scale: 0.57,
            jib: [-3.5, 12],
            load: 1.8,
            slew: [-3, 3],
            trolley: [2.5, 11],
            hoist: [1.8, 9.2],
            swivel: [-3, 3],
          }),
          start: [-0.6, 7, 8.2, 0.8],
          goal: [2.4, 7.2, 8, 1.2],
        },
      ],
      environment: [{ mesh: blockSolid([[-14, -0.5, -14, 14, -0.01, 14]]) }, ...around, ...racks],
    };
  },
});

export const fourRobots = defineSample({
  name: 'four-robots',
  title: 'Four robots change corners',
  description: 'Four robots in a room with a pillar go to the opposite corner, all at the same time.',
  parameters: {
    size: { default: 0.7, min: 0.1, max: 1.1, description: 'side of a robot, in meters; the room has 4' },
  },
  build: ({ size }): PlanProblem => {
    const half = size / 2;
    const mesh = blockSolid([[-half, -0.15, -half, half, 0.15, half]]);
    const corners = [1, 3, 5, 7].map((k) => (k * Math.PI) / 4);
    return {
      robots: corners.map((angle, i) => {
        const [x, z] = [1.95 * Math.cos(angle), 1.95 * Math.sin(angle)];
        return {
          type: 'planar',
          plane: 'xz',
          name: `robot ${i + 1}`,
          mesh,
          bounds: { min: [-2, 0, -2], max: [2, 0, 2] },
          start: placeAt([x, 0, z]),
          goal: placeAt([-x, 0, -z]),
        };
      }),
      environment: [
        { mesh: blockSolid([[-2.2, -0.2, -2.2, 2.2, 0.3, 2.2]], { cut: [[-2, -0.2, -2, 2, 0.3, 2]] }) },
        { mesh: blockSolid([[-0.2, -0.2, -0.2, 0.2, 0.3, 0.2]]) },
      ],
    };
  },
});

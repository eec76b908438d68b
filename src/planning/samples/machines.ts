// Robots of links and joints, and several at once.
import { cylinder } from '../../mesh/models/primitives/cylinder.js';
import type { ChainPlanRobot, PlanJoint, PlanProblem } from '../problem/plan-problem.js';
import { type Block, blockSolid } from './block-solid.js';
import { placeAt } from './place-mesh.js';
import { defineSample } from './sample.js';

type Link = readonly [name: string, blocks: readonly Block[]];

/** The links of a chain whose bodies are blocks, each the parent of the next. */
function chainOf(links: readonly Link[], joints: readonly Omit<PlanJoint, 'name' | 'parent' | 'child'>[]) {
  return {
    links: links.map(([name, blocks]) => ({ name, mesh: blockSolid(blocks) })),
    joints: joints.map((joint, i): PlanJoint => {
      return { name: `joint ${i + 1}`, parent: links[i][0], child: links[i + 1][0], ...joint };
    }),
  } satisfies Partial<ChainPlanRobot>;
}

/** Links and joints of an arm that reaches 1.4 m. */
export function sixJoints(): Pick<ChainPlanRobot, 'links' | 'joints'> {
  const turning = (axis: 'y' | 'z', y: number, limit: number): Omit<PlanJoint, 'name' | 'parent' | 'child'> => ({
    type: 'revolute',
    axis: axis === 'y' ? [0, 1, 0] : [0, 0, 1],
    origin: placeAt([0, y, 0]),
    limits: [-limit, limit],
  });
  return chainOf(
    [
      ['base', [[-0.15, 0, -0.15, 0.15, 0.3, 0.15]]],
      ['shoulder', [[-0.12, 0.02, -0.12, 0.12, 0.25, 0.12]]],
      ['upper arm', [[-0.08, -0.08, -0.08, 0.08, 0.68, 0.08]]],
      ['forearm', [[-0.06, -0.06, -0.06, 0.06, 0.4, 0.06]]],
      ['wrist', [[-0.05, 0.01, -0.05, 0.05, 0.15, 0.05]]],
      ['hand', [[-0.05, -0.04, -0.05, 0.05, 0.1, 0.05]]],
      [
        'gripper',
        [
          [-0.1, 0.01, -0.03, 0.1, 0.08, 0.03],
          [-0.1, 0.01, -0.03, -0.06, 0.2, 0.03],
          [0.06, 0.01, -0.03, 0.1, 0.2, 0.03],
        ],
      ],
    ],
    [
      turning('y', 0.3, 2.9),
      turning('z', 0.15, 2.2),
      turning('z', 0.6, 2.6),
      turning('y', 0.4, 3),
      turning('z', 0.15, 1.9),
      turning('y', 0.1, 3),
    ],
  );
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
    const chain = chainOf(
      [
        ['tower', [[-0.5, 0, -0.5, 0.5, 9.8, 0.5]]],
        ['jib', [[-3.5, 0, -0.4, 12, 0.8, 0.4]]],
        ['trolley', [[-0.5, -0.35, -0.35, 0.5, -0.05, 0.35]]],
        [
          'hook',
          [
            [-0.03, 0.2, -0.03, 0.03, 1.3, 0.03],
            [-0.15, 0, -0.15, 0.15, 0.3, 0.15],
          ],
        ],
        ['load', [[-1.8, -0.5, -0.2, 1.8, -0.1, 0.2]]],
      ],
      [
        { type: 'revolute', axis: [0, 1, 0], origin: placeAt([0, 10, 0]), limits: [-3, 3] },
        { type: 'prismatic', axis: [1, 0, 0], limits: [2.5, 11] },
        { type: 'prismatic', axis: [0, -1, 0], limits: [1.8, 9.2] },
        { type: 'revolute', axis: [0, 1, 0], limits: [-3, 3] },
      ],
    );
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
      robots: [{ type: 'chain', name: 'crane', ...chain, start: [-0.6, 7, 8.2, 0.8], goal: [2.4, 7.2, 8, 1.2] }],
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

// Worlds of agents that ship with the library: through a doorway, past each other in a corridor, together, and in a cell.

import type {
  AgentConstraint,
  AgentObstacleOptions,
  AgentOptions,
  AgentWorldOptions,
} from '../../agents/agent-options.js';
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import { createRandom } from '../../core/random.js';
import { AgentWorld } from '../../crowd/agent-world.js';
import type { Mesh } from '../../mesh/mesh.js';
import { placeAt } from '../../mesh/place-mesh.js';
import { checkParameters, type ModelParameter } from '../../models/model.js';
import { capsule } from '../../models/primitives/capsule.js';
import { blockSolid } from '../planning/block-solid.js';
import type { PlanningSample } from '../planning/sample.js';

/** What a world of agents is made from. */
export interface AgentScene extends AgentWorldOptions {
  readonly agents: readonly AgentOptions[];
  readonly obstacles: readonly AgentObstacleOptions[];
  readonly constraints?: readonly AgentConstraint[] | undefined;
}

interface AgentSceneDefinition extends PlanningSample {
  readonly build: (parameters: Record<string, number>) => AgentScene;
}

/** Upright, 1 m high, 0.4 m wide: 192 triangles. */
const person = (): Mesh => capsule.build({ radius: 0.2, length: 0.6, segments: 16, rings: 3 });

/** A trolley with a mast and a fork: not convex, 0.36 m wide. */
const trolley = (): Mesh =>
  blockSolid([
    [-0.18, -0.5, -0.12, 0.18, -0.3, 0.12],
    [-0.18, -0.3, -0.04, -0.1, 0.5, 0.04],
    [-0.18, 0.3, -0.04, 0.1, 0.5, 0.04],
  ]);

/** Walls are 1.2 m high about the height 0. */
const wall = (x0: number, z0: number, x1: number, z1: number): AgentObstacleOptions => ({
  mesh: blockSolid([[x0, -0.6, z0, x1, 0.6, z1]]),
});

const inFloor = (x0: number, z0: number, x1: number, z1: number): Pick<AgentOptions, 'plane' | 'bounds'> => ({
  plane: 'xz',
  bounds: { min: [x0, 0, z0], max: [x1, 0, z1] },
});

const doorway: AgentSceneDefinition = {
  name: 'doorway',
  title: 'A crowd through a doorway',
  description: 'People, and a trolley for every fourth of them, go from one room through a door into another.',
  parameters: {
    agents: { default: 200, min: 1, max: 2000, integer: true, description: 'number of agents' },
    width: { default: 1.4, min: 0.5, max: 20, description: 'of the door, in meters' },
  },
  build: ({ agents, width }) => {
    const rows = Math.ceil(Math.sqrt(agents));
    // Who has arrived leaves room to pass.
    const spacing = (side: number): number => (side < 0 ? 0.6 : 0.95);
    const half = (spacing(1) / 2) * rows + 0.6;
    const depth = spacing(1) * rows + 2;
    const place = (i: number, side: number): pose.Pose => {
      // The front row of one room goes to the back of the other.
      const [row, column] = [Math.floor(i / rows), i % rows];
      const along = side < 0 ? 1.2 + spacing(side) * row : depth - 0.6 - spacing(side) * row;
      return placeAt([side * along, 0, (column - (rows - 1) / 2) * spacing(side)]);
    };
    const [one, other] = [person(), trolley()];
    const area = inFloor(-depth - 1, -half - 1, depth + 1, half + 1);
    return {
      distance: 0.01,
      agents: Array.from({ length: agents }, (_, i) => ({
        name: `agent ${i + 1}`,
        mesh: i % 4 === 3 ? other : one,
        ...area,
        pose: place(i, -1),
        goal: place(i, 1),
        tolerance: 0.05,
        speed: { linear: 1.3, angular: 2 },
      })),
      obstacles: [
        wall(-0.1, -half - 0.4, 0.1, -width / 2),
        wall(-0.1, width / 2, 0.1, half + 0.4),
        wall(-depth - 0.4, -half - 0.4, depth + 0.4, -half - 0.2),
        wall(-depth - 0.4, half + 0.2, depth + 0.4, half + 0.4),
        wall(-depth - 0.4, -half - 0.2, -depth - 0.2, half + 0.2),
        wall(depth + 0.2, -half - 0.2, depth + 0.4, half + 0.2),
      ],
    };
  },
};

const swap: AgentSceneDefinition = {
  name: 'swap',
  title: 'Past each other in a corridor',
  description:
    'Agents come from both ends of a corridor in which no two pass each other, but for a bay that takes one.',
  parameters: {
    agents: { default: 2, min: 2, max: 8, integer: true, description: 'number of agents, half of them at each end' },
    bay: { default: 1, min: 0, max: 1, integer: true, description: '0: the corridor has no bay' },
  },
  build: ({ agents, bay }) => {
    const mesh = person();
    const left = Math.ceil(agents / 2);
    const end = 1 + 0.5 * agents + 0.5;
    const places = (count: number, side: number): number[] =>
      Array.from({ length: count }, (_, i) => side * (1 + 0.5 * i));
    const starts = [...places(left, -1), ...places(agents - left, 1)];
    const goals = [...places(left, 1).reverse(), ...places(agents - left, -1).reverse()];
    const side = bay === 1 ? [wall(-end - 0.2, -0.45, -0.25, -0.25), wall(0.25, -0.45, end + 0.2, -0.25)] : [];
    const behind = bay === 1 ? [wall(-0.45, -1.15, -0.25, -0.45), wall(0.25, -1.15, 0.45, -0.45)] : [];
    const close = bay === 1 ? wall(-0.25, -1.15, 0.25, -0.95) : wall(-end - 0.2, -0.45, end + 0.2, -0.25);
    return {
      distance: 0.01,
      agents: starts.map((x, i) => ({
        name: `agent ${i + 1}`,
        mesh,
        ...inFloor(-end, -1, end, 1),
        pose: placeAt([x, 0, 0]),
        goal: placeAt([goals[i], 0, 0]),
      })),
      obstacles: [
        wall(-end - 0.2, 0.25, end + 0.2, 0.45),
        wall(-end - 0.2, -0.25, -end, 0.25),
        wall(end, -0.25, end + 0.2, 0.25),
        ...side,
        ...behind,
        close,
      ],
    };
  },
};

const escort: AgentSceneDefinition = {
  name: 'escort',
  title: 'Collaborating agents',
  description:
    'A guide leads a visitor through four rooms and never loses sight of it, while two carriers bring a beam that hangs between them.',
  parameters: {},
  build: () => {
    const mesh = person();
    const floor = inFloor(-4, -4, 4, 4);
    const beam = blockSolid([[-0.8, 0.55, -0.04, 0.8, 0.63, 0.04]]);
    return {
      distance: 0.01,
      agents: [
        { name: 'guide', mesh, ...floor, pose: placeAt([-3, 0, -3]), goal: placeAt([3, 0, 2.2]) },
        { name: 'visitor', mesh, ...floor, pose: placeAt([-3.6, 0, -3]), speed: { linear: 1.2 } },
        { name: 'carrier 1', mesh, ...floor, pose: placeAt([-3, 0, 1.2]), goal: placeAt([3.2, 0, -3]) },
        { name: 'carrier 2', mesh, ...floor, pose: placeAt([-3, 0, 2.8]), goal: placeAt([1.6, 0, -3]) },
        { name: 'beam', mesh: beam, ...floor, pose: placeAt([-3, 0, 2], [0, 1, 0], Math.PI / 2) },
      ],
      obstacles: [
        wall(-0.1, -4.5, 0.1, -2.6),
        wall(-0.1, -1, 0.1, 1),
        wall(-0.1, 2.6, 0.1, 4.5),
        wall(-4.5, -0.1, -2.6, 0.1),
        wall(-1, -0.1, -0.1, 0.1),
        wall(0.1, -0.1, 1, 0.1),
        wall(2.6, -0.1, 4.5, 0.1),
      ],
      constraints: [
        { type: 'follow', agent: 'visitor', leader: 'guide', distance: 0.8 },
        { type: 'sight', agents: ['guide', 'visitor'], distance: 0.05 },
        {
          type: 'joint',
          agents: ['carrier 1', 'beam'],
          points: [
            [0, 0.59, 0],
            [0.8, 0.59, 0],
          ],
        },
        {
          type: 'joint',
          agents: ['carrier 2', 'beam'],
          points: [
            [0, 0.59, 0],
            [-0.8, 0.59, 0],
          ],
        },
      ],
    };
  },
};

const cell: AgentSceneDefinition = {
  name: 'cell',
  title: 'Virtual prototyping: a cell',
  description: 'Trolleys and people cross a cell whose machines are moved by hand, while their ways follow.',
  parameters: {
    agents: { default: 80, min: 1, max: 400, integer: true, description: 'number of agents' },
    machines: { default: 12, min: 0, max: 40, integer: true, description: 'number of machines that can be moved' },
  },
  build: ({ agents, machines }) => {
    const rows = Math.ceil(agents / 4);
    const half = Math.max(3.2, 0.3 * rows + 0.6);
    const [one, other] = [person(), trolley()];
    const random = createRandom(7);
    const wide = Math.ceil(Math.sqrt(machines));
    const machine = blockSolid([
      [-0.35, -0.5, -0.25, 0.35, 0.1, 0.25],
      [-0.35, 0.1, -0.25, -0.15, 0.6, 0.25],
    ]);
    const floor = inFloor(-5.5, -half, 5.5, half);
    return {
      distance: 0.01,
      agents: Array.from({ length: agents }, (_, i) => {
        const side = i % 2 === 0 ? -1 : 1;
        const [row, column] = [Math.floor(i / 4), Math.floor(i / 2) % 2];
        const z = (row - (rows - 1) / 2) * 0.6;
        return {
          name: `agent ${i + 1}`,
          mesh: i % 3 === 2 ? other : one,
          ...floor,
          pose: placeAt([side * (4 + 0.7 * column), 0, z]),
          goal: placeAt([-side * (4.7 - 0.7 * column), 0, z]),
          tolerance: 0.05,
          speed: { linear: 1.2, angular: 2 },
        };
      }),
      obstacles: [
        ...Array.from({ length: machines }, (_, i) => ({
          mesh: machine,
          pose: pose.create(
            [
              ((i % wide) - (wide - 1) / 2) * (5 / wide),
              0,
              (Math.floor(i / wide) - (Math.ceil(machines / wide) - 1) / 2) * ((2 * half) / wide),
            ],
            quat.fromAxisAngle([0, 1, 0], random.range(-0.5, 0.5)),
          ),
        })),
        wall(-6.2, -half - 0.6, 6.2, -half - 0.4),
        wall(-6.2, half + 0.4, 6.2, half + 0.6),
      ],
    };
  },
};

const definitions: readonly AgentSceneDefinition[] = [doorway, swap, escort, cell];

/** The worlds of agents that ship with the library: names, what they are, and their parameters. */
export const agentSamples: readonly PlanningSample[] = definitions.map(({ build: _, ...sample }) => sample);

/**
 * One of `agentSamples`, ready for `createAgentWorld`. Omitted parameters have their defaults.
 * @throws NearfieldError for unknown names, and parameters that are unknown or out of range.
 */
export function agentSample(name: string, parameters: Readonly<Record<string, number>> = {}): AgentScene {
  const found = definitions.find((sample) => sample.name === name);
  if (found === undefined) {
    const names = definitions.map((sample) => sample.name).join(', ');
    throw new NearfieldError('bad-argument', `There is no sample "${name}"; the samples are ${names}.`);
  }
  if (parameters === null || typeof parameters !== 'object') {
    throw new NearfieldError('bad-argument', `The parameters are ${nameValue(parameters)}; give an object of numbers.`);
  }
  const known: Readonly<Record<string, ModelParameter>> = found.parameters;
  return found.build(checkParameters(`sample ${name}`, known, parameters));
}

/** A world with all that a scene has. */
export function createAgentWorld(scene: AgentScene): AgentWorld {
  const { agents, obstacles, constraints = [], ...options } = scene ?? {};
  if (!Array.isArray(agents) || !Array.isArray(obstacles) || !Array.isArray(constraints)) {
    throw new NearfieldError(
      'bad-argument',
      'The scene has no lists of agents and obstacles; give { agents, obstacles }.',
    );
  }
  const world = new AgentWorld(options);
  for (const obstacle of obstacles) world.addObstacle(obstacle);
  for (const agent of agents) world.addAgent(agent);
  for (const constraint of constraints) world.addConstraint(constraint);
  return world;
}

// Bodies among walls made of blocks: holes, sheets, corridors, a maze, a trap.
import { createRandom } from '../../core/random.js';
import type { Mesh } from '../../mesh/mesh.js';
import { placeAt } from '../../mesh/place-mesh.js';
import { createPolygon } from '../../mesh/polygon/polygon.js';
import { extrudePolygon } from '../../models/parts/extrude.js';
import type { PlanProblem, RigidPlanRobot } from '../../planning/problem/plan-problem.js';
import { type Block, blockSolid } from './block-solid.js';
import { defineSample } from './sample.js';

/** 1 × 0.5 × 0.3. */
const brick = (): Mesh => blockSolid([[-0.5, -0.25, -0.15, 0.5, 0.25, 0.15]]);

/** A rigid robot whose origin stays in a cube about the origin. */
function inCube(half: number, robot: Pick<RigidPlanRobot, 'name' | 'mesh' | 'start' | 'goal'>): RigidPlanRobot {
  return { type: 'rigid', bounds: { min: [-half, -half, -half], max: [half, half, half] }, ...robot };
}

export const openSpace = defineSample({
  name: 'open-space',
  title: 'Open space with loose boxes',
  description: 'A brick crosses a space with boxes in all orientations, far apart.',
  parameters: {
    boxes: { default: 20, min: 0, max: 200, integer: true, description: 'number of boxes' },
  },
  build: ({ boxes }): PlanProblem => {
    const random = createRandom(5);
    const mesh = blockSolid([[-0.25, -0.25, -0.25, 0.25, 0.25, 0.25]]);
    return {
      robots: [
        inCube(3, { name: 'brick', mesh: brick(), start: placeAt([-2.9, -2.9, -2.9]), goal: placeAt([2.9, 2.9, 2.9]) }),
      ],
      environment: Array.from({ length: boxes }, () => {
        const at = [random.range(-2, 2), random.range(-2, 2), random.range(-2, 2)];
        return { mesh, pose: [...at, ...random.rotation()] };
      }),
    };
  },
});

export const hole = defineSample({
  name: 'hole',
  title: 'Brick through a hole',
  description: 'A brick has to turn to pass a hole in a wall, a little larger than its smallest side.',
  parameters: {
    share: { default: 1.1, min: 0.1, max: 10, description: 'sides of the hole, as a share of those of the brick' },
  },
  build: ({ share }): PlanProblem => {
    const [w, h] = [0.25 * share, 0.15 * share];
    return {
      robots: [inCube(3, { name: 'brick', mesh: brick(), start: placeAt([0, 0, -2]), goal: placeAt([0, 0, 2]) })],
      environment: [{ mesh: blockSolid([[-3, -3, -0.1, 3, 3, 0.1]], { cut: [[-w, -h, -0.1, w, h, 0.1]] }) }],
    };
  },
});

export const sheets = defineSample({
  name: 'sheets',
  title: 'Thin sheets',
  description: 'Three sheets that samples of an edge miss, each open at one side, in turn.',
  parameters: {
    thickness: { default: 0.004, min: 1e-6, max: 0.2, description: 'of a sheet, in meters' },
  },
  build: ({ thickness }): PlanProblem => ({
    robots: [inCube(3, { name: 'brick', mesh: brick(), start: placeAt([0, 0, -2.6]), goal: placeAt([0, 0, 2.6]) })],
    environment: [-1.2, 0, 1.2].map((z, i) => {
      const [from, to] = i % 2 === 0 ? [-3.5, 1.5] : [-1.5, 3.5];
      return { mesh: blockSolid([[from, -3.5, z - thickness / 2, to, 3.5, z + thickness / 2]]) };
    }),
  }),
});

export const corridor = defineSample({
  name: 'corridor',
  title: 'L through a bent corridor',
  description:
    'A body like the letter L goes through a square corridor that bends three times, out of the plane the third time.',
  parameters: {
    width: { default: 1.25, min: 0.5, max: 2, description: 'of the corridor, in meters; the L has arms of 0.9' },
  },
  build: ({ width: w }): PlanProblem => {
    const outline = createPolygon([[0, 0, 0.9, 0, 0.9, 0.2, 0.2, 0.2, 0.2, 0.9, 0, 0.9].map((value) => value - 0.3)]);
    const cut: Block[] = [
      [-3, -w / 2, -w / 2, 2.5 + w / 2, w / 2, w / 2],
      [2.5 - w / 2, -w / 2, -w / 2, 2.5 + w / 2, 3 + w / 2, w / 2],
      [2.5 - w / 2, 3 - w / 2, -w / 2, 2.5 + w / 2, 3 + w / 2, 5],
    ];
    return {
      robots: [
        {
          type: 'rigid',
          name: 'L',
          mesh: extrudePolygon(outline, { depth: 0.2 }),
          bounds: { min: [-3, -2, -2], max: [4, 5, 7] },
          start: placeAt([-2.2, -0.1, 0]),
          goal: placeAt([2.5, 3, 5.8], [1, 0, 0], 0.4),
        },
      ],
      environment: [{ mesh: blockSolid([[-3, -1.5, -1.5, 4, 4.5, 5]], { cut }) }],
    };
  },
});

export const bugTrap = defineSample({
  name: 'bug-trap',
  title: 'Bug trap',
  description: 'A bar leaves a box whose only outlet is a tube that reaches inside.',
  parameters: {
    width: {
      default: 0.5,
      min: 0.3,
      max: 1.5,
      description: 'of the tube, in meters; the bar is 0.3 thick and 0.9 long',
    },
  },
  build: ({ width: w }): PlanProblem => ({
    robots: [
      inCube(4, {
        name: 'bar',
        mesh: blockSolid([[-0.45, -0.15, -0.15, 0.45, 0.15, 0.15]]),
        start: placeAt([-1, 1, 0]),
        goal: placeAt([3.2, 0, 0], [0, 1, 0], 1),
      }),
    ],
    environment: [
      {
        mesh: blockSolid([[-2, -2, -2, 2, 2, 2]], {
          cut: [
            [-1.8, -1.8, -1.8, 0.4, 1.8, 1.8],
            ...([-1, 1].flatMap((s): Block[] => {
              // The room around the tube: above and below, and on both sides.
              const [near, far] = s < 0 ? [-1.8, -w / 2 - 0.1] : [w / 2 + 0.1, 1.8];
              return [
                [-1.8, near, -1.8, 1.8, far, 1.8],
                [-1.8, -1.8, near, 1.8, 1.8, far],
              ];
            }) as Block[]),
            [0.4, -w / 2, -w / 2, 2, w / 2, w / 2],
          ],
        }),
      },
    ],
  }),
});

export const maze = defineSample({
  name: 'maze',
  title: 'Planar maze',
  description: 'A bar finds its way through a maze of square cells in the plane.',
  parameters: {
    cells: { default: 6, min: 2, max: 30, integer: true, description: 'cells along each side' },
    seed: { default: 1, min: 0, max: 1e6, integer: true, description: 'of the walls' },
  },
  build: ({ cells, seed }): PlanProblem => ({
    robots: [
      {
        type: 'planar',
        plane: 'xz',
        name: 'bar',
        mesh: blockSolid([[-0.35, -0.1, -0.1, 0.35, 0.1, 0.1]]),
        bounds: { min: [0, 0, 0], max: [cells, 0, cells] },
        start: placeAt([0.5, 0, 0.5]),
        goal: placeAt([cells - 0.5, 0, cells - 0.5]),
      },
    ],
    environment: [{ mesh: mazeWalls(cells, seed) }],
  }),
});

/** Walls of thickness 0.1 between cells of side 1, with one way between any two cells (by depth-first search). */
function mazeWalls(cells: number, seed: number): Mesh {
  const random = createRandom(seed);
  const [t, low, high] = [0.05, -0.3, 0.3];
  const cut: Block[] = [];
  const open = (a: readonly number[], b: readonly number[]): void => {
    const [x, z] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
    cut.push([x + t, low, z + t, Math.max(a[0], b[0]) + 1 - t, high, Math.max(a[1], b[1]) + 1 - t]);
  };
  const seen = new Set(['0,0']);
  const stack = [[0, 0]];
  while (stack.length > 0) {
    const at = stack[stack.length - 1];
    const next = [
      [at[0] + 1, at[1]],
      [at[0] - 1, at[1]],
      [at[0], at[1] + 1],
      [at[0], at[1] - 1],
    ].filter((cell) => cell.every((c) => c >= 0 && c < cells) && !seen.has(cell.join()));
    if (next.length === 0) {
      stack.pop();
      continue;
    }
    const cell = next[random.integer(next.length)];
    seen.add(cell.join());
    open(at, cell);
    stack.push(cell);
  }
  return blockSolid([[-t, low, -t, cells + t, high, cells + t]], { cut });
}

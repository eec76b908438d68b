// Several robots that have to give way to each other.

import { placeAt } from '../../mesh/place-mesh.js';
import type { PlanarPlanRobot, PlanProblem } from '../../planning/problem/plan-problem.js';
import { type Block, blockSolid } from './block-solid.js';
import { sixJoints } from './machines.js';
import { defineSample } from './sample.js';

export const bay = defineSample({
  name: 'bay',
  title: 'Two carts and a bay',
  description: 'Two carts change places in a corridor that is too narrow to pass, with one bay.',
  parameters: {
    depth: {
      default: 1,
      min: 0,
      max: 2,
      description: 'of the bay, in meters; the carts have 0.6, and 0 leaves no bay',
    },
    place: { default: 0.8, min: -2, max: 2, description: 'of the bay along the corridor, from its middle, in meters' },
  },
  build: ({ depth, place }): PlanProblem => {
    const mesh = blockSolid([[-0.3, -0.15, -0.3, 0.3, 0.15, 0.3]]);
    const cart = (name: string, x: number): PlanarPlanRobot => ({
      type: 'planar',
      plane: 'xz',
      name,
      mesh,
      bounds: { min: [-3.7, 0, -0.3], max: [3.7, 0, 2.3] },
      start: placeAt([x, 0, 0]),
      goal: placeAt([-x, 0, 0]),
    });
    const corridor: Block = [-4, -0.2, -0.45, 4, 0.3, 0.45];
    const cut = depth > 0 ? [corridor, [place - 0.5, -0.2, 0, place + 0.5, 0.3, 0.45 + depth] as const] : [corridor];
    return {
      robots: [cart('left cart', -3), cart('right cart', 3)],
      environment: [{ mesh: blockSolid([[-4.2, -0.2, -0.65, 4.2, 0.3, 2.65]], { cut }) }],
    };
  },
});

export const crossing = defineSample({
  name: 'crossing',
  title: 'Carts at a crossing',
  description: 'Carts come from all four sides and go on to the other side, two from each where there are eight.',
  parameters: {
    robots: { default: 8, min: 2, max: 8, integer: true, description: 'carts' },
    width: { default: 2.2, min: 1.7, max: 4, description: 'of the roads, in meters; carts are 0.7 by 0.5' },
  },
  build: ({ robots, width }): PlanProblem => {
    const mesh = blockSolid([[-0.35, -0.15, -0.25, 0.35, 0.15, 0.25]]);
    const [near, far] = [width / 2 + 0.9, width / 2 + 2];
    const end = far + 0.6;
    const half = width / 2;
    return {
      robots: Array.from({ length: robots }, (_, i): PlanarPlanRobot => {
        const angle = ((i % 4) * Math.PI) / 2;
        const [x, z] = [Math.cos(angle), Math.sin(angle)];
        const at = (distance: number) => placeAt([distance * x, 0, distance * z], [0, 1, 0], -angle);
        // The first of a road goes to the far end of the other side, to leave room for the second.
        const [from, to] = i < 4 ? [near, -far] : [far, -near];
        return {
          type: 'planar',
          plane: 'xz',
          name: `cart ${i + 1}`,
          mesh,
          bounds: { min: [-end, 0, -end], max: [end, 0, end] },
          start: at(from),
          goal: at(to),
        };
      }),
      environment: [
        {
          mesh: blockSolid([[-end - 0.2, -0.2, -end - 0.2, end + 0.2, 0.3, end + 0.2]], {
            cut: [
              [-end, -0.2, -half, end, 0.3, half],
              [-half, -0.2, -end, half, 0.3, end],
            ],
          }),
        },
      ],
    };
  },
});

export const twoArms = defineSample({
  name: 'two-arms',
  title: 'Two arms at one table',
  description: 'Two arms with six joints face each other over a table and change sides around a post.',
  parameters: {},
  build: (): PlanProblem => {
    const chain = sixJoints();
    const reach = [-0.9, -0.9, 0, -1, 0];
    return {
      robots: [
        {
          type: 'chain',
          name: 'left arm',
          ...chain,
          base: placeAt([-0.8, 0, 0]),
          start: [-0.5, ...reach],
          goal: [0.5, ...reach],
        },
        {
          type: 'chain',
          name: 'right arm',
          ...chain,
          base: placeAt([0.8, 0, 0], [0, 1, 0], Math.PI),
          start: [-0.5, ...reach],
          goal: [0.5, ...reach],
        },
      ],
      environment: [
        { mesh: blockSolid([[-0.45, 0, -1, 0.45, 0.2, 1]]) },
        { mesh: blockSolid([[-0.06, 0.25, -0.06, 0.06, 0.75, 0.06]]) },
      ],
    };
  },
});

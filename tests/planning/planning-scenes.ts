// Small problems with known answers: bricks and walls with holes, mazes of boxes.
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import type { PlanProblem } from '../../src/planning/index.js';

type Corners = readonly [number, number, number, number, number, number];

/** Boxes given by two corners each, as one mesh. */
export function boxes(...list: readonly Corners[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [x0, y0, z0, x1, y1, z1] of list) {
    const first = positions.length / 3;
    for (let i = 0; i < 8; i++) positions.push(i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0);
    for (const quad of ['0231', '4576', '0154', '2673', '0462', '1375']) {
      const [a, b, c, d] = [...quad].map((digit) => first + Number(digit));
      indices.push(a, b, c, a, c, d);
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** 1 × 0.5 × 0.3. */
export const BRICK = boxes([-0.5, -0.25, -0.15, 0.5, 0.25, 0.15]);

/** A wall of thickness 0.2 with a hole of a share of the brick's smallest section. */
export function wallWithHole(share: number): Mesh {
  const [w, h] = [0.25 * share, 0.15 * share];
  const [xs, ys] = [
    [-3, -w, w, 3],
    [-3, -h, h, 3],
  ];
  const positions: number[] = [];
  for (const z of [-0.1, 0.1]) for (const y of ys) for (const x of xs) positions.push(x, y, z);
  const indices: number[] = [];
  const id = (i: number, j: number, k: number): number => i + 4 * j + 16 * k;
  const quad = (a: number, b: number, c: number, d: number): void => void indices.push(a, b, c, a, c, d);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      if (i === 1 && j === 1) continue;
      quad(id(i, j, 0), id(i, j + 1, 0), id(i + 1, j + 1, 0), id(i + 1, j, 0));
      quad(id(i, j, 1), id(i + 1, j, 1), id(i + 1, j + 1, 1), id(i, j + 1, 1));
    }
  }
  const side = (a: [number, number], b: [number, number]): void => {
    quad(id(...a, 0), id(...b, 0), id(...b, 1), id(...a, 1));
  };
  for (let i = 0; i < 3; i++) {
    side([i, 0], [i + 1, 0]);
    side([i + 1, 3], [i, 3]);
    side([0, i + 1], [0, i]);
    side([3, i], [3, i + 1]);
  }
  side([2, 1], [1, 1]);
  side([1, 2], [2, 2]);
  side([1, 1], [1, 2]);
  side([2, 2], [2, 1]);
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** The brick lies along the wall at first and at last, so that it has to turn. */
export function holeProblem(share: number, more: Partial<PlanProblem> = {}): PlanProblem {
  return {
    robots: [
      {
        type: 'rigid',
        name: 'brick',
        mesh: BRICK,
        bounds: { min: [-3, -3, -3], max: [3, 3, 3] },
        start: [0, 0, -2, 0, 0, 0, 1],
        goal: [0, 0, 2, 0, 0, 0, 1],
      },
    ],
    environment: [{ mesh: wallWithHole(share) }],
    ...more,
  };
}

/** Walls across a square of side 6, open at alternate ends, for a bar in the plane. */
export function mazeProblem(more: Partial<PlanProblem> = {}): PlanProblem {
  const walls: Corners[] = [
    [-0.2, -0.2, -0.5, 6.2, 0, 0.5],
    [-0.2, 6, -0.5, 6.2, 6.2, 0.5],
    [-0.2, 0, -0.5, 0, 6, 0.5],
    [6, 0, -0.5, 6.2, 6, 0.5],
  ];
  for (let k = 1; k < 4; k++) {
    walls.push(
      k % 2 === 1
        ? [1.5 * k - 0.1, 0, -0.5, 1.5 * k + 0.1, 5.3, 0.5]
        : [1.5 * k - 0.1, 0.7, -0.5, 1.5 * k + 0.1, 6, 0.5],
    );
  }
  return {
    robots: [
      {
        type: 'planar',
        name: 'bar',
        plane: 'xy',
        mesh: boxes([-0.4, -0.1, -0.1, 0.4, 0.1, 0.1]),
        bounds: { min: [0, 0, 0], max: [6, 6, 0] },
        start: [0.7, 0.5, 0, 0, 0, 0, 1],
        goal: [5.2, 0.5, 0, 0, 0, 0, 1],
      },
    ],
    environment: [{ mesh: boxes(...walls) }],
    ...more,
  };
}

/** Boxes at random places, some around the start and the goal of the brick. */
export function randomProblem(seed: number): PlanProblem {
  const random = createRandom(seed);
  const list = Array.from({ length: 5 + random.integer(8) }, (): Corners => {
    const center = [0, 1, 2].map(() => random.range(-2, 2));
    const half = [0, 1, 2].map(() => random.range(0.1, 0.9));
    const [a, b] = [center.map((c, k) => c - half[k]), center.map((c, k) => c + half[k])];
    return [a[0], a[1], a[2], b[0], b[1], b[2]];
  });
  return {
    ...holeProblem(1),
    robots: [
      {
        type: 'rigid',
        mesh: BRICK,
        bounds: { min: [-3, -3, -3], max: [3, 3, 3] },
        start: [-2.6, -2.6, -2.6, ...random.rotation()],
        goal: [2.6, 2.6, 2.6, ...random.rotation()],
      },
    ],
    // Boxes that overlap are separate parts of the environment, as each is a solid.
    environment: list.map((corners) => ({ mesh: boxes(corners) })),
    seed,
    timeLimit: 4,
  };
}

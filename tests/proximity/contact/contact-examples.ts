// Worked examples of contacts: what is near what, and at which distances.
import type { Pose } from '../../../src/core/pose.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { boxMesh, join, mapPoints, mesh } from '../../generators/surfaces.js';

/** Where both models of an example are put: still, turned exactly, turned somehow. */
export const EXAMPLE_POSES: readonly Pose[] = [
  [0, 0, 0, 0, 0, 0, 1],
  [1, 2, 3, 0.5, 0.5, 0.5, 0.5],
  [0.3, -0.7, 0.1, 0.1, 0.7, -0.1, Math.sqrt(0.49)],
];

export const plate = (low: number, high: number, half = 1) => boxMesh([-half, -half, low], [half, half, high]);
/** A pyramid with its tip up, its base downward at z = `low`. */
const bump = (x: number, y: number, low: number, tip: number): Mesh =>
  mesh(
    [
      [x - 0.2, y - 0.2, low],
      [x + 0.2, y - 0.2, low],
      [x + 0.2, y + 0.2, low],
      [x - 0.2, y + 0.2, low],
      [x, y, tip],
    ],
    [
      [0, 2, 1],
      [0, 3, 2],
      [0, 1, 4],
      [1, 2, 4],
      [2, 3, 4],
      [3, 0, 4],
    ],
  );
const lifted = (shape: Mesh, x: number, y: number, z: number) =>
  mapPoints(shape, (p) => [p[0] + x, p[1] + y, p[2] + z]);
const square = mesh(
  [
    [-1, -1, 0],
    [1, -1, 0],
    [1, 1, 0],
    [-1, 1, 0],
  ],
  [
    [0, 1, 2],
    [0, 2, 3],
  ],
);
/** Two walls and a floor: the inside of a corner, as open sheets that share their edges. */
const innerCorner = mesh(
  [
    [0, 0, 0],
    [4, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
    [4, 4, 0],
    [4, 0, 4],
    [0, 4, 4],
  ],
  [
    [0, 1, 4],
    [0, 4, 2],
    [0, 3, 5],
    [0, 5, 1],
    [0, 2, 6],
    [0, 6, 3],
  ],
);

export interface Example {
  readonly name: string;
  readonly a: Mesh;
  readonly b: Mesh;
  readonly tolerance: number;
  /** The distances expected. */
  readonly distances: readonly number[];
}

export const EXAMPLES: readonly Example[] = [
  {
    name: 'two bumps of different height over a plane',
    a: join(bump(-0.5, 0, 0, 0.5), bump(0.5, 0, 0, 0.75)),
    b: lifted(plate(0, 0.25, 2), 0, 0, 1),
    tolerance: 0.6,
    distances: [0.25, 0.5],
  },
  {
    name: 'the second bump beyond the tolerance',
    a: join(bump(-0.5, 0, 0, 0.5), bump(0.5, 0, 0, 0.75)),
    b: lifted(plate(0, 0.25, 2), 0, 0, 1),
    tolerance: 0.3,
    distances: [0.25],
  },
  {
    name: 'parallel plates',
    a: plate(0, 0.25),
    b: lifted(plate(0, 0.25), 0.5, 0.25, 0.5),
    tolerance: 1,
    distances: [0.25],
  },
  {
    name: 'parallel plates whose edges lie over each other',
    a: plate(0, 0.25),
    b: lifted(plate(0, 0.25), 0, 0, 0.5),
    tolerance: 1,
    distances: [0.25],
  },
  {
    name: 'two pads at equal height',
    a: join(boxMesh([-1, -0.5, 0], [-0.5, 0.5, 0.5]), boxMesh([0.5, -0.5, 0], [1, 0.5, 0.5])),
    b: lifted(plate(0, 0.25, 2), 0, 0, 0.75),
    tolerance: 0.5,
    distances: [0.25, 0.25],
  },
  {
    name: 'stepped pads',
    a: join(boxMesh([-1, -0.5, 0], [-0.5, 0.5, 0.5]), boxMesh([0.5, -0.5, 0], [1, 0.5, 0.375])),
    b: lifted(plate(0, 0.25, 2), 0, 0, 0.75),
    tolerance: 0.5,
    distances: [0.25, 0.375],
  },
  {
    name: 'a corner over a corner',
    a: mesh(
      [
        [0, 0, 0],
        [1, 0, -1],
        [-1, 1, -1],
        [-1, -1, -1],
      ],
      [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 1],
        [1, 3, 2],
      ],
    ),
    b: mesh(
      [
        [0, 0, 1],
        [1, 0, 2],
        [-1, 1, 2],
        [-1, -1, 2],
      ],
      [
        [0, 2, 1],
        [0, 3, 2],
        [0, 1, 3],
        [1, 2, 3],
      ],
    ),
    tolerance: 2,
    distances: [1],
  },
  {
    name: 'a box in the corner of three walls',
    a: innerCorner,
    b: boxMesh([0.5, 0.75, 1], [1.5, 1.75, 2]),
    tolerance: 1.2,
    distances: [0.5, 0.75, 1],
  },
  { name: 'two open sheets face to face', a: square, b: lifted(square, 0.5, 0.5, 0.5), tolerance: 1, distances: [0.5] },
  {
    name: 'an open sheet seen from its back',
    a: square,
    b: lifted(boxMesh([-0.25, -0.25, -0.25], [0.25, 0.25, 0.25]), 0, 0, -0.75),
    tolerance: 1,
    distances: [0.5],
  },
  {
    name: 'a box within a cavity, near one wall',
    a: join(
      boxMesh([-2, -2, -2], [2, 2, 2]),
      mapPoints(boxMesh([-1, -1, -1], [1, 1, 1]), ([x, y, z]) => [y, x, z]),
    ),
    b: boxMesh([-0.25, -0.25, 0], [0.25, 0.25, 0.5]),
    tolerance: 0.9,
    distances: [0.5, 0.75, 0.75, 0.75, 0.75],
  },
  {
    name: 'crossed rods',
    a: boxMesh([-2, -0.125, 0], [2, 0.125, 0.25]),
    b: boxMesh([-0.125, -2, 0.5], [0.125, 2, 0.75]),
    tolerance: 0.4,
    distances: [0.25],
  },
  {
    name: 'coplanar sheets side by side',
    a: square,
    b: lifted(square, 3, 0.5, 0),
    tolerance: 1.5,
    distances: [1],
  },
  { name: 'nothing within the tolerance', a: square, b: lifted(square, 0, 0, 3), tolerance: 1, distances: [] },
];

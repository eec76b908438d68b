// Shapes beside shapes whose contacts are known, and ways to move, resize and disturb them.
import type { Random } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { boxMesh, mesh } from '../../generators/surfaces.js';

/** Row-major 3 × 4. */
export type Matrix = Float64Array;

export const IDENTITY: Matrix = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

export function randomPlacement(random: Random, spread: number): Matrix {
  const [x, y, z, w] = random.rotation();
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  return Float64Array.from(rows.flatMap((row) => [...row, random.range(-spread, spread)]));
}

export function apply(m: Matrix, [x, y, z]: Iterable<number>, w = 1): [number, number, number] {
  const row = (i: number): number => m[i] * x + m[i + 1] * y + m[i + 2] * z + w * m[i + 3];
  return [row(0), row(4), row(8)];
}

export function invert(m: Matrix): Matrix {
  const turned = Float64Array.of(m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0);
  const [x, y, z] = apply(turned, [m[3], m[7], m[11]]);
  turned[3] = -x;
  turned[7] = -y;
  turned[11] = -z;
  return turned;
}

/** First `b`, then `a`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  const out = new Float64Array(12);
  for (let k = 0; k < 4; k++) {
    const column = apply(a, [b[k], b[4 + k], b[8 + k]], k === 3 ? 1 : 0);
    for (let i = 0; i < 3; i++) out[4 * i + k] = column[i];
  }
  return out;
}

export function mapMesh(m: Mesh, map: (p: number[]) => ArrayLike<number>): Mesh {
  const positions = m.positions.slice();
  for (let i = 0; i < positions.length; i += 3) positions.set(map(Array.from(positions.subarray(i, i + 3))), i);
  return { positions, indices: m.indices };
}

export function unite(...parts: Mesh[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    for (const vertex of part.indices) indices.push(first + vertex);
    positions.push(...part.positions);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A pyramid of unit height with its tip at (x, y, z), upside down. */
export function spike(x: number, y: number, z: number): Mesh {
  const corners = [[x, y, z], ...[0, 1, 2, 3].map((k) => [x + (k % 3 ? 0.4 : -0.4), y + (k < 2 ? -0.4 : 0.4), z + 1])];
  return mesh(corners, [
    [0, 2, 1],
    [0, 3, 2],
    [0, 4, 3],
    [0, 1, 4],
    [1, 2, 3],
    [1, 3, 4],
  ]);
}

/** Rows of vertices (x, y, height(x, y)), open, looking up. */
export function terrain(xs: readonly number[], ys: readonly number[], height: (x: number, y: number) => number): Mesh {
  const points = ys.flatMap((y) => xs.map((x) => [x, y, height(x, y)]));
  const faces: number[][] = [];
  for (let j = 0; j + 1 < ys.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      const a = j * xs.length + i;
      faces.push([a, a + 1, a + xs.length + 1], [a, a + xs.length + 1, a + xs.length]);
    }
  }
  return mesh(points, faces);
}

export const steps = (count: number, low: number, high: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => low + ((high - low) * i) / count);

/** A ridge along X or Y, pointing down or up to z. */
function ridge(along: 'x' | 'y', z: number, up: boolean, from = -1, to = 1): Mesh {
  const across = [-0.5, 0, 0.5];
  const height = (c: number): number => z + (up ? -1 : 1) * Math.abs(c);
  return along === 'x'
    ? terrain([from, to], across, (_, y) => height(y))
    : terrain(across, [from, to], (x) => height(x));
}

export interface Configuration {
  readonly a: Mesh;
  readonly b: Mesh;
  readonly closedA: boolean;
  readonly closedB: boolean;
  readonly placement?: Matrix;
  readonly tolerance: number;
}

export const solids = (a: Mesh, b: Mesh, tolerance: number): Configuration => ({
  a,
  b,
  closedA: true,
  closedB: true,
  tolerance,
});
export const sheets = (a: Mesh, b: Mesh, tolerance: number): Configuration => ({
  a,
  b,
  closedA: false,
  closedB: false,
  tolerance,
});

/** The same shapes: A carried by one motion, B stored in the frame of another. */
export function move(config: Configuration, motion: Matrix, frameB: Matrix): Configuration {
  return {
    ...config,
    a: mapMesh(config.a, (p) => apply(motion, p)),
    b: mapMesh(config.b, (p) => apply(invert(frameB), p)),
    placement: multiply(motion, frameB),
  };
}

export function resize(config: Configuration, factor: number): Configuration {
  const grow = (p: number[]): number[] => p.map((value) => value * factor);
  return { ...config, a: mapMesh(config.a, grow), b: mapMesh(config.b, grow), tolerance: config.tolerance * factor };
}

/** Each expected contact has one found with these distances, dimensions and, where given, points. */
export interface Expected {
  readonly distance: number;
  readonly dimension: number;
  readonly pointA?: readonly number[];
  readonly normal?: readonly number[];
  readonly kinds?: string;
}

export const plate = boxMesh([-2, -2, -0.2], [2, 2, 0]);
export const UP = [0, 0, 1];

/** Worked examples: what is beside what, and the contacts. */
export const examples: Record<string, { config: Configuration; expected: Expected[] }> = {
  'a box over a plate, one contact in the middle of its face': {
    config: solids(plate, boxMesh([-0.5, -0.25, 0.1], [0.5, 1.25, 1]), 0.2),
    expected: [{ distance: 0.1, dimension: 2, pointA: [0, 0.5, 0], normal: UP }],
  },
  'plates of the same outline, corner over corner': {
    config: solids(plate, boxMesh([-2, -2, 0.1], [2, 2, 0.3]), 0.2),
    expected: [{ distance: 0.1, dimension: 2, pointA: [0, 0, 0], normal: UP, kinds: 'edge-edge' }],
  },
  'plates that overlap in part': {
    config: solids(plate, boxMesh([1, 0.5, 0.1], [4, 4, 0.3]), 0.2),
    expected: [{ distance: 0.1, dimension: 2, pointA: [1.5, 1.25, 0], normal: UP }],
  },
  'plates whose rims are one over the other': {
    config: solids(plate, boxMesh([2, -1, 0.1], [4, 2, 0.3]), 0.2),
    expected: [{ distance: 0.1, dimension: 1, pointA: [2, 0.5, 0], normal: UP, kinds: 'edge-edge' }],
  },
  'plates with one corner over another': {
    config: solids(plate, boxMesh([2, 2, 0.1], [4, 4, 0.3]), 0.2),
    expected: [{ distance: 0.1, dimension: 0, pointA: [2, 2, 0], normal: UP, kinds: 'vertex-vertex' }],
  },
  'two pads of the same height': {
    config: solids(
      unite(boxMesh([-1.5, -1, 0], [-0.5, 1, 0.5]), boxMesh([0.5, -1, 0], [1.5, 1, 0.5])),
      boxMesh([-2, -2, 0.6], [2, 2, 0.7]),
      0.2,
    ),
    expected: [
      { distance: 0.1, dimension: 2, pointA: [-1, 0, 0.5], normal: UP },
      { distance: 0.1, dimension: 2, pointA: [1, 0, 0.5], normal: UP },
    ],
  },
  'two spikes over a plate': {
    config: solids(plate, unite(spike(-1, 0, 0.1), spike(1, 0.3, 0.15)), 0.2),
    expected: [
      { distance: 0.1, dimension: 0, pointA: [-1, 0, 0], normal: UP },
      { distance: 0.15, dimension: 0, pointA: [1, 0.3, 0], normal: UP },
    ],
  },
  'the second spike beyond the tolerance': {
    config: solids(plate, unite(spike(-1, 0, 0.1), spike(1, 0.3, 0.15)), 0.12),
    expected: [{ distance: 0.1, dimension: 0, pointA: [-1, 0, 0] }],
  },
  'a spike over a vertex of a fine plate': {
    config: {
      ...sheets(
        terrain(steps(8, -1, 1), steps(8, -1, 1), () => 0),
        spike(0, 0, 0.1),
        0.5,
      ),
      closedB: true,
    },
    expected: [{ distance: 0.1, dimension: 0, pointA: [0, 0, 0], kinds: 'vertex-vertex' }],
  },
  'a box over a fine plate': {
    config: {
      ...sheets(
        terrain(steps(8, -1, 1), steps(8, -1, 1), () => 0),
        boxMesh([-0.6, -0.3, 0.1], [0.4, 0.7, 1]),
        0.5,
      ),
      closedB: true,
    },
    expected: [{ distance: 0.1, dimension: 2, pointA: [-0.1, 0.2, 0], normal: UP }],
  },
  'ridges that cross': {
    config: sheets(ridge('x', 0, true), ridge('y', 0.1, false), 0.2),
    expected: [{ distance: 0.1, dimension: 0, pointA: [0, 0, 0], normal: UP, kinds: 'edge-edge' }],
  },
  'parallel ridges': {
    config: sheets(ridge('x', 0, true), ridge('x', 0.1, false, 0, 3), 0.2),
    expected: [{ distance: 0.1, dimension: 1, pointA: [0.5, 0, 0], normal: UP, kinds: 'edge-edge' }],
  },
  'a ridge over a plate, across its diagonal': {
    config: { ...solids(plate, ridge('x', 0.1, false, -1, 1.5), 0.2), closedB: false },
    expected: [{ distance: 0.1, dimension: 1, pointA: [0.25, 0, 0], normal: UP }],
  },
  'a box in a corner of floor and wall': {
    config: {
      ...sheets(
        mesh(
          [
            [0, 0, 0],
            [3, 0, 0],
            [3, 3, 0],
            [0, 3, 0],
            [0, 0, 3],
            [0, 3, 3],
          ],
          [
            [0, 1, 2],
            [0, 2, 3],
            [0, 3, 5],
            [0, 5, 4],
          ],
        ),
        boxMesh([0.1, 1, 0.2], [1.1, 2, 1.2]),
        0.5,
      ),
      closedB: true,
    },
    expected: [
      { distance: 0.1, dimension: 2, pointA: [0, 1.5, 0.7], normal: [1, 0, 0] },
      { distance: 0.2, dimension: 2, pointA: [0.6, 1.5, 0], normal: UP },
    ],
  },
  'both sides of a solid plate, of which only the upper one faces the spike': {
    config: solids(plate, spike(0.3, 0.2, 0.1), 1),
    expected: [{ distance: 0.1, dimension: 0, pointA: [0.3, 0.2, 0], normal: UP }],
  },
  'two sheets, which both have a minimum': {
    config: {
      ...sheets(
        unite(
          terrain([-2, 2], [-2, 2], () => 0),
          terrain([-2, 2], [-2, 2], () => -0.2),
        ),
        spike(0.3, 0.2, 0.1),
        0.5,
      ),
      closedB: true,
    },
    expected: [
      { distance: 0.1, dimension: 0, pointA: [0.3, 0.2, 0], normal: UP },
      { distance: 0.3, dimension: 0, pointA: [0.3, 0.2, -0.2], normal: UP },
    ],
  },
  'stairs, whose steps are level': {
    config: sheets(
      terrain([0, 1, 1.001, 2], [0, 1], (x) => (x > 1 ? 0.1 : 0)),
      terrain([-1, 3], [-1, 2], () => 0.3),
      1,
    ),
    expected: [
      { distance: 0.2, dimension: 2, pointA: [1.5005, 0.5, 0.1], normal: UP },
      { distance: 0.3, dimension: 2, pointA: [0.5, 0.5, 0], normal: UP },
    ],
  },
  'rims of two sheets in one plane': {
    config: sheets(
      terrain([-1, 0], [-1, 1], () => 0),
      terrain([0.1, 1], [-0.5, 2], () => 0),
      0.3,
    ),
    expected: [{ distance: 0.1, dimension: 1, pointA: [0, 0.25, 0], normal: [1, 0, 0], kinds: 'edge-edge' }],
  },
};

/** A ball of 80 triangles with a random radius at each vertex. */
export function lumpyBall(random: Random, roughness: number): Mesh {
  const s = (1 + Math.sqrt(5)) / 2;
  const points = [
    [-1, s, 0],
    [1, s, 0],
    [-1, -s, 0],
    [1, -s, 0],
    [0, -1, s],
    [0, 1, s],
    [0, -1, -s],
    [0, 1, -s],
    [s, 0, -1],
    [s, 0, 1],
    [-s, 0, -1],
    [-s, 0, 1],
  ];
  const faces = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
  ];
  const middles = new Map<number, number>();
  const middle = (i: number, j: number): number => {
    const key = Math.min(i, j) * 100 + Math.max(i, j);
    const known = middles.get(key);
    if (known !== undefined) return known;
    points.push(points[i].map((value, k) => value + points[j][k]));
    middles.set(key, points.length - 1);
    return points.length - 1;
  };
  const fine = faces.flatMap(([a, b, c]) => {
    const [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
    return [
      [a, d, f],
      [d, b, e],
      [f, e, c],
      [d, e, f],
    ];
  });
  return mesh(
    points.map((p) => {
      const radius = random.range(1 - roughness, 1 + roughness) / Math.hypot(...p);
      return p.map((value) => value * radius);
    }),
    fine,
  );
}

// Models with the faults that files from elsewhere have, made from sound ones, so that the inspector has work at once.
import { createRandom, type Vec3, vec3 } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';

export interface FaultyModel {
  readonly name: string;
  readonly title: string;
  /** The slice that shows the fault best. */
  readonly slice: 'off' | 'x' | 'y' | 'z';
  build(): Mesh;
}

export const faultyModels: readonly FaultyModel[] = [
  {
    name: 'open-cup',
    title: 'Open: a cup with holes',
    slice: 'z',
    build: () => {
      const large = drill(sound('cup'), [0, 0.08, 0], [-0.3, 0, -1], 0.12);
      return drill(large, [0, -0.1, 0], [0.75, 0, -1], 0.06);
    },
  },
  {
    name: 'crossing-rings',
    title: 'Self-intersecting: two rings',
    slice: 'off',
    build: () => {
      const ring = sound('torus');
      const turned = mapPositions(ring, ([x, y, z]) => [x + 0.22, z, -y]);
      return merge([ring, turned]);
    },
  },
  {
    name: 'cubes-on-an-edge',
    title: 'Non-manifold: cubes on an edge',
    slice: 'off',
    build: () => {
      const corners = [0, 1, 2].flatMap((x) =>
        [0, 1, 2].flatMap((y) => [0, 1].flatMap((z) => [x - 1, y - 1, z - 0.5])),
      );
      const id = (x: number, y: number, z: number): number => 6 * x + 2 * y + z;
      const cube = (x: number, y: number): number[] => {
        const corner = (i: number): number => id(x + (i & 1), y + ((i >> 1) & 1), i >> 2);
        const quads = [
          [0, 2, 3, 1],
          [4, 5, 7, 6],
          [0, 1, 5, 4],
          [2, 6, 7, 3],
          [0, 4, 6, 2],
          [1, 3, 7, 5],
        ];
        return quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d].map(corner));
      };
      return { positions: Float64Array.from(corners), indices: Uint32Array.from([...cube(1, 0), ...cube(0, 1)]) };
    },
  },
  {
    name: 'turned-faces',
    title: 'Not oriented: turned faces',
    slice: 'off',
    build: () => {
      const torus = sound('wrinkled-torus');
      const indices = torus.indices.slice();
      for (let i = 0; i < indices.length; i += 3) {
        const [x, , z] = triangleCenter(torus, i);
        if (Math.sin(5 * Math.atan2(z, x)) < 0.5) continue;
        [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
      }
      return { positions: torus.positions, indices };
    },
  },
  {
    name: 'loose-triangles',
    title: 'Soup: loose triangles',
    slice: 'z',
    build: () => {
      const apple = sound('apple');
      const random = createRandom(7);
      const positions: number[] = [];
      const indices: number[] = [];
      const addTriangle = (corners: readonly number[]): void => {
        for (const corner of corners) {
          indices.push(positions.length / 3);
          positions.push(...apple.positions.subarray(3 * corner, 3 * corner + 3));
        }
      };
      for (let i = 0; i < apple.indices.length; i += 3) {
        const [a, b, c] = apple.indices.subarray(i, i + 3);
        addTriangle(random.next() < 0.3 ? [a, c, b] : [a, b, c]);
        if (random.next() < 0.05) addTriangle([a, b, c]);
        if (random.next() < 0.05) addTriangle([a, a, b]);
      }
      return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
    },
  },
];

function sound(name: string): Mesh {
  return findModel(name).build();
}

/** Leaves out the triangles whose centers lie within `radius` of a ray, through every wall it passes. */
function drill(mesh: Mesh, origin: Vec3, direction: Vec3, radius: number): Mesh {
  const axis = vec3.normalize(direction);
  const indices: number[] = [];
  for (let i = 0; i < mesh.indices.length; i += 3) {
    const arm = vec3.subtract(triangleCenter(mesh, i), origin);
    const along = vec3.dot(arm, axis);
    if (along > 0 && vec3.length(vec3.addScaled(arm, axis, -along)) < radius) continue;
    indices.push(...mesh.indices.subarray(i, i + 3));
  }
  return { positions: mesh.positions, indices: Uint32Array.from(indices) };
}

function mapPositions(mesh: Mesh, move: (point: Vec3) => Vec3): Mesh {
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3) {
    positions.set(move([positions[i], positions[i + 1], positions[i + 2]]), i);
  }
  return { positions, indices: mesh.indices };
}

function merge(meshes: readonly Mesh[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const mesh of meshes) {
    const offset = positions.length / 3;
    for (const coordinate of mesh.positions) positions.push(coordinate);
    for (const vertex of mesh.indices) indices.push(offset + vertex);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

function triangleCenter({ positions, indices }: Mesh, i: number): Vec3 {
  return [0, 1, 2].map(
    (k) => (positions[3 * indices[i] + k] + positions[3 * indices[i + 1] + k] + positions[3 * indices[i + 2] + k]) / 3,
  ) as Vec3;
}

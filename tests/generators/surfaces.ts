// Small meshes with known answers, and ways to change a mesh without changing what it is.
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';

export function mesh(positions: readonly (readonly number[])[], faces: readonly (readonly number[])[]): Mesh {
  return { positions: Float64Array.from(positions.flat()), indices: Uint32Array.from(faces.flat()) };
}

const CUBE_FACES = [
  [0, 2, 1],
  [0, 3, 2], // z = min
  [4, 5, 6],
  [4, 6, 7], // z = max
  [0, 1, 5],
  [0, 5, 4], // y = min
  [2, 3, 7],
  [2, 7, 6], // y = max
  [1, 2, 6],
  [1, 6, 5], // x = max
  [3, 0, 4],
  [3, 4, 7], // x = min
];

/** A box of 8 vertices and 12 faces, outward; the last faces are x = min. */
export function boxMesh(min: readonly number[] = [0, 0, 0], max: readonly number[] = [1, 1, 1]): Mesh {
  const [a, b, c] = min;
  const [d, e, f] = max;
  return mesh(
    [
      [a, b, c],
      [d, b, c],
      [d, e, c],
      [a, e, c],
      [a, b, f],
      [d, b, f],
      [d, e, f],
      [a, e, f],
    ],
    CUBE_FACES,
  );
}

/** The unit cube without its side x = 0. */
export function openCube(): Mesh {
  const cube = boxMesh();
  return { positions: cube.positions, indices: cube.indices.slice(0, 30) };
}

export function tetrahedron(): Mesh {
  return mesh(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [2, 0, 3],
    ],
  );
}

/** A torus about z: `m` steps round the axis, `n` round the tube; outward. */
export function torusGrid(m: number, n: number, major = 2, minor = 0.7): Mesh {
  return closedGrid(m, n, major, minor, false);
}

/** The same grid glued with a twist: a Klein bottle by its ids (its points are those of the torus). */
export function kleinGrid(m: number, n: number): Mesh {
  return closedGrid(m, n, 2, 0.7, true);
}

function closedGrid(m: number, n: number, major: number, minor: number, twisted: boolean): Mesh {
  const positions: number[][] = [];
  const faces: number[][] = [];
  const id = (i: number, j: number): number => {
    if (i < m) return i * n + (j % n);
    return twisted ? (2 * n - (j % n)) % n : j % n;
  };
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      const u = (2 * Math.PI * i) / m;
      const v = (2 * Math.PI * j) / n;
      const r = major + minor * Math.cos(v);
      positions.push([r * Math.cos(u), r * Math.sin(u), minor * Math.sin(v)]);
      faces.push([id(i, j), id(i + 1, j), id(i + 1, j + 1)], [id(i, j), id(i + 1, j + 1), id(i, j + 1)]);
    }
  }
  return mesh(positions, faces);
}

/** A hilly sheet of n × n squares that looks up. */
export function sheet(n: number): Mesh {
  const positions: number[][] = [];
  const faces: number[][] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      positions.push([i, j, 0.5 * Math.sin(i) * Math.cos(j)]);
      if (i === n || j === n) continue;
      const a = i * (n + 1) + j;
      faces.push([a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]);
    }
  }
  return mesh(positions, faces);
}

/** A strip of `n` squares round a circle, glued after a half turn where `halfTurns` is odd. */
export function strip(n: number, halfTurns: number): Mesh {
  const positions: number[][] = [];
  const faces: number[][] = [];
  for (let i = 0; i < n; i++) {
    const u = (2 * Math.PI * i) / n;
    for (const side of [-1, 1]) {
      const r = 2 + 0.5 * side * Math.cos((halfTurns * u) / 2);
      positions.push([r * Math.cos(u), r * Math.sin(u), 0.5 * side * Math.sin((halfTurns * u) / 2)]);
    }
    const swap = i === n - 1 && halfTurns % 2 === 1;
    const next = 2 * ((i + 1) % n);
    const [low, high] = swap ? [next + 1, next] : [next, next + 1];
    faces.push([2 * i, low, high], [2 * i, high, 2 * i + 1]);
  }
  return mesh(positions, faces);
}

/** A sphere of `n` rings between the poles and 2n meridians, of the given radius; outward. */
export function sphereGrid(n: number, radius = 1, center: readonly number[] = [0, 0, 0]): Mesh {
  const positions: number[][] = [[0, 0, -1]];
  const faces: number[][] = [];
  const round = 2 * n;
  const id = (ring: number, k: number): number => 1 + ring * round + (k % round);
  for (let ring = 0; ring < n; ring++) {
    const latitude = -Math.PI / 2 + (Math.PI * (ring + 1)) / (n + 1);
    for (let k = 0; k < round; k++) {
      const longitude = (2 * Math.PI * k) / round;
      positions.push([
        Math.cos(latitude) * Math.cos(longitude),
        Math.cos(latitude) * Math.sin(longitude),
        Math.sin(latitude),
      ]);
      if (ring > 0) {
        faces.push(
          [id(ring - 1, k), id(ring - 1, k + 1), id(ring, k + 1)],
          [id(ring - 1, k), id(ring, k + 1), id(ring, k)],
        );
      }
    }
  }
  const top = positions.length;
  positions.push([0, 0, 1]);
  for (let k = 0; k < round; k++) {
    faces.push([0, id(0, k + 1), id(0, k)], [top, id(n - 1, k), id(n - 1, k + 1)]);
  }
  return mesh(
    positions.map((p) => p.map((value, axis) => center[axis] + radius * value)),
    faces,
  );
}

/** The surface of the unit cells for which `isFilled` holds, of n × n × n, each square cut into parts × parts; outward. */
export function voxelSolid(n: number, isFilled: (x: number, y: number, z: number) => boolean, parts = 1): Mesh {
  const filled = (c: readonly number[]): boolean => c.every((v) => v >= 0 && v < n) && isFilled(c[0], c[1], c[2]);
  const positions: number[][] = [];
  const ids = new Map<string, number>();
  const vertexAt = (point: readonly number[]): number => {
    const key = point.join();
    if (!ids.has(key)) {
      ids.set(key, positions.length);
      positions.push([...point]);
    }
    return ids.get(key)!;
  };
  const faces: number[][] = [];
  for (let i = 0; i < n ** 3; i++) {
    const cell = [i % n, Math.floor(i / n) % n, Math.floor(i / n / n)];
    if (!filled(cell)) continue;
    for (let side = 0; side < 6; side++) {
      const axis = side % 3;
      const step = side < 3 ? 1 : -1;
      const beyond = cell.map((v, k) => (k === axis ? v + step : v));
      if (filled(beyond)) continue;
      const at = (p: number, q: number): number => {
        const point = [...cell];
        point[axis] += side < 3 ? 1 : 0;
        point[(axis + 1) % 3] += p / parts;
        point[(axis + 2) % 3] += q / parts;
        return vertexAt(point);
      };
      for (let p = 0; p < parts; p++) {
        for (let q = 0; q < parts; q++) {
          const [a, b, c, d] = [at(p, q), at(p + 1, q), at(p + 1, q + 1), at(p, q + 1)];
          if (step > 0) faces.push([a, b, c], [a, c, d]);
          else faces.push([a, c, b], [a, d, c]);
        }
      }
    }
  }
  return mesh(positions, faces);
}

/** Two tetrahedra that share vertex 0. */
export function bowTie(): Mesh {
  return mesh(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [-1, 0, 0],
      [0, -1, 0],
      [0, 0, -1],
    ],
    [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [2, 0, 3],
      [0, 4, 5],
      [0, 6, 4],
      [4, 6, 5],
      [5, 6, 0],
    ],
  );
}

/** Two unit cubes, (0,0) and (1,1) in xy, that share the edge at (1,1). */
export function cubesSharingEdge(): Mesh {
  return weldExactly(join(boxMesh([0, 0, 0], [1, 1, 1]), boxMesh([1, 1, 0], [2, 2, 1])));
}

/** Two unit cubes that share the side x = 1, each with its own copy of the faces there. */
export function cubesSharingSide(): Mesh {
  const left = boxMesh([0, 0, 0], [1, 1, 1]);
  // The right cube is the mirror image, so that the diagonals of the shared side coincide.
  const right = reversed({ positions: left.positions.map((v, i) => (i % 3 === 0 ? 2 - v : v)), indices: left.indices });
  return weldExactly(join(left, right));
}

/** Both meshes in one, the second's vertices after the first's. */
export function join(...parts: Mesh[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const part of parts) {
    const offset = positions.length / 3;
    for (const value of part.positions) positions.push(value);
    for (const value of part.indices) indices.push(value + offset);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Vertices with equal coordinates made one, by their printed numbers; unused ones dropped. */
export function weldExactly(given: Mesh): Mesh {
  const ids = new Map<string, number>();
  const positions: number[] = [];
  const indices = Array.from(given.indices, (vertex) => {
    const point = [...given.positions.subarray(3 * vertex, 3 * vertex + 3)].map((value) => value + 0);
    const key = point.join(' ');
    if (!ids.has(key)) {
      ids.set(key, ids.size);
      positions.push(...point);
    }
    return ids.get(key)!;
  });
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Every face with vertices of its own. */
export function toSoup(given: Mesh): Mesh {
  const positions = new Float64Array(3 * given.indices.length);
  for (let i = 0; i < given.indices.length; i++) {
    positions.set(given.positions.subarray(3 * given.indices[i], 3 * given.indices[i] + 3), 3 * i);
  }
  return { positions, indices: Uint32Array.from(given.indices, (_, i) => i) };
}

/** All faces the other way round. */
export function reversed(given: Mesh): Mesh {
  return flipFaces(given, () => true);
}

/** The faces for which `isFlipped` holds the other way round. */
export function flipFaces(given: Mesh, isFlipped: (face: number) => boolean): Mesh {
  const indices = given.indices.slice();
  for (let face = 0; face < indices.length / 3; face++) {
    if (!isFlipped(face)) continue;
    indices[3 * face + 1] = given.indices[3 * face + 2];
    indices[3 * face + 2] = given.indices[3 * face + 1];
  }
  return { positions: given.positions, indices };
}

/** The faces for which `isKept` holds. */
export function selectFaces(given: Mesh, isKept: (face: number) => boolean): Mesh {
  const kept = Array.from({ length: given.indices.length / 3 }, (_, face) => isKept(face));
  return { positions: given.positions, indices: given.indices.filter((_, i) => kept[Math.floor(i / 3)]) };
}

/** Faces reordered and begun at another corner, vertices renumbered: the same mesh. `random` gives integers below n. */
export function shuffled(given: Mesh, random: { integer(n: number): number }): Mesh {
  const permutation = (n: number): number[] => {
    const order = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = random.integer(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  };
  const vertexOrder = permutation(given.positions.length / 3);
  const positions = new Float64Array(given.positions.length);
  vertexOrder.forEach((to, from) => {
    positions.set(given.positions.subarray(3 * from, 3 * from + 3), 3 * to);
  });
  const indices: number[] = [];
  for (const face of permutation(given.indices.length / 3)) {
    const turn = random.integer(3);
    for (let k = 0; k < 3; k++) indices.push(vertexOrder[given.indices[3 * face + ((k + turn) % 3)]]);
  }
  return { positions, indices: Uint32Array.from(indices) };
}

/** Positions mapped point by point. */
export function mapPoints(given: Mesh, map: (point: [number, number, number]) => readonly number[]): Mesh {
  const positions = new Float64Array(given.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    positions.set(map([given.positions[i], given.positions[i + 1], given.positions[i + 2]]), i);
  }
  return { positions, indices: given.indices };
}

/** A closed slab with a rough top: its walls are flat patches with bays, where their hulls are outside the solid. */
export function jaggedSlab(n: number, seed: number): Mesh {
  const random = createRandom(seed);
  const top = mapPoints(sheet(n), ([x, y]) => [x, y, random.range(0.5, 1.5)]);
  const bottom = mapPoints(sheet(n), ([x, y]) => [x, y, 0]);
  const { positions, indices } = join(top, reversed(bottom));
  const below = (n + 1) ** 2;
  const walls: number[] = [];
  const at = (i: number, j: number) => i * (n + 1) + j;
  for (let k = 0; k < n; k++) {
    for (const [u, v] of [
      [at(k + 1, 0), at(k, 0)],
      [at(k, n), at(k + 1, n)],
      [at(0, k), at(0, k + 1)],
      [at(n, k + 1), at(n, k)],
    ]) {
      walls.push(u, v, v + below, u, v + below, u + below);
    }
  }
  return { positions, indices: Uint32Array.from([...indices, ...walls]) };
}

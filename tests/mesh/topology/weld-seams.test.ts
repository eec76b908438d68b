import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { inspectMesh } from '../../../src/mesh/report/report.js';
import { buildAdjacency } from '../../../src/mesh/topology/adjacency.js';
import { findBoundaryLoops } from '../../../src/mesh/topology/boundary-loops.js';
import { splitBox, uvSphere } from '../../generators/seams.js';
import {
  boxMesh,
  join,
  mapPoints,
  mesh,
  openCube,
  sheet,
  torusGrid,
  toSoup,
  voxelSolid,
  weldExactly,
} from '../../generators/surfaces.js';

/** A report without what depends on the number of vertices. */
function shapeOf(given: Mesh) {
  const { vertices: _, duplicateVertices: __, weldedVertices: ___, unusedVertices: ____, ...rest } = inspectMesh(given);
  return rest;
}

test.each([
  ['a box with 24 vertices', splitBox(1, 2, 3)],
  ['a sphere with a seam and split poles', uvSphere(1, 12, 8)],
  ['a soup of a torus', toSoup(torusGrid(8, 6))],
  ['a soup of an open box', toSoup(openCube())],
  ['a soup of a sheet', toSoup(sheet(4))],
])('%s has the topology of its welded twin', (_, given) => {
  const twin = weldExactly(given);
  expect(shapeOf(given)).toEqual(shapeOf(twin));
  const { weldedVertices, unusedVertices } = inspectMesh(given);
  expect(weldedVertices + unusedVertices).toBe((given.positions.length - twin.positions.length) / 3);
  expect(inspectMesh(twin).weldedVertices).toBe(0);
});

test('ids are those of the mesh, the lowest of those that coincide', () => {
  const given = splitBox(1, 1, 1);
  const adjacency = buildAdjacency(given);
  expect(adjacency.edgeCount).toBe(18);
  expect(adjacency.weldedVertices).toBe(16);
  for (let h = 0; h < given.indices.length; h++) {
    const [own, joined] = [given.indices[h], adjacency.indices[h]];
    expect(joined).toBeLessThanOrEqual(own);
    expect([...given.positions.subarray(3 * joined, 3 * joined + 3)]).toEqual([
      ...given.positions.subarray(3 * own, 3 * own + 3),
    ]);
  }
  expect(buildAdjacency(weldExactly(given)).indices).toEqual(weldExactly(given).indices);
});

test('a mesh without seams keeps its own array', () => {
  for (const given of [boxMesh(), openCube(), sheet(3)]) expect(buildAdjacency(given).indices).toBe(given.indices);
});

test('vertices apart by the last bit are not joined', () => {
  const given = splitBox(1, 1, 1);
  given.positions[0] += 2 ** -53;
  expect(inspectMesh(given).closed).toBe(false);
});

test('solids that touch stay apart', () => {
  const box = splitBox(1, 1, 1);
  const beside = (x: number, y: number, z: number) => mapPoints(box, (p) => [p[0] + x, p[1] + y, p[2] + z]);
  for (const [other, name] of [
    [beside(1, 1, 1), 'at a corner'],
    [beside(1, 1, 0), 'along an edge'],
    [beside(1, 0, 0), 'along a side'],
  ] as const) {
    for (const pair of [join(box, other), join(weldExactly(box), weldExactly(other))]) {
      const report = inspectMesh(pair, { selfIntersections: false });
      expect(report, name).toMatchObject({ closed: true, oriented: true });
      // Along a whole side, four faces lie on each edge of it, and nothing tells which belong together but the ids.
      if (name !== 'along a side' || pair.positions.length === 48) {
        expect(report, name).toMatchObject({ manifold: true, components: 2 });
      }
      expect(report.volume).toBeCloseTo(2, 14);
    }
  }
});

test('faces without length at a pole leave no hole', () => {
  // A cone over a square, whose tip is four vertices and four faces without area between them.
  const tip = [0, 1, 0];
  const base = [
    [1, 0, 1],
    [1, 0, -1],
    [-1, 0, -1],
    [-1, 0, 1],
  ];
  const faces: number[][] = [
    [2, 1, 0],
    [3, 2, 0],
  ];
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) % 4;
    faces.push([k, next, 4 + k], [4 + k, next, 4 + next]);
  }
  const given = mesh([...base, tip, tip, tip, tip], faces);
  expect(inspectMesh(given)).toMatchObject({ closed: true, manifold: true, weldedVertices: 3, degenerateFaces: 4 });
  expect(inspectMesh(given).volume).toBeCloseTo(4 / 3, 14);
});

test('boundary loops run through seams', () => {
  expect(findBoundaryLoops(toSoup(openCube())).map((loop) => loop.length)).toEqual([4]);
});

/** Which corners share a vertex after welding: for each corner the lowest corner with the same vertex. */
function cornerClasses(given: Mesh, cornerOf: (corner: number) => number = (corner) => corner): number[] {
  const { indices } = buildAdjacency(given);
  const lowest = new Map<number, number>();
  for (let h = 0; h < indices.length; h++) {
    lowest.set(indices[h], Math.min(lowest.get(indices[h]) ?? Infinity, cornerOf(h)));
  }
  const classes: number[] = [];
  for (let h = 0; h < indices.length; h++) classes[cornerOf(h)] = lowest.get(indices[h])!;
  return classes;
}

/** The same mesh with faces in another order, begun at other corners, and vertices with other ids; and its own corners. */
function reorder({ positions, indices }: Mesh, seed: number): { given: Mesh; cornerOf: (corner: number) => number } {
  const random = createRandom(seed);
  const permute = (count: number): number[] => {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = random.integer(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  };
  const ids = permute(positions.length / 3);
  const corners = permute(indices.length / 3).flatMap((face) => {
    const first = random.integer(3);
    return [0, 1, 2].map((k) => 3 * face + ((first + k) % 3));
  });
  const moved = new Float64Array(positions.length);
  ids.forEach((id, vertex) => {
    moved.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * id);
  });
  const faces = Uint32Array.from(corners, (corner) => ids[indices[corner]]);
  return { given: { positions: moved, indices: faces }, cornerOf: (corner) => corners[corner] };
}

/** Faces with a side of no length, whose other sides belong to one, two or three faces. */
function slivers(faces: number): Mesh {
  const points = [
    [0, 0, 0],
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ];
  const all = [
    [0, 1, 2],
    [0, 2, 3],
    [2, 0, 5],
    [1, 2, 4],
    [2, 1, 6],
    [0, 1, 3],
    [1, 0, 4],
  ];
  return mesh(points, all.slice(0, faces));
}

/** A soup whose vertices are joined again at random: some edges are open, some are not. */
function partlyJoined(given: Mesh, seed: number): Mesh {
  const random = createRandom(seed);
  const soup = toSoup(given);
  const indices = soup.indices.map((vertex, corner) => {
    if (random.integer(3) > 0) return vertex;
    const same = soup.indices.findIndex((_, other) =>
      [0, 1, 2].every((k) => soup.positions[3 * other + k] === soup.positions[3 * corner + k]),
    );
    return soup.indices[same];
  });
  return { positions: soup.positions, indices };
}

const CHECKERS = voxelSolid(3, (x, y, z) => (x + y + z) % 2 === 0);
test.each([
  ['two boxes that share an edge', join(boxMesh(), boxMesh([1, 1, 0], [2, 2, 1]))],
  ['two boxes that share a side', join(boxMesh(), boxMesh([1, 0, 0], [2, 1, 1]))],
  ['four boxes around an edge, and a fifth', join(boxMesh(), boxMesh([1, 1, 0], [2, 2, 1]), CHECKERS)],
  ['cubes of a checkerboard', CHECKERS],
  ['a box twice', join(boxMesh(), boxMesh())],
  ['open boxes that share a rim', join(openCube(), openCube(), boxMesh([1, 1, 0], [2, 2, 1]))],
  ['a pinched sheet', mapPoints(sheet(4), ([x, y]) => [Math.abs(x - 2), y, 0])],
  ...[3, 4, 5, 6, 7].map((faces): [string, Mesh] => [`${faces} faces around slivers`, slivers(faces)]),
])('which vertices are joined does not depend on the order of faces, corners or vertices: %s', (_, solid) => {
  for (const given of [solid, toSoup(solid), partlyJoined(solid, 1), partlyJoined(solid, 2)]) {
    const classes = cornerClasses(given);
    for (let seed = 1; seed <= 12; seed++) {
      const other = reorder(given, seed);
      expect(cornerClasses(other.given, other.cornerOf)).toEqual(classes);
    }
  }
});

test('nor in soups of random faces over few places, where any number of edges coincide', () => {
  for (let seed = 1; seed <= 1200; seed++) {
    const random = createRandom(seed);
    const places = 3 + random.integer(4);
    const points = Array.from({ length: 12 }, () => {
      const place = random.integer(places);
      return [place, place * place, place ** 3];
    });
    const faces = Array.from({ length: 3 + random.integer(10) }, () => [0, 1, 2].map(() => random.integer(12)));
    const given = mesh(points, faces);
    const other = reorder(given, seed);
    expect(cornerClasses(other.given, other.cornerOf), `seed ${seed}`).toEqual(cornerClasses(given));
  }
});

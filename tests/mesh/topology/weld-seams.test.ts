import { expect, test } from 'vitest';
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

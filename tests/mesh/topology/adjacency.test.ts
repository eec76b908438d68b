import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mesh } from '../../../src/mesh/mesh.js';
import {
  buildAdjacency,
  findEdge,
  type MeshAdjacency,
  nextHalfEdge,
  previousHalfEdge,
} from '../../../src/mesh/topology/adjacency.js';
import { findBoundaryLoops } from '../../../src/mesh/topology/boundary-loops.js';
import { findComponents } from '../../../src/mesh/topology/components.js';
import { randomMesh, randomSoup } from '../../generators/random-meshes.js';
import {
  bowTie,
  boxMesh,
  cubesSharingEdge,
  join,
  mesh,
  openCube,
  strip,
  torusGrid,
  toSoup,
} from '../../generators/surfaces.js';
import { describeTopology, facesByEdge } from '../../oracles/topology.js';

/** Checks every documented relation between the arrays of MeshAdjacency. */
function validate(given: Mesh, adjacency: MeshAdjacency): void {
  const { edgeCount, edgeVertices, edgeStart, edgeHalfEdges, edgeOfHalfEdge, twin } = adjacency;
  expect(edgeVertices.length).toBe(2 * edgeCount);
  expect(edgeStart.length).toBe(edgeCount + 1);
  expect(edgeStart[0]).toBe(0);
  expect(edgeStart[edgeCount]).toBe(edgeHalfEdges.length);
  expect(edgeOfHalfEdge.length).toBe(given.indices.length);
  expect(twin.length).toBe(given.indices.length);
  for (let e = 0; e < edgeCount; e++) {
    const [low, high] = edgeVertices.subarray(2 * e, 2 * e + 2);
    expect(low).toBeLessThan(high);
    if (e > 0) {
      const before = edgeVertices.subarray(2 * e - 2, 2 * e);
      expect(before[0] < low || (before[0] === low && before[1] < high)).toBe(true);
    }
    const members = [...edgeHalfEdges.subarray(edgeStart[e], edgeStart[e + 1])];
    expect(members.length).toBeGreaterThan(0);
    expect(members).toEqual([...members].sort((a, b) => a - b));
    for (const h of members) {
      expect(edgeOfHalfEdge[h]).toBe(e);
      const ends = [given.indices[h], given.indices[nextHalfEdge(h)]].sort((a, b) => a - b);
      expect(ends).toEqual([low, high]);
      expect(twin[h]).toBe(members.length === 2 ? members[0] + members[1] - h : -1);
    }
    expect(findEdge(adjacency, low, high)).toBe(e);
    expect(findEdge(adjacency, high, low)).toBe(e);
  }
  const inSomeEdge = edgeOfHalfEdge.reduce((count, e) => count + (e >= 0 ? 1 : 0), 0);
  expect(inSomeEdge).toBe(edgeHalfEdges.length);
}

test('half-edges go round their triangle', () => {
  expect([0, 1, 2, 3, 4, 5].map(nextHalfEdge)).toEqual([1, 2, 0, 4, 5, 3]);
  expect([0, 1, 2, 3, 4, 5].map(previousHalfEdge)).toEqual([2, 0, 1, 5, 3, 4]);
});

describe('buildAdjacency', () => {
  test('of a cube: 18 edges, every half-edge with a twin that runs the other way', () => {
    const cube = boxMesh();
    const adjacency = buildAdjacency(cube);
    validate(cube, adjacency);
    expect(adjacency.edgeCount).toBe(18);
    adjacency.twin.forEach((t, h) => {
      expect(cube.indices[t]).toBe(cube.indices[nextHalfEdge(h)]);
    });
    expect(findEdge(adjacency, 0, 6)).toBe(-1);
    expect(findEdge(adjacency, 7, 7)).toBe(-1);
  });

  test('of a triangle that names a vertex twice: nothing', () => {
    const given = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
      [[0, 0, 1]],
    );
    expect(buildAdjacency(given).edgeCount).toBe(0);
    expect([...buildAdjacency(given).edgeOfHalfEdge]).toEqual([-1, -1, -1]);
  });

  test('of the edge that two cubes share: four half-edges and no twins', () => {
    const cubes = cubesSharingEdge();
    const adjacency = buildAdjacency(cubes);
    validate(cubes, adjacency);
    const four = [...Array(adjacency.edgeCount).keys()].filter(
      (e) => adjacency.edgeStart[e + 1] - adjacency.edgeStart[e] === 4,
    );
    expect(four.length).toBe(1);
  });

  test('agrees with sets of text keys on any mesh', () => {
    let shared = 0;
    let crowded = 0;
    fc.assert(
      fc.property(randomMesh, (given) => {
        const before = { positions: given.positions.slice(), indices: given.indices.slice() };
        const adjacency = buildAdjacency(given);
        validate(given, adjacency);
        expect(given).toEqual(before);
        const oracle = facesByEdge(given);
        expect(adjacency.edgeCount).toBe(oracle.size);
        for (const [key, faces] of oracle) {
          const [a, b] = key.split('-').map(Number);
          const e = findEdge(adjacency, a, b);
          const found = adjacency.edgeHalfEdges.subarray(adjacency.edgeStart[e], adjacency.edgeStart[e + 1]);
          expect([...found].map((h) => Math.floor(h / 3))).toEqual(faces);
          if (faces.length === 2) shared++;
          if (faces.length > 2) crowded++;
        }
      }),
      { seed: 1, numRuns: 400 },
    );
    expect(shared).toBeGreaterThan(500);
    expect(crowded).toBeGreaterThan(100);
  });

  test('of 100,000 faces about one vertex takes no more than linear memory and order', () => {
    // A fan with a hub of valence 100,000: quadratic for anything that searches the edges of a vertex.
    const n = 100_000;
    const positions = Float64Array.from({ length: 3 * (n + 1) }, (_, i) => i);
    const indices = new Uint32Array(3 * n);
    for (let i = 0; i < n; i++) indices.set([0, 1 + i, 1 + ((i + 1) % n)], 3 * i);
    const adjacency = buildAdjacency({ positions, indices });
    expect(adjacency.edgeCount).toBe(2 * n);
    expect(adjacency.twin.filter((t) => t < 0).length).toBe(n);
  });
});

describe('findComponents', () => {
  test('parts that share a vertex only are apart; parts that share an edge are one', () => {
    expect(findComponents(bowTie()).count).toBe(2);
    expect(findComponents(cubesSharingEdge()).count).toBe(1);
    expect(findComponents(toSoup(boxMesh())).count).toBe(1);
    expect(findComponents(toSoup(bowTie())).count).toBe(2);
    expect([...findComponents(join(boxMesh(), torusGrid(3, 3))).componentOfFace.slice(10, 14)]).toEqual([0, 0, 1, 1]);
  });
  test('a face that names a vertex twice belongs to none', () => {
    const given = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [
        [1, 1, 0],
        [0, 1, 2],
      ],
    );
    expect(findComponents(given)).toEqual({ count: 1, componentOfFace: Int32Array.of(-1, 0) });
  });
  test('agrees with a search over all pairs of faces', () => {
    fc.assert(
      fc.property(randomMesh, (given) => {
        const { count, componentOfFace } = findComponents(given);
        expect(count).toBe(describeTopology(given).components);
        expect(Math.max(-1, ...componentOfFace)).toBe(count - 1);
        for (const faces of facesByEdge(given).values()) {
          expect(new Set(faces.map((face) => componentOfFace[face])).size).toBe(1);
        }
      }),
    );
  });
});

describe('findBoundaryLoops', () => {
  const asSets = (loops: Uint32Array[]): number[][] => loops.map((loop) => [...loop].sort((a, b) => a - b));

  test('a closed mesh has none', () => {
    expect(findBoundaryLoops(torusGrid(4, 4))).toEqual([]);
  });
  test('of an open cube, in the direction of the faces', () => {
    const loops = findBoundaryLoops(openCube());
    expect(loops.length).toBe(1);
    // The missing side is 3 0 4 7 outward, so its neighbors run through its rim the other way: 0 3 7 4.
    expect([...loops[0]]).toEqual([0, 3, 7, 4]);
  });
  test('a ring has two, a Möbius strip one of all vertices', () => {
    expect(findBoundaryLoops(strip(8, 0)).map((loop) => loop.length)).toEqual([8, 8]);
    expect(findBoundaryLoops(strip(8, 2)).map((loop) => loop.length)).toEqual([8, 8]);
    expect(asSets(findBoundaryLoops(strip(8, 1)))).toEqual([[...Array(16).keys()]]);
  });
  test('loops that touch at a vertex stay apart', () => {
    const given = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [-1, 0, 0],
        [0, -1, 0],
      ],
      [
        [0, 1, 2],
        [0, 3, 4],
      ],
    );
    expect(asSets(findBoundaryLoops(given))).toEqual([
      [0, 1, 2],
      [0, 3, 4],
    ]);
  });
  test('three pages of a book give three chains from one end of the spine to the other', () => {
    const given = mesh(
      [
        [0, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
        [-1, 1, 0],
        [-1, -1, 0],
      ],
      [
        [0, 1, 2],
        [0, 1, 3],
        [1, 0, 4],
      ],
    );
    const loops = findBoundaryLoops(given);
    expect(asSets(loops)).toEqual([
      [0, 1, 2],
      [0, 1, 3],
      [0, 1, 4],
    ]);
    for (const loop of loops) expect([loop[0], loop[2]].sort()).toEqual([0, 1]);
  });
  test('every boundary edge is in exactly one loop, and the loops are as many as by definition', () => {
    let loopsSeen = 0;
    const check = (given: Mesh): void => {
      const loops = findBoundaryLoops(given);
      loopsSeen += loops.length;
      const boundary = [...facesByEdge(given)].filter(([, faces]) => faces.length === 1).map(([key]) => key);
      const steps: string[] = [];
      for (const loop of loops) {
        for (let i = 0; i < loop.length; i++) {
          const [a, b] = [loop[i], loop[(i + 1) % loop.length]].sort((p, q) => p - q);
          // The last step of an open chain, back to its start, is not a boundary edge.
          if (i < loop.length - 1 || boundary.includes(`${a}-${b}`)) steps.push(`${a}-${b}`);
        }
      }
      expect([...new Set(steps)].sort()).toEqual([...boundary].sort());
      expect(loops.length).toBe(describeTopology(given).boundaryLoops);
    };
    fc.assert(fc.property(randomMesh, check), { seed: 1, numRuns: 300 });
    fc.assert(fc.property(randomSoup, check), { seed: 1, numRuns: 300 });
    expect(loopsSeen).toBeGreaterThan(300);
  });
});

import { describe, expect, test } from 'vitest';
import type { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import type { Decomposition } from '../../../src/decomposition/decomposition.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import {
  bytesPerTriangle,
  edgeClass,
  FREE,
  type HullHierarchy,
  halfEdgeVertex,
  nodeCount,
  nodeLevels,
} from '../../../src/decomposition/hierarchy/hierarchy.js';
import { SPLIT_RULES, type SplitRule } from '../../../src/decomposition/hierarchy/split-pieces.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { models } from '../../../src/models/catalogue.js';
import {
  boxMesh,
  join,
  mapPoints,
  mesh,
  openCube,
  selectFaces,
  sheet,
  shuffled,
  sphereGrid,
  strip,
  tetrahedron,
  torusGrid,
  voxelSolid,
} from '../../generators/surfaces.js';
import { validateHierarchy } from '../../oracles/hull-hierarchy.js';

function modelMesh(name: string): Mesh {
  return models.find((model) => model.name === name)!.build();
}

function validate(decomposition: Decomposition, split?: SplitRule) {
  const hierarchy = buildHierarchy(decomposition, { split });
  const census = validateHierarchy(hierarchy, decomposition.pieces, decomposition.patchOfFace);
  return { hierarchy, census };
}

const quad = mesh(
  [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
  ],
  [
    [0, 1, 2],
    [0, 2, 3],
  ],
);

/** A square sheet in a plane, n × n squares, with the faces for which `isKept` holds. */
function flatSheet(n: number, isKept: (face: number) => boolean): Mesh {
  return selectFaces(
    mapPoints(sheet(n), ([x, y]) => [x, y, 0]),
    isKept,
  );
}

const isPlus = (x: number, y: number, z: number) => [x, y, z].filter((value) => value === 1).length >= 2;

const small: Record<string, () => Mesh> = {
  'a torus of 48 faces': () => torusGrid(6, 4),
  'a torus of 600 faces': () => torusGrid(20, 15),
  'a cross of seven cubes': () => voxelSolid(3, isPlus),
  'a cross with divided squares': () => voxelSolid(3, isPlus, 3),
  'stairs with divided squares': () => voxelSolid(4, (x, y, z) => x + y + z < 4, 2),
  'two boxes apart': () => join(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1])),
  'two boxes of one height beside each other': () => join(boxMesh(), boxMesh([3, 0.25, 0], [4, 0.75, 1])),
  'nine spheres': () =>
    join(...Array.from({ length: 9 }, (_, i) => sphereGrid(3, 1, [3 * (i % 3), 3 * Math.floor(i / 3), i % 2]))),
  'an open cube': openCube,
  'a hilly sheet': () => sheet(9),
  'a strip with a full turn': () => strip(24, 2),
  'a flat quad': () => quad,
  'a flat sheet with holes': () => flatSheet(6, (face) => face % 7 !== 3),
  'flat triangles apart': () => flatSheet(5, (face) => face % 5 === 0),
  'flat sheets across each other': () =>
    join(
      flatSheet(3, (face) => face % 4 < 3),
      mapPoints(
        flatSheet(3, (face) => face % 4 > 0),
        ([x, y]) => [x + 5, 1, y],
      ),
    ),
};

describe('buildHierarchy', () => {
  test('makes one leaf of a convex model', () => {
    for (const build of [boxMesh, tetrahedron, () => sphereGrid(6)]) {
      const decomposition = decomposeSurface(build());
      if (decomposition.patchStart.length > 2) continue;
      const { hierarchy, census } = validate(decomposition);
      expect(nodeCount(hierarchy)).toBe(1);
      expect([...hierarchy.children]).toEqual([-1, -1]);
      expect(hierarchy.nodePieces[0]).toBe(0);
      expect(census.faces).toEqual([hierarchy.mesh.indices.length / 3, 0, 0]);
    }
    expect(decomposeSurface(boxMesh()).patchStart).toHaveLength(2);
  });

  test('makes a polygon with two sides of a flat quad', () => {
    const { hierarchy, census } = validate(decomposeSurface(quad));
    expect(nodeCount(hierarchy)).toBe(1);
    expect(hierarchy.flatNodes[0]).toBe(1);
    expect(census.faces).toEqual([2, 2, 0]);
  });

  test('joins two boxes under a root with eight free faces', () => {
    // Side faces x = 1 and x = 3 are hidden; each of the four sides between the boxes is two triangles.
    const { hierarchy, census } = validate(decomposeSurface(join(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1]))));
    expect(nodeCount(hierarchy)).toBe(3);
    expect([...hierarchy.parents]).toEqual([-1, 0, 0]);
    expect(census.faces).toEqual([24 + 20, 0, 8]);
    expect(census.shared).toBe(20);
    expect(hierarchy.faceClasses).toHaveLength(24 + 8);
    const classes = new Map<number, number>();
    for (let h = 0; h < 3 * hierarchy.faceStart[1]; h++) {
      const found = edgeClass(hierarchy, h);
      expect(found).toBe(edgeClass(hierarchy, hierarchy.twins[h]));
      classes.set(found, (classes.get(found) ?? 0) + 1);
    }
    // Free: the four diagonals and the four long edges; every other edge of the root is beside a face of a box.
    expect(classes.get(FREE)).toBe(2 * 8);
  });

  for (const [name, build] of Object.entries(small)) {
    test(`is sound for ${name}, every rule`, () => {
      const decomposition = decomposeSurface(build());
      for (const split of SPLIT_RULES) {
        const { census } = validate(decomposition, split);
        // Faces of the surface that lie on a hull are faces of the hull, coplanar neighbors or not.
        expect(census.lostOriginal).toBe(0);
      }
    });
  }

  for (const name of [
    'cone',
    'sphere',
    'wrinkled-torus',
    'bent-torus',
    'bowl',
    'funnel',
    'grate-small',
    'letter-s',
    'digit-8',
  ]) {
    test(`is sound for the model ${name}`, () => {
      const { hierarchy, census } = validate(decomposeSurface(modelMesh(name), { checkSelfIntersections: false }));
      expect(census.lostOriginal).toBe(0);
      expect(bytesPerTriangle(hierarchy)).toBeLessThan(600);
    });
  }

  test('is sound whatever the order of the faces', () => {
    const random = createRandom(5);
    for (const build of [
      small['a torus of 48 faces'],
      small['a cross with divided squares'],
      () => modelMesh('spoon'),
    ]) {
      for (let i = 0; i < 3; i++) {
        const { census } = validate(decomposeSurface(shuffled(build(), random)));
        expect(census.lostOriginal).toBe(0);
      }
    }
  });

  test('is the same at scales of a millionth and a million, where scaling is exact', () => {
    for (const build of [() => torusGrid(12, 9), small['a cross with divided squares']]) {
      const whole = validate(decomposeSurface(build())).hierarchy;
      for (const scale of [2 ** -20, 2 ** 20]) {
        const scaled = mapPoints(build(), (point) => point.map((value) => scale * value));
        const { hierarchy } = validate(decomposeSurface(scaled));
        expect(hierarchy.nodeFaces).toEqual(whole.nodeFaces);
        expect(hierarchy.faceVertices).toEqual(whole.faceVertices);
        expect(hierarchy.children).toEqual(whole.children);
      }
      for (const scale of [1e-6, 1e6]) {
        validate(decomposeSurface(mapPoints(build(), (point) => point.map((value) => scale * value))));
      }
    }
  });

  test('gives the same hierarchy each time and leaves the decomposition as it was', () => {
    const decomposition = decomposeSurface(torusGrid(20, 15));
    const copy = structuredClone(decomposition);
    const [first, second] = [buildHierarchy(decomposition), buildHierarchy(decomposition)];
    expect(first).toEqual(second);
    expect(decomposition).toEqual(copy);
  });

  test('has the levels and corners that its arrays say', () => {
    const hierarchy: HullHierarchy = buildHierarchy(decomposeSurface(torusGrid(12, 9)));
    const levels = nodeLevels(hierarchy);
    expect(levels[0]).toBe(0);
    for (let node = 1; node < levels.length; node++) expect(levels[node]).toBe(levels[hierarchy.parents[node]] + 1);
    for (let i = 0; i < hierarchy.nodeVertices.length; i++) {
      expect(halfEdgeVertex(hierarchy, hierarchy.vertexHalfEdges[i])).toBe(hierarchy.nodeVertices[i]);
    }
  });

  test('halves the pieces at each level by the median', () => {
    const decomposition = decomposeSurface(torusGrid(20, 15));
    const pieces = decomposition.patchStart.length - 1;
    const levels = nodeLevels(buildHierarchy(decomposition, { split: 'median' }));
    expect(Math.max(...levels)).toBe(Math.ceil(Math.log2(pieces)));
  });

  test('refuses a rule it does not know, reports progress and stops when asked', () => {
    const decomposition = decomposeSurface(torusGrid(6, 4));
    expect(() => buildHierarchy(decomposition, { split: 'sah' as SplitRule })).toThrow(/no splitting rule "sah"/);
    const fractions: number[] = [];
    buildHierarchy(decomposition, { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions.length).toBeGreaterThan(1);
    expect([...fractions].sort((a, b) => a - b)).toEqual(fractions);
    try {
      buildHierarchy(decomposition, { signal: { aborted: true } });
      expect.fail('it did not stop');
    } catch (error) {
      expect((error as NearfieldError).code).toBe('aborted');
    }
  });
});

describe('the judge of hierarchies', () => {
  const decomposition = decomposeSurface(torusGrid(12, 9));
  const sound = buildHierarchy(decomposition);
  const judge = (changed: Partial<HullHierarchy>) => () =>
    validateHierarchy({ ...sound, ...changed }, decomposition.pieces, decomposition.patchOfFace);
  const last = sound.nodePieces.length - 1;

  test('accepts it as it is', () => {
    expect(judge({})).not.toThrow();
  });

  test('notices a wrong class, twin, face, piece, child, plane, and a vertex left out', () => {
    const free = sound.nodeFaces.find((record) => sound.faceClasses[record] === FREE)!;
    expect(judge({ faceClasses: sound.faceClasses.with(free, 1) })).toThrow(/class 1, not 2/);
    expect(judge({ faceClasses: sound.faceClasses.with(0, 2) })).toThrow(/class 2, not/);
    expect(judge({ twins: sound.twins.with(0, sound.twins[1]) })).toThrow(/twin/);
    expect(judge({ nodeFaces: sound.nodeFaces.with(0, sound.nodeFaces[1]) })).toThrow();
    expect(judge({ nodePieces: sound.nodePieces.with(last, sound.nodePieces[last - 1]) })).toThrow(/twice|children/);
    expect(judge({ children: sound.children.with(1, 2) })).toThrow(/children|parent/);
    expect(judge({ facePlanes: sound.facePlanes.map((value, i) => (i === 3 ? value + 0.1 : value)) })).toThrow(/plane/);
    expect(judge({ nodeVertices: sound.nodeVertices.with(0, sound.nodeVertices[1]) })).toThrow(/vert/);
    // A vertex pulled out of the root's hull.
    const positions = sound.mesh.positions.slice();
    const inner = 3 * findInner(sound);
    for (let k = 0; k < 3; k++) positions[inner + k] = 100;
    expect(judge({ mesh: { ...sound.mesh, positions } })).toThrow(/outside|plane/);
  });
});

/** A vertex of the mesh that is none of the root. */
function findInner({ mesh, vertexStart, nodeVertices }: HullHierarchy): number {
  const outer = new Set(nodeVertices.subarray(0, vertexStart[1]));
  return mesh.indices.find((vertex) => !outer.has(vertex))!;
}

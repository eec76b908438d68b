// Random meshes for properties: soups of a few vertices, where every defect is common, and surfaces with holes.
import fc from 'fast-check';
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import {
  bowTie,
  boxMesh,
  flipFaces,
  join,
  kleinGrid,
  selectFaces,
  shuffled,
  sphereGrid,
  strip,
  torusGrid,
} from './surfaces.js';

/** Any triples of a few vertices, a vertex twice in a face included. */
export const randomSoup: fc.Arbitrary<Mesh> = fc
  .tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 1, max: 20 }), fc.integer())
  .map(([vertices, faces, seed]) => {
    const random = createRandom(seed);
    return {
      positions: Float64Array.from({ length: 3 * vertices }, () => random.range(-1, 1)),
      indices: Uint32Array.from({ length: 3 * faces }, () => random.integer(vertices)),
    };
  });

const whole = fc.constantFrom<() => Mesh>(
  () => torusGrid(4, 5),
  () => torusGrid(3, 3),
  () => kleinGrid(5, 5),
  () => kleinGrid(4, 6),
  () => strip(5, 1),
  () => strip(7, 0),
  () => strip(7, 1),
  () => strip(8, 2),
  () => sphereGrid(3),
  () => boxMesh(),
  () => bowTie(),
  () => join(torusGrid(4, 4), boxMesh([5, 5, 5], [6, 6, 6])),
);

/** A surface with some faces missing and some flipped, its faces and vertices in random order. */
export const randomSurface: fc.Arbitrary<Mesh> = fc
  .tuple(whole, fc.integer(), fc.constantFrom(0, 0.1, 0.5), fc.constantFrom(0, 0.3))
  .map(([build, seed, missing, flipped]) => {
    const random = createRandom(seed);
    const mesh = build();
    const kept = selectFaces(mesh, (face) => face === 0 || random.next() >= missing);
    return shuffled(
      flipFaces(kept, () => random.next() < flipped),
      random,
    );
  });

/** The faces of some tetrahedra on a few vertices: closed and oriented, with walls between them given twice. */
export const randomTetrahedra: fc.Arbitrary<Mesh> = fc
  .tuple(fc.integer({ min: 4, max: 8 }), fc.integer({ min: 1, max: 5 }), fc.integer())
  .map(([vertices, count, seed]) => {
    const random = createRandom(seed);
    const indices: number[] = [];
    for (let i = 0; i < count; i++) {
      const [a, b, c, d] = random.shuffle(Array.from({ length: vertices }, (_, vertex) => vertex));
      indices.push(a, c, b, a, b, d, b, c, d, c, a, d);
    }
    return {
      positions: Float64Array.from({ length: 3 * vertices }, () => random.range(-1, 1)),
      indices: Uint32Array.from(indices),
    };
  });

export const randomMesh: fc.Arbitrary<Mesh> = fc.oneof(
  { weight: 3, arbitrary: randomSoup },
  { weight: 5, arbitrary: randomSurface },
  { weight: 2, arbitrary: randomTetrahedra },
);

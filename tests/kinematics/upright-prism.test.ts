// The closed form of prisms against all triangles, and what counts as a prism.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import type { Vec3 } from '../../src/core/vec3.js';
import { UprightPrism } from '../../src/kinematics/filter/upright-prism.js';
import { boxMesh, outerCapsule, outerCylinder, outerSphere } from '../../src/kinematics/urdf/outer-shapes.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { distanceToMesh } from '../oracles/point-mesh-distance.js';
import { windingNumberBySum } from '../oracles/winding-number.js';

/** A prism over a polygon, counter-clockwise. */
function prism(corners: readonly (readonly [number, number])[], low: number, high: number): Mesh {
  const n = corners.length;
  const positions = [low, high].flatMap((z) => corners.flatMap(([x, y]) => [x, y, z]));
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    indices.push(i, j, n + j, i, n + j, n + i);
    if (i > 0 && i < n - 1) indices.push(0, i + 1, i, n, n + i, n + i + 1);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

const SHAPES: Readonly<Record<string, Mesh>> = {
  cylinder: outerCylinder(0.3, 1.2),
  flat: outerCylinder(2, 0.3),
  triangle: prism(
    [
      [0, 0],
      [2, 0.5],
      [0.3, 1],
    ],
    -1,
    0.5,
  ),
  box: boxMesh([1, 2, 3]),
};

test.each(Object.entries(SHAPES))('%s has the distances of its triangles', (_, mesh) => {
  const random = createRandom(5);
  const model = new ProximityModel(mesh);
  const own = UprightPrism.of(model)!;
  let inside = 0;
  for (let i = 0; i < 400; i++) {
    const p = [0, 1, 2].map((k) => random.range(1.5 * model.boxMin[k], 1.5 * model.boxMax[k])) as Vec3;
    const distance = distanceToMesh(mesh.positions, mesh.indices, p);
    const isIn = windingNumberBySum(mesh.positions, mesh.indices, p) > 0.5;
    if (isIn) inside++;
    expect(own.signedDistance(p)).toBeCloseTo(isIn ? -distance : distance, 12);
  }
  expect(inside).toBeGreaterThan(20);
  expect(inside).toBeLessThan(380);
});

test.each<[string, Mesh]>([
  ['a sphere', outerSphere(1)],
  ['a capsule', outerCapsule(1, 1)],
  [
    'a prism over a polygon with a notch',
    prism(
      [
        [0, 0],
        [2, 0],
        [1, 0.5],
        [0, 2],
      ],
      0,
      1,
    ),
  ],
  ['an open prism', { ...SHAPES.triangle, indices: SHAPES.triangle.indices.slice(3) }],
  [
    'two prisms',
    {
      positions: Float64Array.from([...SHAPES.triangle.positions, ...SHAPES.triangle.positions.map((x) => x + 3)]),
      indices: Uint32Array.from([...SHAPES.triangle.indices, ...SHAPES.triangle.indices.map((v) => v + 6)]),
    },
  ],
  [
    'a prism off the plane by a millionth',
    { ...SHAPES.box, positions: SHAPES.box.positions.map((x, i) => (i === 2 ? x + 1e-6 : x)) },
  ],
])('%s is none', (_, mesh) => {
  expect(UprightPrism.of(new ProximityModel(mesh))).toBe(null);
});

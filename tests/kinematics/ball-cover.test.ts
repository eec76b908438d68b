// Balls around links: every point of the surface is in a coarse ball and in one of its fine balls; balls inside of a solid
// hold no point of its surface, and their centers wind. By sums over all triangles.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { BALL, BALL_COVER } from '../../src/kinematics/filter/ball-cover.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { placeMesh } from '../../src/mesh/place-mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { extrudePolygon } from '../../src/models/parts/extrude.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { machinedParts } from '../generators/machined-parts.js';
import { distanceToMesh } from '../oracles/point-mesh-distance.js';
import { windingNumberBySum } from '../oracles/winding-number.js';

/** What is wrong with the balls of a mesh, and how many of them are inside. */
function checkBalls(mesh: Mesh, seed: number): { faults: string[]; inner: number } {
  const model = new ProximityModel(mesh);
  const { balls, coarse, first } = model.parts.get(BALL_COVER);
  const random = createRandom(seed);
  const faults: string[] = [];
  const contains = (ball: number, point: readonly number[]): boolean => {
    const [x, y, z, radius] = balls.subarray(BALL * ball, BALL * ball + 4);
    return Math.hypot(point[0] - x, point[1] - y, point[2] - z) <= radius;
  };
  const { positions, indices } = mesh;
  for (let sample = 0; sample < 500; sample++) {
    const corner = 3 * random.integer(indices.length / 3);
    const [s, t] = [random.next(), random.next()].map((u, i) => (i === 0 ? Math.sqrt(u) : u));
    const weights = [1 - s, s * (1 - t), s * t];
    const point = [0, 1, 2].map((k) => {
      return weights.reduce((sum, weight, n) => sum + weight * positions[3 * indices[corner + n] + k], 0);
    });
    const holders = Array.from({ length: coarse }, (_, i) => i).filter((ball) => contains(ball, point));
    const isFine = holders.some((ball) => {
      for (let fine = first[ball]; fine < first[ball + 1]; fine++) if (contains(fine, point)) return true;
      return false;
    });
    if (!isFine) faults.push(`the point ${point} is in no fine ball`);
  }
  let inner = 0;
  for (let ball = 0; ball < balls.length / BALL; ball++) {
    const [x, y, z, , depth] = balls.subarray(BALL * ball, BALL * ball + 5);
    if (depth === 0) continue;
    inner++;
    if (Math.abs(windingNumberBySum(positions, indices, [x, y, z])) < 0.5) faults.push(`ball ${ball} is outside`);
    if (distanceToMesh(positions, indices, [x, y, z]) < depth) faults.push(`ball ${ball} reaches out`);
  }
  return { faults, inner };
}

test('balls cover machined parts and other models, and inner ones are inside', () => {
  const meshes = [
    ...machinedParts().map(({ mesh }) => mesh),
    ...['torus', 'cup', 'grate-small', 'letter-a'].map((name) => findModel(name).build({})),
  ];
  let inner = 0;
  for (const [i, mesh] of meshes.entries()) {
    const found = checkBalls(mesh, i);
    expect(found.faults, `mesh ${i}`).toEqual([]);
    inner += found.inner;
  }
  expect(inner).toBeGreaterThan(10 * meshes.length);
});

test('no inner ball is in a narrow hole, whose walls are one piece of the surface', () => {
  const random = createRandom(5);
  for (let i = 0; i < 12; i++) {
    // A long bar with a square hole along it, turned against the grid by any angle.
    const half = random.range(0.06, 0.075);
    const square = (size: number, sign: number): number[] =>
      [0, 1, 2, 3].flatMap((k) => {
        const angle = sign * (k * 90 + 45) * (Math.PI / 180);
        return [size * Math.SQRT2 * Math.cos(angle), size * Math.SQRT2 * Math.sin(angle)];
      });
    const mesh = extrudePolygon(
      { rings: [Float64Array.from(square(0.3, 1)), Float64Array.from(square(half, -1))] },
      { depth: 2 },
    );
    const placed = placeMesh(mesh, [random.next(), random.next(), random.next(), ...random.rotation()] as never);
    expect(checkBalls(placed, i).faults).toEqual([]);
  }
});

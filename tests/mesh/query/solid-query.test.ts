// Signed distances of points one near the other, whose sides are mostly known from those before; against sums of solid angles.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { SolidQuery } from '../../../src/mesh/query/solid-query.js';
import { join, mapPoints, sphereGrid, torusGrid } from '../../generators/surfaces.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const SOLIDS = {
  torus: torusGrid(24, 12),
  // Where both are, the winding number is 2.
  'two spheres that overlap': join(
    sphereGrid(10),
    mapPoints(sphereGrid(10), ([x, y, z]) => [x + 0.7, y, z]),
  ),
};

for (const [name, solid] of Object.entries(SOLIDS)) {
  test.each([1e-6, 1, 1e6])(`${name} at scale %s: sides are those of the winding number`, (scale) => {
    const mesh = mapPoints(solid, (p) => p.map((x) => scale * x) as Vec3);
    const query = new SolidQuery(mesh);
    /** Its inside tests know nothing of those before. */
    const asked = new SolidQuery(mesh);
    const random = createRandom(34);
    let point: Vec3 = [0, 0, 0];
    let inside = 0;
    const count = 800;
    for (let i = 0; i < count; i++) {
      const isJump = random.next() < 0.05;
      const step = (isJump ? 0.2 : 10 ** random.range(-6, -1)) * scale;
      const vertex = 3 * random.integer(mesh.positions.length / 3);
      const from = isJump ? [...mesh.positions.subarray(vertex, vertex + 3)] : point;
      point = from.map((x) => x + random.range(-step, step)) as Vec3;
      const distance = query.signedDistance(point);
      const isInside = windingNumberBySum(mesh.positions, mesh.indices, point) >= 0.5;
      expect([point, distance < 0]).toEqual([point, isInside]);
      if (isInside) inside++;
      expect(Math.abs(distance)).toBe(asked.distance(point));
      expect(asked.isInside(point)).toBe(isInside);
    }
    expect(inside / count).toBeGreaterThan(0.1);
    expect(inside / count).toBeLessThan(0.9);
    const [visited, all] = [query, asked].map((each) => each.prepareInsideTests().nodesVisited);
    expect(visited / all).toBeLessThan(0.5);
  });
}

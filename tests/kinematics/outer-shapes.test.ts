// Shapes of files as meshes that contain them: every point of the shape is inside, and no corner is far out.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { boxMesh, outerCapsule, outerCylinder, outerSphere } from '../../src/kinematics/urdf/outer-shapes.js';
import { findModel } from '../../src/mesh/index.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { inspectMesh } from '../../src/mesh/report/report.js';
import { planMotion } from '../../src/planning/plan-motion.js';
import { readPlanProblem } from '../../src/planning/problem/read-plan-problem.js';

/** How far a point is beyond the farthest face plane of a convex mesh; negative inside. */
function beyond({ positions, indices }: Mesh, point: readonly number[]): number {
  let most = -Infinity;
  const corner = (i: number): number[] => [...positions.subarray(3 * indices[i], 3 * indices[i] + 3)];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
    const [u, v] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - a[k])];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const size = Math.hypot(...n);
    most = Math.max(
      most,
      n.reduce((sum, value, k) => sum + (value * (point[k] - a[k])) / size, 0),
    );
  }
  return most;
}

/** The distance of a point from the shape, 0 inside. */
type Distance = (x: number, y: number, z: number) => number;

const RADIUS = 0.7;
const HEIGHT = 1.9;
const shapes: Record<string, { mesh: Mesh; distance: Distance; slack: number }> = {
  box: {
    mesh: boxMesh([1, 2, 3]),
    distance: (x, y, z) => Math.max(Math.abs(x) - 0.5, Math.abs(y) - 1, Math.abs(z) - 1.5, 0),
    slack: 1e-12,
  },
  sphere: { mesh: outerSphere(RADIUS), distance: (x, y, z) => Math.max(0, Math.hypot(x, y, z) - RADIUS), slack: 0.03 },
  cylinder: {
    mesh: outerCylinder(RADIUS, HEIGHT),
    distance: (x, y, z) => Math.max(Math.hypot(x, y) - RADIUS, Math.abs(z) - HEIGHT / 2, 0),
    slack: 0.005,
  },
  capsule: {
    mesh: outerCapsule(RADIUS, HEIGHT),
    distance: (x, y, z) => Math.max(0, Math.hypot(x, y, Math.max(0, Math.abs(z) - HEIGHT / 2)) - RADIUS),
    slack: 0.03,
  },
};

describe.each(Object.entries(shapes))('%s', (_, { mesh, distance, slack }) => {
  test('is a solid that contains the shape, and no corner is far from it', () => {
    expect(inspectMesh(mesh)).toMatchObject({ closed: true, oriented: true, selfIntersections: 0 });
    const random = createRandom(1);
    let inside = 0;
    for (let i = 0; i < 2000; i++) {
      const point = [random.range(-2, 2), random.range(-2, 2), random.range(-2, 2)];
      if (distance(point[0], point[1], point[2]) > 0) continue;
      inside++;
      expect(beyond(mesh, point)).toBeLessThan(1e-12);
    }
    expect(inside).toBeGreaterThan(20);
    const corners = Array.from({ length: mesh.positions.length / 3 }, (_, v) =>
      mesh.positions.subarray(3 * v, 3 * v + 3),
    );
    for (const [x, y, z] of corners) expect(distance(x, y, z)).toBeLessThanOrEqual(slack * RADIUS + 1e-12);
  });
});

test('obstacles of problem files are shapes, and others are refused with their place', async () => {
  const problem = (environment: object[]): string =>
    JSON.stringify({
      robots: [
        {
          type: 'rigid',
          model: 'brick.obj',
          bounds: { min: [-4, -4, -4], max: [4, 4, 4] },
          start: [0, 0, -3, 0, 0, 0, 1],
          goal: [0, 0, 3, 0, 0, 0, 1],
        },
      ],
      environment,
      timeLimit: 20,
    });
  const loadMesh = (): Mesh => findModel('box').build({ width: 0.5, height: 0.5, depth: 0.5 });
  const read = (environment: object[]) => readPlanProblem(problem(environment), { loadMesh });
  const pose = [0, 0, 0, 0, 0, 0, 1];
  for (const shape of [{ box: [2, 2, 1] }, { sphere: 1 }, { cylinder: [1, 2] }, { capsule: [1, 2] }]) {
    const given = await read([{ ...shape, pose }]);
    expect(given.environment).toHaveLength(1);
    const { status, paths } = planMotion(given);
    expect(status).toBe('solved');
    // The straight way is not free.
    expect(paths[0].poses.length).toBeGreaterThan(2);
  }
  await expect(read([{ pose }])).rejects.toThrow(/environment\[0\].*no shape/);
  await expect(read([{ sphere: 1, box: [1, 1, 1] }])).rejects.toThrow(/"box" and "sphere"/);
  await expect(read([{ sphere: 0 }])).rejects.toThrow(/environment\[0\]\.sphere/);
  await expect(read([{ cylinder: [1] }])).rejects.toThrow(/a radius and a height/);
});

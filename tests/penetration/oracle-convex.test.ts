// Penetration depth of convex pairs against brute force over all supporting planes of the hull of differences.
import { describe, expect, test } from 'vitest';
import { randomOf } from '../oracles/penetration/box-cases.js';
import { hullOfPoints, measureConvexPair } from '../oracles/penetration/convex-depth.js';
import { box, extrude, move, octahedron, scale, tetrahedron, turn } from '../oracles/penetration/shapes.js';
import { bodyOf, checkDepth, exactly, ROUNDING } from './check-depth.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

describe('convex pairs', () => {
  test('of random points: the depth is that of the nearest supporting plane, and known to be exact', () => {
    const random = randomOf(21);
    const cloud = () => {
      const stretch = [0, 1, 2].map(() => 0.3 + random());
      const points: number[] = [];
      for (let i = 6 + Math.floor(6 * random()); i > 0; i--) {
        const p = [0, 1, 2].map(() => random() - 0.5);
        const length = Math.hypot(...p);
        points.push(...p.map((value, k) => (stretch[k] * value) / length));
      }
      return hullOfPoints(points);
    };
    let deep = 0;
    const count = 40 * SOAK;
    for (let i = 0; i < count; i++) {
      const a = cloud();
      const b = move(cloud(), ...([0, 1, 2].map(() => 2 * (random() - 0.5)) as [number, number, number]));
      const { depth, vector } = measureConvexPair(a.positions, b.positions);
      const { result } = checkDepth(`pair ${i}`, bodyOf(a), bodyOf(b), exactly(depth), { error: ROUNDING });
      if (depth === 0) continue;
      deep++;
      expect(result.status).toBe('exact');
      expect(result.lower).toBeGreaterThanOrEqual(depth * (1 - ROUNDING));
      const miss = Math.hypot(...vector.map((value, k) => value - result.vector[k]));
      expect(miss, `pair ${i}: the same way out`).toBeLessThanOrEqual(1e-6 * depth);
    }
    expect(deep / count).toBeGreaterThan(0.3);
    expect(deep / count).toBeLessThan(0.7);
  });

  test.each([
    ['octahedron and cube, corner in face', octahedron(3), move(box([-1, -1, -1], [1, 1, 1]), 0, 0, 3)],
    ['octahedron in octahedron, all directions alike', octahedron(1), octahedron(3)],
    ['tetrahedra through each other', tetrahedron(2), turn(tetrahedron(2), 0, 0, 1, 0)],
    ['tetrahedron and its mirror image', tetrahedron(2), move(scale(turn(tetrahedron(1), 1, 0, 0, 1), 1), 1, 0, 2)],
    [
      'prism and turned prism, edge across edge',
      scale(
        extrude(
          [
            [0, 0],
            [4, 0],
            [2, 3],
          ],
          0,
          9,
        ),
        5,
      ),
      move(
        turn(
          extrude(
            [
              [0, 0],
              [4, 0],
              [2, 3],
            ],
            0,
            9,
          ),
          1,
          0,
          0,
          2,
        ),
        3,
        30,
        12,
      ),
    ],
    ['needle in a plate', box([-20, -20, 0], [20, 20, 1]), move(box([-1, -1, -20], [1, 1, 20]), 5, 3, 15)],
    ['cubes in the same place', box([0, 0, 0], [2, 2, 2]), box([0, 0, 0], [2, 2, 2])],
    ['cubes touching', box([0, 0, 0], [2, 2, 2]), box([2, 1, 1], [3, 3, 3])],
  ] as const)('%s', (name, a, b) => {
    const { depth } = measureConvexPair(a.positions, b.positions);
    const { result } = checkDepth(name, bodyOf(a), bodyOf(b), exactly(depth), { error: ROUNDING });
    expect(result.status).toBe(depth > 0 ? 'exact' : 'separate');
  });
});

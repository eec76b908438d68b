// Points added as corners on the boundary of a hull: the hull stays a closed, weakly convex surface of triangles with
// area, has every point as a corner, and undo restores it exactly. Small grids make the special cases common.
import { describe, expect, test } from 'vitest';
import { IncrementalHull } from '../../../src/convex/hull/hull-incremental.js';
import { createRandom } from '../../../src/core/random.js';

type Triangles = string[];

function trianglesOf(hull: IncrementalHull): Triangles {
  return [...hull.faces.subarray(0, hull.faceCount)]
    .map((face) => [...hull.corners.subarray(3 * face, 3 * face + 3)].join(' '))
    .sort();
}

/** Six times the volume of a, b, c, d in whole numbers, positive when d sees a, b, c counter-clockwise. */
function volume(points: Float64Array, ids: readonly number[]): number {
  const [a, b, c, d] = ids.map((id) => [...points.subarray(3 * id, 3 * id + 3)]);
  const [u, v, w] = [b, c, d].map((p) => p.map((x, i) => x - a[i]));
  const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return cross[0] * w[0] + cross[1] * w[1] + cross[2] * w[2];
}

function areaSquared(points: Float64Array, ids: readonly number[]): number {
  const [a, b, c] = ids.map((id) => [...points.subarray(3 * id, 3 * id + 3)]);
  const [u, v] = [b, c].map((p) => p.map((x, i) => x - a[i]));
  return (u[1] * v[2] - u[2] * v[1]) ** 2 + (u[2] * v[0] - u[0] * v[2]) ** 2 + (u[0] * v[1] - u[1] * v[0]) ** 2;
}

/** What is wrong with the hull of the points inserted so far. */
function faultsOf(hull: IncrementalHull, points: Float64Array, inserted: readonly number[]): string[] {
  const faults: string[] = [];
  const alive = new Set(hull.faces.subarray(0, hull.faceCount));
  const corners = new Set<number>();
  for (const face of alive) {
    const ids = [...hull.corners.subarray(3 * face, 3 * face + 3)];
    if (areaSquared(points, ids) === 0) faults.push(`face ${ids} has no area`);
    for (let k = 0; k < 3; k++) {
      corners.add(ids[k]);
      const twin = hull.twins[3 * face + k];
      if (!alive.has(Math.floor(twin / 3)) || hull.twins[twin] !== 3 * face + k) faults.push(`twin of ${ids} ${k}`);
      else if (hull.corners[twin] !== ids[(k + 1) % 3]) faults.push(`twin of ${ids} ${k} runs elsewhere`);
    }
    for (const id of inserted) {
      if (hull.dimension === 3 && volume(points, [...ids, id]) > 0) faults.push(`point ${id} is outside ${ids}`);
    }
  }
  for (const id of inserted) if (!corners.has(id)) faults.push(`point ${id} is no corner`);
  return faults;
}

describe('insertOnBoundary', () => {
  test('keeps every point of a grid on the hull, and undo takes back exactly one insertion', () => {
    const random = createRandom(11);
    const kinds = { outside: 0, flat: 0, solid: 0, refused: 0 };
    for (let run = 0; run < 1500; run++) {
      const size = 2 + random.integer(3);
      const isFlat = run % 3 === 0;
      const points = new Float64Array(3 * (6 + random.integer(18)));
      for (let i = 0; i < points.length; i++) points[i] = isFlat && i % 3 === 2 ? 1 : random.integer(size + 1);
      const seen = new Set<string>();
      const hull = new IncrementalHull(points);
      const inserted: number[] = [];
      for (let id = 0; id < points.length / 3; id++) {
        const key = points.subarray(3 * id, 3 * id + 3).join();
        if (seen.has(key)) continue;
        const before = trianglesOf(hull);
        const { dimension } = hull;
        let position = hull.insert(id);
        if (position === 'boundary') {
          hull.undo();
          if (hull.insertOnBoundary(id)) {
            kinds[dimension === 2 ? 'flat' : 'solid']++;
            const after = trianglesOf(hull);
            hull.undo();
            expect(trianglesOf(hull)).toEqual(before);
            expect(hull.insertOnBoundary(id)).toBe(true);
            expect(trianglesOf(hull)).toEqual(after);
            position = 'outside';
          } else kinds.refused++;
        } else if (position === 'inside') hull.undo();
        else kinds.outside++;
        if (position !== 'outside') continue;
        seen.add(key);
        inserted.push(id);
        if (hull.dimension >= 2 && dimension >= 2) {
          const corners = liveCorners(hull, inserted);
          expect(corners).toContain(id);
          expect(faultsOf(hull, points, corners)).toEqual([]);
        }
      }
    }
    expect(kinds.flat).toBeGreaterThan(300);
    expect(kinds.solid).toBeGreaterThan(300);
    expect(kinds.outside).toBeGreaterThan(3000);
  });

  test('refuses points outside, inside, and equal to a corner', () => {
    const points = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 1, 1, 1, 9, 9, 9, 4, 0, 0, 1, 1, 0, 2, 0, 0);
    const hull = new IncrementalHull(points);
    for (let id = 0; id < 4; id++) hull.insert(id);
    expect([4, 5, 6].map((id) => hull.insertOnBoundary(id))).toEqual([false, false, false]);
    expect(hull.faceCount).toBe(4);
    expect(hull.insertOnBoundary(7)).toBe(true);
    expect(hull.faceCount).toBe(6);
    expect(hull.insertOnBoundary(8)).toBe(true);
    expect(hull.faceCount).toBe(8);
  });
});

/** The points that are still corners: one on the boundary may be covered by a later point. */
function liveCorners(hull: IncrementalHull, ids: readonly number[]): number[] {
  const corners = new Set<number>();
  for (const face of hull.faces.subarray(0, hull.faceCount)) {
    for (let k = 0; k < 3; k++) corners.add(hull.corners[3 * face + k]);
  }
  return ids.filter((id) => corners.has(id));
}

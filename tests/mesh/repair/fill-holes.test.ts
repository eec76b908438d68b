// Filled holes: structure by counting edges, areas and volumes by formula, least areas by trying all triangulations.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { repairMesh } from '../../../src/mesh/repair/repair.js';
import {
  boxMesh,
  flipFaces,
  mesh,
  openCube,
  selectFaces,
  sheet,
  sphereGrid,
  torusGrid,
} from '../../generators/surfaces.js';
import { surfaceStructure } from '../../oracles/closed-manifold.js';

const fill = { fillHoles: true, weldVertices: false, dropDegenerateFaces: false };

/** A cone without its base over a ring of points: one hole. */
function coneOver(ring: readonly (readonly number[])[], apex: readonly number[]): Mesh {
  const n = ring.length;
  return mesh(
    [...ring, apex],
    ring.map((_, i) => [i, (i + 1) % n, n]),
  );
}

function areaOf(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [u, v] = [b, c].map((q) => q.map((x, k) => x - a[k]));
  return 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
}

/** The least area over all triangulations of a ring, by recursion. */
function leastArea(ring: readonly (readonly number[])[]): number {
  if (ring.length < 3) return 0;
  const [first, last] = [ring[0], ring[ring.length - 1]];
  let least = Infinity;
  for (let m = 1; m < ring.length - 1; m++) {
    least = Math.min(least, leastArea(ring.slice(0, m + 1)) + areaOf(first, ring[m], last) + leastArea(ring.slice(m)));
  }
  return least;
}

describe('filling holes', () => {
  test('closes a cube with the side that is missing', () => {
    const { mesh: closed, filled, remaining } = repairMesh(openCube(), fill);
    const { faults, volume } = surfaceStructure(closed.positions, closed.indices);
    expect(faults).toEqual([]);
    expect(volume).toBeCloseTo(1, 12);
    expect(filled).toMatchObject({ holes: 1, unfilledHoles: 0, addedFaces: 2, largestLoop: 4, crossings: 0 });
    expect(filled!.addedArea).toBeCloseTo(1, 12);
    expect(remaining).toEqual([]);
  });

  test('only on request', () => {
    const { mesh: same, filled, remaining } = repairMesh(openCube());
    expect(same.indices.length).toBe(30);
    expect(filled).toBeUndefined();
    expect(remaining[0].kind).toBe('open-boundary');
  });

  test('finds the least area of rings that are not flat', () => {
    const random = createRandom(7);
    for (let round = 0; round < 40; round++) {
      const n = 4 + (round % 5);
      const ring = Array.from({ length: n }, (_, i) => {
        const angle = (2 * Math.PI * i) / n;
        return [Math.cos(angle), Math.sin(angle), random.range(-0.5, 0.5)];
      });
      const { filled } = repairMesh(coneOver(ring, [0, 0, 5]), { ...fill, orientFaces: false });
      expect(filled!.addedFaces).toBe(n - 2);
      expect(filled!.addedArea).toBeCloseTo(leastArea(ring), 9);
    }
  });

  test('a flat ring that is not convex, with points on straight sides', () => {
    const ring = [
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
      [2, 2, 0],
      [1, 2, 0],
      [1, 1, 0],
      [0, 1, 0],
    ];
    const cone = coneOver(ring, [0.7, 0.5, -3]);
    const { mesh: closed, filled } = repairMesh(
      flipFaces(cone, () => true),
      fill,
    );
    expect(filled!.addedArea).toBeCloseTo(3, 12);
    expect(filled!.crossings).toBe(0);
    expect(surfaceStructure(closed.positions, closed.indices).faults).toEqual([]);
  });

  test('long loops, several holes, and a limit', () => {
    const ball = sphereGrid(40);
    const cap = selectFaces(ball, (face) => ball.positions[3 * ball.indices[3 * face] + 2] < 0.3);
    const long = repairMesh(cap, fill);
    expect(surfaceStructure(long.mesh.positions, long.mesh.indices).faults).toEqual([]);
    expect(long.filled).toMatchObject({ holes: 1, crossings: 0 });
    // A wavy rim of 1,200 edges is filled ear by ear.
    const rim = Array.from({ length: 1200 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 1200;
      return [Math.cos(angle), Math.sin(angle), 0.05 * Math.sin(3 * angle)];
    });
    const wavy = repairMesh(coneOver(rim, [0, 0, 3]), fill);
    expect(surfaceStructure(wavy.mesh.positions, wavy.mesh.indices).faults).toEqual([]);
    expect(wavy.filled).toMatchObject({ holes: 1, addedFaces: 1198, largestLoop: 1200 });
    expect(wavy.filled!.addedArea).toBeLessThan(1.2 * Math.PI);
    const torus = selectFaces(torusGrid(24, 12), (face) => ![3, 100, 101, 300].includes(face));
    expect(repairMesh(torus, fill).filled).toMatchObject({ unfilledHoles: 0, addedFaces: 4 });
    const limited = repairMesh(torus, { ...fill, fillHoles: { maxEdges: 3 } });
    expect(limited.filled).toMatchObject({ holes: 2, unfilledHoles: 1, addedFaces: 2 });
  });

  test('says where a filled sheet crosses itself, and leaves what cannot be filled', () => {
    const flat = repairMesh(sheet(3), fill);
    expect(flat.filled!.holes).toBe(1);
    expect(flat.filled!.crossings > 0).toBe(flat.remaining.some(({ kind }) => kind === 'crossing-fill'));
    // A single triangle would be filled with itself.
    const single = repairMesh(
      selectFaces(boxMesh(), (face) => face === 0),
      fill,
    );
    expect(single.filled!.holes + single.filled!.unfilledHoles).toBe(1);
    expect(single.remaining.length).toBeGreaterThan(0);
  });

  test('turns a sheet that is closed now outward', () => {
    const bowl = selectFaces(sphereGrid(8), (face) => face < 60);
    const inward = flipFaces(bowl, () => true);
    const { mesh: closed } = repairMesh(inward, fill);
    expect(surfaceStructure(closed.positions, closed.indices)).toMatchObject({ faults: [] });
    expect(surfaceStructure(closed.positions, closed.indices).volume).toBeGreaterThan(0);
  });
});

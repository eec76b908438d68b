// Offsets of solids against closed forms of their volumes, and their distances against all triangles.
import { describe, expect, test } from 'vitest';
import { type OffsetMesh, offsetMesh } from '../../../src/field/index.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { codeOf } from '../../error-code.js';
import { boxMesh, join, openCube, reversed, selectFaces, sphereGrid } from '../../generators/surfaces.js';
import { surfaceStructure } from '../../oracles/closed-manifold.js';
import { crossingTriangles } from '../../oracles/crossing-triangles.js';
import { distanceTo, samplePoints } from './sample-surface.js';

/** Checks the structure and, at sampled points, the bounds of the error; returns the volume. */
function checkOffset({ mesh, error }: OffsetMesh, input: Mesh, levels: readonly number[]): number {
  const { faults, volume } = surfaceStructure(mesh.positions, mesh.indices);
  expect(faults).toEqual([]);
  expect(crossingTriangles(mesh.positions, mesh.indices)).toEqual([]);
  const stride = Math.max(1, Math.floor(mesh.indices.length / 3 / 200));
  for (const point of samplePoints(
    selectFaces(mesh, (face) => face % stride === 0),
    1,
  )) {
    const distance = distanceTo(input, point);
    const fits = levels.some((level) =>
      [distance, -distance].some(
        (value) => value >= level - error.inward - 1e-9 && value <= level + error.outward + 1e-9,
      ),
    );
    expect(fits).toBe(true);
  }
  return volume;
}

describe('offsetMesh', () => {
  const box = boxMesh([0, 0, 0], [2, 1, 1]);
  const grown = (d: number): number => 2 + 10 * d + 4 * Math.PI * d * d + (4 / 3) * Math.PI * d ** 3;

  test('grows a box with round edges', () => {
    for (const [distance, resolution] of [
      [0.3, 20],
      [0.05, 16],
    ]) {
      const offset = offsetMesh(box, { distance, resolution });
      // The volume of a convex solid grown by d (Steiner): V + A d + M d² + 4/3 π d³ with M = π times the sum of sides.
      expect(checkOffset(offset, box, [distance]) / grown(distance)).toBeCloseTo(1, 1.3);
      expect(offset.error.inward).toBeLessThan(0.5 * offset.spacing);
      expect(offset.error.outward).toBeLessThan(0.5 * offset.spacing);
    }
  });

  test('shrinks a box with sharp edges', () => {
    const offset = offsetMesh(box, { distance: -0.2, resolution: 20 });
    expect(checkOffset(offset, box, [-0.2])).toBeCloseTo(1.6 * 0.6 * 0.6, 1.5);
  });

  test('grows and shrinks a sphere', () => {
    const ball = sphereGrid(12);
    const big = offsetMesh(ball, { distance: 0.5, resolution: 16 });
    expect(checkOffset(big, ball, [0.5]) / ((4 / 3) * Math.PI * 1.5 ** 3)).toBeCloseTo(1, 1.3);
    const small = offsetMesh(ball, { distance: -0.5, resolution: 20 });
    expect(checkOffset(small, ball, [-0.5]) / ((4 / 3) * Math.PI * 0.5 ** 3)).toBeCloseTo(1, 0.8);
  });

  test('makes shells, also thinner than a cell', () => {
    const thick = offsetMesh(box, { distance: 0, shell: 0.2, resolution: 24 });
    const hollow = 2 - 1.6 * 0.6 * 0.6;
    expect(checkOffset(thick, box, [0, -0.2]) / hollow).toBeCloseTo(1, 1);
    expect(surfaceStructure(thick.mesh.positions, thick.mesh.indices).components).toBe(2);
    const thin = offsetMesh(box, { distance: 0.02, shell: 0.04, resolution: 24 });
    const volume = checkOffset(thin, box, [0.02, -0.02]);
    expect(thin.spacing).toBeGreaterThan(0.08);
    expect(volume).toBeGreaterThan(0.2);
    expect(volume).toBeLessThan(0.8);
  });

  test('cavities shrink as the solid grows, and parts join', () => {
    const hollow = join(boxMesh([0, 0, 0], [3, 3, 3]), reversed(boxMesh([1, 1, 1], [2, 2, 2])));
    const offset = offsetMesh(hollow, { distance: 0.25, resolution: 16 });
    checkOffset(offset, hollow, [0.25]);
    expect(surfaceStructure(offset.mesh.positions, offset.mesh.indices).components).toBe(2);
    const closed = offsetMesh(hollow, { distance: 0.7, resolution: 16 });
    expect(surfaceStructure(closed.mesh.positions, closed.mesh.indices).components).toBe(1);
    const two = join(boxMesh(), boxMesh([1.2, 0, 0], [2.2, 1, 1]));
    expect(surfaceStructure(...arrays(offsetMesh(two, { distance: 0.2, resolution: 16 }))).components).toBe(1);
    expect(surfaceStructure(...arrays(offsetMesh(two, { distance: 0.02, resolution: 24 }))).components).toBe(2);
  });

  test('refuses what has no inside, and distances that leave nothing', () => {
    expect(codeOf(() => offsetMesh(openCube(), { distance: 0.1 }))).toBe('open-mesh');
    expect(codeOf(() => offsetMesh(box, { distance: -0.6, resolution: 16 }))).toBe('degenerate');
    expect(codeOf(() => offsetMesh(box, { distance: Number.NaN }))).toBe('bad-argument');
    expect(codeOf(() => offsetMesh(box, undefined as never))).toBe('bad-argument');
    expect(codeOf(() => offsetMesh(box, { distance: 0.1, shell: -1 }))).toBe('bad-argument');
    expect(codeOf(() => offsetMesh(box, { distance: 0.1, resolution: 2 }))).toBe('bad-argument');
    expect(codeOf(() => offsetMesh(box, { distance: 0.1, signal: { aborted: true } }))).toBe('aborted');
  });
});

function arrays({ mesh }: OffsetMesh): [Float64Array, Uint32Array] {
  return [mesh.positions, mesh.indices];
}

// Approximate convex decomposition, judged by sampling: points in the solid lie in a hull, no point of a hull is farther
// from the solid than stated, and no cut loses volume.
import { orient3d } from 'robust-predicates';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { decomposeSolid, type SolidDecomposition } from '../../../src/decomposition/approximate/decompose-solid.js';
import { cutPart, measureVolume, type Part, separatePart } from '../../../src/decomposition/cut/part.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import { machinedParts } from '../../generators/machined-parts.js';
import { boxMesh, join, mapPoints, reversed, selectFaces, torusGrid, voxelSolid } from '../../generators/surfaces.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const ell = voxelSolid(2, (x, y) => x === 0 || y === 0);
const channel = voxelSolid(3, (x, y) => x !== 1 || y === 0);
const hollow = voxelSolid(3, (x, y, z) => !(x === 1 && y === 1 && z === 1));
const asPart = ({ positions, indices }: Mesh): Part => ({
  positions,
  indices,
  sources: new Int32Array(indices.length / 3).fill(1),
});

/** Whether a convex mesh holds a point that is moved by `slack` toward its middle, by exact signs: hulls have slivers. */
function holds({ positions: p, indices }: Mesh, point: readonly number[], slack = 0): boolean {
  const middle = [0, 1, 2].map((axis) => {
    let sum = 0;
    for (let i = axis; i < p.length; i += 3) sum += p[i];
    return sum / (p.length / 3);
  });
  const away = Math.hypot(...middle.map((x, k) => x - point[k])) || 1;
  const [x, y, z] = point.map((value, k) => value + (slack / away) * (middle[k] - value));
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const side = orient3d(p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2], p[c], p[c + 1], p[c + 2], x, y, z);
    if (side < 0) return false;
  }
  return true;
}

/** The distance of a point from the nearest of a dense set of points of the surface: never too small. */
function surfaceSamples({ positions: p, indices }: Mesh, perEdge: number): number[][] {
  const samples: number[][] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => p[3 * indices[t + k] + axis]));
    for (let i = 0; i <= perEdge; i++) {
      for (let j = 0; i + j <= perEdge; j++) {
        const [s, r] = [i / perEdge, j / perEdge];
        samples.push(a.map((x, k) => x + s * (b[k] - x) + r * (c[k] - x)));
      }
    }
  }
  return samples;
}

function expectSound(mesh: Mesh, { pieces, overshoot, concavity }: SolidDecomposition, seed = 1): void {
  const random = createRandom(seed);
  const { positions, indices } = mesh;
  const low = [0, 1, 2].map((axis) => Math.min(...positions.filter((_, i) => i % 3 === axis)));
  const high = [0, 1, 2].map((axis) => Math.max(...positions.filter((_, i) => i % 3 === axis)));
  const size = Math.max(...high.map((x, axis) => x - low[axis]));
  const samples = surfaceSamples(mesh, 4);
  let [inside, beyond] = [0, 0];
  for (let i = 0; i < 400; i++) {
    const point = low.map((x, axis) => random.range(x, high[axis]));
    const isInside = windingNumberBySum(positions, indices, point) > 0.5;
    if (isInside) {
      inside++;
      expect(pieces.some((piece) => holds(piece.mesh, point, 1e-9 * size))).toBe(true);
    } else if (pieces.some((piece) => holds(piece.mesh, point))) {
      beyond++;
      const distance = Math.min(...samples.map((sample) => Math.hypot(...sample.map((x, k) => x - point[k]))));
      // The samples are as far apart as a quarter of the longest edge of their triangles.
      expect(distance).toBeLessThan(overshoot.upper + spacing(mesh) / 4);
    }
  }
  expect(inside).toBeGreaterThan(10);
  expect(beyond).toBeLessThan(400);
  for (const piece of pieces) {
    expect(piece.depth.lower).toBeLessThanOrEqual(piece.depth.upper);
    expect(piece.overshoot.lower).toBeLessThanOrEqual(piece.overshoot.upper);
    expect(piece.concavity).toBeLessThanOrEqual(concavity);
    for (let v = 0; v < piece.mesh.positions.length; v += 3) {
      expect(holds(piece.mesh, [...piece.mesh.positions.subarray(v, v + 3)])).toBe(true);
    }
  }
}

function spacing({ positions: p, indices }: Mesh): number {
  let most = 0;
  indices.forEach((a, h) => {
    const b = indices[h % 3 === 2 ? h - 2 : h + 1];
    most = Math.max(most, Math.hypot(...[0, 1, 2].map((k) => p[3 * a + k] - p[3 * b + k])));
  });
  return most;
}

describe('cutting a part', () => {
  test.each([
    ['an L', ell],
    ['a hollow block', hollow],
    ['a torus', torusGrid(12, 8)],
    ['two boxes that cross', join(boxMesh(), boxMesh([0.5, 0.5, 0.5], [2, 1.5, 1.5]))],
  ])('%s by any planes keeps its volume', (_, mesh) => {
    const random = createRandom(7);
    const whole = asPart(mesh);
    for (let i = 0; i < 24; i++) {
      // Every third plane goes through vertices and faces.
      const normal =
        i % 3 === 0 ? [0, 0, 0].map((_, k) => (k === i % 2 ? 1 : 0)) : [0, 0, 0].map(() => random.range(-1, 1));
      const length = Math.hypot(...normal);
      const [nx, ny, nz] = normal.map((x) => x / length);
      const at = 3 * random.integer(mesh.positions.length / 3);
      const [x, y, z] = mesh.positions.subarray(at, at + 3);
      const offset = nx * x + ny * y + nz * z + (i % 3 === 1 ? random.range(-0.5, 0.5) : 0);
      const sides = cutPart(whole, { nx, ny, nz, offset }, true).filter((side) => side !== null);
      const volumes = sides.flatMap(separatePart).map(measureVolume);
      expect(volumes.reduce((sum, volume) => sum + volume, 0)).toBeCloseTo(measureVolume(whole), 9);
      for (const volume of volumes) expect(volume).toBeGreaterThan(-1e-9);
    }
  });

  test('leaves apart what the cut takes apart', () => {
    const [below, above] = cutPart(asPart(channel), { nx: 0, ny: 1, nz: 0, offset: 1 }, true);
    expect(separatePart(below!).map(measureVolume)).toEqual([expect.closeTo(9, 9)]);
    expect(separatePart(above!).map(measureVolume)).toEqual([expect.closeTo(6, 9), expect.closeTo(6, 9)]);
  });
});

describe('decomposeSolid', () => {
  test('takes solids of boxes in boxes', () => {
    for (const [mesh, pieces] of [
      [boxMesh(), 1],
      [ell, 2],
      [channel, 3],
    ] as const) {
      const solid = decomposeSolid(mesh);
      expect(solid.pieces).toHaveLength(pieces);
      expect(solid.concavity).toBeLessThan(1e-3);
      expect(solid.covers).toBe('solid');
      expectSound(mesh, solid);
    }
    // Six slabs around the cavity.
    const solid = decomposeSolid(hollow);
    expect(solid.pieces).toHaveLength(6);
    expect(solid.concavity).toBeLessThanOrEqual(solid.maxConcavity);
    expectSound(hollow, solid);
  });

  test('keeps to the concavity on round and on machined solids', () => {
    const parts = machinedParts(8).filter(({ name }) => name === 'shaft' || name === 'bracket');
    for (const mesh of [findModel('spoon').build(), torusGrid(16, 10), ...parts.map(({ mesh }) => mesh)]) {
      const solid = decomposeSolid(mesh);
      expect(solid.concavity).toBeLessThanOrEqual(solid.maxConcavity);
      expect(solid.pieces.length).toBeLessThan(14);
      expectSound(mesh, solid);
    }
  });

  test('takes no more pieces of a wrinkled torus than CoACD, whose 19 differ as much', () => {
    const solid = decomposeSolid(findModel('wrinkled-torus').build());
    expect(solid.concavity).toBeLessThanOrEqual(solid.maxConcavity);
    expect(solid.pieces.length).toBeLessThanOrEqual(19);
  });

  test('returns what it has when the time is over, with bounds that hold', () => {
    const mesh = torusGrid(16, 10);
    for (const maxMilliseconds of [0, 50, 400]) {
      const solid = decomposeSolid(mesh, { maxMilliseconds, maxPieces: 6 });
      expect(solid.pieces.length).toBeLessThanOrEqual(6);
      expectSound(mesh, solid);
    }
    expect(() => decomposeSolid(mesh, { maxMilliseconds: -1 })).toThrow(/maxMilliseconds/);
  });

  test('keeps to the number of pieces, and says how far they then differ', () => {
    const mesh = torusGrid(16, 10);
    const solid = decomposeSolid(mesh, { maxPieces: 3 });
    expect(solid.pieces).toHaveLength(3);
    expect(solid.concavity).toBeGreaterThan(solid.maxConcavity);
    expectSound(mesh, solid);
    const [whole] = decomposeSolid(mesh, { maxPieces: 1 }).pieces;
    // The point of the hull above the middle of the hole is √(2² + 0.7²) from the circle within the tube.
    const farthest = Math.hypot(2, 0.7) - 0.7;
    expect(whole.overshoot.upper).toBeGreaterThanOrEqual(farthest - 0.1);
    expect(whole.overshoot.lower).toBeLessThanOrEqual(farthest + 0.1);
    expect(whole.overshoot.upper - whole.overshoot.lower).toBeLessThan(0.1);
  });

  test('gives as many pieces at any scale, and turns a solid that is inside out', () => {
    for (const scale of [1e-6, 1e6]) {
      const solid = decomposeSolid(mapPoints(channel, (point) => point.map((x) => scale * x)));
      expect(solid.pieces).toHaveLength(3);
      expect(solid.concavity).toBeLessThan(1e-3 * scale);
    }
    expect(decomposeSolid(reversed(channel)).pieces).toHaveLength(3);
  });

  test('covers the surface of an open mesh, and solids that cross', () => {
    const open = selectFaces(ell, (face) => face > 3);
    const surface = decomposeSolid(open, { maxPieces: 8 });
    expect(surface.covers).toBe('surface');
    for (const point of surfaceSamples(open, 2)) {
      expect(surface.pieces.some((piece) => holds(piece.mesh, point, 1e-9))).toBe(true);
    }
    const crossing = join(boxMesh(), boxMesh([0.5, 0.25, 0.25], [3, 0.75, 0.75]));
    expectSound(crossing, decomposeSolid(crossing));
  });

  test('refuses bad options and empty meshes, and can be stopped', () => {
    expect(() => decomposeSolid(ell, { maxConcavity: 0 })).toThrow(/maxConcavity/);
    expect(() => decomposeSolid(ell, { maxPieces: 0 })).toThrow(/maxPieces/);
    expect(() => decomposeSolid(ell, { resolution: 1 })).toThrow(/resolution/);
    expect(() => decomposeSolid(ell, { signal: { aborted: true } })).toThrow(/Stopped/);
    expect(() => decomposeSolid({ positions: new Float64Array(0), indices: new Uint32Array(0) })).toThrow();
    const fractions: number[] = [];
    decomposeSolid(channel, { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
  });
});

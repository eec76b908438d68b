// Voronoi fracture against an oracle that knows neither cells nor cuts: a random point of the solid lies in exactly one
// fragment, which is of the cell of the nearest given point.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { type Fracture, fractureSolid } from '../../../src/decomposition/fracture/fracture-solid.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { inspectMesh } from '../../../src/mesh/report/report.js';
import { findModel } from '../../../src/models/catalogue.js';
import { machinedParts } from '../../generators/machined-parts.js';
import { boxMesh, join, mapPoints, reversed, selectFaces, torusGrid, voxelSolid } from '../../generators/surfaces.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const hollow = voxelSolid(3, (x, y, z) => !(x === 1 && y === 1 && z === 1) && !(x === 2 && y === 2));

const sumOf = ({ fragments }: Fracture): number => fragments.reduce((sum, { volume }) => sum + volume, 0);

/** Every fragment is closed and oriented, with the volume that it states, and all of them have that of the solid. */
function expectWhole(mesh: Mesh, fracture: Fracture): void {
  const report = inspectMesh(mesh);
  expect(fracture.volume / report.volume!).toBeCloseTo(1, 12);
  expect(sumOf(fracture) / report.volume!).toBeCloseTo(1, 12);
  for (const fragment of fracture.fragments) {
    const { closed, oriented, volume } = inspectMesh(fragment.mesh);
    expect({ closed, oriented }).toEqual({ closed: true, oriented: true });
    expect(Math.abs(volume! - fragment.volume)).toBeLessThan(1e-12 * report.volume!);
    expect(fragment.isCrack.length).toBe(fragment.mesh.indices.length / 3);
  }
}

function nearestOf(points: Float64Array, [x, y, z]: readonly number[]): { cell: number; lead: number } {
  const distances = Array.from({ length: points.length / 3 }, (_, i) =>
    Math.hypot(points[3 * i] - x, points[3 * i + 1] - y, points[3 * i + 2] - z),
  );
  const [first, second = Infinity] = [...distances].sort((a, b) => a - b);
  return { cell: distances.indexOf(first), lead: second - first };
}

/** Compares with the oracle at random points of the box that are not within rounding of a crack. */
function expectCells(mesh: Mesh, { fragments, points }: Fracture, samples: number): void {
  const random = createRandom(7);
  const { min, max } = inspectMesh(mesh).box!;
  const size = Math.max(...max.map((most, axis) => most - min[axis]));
  let inside = 0;
  for (let i = 0; i < samples; i++) {
    const point = [0, 1, 2].map((axis) => random.range(min[axis], max[axis]));
    const { cell, lead } = nearestOf(points, point);
    if (lead < 1e-6 * size) continue;
    const winding = Math.round(windingNumberBySum(mesh.positions, mesh.indices, point));
    const holders = fragments.filter(
      (fragment) => Math.round(windingNumberBySum(fragment.mesh.positions, fragment.mesh.indices, point)) === 1,
    );
    expect(holders.map((fragment) => fragment.cell)).toEqual(winding === 0 ? [] : [cell]);
    if (winding !== 0) inside++;
  }
  expect(inside).toBeGreaterThan(0.1 * samples);
  expect(inside).toBeLessThan(0.95 * samples);
}

describe('fractureSolid', () => {
  test.each<[string, Mesh, number]>([
    ['a torus', torusGrid(20, 10, 2, 0.7), 12],
    ['a letter', findModel('letter-h').build(), 9],
    ['a hollow block', hollow, 7],
    [
      'two solids, one in pieces far from the other',
      join(boxMesh([0, 0, 0], [1, 1, 1]), boxMesh([3, 0, 0], [4, 2, 1])),
      6,
    ],
  ])('%s: each point is in the fragment of its cell', (_, mesh, fragments) => {
    const fracture = fractureSolid(mesh, { fragments, seed: 3 });
    expect(fracture.fragments.length).toBeGreaterThanOrEqual(fragments);
    expectWhole(mesh, fracture);
    expectCells(mesh, fracture, 150);
  });

  test('machined parts keep their volume and stay closed', () => {
    const parts = machinedParts();
    expect(parts.length).toBeGreaterThan(4);
    for (const { mesh } of parts) {
      const fracture = fractureSolid(mesh, { fragments: 8 });
      expect(fracture.fragments.length).toBeGreaterThanOrEqual(8);
      expectWhole(mesh, fracture);
    }
  });

  test('a box broken along a lattice gives equal boxes, although planes of all cells coincide', () => {
    const points: number[] = [];
    for (let i = 0; i < 27; i++) points.push((i % 3) + 0.5, (Math.floor(i / 3) % 3) + 0.5, Math.floor(i / 9) + 0.5);
    const { fragments } = fractureSolid(boxMesh([0, 0, 0], [3, 3, 3]), { points });
    expect(fragments.map(({ cell }) => cell)).toEqual(Array.from({ length: 27 }, (_, i) => i));
    for (const { volume } of fragments) expect(volume).toBeCloseTo(1, 12);
  });

  test('cuts leave no needless vertices on flat faces and cracks', () => {
    const { fragments } = fractureSolid(boxMesh([0, 0, 0], [1, 1, 1]), { fragments: 60, seed: 2 });
    const counts = fragments.map(({ mesh }) => mesh.indices.length / 3);
    // Voronoi cells of random points have 15.5 faces on average and 27 vertices, which makes 50 triangles; fewer at a border.
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(50);
    expect(Math.max(...counts)).toBeLessThan(100);
  });

  test('a cell that cuts two legs holds two fragments', () => {
    const table = voxelSolid(3, (x, y) => y === 2 || x !== 1);
    const { fragments } = fractureSolid(table, { points: [1.5, 0, 1.5, 1.5, 4, 1.5] });
    expect(fragments.map(({ cell }) => cell)).toEqual([0, 0, 1]);
    for (const { volume } of fragments.slice(0, 2)) expect(volume).toBeCloseTo(6, 12);
  });

  test('cracks are marked, and surface triangles keep the area of the solid', () => {
    const mesh = boxMesh([0, 0, 0], [2, 1, 1]);
    const { fragments } = fractureSolid(mesh, { points: [0.5, 0.5, 0.5, 1.5, 0.5, 0.5] });
    const areas = [0, 0];
    for (const { mesh: piece, isCrack } of fragments) {
      isCrack.forEach((flag, t) => {
        const at = (corner: number, axis: number): number => piece.positions[3 * piece.indices[3 * t + corner] + axis];
        const u = [0, 1, 2].map((axis) => at(1, axis) - at(0, axis));
        const v = [0, 1, 2].map((axis) => at(2, axis) - at(0, axis));
        areas[flag] += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
      });
    }
    expect(areas[0]).toBeCloseTo(10, 12);
    expect(areas[1]).toBeCloseTo(2, 12);
  });

  test('a gap takes its width from both sides of a crack', () => {
    const mesh = boxMesh([0, 0, 0], [2, 1, 1]);
    const points = [0.5, 0.5, 0.5, 1.5, 0.5, 0.5];
    const { fragments } = fractureSolid(mesh, { points, gap: 0.25 });
    for (const { volume } of fragments) expect(volume).toBeCloseTo(0.875, 12);
    expect(fractureSolid(mesh, { points, gap: 3 }).fragments).toEqual([]);
  });

  test.each([1e-6, 1e6])('at the scale %s', (scale) => {
    const mesh = mapPoints(torusGrid(24, 12, 2, 0.7), ([x, y, z]) => [scale * x, scale * y, scale * z]);
    expectWhole(mesh, fractureSolid(mesh, { fragments: 10 }));
  });

  test('the same seed gives the same bits, and a mesh inside out breaks like its reverse', () => {
    const mesh = torusGrid(24, 12, 2, 0.7);
    const one = fractureSolid(mesh, { fragments: 5 });
    expect(fractureSolid(mesh, { fragments: 5 })).toEqual(one);
    expect(sumOf(fractureSolid(reversed(mesh), { fragments: 5 }))).toBeCloseTo(sumOf(one), 10);
    expect(fractureSolid(mesh, { fragments: 5, seed: 2 }).points).not.toEqual(one.points);
  });

  test('an impact makes small fragments near it', () => {
    const mesh = boxMesh([0, 0, 0], [10, 1, 1]);
    const { points } = fractureSolid(mesh, { fragments: 40, impact: { point: [0, 0.5, 0.5], radius: 1 } });
    const far = points.filter((x, i) => i % 3 === 0 && x > 4);
    expect(far.length).toBeLessThan(3);
  });

  test('points outside the solid, one point, and fragments broken again', () => {
    const mesh = torusGrid(24, 12, 2, 0.7);
    expect(fractureSolid(mesh, { points: [50, 0, 0] }).fragments).toHaveLength(1);
    const first = fractureSolid(mesh, { fragments: 4 });
    const again = first.fragments.map((fragment) => fractureSolid(fragment.mesh, { fragments: 4 }));
    expect(again.reduce((sum, one) => sum + sumOf(one), 0) / first.volume).toBeCloseTo(1, 12);
  });

  test('bad input is refused with a reason', () => {
    const mesh = boxMesh([0, 0, 0], [1, 1, 1]);
    const open = selectFaces(mesh, (face) => face > 0);
    expect(() => fractureSolid(open)).toThrow(/bounds no solid/);
    expect(() => fractureSolid(mesh, { points: [] })).toThrow(/at least one point/);
    expect(() => fractureSolid(mesh, { points: [1, 2] })).toThrow(/x, y, z/);
    expect(() => fractureSolid(mesh, { points: [1, 2, Number.NaN] })).toThrow(/Point 0 has the coordinate NaN/);
    expect(() => fractureSolid(mesh, { points: [1, 2, 3, 1, 2, 3] })).toThrow(/Points 0 and 1 are the same/);
    expect(() => fractureSolid(mesh, { fragments: 0 })).toThrow(/whole number from 1/);
    expect(() => fractureSolid(mesh, { fragments: 1e12 })).toThrow(/more than 16384/);
    const impact = { point: [0.5, 0.5, 0.5], radius: 1e-300 } as const;
    expect(() => fractureSolid(mesh, { impact })).toThrow(/Points 0 and 1 are the same/);
    expect(() => fractureSolid(mesh, { gap: -1 })).toThrow(/length from 0/);
    expect(() => fractureSolid(mesh, { seed: Number.NaN })).toThrow(/seed/);
    expect(() => fractureSolid(mesh, { impact: { point: [0, 0, 0], radius: 0 } })).toThrow(/radius above zero/);
    const flat = boxMesh([0, 0, 0], [1, 1, 0]);
    expect(() => fractureSolid(flat)).toThrow(/no volume/);
    expect(() => fractureSolid(mesh, { signal: { aborted: true } })).toThrow(/Stopped/);
  });
});

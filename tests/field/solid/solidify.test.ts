// Solids from broken meshes: structure by counting edges, crossings by exact signs, distances by sampling, volumes by
// formula. None of the oracles shares code with the library.
import { describe, expect, test } from 'vitest';
import { type SolidifiedMesh, solidify } from '../../../src/field/index.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { codeOf } from '../../error-code.js';
import {
  boxMesh,
  cubesSharingEdge,
  flipFaces,
  join,
  kleinGrid,
  mapPoints,
  openCube,
  reversed,
  selectFaces,
  sheet,
  sphereGrid,
  strip,
  torusGrid,
  toSoup,
} from '../../generators/surfaces.js';
import { surfaceStructure } from '../../oracles/closed-manifold.js';
import { crossingTriangles } from '../../oracles/crossing-triangles.js';
import { turnedShells } from '../../oracles/turned-shells.js';
import { farthestOf, samplePoints } from './sample-surface.js';

/** Checks everything a solid promises; returns its volume. */
function checkSolid({ mesh, distance, outside, spacing }: SolidifiedMesh, input: Mesh): number {
  const { faults, volume, thinnest } = surfaceStructure(mesh.positions, mesh.indices);
  expect(faults).toEqual([]);
  expect(crossingTriangles(mesh.positions, mesh.indices)).toEqual([]);
  expect(thinnest).toBeGreaterThan(1e-6);
  expect(volume).toBeGreaterThan(0);
  expect(turnedShells(mesh.positions, mesh.indices)).toEqual([]);
  const stride = Math.max(1, Math.floor(mesh.indices.length / 3 / 300));
  const some = selectFaces(mesh, (face) => face % stride === 0);
  expect(farthestOf(samplePoints(some, 1), input)).toBeLessThanOrEqual(distance.toInput);
  const few = selectFaces(input, (face) => face % Math.max(1, Math.floor(input.indices.length / 3 / 60)) === 0);
  expect(farthestOf(samplePoints(few, 2), mesh)).toBeLessThanOrEqual(distance.fromInput);
  expect(outside).toBeLessThanOrEqual(distance.fromInput);
  expect(spacing).toBeGreaterThan(0);
  return volume;
}

const crossingBoxes = join(boxMesh([0, 0, 0], [1, 1, 1]), boxMesh([0.5, 0.4, 0.3], [1.6, 1.5, 1.4]));

describe('solidify', () => {
  test('fills a hole in a sphere', () => {
    const whole = sphereGrid(16);
    const input = selectFaces(whole, (face) => face % 40 !== 7);
    const solid = solidify(input, { resolution: 24 });
    expect(solid.rule).toBe('winding');
    const { volume } = surfaceStructure(whole.positions, whole.indices);
    expect(checkSolid(solid, input) / volume).toBeCloseTo(1, 1.5);
    expect(Math.max(solid.distance.toInput, solid.distance.fromInput)).toBeLessThan(1.2 * solid.spacing);
  });

  test('keeps the edges and corners of a box', () => {
    const input = boxMesh([0, 0, 0], [1, 0.7, 0.4]);
    const sharp = solidify(input, { resolution: 20 });
    expect(checkSolid(sharp, input)).toBeCloseTo(0.28, 2);
    expect(sharp.distance.toInput).toBeLessThan(0.2 * sharp.spacing);
    expect(sharp.distance.fromInput).toBeLessThan(0.25 * sharp.spacing);
    const plain = solidify(input, { resolution: 20, features: false });
    checkSolid(plain, input);
    expect(plain.distance.fromInput).toBeGreaterThan(2 * sharp.distance.fromInput);
    // Flat sides need few triangles.
    expect(sharp.mesh.indices.length / 3).toBeLessThan(600);
  });

  test('closes a box without its side, and says how far the new side is from the input', () => {
    const input = openCube();
    const solid = solidify(input, { resolution: 16 });
    expect(solid.rule).toBe('winding');
    expect(checkSolid(solid, input)).toBeCloseTo(1, 0.5);
    // The middle of the new side is half a side from the rim.
    expect(solid.distance.toInput).toBeGreaterThan(0.4);
    expect(solid.distance.toInput).toBeLessThan(0.6);
    expect(solid.distance.fromInput).toBeLessThan(1.2 * solid.spacing);
  });

  test('joins boxes that cross', () => {
    const solid = solidify(crossingBoxes, { resolution: 24 });
    expect(checkSolid(solid, crossingBoxes)).toBeCloseTo(1 + 1.1 ** 3 - 0.5 * 0.6 * 0.7, 1.5);
    // Faces inside are far from the surface, and are not outside.
    expect(solid.distance.fromInput).toBeGreaterThan(2 * solid.spacing);
    expect(solid.outside).toBeLessThan(solid.spacing);
  });

  test('gives a sheet the thickness wanted', () => {
    const input = mapPoints(sheet(6), ([x, y]) => [x, y, 0]);
    const solid = solidify(input, { resolution: 24, thickness: 0.2 });
    expect(solid).toMatchObject({ rule: 'thicken', thickened: 1 });
    const volume = checkSolid(solid, input);
    expect(volume).toBeGreaterThan(0.9 * 36 * 0.2);
    expect(volume).toBeLessThan(1.2 * 36 * 0.2);
    expect(solid.distance.fromInput).toBeGreaterThan(0.09);
    const thick = solidify(input, { resolution: 24, thickness: 2 });
    // A slab with rounded rims: its area times 2, half a cylinder along the rim, and a ball at the corners.
    const exact = 36 * 2 + 24 * (Math.PI / 2) + (4 / 3) * Math.PI;
    expect(checkSolid(thick, input) / exact).toBeCloseTo(1, 1.3);
  });

  test('walls thinner than a cell survive', () => {
    // A hollow box with walls of a sixth of a spacing.
    const wall = 1 / 20 / 6;
    const low = [wall, wall, wall];
    const high = [1 - wall, 1 - wall, 1 - wall];
    const input = join(boxMesh(), reversed(boxMesh(low, high)));
    const solid = solidify(input, { resolution: 21 });
    const volume = checkSolid(solid, input);
    expect(solid.thickened).toBeGreaterThan(0.5);
    expect(volume).toBeGreaterThan(0.5 * (1 - (1 - 2 * wall) ** 3));
    expect(volume).toBeLessThan(0.4);
    expect(surfaceStructure(solid.mesh.positions, solid.mesh.indices).components).toBe(2);
    expect(Math.max(solid.distance.fromInput, solid.distance.toInput)).toBeLessThan(1.3 * solid.spacing);
  });

  test('parts that touch become one: no hollow is left between them, flat or inside out', () => {
    // Nodes of the grid lie on the faces that touch, up to rounding: half spacings from the side of the box.
    const turn = (mesh: Mesh) => mapPoints(mesh, ([x, y, z]) => [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y, z]);
    for (const [resolution, step] of [
      [21, 9.5],
      [24, 10.5],
      [17, 3.5],
    ]) {
      const at = step / (resolution - 1);
      const boxes = join(boxMesh([0, 0, 0], [at, 0.6, 0.5]), boxMesh([at, 0, 0], [1, 0.6, 0.5]));
      const pin = join(boxes, boxMesh([at - 0.2, 0.2, 0.5], [at + 0.2, 0.4, 0.7]));
      for (const input of [boxes, pin, turn(pin)]) {
        const solid = solidify(input, { resolution });
        checkSolid(solid, input);
        expect(surfaceStructure(solid.mesh.positions, solid.mesh.indices).components).toBe(1);
      }
    }
  });

  test('accepts whatever else is broken', () => {
    const inputs: Record<string, Mesh> = {
      soup: toSoup(sphereGrid(8)),
      insideOut: reversed(torusGrid(16, 8)),
      flipped: flipFaces(sphereGrid(8), (face) => face % 3 === 0),
      edge: cubesSharingEdge(),
      moebius: strip(16, 1),
      klein: kleinGrid(12, 8),
      twice: join(sheet(3), sheet(3)),
      triangle: selectFaces(boxMesh(), (face) => face === 0),
      boxAndSheet: join(
        boxMesh(),
        mapPoints(sheet(2), ([x, y, z]) => [x + 2, y, z]),
      ),
    };
    for (const [name, input] of Object.entries(inputs)) {
      const solid = solidify(input, { resolution: 14 });
      checkSolid(solid, input);
      expect(solid.outside, name).toBeLessThan(1.8 * solid.spacing);
    }
    expect(solidify(inputs.boxAndSheet, { resolution: 14 }).rule).toBe('mixed');
    expect(solidify(inputs.soup, { resolution: 14 }).rule).toBe('winding');
  });

  test('is the same at any size and place', () => {
    const input = selectFaces(torusGrid(16, 8), (face) => face !== 9);
    const { mesh, distance } = solidify(input, { resolution: 16 });
    for (const scale of [1e-6, 1e6]) {
      const scaled = solidify(
        mapPoints(input, (p) => p.map((x) => x * scale)),
        { resolution: 16 },
      );
      expect(scaled.mesh.indices.length).toBe(mesh.indices.length);
      expect(scaled.distance.toInput / scale).toBeCloseTo(distance.toInput, 6);
    }
    const moved = mapPoints(input, ([x, y, z]) => [x + 1000, y - 500, z]);
    checkSolid(solidify(moved, { resolution: 16 }), moved);
  });

  test('meets the error wanted, or says that it cannot', () => {
    const input = flipFaces(sphereGrid(8), (face) => face % 4 === 0);
    const solid = solidify(input, { resolution: 8, maxError: 0.04 });
    expect(Math.max(solid.distance.toInput, solid.outside)).toBeLessThanOrEqual(0.04);
    expect(solid.resolution).toBeGreaterThan(8);
    expect(codeOf(() => solidify(openCube(), { resolution: 8, maxError: 0.01, maxCells: 2000 }))).toBe('too-large');
  });

  test('stops at any time that it looks whether it should', () => {
    const input = selectFaces(sphereGrid(12), (face) => face % 40 !== 7);
    let last = Infinity;
    let checks = 0;
    const signal = {
      get aborted() {
        return ++checks > last;
      },
    };
    solidify(input, { resolution: 20, signal });
    const all = checks;
    for (let share = 0; share < 1; share += 0.13) {
      last = Math.floor(share * all);
      checks = 0;
      expect(codeOf(() => solidify(input, { resolution: 20, signal }))).toBe('aborted');
      expect(checks).toBe(last + 1);
    }
  });

  test('refuses bad arguments and stops when asked', () => {
    const input = openCube();
    expect(codeOf(() => solidify(input, { resolution: 3 }))).toBe('bad-argument');
    expect(codeOf(() => solidify(input, { resolution: 1.5 }))).toBe('bad-argument');
    expect(codeOf(() => solidify(input, { thickness: 0 }))).toBe('bad-argument');
    expect(codeOf(() => solidify(input, { maxError: Number.NaN }))).toBe('bad-argument');
    expect(codeOf(() => solidify(input, { rule: 'both' as never }))).toBe('bad-argument');
    expect(codeOf(() => solidify(input, { maxCells: 100 }))).toBe('too-large');
    expect(codeOf(() => solidify(input, { signal: { aborted: true } }))).toBe('aborted');
    const line = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), indices: Uint32Array.of(0, 1, 2) };
    expect(codeOf(() => solidify(line))).toBe('degenerate');
    const point = { positions: new Float64Array(9), indices: Uint32Array.of(0, 1, 2) };
    expect(codeOf(() => solidify(point))).toBe('degenerate');
    expect(codeOf(() => solidify({ positions: new Float64Array(0), indices: new Uint32Array(0) }))).toBe('empty-mesh');
  });
});

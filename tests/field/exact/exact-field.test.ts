import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import type { DistanceField, FieldOptions } from '../../../src/field/distance-field.js';
import { exactField } from '../../../src/field/exact/exact-field.js';
import { type GridFrame, gridNodeCount, gridOverBox, nodePosition } from '../../../src/field/grid.js';
import { type Mesh, triangleCount } from '../../../src/mesh/mesh.js';
import { createPolygon, type Polygon } from '../../../src/mesh/polygon/polygon.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { findSoundSurface } from '../../../src/mesh/soundness/sound-surface.js';
import { findModel } from '../../../src/models/catalogue.js';
import { starPolygons } from '../../generators/polygons.js';
import { randomMesh, randomSoup, randomTetrahedra } from '../../generators/random-meshes.js';
import { boxMesh, mapPoints, reversed, selectFaces, sphereGrid, torusGrid, toSoup } from '../../generators/surfaces.js';
import {
  boxDistance,
  bruteDistance,
  capsuleDistance,
  segmentDistance,
  sphereDistance,
} from '../../oracles/closed-form-fields.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

const small: GridFrame = { origin: [-1.4, -1.3, -1.2], spacing: 0.37, size: [8, 9, 7] };

function pointOf(frame: GridFrame, node: number): [number, number, number] {
  const [nx, ny] = frame.size;
  return nodePosition(frame, node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny)));
}

/** Compares every node with all triangles and all solid angles; returns the share of nodes inside. */
function checkByForce(mesh: Mesh, frame: GridFrame, field: DistanceField, extent: number): number {
  let inside = 0;
  for (let node = 0; node < gridNodeCount(frame); node++) {
    const point = pointOf(frame, node);
    const distance = bruteDistance(mesh.positions, mesh.indices, point);
    expect(Math.abs(Math.abs(field.values[node]) - distance)).toBeLessThan(1e-12 * extent);
    const winding = windingNumberBySum(mesh.positions, mesh.indices, point);
    if (Math.abs(winding - 0.5) > 1e-9 && distance > 1e-9) expect(field.values[node] < 0).toBe(winding > 0.5);
    if (field.values[node] < 0) inside++;
  }
  return inside / gridNodeCount(frame);
}

describe('exactField', () => {
  test('is the distance to the nearest of all triangles with the sign of the winding number', () => {
    let inside = 0;
    let runs = 0;
    let open = 0;
    fc.assert(
      fc.property(fc.oneof(randomMesh, randomTetrahedra), (mesh) => {
        const field = exactField(mesh, small);
        // Solids are taken with each face once, turned outward.
        inside += checkByForce(findSoundSurface(mesh).mesh, small, field, 4);
        open += field.closed ? 0 : 1;
        runs++;
      }),
      { numRuns: 60 * SOAK },
    );
    expect(inside / runs).toBeGreaterThan(0.001);
    expect(open / runs).toBeGreaterThan(0.1);
    expect(open / runs).toBeLessThan(0.9);
  });

  test('names the lowest of the nearest triangles', () => {
    fc.assert(
      fc.property(randomSoup, (mesh) => {
        const field = exactField(mesh, small, { nearest: true, sign: 'none' });
        const query = new MeshQuery(mesh);
        for (let node = 0; node < gridNodeCount(small); node++) {
          const found = query.closestPoint(pointOf(small, node))!;
          const triangle = field.nearest![node];
          if (triangle === found.triangle) continue;
          const alone = { positions: mesh.positions, indices: mesh.indices.slice(3 * triangle, 3 * triangle + 3) };
          expect(
            Math.abs(bruteDistance(alone.positions, alone.indices, pointOf(small, node)) - found.distance),
          ).toBeLessThan(1e-14);
        }
      }),
      { numRuns: 30 * SOAK },
    );
  });

  test.each([
    ['head', { triangles: 8000 }],
    ['bunny', { triangles: 5000 }],
    ['grate-small', {}],
    ['wrinkled-torus', {}],
    ['snake', {}],
    ['dragon', { triangles: 30000 }],
  ] as const)('agrees with MeshQuery on %s, node by node, whole and in bands', (name, parameters) => {
    const mesh = findModel(name).build(parameters as Record<string, number>);
    const query = new MeshQuery(mesh);
    const frame = gridAround(mesh, 20);
    const field = exactField(mesh, frame, { nearest: true });
    const band = exactField(mesh, frame, { nearest: true, maxDistance: 2.5 * frame.spacing });
    const wide = exactField(mesh, frame, { nearest: true, maxDistance: 5 * frame.spacing });
    let worst = 0;
    let ties = 0;
    for (let node = 0; node < gridNodeCount(frame); node++) {
      const value = field.values[node];
      worst = Math.max(worst, Math.abs(value - query.signedDistance(pointOf(frame, node))));
      const found = query.closestPoint(pointOf(frame, node))!;
      if (found.triangle !== field.nearest![node]) ties++;
      const far = Math.sign(value) * Infinity;
      expect(band.values[node]).toBeCloseTo(Math.abs(value) <= 2.5 * frame.spacing ? value : far, 12);
      expect(wide.values[node]).toBeCloseTo(Math.abs(value) <= 5 * frame.spacing ? value : far, 12);
      expect(band.nearest![node] >= 0).toBe(Number.isFinite(band.values[node]));
    }
    expect(worst).toBeLessThanOrEqual(field.error.max / 16);
    // Only where rounding decides may the two name different ones.
    expect(ties / gridNodeCount(frame)).toBeLessThan(0.01);
    expect(field.closed).toBe(true);
    const { triangleDistances, nodesVisited } = field.counters;
    expect(triangleDistances + nodesVisited).toBeLessThan(400 * gridNodeCount(frame));
  });

  test('is exact for a box, on whole numbers and between them', () => {
    const mesh = mapPoints(boxMesh(), ([x, y, z]) => [6 * x - 3, 4 * y - 2, 2 * z - 1]);
    const exact = boxDistance(3, 2, 1);
    for (const frame of [
      { origin: [-5, -5, -5], spacing: 1, size: [11, 11, 11] },
      { origin: [-4.25, -3.5, -2.75], spacing: 0.5, size: [18, 15, 12] },
    ] as GridFrame[]) {
      const field = exactField(mesh, frame);
      field.values.forEach((value, node) => {
        expect(Math.abs(value - exact(...pointOf(frame, node)))).toBeLessThan(1e-15 * 8);
      });
      expect(field.values.some((value) => Object.is(value, -0))).toBe(false);
    }
  });

  test('is within the tessellation of a sphere and a capsule', () => {
    const ball = findModel('sphere').build({ radius: 1, segments: 48, rings: 24 });
    const frame: GridFrame = { origin: [-1.6, -1.6, -1.6], spacing: 0.2, size: [17, 17, 17] };
    const exact = sphereDistance(1);
    const sagitta = 1 - Math.cos(Math.PI / 24);
    let inside = 0;
    exactField(ball, frame).values.forEach((value, node) => {
      const difference = value - exact(...pointOf(frame, node));
      expect(difference).toBeGreaterThan(-1e-12);
      expect(difference).toBeLessThan(sagitta);
      inside += value < 0 ? 1 : 0;
    });
    expect(inside / gridNodeCount(frame)).toBeGreaterThan(0.08);
    const round = capsuleDistance([-1, 0, 0], [1, 0, 0], 1);
    const pill = mapPoints(ball, ([x, y, z]) => [x + Math.sign(x) * (Math.abs(x) > 1e-9 ? 1 : 0), y, z]);
    const wide: GridFrame = { origin: [-2.6, -1.4, -1.4], spacing: 0.2, size: [27, 15, 15] };
    exactField(pill, wide).values.forEach((value, node) => {
      expect(Math.abs(value - round(...pointOf(wide, node)))).toBeLessThan(0.08);
    });
  });

  test('does not depend on scale, place, order of the axes, or how the corners are shared', () => {
    const mesh = torusGrid(9, 12);
    const frame: GridFrame = { origin: [-3, -3, -1.2], spacing: 0.43, size: [15, 15, 7] };
    const field = exactField(mesh, frame);
    for (const scale of [1e-6, 1e6]) {
      const scaled = exactField(
        mapPoints(mesh, (p) => p.map((value) => value * scale)),
        { ...frame, origin: [-3 * scale, -3 * scale, -1.2 * scale], spacing: 0.43 * scale },
      );
      scaled.values.forEach((value, node) => {
        expect(Math.abs(value / scale - field.values[node])).toBeLessThan(1e-13);
      });
    }
    const moved = exactField(
      mapPoints(mesh, ([x, y, z]) => [x + 64, y - 32, z + 128]),
      { ...frame, origin: [61, -35, 126.8] },
    );
    moved.values.forEach((value, node) => {
      expect(Math.abs(value - field.values[node])).toBeLessThan(1e-12);
    });
    const turned = exactField(
      mapPoints(mesh, ([x, y, z]) => [y, z, x]),
      { origin: [-3, -1.2, -3], spacing: 0.43, size: [15, 7, 15] },
    );
    for (let node = 0; node < gridNodeCount(frame); node++) {
      const i = node % 15;
      const j = Math.floor(node / 15) % 15;
      const k = Math.floor(node / 225);
      expect(Math.abs(turned.values[j + 15 * (k + 7 * i)] - field.values[node])).toBeLessThan(1e-14);
    }
    const soup = exactField(toSoup(mesh), frame);
    expect(soup.closed).toBe(true);
    expect(soup.values).toEqual(field.values);
  });

  test('measures polygons with holes on a grid in the plane', () => {
    let inside = 0;
    let nodes = 0;
    fc.assert(
      fc.property(starPolygons, (rings) => {
        let polygon: Polygon;
        try {
          polygon = createPolygon(rings);
        } catch (error) {
          if (error instanceof NearfieldError) return;
          throw error;
        }
        const frame: GridFrame = { origin: [-2.9, -2.8, 7], spacing: 0.31, size: [19, 18, 1] };
        const field = exactField(polygon, frame, { nearest: true });
        const edges = polygon.rings.flatMap((ring) =>
          Array.from({ length: ring.length / 2 }, (_, n) => {
            const next = (2 * n + 2) % ring.length;
            return [
              [ring[2 * n], ring[2 * n + 1], 7],
              [ring[next], ring[next + 1], 7],
            ];
          }),
        );
        field.values.forEach((value, node) => {
          const [x, y] = pointOf(frame, node);
          const all = edges.map(([a, b]) => segmentDistance(a, b, [x, y, 7]));
          const least = Math.min(...all);
          expect(Math.abs(Math.abs(value) - least)).toBeLessThan(1e-12);
          expect(all[field.nearest![node]]).toBeLessThan(least + 1e-12);
          if (least > 1e-9) expect(value < 0).toBe(isInsideRings(polygon, x, y));
          nodes++;
          if (value < 0) inside++;
        });
      }),
      { numRuns: 25 * SOAK },
    );
    expect(inside / nodes).toBeGreaterThan(0.2);
    expect(inside / nodes).toBeLessThan(0.7);
  });

  test('takes one plane through a solid', () => {
    const mesh = sphereGrid(6);
    const plane: GridFrame = { origin: [-1.5, -1.5, 0.375], spacing: 0.1875, size: [16, 16, 1] };
    const solid: GridFrame = { origin: [-1.5, -1.5, 0.1875], spacing: 0.1875, size: [16, 16, 3] };
    expect(exactField(mesh, plane).values).toEqual(exactField(mesh, solid).values.slice(256, 512));
  });

  test('leaves a side out, or the sign', () => {
    const mesh = torusGrid(8, 10);
    const frame: GridFrame = { origin: [-3, -3, -1.2], spacing: 0.37, size: [17, 17, 7] };
    for (const maxDistance of [Infinity, 0.9]) {
      const both = exactField(mesh, frame, { maxDistance, nearest: true });
      const inner = exactField(mesh, frame, { maxDistance, nearest: true, sides: 'inside' });
      const outer = exactField(mesh, frame, { maxDistance, sides: 'outside' });
      const plain = exactField(mesh, frame, { maxDistance, sign: 'none' });
      expect([both.signed, plain.signed]).toEqual([true, false]);
      both.values.forEach((value, node) => {
        expect(inner.values[node]).toBe(value < 0 ? value : Infinity);
        expect(inner.nearest![node]).toBe(value < 0 ? both.nearest![node] : -1);
        expect(outer.values[node]).toBe(value < 0 ? -Infinity : value);
        expect(plain.values[node]).toBe(Math.abs(value));
      });
    }
    const inner = exactField(mesh, frame, { sides: 'inside' });
    expect(inner.counters.triangleDistances).toBeLessThan(exactField(mesh, frame).counters.triangleDistances);
  });

  test('says whether the mesh is closed', () => {
    const ball = sphereGrid(4);
    const cut = selectFaces(ball, (face) => face % 24 !== 0);
    expect(exactField(ball, small).closed).toBe(true);
    expect(exactField(cut, small).closed).toBe(false);
    checkByForce(cut, small, exactField(cut, small), 4);
    // Inside out it is turned.
    expect(exactField(reversed(ball), small).values).toEqual(exactField(ball, small).values);
  });

  test('reports, stops and refuses', () => {
    const mesh = torusGrid(8, 10);
    const frame: GridFrame = { origin: [-3, -3, -1.2], spacing: 0.15, size: [40, 40, 16] };
    const seen: number[] = [];
    exactField(mesh, frame, { onProgress: (fraction) => seen.push(fraction) });
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
    const signal = { aborted: false };
    const stop: FieldOptions = { signal, onProgress: (fraction) => (signal.aborted = fraction > 0.5) };
    expect(() => exactField(mesh, frame, stop)).toThrowError(/Stopped/);
    const bad = (options: FieldOptions) => () => exactField(mesh, frame, options);
    expect(bad({ speed: new Float64Array(gridNodeCount(frame)) })).toThrowError(/speed/);
    expect(bad({ maxDistance: Number.NaN })).toThrowError(/maxDistance is NaN/);
    expect(bad({ sides: 'left' as 'inside' })).toThrowError(/sides/);
    expect(bad({ sign: 'odd' as 'none' })).toThrowError(/sign/);
    expect(() => exactField({ value: () => 0, lipschitz: 1 } as unknown as Mesh, frame)).toThrowError(/triangles/);
  });
});

function isInsideRings(polygon: Polygon, x: number, y: number): boolean {
  let turns = 0;
  for (const ring of polygon.rings) {
    for (let n = 0; n < ring.length; n += 2) {
      const m = (n + 2) % ring.length;
      const from = Math.atan2(ring[n + 1] - y, ring[n] - x);
      const to = Math.atan2(ring[m + 1] - y, ring[m] - x);
      let turn = to - from;
      if (turn > Math.PI) turn -= 2 * Math.PI;
      if (turn < -Math.PI) turn += 2 * Math.PI;
      turns += turn;
    }
  }
  return Math.round(turns / (2 * Math.PI)) === 1;
}

function gridAround(mesh: Mesh, resolution: number): GridFrame {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 3 * triangleCount(mesh); i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = mesh.positions[3 * mesh.indices[i] + axis];
      low[axis] = Math.min(low[axis], value);
      high[axis] = Math.max(high[axis], value);
    }
  }
  const margin = 0.1 * Math.max(...high.map((value, axis) => value - low[axis]));
  return gridOverBox(
    {
      min: low.map((value) => value - margin) as typeof low,
      max: high.map((value) => value + margin) as typeof high,
    },
    resolution,
  );
}

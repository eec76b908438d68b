// Solids whose vertices are split at seams answer as their welded twins do, in every chapter.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { decomposeSurface } from '../../src/decomposition/decompose-surface.js';
import { readHierarchy, writeHierarchy } from '../../src/decomposition/hierarchy/hierarchy-file.js';
import { findReflexEdges } from '../../src/decomposition/surface/reflex-edges.js';
import { computeFieldSync } from '../../src/field/compute-field.js';
import { computeSparseField } from '../../src/field/sparse/compute-sparse-field.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { MeshQuery } from '../../src/mesh/query/mesh-query.js';
import { massProperties } from '../../src/mesh/report/mass-properties.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { hullsOf } from '../../src/proximity/hulls/model-hulls.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { splitBox, uvSphere } from '../generators/seams.js';
import { flipFaces, mapPoints, reversed, torusGrid, toSoup, weldExactly } from '../generators/surfaces.js';

const mirrored = (given: Mesh) => mapPoints(given, ([x, y, z]) => [-x, y, z]);

const SOLIDS: Record<string, { readonly given: Mesh; readonly twin: Mesh }> = {
  'a box with 24 vertices': { given: splitBox(2, 1.5, 1), twin: weldExactly(splitBox(2, 1.5, 1)) },
  'a sphere with a seam and split poles': { given: uvSphere(1, 12, 8), twin: weldExactly(uvSphere(1, 12, 8)) },
  'a soup of a torus': { given: toSoup(torusGrid(12, 8)), twin: torusGrid(12, 8) },
  'a split box inside out': { given: reversed(splitBox(2, 1.5, 1)), twin: weldExactly(splitBox(2, 1.5, 1)) },
  'a mirrored sphere': {
    given: mirrored(uvSphere(1, 12, 8)),
    twin: reversed(weldExactly(mirrored(uvSphere(1, 12, 8)))),
  },
  'a soup with every third face turned': {
    given: flipFaces(toSoup(torusGrid(12, 8)), (face) => face % 3 === 0),
    twin: torusGrid(12, 8),
  },
};

describe.each(Object.entries(SOLIDS))('%s', (name, { given, twin }) => {
  const small = new ProximityModel(splitBox(0.2, 0.3, 0.25));
  const smallTwin = new ProximityModel(weldExactly(splitBox(0.2, 0.3, 0.25)));
  const model = new ProximityModel(given);
  const modelTwin = new ProximityModel(twin);
  const random = createRandom(3);
  const places = Array.from({ length: 24 }, (_, k) =>
    // Every third inside the solid: in the middle of the box and sphere, in the tube of the torus.
    k % 3 === 0
      ? pose.create([name.includes('soup') ? 2 : 0, 0.01 * k, 0], random.rotation())
      : pose.create([random.range(-3, 3), random.range(-3, 3), random.range(-3, 3)], random.rotation()),
  );

  test('is closed and outward, and says what was done', () => {
    expect(model.closed).toBe(true);
    expect(model.outward).toBe(true);
    expect(model.warnings.length).toBeGreaterThan(0);
    expect(modelTwin.warnings).toEqual([]);
  });

  test.each(['boxes', 'hulls'] as const)('distances, containment and contacts over %s', (volume) => {
    const pair = new Pair(model, small, { volume });
    const pairTwin = new Pair(modelTwin, smallTwin, { volume });
    let inside = 0;
    for (const place of places) {
      const wanted = pairTwin.distance(pose.identity(), place);
      const got = pair.distance(pose.identity(), place);
      expect(got.intersects).toBe(wanted.intersects);
      expect(got.distance).toBeCloseTo(wanted.distance!, 12);
      if (wanted.intersects) {
        inside++;
        continue;
      }
      for (const id of got.witness!.featureA!.vertices) expect(id).toBeLessThan(given.positions.length / 3);
      const contacts = pairTwin.contacts(pose.identity(), place, { tolerance: wanted.distance! + 0.3 }).contacts;
      const found = pair.contacts(pose.identity(), place, { tolerance: wanted.distance! + 0.3 }).contacts;
      expect(found.map(({ distance }) => distance.toFixed(10)).sort()).toEqual(
        contacts.map(({ distance }) => distance.toFixed(10)).sort(),
      );
    }
    expect(inside).toBeGreaterThanOrEqual(8);
    expect(inside).toBeLessThan(20);
  });

  test('depth', () => {
    for (const place of places.slice(0, 6)) {
      const wanted = measurePenetrationSync(modelTwin, smallTwin, pose.identity(), place);
      const got = measurePenetrationSync(model, small, pose.identity(), place);
      expect(got.intersects).toBe(wanted.intersects);
      expect(got.upper).toBeGreaterThanOrEqual(wanted.lower - 1e-12);
      expect(wanted.upper).toBeGreaterThanOrEqual(got.lower - 1e-12);
    }
  });

  test('points and mass', () => {
    const query = new MeshQuery(given);
    const queryTwin = new MeshQuery(twin);
    for (let k = 0; k < 100; k++) {
      const point = [random.range(-2.5, 2.5), random.range(-2.5, 2.5), random.range(-1, 1)] as const;
      expect(query.isInside(point)).toBe(queryTwin.isInside(point));
      expect(query.signedDistance(point)).toBeCloseTo(queryTwin.signedDistance(point), 12);
      expect(model.isInside(point)).toBe(modelTwin.isInside(point));
    }
    if (!name.includes('third'))
      expect(Math.abs(massProperties(given).mass)).toBeCloseTo(massProperties(twin).mass, 12);
  });

  test('fields', () => {
    const frame = { origin: [-3.1, -3.1, -1.6], spacing: 0.4, size: [16, 16, 9] } as const;
    for (const method of ['exact', 'fast-marching'] as const) {
      const field = computeFieldSync(given, frame, { method });
      const wanted = computeFieldSync(twin, frame, { method });
      expect(field.closed).toBe(true);
      for (const [i, value] of field.values.entries()) expect(value).toBeCloseTo(wanted.values[i], 5);
    }
    const sparse = computeSparseField(given, frame);
    const wanted = computeSparseField(twin, frame);
    expect(sparse.closed).toBe(true);
    for (let i = 0; i < 16; i++) expect(sparse.value(i, 8, 4)).toBeCloseTo(wanted.value(i, 8, 4), 5);
  });

  test('pieces, and their hierarchy as a file', () => {
    const pieces = decomposeSurface(given, { coverFlatPatches: true });
    const wanted = decomposeSurface(twin, { coverFlatPatches: true });
    expect(pieces.reflexEdges).toBe(wanted.reflexEdges);
    expect(pieces.patchOfFace).toEqual(wanted.patchOfFace);
    expect(findReflexEdges(given).length).toBe(findReflexEdges(twin).length);
    const bytes = writeHierarchy(hullsOf(model));
    expect(new ProximityModel(given, { hierarchy: readHierarchy(bytes) }).hullsReady).toBe(true);
  });
});

test('a box inside a split box intersects it', () => {
  const around = new ProximityModel(splitBox(10, 10, 10));
  const inside = new ProximityModel(splitBox(1, 1, 1));
  expect(new Pair(around, inside).distance(pose.identity(), pose.identity()).intersects).toBe(true);
});

test('shells of a mirrored part keep their meaning', () => {
  const outer = splitBox(4, 4, 4);
  const inner = splitBox(2, 2, 2);
  const at = (first: Mesh, second: Mesh) => {
    const positions = new Float64Array([...first.positions, ...second.positions]);
    const shift = first.positions.length / 3;
    const indices = new Uint32Array([...first.indices, ...second.indices.map((id) => id + shift)]);
    return new ProximityModel(mirrored({ positions, indices }));
  };
  expect(at(outer, reversed(inner)).isInside([0, 0, 0])).toBe(false);
  expect(at(outer, inner).isInside([0, 0, 0])).toBe(true);
  expect(at(reversed(outer), inner).isInside([0, 0, 0])).toBe(false);
  expect(at(reversed(outer), reversed(inner)).isInside([0, 0, 0])).toBe(true);
});

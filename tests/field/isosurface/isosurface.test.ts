import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import type { Field, GridFrame, GridSize } from '../../../src/field/grid.js';
import { collapseSides } from '../../../src/field/isosurface/collapse-sides.js';
import { extractIsosurface } from '../../../src/field/isosurface/isosurface.js';
import { IsosurfaceMarcher } from '../../../src/field/isosurface/isosurface-marcher.js';
import { sampleFunction } from '../../../src/field/read/sample-function.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { inspectMesh } from '../../../src/mesh/report/report.js';
import { buildAdjacencyById } from '../../../src/mesh/topology/adjacency.js';
import { findComponents } from '../../../src/mesh/topology/components.js';
import { countEdgeKinds } from '../../../src/mesh/topology/edge-kinds.js';
import { codeOf } from '../../error-code.js';
import { boxDistance, sphereDistance, torusDistance } from '../../oracles/closed-form-fields.js';
import { surfaceStructure } from '../../oracles/closed-manifold.js';
import { linearInTetrahedra, volumeBelow } from '../../oracles/tetrahedra-volume.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** n nodes along each side of a cube around the origin. */
function cubeGrid(n: number, half: number): GridFrame {
  return { origin: [-half, -half, -half], spacing: (2 * half) / (n - 1), size: [n, n, n] };
}

/** Values of `draw` at the nodes of a grid with spacing 1. */
function drawnField(size: GridSize, draw: () => number): Field {
  return sampleFunction({ origin: [0, 0, 0], spacing: 1, size }, draw);
}

const sizes = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 2, max: 7 }))) as fc.Arbitrary<
  [number, number, number]
>;

const structureOf = (mesh: Mesh) => surfaceStructure(mesh.positions, mesh.indices);

describe('extractIsosurface', () => {
  test('meets a sphere and a torus to second order, closed and outward with the right genus', () => {
    const shapes = [
      { value: sphereDistance(1), area: 4 * Math.PI, volume: (4 / 3) * Math.PI, genus: 0 },
      { value: torusDistance(0.9, 0.4), area: 1.44 * Math.PI ** 2, volume: 0.288 * Math.PI ** 2, genus: 1 },
    ];
    for (const { value, area, volume, genus } of shapes) {
      const errors = [18, 35, 69].map((n) => {
        const mesh = extractIsosurface(sampleFunction(cubeGrid(n, 1.5), value));
        const report = inspectMesh(mesh, { selfIntersections: n === 18 });
        expect(report).toMatchObject({ closed: true, manifold: true, oriented: true, outward: true, genus });
        expect(report).toMatchObject({ components: 1, degenerateFaces: 0, duplicateVertices: 0, unusedVertices: 0 });
        if (n === 18) expect(report.selfIntersections).toBe(0);
        return [Math.abs(report.area - area) / area, Math.abs((report.volume ?? 0) - volume) / volume];
      });
      for (let i = 1; i < errors.length; i++) {
        expect(Math.log2(errors[i - 1][0] / errors[i][0])).toBeGreaterThan(1.7);
        expect(Math.log2(errors[i - 1][1] / errors[i][1])).toBeGreaterThan(1.7);
      }
    }
  });

  test('cuts a linear field in a plane, exactly, and ends at the border', () => {
    const field = sampleFunction(cubeGrid(8, 1), (x, y, z) => x + 0.3 * y - 0.2 * z);
    const mesh = extractIsosurface(field, 0.1);
    for (let v = 0; v < mesh.positions.length; v += 3) {
      const [x, y, z] = mesh.positions.subarray(v, v + 3);
      expect(x + 0.3 * y - 0.2 * z).toBeCloseTo(0.1, 12);
    }
    const report = inspectMesh(mesh);
    expect(report).toMatchObject({ closed: false, manifold: true, oriented: true, boundaryLoops: 1, genus: 0 });
    expect(report.area).toBeCloseTo(4 * Math.hypot(1, 0.3, 0.2), 10);
    const capped = inspectMesh(extractIsosurface(field, 0.1, { cap: true }));
    expect(capped).toMatchObject({ closed: true, manifold: true, outward: true, genus: 0, degenerateFaces: 0 });
    expect(capped.volume).toBeCloseTo(4 * 1.1, 10);
  });

  test('is the whole grid with a cap, and nothing, where every value is on one side', () => {
    const field = drawnField([4, 3, 5], () => -1);
    expect(extractIsosurface(field).indices).toHaveLength(0);
    expect(extractIsosurface(field, -1, { cap: true }).indices).toHaveLength(0);
    const report = inspectMesh(extractIsosurface(field, 0, { cap: true }));
    expect(report).toMatchObject({ closed: true, manifold: true, outward: true, genus: 0, degenerateFaces: 0 });
    expect(report).toMatchObject({ duplicateVertices: 0, selfIntersections: 0 });
    expect(report.volume).toBeCloseTo(24, 12);
    expect(report.box).toEqual({ min: [0, 0, 0], max: [3, 2, 4] });
    const unbounded = inspectMesh(
      extractIsosurface(
        drawnField([4, 3, 5], () => -Infinity),
        0,
        { cap: true },
      ),
    );
    expect(unbounded).toMatchObject({ closed: true, manifold: true, outward: true });
    expect(unbounded.volume).toBeCloseTo(24, 12);
  });

  test('closes random fields with a cap: a manifold around exactly the volume below the level', () => {
    let handles = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        sizes,
        fc.double({ min: 0.2, max: 0.8, noNaN: true }),
        (seed, size, level) => {
          const random = createRandom(seed);
          const field = drawnField(size, () => random.next());
          const mesh = extractIsosurface(field, level, { cap: true });
          if (mesh.indices.length === 0) return field.values.every((value) => value >= level);
          const structure = structureOf(mesh);
          expect(structure.faults).toEqual([]);
          expect(structure.volume).toBeCloseTo(volumeBelow(field, level), 5);
          handles += structure.genus;
          return true;
        },
      ),
      { numRuns: 60 * SOAK },
    );
    expect(handles).toBeGreaterThan(50 * SOAK);
  });

  test('has no crossing faces and no slivers without area on random fields', () => {
    const random = createRandom(3);
    for (let i = 0; i < 3 * SOAK; i++) {
      const field = drawnField([7, 6, 5], () => random.next());
      const report = inspectMesh(extractIsosurface(field, 0.5, { cap: true }));
      expect(report).toMatchObject({ closed: true, manifold: true, oriented: true });
      expect(report).toMatchObject({ selfIntersections: 0, degenerateFaces: 0, duplicateFaces: 0 });
    }
  });

  test('keeps the topology of values equal to the level counted as larger', () => {
    let coinciding = 0;
    let vertices = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        sizes,
        fc.double({ min: 0.2, max: 0.6, noNaN: true }),
        (seed, size, share) => {
          const random = createRandom(seed);
          const field = drawnField(size, () => (random.next() < share ? -1 : random.integer(3) === 0 ? 1 : 0));
          const lifted = { ...field, values: field.values.map((value) => (value === 0 ? 0.01 : value)) };
          const mesh = extractIsosurface(field, 0, { cap: true });
          const reference = extractIsosurface(lifted, 0, { cap: true });
          if (reference.indices.length === 0) return mesh.indices.length === 0;
          const structure = structureOf(mesh);
          const { components, genus } = structureOf(reference);
          expect(structure).toMatchObject({ faults: [], components, genus });
          expect(structure.volume).toBeCloseTo(volumeBelow(field, 0), 9);
          const report = inspectMesh(mesh, { selfIntersections: false });
          coinciding += report.duplicateVertices;
          vertices += report.vertices;
          // Only where the surface touches itself does anything coincide.
          if (report.duplicateVertices === 0) expect(report.degenerateFaces).toBe(0);
          return true;
        },
      ),
      { numRuns: 60 * SOAK },
    );
    expect(coinciding).toBeGreaterThan(0);
    expect(coinciding / vertices).toBeLessThan(0.5);
  });

  test('has no vertex twice and no face without area where a box ends at nodes', () => {
    const mesh = extractIsosurface(sampleFunction(cubeGrid(13, 6), boxDistance(4, 3, 2)));
    const report = inspectMesh(mesh);
    expect(report).toMatchObject({ closed: true, manifold: true, outward: true, genus: 0 });
    expect(report).toMatchObject({ degenerateFaces: 0, duplicateVertices: 0, selfIntersections: 0 });
    expect(report.box).toEqual({ min: [-4, -3, -2], max: [4, 3, 2] });
    for (const x of mesh.positions) expect(Number.isInteger(x)).toBe(true);
  });

  test('puts vertices where the field, linear in the tetrahedra, has the level', () => {
    const random = createRandom(4);
    const field = drawnField([6, 7, 8], () => random.next());
    const mesh = extractIsosurface(field, 0.4);
    for (let v = 0; v < mesh.positions.length; v += 3) {
      expect(linearInTetrahedra(field, mesh.positions.subarray(v, v + 3))).toBeCloseTo(0.4, 5);
    }
  });

  test('is the same from a narrow band, and ends where a node was not computed', () => {
    const full = sampleFunction(cubeGrid(24, 1.5), sphereDistance(1));
    const band = (width: number): Field => ({
      ...full,
      values: full.values.map((value) =>
        Math.abs(value) <= width * full.spacing ? value : Math.sign(value) * Infinity,
      ),
    });
    expect(extractIsosurface(band(2))).toEqual(extractIsosurface(full));
    expect(extractIsosurface(band(2), 0.5).indices).toHaveLength(0);
    const torn = extractIsosurface(band(0.7));
    const report = inspectMesh(torn);
    expect(report).toMatchObject({
      closed: false,
      oriented: true,
      nonManifoldEdges: 0,
      unusedVertices: 0,
      selfIntersections: 0,
    });
    expect(report.triangles).toBeGreaterThan(100);
    const radii = Array.from({ length: torn.positions.length / 3 }, (_, v) =>
      Math.hypot(...torn.positions.subarray(3 * v, 3 * v + 3)),
    );
    expect(Math.max(...radii.map((radius) => Math.abs(radius - 1)))).toBeLessThan(0.01);

    const missing = { ...full, values: full.values.slice() };
    missing.values[12 + 24 * (12 + 24 * 20)] = NaN;
    expect(inspectMesh(extractIsosurface(missing))).toMatchObject({ closed: false, manifold: true, boundaryLoops: 1 });
  });

  test('caps a narrow band by the sign of what was not computed', () => {
    const frame: GridFrame = { origin: [0, -1.5, -1.5], spacing: 0.125, size: [13, 25, 25] };
    const full = sampleFunction(frame, sphereDistance(1));
    const values = full.values.map((value) => (Math.abs(value) <= 0.3 ? value : Math.sign(value) * Infinity));
    const capped = extractIsosurface(full, 0, { cap: true });
    expect(inspectMesh(capped)).toMatchObject({ closed: true, manifold: true, outward: true, genus: 0 });
    expect(extractIsosurface({ ...full, values }, 0, { cap: true })).toEqual(capped);
  });

  test('scales and moves with the grid and turns over with the sign', () => {
    const random = createRandom(5);
    const field = drawnField([6, 5, 7], () => random.normal());
    const mesh = extractIsosurface(field, 0.2);
    for (const scale of [1e-6, 1e6]) {
      for (const shift of [0, 10]) {
        const moved = extractIsosurface({ ...field, origin: [scale * shift, 0, 0], spacing: scale }, 0.2);
        expect(moved.indices).toEqual(mesh.indices);
        moved.positions.forEach((x, i) => {
          expect(x / scale - (i % 3 === 0 ? shift : 0)).toBeCloseTo(mesh.positions[i], 12);
        });
        const scaled = { ...field, values: field.values.map((value) => scale * value) };
        extractIsosurface(scaled, scale * 0.2).positions.forEach((x, i) => {
          expect(x).toBeCloseTo(mesh.positions[i], 9);
        });
      }
    }
    const negated = extractIsosurface({ ...field, values: field.values.map((value) => -value) }, -0.2, { cap: false });
    expect(negated.indices.length).toBe(mesh.indices.length);
    expect(inspectMesh(negated).area).toBeCloseTo(inspectMesh(mesh).area, 9);
    const hole = inspectMesh(extractIsosurface(sampleFunction(cubeGrid(12, 2), (x, y, z) => 1 - Math.hypot(x, y, z))));
    expect(hole.outward).toBe(false);
  });

  test('refuses a plane, a level that is none and values that do not fit, and stops when asked to', () => {
    const field = drawnField([3, 3, 3], () => 0);
    expect(codeOf(() => extractIsosurface(drawnField([3, 3, 1], () => 0)))).toBe('bad-argument');
    expect(codeOf(() => extractIsosurface(field, NaN))).toBe('bad-argument');
    expect(codeOf(() => extractIsosurface(field, Infinity))).toBe('bad-argument');
    expect(codeOf(() => extractIsosurface({ ...field, values: new Float64Array(26) }))).toBe('bad-argument');
    expect(codeOf(() => extractIsosurface(field, 0, { signal: { aborted: true } }))).toBe('aborted');
    expect(codeOf(() => new IsosurfaceMarcher(field, NaN))).toBe('bad-argument');
  });
});

describe('IsosurfaceMarcher', () => {
  function marchCells(field: Field, level: number, order: (cells: number[]) => number[]): Mesh {
    const [nx, ny, nz] = field.size;
    const marcher = new IsosurfaceMarcher(field, level);
    const values = new Float64Array(8);
    const cells = Array.from({ length: (nx - 1) * (ny - 1) * (nz - 1) }, (_, cell) => cell);
    for (const cell of order(cells)) {
      const i = cell % (nx - 1);
      const j = Math.floor(cell / (nx - 1)) % (ny - 1);
      const k = Math.floor(cell / (nx - 1) / (ny - 1));
      for (let c = 0; c < 8; c++) {
        values[c] = field.values[i + (c & 1) + nx * (j + ((c >> 1) & 1) + ny * (k + (c >> 2)))];
      }
      marcher.addCell(i, j, k, values);
    }
    return marcher.mesh();
  }

  /** By ids: where a value equals the level vertices coincide, and reports join edges at the border that do. */
  function structureOf(mesh: Mesh): object {
    const adjacency = buildAdjacencyById(mesh);
    const { count } = findComponents(mesh, adjacency);
    const euler = mesh.positions.length / 3 - adjacency.edgeCount + mesh.indices.length / 3;
    const { nonManifoldEdges, unbalancedEdges } = countEdgeKinds(adjacency);
    return { nonManifoldEdges, unbalancedEdges, components: count, euler };
  }

  test('gives the surface of the whole field, whatever the order of the cells', () => {
    const random = createRandom(6);
    for (let run = 0; run < 5 * SOAK; run++) {
      const field = drawnField([12, 11, 10], () => random.integer(9) - 4);
      const level = run % 2 === 0 ? 0 : 0.5;
      const mesh = extractIsosurface(field, level);
      expect(marchCells(field, level, (cells) => cells)).toEqual(mesh);
      const shuffled = marchCells(field, level, (cells) => random.shuffle(cells));
      expect(structureOf(shuffled)).toEqual(structureOf(mesh));
      expect(structureOf(shuffled)).toMatchObject({ nonManifoldEdges: 0, unbalancedEdges: 0 });
      const areaOf = (surface: Mesh): number => inspectMesh(surface, { selfIntersections: false }).area;
      expect(areaOf(shuffled)).toBeCloseTo(areaOf(mesh), 6);
    }
  });

  test('tells cells of a very large grid apart', () => {
    const size: GridSize = [2 ** 15, 2 ** 15, 2 ** 15];
    const marcher = new IsosurfaceMarcher({ origin: [0, 0, 0], spacing: 1, size });
    const values = Float64Array.of(-1, 1, 1, 1, 1, 1, 1, 1);
    const far: Vec3 = [2 ** 15 - 2, 2 ** 15 - 2, 2 ** 15 - 2];
    marcher.addCell(0, 0, 0, values);
    marcher.addCell(...far, values);
    marcher.addCell(0, 0, 2 ** 14, values);
    expect(inspectMesh(marcher.mesh())).toMatchObject({ components: 3, manifold: true, unusedVertices: 0 });
  });
});

describe('collapseSides', () => {
  test('leaves what would be gone or pinched', () => {
    // A tetrahedron with two corners at one place.
    const flat: Mesh = {
      positions: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0),
      indices: Uint32Array.of(0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2),
    };
    expect(collapseSides(flat).indices).toHaveLength(12);
    // A strip of two triangles whose middle side has no length: its ends are at the rim.
    const strip: Mesh = {
      positions: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0),
      indices: Uint32Array.of(0, 1, 2, 1, 0, 3),
    };
    expect(collapseSides(strip).indices).toHaveLength(6);
    // The same in the middle of a disk goes: a fan of six around two points, two faces of it without area.
    const disk: Mesh = {
      positions: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0),
      indices: Uint32Array.of(0, 1, 3, 1, 0, 5, 0, 3, 4, 0, 4, 5, 1, 5, 2, 1, 2, 3),
    };
    const collapsed = collapseSides(disk);
    expect(collapsed.indices).toHaveLength(12);
    expect(inspectMesh(collapsed)).toMatchObject({ vertices: 5, manifold: true, boundaryLoops: 1, area: 2 });
    expect(inspectMesh(disk)).toMatchObject({ vertices: 6, manifold: true, boundaryLoops: 1, area: 2 });
  });
});

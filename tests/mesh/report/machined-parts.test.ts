// Machined parts and their variants: closed manifold solids, whose volume no variant changes, and points against them as
// by brute force.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { repairMesh } from '../../../src/mesh/repair/repair.js';
import { inspectMesh } from '../../../src/mesh/report/report.js';
import { machinedParts, machinedVariants } from '../../generators/machined-parts.js';
import { bruteDistance } from '../../oracles/closed-form-fields.js';
import { surfaceStructure } from '../../oracles/closed-manifold.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const asModelled = machinedParts(16).map(({ name, mesh }) => ({ name, ...inspectMesh(mesh) }));

describe.each(machinedVariants(16))('$name', ({ name, mesh }) => {
  test('is a closed manifold solid, which repair leaves alone', () => {
    const report = inspectMesh(mesh);
    const { faults, genus } = surfaceStructure(mesh.positions, mesh.indices);
    expect(faults).toEqual([]);
    expect(report).toMatchObject({ closed: true, manifold: true, oriented: true, outward: true, genus, components: 1 });
    expect(report).toMatchObject({ selfIntersections: 0, degenerateFaces: 0, duplicateVertices: 0 });
    const original = asModelled.find((part) => name.startsWith(part.name))!;
    const rounding = name.includes('STL') ? 1e-5 : 1e-12;
    expect(genus).toBe(original.genus);
    expect(Math.abs(report.volume! / original.volume! - 1)).toBeLessThan(rounding);
    expect(Math.abs(report.area / original.area - 1)).toBeLessThan(rounding);
    const { changes, remaining } = repairMesh(mesh);
    expect({ ...changes, remaining }).toMatchObject({ droppedDegenerateFaces: 0, flippedFaces: 0, remaining: [] });
  });

  test('answers points as all triangles do', () => {
    const random = createRandom(3);
    const query = new MeshQuery(mesh);
    const { min, max } = inspectMesh(mesh, { selfIntersections: false }).box;
    const size = Math.hypot(...max.map((high, axis) => high - min[axis]));
    const coordinate = Math.max(...max.map(Math.abs), ...min.map(Math.abs));
    for (let i = 0; i < 12; i++) {
      const point = min.map((low, axis) => random.range(low - 0.1 * size, max[axis] + 0.1 * size));
      // Every other point on a vertex or in a face, where ties between faces are exact or nearly so.
      if (i % 2 === 1) {
        const face = 3 * random.integer(mesh.indices.length / 3);
        const corners = mesh.indices.subarray(face, face + 2);
        const weight = i % 4 === 1 ? 1 : 0.5;
        for (let axis = 0; axis < 3; axis++) {
          point[axis] =
            weight * mesh.positions[3 * corners[0] + axis] + (1 - weight) * mesh.positions[3 * corners[1] + axis];
        }
      }
      const [x, y, z] = point;
      const distance = bruteDistance(mesh.positions, mesh.indices, point);
      expect(Math.abs(query.closestPoint([x, y, z])!.distance - distance)).toBeLessThan(1e-12 * (size + coordinate));
      if (distance < 1e-9 * size) continue;
      expect(query.isInside([x, y, z])).toBe(windingNumberBySum(mesh.positions, mesh.indices, point) > 0.5);
    }
  });
});

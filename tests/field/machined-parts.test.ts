// Fields of machined parts: exact fields equal brute force, sparse fields equal exact ones, marched fields are close.
import { expect, test } from 'vitest';
import { exactField } from '../../src/field/exact/exact-field.js';
import { gridOverBox, nodePosition } from '../../src/field/grid.js';
import { marchField } from '../../src/field/march/march-field.js';
import { computeSparseField } from '../../src/field/sparse/compute-sparse-field.js';
import { inspectMesh } from '../../src/mesh/report/report.js';
import { machinedVariants } from '../generators/machined-parts.js';
import { bruteDistance } from '../oracles/closed-form-fields.js';
import { windingNumberBySum } from '../oracles/winding-number.js';

test.each(machinedVariants())('$name', ({ mesh }) => {
  const { box } = inspectMesh(mesh, { selfIntersections: false });
  const frame = gridOverBox(box, 24);
  const exact = exactField(mesh, frame);
  const sparse = computeSparseField(mesh, frame);
  const marched = marchField(mesh, frame);
  const [nx, ny, nz] = frame.size;
  const size = Math.hypot(...box.max.map((high, axis) => high - box.min[axis]));
  const coordinate = Math.max(...box.max.map(Math.abs), ...box.min.map(Math.abs));
  let worst = 0;
  for (let node = 0; node < nx * ny * nz; node++) {
    const [i, j, k] = [node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny))];
    const value = exact.values[node];
    if (node % 97 === 0) {
      const point = nodePosition(frame, i, j, k);
      const distance = bruteDistance(mesh.positions, mesh.indices, point);
      expect(Math.abs(Math.abs(value) - distance)).toBeLessThan(1e-12 * (size + coordinate));
      if (distance > 1e-9 * size) expect(value < 0).toBe(windingNumberBySum(mesh.positions, mesh.indices, point) > 0.5);
    }
    const kept = sparse.value(i, j, k);
    const agrees = Number.isFinite(kept)
      ? Math.abs(kept - value) <= sparse.error.max + 1e-12 * size
      : value === 0 || kept < 0 === value < 0;
    if (!agrees) expect.fail(`node ${node} has ${value}, the sparse field ${kept}`);
    worst = Math.max(worst, Math.abs(marched.values[node] - value));
  }
  // Edges and thin walls cost the march accuracy: about a spacing, at most two.
  expect(worst).toBeLessThan(2 * frame.spacing);
});

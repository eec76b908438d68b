// The plant that the clash check is measured on: its shapes are sound solids, its file keeps them shared, its pairs are mixed.
import { expect, test } from 'vitest';
import { createPlant, PLANT_CLEARANCE } from '../../bench/scenarios/assembly.js';
import { plantShapes } from '../../bench/scenarios/assembly-shapes.js';
import { buildAssembly } from '../../src/clash/assembly.js';
import { findClashes } from '../../src/clash/find-clashes.js';
import { readModel } from '../../src/io/model/read-model.js';
import { writeModel } from '../../src/io/model/write-model.js';
import { inspectMesh } from '../../src/mesh/report/report.js';

test('two hundred solids of about a thousand triangles', () => {
  const shapes = plantShapes();
  expect(shapes).toHaveLength(200);
  expect(new Set(shapes.map(({ name }) => name)).size).toBe(200);
  for (const { name, mesh } of shapes.filter((_, i) => i % 3 === 0)) {
    const { triangles, closed, outward, degenerateFaces, selfIntersections } = inspectMesh(mesh);
    expect(Math.abs(triangles - 1000), name).toBeLessThan(160);
    expect({ name, closed, outward, degenerateFaces, selfIntersections }).toEqual({
      name,
      closed: true,
      outward: true,
      degenerateFaces: 0,
      selfIntersections: 0,
    });
  }
});

test('a plant keeps its shapes shared in a GLB, and its pairs clash, touch, are near and far', async () => {
  const plant = createPlant(1000);
  expect(plant.parts).toHaveLength(1000);
  const bytes = await writeModel(plant, 'glb');
  const parts = buildAssembly(await readModel(bytes, { fileName: 'plant.glb' }));
  const used = new Set(plant.parts.map(({ meshIndex }) => meshIndex)).size;
  expect(new Set(parts.map(({ model }) => model)).size).toBe(used);
  const { clashes, pairsTested } = findClashes(parts, { clearance: PLANT_CLEARANCE });
  expect(pairsTested).toBeGreaterThan(5 * parts.length);
  const crossing = clashes.filter(({ intersects }) => intersects).length / pairsTested;
  const near = clashes.length / pairsTested - crossing;
  expect(crossing).toBeGreaterThan(0.25);
  expect(crossing).toBeLessThan(0.5);
  expect(near).toBeGreaterThan(0.05);
  expect(1 - crossing - near).toBeGreaterThan(0.4);
});

import { expect, test } from 'vitest';
import { createMesh, type Mesh } from '../../../src/mesh/mesh.js';
import { repairMesh } from '../../../src/mesh/repair/repair.js';
import { inspectMesh } from '../../../src/mesh/report/report.js';
import { codeOf } from '../../error-code.js';
import { splitBox, uvSphere } from '../../generators/seams.js';
import { boxMesh, join, mapPoints, reversed, torusGrid, toSoup } from '../../generators/surfaces.js';

/** A lid a hundred millionth thick, welded flat at the default tolerance: its sides would become one. */
const foil = mapPoints(torusGrid(12, 8), ([x, y, z]) => [x, y, 1e-8 * z]);

const SOLIDS: Record<string, Mesh> = {
  box: boxMesh(),
  'split box': splitBox(1, 2, 3),
  'uv sphere': uvSphere(1, 12, 8),
  soup: toSoup(torusGrid(8, 6)),
  'inside out': reversed(splitBox(1, 1, 1)),
  foil,
  'foil in a box': join(boxMesh([-4, -4, -4], [4, 4, 4]), reversed(foil)),
  'boxes that touch along an edge': join(boxMesh(), boxMesh([1, 1, 0], [2, 2, 1])),
  'boxes that touch along a side': join(boxMesh(), boxMesh([1, 0, 0], [2, 1, 1])),
  'a box twice': join(boxMesh(), boxMesh()),
  'a box and its reverse': join(boxMesh(), reversed(boxMesh())),
  'nested shells': join(boxMesh([0, 0, 0], [3, 3, 3]), reversed(boxMesh([1, 1, 1], [2, 2, 2]))),
};

test.each(Object.entries(SOLIDS))('%s still bounds a solid', (name, given) => {
  const before = inspectMesh(given);
  const { mesh } = repairMesh(given);
  const after = inspectMesh(mesh);
  expect(before.closed).toBe(true);
  expect(after.closed).toBe(true);
  expect(after.oriented).toBe(true);
  expect(after.nonManifoldEdges).toBeLessThanOrEqual(before.nonManifoldEdges);
  if (name === 'a box twice' || name === 'a box and its reverse') return;
  // Welding the foil in the box takes its volume, which is within the tolerance.
  expect(Math.abs(after.volume!)).toBeCloseTo(Math.abs(before.volume!), name === 'foil in a box' ? 6 : 12);
});

test('the steps left out are named', () => {
  expect(repairMesh(boxMesh()).skipped).toEqual([]);
  expect(repairMesh(foil).skipped).toEqual(['weld-tolerance']);
});

/** A box with a fin: a sheet whose side lies along an edge of the box, with vertices of its own. */
const finned = join(boxMesh(), createMesh([1, 1, 0, 1, 1, 1, 2, 2, 1, 2, 2, 0], [0, 1, 2, 0, 2, 3]));

test('an open mesh stays oriented where welding would join an open edge to a complete one', () => {
  const before = inspectMesh(finned);
  expect(before).toMatchObject({ closed: false, oriented: true, boundaryEdges: 4, nonManifoldEdges: 0 });
  const { mesh, skipped } = repairMesh(finned);
  expect(skipped).toEqual(['weldVertices']);
  expect(inspectMesh(mesh)).toMatchObject({ oriented: true, boundaryEdges: 4, nonManifoldEdges: 0 });
  // The other steps are taken: faces without area go.
  const spoiled = { positions: finned.positions, indices: Uint32Array.of(...finned.indices, 0, 0, 1) };
  expect(repairMesh(spoiled).changes.droppedDegenerateFaces).toBe(1);
});

test('a soup is welded although an edge of three faces comes of it', () => {
  let at = 0;
  const soup = mapPoints(toSoup(finned), ([x, y, z]) => [x + 1e-9 * (at++ % 7), y, z]);
  expect(inspectMesh(soup)).toMatchObject({ oriented: true, boundaryEdges: 3 * 14 });
  const { mesh, skipped } = repairMesh(soup, { tolerance: 1e-7 });
  expect(skipped).toEqual([]);
  expect(inspectMesh(mesh)).toMatchObject({ boundaryEdges: 3, nonManifoldEdges: 1 });
});

test('createMesh takes triangles without indices and refuses what is not flat', () => {
  const soup = toSoup(boxMesh());
  expect(inspectMesh(createMesh(Float32Array.from(soup.positions))).closed).toBe(true);
  expect(codeOf(() => createMesh([0, 0, 0, 1, 0, 0]))).toBe('bad-argument');
  for (const wrong of [null, undefined, 3, 'mesh', {}, [[0, 0, 0]], [{ x: 0, y: 0, z: 0 }]]) {
    expect(codeOf(() => createMesh(wrong as never))).toBe('bad-argument');
    if (wrong !== null && wrong !== undefined) {
      expect(codeOf(() => createMesh(soup.positions, wrong as never))).toBe('bad-argument');
    }
  }
});

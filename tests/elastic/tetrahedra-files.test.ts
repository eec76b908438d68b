import { expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';
import { readTetrahedra, TETRAHEDRA_FORMATS, writeTetrahedra } from '../../src/elastic/files/tetrahedra-files.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { findModel } from '../../src/models/catalogue.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const { mesh } = tetrahedralizeMesh(findModel('sphere').build(), { size: 0.5 });

test.each(TETRAHEDRA_FORMATS)('%s reads back exactly', (format) => {
  const read = readTetrahedra(writeTetrahedra(mesh, format));
  expect(read.positions).toEqual(mesh.positions);
  expect(read.elements).toEqual(mesh.elements);
});

/** As Gmsh 4 writes it: entities, nodes in blocks and with gaps in the numbering, triangles beside tetrahedra. */
const GMSH_4 = `$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
3 7 "body with $ sign"
$EndPhysicalNames
$Entities
1 0 1 1
1 0 0 0 0
1 0 0 0 1 1 1 0 0
1 0 0 0 1 1 1 1 7 1 1
$EndEntities
$Nodes
2 5 1 9
2 1 1 3
1
2
5
0 0 0 0.5 0.5
1 0 0 0.5 0.5
0 1 0 0.5 0.5
3 1 0 2
9
7
0 0 1
5 5 5
$EndNodes
$Elements
2 2 1 2
2 1 2 1
1 1 2 5
3 1 4 1
2 1 5 2 9
$EndElements
`;
const GMSH_2 =
  '$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$Nodes\r\n4\r\n1 0 0 0\r\n2 1 0 0\r\n3 0 1 0\r\n4 0 0 1\r\n$EndNodes\r\n' +
  '$Elements\r\n3\r\n1 15 2 0 1 1\r\n2 2 2 0 1 1 2 3\r\n3 4 3 0 1 2 1 2 3 4\r\n$EndElements\r\n';
const VTK_5 = `# vtk DataFile Version 5.1
vtk output
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 float
0 0 0 1 0 0 0 1 0
0 0 1
CELLS 3 7
OFFSETS vtktypeint64
0 3 7
CONNECTIVITY vtktypeint64
0 1 2 0 1 2 3

CELL_TYPES 2
5
10
`;

test.each([
  ['Gmsh 4.1', GMSH_4],
  ['Gmsh 2.2', GMSH_2],
  ['VTK 5', VTK_5],
])('%s as others write it: one tetrahedron, turned, without the nodes it does not use', (_, text) => {
  const { positions, elements } = readTetrahedra(encode(text));
  expect([...positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect(elements.length).toBe(4);
  expect([...elements].sort()).toEqual([0, 1, 2, 3]);
  const sign = [...elements].reduce((sum, a, i) => sum + [...elements].filter((b, j) => j > i && b < a).length, 0);
  expect(sign % 2).toBe(0);
});

test('a file cut anywhere is refused or has all its elements', () => {
  for (const text of [GMSH_4, GMSH_2, VTK_5]) {
    let refused = 0;
    for (let length = 0; length < text.length; length++) {
      try {
        expect(readTetrahedra(encode(text.slice(0, length))).elements.length).toBe(4);
      } catch (error) {
        expect(error).toBeInstanceOf(NearfieldError);
        refused++;
      }
    }
    expect(refused / text.length).toBeGreaterThan(0.9);
  }
});

test('says what is not supported', () => {
  const refusal = (text: string) => {
    try {
      readTetrahedra(encode(text));
    } catch (error) {
      if (error instanceof NearfieldError) return `${error.code}: ${error.message}`;
    }
    return 'none';
  };
  expect(refusal(GMSH_2.replace('2.2 0 8', '2.2 1 8'))).toContain('text');
  expect(refusal(GMSH_2.replace('2.2 0 8', '4 0 8'))).toMatch(/^unsupported.*4\.1/);
  expect(refusal(GMSH_2.replace('3 4 3 0 1 2', '3 11 3 0 1 2'))).toContain('linear');
  expect(refusal(GMSH_2.replace('1 2 3 4', '1 2 3 8'))).toContain('index-out-of-range');
  expect(refusal(VTK_5.replace('ASCII', 'BINARY'))).toContain('ASCII');
  expect(refusal(VTK_5.replace('UNSTRUCTURED_GRID', 'POLYDATA'))).toContain('UNSTRUCTURED_GRID');
  expect(refusal('solid x')).toContain('$');
  expect(refusal('')).toContain('MSH');
});

test('VTK files hold values at the nodes', () => {
  const text = new TextDecoder().decode(
    writeTetrahedra(mesh, 'vtk', { depth: new Float64Array(mesh.positions.length / 3), moved: mesh.positions }),
  );
  expect(text).toContain(`POINT_DATA ${mesh.positions.length / 3}\nSCALARS depth double 1\n`);
  expect(text).toContain('VECTORS moved double\n');
  expect(() => writeTetrahedra(mesh, 'vtk', { depth: new Float64Array(1) })).toThrow('for each of the');
  expect(() => writeTetrahedra(mesh, 'msh', { moved: mesh.positions })).toThrow('vtk');
});

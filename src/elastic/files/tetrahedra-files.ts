import { assertBytes } from '../../core/check/check-array.js';
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { assertTetrahedra, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { readGmsh, writeGmsh } from './gmsh.js';
import { readVtk, writeVtk } from './vtk.js';

/** What {@link writeTetrahedra} can write: Gmsh's MSH 4.1, its version 2.2 for older programs, and legacy VTK. */
export const TETRAHEDRA_FORMATS = ['msh', 'msh2', 'vtk'] as const;

/** One of {@link TETRAHEDRA_FORMATS}. */
export type TetrahedraFormat = (typeof TETRAHEDRA_FORMATS)[number];

/**
 * Reads tetrahedra from a Gmsh file (MSH 2.2 or 4.1) or a legacy VTK file, both in text; the content says which. Elements
 * of lower dimension are skipped, inverted tetrahedra turned, and nodes of no tetrahedron left out.
 * @throws NearfieldError `file-format`, `file-truncated`, `unsupported`, `empty-mesh`, and as `assertTetrahedra` does.
 */
export function readTetrahedra(bytes: Uint8Array): TetrahedralMesh {
  assertBytes(bytes);
  return bytes[0] === 0x23 ? readVtk(bytes) : readGmsh(bytes);
}

/**
 * The bytes of a file in text; coordinates read back exactly.
 * @param data of a VTK file: values at the nodes by name, one or three a node, such as displacements.
 */
export function writeTetrahedra(
  mesh: TetrahedralMesh,
  format: TetrahedraFormat,
  data?: Readonly<Record<string, Float64Array>>,
): Uint8Array {
  assertTetrahedra(mesh);
  if (!TETRAHEDRA_FORMATS.includes(format)) {
    throw new NearfieldError(
      'bad-argument',
      `The format is ${nameValue(format)}; give one of ${TETRAHEDRA_FORMATS.join(', ')}.`,
    );
  }
  if (data !== undefined) assertData(data, format);
  if (format === 'vtk') return writeVtk(mesh, data);
  return writeGmsh(mesh, format === 'msh' ? '4.1' : '2.2');
}

function assertData(data: Readonly<Record<string, Float64Array>>, format: TetrahedraFormat): void {
  const isTable = typeof data === 'object' && data !== null && !Array.isArray(data);
  if (!isTable || !Object.values(data).every((values) => values instanceof Float64Array)) {
    throw new NearfieldError('bad-argument', 'Values at the nodes are Float64Arrays by name.');
  }
  if (format !== 'vtk' && Object.keys(data).length > 0) {
    throw new NearfieldError('bad-argument', "Only the format 'vtk' holds values at the nodes.");
  }
}

import type { Mesh } from '../../mesh/mesh.js';
import { coverTriangles, type MeshGroup } from '../model/model-file.js';
import { formatName, formatPositions, formatTriangles } from './format-lines.js';

/** An OBJ file: all vertices, then the faces, group by group. Reads back exactly. */
export function writeObj(mesh: Mesh, groups: readonly MeshGroup[] = []): Uint8Array {
  const chunks = [formatPositions(mesh.positions, 'v ')];
  for (const { name, firstTriangle, triangleCount } of coverTriangles({ name: '', mesh, groups })) {
    if (groups.length > 0) chunks.push(`g ${formatName(name)}`.trim(), '\n');
    const indices = mesh.indices.subarray(3 * firstTriangle, 3 * (firstTriangle + triangleCount));
    chunks.push(formatTriangles(indices, 'f ', 1));
  }
  return new TextEncoder().encode(chunks.join(''));
}

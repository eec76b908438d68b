import type { Mesh } from '../../mesh/mesh.js';
import { formatPositions, formatTriangles } from './format-lines.js';

/** A binary little-endian PLY file with positions in double precision. Reads back exactly. */
export function writePly(mesh: Mesh): Uint8Array {
  const header = formatHeader(mesh, 'binary_little_endian');
  const { positions, indices } = mesh;
  const bytes = new Uint8Array(header.length + 8 * positions.length + 13 * (indices.length / 3));
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  let offset = header.length;
  for (let i = 0; i < positions.length; i++, offset += 8) view.setFloat64(offset, positions[i], true);
  for (let i = 0; i < indices.length; i += 3, offset += 13) {
    view.setUint8(offset, 3);
    view.setUint32(offset + 1, indices[i], true);
    view.setUint32(offset + 5, indices[i + 1], true);
    view.setUint32(offset + 9, indices[i + 2], true);
  }
  return bytes;
}

/** A PLY file in text. Reads back exactly. */
export function writePlyText(mesh: Mesh): Uint8Array {
  const body = new TextEncoder().encode(formatPositions(mesh.positions, '') + formatTriangles(mesh.indices, '3 ', 0));
  const header = formatHeader(mesh, 'ascii');
  const bytes = new Uint8Array(header.length + body.length);
  bytes.set(header);
  bytes.set(body, header.length);
  return bytes;
}

function formatHeader(mesh: Mesh, encoding: string): Uint8Array {
  // Ids are "int", which every reader supports, unless they need the highest bit.
  const idType = mesh.positions.length / 3 <= 2 ** 31 ? 'int' : 'uint';
  return new TextEncoder().encode(
    `ply\nformat ${encoding} 1.0\ncomment written by nearfield\n` +
      `element vertex ${mesh.positions.length / 3}\nproperty double x\nproperty double y\nproperty double z\n` +
      `element face ${mesh.indices.length / 3}\nproperty list uchar ${idType} vertex_indices\nend_header\n`,
  );
}

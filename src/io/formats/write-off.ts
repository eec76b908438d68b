import type { Mesh } from '../../mesh/mesh.js';
import { formatPositions, formatTriangles } from './format-lines.js';

/** An OFF file in text. Reads back exactly. */
export function writeOff(mesh: Mesh): Uint8Array {
  const counts = `OFF\n${mesh.positions.length / 3} ${mesh.indices.length / 3} 0\n`;
  return new TextEncoder().encode(
    counts + formatPositions(mesh.positions, '') + formatTriangles(mesh.indices, '3 ', 0),
  );
}

// SHA-256 of what the answers of a clash check depend on.
import type { Mesh } from '../mesh/mesh.js';

/** The SHA-256 of a mesh: of its positions and indices. */
export async function hashMesh({ positions, indices }: Mesh): Promise<string> {
  return hashText(`${await hashNumbers(positions)}\n${await hashNumbers(indices)}`);
}

/** The SHA-256 of a text in UTF-8. */
export function hashText(text: string): Promise<string> {
  return hashNumbers(new TextEncoder().encode(text));
}

/** The SHA-256 of the bytes of an array, in hexadecimal digits. */
export async function hashNumbers(data: Uint8Array | Uint32Array | Float64Array): Promise<string> {
  // A copy, because shared memory cannot be hashed in place.
  const bytes = new Uint8Array(data.byteLength);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

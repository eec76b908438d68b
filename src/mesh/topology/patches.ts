// Patches: faces joined across edges that exactly two of them share, each with the flips that would make its faces agree
// with its first face. Flood fill over half-edge twins, O(triangles).

import type { MeshAdjacency } from './adjacency.js';

export interface Patches {
  readonly count: number;
  /** The patch of each face, numbered by their lowest faces; −1 for a face that names a vertex twice. */
  readonly patchOfFace: Int32Array;
  /** 1 where a face runs against the lowest face of its patch. */
  readonly opposed: Uint8Array;
  /** By patch: 0 where no choice of sides is consistent, as on a Möbius strip. */
  readonly orientable: Uint8Array;
}

export function findPatches(adjacency: MeshAdjacency): Patches {
  const { indices, twin, edgeOfHalfEdge } = adjacency;
  const faces = indices.length / 3;
  const patchOfFace = new Int32Array(faces).fill(-1);
  const opposed = new Uint8Array(faces);
  const orientable: number[] = [];
  const stack: number[] = [];
  for (let seed = 0; seed < faces; seed++) {
    if (patchOfFace[seed] >= 0 || edgeOfHalfEdge[3 * seed] < 0) continue;
    const patch = orientable.length;
    orientable.push(1);
    patchOfFace[seed] = patch;
    stack.push(seed);
    while (stack.length > 0) {
      const face = stack.pop()!;
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        if (twin[h] < 0) continue;
        const neighbor = Math.floor(twin[h] / 3);
        // Two half-edges of one edge run the same way when they start at the same vertex.
        const side = indices[h] === indices[twin[h]] ? 1 - opposed[face] : opposed[face];
        if (patchOfFace[neighbor] < 0) {
          patchOfFace[neighbor] = patch;
          opposed[neighbor] = side;
          stack.push(neighbor);
        } else if (opposed[neighbor] !== side) {
          orientable[patch] = 0;
        }
      }
    }
  }
  return { count: orientable.length, patchOfFace, opposed, orientable: Uint8Array.from(orientable) };
}

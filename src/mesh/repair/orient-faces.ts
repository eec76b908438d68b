// Orients faces: the faces of a patch are made to agree with the majority, then each shell is turned outward, or inward
// where it bounds a cavity. Flood fill, signed volumes and ray crossings; O(triangles + shells · log triangles).

import type { Mesh } from '../mesh.js';
import { buildAdjacency, type MeshAdjacency } from '../topology/adjacency.js';
import { findPatches, type Patches } from '../topology/patches.js';
import { findShellDepths } from '../topology/shell-depths.js';
import { findShells, findSides } from '../topology/shells.js';

/** What {@link orientFaces} returns. */
export interface OrientedFaces {
  readonly mesh: Mesh;
  readonly flippedFaces: number;
  /** One byte per face: 1 where it was flipped, its second and third vertex exchanged. */
  readonly flips: Uint8Array;
  /** Connected one-sided surfaces, such as a Möbius strip; their faces are unchanged. */
  readonly nonOrientablePatches: number;
  /** Open surfaces without an outside; their faces agree with the majority. */
  readonly sidelessPatches: number;
}

/**
 * Makes faces agree with their neighbors across every edge of two faces, and point outward.
 *
 * A closed surface points outward. One inside another bounds a cavity and points into it; one inside a cavity is a
 * solid again, and so on. An open surface points outward where its holes are small (see `NEARLY_CLOSED`); otherwise it
 * agrees with the majority of its faces. Faces are flipped, never moved or renumbered.
 */
export function orientFaces(mesh: Mesh): OrientedFaces {
  const { flips, ...patches } = findFlips(mesh, buildAdjacency(mesh));
  const { indices, flippedFaces } = flipFaces(mesh.indices, flips);
  return { mesh: { positions: mesh.positions.slice(), indices }, flippedFaces, flips, ...patches };
}

/** The faces that {@link orientFaces} flips. */
export function findFlips(
  mesh: Mesh,
  adjacency: MeshAdjacency,
): Pick<OrientedFaces, 'flips' | 'nonOrientablePatches' | 'sidelessPatches'> {
  const patches = findPatches(adjacency);
  const flips = followMajority(patches);
  let sidelessPatches = 0;
  // Patches turned one by one may then close each other at edges of four or more faces; the next round turns them
  // together. Closed shells stay closed, so the second or third round finds nothing to do; the limit is for safety.
  for (let round = 0, changed = true; changed && round < 8; round++) {
    changed = false;
    const shells = findShells(adjacency, patches, flips);
    const sides = findSides(mesh, shells, flips);
    const depths = findShellDepths(mesh, shells, flips);
    for (let face = 0; face < flips.length; face++) {
      const shell = shells.shellOfFace[face];
      const wanted = depths[shell] % 2 === 0 ? 1 : -1;
      if (shell < 0 || !shells.orientable[shell] || sides[shell] !== -wanted) continue;
      flips[face] = 1 - flips[face];
      changed = true;
    }
    sidelessPatches = 0;
    for (let shell = 0; shell < shells.count; shell++) {
      if (!shells.closed[shell] && shells.orientable[shell] && sides[shell] === 0) sidelessPatches++;
    }
  }
  return {
    flips,
    nonOrientablePatches: patches.orientable.reduce((sum, orientable) => sum + 1 - orientable, 0),
    sidelessPatches,
  };
}

/** A copy of the vertex ids of faces with the second and third id of the marked ones exchanged. */
export function flipFaces(indices: Uint32Array, flips: Uint8Array): { indices: Uint32Array; flippedFaces: number } {
  const flipped = indices.slice();
  let flippedFaces = 0;
  for (let face = 0; face < flips.length; face++) {
    if (!flips[face]) continue;
    flippedFaces++;
    flipped[3 * face + 1] = indices[3 * face + 2];
    flipped[3 * face + 2] = indices[3 * face + 1];
  }
  return { indices: flipped, flippedFaces };
}

/** Flips that make each orientable patch agree with the majority of its faces, on a tie with its lowest face. */
function followMajority(patches: Patches): Uint8Array {
  const { patchOfFace, opposed, orientable } = patches;
  const balance = new Int32Array(patches.count);
  for (let face = 0; face < opposed.length; face++) {
    if (patchOfFace[face] >= 0) balance[patchOfFace[face]] += opposed[face] ? -1 : 1;
  }
  return opposed.map((value, face) => {
    const patch = patchOfFace[face];
    if (patch < 0 || !orientable[patch]) return 0;
    return balance[patch] >= 0 ? value : 1 - value;
  });
}

// Shells: the closed surfaces of a mesh, and its remaining parts. A patch that is closed by itself is a shell; patches
// that only close one another, at edges of four or more faces, form one shell together. O(triangles).

import { DisjointSets } from '../../core/disjoint-sets.js';
import { NEARLY_CLOSED, VOLUME_ROUNDING } from '../../core/tolerances.js';
import type { Mesh } from '../mesh.js';
import type { MeshAdjacency } from './adjacency.js';
import type { Patches } from './patches.js';

export interface Shells {
  readonly count: number;
  /** The shell of each face, −1 for a face that names a vertex twice. */
  readonly shellOfFace: Int32Array;
  /** By shell: 1 where its faces traverse every edge equally often in both directions. */
  readonly closed: Uint8Array;
  /** By shell: 0 where it is one-sided. */
  readonly orientable: Uint8Array;
}

/** `flips`: 1 for each face to be reversed; it must make every orientable patch consistent. */
export function findShells(adjacency: MeshAdjacency, patches: Patches, flips: Uint8Array): Shells {
  const { indices, edgeCount, edgeVertices, edgeStart, edgeHalfEdges } = adjacency;
  const { patchOfFace } = patches;
  const groups = new DisjointSets(patches.count);

  const findUnbalanced = (e: number, groupOf: (patch: number) => number): number[] => {
    const balances = new Map<number, number>();
    for (let i = edgeStart[e]; i < edgeStart[e + 1]; i++) {
      const h = edgeHalfEdges[i];
      const face = Math.floor(h / 3);
      const forward = (indices[h] === edgeVertices[2 * e]) !== (flips[face] === 1);
      const group = groupOf(patchOfFace[face]);
      balances.set(group, (balances.get(group) ?? 0) + (forward ? 1 : -1));
    }
    return [...balances.keys()].filter((group) => balances.get(group) !== 0);
  };

  // Edges of two faces need no check: they lie within a patch and are balanced there, or the patch is not orientable.
  for (let e = 0; e < edgeCount; e++) {
    if (edgeStart[e + 1] - edgeStart[e] <= 2) continue;
    const unbalanced = findUnbalanced(e, (patch) => patch);
    for (let i = 1; i < unbalanced.length; i++) groups.unite(unbalanced[0], unbalanced[i]);
  }
  const open = new Uint8Array(patches.count);
  for (let patch = 0; patch < patches.count; patch++) if (!patches.orientable[patch]) open[groups.find(patch)] = 1;
  for (let e = 0; e < edgeCount; e++) {
    const faces = edgeStart[e + 1] - edgeStart[e];
    if (faces === 1) open[groups.find(patchOfFace[Math.floor(edgeHalfEdges[edgeStart[e]] / 3)])] = 1;
    else if (faces > 2) for (const group of findUnbalanced(e, (patch) => groups.find(patch))) open[group] = 1;
  }

  const shellOfPatch = new Int32Array(patches.count);
  const closed: number[] = [];
  const orientable: number[] = [];
  for (let patch = 0; patch < patches.count; patch++) {
    const group = groups.find(patch);
    if (open[group] || group === patch) {
      shellOfPatch[patch] = closed.length;
      closed.push(1 - open[group]);
      orientable.push(patches.orientable[patch]);
    } else {
      shellOfPatch[patch] = shellOfPatch[group];
    }
  }
  const shellOfFace = patchOfFace.map((patch) => (patch < 0 ? -1 : shellOfPatch[patch]));
  return {
    count: closed.length,
    shellOfFace,
    closed: Uint8Array.from(closed),
    orientable: Uint8Array.from(orientable),
  };
}

/** By shell: 1 where its faces point outward, −1 where they point inward, 0 where it has no inside. */
export function findSides(mesh: Mesh, shells: Shells, flips: Uint8Array): Int8Array {
  const { positions, indices } = mesh;
  const { shellOfFace } = shells;
  const boxes = boxesOfShells(mesh, shells);
  const sums = new Float64Array(5 * shells.count); // volume × 6, area × 2, area vector × 2
  for (let face = 0; face < shellOfFace.length; face++) {
    const shell = shellOfFace[face];
    if (shell < 0) continue;
    // In units of the shell's box, about its center: cubes of small lengths would underflow.
    const box = 6 * shell;
    const unit = Math.max(
      boxes[box + 3] - boxes[box],
      boxes[box + 4] - boxes[box + 1],
      boxes[box + 5] - boxes[box + 2],
    );
    if (unit === 0) continue;
    const a = 3 * indices[3 * face];
    const b = 3 * indices[3 * face + 1];
    const c = 3 * indices[3 * face + 2];
    const ux = (positions[b] - positions[a]) / unit;
    const uy = (positions[b + 1] - positions[a + 1]) / unit;
    const uz = (positions[b + 2] - positions[a + 2]) / unit;
    const vx = (positions[c] - positions[a]) / unit;
    const vy = (positions[c + 1] - positions[a + 1]) / unit;
    const vz = (positions[c + 2] - positions[a + 2]) / unit;
    const sign = flips[face] ? -1 : 1;
    const nx = sign * (uy * vz - uz * vy);
    const ny = sign * (uz * vx - ux * vz);
    const nz = sign * (ux * vy - uy * vx);
    const x = (positions[a] - boxes[box] / 2 - boxes[box + 3] / 2) / unit;
    const y = (positions[a + 1] - boxes[box + 1] / 2 - boxes[box + 4] / 2) / unit;
    const z = (positions[a + 2] - boxes[box + 2] / 2 - boxes[box + 5] / 2) / unit;
    sums[5 * shell] += x * nx + y * ny + z * nz;
    sums[5 * shell + 1] += Math.sqrt(nx * nx + ny * ny + nz * nz);
    sums[5 * shell + 2] += nx;
    sums[5 * shell + 3] += ny;
    sums[5 * shell + 4] += nz;
  }
  const sides = new Int8Array(shells.count);
  for (let shell = 0; shell < shells.count; shell++) {
    const [volume, area, x, y, z] = sums.subarray(5 * shell, 5 * shell + 5);
    if (!shells.closed[shell] && !(Math.hypot(x, y, z) <= NEARLY_CLOSED * area)) continue;
    if (Math.abs(volume) / 6 > (VOLUME_ROUNDING * area) / 2) sides[shell] = Math.sign(volume);
  }
  return sides;
}

/** Six numbers per shell, minimum first. */
export function boxesOfShells(mesh: Mesh, shells: Shells): Float64Array {
  const { positions, indices } = mesh;
  const boxes = new Float64Array(6 * shells.count);
  for (let i = 0; i < boxes.length; i++) boxes[i] = i % 6 < 3 ? Infinity : -Infinity;
  for (let i = 0; i < indices.length; i++) {
    const shell = shells.shellOfFace[Math.floor(i / 3)];
    if (shell < 0) continue;
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * indices[i] + axis];
      if (value < boxes[6 * shell + axis]) boxes[6 * shell + axis] = value;
      if (value > boxes[6 * shell + 3 + axis]) boxes[6 * shell + 3 + axis] = value;
    }
  }
  return boxes;
}

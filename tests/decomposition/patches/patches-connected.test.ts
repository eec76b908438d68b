// Patches of the graph searches are connected over edges. A face with all corners in the hull joins a patch at once, and
// on this open mesh one did so that touched the patch at corners only: the lower bound for connected patches told on it.
import { describe, expect, test } from 'vitest';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { type Decomposition, patchCount } from '../../../src/decomposition/decomposition.js';
import { lowerBounds } from '../../../src/decomposition/patches/lower-bounds.js';
import { createMesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import { decompositionFaults } from '../../oracles/validate-decomposition.js';

const touchingAtCorners = createMesh(
  [1, -0.7125856334008189, 0, 1, 1, 0, 1, 0, 0.650005375432465, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0],
  [6, 3, 5, 6, 5, 4, 0, 1, 2, 6, 4, 1, 6, 1, 0, 5, 2, 1, 6, 0, 2, 6, 2, 3],
);

/** Patches whose faces fall into parts that share no edge. */
function disconnected({ mesh, patchStart, patchFaces }: Decomposition): number[] {
  const found: number[] = [];
  for (let patch = 0; patch < patchStart.length - 1; patch++) {
    const faces = [...patchFaces.subarray(patchStart[patch], patchStart[patch + 1])];
    const edges = new Map(
      faces.map((face) => {
        const [a, b, c] = mesh.indices.subarray(3 * face, 3 * face + 3);
        return [face, new Set([`${a} ${b}`, `${b} ${c}`, `${c} ${a}`])];
      }),
    );
    const left = new Set(faces);
    const queue = [faces[0]];
    left.delete(faces[0]);
    for (const face of queue) {
      for (const other of left) {
        const touches = [...edges.get(face)!].some((edge) =>
          edges.get(other)!.has(edge.split(' ').reverse().join(' ')),
        );
        if (!touches) continue;
        left.delete(other);
        queue.push(other);
      }
    }
    if (left.size > 0) found.push(patch);
  }
  return found;
}

describe('patches of the graph searches', () => {
  const meshes = [
    touchingAtCorners,
    ...['letter-k', 'grate-small', 'bowl', 'ramp', 'cone'].map((name) => findModel(name).build()),
  ];

  test.each(['bfs-crests', 'bfs', 'dfs'] as const)('of %s are connected', (method) => {
    for (const mesh of meshes) expect(disconnected(decomposeSurface(mesh, { method }))).toEqual([]);
  });

  test('are no fewer than the bound for connected patches', () => {
    const decomposition = decomposeSurface(touchingAtCorners);
    expect(decompositionFaults(decomposition)).toEqual([]);
    expect(patchCount(decomposition)).toBeGreaterThanOrEqual(lowerBounds(touchingAtCorners).connectedPatch.bound);
  });

  test('the check finds a patch in two parts', () => {
    const decomposition = decomposeSurface(findModel('octahedron').build());
    const { indices } = decomposition.mesh;
    const first = new Set(indices.subarray(0, 3));
    const far = [1, 2, 3, 4, 5, 6, 7].find(
      (face) => !indices.subarray(3 * face, 3 * face + 3).some((v) => first.has(v)),
    )!;
    const opposite = { ...decomposition, patchStart: Uint32Array.of(0, 2), patchFaces: Uint32Array.of(0, far) };
    expect(disconnected(opposite)).toEqual([0]);
  });
});

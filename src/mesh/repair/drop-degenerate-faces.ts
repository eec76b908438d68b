// Removes faces without area and keeps the mesh closed: sides of zero length are collapsed, then faces with a corner
// on the opposite side are merged into the neighbor across that side. O(triangles).

import { DisjointSets } from '../../core/disjoint-sets.js';
import { assertMesh, type Mesh } from '../mesh.js';
import { isDegenerateFace, shortSideLimit, sideLengths } from '../topology/degenerate-faces.js';
import { keepFaces } from '../topology/keep-faces.js';
import { mergeFlatFaces } from './merge-flat-faces.js';

/** What {@link dropDegenerateFaces} returns. */
export interface DroppedDegenerateFaces {
  readonly mesh: Mesh;
  readonly droppedFaces: number;
  /** Vertices merged into another because a side of zero length joined them. They stay in the mesh, unused. */
  readonly mergedVertices: number;
  /** Neighbors that were split in two, to close the gap that a dropped face would have left. */
  readonly splitFaces: number;
  /** The old face of each face of the result. */
  readonly sourceFaces: Uint32Array;
}

/**
 * Drops the faces without area (see {@link isDegenerateFace}); a closed, oriented mesh stays closed and oriented. The
 * ends of a side of zero length become one vertex. Where a corner lies on the opposite side, the neighbor across it is
 * split at the corner; without a neighbor the face is removed. The surface moves by at most the tolerance.
 * @throws NearfieldError `empty-mesh` when every face is degenerate.
 */
export function dropDegenerateFaces(mesh: Mesh): DroppedDegenerateFaces {
  assertMesh(mesh);
  let current = mesh;
  let sourceFaces = Uint32Array.from({ length: mesh.indices.length / 3 }, (_, face) => face);
  let droppedFaces = 0;
  let mergedVertices = 0;
  let splitFaces = 0;
  // A split may create a side of zero length, whose ends are then merged. Every round after the first merges vertices or
  // is the last, so rounds end.
  for (let done = false, round = 0; !done; round++) {
    const collapsed = collapseShortSides(current);
    const { indices } = collapsed;
    const kept: number[] = [];
    for (let f = 0; f < indices.length; f += 3) {
      if (indices[f] !== indices[f + 1] && indices[f + 1] !== indices[f + 2] && indices[f + 2] !== indices[f]) {
        kept.push(f / 3);
      }
    }
    const whole = keepFaces({ positions: mesh.positions, indices }, kept);
    const merged = mergeFlatFaces(whole.mesh);
    current = merged.mesh;
    sourceFaces = merged.sourceFaces.map((face) => sourceFaces[whole.sourceFaces[face]]);
    droppedFaces += whole.droppedFaces + merged.droppedFaces;
    mergedVertices += collapsed.mergedVertices;
    splitFaces += merged.splitFaces;
    done = !merged.hasShortSides || (round > 0 && collapsed.mergedVertices === 0);
  }
  return { mesh: current, droppedFaces, mergedVertices, splitFaces, sourceFaces };
}

/** Merges the ends of sides as short, relative to their face's longest side, as a degenerate face is high. */
function collapseShortSides(mesh: Mesh): { indices: Uint32Array; mergedVertices: number } {
  const { positions } = mesh;
  const indices = mesh.indices.slice();
  const merged = { positions, indices };
  const sets = new DisjointSets(positions.length / 3);
  let mergedVertices = 0;
  // A collapse may make neighbors degenerate in turn; each round has fewer vertices, so rounds end.
  for (let before = -1; before !== mergedVertices; ) {
    before = mergedVertices;
    for (let f = 0; f < indices.length; f += 3) {
      if (!isDegenerateFace(merged, f / 3)) continue;
      const sides = sideLengths(merged, f / 3);
      const limit = shortSideLimit(sides);
      for (let k = 0; k < 3; k++) {
        if (sides[k] <= limit && sets.unite(indices[f + k], indices[f + ((k + 1) % 3)])) mergedVertices++;
      }
    }
    for (let i = 0; i < indices.length; i++) indices[i] = sets.find(indices[i]);
  }
  return { indices, mergedVertices };
}

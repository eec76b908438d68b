// A mesh as every chapter takes it: with its seams closed and, where it bounds a solid, with faces that point out of the
// solid. Nothing is moved or renumbered: vertex ids and faces are those of the mesh. O(triangles).
import type { Mesh } from '../mesh.js';
import { buildAdjacency, type MeshAdjacency } from '../topology/adjacency.js';
import { countEdgeKinds } from '../topology/edge-kinds.js';
import { findPatches } from '../topology/patches.js';
import { findShellDepths } from '../topology/shell-depths.js';
import { findShells, findSides } from '../topology/shells.js';
import { findFlips, flipFaces } from './orient-faces.js';

/** What {@link findOutwardSurface} returns. */
export interface OutwardSurface {
  /** The mesh with the lowest id of joined vertices and faces flipped where needed; the given mesh if nothing had to change. */
  readonly mesh: Mesh;
  /** No edge is open, and every edge is traversed equally often in both directions: the faces bound a solid. */
  readonly closed: boolean;
  /** The solid has a volume, and the faces point out of it. */
  readonly outward: boolean;
  readonly weldedVertices: number;
  readonly flippedFaces: number;
}

/**
 * Whether a mesh bounds a solid: no edge is open, and its faces can be flipped so that every edge is traversed equally
 * often in both directions.
 */
export function boundsSolid(mesh: Mesh, adjacency: MeshAdjacency): boolean {
  const { boundaryEdges, unbalancedEdges } = countEdgeKinds(adjacency);
  if (boundaryEdges > 0 || adjacency.edgeCount === 0) return false;
  return unbalancedEdges === 0 || countEdgeKinds(adjacency, findFlips(mesh, adjacency).flips).unbalancedEdges === 0;
}

/**
 * Closes seams, and turns the faces of a solid outward. Shells that all point outward form a union, even if nested; an
 * inner shell is a cavity only if it points inward. A solid that is inside out, as mirroring leaves it, is turned as a
 * whole, so that its cavities stay cavities; any other is turned as `orientFaces` does. An open mesh is not turned.
 */
export function findOutwardSurface(mesh: Mesh, adjacency: MeshAdjacency = buildAdjacency(mesh)): OutwardSurface {
  const { indices, weldedVertices } = adjacency;
  const welded = indices === mesh.indices ? mesh : { positions: mesh.positions, indices };
  const asGiven = { mesh: welded, closed: false, outward: false, weldedVertices, flippedFaces: 0 };
  if (!boundsSolid(mesh, adjacency)) return asGiven;
  let flips: Uint8Array = new Uint8Array(indices.length / 3);
  let side = 0;
  if (countEdgeKinds(adjacency).unbalancedEdges === 0) {
    side = sideOf(mesh, adjacency, flips);
    if (side > 0) return { ...asGiven, closed: true, outward: true };
    if (side < 0) flips.fill(1);
  }
  if (side === 0) {
    flips = findFlips(mesh, adjacency).flips;
    side = -sideOf(mesh, adjacency, flips);
  }
  const { indices: turned, flippedFaces } = flipFaces(indices, flips);
  const outward = flippedFaces === 0 ? welded : { positions: mesh.positions, indices: turned };
  return { ...asGiven, mesh: outward, closed: true, outward: side < 0, flippedFaces };
}

/** 1 where consistent faces point out of the solid, −1 where they do so when all are flipped, 0 otherwise. */
export function sideOf(mesh: Mesh, adjacency: MeshAdjacency, flips: Uint8Array): -1 | 0 | 1 {
  const shells = findShells(adjacency, findPatches(adjacency), flips);
  const sides = findSides(mesh, shells, flips);
  if (sides.every((value) => value === 0)) return 0;
  if (sides.every((value) => value >= 0)) return 1;
  if (sides.every((value) => value <= 0)) return -1;
  const depths = findShellDepths(mesh, shells, flips);
  const follows = (side: number): boolean =>
    sides.every((value, shell) => value === 0 || value === (depths[shell] % 2 === 0 ? side : -side));
  return follows(1) ? 1 : follows(-1) ? -1 : 0;
}

// The data of a convex surface decomposition: patches of faces and the convex pieces that are their hulls.
import type { Mesh } from '../mesh/mesh.js';

/**
 * How faces are grouped into patches (Ehmann and Lin 2001, section 4): graph searches from face to face ('dfs', 'bfs',
 * 'bfs-crests', which starts at the faces farthest from any reflex edge), the same with patches that may overlap at first
 * and are then reduced ('dfs-flood-retract', 'bfs-flood-retract'), and the analysis of all pairs of faces ('global').
 */
export type DecompositionMethod = 'dfs' | 'bfs' | 'bfs-crests' | 'dfs-flood-retract' | 'bfs-flood-retract' | 'global';

/** All methods, the default first. */
export const DECOMPOSITION_METHODS: readonly DecompositionMethod[] = [
  'bfs-crests',
  'bfs',
  'dfs',
  'bfs-flood-retract',
  'dfs-flood-retract',
  'global',
];

/** The convex pieces of a decomposition: closed triangle surfaces over the mesh's own vertices. */
export interface ConvexPieces {
  /** The triangles of piece p are `triangleStart[p]` up to before `triangleStart[p + 1]`. Length pieces + 1. */
  readonly triangleStart: Uint32Array;
  /** Vertex ids of the mesh, three per triangle, counter-clockwise seen from outside the piece. */
  readonly triangles: Uint32Array;
  /** The mesh face that a triangle equals (an original face), or −1 for one added by convexity (a new face). */
  readonly sources: Int32Array;
}

/** A surface divided into patches, each on the boundary of its convex hull, which meets the surface nowhere else. */
export interface Decomposition {
  /** The mesh with its seams closed and, if it bounds a solid, its faces turned outward. Ids and positions are those of the mesh. */
  readonly mesh: Mesh;
  readonly method: DecompositionMethod;
  /** Edges along which the surface is concave. */
  readonly reflexEdges: number;
  /** The patch of each face. */
  readonly patchOfFace: Uint32Array;
  /** The faces of patch p are `patchFaces[patchStart[p]]` up to before `patchStart[p + 1]`. Length patches + 1. */
  readonly patchStart: Uint32Array;
  readonly patchFaces: Uint32Array;
  /** Piece p is the hull of patch p. */
  readonly pieces: ConvexPieces;
  /** The cost: vertices tried, and triangles tested for the third criterion. */
  readonly insertions: number;
  readonly trianglesTested: number;
}

/** The number of patches, which is also that of pieces. */
export function patchCount(decomposition: Decomposition): number {
  return decomposition.patchStart.length - 1;
}

/** The number of triangles that convexity added to the pieces. */
export function countNewFaces(decomposition: Decomposition): number {
  const { sources } = decomposition.pieces;
  let count = 0;
  for (let i = 0; i < sources.length; i++) if (sources[i] < 0) count++;
  return count;
}

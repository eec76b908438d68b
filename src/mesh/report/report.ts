// The report on a mesh: its counts, its defects, its topology and the solid it bounds. Every count is exact. The cost
// is O(triangles), not counting self-intersections, which take most of the time.

import type { Box } from '../../core/box.js';
import { flag, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import { assertMesh, type Mesh, triangleCount, vertexCount } from '../mesh.js';
import { buildAdjacency, type MeshAdjacency } from '../topology/adjacency.js';
import { findBoundaryLoops } from '../topology/boundary-loops.js';
import { findEqualVertices } from '../topology/coincident-vertices.js';
import { findComponents } from '../topology/components.js';
import { countDegenerateFaces } from '../topology/degenerate-faces.js';
import { groupEqualFaces } from '../topology/duplicate-faces.js';
import { countEdgeKinds } from '../topology/edge-kinds.js';
import { findPatches, type Patches } from '../topology/patches.js';
import { findShellDepths } from '../topology/shell-depths.js';
import { findShells, findSides } from '../topology/shells.js';
import { countFans, genusOf } from '../topology/topology.js';
import { boxOfFaces, findUsedVertices } from '../topology/unused-vertices.js';
import { integrateSolid, measureArea } from './mass-properties.js';
import { findSelfIntersections } from './self-intersections.js';

/**
 * What {@link inspectMesh} finds. Open edges that lie exactly on each other count as one edge, whatever their vertex ids,
 * as in every query: a solid whose vertices are split at seams is closed. `weldedVertices` counts the vertices joined so.
 *
 * A face that names a vertex twice has no edges. It counts in `triangles` and `degenerateFaces`, and is left out of
 * everything about edges, components and shape.
 */
export interface MeshReport {
  vertices: number;
  triangles: number;
  /** Pairs of vertices that a face joins. */
  edges: number;

  /** There are edges, and none of them belongs to only one face. */
  closed: boolean;
  /** Every edge belongs to one or two faces, and the faces round every vertex form one fan. */
  manifold: boolean;
  /**
   * Neighbors agree on which side is out: every edge of two or more faces is traversed equally often in both
   * directions. A mesh that is closed and oriented bounds a solid.
   */
  oriented: boolean;
  /** Flipping some faces can make neighbors agree across every edge of two faces: the mesh contains no Möbius strip. */
  orientable: boolean;
  /**
   * Faces point out of the solid: each closed surface outward, one inside another (a cavity) into the hollow it bounds,
   * and so on. `null` for a mesh that is not closed and oriented, or that encloses no volume.
   */
  outward: boolean | null;

  /** Parts connected by shared edges; parts that share only a vertex are separate. */
  components: number;
  /** Handles, over all components together (sphere 0, torus 1); `null` unless manifold and orientable. */
  genus: number | null;
  /** Loops of edges of one face only; see `findBoundaryLoops`. */
  boundaryLoops: number;
  /** Edges of one face only. */
  boundaryEdges: number;
  /** Edges of three or more faces. */
  nonManifoldEdges: number;
  /** Vertices whose faces, joined across shared edges, form more than one fan. */
  nonManifoldVertices: number;

  /** Faces without area: see `isDegenerateFace`. */
  degenerateFaces: number;
  /** Faces on the same three vertices as an earlier one, in any order. */
  duplicateFaces: number;
  /** Vertices with exactly the coordinates of an earlier one. */
  duplicateVertices: number;
  /** Vertices joined to an earlier one at seams; see `buildAdjacency`. They keep their ids. */
  weldedVertices: number;
  /** Vertices that no face uses. */
  unusedVertices: number;
  /** Pairs of faces that cross each other; `null` when the search is switched off. */
  selfIntersections: number | null;

  /** Area of all faces. */
  area: number;
  /**
   * Signed volume: negative for a mesh that is inside out; space counts as often as it is enclosed. `null` for a mesh
   * that is not closed and oriented.
   */
  volume: number | null;
  /** Center of mass at uniform density; `null` where there is no volume. */
  centerOfMass: Vec3 | null;
  /** Inertia tensor about the center of mass at density 1, by rows; `null` where there is no volume. */
  inertia: [Vec3, Vec3, Vec3] | null;
  /** The box of the vertices that faces use. */
  box: Box;
}

export interface InspectOptions extends ProgressOptions {
  /** Look for self-intersections, which takes longer than all the rest. Default true. */
  readonly selfIntersections?: boolean | undefined;
}

const INSPECT_OPTIONS = optionTable<InspectOptions>()({ selfIntersections: flag(true), ...PROGRESS_RULES });

/** Reports on any mesh: counts, defects, topology, and the solid it bounds. */
export function inspectMesh(mesh: Mesh, options: InspectOptions = {}): MeshReport {
  assertMesh(mesh);
  const { selfIntersections } = INSPECT_OPTIONS.read(options);
  const progress = partOfProgress(options, 0, selfIntersections ? 0.3 : 1);

  reportProgress(progress, 0, 'edges');
  const adjacency = buildAdjacency(mesh);
  const { boundaryEdges, nonManifoldEdges, unbalancedEdges } = countEdgeKinds(adjacency);
  reportProgress(progress, 0.3, 'topology');
  const fans = countFans(mesh, adjacency);
  const components = findComponents(mesh, adjacency);
  const patches = findPatches(adjacency);
  const boundaryLoops = findBoundaryLoops(mesh, adjacency).length;
  reportProgress(progress, 0.6, 'defects');
  const defects = countDefects(mesh, adjacency);
  const nonManifoldVertices = fans.reduce((count, n) => count + (n > 1 ? 1 : 0), 0);
  const closed = boundaryEdges === 0 && adjacency.edgeCount > 0;
  const manifold = nonManifoldEdges === 0 && nonManifoldVertices === 0;
  const oriented = unbalancedEdges === 0;
  const orientable = patches.orientable.every((value) => value === 1);

  reportProgress(progress, 0.8, 'volume');
  const area = measureArea(mesh);
  const solid = closed && oriented ? integrateSolid(mesh, area) : null;
  const outward = closed && oriented ? looksOutward(mesh, adjacency, patches) : null;

  const report: MeshReport = {
    vertices: vertexCount(mesh),
    triangles: triangleCount(mesh),
    edges: adjacency.edgeCount,
    closed,
    manifold,
    oriented,
    orientable,
    outward,
    components: components.count,
    genus:
      manifold && orientable
        ? genusOf(countPositive(fans), adjacency.edgeCount, countFaces(adjacency), components.count, boundaryLoops)
        : null,
    boundaryLoops,
    boundaryEdges,
    nonManifoldEdges,
    nonManifoldVertices,
    ...defects,
    weldedVertices: adjacency.weldedVertices,
    selfIntersections: null,
    area,
    volume: closed && oriented ? (solid?.volume ?? 0) : null,
    centerOfMass: solid?.centerOfMass ?? null,
    inertia: solid?.inertia ?? null,
    box: boxOfFaces(mesh),
  };
  if (selfIntersections) report.selfIntersections = findSelfIntersections(mesh, partOfProgress(options, 0.3, 1)).count;
  reportProgress(options, 1, 'report');
  return report;
}

/** The faces and vertices that add nothing to the surface. */
function countDefects(mesh: Mesh, { indices }: MeshAdjacency) {
  const firsts = findEqualVertices(mesh.positions);
  return {
    degenerateFaces: countDegenerateFaces(mesh),
    duplicateFaces: groupEqualFaces({ positions: mesh.positions, indices }).duplicateFaces,
    duplicateVertices: firsts.reduce((count, first, vertex) => count + (first === vertex ? 0 : 1), 0),
    unusedVertices: findUsedVertices(mesh).reduce((count, used) => count + 1 - used, 0),
  };
}

function looksOutward(mesh: Mesh, adjacency: MeshAdjacency, patches: Patches): boolean | null {
  const flips = new Uint8Array(mesh.indices.length / 3);
  const shells = findShells(adjacency, patches, flips);
  const sides = findSides(mesh, shells, flips);
  const depths = findShellDepths(mesh, shells, flips);
  if (sides.every((side) => side === 0)) return null;
  return sides.every((side, shell) => side === 0 || side === (depths[shell] % 2 === 0 ? 1 : -1));
}

function countPositive(values: Uint32Array): number {
  return values.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
}

/** Faces that have edges. */
function countFaces(adjacency: MeshAdjacency): number {
  return adjacency.edgeHalfEdges.length / 3;
}

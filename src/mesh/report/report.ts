// The report on a mesh: what it is made of, whether it bounds a solid, and which. Every count is exact; the cost is
// O(triangles), less the self-intersections, which take most of the time.
import type { Box } from '../../core/box.js';
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
 * What {@link inspectMesh} finds. It speaks of the mesh as it is given, by vertex ids: faces whose corners lie at the
 * same place but have ids of their own are not joined. `duplicateVertices` tells of that; `weldVertices` joins them.
 *
 * A face that names a vertex twice has no edges. It counts in `triangles` and `degenerateFaces`, and is left out of
 * everything about edges, components and shape.
 */
export interface MeshReport {
  vertices: number;
  triangles: number;
  /** Pairs of vertices that a face joins. */
  edges: number;

  /** No edge belongs to one face only, and there are edges. */
  closed: boolean;
  /** Every edge belongs to one or two faces, and the faces round every vertex form one fan. */
  manifold: boolean;
  /**
   * Neighbours agree on the side they look to: every edge of two or more faces is run through equally often in both
   * directions. A mesh that is closed and oriented bounds a solid.
   */
  oriented: boolean;
  /** Flipping some faces can make neighbours agree across every edge of two faces: there is no Möbius strip in it. */
  orientable: boolean;
  /**
   * Faces look out of the solid: each closed surface outward, one inside another (a cavity) into the hollow it bounds,
   * and so on inward. `null` for a mesh that is not closed and oriented, or that encloses no volume.
   */
  outward: boolean | null;

  /** Parts connected by shared edges; parts that share only a vertex count apart. */
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
  /** Vertices that no face names. */
  unusedVertices: number;
  /** Pairs of faces that cross each other; `null` when not asked for. */
  selfIntersections: number | null;

  /** Area of all faces. */
  area: number;
  /**
   * Signed volume: negative for a mesh that is inside out; space counts as often as it is enclosed. `null` for a mesh
   * that is not closed and oriented, which bounds none.
   */
  volume: number | null;
  /** Centre of mass at uniform density; `null` where there is no volume. */
  centerOfMass: Vec3 | null;
  /** Inertia tensor about the centre of mass at density 1, by rows; `null` where there is no volume. */
  inertia: [Vec3, Vec3, Vec3] | null;
  /** The box of the vertices that faces use. */
  box: Box;
}

export interface InspectOptions extends ProgressOptions {
  /** Look for self-intersections, which takes longer than all the rest. Default true. */
  readonly selfIntersections?: boolean | undefined;
}

/** Reports on any mesh: counts, defects, topology, and the solid it bounds. */
export function inspectMesh(mesh: Mesh, options: InspectOptions = {}): MeshReport {
  assertMesh(mesh);
  const { selfIntersections = true } = options;
  const progress = partOfProgress(options, 0, selfIntersections ? 0.3 : 1);

  reportProgress(progress, 0, 'edges');
  const adjacency = buildAdjacency(mesh);
  const { boundaryEdges, nonManifoldEdges, unbalancedEdges } = countEdgeKinds(mesh, adjacency);
  reportProgress(progress, 0.3, 'topology');
  const fans = countFans(mesh, adjacency);
  const components = findComponents(mesh, adjacency);
  const patches = findPatches(mesh, adjacency);
  const boundaryLoops = findBoundaryLoops(mesh, adjacency).length;
  reportProgress(progress, 0.6, 'defects');
  const degenerateFaces = countDegenerateFaces(mesh);
  const { duplicateFaces } = groupEqualFaces(mesh);
  const duplicateVertices = findEqualVertices(mesh.positions).reduce(
    (count, first, vertex) => count + (first === vertex ? 0 : 1),
    0,
  );
  const unusedVertices = findUsedVertices(mesh).reduce((count, used) => count + 1 - used, 0);

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
    degenerateFaces,
    duplicateFaces,
    duplicateVertices,
    unusedVertices,
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

function looksOutward(mesh: Mesh, adjacency: MeshAdjacency, patches: Patches): boolean | null {
  const flips = new Uint8Array(mesh.indices.length / 3);
  const shells = findShells(mesh, adjacency, patches, flips);
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

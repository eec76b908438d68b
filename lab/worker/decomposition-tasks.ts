// Tasks of the chapter Decomposition. What a mesh was decomposed into is kept with the mesh.
import { type ProgressOptions, partOfProgress, reportProgress } from 'nearfield/core';
import {
  buildHierarchy,
  bytesPerTriangle,
  CONTAINED,
  countNewFaces,
  type Decomposition,
  type DecompositionMethod,
  decomposeSurface,
  type FaceClass,
  FREE,
  findReflexEdges,
  type HullHierarchy,
  nodeCount,
  nodeLevels,
  ORIGINAL,
  patchCount,
  pieceColor,
  piecesToModel,
  type SplitRule,
} from 'nearfield/decomposition';
import { writeModel } from 'nearfield/io';
import type { Mesh } from 'nearfield/mesh';
import { spreadGroups } from './spread-groups.js';

interface Kept {
  readonly decomposition: Decomposition;
  readonly milliseconds: number;
}

const kept = new WeakMap<Mesh, Map<DecompositionMethod, Kept>>();

function decompositionOf(mesh: Mesh, method: DecompositionMethod, options: ProgressOptions): Kept {
  const ofMesh = kept.get(mesh) ?? new Map<DecompositionMethod, Kept>();
  kept.set(mesh, ofMesh);
  const known = ofMesh.get(method);
  if (known !== undefined) return known;
  reportProgress(options, 0, 'decomposing the surface');
  const start = performance.now();
  // A mesh that one method took has no crossings, so that the next need not look for them.
  const checkSelfIntersections = ofMesh.size === 0;
  const decomposition = decomposeSurface(mesh, { ...options, method, checkSelfIntersections });
  const made = { decomposition, milliseconds: performance.now() - start };
  ofMesh.set(method, made);
  return made;
}

interface KeptHierarchy {
  readonly hierarchy: HullHierarchy;
  readonly milliseconds: number;
}

const keptHierarchies = new WeakMap<Decomposition, Map<SplitRule, KeptHierarchy>>();

function hierarchyOf({ mesh, method, split }: HierarchyInput, options: ProgressOptions): KeptHierarchy {
  const { decomposition } = decompositionOf(mesh, method, partOfProgress(options, 0, 0.4));
  const ofDecomposition = keptHierarchies.get(decomposition) ?? new Map<SplitRule, KeptHierarchy>();
  keptHierarchies.set(decomposition, ofDecomposition);
  const known = ofDecomposition.get(split);
  if (known !== undefined) return known;
  const start = performance.now();
  const hierarchy = buildHierarchy(decomposition, { ...partOfProgress(options, 0.4, 1), split });
  const made = { hierarchy, milliseconds: performance.now() - start };
  ofDecomposition.set(split, made);
  return made;
}

interface HierarchyInput extends MethodInput {
  readonly split: SplitRule;
}

interface MethodInput {
  readonly mesh: Mesh;
  readonly method: DecompositionMethod;
}

export interface DecompositionCounts {
  readonly reflexEdges: number;
  readonly pieces: number;
  readonly newFaces: number;
  readonly largestPatch: number;
  readonly milliseconds: number;
}

export interface HierarchyCounts {
  readonly nodes: number;
  readonly lastLevel: number;
  /** Faces of all hulls together, and how many are stored, levels sharing them. */
  readonly faces: number;
  readonly storedFaces: number;
  readonly bytesPerTriangle: number;
  readonly milliseconds: number;
}

export interface HierarchyLevel {
  readonly hulls: number;
  readonly original: Mesh;
  readonly contained: Mesh;
  readonly free: Mesh;
}

export interface ColoredMesh {
  readonly mesh: Mesh;
  /** Linear red, green and blue of each triangle. */
  readonly faceColors: Float32Array;
}

export const decompositionTasks = {
  decompose({ mesh, method }: MethodInput, options: ProgressOptions): DecompositionCounts {
    const { decomposition, milliseconds } = decompositionOf(mesh, method, options);
    const { patchStart, reflexEdges } = decomposition;
    const sizes = Array.from(patchStart.subarray(1), (end, patch) => end - patchStart[patch]);
    return {
      reflexEdges,
      pieces: patchCount(decomposition),
      newFaces: countNewFaces(decomposition),
      largestPatch: sizes.reduce((most, size) => Math.max(most, size), 0),
      milliseconds,
    };
  },

  /** Patches, or pieces, each in its color, drawn apart. */
  showPatches(
    { mesh, method, shows, spread }: MethodInput & { shows: string; spread: number },
    options: ProgressOptions,
  ): ColoredMesh {
    const { decomposition } = decompositionOf(mesh, method, options);
    const { patchStart, patchFaces, pieces } = decomposition;
    const start = shows === 'pieces' ? pieces.triangleStart : patchStart;
    const triangles = shows === 'pieces' ? pieces.triangles : trianglesOf(mesh, patchFaces);
    const faceColors = new Float32Array(triangles.length);
    for (let patch = 0; patch + 1 < start.length; patch++) {
      const color = pieceColor(patch).slice(0, 3);
      for (let triangle = start[patch]; triangle < start[patch + 1]; triangle++) faceColors.set(color, 3 * triangle);
    }
    return { mesh: spreadGroups({ positions: mesh.positions, triangles, start }, spread), faceColors };
  },

  /** Segments, six numbers each. */
  reflexEdges({ mesh }: { mesh: Mesh }): Float64Array {
    const edges = findReflexEdges(mesh);
    const segments = new Float64Array(3 * edges.length);
    edges.forEach((vertex, i) => {
      segments.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
    });
    return segments;
  },

  buildHierarchy(input: HierarchyInput, options: ProgressOptions): HierarchyCounts {
    const { hierarchy, milliseconds } = hierarchyOf(input, options);
    return {
      nodes: nodeCount(hierarchy),
      lastLevel: nodeLevels(hierarchy).reduce((last, level) => Math.max(last, level), 0),
      faces: hierarchy.nodeFaces.length,
      storedFaces: hierarchy.faceClasses.length,
      bytesPerTriangle: bytesPerTriangle(hierarchy),
      milliseconds,
    };
  },

  /** The hulls of a level, and the pieces that end above it, drawn apart; a mesh for each class of faces. */
  showLevel(
    { level, spread, ...input }: HierarchyInput & { level: number; spread: number },
    options: ProgressOptions,
  ): HierarchyLevel {
    const { hierarchy } = hierarchyOf(input, options);
    const { mesh, nodePieces, faceStart, nodeFaces, faceVertices, faceClasses } = hierarchy;
    const start = [0];
    const classes: number[] = [];
    const triangles: number[] = [];
    nodeLevels(hierarchy).forEach((own, node) => {
      if (own !== level && !(own < level && nodePieces[node] >= 0)) return;
      for (const record of nodeFaces.subarray(faceStart[node], faceStart[node + 1])) {
        classes.push(faceClasses[record]);
        triangles.push(faceVertices[3 * record], faceVertices[3 * record + 1], faceVertices[3 * record + 2]);
      }
      start.push(classes.length);
    });
    const groups = { positions: mesh.positions, triangles: Uint32Array.from(triangles), start };
    const { positions, indices } = spreadGroups(groups, spread);
    const ofClass = (wanted: FaceClass): Mesh => ({
      positions,
      indices: indices.filter((_, i) => classes[Math.floor(i / 3)] === wanted),
    });
    return {
      hulls: start.length - 1,
      original: ofClass(ORIGINAL),
      contained: ofClass(CONTAINED),
      free: ofClass(FREE),
    };
  },

  writePieces({ mesh, method }: MethodInput, options: ProgressOptions): Promise<Uint8Array> {
    const { decomposition } = decompositionOf(mesh, method, options);
    reportProgress(options, 0.5, 'writing the pieces');
    return writeModel(piecesToModel(decomposition), 'glb');
  },
};

function trianglesOf({ indices }: Mesh, faces: Uint32Array): Uint32Array {
  const triangles = new Uint32Array(3 * faces.length);
  faces.forEach((face, i) => {
    triangles.set(indices.subarray(3 * face, 3 * face + 3), 3 * i);
  });
  return triangles;
}

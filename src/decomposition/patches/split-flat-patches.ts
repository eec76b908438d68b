// Cuts flat patches that do not cover their pieces into patches that do. If the outline of a flat patch is concave or
// has a hole, the hull fills it and may leave the solid there, although it meets the surface only in the patch.
// Triangles are merged into convex polygons across their longest common edges first (Hertel and Mehlhorn 1983: at most
// four times the minimum number), decided exactly. O(n log n).
import { exactSideOf, exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import type { Mesh } from '../../mesh/mesh.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import type { Decomposition } from '../decomposition.js';
import type { WorkLimit } from '../work-limit.js';
import { PatchCollector } from './collect-patches.js';

/**
 * The decomposition with every flat patch the whole of a side of its piece, so that the pieces of a closed surface lie
 * in the solid it bounds. The same object when all patches are so already; otherwise a patch that is not is replaced by
 * its parts.
 */
export function splitFlatPatches(decomposition: Decomposition, limit?: WorkLimit): Decomposition {
  const { mesh, patchStart, patchFaces, pieces } = decomposition;
  const patches = patchStart.length - 1;
  limit?.spend(4 * patchFaces.length);
  const isCut = new Uint8Array(patches);
  for (let patch = 0; patch < patches; patch++) if (leavesBays(decomposition, patch)) isCut[patch] = 1;
  if (!isCut.includes(1)) return decomposition;
  const collector = new PatchCollector(mesh.indices.length / 3);
  const { indices } = mesh;
  for (let patch = 0; patch < patches; patch++) {
    const faces = patchFaces.subarray(patchStart[patch], patchStart[patch + 1]);
    if (isCut[patch] === 0) {
      const { triangleStart, triangles, sources } = pieces;
      for (let t = triangleStart[patch]; t < triangleStart[patch + 1]; t++) {
        collector.addTriangle(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2], sources[t]);
      }
      collector.addPatch(faces);
      continue;
    }
    // Sorting the edges takes most of it.
    limit?.spend(32 * faces.length);
    for (const part of joinConvexly(mesh, faces)) {
      for (const face of part) {
        const [a, b, c] = [indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]];
        collector.addTriangle(a, b, c, face);
        collector.addTriangle(a, c, b, -1);
      }
      collector.addPatch(part);
    }
  }
  return { ...decomposition, ...collector.finish() };
}

/** Whether the piece of a patch is flat, and the patch covers part of one side but not all of it. */
function leavesBays({ mesh, pieces }: Decomposition, patch: number): boolean {
  const { triangleStart, triangles, sources } = pieces;
  const { positions } = mesh;
  const start = triangleStart[patch];
  const end = triangleStart[patch + 1];
  const [a, b, c] = [triangles[3 * start], triangles[3 * start + 1], triangles[3 * start + 2]];
  for (let i = 3 * start + 3; i < 3 * end; i++) {
    const d = triangles[i];
    if (d !== a && d !== b && d !== c && exactSideOf(positions, a, b, c, d) !== 0) return false;
  }
  const axis = findShadowAxis(positions, a, b, c);
  const covered = [false, false];
  const missed = [false, false];
  for (let t = start; t < end; t++) {
    const turn = exactTurnAlong(positions, axis, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
    (sources[t] >= 0 ? covered : missed)[turn > 0 ? 1 : 0] = true;
  }
  return (covered[0] && missed[0]) || (covered[1] && missed[1]);
}

/** The faces of a flat patch, grouped so that each group is a convex polygon. Groups and faces keep their order. */
export function joinConvexly(mesh: Mesh, faces: Uint32Array): number[][] {
  const polygons = new FlatPolygons(mesh, faces);
  for (const edge of polygons.listInnerEdges()) polygons.tryJoin(edge);
  const parts = new Map<number, number[]>();
  for (const [i, face] of faces.entries()) {
    const polygon = polygons.polygonOf(i);
    const part = parts.get(polygon);
    if (part === undefined) parts.set(polygon, [face]);
    else part.push(face);
  }
  return [...parts.values()];
}

/** Convex polygons in one plane, at first triangles: rims of half-edges; 3i + k leaves corner k of face i. */
class FlatPolygons {
  readonly #positions: Float64Array;
  readonly #axis: number;
  readonly #origins: Uint32Array;
  readonly #twins: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** A face of the same polygon, nearer to its representative face; that face has itself. */
  readonly #toward: Int32Array;
  /** For each face whether it is counter-clockwise in the projection. */
  readonly #turns: Int8Array;

  constructor({ positions, indices }: Mesh, faces: Uint32Array) {
    const count = 3 * faces.length;
    this.#positions = positions;
    this.#origins = new Uint32Array(count);
    this.#twins = new Int32Array(count).fill(-1);
    this.#next = new Int32Array(count);
    this.#previous = new Int32Array(count);
    this.#toward = Int32Array.from(faces, (_, i) => i);
    for (let h = 0; h < count; h++) {
      this.#origins[h] = indices[3 * faces[(h / 3) | 0] + (h % 3)];
      this.#next[h] = nextHalfEdge(h);
      this.#previous[h] = previousHalfEdge(h);
    }
    this.#axis = findShadowAxis(positions, this.#origins[0], this.#origins[1], this.#origins[2]);
    this.#turns = Int8Array.from(faces, (_, i) => (this.#turnAt(3 * i, 3 * i + 1, 3 * i + 2) > 0 ? 1 : -1));
    const vertices = positions.length / 3;
    const halfEdges = new Map<number, number>();
    for (let h = 0; h < count; h++) halfEdges.set(this.#origins[h] * vertices + this.#end(h), h);
    for (let h = 0; h < count; h++) this.#twins[h] = halfEdges.get(this.#end(h) * vertices + this.#origins[h]) ?? -1;
  }

  /** One half-edge of each edge between two faces that face the same way, the longest first. */
  listInnerEdges(): number[] {
    const edges: number[] = [];
    const squares = new Float64Array(this.#twins.length);
    for (let h = 0; h < this.#twins.length; h++) {
      const twin = this.#twins[h];
      if (twin < h || this.#turns[(h / 3) | 0] !== this.#turns[(twin / 3) | 0]) continue;
      const a = 3 * this.#origins[h];
      const b = 3 * this.#end(h);
      for (let k = 0; k < 3; k++) squares[h] += (this.#positions[b + k] - this.#positions[a + k]) ** 2;
      edges.push(h);
    }
    return edges.sort((g, h) => squares[h] - squares[g] || g - h);
  }

  /** Merges the two polygons at an edge if the result is convex. */
  tryJoin(halfEdge: number): void {
    const next = this.#next;
    const previous = this.#previous;
    const twins = this.#twins;
    const one = this.polygonOf((halfEdge / 3) | 0);
    const other = this.polygonOf((twins[halfEdge] / 3) | 0);
    if (one === other) return;
    // What two convex polygons have in common is a straight run of edges, not a whole rim.
    let first = halfEdge;
    let last = halfEdge;
    while (twins[previous[first]] === next[twins[first]] && previous[first] !== halfEdge) first = previous[first];
    while (twins[next[last]] === previous[twins[last]] && next[last] !== halfEdge) last = next[last];
    const before = previous[first];
    const after = next[twins[first]];
    const beforeTwin = previous[twins[last]];
    const afterTwin = next[last];
    const turn = this.#turns[(halfEdge / 3) | 0];
    if (this.#turnAt(before, after, next[after]) * turn < 0) return;
    if (this.#turnAt(beforeTwin, afterTwin, next[afterTwin]) * turn < 0) return;
    next[before] = after;
    previous[after] = before;
    next[beforeTwin] = afterTwin;
    previous[afterTwin] = beforeTwin;
    this.#toward[Math.max(one, other)] = Math.min(one, other);
  }

  /** The representative, lowest face of a face's polygon. */
  polygonOf(face: number): number {
    const toward = this.#toward;
    while (toward[face] !== face) {
      toward[face] = toward[toward[face]];
      face = toward[face];
    }
    return face;
  }

  #end(halfEdge: number): number {
    return this.#origins[nextHalfEdge(halfEdge)];
  }

  /** Positive for a left turn from the origin of the first half-edge by the second's to the third's, exactly. */
  #turnAt(first: number, second: number, third: number): number {
    const { [first]: a, [second]: b, [third]: c } = this.#origins;
    return exactTurnAlong(this.#positions, this.#axis, a, b, c);
  }
}

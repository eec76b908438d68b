// Seams: edges that are open by their vertex ids, but lie exactly on each other, as where texture coordinates or normals
// split the vertices of a solid. Their ends are joined for the topology; nothing is moved or renumbered. Vertices away
// from open edges are left alone, so that solids that touch stay apart. O(vertices + triangles).

import { sortByKey } from '../../core/counting-sort.js';
import { DisjointSets } from '../../core/disjoint-sets.js';
import type { Mesh } from '../mesh.js';
import type { MeshAdjacency } from './adjacency.js';
import { findEqualVertices } from './coincident-vertices.js';
import { nextHalfEdge } from './half-edges.js';

/** The faces of a mesh with its seams closed. */
export interface WeldedSeams {
  /** The mesh's ids, in which vertices joined at seams have the lowest of theirs. The same array if it has no seams. */
  readonly indices: Uint32Array;
  /** Vertices whose faces now name another one. */
  readonly weldedVertices: number;
}

/**
 * Joins the ends of open edges that coincide.
 *
 * Two of these edges are joined. Where more coincide, those of one connected part are joined if there are two of them, so
 * that two boxes that touch along an edge stay two boxes; the rest become one edge of many faces. The ends of an open
 * edge without length are joined too: its face then names a vertex twice, and has no edges. Which vertices are joined
 * depends on where the faces are and on which vertices they share, not on the order of faces, corners or vertices.
 * @param byId the edges of the mesh by its own ids.
 */
export function weldSeams({ positions, indices }: Mesh, byId: MeshAdjacency): WeldedSeams {
  const { edgeStart, edgeHalfEdges } = byId;
  const open = findOddEdges(byId);
  const unchanged = { indices, weldedVertices: 0 };
  if (open.length === 0) return unchanged;
  const vertices = positions.length / 3;
  const atRim = new Uint8Array(vertices);
  for (let i = 0; i < open.length; i++) {
    const h = edgeHalfEdges[edgeStart[open[i]]];
    atRim[indices[h]] = 1;
    atRim[indices[nextHalfEdge(h)]] = 1;
  }
  const place = findEqualVertices(positions, atRim);
  if (!place.some((lowest, vertex) => lowest !== vertex)) return unchanged;

  const joined = new DisjointSets(vertices);
  const seams = groupByPlace(open, byId, indices, place, joined);
  joinSeams(seams, indices, place, joined, connectById(byId, indices.length / 3));
  let weldedVertices = 0;
  for (let vertex = 0; vertex < vertices; vertex++) if (joined.find(vertex) !== vertex) weldedVertices++;
  if (weldedVertices === 0) return unchanged;
  return { indices: indices.map((vertex) => joined.find(vertex)), weldedVertices };
}

/** The edges of an odd number of faces: another must lie on each of them if the mesh bounds a solid. */
function findOddEdges({ edgeCount, edgeStart }: MeshAdjacency): Uint32Array {
  let count = 0;
  for (let e = 0; e < edgeCount; e++) count += (edgeStart[e + 1] - edgeStart[e]) & 1;
  const odd = new Uint32Array(count);
  let end = 0;
  for (let e = 0; e < edgeCount; e++) if (((edgeStart[e + 1] - edgeStart[e]) & 1) === 1) odd[end++] = e;
  return odd;
}

/** Half-edges that lie on each other, by group: those of group g are `members[start[g]]` up to before `start[g + 1]`. */
interface Seams {
  readonly members: Uint32Array;
  readonly start: readonly number[];
}

/**
 * Groups the open edges by the places of their ends, each by one of its half-edges. Joins the ends of those without length,
 * and leaves out their faces: edges that have an even number of others are not open. All faces of an edge without length
 * are left out, whichever comes first, so that nothing depends on the order of faces.
 */
function groupByPlace(
  open: Uint32Array,
  { edgeStart, edgeHalfEdges }: MeshAdjacency,
  indices: Uint32Array,
  place: Uint32Array,
  joined: DisjointSets,
): Seams {
  const lows = new Uint32Array(indices.length);
  const highs = new Uint32Array(indices.length);
  const collapsed = new Uint8Array(indices.length / 3);
  for (let i = 0; i < open.length; i++) {
    const [first, end] = [edgeStart[open[i]], edgeStart[open[i] + 1]];
    const from = indices[edgeHalfEdges[first]];
    const to = indices[nextHalfEdge(edgeHalfEdges[first])];
    if (place[from] !== place[to]) continue;
    joined.unite(from, to);
    for (let k = first; k < end; k++) collapsed[Math.floor(edgeHalfEdges[k] / 3)] = 1;
  }
  const whole = new Uint32Array(open.length);
  let count = 0;
  for (let i = 0; i < open.length; i++) {
    let faces = 0;
    let h = 0;
    for (let k = edgeStart[open[i]]; k < edgeStart[open[i] + 1]; k++) {
      if (collapsed[Math.floor(edgeHalfEdges[k] / 3)]) continue;
      h = edgeHalfEdges[k];
      faces++;
    }
    if ((faces & 1) === 0) continue;
    const from = place[indices[h]];
    const to = place[indices[nextHalfEdge(h)]];
    lows[h] = Math.min(from, to);
    highs[h] = Math.max(from, to);
    whole[count++] = h;
  }
  const vertices = place.length;
  const members = sortByKey(sortByKey(whole.subarray(0, count), highs, vertices), lows, vertices);
  const start: number[] = [];
  for (let i = 0; i < members.length; i++) {
    const h = members[i];
    const before = members[i - 1];
    if (i === 0 || lows[h] !== lows[before] || highs[h] !== highs[before]) start.push(i);
  }
  start.push(members.length);
  return { members, start };
}

/** Sets of faces connected across edges by id. */
function connectById({ edgeCount, edgeStart, edgeHalfEdges }: MeshAdjacency, faces: number): DisjointSets {
  const parts = new DisjointSets(faces);
  for (let e = 0; e < edgeCount; e++) {
    const first = Math.floor(edgeHalfEdges[edgeStart[e]] / 3);
    for (let i = edgeStart[e] + 1; i < edgeStart[e + 1]; i++) parts.unite(first, Math.floor(edgeHalfEdges[i] / 3));
  }
  return parts;
}

/** Joins the ends of the half-edges of each group: pairs first, since they tell which faces belong together. */
function joinSeams(
  { members, start }: Seams,
  indices: Uint32Array,
  place: Uint32Array,
  joined: DisjointSets,
  parts: DisjointSets,
): void {
  const join = (h: number, g: number): void => {
    const straight = place[indices[h]] === place[indices[g]];
    joined.unite(indices[h], indices[straight ? g : nextHalfEdge(g)]);
    joined.unite(indices[nextHalfEdge(h)], indices[straight ? nextHalfEdge(g) : g]);
  };
  for (let group = 0; group + 1 < start.length; group++) {
    if (start[group + 1] - start[group] !== 2) continue;
    const [h, g] = [members[start[group]], members[start[group] + 1]];
    join(h, g);
    parts.unite(Math.floor(h / 3), Math.floor(g / 3));
  }
  for (let group = 0; group + 1 < start.length; group++) {
    if (start[group + 1] - start[group] <= 2) continue;
    const byPart = new Map<number, number[]>();
    for (let i = start[group]; i < start[group + 1]; i++) {
      const part = parts.find(Math.floor(members[i] / 3));
      const held = byPart.get(part);
      if (held === undefined) byPart.set(part, [members[i]]);
      else held.push(members[i]);
    }
    const rest: number[] = [];
    for (const held of byPart.values()) {
      if (held.length === 2) join(held[0], held[1]);
      else rest.push(...held);
    }
    for (let i = 1; i < rest.length; i++) join(rest[0], rest[i]);
  }
}

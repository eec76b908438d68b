// A face whose corner m lies on its longest side uv has no area, but its vertex is needed: dropping the face would
// leave a slit. It is merged into the neighbor uvc across uv, which is split into umc and mvc. O(1) per face.

import type { Mesh } from '../mesh.js';
import { buildAdjacencyById, nextHalfEdge, previousHalfEdge } from '../topology/adjacency.js';
import { isDegenerateFace, shortSideLimit, sideLengths } from '../topology/degenerate-faces.js';
import { type DroppedFaces, keepFaces } from '../topology/keep-faces.js';

export interface MergedFlatFaces extends DroppedFaces {
  /** Neighbors that were split in two. */
  readonly splitFaces: number;
  /** Whether degenerate faces with a side of zero length remain, to be collapsed. */
  readonly hasShortSides: boolean;
}

/**
 * Removes the degenerate faces that have no side of zero length; no face may name a vertex twice. A face without a
 * neighbor across its longest side is dropped. A split may create an edge mc that exists already; four faces then share
 * it. The sum of the faces' oriented boundaries is unchanged, so a closed, oriented mesh stays closed and oriented.
 */
export function mergeFlatFaces(mesh: Mesh): MergedFlatFaces {
  const faces = mesh.indices.length / 3;
  const queue: number[] = [];
  for (let face = 0; face < faces; face++) if (isDegenerateFace(mesh, face)) queue.push(face);

  const current = { positions: mesh.positions, indices: mesh.indices.slice() };
  const sources = Uint32Array.from({ length: faces }, (_, face) => face);
  const dropped = new Uint8Array(faces);
  let splitFaces = 0;
  let hasShortSides = false;
  const twin = queue.length > 0 ? pairHalfEdges(mesh) : new Int32Array();
  // A split next to another flat face may leave flat faces with shorter sides; a few splits per face suffice.
  const splitLimit = 8 * queue.length;
  for (let i = 0; i < queue.length; i++) {
    const face = queue[i];
    if (dropped[face] || !isDegenerateFace(current, face)) continue;
    const sides = sideLengths(current, face);
    if (Math.min(...sides) <= shortSideLimit(sides)) {
      hasShortSides = true;
      continue;
    }
    const longest = 3 * face + sides.indexOf(Math.max(...sides));
    const neighbor = twin[longest] < 0 ? -1 : Math.floor(twin[longest] / 3);
    if (neighbor >= 0 && coverEachOther(current.indices, longest, twin[longest])) {
      dropped[face] = 1;
      dropped[neighbor] = 1;
      joinBeyond(twin, current.indices, longest);
    } else if (neighbor >= 0 && splitFaces < splitLimit) {
      splitFaces++;
      sources[face] = sources[neighbor];
      splitAcross(twin, current.indices, longest);
      queue.push(face, neighbor);
    } else {
      dropped[face] = 1;
      for (let h = 3 * face; h < 3 * face + 3; h++) if (twin[h] >= 0) twin[twin[h]] = -1;
    }
  }
  const kept: number[] = [];
  for (let face = 0; face < faces; face++) if (!dropped[face]) kept.push(face);
  const result = keepFaces(current, kept);
  return {
    mesh: result.mesh,
    droppedFaces: result.droppedFaces + splitFaces,
    splitFaces,
    hasShortSides,
    sourceFaces: result.sourceFaces.map((face) => sources[face]),
  };
}

/** Twins as in the adjacency; where more than two faces meet, any pairs of opposite direction. */
function pairHalfEdges(mesh: Mesh): Int32Array {
  const { edgeCount, edgeVertices, edgeStart, edgeHalfEdges, twin } = buildAdjacencyById(mesh);
  for (let e = 0; e < edgeCount; e++) {
    if (edgeStart[e + 1] - edgeStart[e] <= 2) continue;
    const members = [...edgeHalfEdges.subarray(edgeStart[e], edgeStart[e + 1])];
    const forward = members.filter((h) => mesh.indices[h] === edgeVertices[2 * e]);
    const backward = members.filter((h) => mesh.indices[h] !== edgeVertices[2 * e]);
    for (let i = 0; i < Math.min(forward.length, backward.length); i++) {
      twin[forward[i]] = backward[i];
      twin[backward[i]] = forward[i];
    }
  }
  return twin;
}

/** Whether the two faces at an edge have the same three vertices. */
function coverEachOther(indices: Uint32Array, h: number, t: number): boolean {
  return indices[previousHalfEdge(h)] === indices[previousHalfEdge(t)];
}

/** The other two sides of the face of half-edge `h`: the one at vertex `u` of that half-edge, then the other. */
function otherSides(indices: Uint32Array, h: number, u: number): [number, number] {
  return indices[h] === u ? [previousHalfEdge(h), nextHalfEdge(h)] : [nextHalfEdge(h), previousHalfEdge(h)];
}

/** Unlinks two faces that cover each other; the faces beyond their other sides become neighbors. */
function joinBeyond(twin: Int32Array, indices: Uint32Array, h: number): void {
  const u = indices[h];
  const ofFace = otherSides(indices, h, u);
  const ofNeighbor = otherSides(indices, twin[h], u);
  for (let k = 0; k < 2; k++) {
    const a = twin[ofFace[k]];
    const b = twin[ofNeighbor[k]];
    if (a >= 0) twin[a] = b;
    if (b >= 0) twin[b] = a;
  }
}

/** Splits the neighbor across half-edge `h` at the face's opposite corner; the halves replace the two faces. */
function splitAcross(twin: Int32Array, indices: Uint32Array, h: number): void {
  const t = twin[h];
  const u = indices[t];
  const v = indices[nextHalfEdge(t)];
  const c = indices[previousHalfEdge(t)];
  const m = indices[previousHalfEdge(h)];
  const [sideAtU, sideAtV] = otherSides(indices, h, u);
  const beyond = { um: twin[sideAtU], mv: twin[sideAtV], vc: twin[nextHalfEdge(t)], cu: twin[previousHalfEdge(t)] };
  const face = 3 * Math.floor(h / 3);
  const neighbor = 3 * Math.floor(t / 3);
  const link = (a: number, b: number): void => {
    twin[a] = b;
    if (b >= 0) twin[b] = a;
  };
  indices.set([u, m, c], neighbor);
  indices.set([m, v, c], face);
  link(neighbor, beyond.um);
  link(neighbor + 1, face + 2);
  link(neighbor + 2, beyond.cu);
  link(face, beyond.mv);
  link(face + 1, beyond.vc);
}

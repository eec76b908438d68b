// The parts of a solid that can touch another one, in flat tables: facets, the convex edges between faces that are not coplanar,
// and the vertices where these edges meet in a summit. Concave edges, edges within a plane and vertices inside of a face
// or an edge touch nothing that other features do not touch too. O(triangles), once per model.
import type { Part } from '../../core/derived-parts.js';
import { DEGENERATE_HEIGHT } from '../../core/tolerances.js';
import type { Mesh } from '../../mesh/mesh.js';
import { buildAdjacency, type MeshAdjacency, nextHalfEdge } from '../../mesh/topology/adjacency.js';
import { OUTWARD_SURFACE } from '../../proximity/model-parts.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { buildFacets, CONCAVE_SIDE, CONVEX_SIDE, type Facets, FLAT_SIDE } from './facets.js';

/**
 * Rounding: faces whose normals differ by less than this sine count as coplanar, and the edge between them as part of
 * the plane.
 */
const FLAT = 1e-6;

/** Chosen: a vertex with more edges than this counts as a summit without a proof. */
const MAX_EDGES = 32;

/** The features of one solid, in its own frame. */
export interface ContactFeatures {
  readonly positions: Float64Array;
  /** Three vertex ids per triangle; vertices joined at seams have one id. */
  readonly corners: Uint32Array;
  /** Unit normal and offset of each triangle's plane, n · x = offset; all zero for one without area. Four each. */
  readonly trianglePlanes: Float64Array;
  readonly vertexCount: number;
  readonly edgeCount: number;
  readonly facets: Facets;
  /** Two vertex ids per convex edge. */
  readonly edgeVertices: Uint32Array;
  /** Unit direction and length of each convex edge, from its first vertex. Four per edge. */
  readonly edgeLines: Float64Array;
  /** Per convex edge, for each of its two faces: the unit direction in the face that leads away from the edge. Six each. */
  readonly edgeFalls: Float64Array;
  /** The unit directions of the convex edges at vertex `v`: from 3 × `fallStart[v]` up to before 3 × `fallStart[v + 1]`. */
  readonly vertexFalls: Float64Array;
  readonly fallStart: Uint32Array;
  /** The vertices that can touch something: those where the surface falls away on all sides. */
  readonly summits: Uint32Array;
  /** 1 for a summit, by vertex. */
  readonly isSummit: Uint8Array;
  /** Per convex edge, the summits at its two ends that belong to it, −1 for none: each belongs to one edge. Two each. */
  readonly ownSummits: Int32Array;
  /** The largest absolute coordinate. */
  readonly magnitude: number;
}

/** The features of a model that can touch another. */
export const CONTACT_FEATURES: Part<ProximityModel, ContactFeatures> = {
  name: 'contact features',
  make: ({ parts, magnitude }) => buildContactFeatures(parts.get(OUTWARD_SURFACE).mesh, magnitude),
};

/** Finds the features of a closed mesh whose faces point outward. */
export function buildContactFeatures(mesh: Mesh, magnitude: number): ContactFeatures {
  const { positions } = mesh;
  const adjacency = buildAdjacency(mesh);
  const corners = adjacency.indices;
  const { planes, sides } = buildPlanes(positions, corners);
  const { sideKinds, edgeOfSide, edges } = findConvexEdges(positions, planes, adjacency);
  const edgeCount = edges.length;
  const edgeVertices = new Uint32Array(2 * edgeCount);
  const edgeLines = new Float64Array(4 * edgeCount);
  const edgeFalls = new Float64Array(6 * edgeCount);
  edges.forEach(([h, g], e) => {
    const from = corners[h];
    const to = corners[nextHalfEdge(h)];
    edgeVertices[2 * e] = from;
    edgeVertices[2 * e + 1] = to;
    writeLine(positions, from, to, edgeLines, 4 * e);
    // The plane of a side is positive inside: its normal leads away from the side.
    for (let k = 0; k < 3; k++) {
      edgeFalls[6 * e + k] = sides[4 * h + k];
      edgeFalls[6 * e + 3 + k] = sides[4 * g + k];
    }
  });
  // At a summit the extreme ones of all edges are convex: they alone bound its cone.
  const summits = findSummits(corners, planes, collectFalls(positions, adjacency.edgeVertices));
  const { fallStart, vertexFalls } = collectFalls(positions, edgeVertices);
  return {
    positions,
    corners,
    trianglePlanes: planes,
    vertexCount: positions.length / 3,
    edgeCount,
    facets: buildFacets(positions, adjacency, planes, sides, sideKinds, edgeOfSide, magnitude),
    edgeVertices,
    edgeLines,
    edgeFalls,
    vertexFalls,
    fallStart,
    summits: Uint32Array.from(summits.keys()).filter((v) => summits[v] === 1),
    isSummit: summits,
    ownSummits: assignSummits(edgeVertices, summits),
    magnitude,
  };
}

function buildPlanes(p: Float64Array, corners: Uint32Array) {
  const planes = new Float64Array((4 * corners.length) / 3);
  const sides = new Float64Array(4 * corners.length);
  const line = new Float64Array(4);
  for (let h = 0; h < corners.length; h += 3) {
    const a = 3 * corners[h];
    const b = 3 * corners[h + 1];
    const c = 3 * corners[h + 2];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const longest = Math.max(
      ux * ux + uy * uy + uz * uz,
      vx * vx + vy * vy + vz * vz,
      (vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2,
    );
    if (!(size > DEGENERATE_HEIGHT * longest)) continue;
    nx /= size;
    ny /= size;
    nz /= size;
    const o = (4 * h) / 3;
    planes[o] = nx;
    planes[o + 1] = ny;
    planes[o + 2] = nz;
    planes[o + 3] = nx * p[a] + ny * p[a + 1] + nz * p[a + 2];
    for (let k = 0; k < 3; k++) {
      const from = corners[h + k];
      writeLine(p, from, corners[h + ((k + 1) % 3)], line, 0);
      const s = 4 * (h + k);
      sides[s] = ny * line[2] - nz * line[1];
      sides[s + 1] = nz * line[0] - nx * line[2];
      sides[s + 2] = nx * line[1] - ny * line[0];
      sides[s + 3] = sides[s] * p[3 * from] + sides[s + 1] * p[3 * from + 1] + sides[s + 2] * p[3 * from + 2];
    }
  }
  return { planes, sides };
}

/** Writes the unit direction from one vertex to another, and their distance. */
function writeLine(p: Float64Array, from: number, to: number, out: Float64Array, at: number): void {
  const x = p[3 * to] - p[3 * from];
  const y = p[3 * to + 1] - p[3 * from + 1];
  const z = p[3 * to + 2] - p[3 * from + 2];
  const size = Math.sqrt(x * x + y * y + z * z);
  const share = size > 0 ? 1 / size : 0;
  out[at] = x * share;
  out[at + 1] = y * share;
  out[at + 2] = z * share;
  out[at + 3] = size;
}

/** How the surface bends at each half-edge, and the convex edges as pairs of half-edges. */
function findConvexEdges(p: Float64Array, planes: Float64Array, adjacency: MeshAdjacency) {
  const { indices: corners, twin } = adjacency;
  const sideKinds = new Uint8Array(corners.length);
  const edgeOfSide = new Int32Array(corners.length).fill(-1);
  const edges: (readonly [number, number])[] = [];
  for (let h = 0; h < corners.length; h++) {
    const g = twin[h];
    if (g < 0) {
      // More than two faces meet here. In the gaps between them the edge is concave.
      sideKinds[h] = CONCAVE_SIDE;
      continue;
    }
    if (g < h) continue;
    const bend = bendAt(p, planes, corners, h, g);
    const kind = Math.abs(bend) <= FLAT ? FLAT_SIDE : bend > 0 ? CONVEX_SIDE : CONCAVE_SIDE;
    sideKinds[h] = kind;
    sideKinds[g] = kind;
    if (kind !== CONVEX_SIDE) continue;
    edgeOfSide[h] = edges.length;
    edgeOfSide[g] = edges.length;
    edges.push([h, g]);
  }
  return { sideKinds, edgeOfSide, edges };
}

/** The sine of the angle between two faces: positive where convex; beyond a right angle 1 or −1. 0 next to no area. */
function bendAt(p: Float64Array, planes: Float64Array, corners: Uint32Array, h: number, g: number): number {
  const m = (4 * (h - (h % 3))) / 3;
  const n = (4 * (g - (g % 3))) / 3;
  const from = 3 * corners[h];
  const to = 3 * corners[nextHalfEdge(h)];
  const ex = p[to] - p[from];
  const ey = p[to + 1] - p[from + 1];
  const ez = p[to + 2] - p[from + 2];
  const size = Math.sqrt(ex * ex + ey * ey + ez * ez);
  if (!(size > 0) || isEmpty(planes, m) || isEmpty(planes, n)) return 0;
  const cx = planes[m + 1] * planes[n + 2] - planes[m + 2] * planes[n + 1];
  const cy = planes[m + 2] * planes[n] - planes[m] * planes[n + 2];
  const cz = planes[m] * planes[n + 1] - planes[m + 1] * planes[n];
  const sine = (cx * ex + cy * ey + cz * ez) / size;
  const cosine = planes[m] * planes[n] + planes[m + 1] * planes[n + 1] + planes[m + 2] * planes[n + 2];
  return cosine >= 0 ? sine : sine >= 0 ? 1 : -1;
}

function isEmpty(planes: Float64Array, at: number): boolean {
  return planes[at] === 0 && planes[at + 1] === 0 && planes[at + 2] === 0;
}

interface VertexFalls {
  readonly fallStart: Uint32Array;
  readonly vertexFalls: Float64Array;
}

/** The unit directions of edges at each of their vertices. @param ends two vertex ids per edge. */
function collectFalls(p: Float64Array, ends: ArrayLike<number>): VertexFalls {
  const vertices = p.length / 3;
  const fallStart = new Uint32Array(vertices + 1);
  for (let i = 0; i < ends.length; i++) fallStart[ends[i] + 1]++;
  for (let v = 0; v < vertices; v++) fallStart[v + 1] += fallStart[v];
  const next = fallStart.slice();
  const vertexFalls = new Float64Array(3 * ends.length);
  const line = new Float64Array(4);
  for (let i = 0; i < ends.length; i++) {
    writeLine(p, ends[i], ends[i ^ 1], line, 0);
    const at = 3 * next[ends[i]]++;
    for (let k = 0; k < 3; k++) vertexFalls[at + k] = line[k];
  }
  return { fallStart, vertexFalls };
}

/** The vertices that are the highest point around them in some direction out of the solid, and in a whole cone of them. */
function findSummits(
  corners: Uint32Array,
  planes: Float64Array,
  { fallStart, vertexFalls: falls }: VertexFalls,
): Uint8Array {
  const vertices = fallStart.length - 1;
  const outward = new Float64Array(3 * vertices);
  for (let h = 0; h < corners.length; h++) {
    const m = (4 * (h - (h % 3))) / 3;
    for (let k = 0; k < 3; k++) outward[3 * corners[h] + k] += planes[m + k];
  }
  const summits = new Uint8Array(vertices);
  for (let v = 0; v < vertices; v++) {
    const first = 3 * fallStart[v];
    const end = 3 * fallStart[v + 1];
    if (end - first < 9) continue;
    if (end - first > 3 * MAX_EDGES) {
      summits[v] = 1;
      continue;
    }
    // The cone of directions from which all edges fall is bounded by planes; it has an inside if its corners add up to one.
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let i = first; i < end; i += 3) {
      for (let j = i + 3; j < end; j += 3) {
        const x = falls[i + 1] * falls[j + 2] - falls[i + 2] * falls[j + 1];
        const y = falls[i + 2] * falls[j] - falls[i] * falls[j + 2];
        const z = falls[i] * falls[j + 1] - falls[i + 1] * falls[j];
        const size = Math.sqrt(x * x + y * y + z * z);
        if (!(size > FLAT)) continue;
        for (let side = 1 / size; ; side = -side) {
          let falling = true;
          for (let k = first; k < end && falling; k += 3) {
            falling = side * (falls[k] * x + falls[k + 1] * y + falls[k + 2] * z) <= FLAT;
          }
          if (falling) {
            sx += side * x;
            sy += side * y;
            sz += side * z;
          }
          if (side < 0) break;
        }
      }
    }
    const out = sx * outward[3 * v] + sy * outward[3 * v + 1] + sz * outward[3 * v + 2];
    if (out > 0) summits[v] = 1;
  }
  return summits;
}

/** Each summit goes to the lowest edge that ends there. */
function assignSummits(edgeVertices: Uint32Array, summits: Uint8Array): Int32Array {
  const own = new Int32Array(edgeVertices.length).fill(-1);
  const taken = new Uint8Array(summits.length);
  for (let i = 0; i < edgeVertices.length; i++) {
    const v = edgeVertices[i];
    if (summits[v] === 0 || taken[v] === 1) continue;
    taken[v] = 1;
    own[i] = v;
  }
  return own;
}

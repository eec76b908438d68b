// The directions in which the features of a solid can make contact. A face has its normal; a convex edge has all between
// the normals of its two faces; a vertex has those from which all its edges fall away, bounded by the corners of that
// region of the sphere. Concave edges and most saddles have none. O(vertices × edges at a vertex, cubed, up to a limit).
import { groupByKey } from '../../core/counting-sort.js';
import { bytesOf } from '../../core/derived-parts.js';
import { previousHalfEdge } from '../../mesh/topology/adjacency.js';
import type { ContactSurface } from './contact-surface.js';

/**
 * Chosen: an edge is concave beyond this slope, in radians; below it, it is flat within the tolerances of the local
 * condition.
 */
const CONCAVE = 1e-6;
/**
 * Chosen: an edge at a vertex does not rise up to this slope, in radians, which is more than the local condition
 * allows.
 */
const RISE = 1e-8;
/** Rounding: cosines are off by less than this. */
const COSINE_ROUNDING = 1e-12;
/** Chosen: if edges at a vertex are closer to parallel than this (one minus the cosine), its region is ill-defined. */
const PARALLEL = 1e-6;
/** Chosen: rounding matters for the directions of edges shorter than this share of the coordinates. */
const SHORT = 1e-5;
/** Chosen: vertices with more edges than this get only a coarse bound. */
const MAX_EDGES = 16;

/** The input for finding directions. */
type Surroundings = Omit<ContactSurface, 'directions' | 'cones' | 'spheres' | 'nodeCones'>;

/** The directions of the vertices and edges of one surface. */
export class ContactDirections {
  /** x, y, z of the directions that bound those of vertex `v`: from 3 × `start[v]` up to before 3 × `start[v + 1]`. */
  readonly vertexDirections: Float64Array;
  readonly start: Uint32Array;
  /** 1 for a vertex or half-edge with unknown directions. */
  readonly unknownVertices: Uint8Array;
  readonly unknownEdges: Uint8Array;
  /** The triangle beyond each half-edge, −1 where the edge is concave. */
  readonly beyond: Int32Array;
  readonly #surface: Surroundings;
  readonly #corners: Uint32Array;
  readonly #cornerStart: Uint32Array;
  #found: number[] = [];
  readonly #units = new Float64Array(3 * MAX_EDGES);

  constructor(surface: Surroundings) {
    this.#surface = surface;
    const { indices } = surface;
    const vertices = surface.mesh.positions.length / 3;
    this.unknownVertices = new Uint8Array(vertices);
    this.unknownEdges = new Uint8Array(indices.length);
    this.beyond = new Int32Array(indices.length).fill(-1);
    for (let h = 0; h < indices.length; h++) this.#lookBeyond(h);

    const corners = groupByKey(indices, vertices);
    this.#cornerStart = corners.start;
    this.#corners = corners.items;
    this.start = new Uint32Array(vertices + 1);
    for (let v = 0; v < vertices; v++) {
      if (!this.#findRegion(v)) this.#takeFaces(v);
      this.start[v + 1] = this.#found.length / 3;
    }
    this.vertexDirections = Float64Array.from(this.#found);
    this.#found = [];
  }

  get bytes(): number {
    const { vertexDirections, start, unknownVertices, unknownEdges, beyond } = this;
    const corners = this.#corners;
    const cornerStart = this.#cornerStart;
    return bytesOf([vertexDirections, start, unknownVertices, unknownEdges, beyond, corners, cornerStart]);
  }

  #lookBeyond(h: number): void {
    const { indices, adjacency, faceNormals: m, mesh } = this.#surface;
    const { edgeOfHalfEdge, edgeStart, edgeHalfEdges } = adjacency;
    const edge = edgeOfHalfEdge[h];
    if (edge < 0 || edgeStart[edge + 1] - edgeStart[edge] !== 2) {
      this.unknownEdges[h] = 1;
      return;
    }
    const first = edgeStart[edge];
    const g = edgeHalfEdges[first] === h ? edgeHalfEdges[first + 1] : edgeHalfEdges[first];
    const here = h - (h % 3);
    const there = g - (g % 3);
    const from = indices[h];
    const isConcave =
      slopeOver(mesh.positions, m, here, from, indices[previousHalfEdge(g)]) > CONCAVE &&
      slopeOver(mesh.positions, m, there, from, indices[previousHalfEdge(h)]) > CONCAVE;
    if (!isConcave) this.beyond[h] = there / 3;
  }

  /** Finds the corners of the region of directions from which all edges at a vertex fall away; false if unsure. */
  #findRegion(v: number): boolean {
    const { neighborStart, neighbors, mesh, vertexNormals: m, magnitude } = this.#surface;
    const units = this.#units;
    const p = mesh.positions;
    const first = neighborStart[v];
    const count = neighborStart[v + 1] - first;
    if (count < 3 || count > MAX_EDGES) return false;
    for (let k = 0; k < count; k++) {
      const w = 3 * neighbors[first + k];
      const x = p[w] - p[3 * v];
      const y = p[w + 1] - p[3 * v + 1];
      const z = p[w + 2] - p[3 * v + 2];
      const size = Math.sqrt(x * x + y * y + z * z);
      if (!(size > SHORT * magnitude)) return false;
      units[3 * k] = x / size;
      units[3 * k + 1] = y / size;
      units[3 * k + 2] = z / size;
    }
    const before = this.#found.length;
    let outward = false;
    for (let i = 0; i < 3 * count; i += 3) {
      for (let j = i + 3; j < 3 * count; j += 3) {
        const cosine = units[i] * units[j] + units[i + 1] * units[j + 1] + units[i + 2] * units[j + 2];
        if (Math.abs(cosine) > 1 - PARALLEL) {
          this.#found.length = before;
          return false;
        }
        // Where both edges rise by the largest allowed slope: along their sum, and perpendicular to both on either side.
        const along = RISE / (1 + cosine);
        const across = Math.sqrt((1 - 2 * along * RISE) / (1 - cosine * cosine));
        for (const side of [across, -across]) {
          const x = along * (units[i] + units[j]) + side * (units[i + 1] * units[j + 2] - units[i + 2] * units[j + 1]);
          const y = along * (units[i + 1] + units[j + 1]) + side * (units[i + 2] * units[j] - units[i] * units[j + 2]);
          const z = along * (units[i + 2] + units[j + 2]) + side * (units[i] * units[j + 1] - units[i + 1] * units[j]);
          let falls = true;
          for (let k = 0; k < 3 * count && falls; k += 3) {
            falls = units[k] * x + units[k + 1] * y + units[k + 2] * z <= RISE + COSINE_ROUNDING;
          }
          if (!falls) continue;
          this.#found.push(x, y, z);
          outward ||= m[3 * v] * x + m[3 * v + 1] * y + m[3 * v + 2] * z >= -CONCAVE;
        }
      }
    }
    // The bottom of a pit: all edges fall away into the solid.
    if (!outward) this.#found.length = before;
    return true;
  }

  /** Takes the normals of all faces at a vertex: their convex combinations contain the region. */
  #takeFaces(v: number): void {
    const { faceNormals: m } = this.#surface;
    for (let k = this.#cornerStart[v]; k < this.#cornerStart[v + 1]; k++) {
      const h = this.#corners[k] - (this.#corners[k] % 3);
      // A face without area has no normal, and the other faces at its vertices do not determine one.
      if (m[h] === 0 && m[h + 1] === 0 && m[h + 2] === 0) this.unknownVertices[v] = 1;
      this.#found.push(m[h], m[h + 1], m[h + 2]);
    }
  }
}

/** The slope from one vertex to another relative to the plane of the face of half-edge `h`. */
function slopeOver(p: Float64Array, normals: Float64Array, h: number, from: number, to: number): number {
  const x = p[3 * to] - p[3 * from];
  const y = p[3 * to + 1] - p[3 * from + 1];
  const z = p[3 * to + 2] - p[3 * from + 2];
  const size = Math.sqrt(x * x + y * y + z * z);
  return size > 0 ? (x * normals[h] + y * normals[h + 1] + z * normals[h + 2]) / size : 0;
}

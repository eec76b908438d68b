// What the search for contacts needs of one model besides its triangles: the surroundings of each vertex and edge, and
// which side is outside. Vertices that coincide at seams are one here, so that a triangle soup has closed seams.
// Derived once per model, O(vertices + triangles). Normals at vertices are weighted by angle (Baerentzen and Aanaes 2005).
import { groupByKey } from '../../core/counting-sort.js';
import { DEGENERATE_HEIGHT } from '../../core/tolerances.js';
import type { Mesh } from '../../mesh/mesh.js';
import { buildAdjacency, type MeshAdjacency } from '../../mesh/topology/adjacency.js';
import { buildTriangleCones, NodeCones } from './contact-cones.js';
import { ContactDirections } from './contact-directions.js';

/** The surroundings of every feature of a mesh. Vertex ids are those of `indices`, edges those of `adjacency`. */
export interface ContactSurface {
  readonly mesh: Mesh;
  /** Whether the mesh is treated as a solid, so that only its outer side makes contact. */
  readonly closed: boolean;
  /** As the mesh's, but equal vertices have the lowest of their ids. Length 3 × triangles. */
  readonly indices: Uint32Array;
  readonly adjacency: MeshAdjacency;
  /** The neighbors of vertex `v` over edges are `neighbors[neighborStart[v]]` up to before `neighborStart[v + 1]`. */
  readonly neighborStart: Uint32Array;
  readonly neighbors: Uint32Array;
  /** Unit normal of each triangle, zero if it has no area. */
  readonly faceNormals: Float64Array;
  /** Sum of the normals of the triangles at each vertex, weighted by their angles; unit or zero. */
  readonly vertexNormals: Float64Array;
  /** The largest absolute coordinate: rounding is relative to it. */
  readonly magnitude: number;
  /** The diagonal of the box around the model. */
  readonly diagonal: number;
  /** The directions in which vertices and edges can make contact; null if the surface is not closed. */
  readonly directions: ContactDirections | null;
  /** The cone of the normals around each triangle, in the layout of `contact-cones.ts`. */
  readonly cones: Float64Array;
  /** The smallest sphere around each triangle: center, then radius. Four numbers per triangle. */
  readonly spheres: Float64Array;
  /** The cones around the nodes of trees. */
  readonly nodeCones: NodeCones;
}

/**
 * Prepares a mesh for {@link ContactFinder}.
 * @param closed whether the mesh bounds a solid: it is closed, consistently oriented and faces outward.
 * @param known the adjacency of the mesh, if available.
 */
export function buildContactSurface(mesh: Mesh, closed: boolean, known?: MeshAdjacency): ContactSurface {
  const { positions } = mesh;
  const adjacency = known ?? buildAdjacency(mesh);
  const { indices } = adjacency;
  const { neighborStart, neighbors } = collectNeighbors(adjacency, positions.length / 3);
  const { faceNormals, vertexNormals } = sumNormals(positions, indices);
  const { magnitude, diagonal } = measureExtent(positions, indices);
  const surroundings = {
    mesh,
    closed,
    indices,
    adjacency,
    neighborStart,
    neighbors,
    faceNormals,
    vertexNormals,
    magnitude,
    diagonal,
  };
  const surface = { ...surroundings, directions: closed ? new ContactDirections(surroundings) : null };
  return {
    ...surface,
    cones: buildTriangleCones(surface),
    spheres: encloseTriangles(positions, indices),
    nodeCones: new NodeCones(),
  };
}

function collectNeighbors({ edgeVertices }: MeshAdjacency, vertices: number) {
  const { start, items } = groupByKey(edgeVertices, vertices);
  return { neighborStart: start, neighbors: items.map((end) => edgeVertices[end ^ 1]) };
}

function sumNormals(p: Float64Array, indices: Uint32Array) {
  const faceNormals = new Float64Array(indices.length);
  const vertexNormals = new Float64Array(p.length);
  for (let h = 0; h < indices.length; h += 3) {
    const a = 3 * indices[h];
    const b = 3 * indices[h + 1];
    const c = 3 * indices[h + 2];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const wx = vx - ux;
    const wy = vy - uy;
    const wz = vz - uz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz);
    if (!(doubleArea > DEGENERATE_HEIGHT * longest)) continue;
    faceNormals[h] = nx / doubleArea;
    faceNormals[h + 1] = ny / doubleArea;
    faceNormals[h + 2] = nz / doubleArea;
    const angleA = Math.atan2(doubleArea, ux * vx + uy * vy + uz * vz);
    const angleB = Math.atan2(doubleArea, -(ux * wx + uy * wy + uz * wz));
    const angleC = Math.PI - angleA - angleB;
    for (let k = 0; k < 3; k++) {
      vertexNormals[a + k] += angleA * faceNormals[h + k];
      vertexNormals[b + k] += angleB * faceNormals[h + k];
      vertexNormals[c + k] += angleC * faceNormals[h + k];
    }
  }
  for (let i = 0; i < vertexNormals.length; i += 3) {
    const size = Math.hypot(vertexNormals[i], vertexNormals[i + 1], vertexNormals[i + 2]);
    for (let k = 0; k < 3; k++) vertexNormals[i + k] = size > 0 ? vertexNormals[i + k] / size : 0;
  }
  return { faceNormals, vertexNormals };
}

function measureExtent(p: Float64Array, indices: Uint32Array) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], p[3 * indices[i] + k]);
      max[k] = Math.max(max[k], p[3 * indices[i] + k]);
    }
  }
  const magnitude = Math.max(...min.map(Math.abs), ...max.map(Math.abs));
  return { magnitude, diagonal: Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) };
}

/** The circle through the corners of an acute triangle, otherwise the one on its longest edge. */
function encloseTriangles(p: Float64Array, indices: Uint32Array): Float64Array {
  const spheres = new Float64Array((4 * indices.length) / 3);
  for (let h = 0; h < indices.length; h += 3) {
    const out = (4 * h) / 3;
    let widest = Infinity;
    const weights = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const a = 3 * indices[h + k];
      const b = 3 * indices[h + ((k + 1) % 3)];
      const c = 3 * indices[h + ((k + 2) % 3)];
      let cosine = 0;
      let opposite = 0;
      for (let i = 0; i < 3; i++) {
        cosine += (p[b + i] - p[a + i]) * (p[c + i] - p[a + i]);
        opposite += (p[c + i] - p[b + i]) ** 2;
      }
      // Barycentric weights of the circle's center.
      weights[k] = opposite * cosine;
      if (cosine >= widest) continue;
      widest = cosine;
      for (let i = 0; i < 3; i++) spheres[out + i] = (p[b + i] + p[c + i]) / 2;
    }
    const total = weights[0] + weights[1] + weights[2];
    if (widest > 0 && total > 0) {
      for (let i = 0; i < 3; i++) {
        spheres[out + i] = 0;
        for (let k = 0; k < 3; k++) spheres[out + i] += (weights[k] / total) * p[3 * indices[h + k] + i];
      }
    }
    for (let k = 0; k < 3; k++) {
      const a = 3 * indices[h + k];
      const reach = Math.hypot(p[a] - spheres[out], p[a + 1] - spheres[out + 1], p[a + 2] - spheres[out + 2]);
      spheres[out + 3] = Math.max(spheres[out + 3], reach);
    }
  }
  return spheres;
}

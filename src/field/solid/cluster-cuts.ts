// Fewer and rounder triangles from marching tetrahedra: the cuts of the edges around a node of the grid that belong to
// one side of the surface become one vertex (Treece, Prager and Gee 1999), which leaves about a quarter of the faces.
// Clusters that would pinch, fold or cross the surface stay as they are.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { GridFrame } from '../grid.js';
import { collapseSides } from '../isosurface/collapse-sides.js';
import { EdgeVertices } from '../isosurface/edge-vertices.js';
import { writeVertexNormals } from './face-shape.js';
import { markMeetings, markThinFaces } from './surface-faults.js';
import { SurfaceShells } from './surface-shells.js';

/** Chosen: cuts whose normals differ by more than about 70 degrees stay apart, as the two sides of a thin wall do. */
const MIN_COSINE = 0.3;

/** Chosen: rounds in which clusters are given up; few are needed, and after these the mesh is returned as it was. */
const MAX_ROUNDS = 12;

/** `mesh`: a surface of marching tetrahedra on `frame`, closed and without self-intersections; so is the result. */
export function clusterCuts(mesh: Mesh, frame: GridFrame, progress: ProgressOptions): Mesh {
  const { signal } = progress;
  const clusters = findClusters(mesh, frame, { signal });
  reportProgress({ signal }, 0, 'clusters');
  const count = clusters.reduce((most, cluster) => Math.max(most, cluster + 1), 0);
  const isKept = new Uint8Array(count).fill(1);
  const centers = averagePositions(mesh, clusters, count);
  const shells = new SurfaceShells(mesh);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    reportProgress(progress, round / MAX_ROUNDS, 'clusters');
    const positions = mesh.positions.slice();
    for (let v = 0; v < clusters.length; v++) {
      const cluster = clusters[v];
      if (isKept[cluster] === 0) continue;
      for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] = centers[3 * cluster + axis];
    }
    const { mesh: joined, sources } = collapse({ positions, indices: mesh.indices }, { signal });
    reportProgress({ signal }, 0, 'clusters');
    const isBad = new Uint8Array(sources.length);
    if (sources.length > 0) markMeetings(joined, isBad, progress);
    markThinFaces(joined, isBad);
    shells.markTurned(joined, sources, isBad);
    if (sources.length > 0 && !isBad.includes(1)) return joined;
    for (let v = 0; v < sources.length; v++) if (isBad[v] === 1) isKept[clusters[sources[v]]] = 0;
  }
  return mesh;
}

/** Numbers the clusters: by nearest node, then by the direction of the normal. */
function findClusters(mesh: Mesh, { origin, spacing, size }: GridFrame, progress: ProgressOptions): Int32Array {
  const { positions: p } = mesh;
  const normals = writeVertexNormals(mesh, new Float64Array(p.length));
  const clusters = new Int32Array(p.length / 3);
  const places = new EdgeVertices();
  // The first vertex of each cluster, and the next cluster at the same node.
  const firsts: number[] = [];
  const nexts: number[] = [];
  for (let v = 0; v < clusters.length; v++) {
    if (v % 16_384 === 0) reportProgress(progress, 0, 'clusters');
    const i = Math.round((p[3 * v] - origin[0]) / spacing);
    const j = Math.round((p[3 * v + 1] - origin[1]) / spacing);
    const k = Math.round((p[3 * v + 2] - origin[2]) / spacing);
    const key = i + size[0] * (j + size[1] * k);
    const place = places.find(key);
    let cluster = places.get(place);
    const known = cluster;
    while (cluster >= 0 && dot(normals, 3 * firsts[cluster], 3 * v) < MIN_COSINE) cluster = nexts[cluster];
    if (cluster < 0) {
      cluster = firsts.length;
      firsts.push(v);
      nexts.push(known >= 0 ? nexts[known] : -1);
      if (known < 0) places.set(place, key, cluster);
      else nexts[known] = cluster;
    }
    clusters[v] = cluster;
  }
  return clusters;
}

function averagePositions({ positions }: Mesh, clusters: Int32Array, count: number): Float64Array {
  const centers = new Float64Array(3 * count);
  const members = new Uint32Array(count);
  for (let v = 0; v < clusters.length; v++) {
    members[clusters[v]]++;
    for (let axis = 0; axis < 3; axis++) centers[3 * clusters[v] + axis] += positions[3 * v + axis];
  }
  for (let i = 0; i < centers.length; i++) centers[i] /= members[Math.floor(i / 3)];
  return centers;
}

/** Collapses sides of zero length; `sources` has an old vertex with the same place for each new one. */
function collapse(mesh: Mesh, progress: ProgressOptions): { mesh: Mesh; sources: Uint32Array } {
  const joined = collapseSides(mesh, progress);
  const sources = new Uint32Array(joined.positions.length / 3);
  // Both keep their order, so that each new vertex is found behind the one before it.
  let old = 0;
  for (let v = 0; v < sources.length; v++) {
    while (!isSame(joined.positions, v, mesh.positions, old)) old++;
    sources[v] = old++;
  }
  return { mesh: joined, sources };
}

function isSame(p: Float64Array, v: number, q: Float64Array, w: number): boolean {
  return p[3 * v] === q[3 * w] && p[3 * v + 1] === q[3 * w + 1] && p[3 * v + 2] === q[3 * w + 2];
}

function dot(a: Float64Array, i: number, j: number): number {
  return a[i] * a[j] + a[i + 1] * a[j + 1] + a[i + 2] * a[j + 2];
}

// A sheet of a given thickness around an open surface, half of it on each side, as a closed mesh: the faces moved out and
// in along the normals of their vertices, and walls along the open edges. O(triangles).

import { nameValue } from '../../core/check/check-options.js';
import { DisjointSets } from '../../core/disjoint-sets.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { assertMesh, type Mesh } from '../mesh.js';
import { buildAdjacency, type MeshAdjacency, nextHalfEdge, previousHalfEdge } from '../topology/adjacency.js';
import { findFlips } from './orient-faces.js';

/** Chosen: at a sharp crease the corners of the sheet are at most the inverse of this times half the thickness away. */
const MIN_COSINE = 0.35;

/**
 * The solid of all points near a surface: faces of both sides are half of `thickness` away from it, a length. Along creases
 * the sheet keeps its thickness up to an angle of about 140 degrees between the normals. Where the surface bends more than
 * its thickness allows, or comes nearer to itself, the sheet cuts itself.
 * @throws NearfieldError `unsupported` for one-sided surfaces, such as a Möbius strip.
 */
export function thickenSurface(mesh: Mesh, thickness: number): Mesh {
  assertMesh(mesh);
  if (!(typeof thickness === 'number' && thickness > 0 && Number.isFinite(thickness))) {
    throw new NearfieldError('bad-argument', `The thickness is ${nameValue(thickness)}; give a positive length.`);
  }
  const adjacency = buildAdjacency(mesh);
  const { flips, nonOrientablePatches } = findFlips(mesh, adjacency);
  if (nonOrientablePatches > 0) {
    throw new NearfieldError(
      'unsupported',
      'The surface has one side only, as a Möbius strip has, so no sheet can be made of it; cut it open first.',
    );
  }
  const fans = findFans(adjacency);
  const { count, offsets } = measureOffsets(mesh, adjacency, fans, flips, thickness / 2);
  const { positions } = mesh;
  const out = new Float64Array(6 * count);
  for (let h = 0; h < fans.length; h++) {
    if (fans[h] < 0) continue;
    for (let k = 0; k < 3; k++) {
      const at = positions[3 * adjacency.indices[h] + k];
      const by = offsets[3 * fans[h] + k];
      out[3 * fans[h] + k] = at + by;
      out[3 * (count + fans[h]) + k] = at - by;
    }
  }
  return { positions: out, indices: Uint32Array.from(listFaces(adjacency, fans, flips, count)) };
}

/** For each half-edge, the number of the vertex of the sheet at its start: corners that manifold edges join share one. */
function findFans({ indices, twin, edgeOfHalfEdge }: MeshAdjacency): Int32Array {
  const sets = new DisjointSets(indices.length);
  for (let h = 0; h < indices.length; h++) {
    const other = twin[h];
    if (other < 0) continue;
    const sameWay = indices[h] === indices[other];
    sets.unite(h, sameWay ? other : nextHalfEdge(other));
    sets.unite(nextHalfEdge(h), sameWay ? nextHalfEdge(other) : other);
  }
  const fans = new Int32Array(indices.length).fill(-1);
  const numbers = new Int32Array(indices.length).fill(-1);
  let count = 0;
  for (let h = 0; h < indices.length; h++) {
    if (edgeOfHalfEdge[3 * Math.floor(h / 3)] < 0) continue;
    const root = sets.find(h);
    if (numbers[root] < 0) numbers[root] = count++;
    fans[h] = numbers[root];
  }
  return fans;
}

/** How far and where each vertex of the sheet is from the surface. */
function measureOffsets(
  { positions }: Mesh,
  { indices }: MeshAdjacency,
  fans: Int32Array,
  flips: Uint8Array,
  half: number,
): { count: number; offsets: Float64Array } {
  const count = fans.reduce((most, fan) => Math.max(most, fan + 1), 0);
  const offsets = new Float64Array(3 * count);
  const point = (h: number): Vec3 => [0, 1, 2].map((k) => positions[3 * indices[h] + k]) as Vec3;
  const normals: Vec3[] = [];
  for (let face = 0; face < flips.length; face++) {
    const [a, b, c] = [point(3 * face), point(3 * face + 1), point(3 * face + 2)];
    const across = vec3.cross(vec3.subtract(b, a), vec3.subtract(c, a));
    const length = vec3.length(across) * (flips[face] === 1 ? -1 : 1);
    normals.push(length === 0 ? [0, 0, 0] : vec3.scale(across, 1 / length));
  }
  for (let h = 0; h < fans.length; h++) {
    if (fans[h] < 0) continue;
    const [to, from] = [
      vec3.subtract(point(nextHalfEdge(h)), point(h)),
      vec3.subtract(point(previousHalfEdge(h)), point(h)),
    ];
    const angle = Math.atan2(vec3.length(vec3.cross(to, from)), vec3.dot(to, from));
    for (let k = 0; k < 3; k++) offsets[3 * fans[h] + k] += angle * normals[Math.floor(h / 3)][k];
  }
  const least = new Float64Array(count).fill(1);
  for (let i = 0; i < count; i++) {
    const length = Math.hypot(offsets[3 * i], offsets[3 * i + 1], offsets[3 * i + 2]);
    for (let k = 0; k < 3; k++) offsets[3 * i + k] = length > 0 ? offsets[3 * i + k] / length : 0;
  }
  for (let h = 0; h < fans.length; h++) {
    const [x, y, z] = normals[Math.floor(h / 3)];
    const at = 3 * fans[h];
    if (fans[h] < 0 || (x === 0 && y === 0 && z === 0)) continue;
    least[fans[h]] = Math.min(least[fans[h]], offsets[at] * x + offsets[at + 1] * y + offsets[at + 2] * z);
  }
  for (let i = 0; i < 3 * count; i++) offsets[i] *= half / Math.max(MIN_COSINE, least[Math.floor(i / 3)]);
  return { count, offsets };
}

/** Both sides, and walls along edges of one face or of more than two. */
function listFaces({ twin }: MeshAdjacency, fans: Int32Array, flips: Uint8Array, count: number): number[] {
  const faces: number[] = [];
  for (let face = 0; face < flips.length; face++) {
    const corners = flips[face] === 1 ? [0, 2, 1] : [0, 1, 2];
    const [a, b, c] = corners.map((k) => fans[3 * face + k]);
    if (a < 0) continue;
    faces.push(a, b, c, count + a, count + c, count + b);
    for (let k = 0; k < 3; k++) {
      const h = 3 * face + k;
      if (twin[h] >= 0) continue;
      const ends = [fans[h], fans[nextHalfEdge(h)]];
      const [p, q] = flips[face] === 1 ? [ends[1], ends[0]] : ends;
      faces.push(q, p, count + p, q, count + p, count + q);
    }
  }
  return faces;
}

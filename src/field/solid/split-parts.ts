// Which parts of a broken mesh enclose a volume and which are sheets: by the sum of the area vectors of each connected
// part, which is zero for a closed surface. Faces of enclosing parts are turned outward. O(triangles).
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { NEARLY_CLOSED } from '../../core/tolerances.js';
import type { Mesh } from '../../mesh/mesh.js';
import { orientFaces } from '../../mesh/repair/orient-faces.js';
import { buildAdjacency, type MeshAdjacency } from '../../mesh/topology/adjacency.js';
import { findEqualVertices } from '../../mesh/topology/coincident-vertices.js';
import { findComponents } from '../../mesh/topology/components.js';

/** How the inside of a broken mesh is found. */
export type SolidRule = 'winding' | 'thicken' | 'mixed';

export interface SolidParts {
  /** Faces with three different corners; coincident vertices have one id. */
  readonly mesh: Mesh;
  /** The faces that enclose a volume, turned outward; `null` if none do. */
  readonly enclosing: Mesh | null;
  /** Faces of sheets, or `null`. */
  readonly sheets: Mesh | null;
}

/**
 * Splits a mesh into the faces that enclose volumes and sheets. Sheets that are nearly closed all together, as the
 * unconnected triangles of a soup, count as enclosing. `rule` 'winding' or 'thicken' puts all faces on one side.
 */
export function splitParts(
  input: Mesh,
  rule: 'auto' | 'winding' | 'thicken',
  { signal }: ProgressOptions = {},
): SolidParts | null {
  const check = () => reportProgress({ signal }, 0, 'parts');
  const mesh = joinEqualVertices(input);
  check();
  if (mesh.indices.length === 0) return null;
  if (rule === 'thicken') return { mesh, enclosing: null, sheets: mesh };
  const adjacency = buildAdjacency(mesh);
  check();
  const { count, componentOfFace } = findComponents(mesh, adjacency);
  const sums = sumAreas(mesh, count, componentOfFace);
  check();
  const isSheet = new Uint8Array(count);
  const together = new Float64Array(4);
  for (let part = 0; part < count; part++) {
    isSheet[part] = isNearlyClosed(sums.subarray(4 * part, 4 * part + 4)) ? 0 : 1;
    if (isSheet[part] === 1) for (let k = 0; k < 4; k++) together[k] += sums[4 * part + k];
  }
  if (rule === 'winding' || isNearlyClosed(together)) isSheet.fill(0);
  const outward = turnOutward(mesh, adjacency, count, componentOfFace);
  check();
  return {
    mesh,
    enclosing: pickFaces(outward, (face) => isSheet[componentOfFace[face]] === 0),
    sheets: pickFaces(mesh, (face) => isSheet[componentOfFace[face]] === 1),
  };
}

function joinEqualVertices({ positions, indices }: Mesh): Mesh {
  const first = findEqualVertices(positions);
  const joined = indices.map((vertex) => first[vertex]);
  let kept = 0;
  for (let i = 0; i < joined.length; i += 3) {
    const [a, b, c] = [joined[i], joined[i + 1], joined[i + 2]];
    if (a === b || b === c || c === a) continue;
    joined[kept++] = a;
    joined[kept++] = b;
    joined[kept++] = c;
  }
  return { positions, indices: joined.slice(0, kept) };
}

/** By part: the sum of the area vectors of its faces, and of their areas. */
function sumAreas({ positions: p, indices }: Mesh, count: number, partOfFace: Int32Array): Float64Array {
  const sums = new Float64Array(4 * count);
  for (let face = 0; face < partOfFace.length; face++) {
    const [a, b, c] = [3 * indices[3 * face], 3 * indices[3 * face + 1], 3 * indices[3 * face + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const o = 4 * partOfFace[face];
    sums[o] += x;
    sums[o + 1] += y;
    sums[o + 2] += z;
    sums[o + 3] += Math.hypot(x, y, z);
  }
  return sums;
}

function isNearlyClosed(sum: Float64Array): boolean {
  return sum[3] > 0 && Math.hypot(sum[0], sum[1], sum[2]) <= NEARLY_CLOSED * sum[3];
}

/**
 * Turns the faces of parts that are inside out or whose neighbors disagree. Other parts keep their faces: a solid inside
 * another one stays a solid, which `orientFaces` would turn into a cavity.
 */
function turnOutward(mesh: Mesh, adjacency: MeshAdjacency, count: number, partOfFace: Int32Array): Mesh {
  const { positions: p, indices } = mesh;
  const { edgeCount, edgeStart, edgeHalfEdges } = adjacency;
  const isBad = new Uint8Array(count);
  for (let e = 0; e < edgeCount; e++) {
    if (edgeStart[e + 1] - edgeStart[e] !== 2) continue;
    const first = edgeHalfEdges[edgeStart[e]];
    if (indices[first] === indices[edgeHalfEdges[edgeStart[e] + 1]]) isBad[partOfFace[Math.floor(first / 3)]] = 1;
  }
  const volumes = new Float64Array(count);
  const origins = new Int32Array(count).fill(-1);
  for (let face = 0; face < partOfFace.length; face++) {
    const part = partOfFace[face];
    if (origins[part] < 0) origins[part] = 3 * indices[3 * face];
    const o = origins[part];
    const d = [0, 1, 2].map((k) => {
      const v = 3 * indices[3 * face + k];
      return [p[v] - p[o], p[v + 1] - p[o + 1], p[v + 2] - p[o + 2]];
    });
    volumes[part] +=
      d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
      d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
      d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
  }
  for (let part = 0; part < count; part++) if (volumes[part] < 0) isBad[part] = 1;
  if (!isBad.includes(1)) return mesh;
  const { flips } = orientFaces(mesh);
  const turned = indices.slice();
  for (let face = 0; face < partOfFace.length; face++) {
    if (isBad[partOfFace[face]] === 0 || flips[face] === 0) continue;
    turned[3 * face + 1] = indices[3 * face + 2];
    turned[3 * face + 2] = indices[3 * face + 1];
  }
  return { positions: p, indices: turned };
}

function pickFaces(mesh: Mesh, test: (face: number) => boolean): Mesh | null {
  const indices = mesh.indices.filter((_, i) => test(Math.floor(i / 3)));
  return indices.length === 0 ? null : { positions: mesh.positions, indices };
}

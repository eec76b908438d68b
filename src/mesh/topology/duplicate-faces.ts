// Faces on the same three vertices, found with three stable counting sorts: O(vertices + triangles).

import { sortByKey } from '../../core/counting-sort.js';
import type { Mesh } from '../mesh.js';

/** Faces grouped by their three vertices, in any order and either way round. */
export interface FaceGroups {
  readonly count: number;
  /** The group of each face, −1 for a face that names a vertex twice. */
  readonly groupOfFace: Int32Array;
  /** By group: its lowest face. */
  readonly lowestFace: Uint32Array;
  /** By group: how many of its faces run one way round minus how many run the other way. */
  readonly balance: Int32Array;
  /** Faces that are not the lowest of their group. */
  readonly duplicateFaces: number;
}

export function groupEqualFaces(mesh: Mesh): FaceGroups {
  const { indices } = mesh;
  const vertices = mesh.positions.length / 3;
  const faces = indices.length / 3;
  const lows = new Uint32Array(faces);
  const middles = new Uint32Array(faces);
  const highs = new Uint32Array(faces);
  let order = new Uint32Array(faces);
  let used = 0;
  for (let face = 0; face < faces; face++) {
    const a = indices[3 * face];
    const b = indices[3 * face + 1];
    const c = indices[3 * face + 2];
    if (a === b || b === c || c === a) continue;
    lows[face] = Math.min(a, b, c);
    highs[face] = Math.max(a, b, c);
    middles[face] = middleOf(a, b, c);
    order[used++] = face;
  }
  order = sortByKey(order.subarray(0, used), highs, vertices);
  order = sortByKey(order, middles, vertices);
  order = sortByKey(order, lows, vertices);

  const groupOfFace = new Int32Array(faces).fill(-1);
  const lowestFace: number[] = [];
  const balance: number[] = [];
  for (let i = 0; i < used; i++) {
    const face = order[i];
    const before = order[i - 1];
    const isNew =
      i === 0 || lows[face] !== lows[before] || middles[face] !== middles[before] || highs[face] !== highs[before];
    if (isNew) {
      lowestFace.push(face);
      balance.push(0);
    }
    const group = lowestFace.length - 1;
    groupOfFace[face] = group;
    balance[group] += runsUpward(indices, face) ? 1 : -1;
  }
  return {
    count: lowestFace.length,
    groupOfFace,
    lowestFace: Uint32Array.from(lowestFace),
    balance: Int32Array.from(balance),
    duplicateFaces: used - lowestFace.length,
  };
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Whether a face runs from its lowest vertex to the middle one, then to the highest. */
export function runsUpward(indices: Uint32Array, face: number): boolean {
  const a = indices[3 * face];
  const b = indices[3 * face + 1];
  const c = indices[3 * face + 2];
  return (a < b && b < c) || (b < c && c < a) || (c < a && a < b);
}

// Which triangle of a hull holds a point of its boundary, exactly.
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import type { HullFaces } from './hull-faces.js';

/** A half-edge of the triangle that holds a point: the one it lies on, where it lies on one. */
export interface HullHolder {
  readonly edge: number;
  readonly isOnEdge: boolean;
}

/** The holder among the first `count` faces of a list, all coplanar with the point; null for none, and for a corner. */
export function findHolder(store: HullFaces, faces: Int32Array, count: number, point: number): HullHolder | null {
  const { points, corners } = store;
  for (let i = 0; i < count; i++) {
    const face = faces[i];
    const a = corners[3 * face];
    const b = corners[3 * face + 1];
    const c = corners[3 * face + 2];
    const axis = findShadowAxis(points, a, b, c);
    const turn = exactTurnAlong(points, axis, a, b, c) > 0 ? 1 : -1;
    const ab = turn * exactTurnAlong(points, axis, a, b, point);
    const bc = turn * exactTurnAlong(points, axis, b, c, point);
    const ca = turn * exactTurnAlong(points, axis, c, a, point);
    if (ab < 0 || bc < 0 || ca < 0) continue;
    if ((ab === 0 && bc === 0) || (bc === 0 && ca === 0) || (ca === 0 && ab === 0)) return null;
    return { edge: 3 * face + (bc === 0 ? 1 : ca === 0 ? 2 : 0), isOnEdge: ab === 0 || bc === 0 || ca === 0 };
  }
  return null;
}

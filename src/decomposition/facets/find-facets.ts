// The facets of a surface: connected faces that lie exactly in one plane and face the same way, found by a flood fill
// over coplanar edges. Faces that share an edge and are exactly coplanar have the same plane, so this is transitive.
import { groupByKey } from '../../core/counting-sort.js';
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import type { Surface } from '../surface/surface.js';

/** Groups of faces, each in one plane; most faces of a curved surface are in none. */
export interface Facets {
  readonly count: number;
  /** The facet of each face, −1 for none. */
  readonly facetOfFace: Int32Array;
  /** The faces of facet f are `faces[start[f]]` up to before `start[f + 1]`, in ascending order. */
  readonly start: Uint32Array;
  readonly faces: Uint32Array;
}

/** All facets of at least `least` faces, in the order of their first faces, without faces that are taken. O(faces). */
export function findFacets(surface: Surface, least: number, isTaken: Uint8Array): Facets {
  const { faceCount, mesh, adjacency } = surface;
  const { positions, indices } = mesh;
  const { twin } = adjacency;
  const facetOfFace = new Int32Array(faceCount).fill(-1);
  const isSeen = isTaken.slice();
  const queue = new Uint32Array(faceCount);
  let count = 0;
  for (let first = 0; first < faceCount; first++) {
    if (isSeen[first] === 1) continue;
    isSeen[first] = 1;
    let end = 1;
    queue[0] = first;
    const [a, b, c] = [indices[3 * first], indices[3 * first + 1], indices[3 * first + 2]];
    const axis = findShadowAxis(positions, a, b, c);
    const turn = exactTurnAlong(positions, axis, a, b, c);
    for (let head = 0; head < end; head++) {
      for (let h = 3 * queue[head]; h < 3 * queue[head] + 3; h++) {
        if (!surface.isCoplanar(h)) continue;
        const beside = Math.floor(twin[h] / 3);
        if (isSeen[beside] === 1) continue;
        const at = 3 * beside;
        if (exactTurnAlong(positions, axis, indices[at], indices[at + 1], indices[at + 2]) * turn < 0) continue;
        isSeen[beside] = 1;
        queue[end++] = beside;
      }
    }
    if (end < least) continue;
    for (let i = 0; i < end; i++) facetOfFace[queue[i]] = count;
    count++;
  }
  return groupFacets(facetOfFace, count);
}

/** The lists of faces for the facet of each face. */
export function groupFacets(facetOfFace: Int32Array, count: number): Facets {
  const { start, items } = groupByKey(facetOfFace, count);
  return { count, facetOfFace, start, faces: items };
}

/** The facets but those marked; their faces are in none. */
export function dropFacets(facets: Facets, isDropped: Uint8Array): Facets {
  const newIds = new Int32Array(facets.count).fill(-1);
  let count = 0;
  for (let facet = 0; facet < facets.count; facet++) if (isDropped[facet] === 0) newIds[facet] = count++;
  return groupFacets(
    facets.facetOfFace.map((facet) => (facet < 0 ? -1 : newIds[facet])),
    count,
  );
}

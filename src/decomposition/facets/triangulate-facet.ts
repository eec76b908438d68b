// Triangulates a facet between the corners of its outline and its holes, in the projection along an axis, where all
// signs are exact.
import { NearfieldError } from '../../core/errors.js';
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import { triangulatePolygon } from '../../mesh/polygon/triangulate-polygon.js';
import { nextHalfEdge } from '../../mesh/topology/adjacency.js';
import type { Surface } from '../surface/surface.js';
import type { WorkLimit } from '../work-limit.js';

/** Chosen: a facet is left as it is unless its faces become this many times fewer. */
const MIN_GAIN = 8;

/** Chosen: the limit on the triangulation's work (corners times reflex corners) for each face that it replaces. */
const MAX_FACE_WORK = 64;

/** A facet in few triangles. */
export interface CoarseFacet {
  /** Three vertex ids a triangle, facing as the facet does. */
  readonly triangles: Uint32Array;
  /** The corners of its rings, and of each side, from a corner to the next, the vertices passed in between. */
  readonly rings: readonly FacetRing[];
}

export interface FacetRing {
  readonly corners: readonly number[];
  readonly passed: readonly (readonly number[])[];
}

/** The facet of these faces in few triangles; null where that gains little, or its rings touch each other. */
export function triangulateFacet(
  surface: Surface,
  faces: Uint32Array,
  facetOfFace: Int32Array,
  isCorner: Uint8Array,
  limit: WorkLimit,
): CoarseFacet | null {
  const { positions, indices } = surface.mesh;
  const rings = traceRings(surface, faces, facetOfFace, isCorner);
  if (rings === null) return null;
  const [a, b, c] = [indices[3 * faces[0]], indices[3 * faces[0] + 1], indices[3 * faces[0] + 2]];
  const axis = findShadowAxis(positions, a, b, c);
  const isMirrored = exactTurnAlong(positions, axis, a, b, c) < 0;
  // With the two coordinates swapped, a facet that looks down the axis turns left as well.
  const u = isMirrored ? (axis + 2) % 3 : (axis + 1) % 3;
  const v = isMirrored ? (axis + 1) % 3 : (axis + 2) % 3;
  const side = isMirrored ? -1 : 1;
  let cornerCount = 0;
  let reflexCount = 0;
  let outer = 0;
  let least = -1;
  rings.forEach(({ corners }, ring) => {
    const size = corners.length;
    cornerCount += size;
    for (let i = 0; i < size; i++) {
      const at = corners[i];
      const before = corners[(i + size - 1) % size];
      if (side * exactTurnAlong(positions, axis, before, at, corners[(i + 1) % size]) < 0) reflexCount++;
      const rise = least < 0 ? -1 : positions[3 * at + v] - positions[3 * least + v];
      if (rise < 0 || (rise === 0 && positions[3 * at + u] < positions[3 * least + u])) {
        least = at;
        outer = ring;
      }
    }
  });
  const count = cornerCount + 2 * (rings.length - 1) - 2;
  limit.spend(4 * faces.length);
  if (MIN_GAIN * count > faces.length || cornerCount * reflexCount > MAX_FACE_WORK * faces.length) return null;
  limit.spend(cornerCount * (8 + reflexCount));
  const ordered = [rings[outer], ...rings.filter((_, ring) => ring !== outer)];
  const points = ordered.flatMap(({ corners }) => corners);
  try {
    const { triangles } = triangulatePolygon({
      rings: ordered.map(({ corners }) =>
        Float64Array.from(corners.flatMap((vertex) => [positions[3 * vertex + u], positions[3 * vertex + v]])),
      ),
    });
    return { triangles: triangles.map((point) => points[point]), rings };
  } catch (error) {
    // Rings that touch in a vertex, for instance, do not form a polygon.
    if (error instanceof NearfieldError) return null;
    throw error;
  }
}

/** The rings around a facet, with the facet on their left; null if one has fewer than three corners. */
function traceRings(
  surface: Surface,
  faces: Uint32Array,
  facetOfFace: Int32Array,
  isCorner: Uint8Array,
): FacetRing[] | null {
  const { indices } = surface.mesh;
  const { twin } = surface.adjacency;
  const facet = facetOfFace[faces[0]];
  const isBorder = (h: number): boolean => twin[h] < 0 || facetOfFace[Math.floor(twin[h] / 3)] !== facet;
  const isTraced = new Set<number>();
  const rings: FacetRing[] = [];
  for (const face of faces) {
    for (let first = 3 * face; first < 3 * face + 3; first++) {
      if (!isBorder(first) || isCorner[indices[first]] === 0 || isTraced.has(first)) continue;
      const corners: number[] = [];
      const passed: number[][] = [];
      let h = first;
      // Each half-edge of the border comes once, and the turns at a vertex pass each of its faces at most once.
      do {
        isTraced.add(h);
        if (isCorner[indices[h]] === 1) {
          corners.push(indices[h]);
          passed.push([]);
        } else passed.at(-1)!.push(indices[h]);
        h = nextHalfEdge(h);
        while (!isBorder(h)) h = nextHalfEdge(twin[h]);
      } while (h !== first && !isTraced.has(h));
      if (corners.length < 3) return null;
      rings.push({ corners, passed });
    }
  }
  return rings.length === 0 ? null : rings;
}

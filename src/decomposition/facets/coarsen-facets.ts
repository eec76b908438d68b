// Makes a coarse surface of the large facets that can be part of a patch as a whole. The hull of a facet fills its bays
// and holes; where something else reaches into those, the facet is taken in convex parts, which have none.
import { PatchGrower } from '../patches/grow-patch.js';
import { joinConvexly } from '../patches/split-flat-patches.js';
import type { Surface } from '../surface/surface.js';
import type { WorkLimit } from '../work-limit.js';
import { CoarseSurface } from './coarse-surface.js';
import { findCorners } from './facet-corners.js';
import { dropFacets, type Facets, findFacets, groupFacets } from './find-facets.js';
import { type CoarseFacet, triangulateFacet } from './triangulate-facet.js';

/**
 * Chosen: facets of fewer faces are grown face by face: that costs little, and finds patches that take part of a facet.
 */
const MIN_FACES = 32;

/**
 * Chosen: first whole facets are tried, then convex parts, then the parts without those whose clearness rounding hides.
 */
const ROUNDS = 3;

/** Chosen: the work of a face: corners, rings, and the adjacency and boxes of the coarse surface. */
const FACE_WORK = 16;

/** Chosen: the work of a face of a facet that is taken in convex parts: sorting its edges takes most of it. */
const PARTS_WORK = 32;

/** What patches are grown on. Without large facets that is the surface itself, and `coarse` is null. */
export interface Growth {
  readonly coarse: CoarseSurface | null;
  readonly grower: PatchGrower;
}

/**
 * A grower on the surface with its large facets in few triangles, which join patches whole; not those of faces that
 * are taken already. O(n log n).
 */
export function coarsenFacets(surface: Surface, isTaken: Uint8Array, limit: WorkLimit): Growth {
  let found = findFacets(surface, MIN_FACES, isTaken);
  for (let round = 0; round < ROUNDS && found.count > 0; round++) {
    const { facets, coarseFacets } = triangulateFacets(surface, found, limit);
    if (facets.count === 0) break;
    const coarse = new CoarseSurface(surface, facets, coarseFacets);
    const grower = new PatchGrower(coarse.surface, limit, coarse);
    const isUnfit = new Uint8Array(facets.count);
    for (let facet = 0; facet < facets.count; facet++) {
      const isOfFacet = (face: number): boolean => coarse.facetOfFace[face] === facet;
      if (grower.grow(coarse.firstFaces[facet], 'breadth-first', isOfFacet).length === 0) isUnfit[facet] = 1;
    }
    if (!isUnfit.includes(1)) return { coarse, grower };
    found = round === 0 ? divideFacets(surface, facets, isUnfit, limit) : dropFacets(facets, isUnfit);
  }
  return { coarse: null, grower: new PatchGrower(surface, limit) };
}

/** Each facet in few triangles, without those that keep their faces. */
function triangulateFacets(
  surface: Surface,
  given: Facets,
  limit: WorkLimit,
): { facets: Facets; coarseFacets: CoarseFacet[] } {
  // Facets that keep their faces keep their vertices, which adds corners to the others: that settles in a few rounds.
  for (let facets = given; facets.count > 0; ) {
    limit.spend(FACE_WORK * surface.faceCount);
    const { count, start, faces, facetOfFace } = facets;
    const isCorner = findCorners(surface, facets);
    const isKept = new Uint8Array(count);
    const coarseFacets: CoarseFacet[] = [];
    for (let facet = 0; facet < count; facet++) {
      const whole = faces.subarray(start[facet], start[facet + 1]);
      const coarse = triangulateFacet(surface, whole, facetOfFace, isCorner, limit);
      if (coarse === null) isKept[facet] = 1;
      else coarseFacets.push(coarse);
    }
    if (coarseFacets.length === count) return { facets, coarseFacets };
    facets = dropFacets(facets, isKept);
  }
  return { facets: dropFacets(given, new Uint8Array(given.count).fill(1)), coarseFacets: [] };
}

/** The facets with the convex parts of those that are unfit in their places. */
function divideFacets(surface: Surface, facets: Facets, isUnfit: Uint8Array, limit: WorkLimit): Facets {
  const { start, faces } = facets;
  const { facetOfFace, count: fit } = dropFacets(facets, isUnfit);
  let count = fit;
  for (let facet = 0; facet < facets.count; facet++) {
    if (isUnfit[facet] === 0) continue;
    const whole = faces.subarray(start[facet], start[facet + 1]);
    limit.spend(PARTS_WORK * whole.length);
    for (const part of joinConvexly(surface.mesh, whole)) {
      if (part.length < MIN_FACES) continue;
      for (const face of part) facetOfFace[face] = count;
      count++;
    }
  }
  return groupFacets(facetOfFace, count);
}

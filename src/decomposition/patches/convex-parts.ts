// Finds the closed parts of a surface that are convex as a whole: each is one patch, and its own piece. Growing this
// patch tests, for each vertex, everything that lies in its planes; the hull of all vertices decides at once, exactly,
// in O(n log n). Other parts are left to be grown.
import { buildHull, type Hull } from '../../convex/hull/hull.js';
import { exactSideOf, exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { measureArea } from '../../mesh/report/mass-properties.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import { findComponents } from '../../mesh/topology/components.js';
import { overlapVisitor } from '../../spatial/overlap-visitor.js';
import { TraversalStack } from '../../spatial/traversal-stack.js';
import { traverseBvh } from '../../spatial/traverse-bvh.js';
import type { Surface } from '../surface/surface.js';
import { WorkLimit } from '../work-limit.js';
import { findGap } from './find-gap.js';

/** Chosen: parts of fewer faces are grown: they cost little, and keep their usual patches. */
const MIN_FACES = 64;

/** Chosen: the most faces of other parts that are tested in a part's box; if there are more, the part is grown. */
const MAX_FACES_BESIDE = 256;

/** Chosen: the work of a face of a part, for the hull of its vertices. */
const PART_WORK = 16;

/** Chosen: facets between two reports of progress. */
const REPORT_INTERVAL = 64;

/** The faces of each closed part that is convex and meets no other, at least {@link MIN_FACES} of them. */
export function findConvexParts(surface: Surface, limit = WorkLimit.none(), options?: ProgressOptions): Uint32Array[] {
  const { mesh, adjacency, faceCount } = surface;
  if (faceCount < MIN_FACES) return [];
  const { count, componentOfFace } = findComponents(mesh, adjacency);
  const sizes = new Uint32Array(count);
  const isCandidate = new Uint8Array(count).fill(1);
  for (let face = 0; face < faceCount; face++) {
    const part = componentOfFace[face];
    sizes[part]++;
    for (let h = 3 * face; h < 3 * face + 3; h++) {
      if (adjacency.twin[h] < 0 || surface.isReflex(h)) isCandidate[part] = 0;
    }
  }
  const parts: Uint32Array[] = [];
  const slots = new Int32Array(count).fill(-1);
  for (let part = 0; part < count; part++) {
    if (isCandidate[part] === 0 || sizes[part] < MIN_FACES) continue;
    slots[part] = parts.length;
    parts.push(new Uint32Array(sizes[part]));
  }
  if (parts.length === 0) return parts;
  const ends = new Uint32Array(parts.length);
  for (let face = 0; face < faceCount; face++) {
    const slot = slots[componentOfFace[face]];
    if (slot >= 0) parts[slot][ends[slot]++] = face;
  }
  let done = 0;
  // A part that is not convex will be grown, so this work is not counted.
  const report = () => reportProgress(options, done / faceCount, 'convex parts');
  const judge = new PartJudge(surface, componentOfFace, report);
  return parts.filter((faces) => {
    report();
    limit.spend(PART_WORK * faces.length);
    const isConvex = judge.isConvex(faces);
    if (isConvex) done += faces.length;
    return isConvex;
  });
}

/** Decides one part after another, reusing memory. */
class PartJudge {
  readonly #surface: Surface;
  readonly #componentOfFace: Int32Array;
  /** The index of each vertex in the list of a part's vertices, −1 if it is not in it. */
  readonly #places: Int32Array;
  readonly #isSeen: Uint8Array;

  readonly #report: () => void;
  #facets = 0;

  constructor(surface: Surface, componentOfFace: Int32Array, report: () => void) {
    this.#surface = surface;
    this.#report = report;
    this.#componentOfFace = componentOfFace;
    this.#places = new Int32Array(surface.mesh.positions.length / 3).fill(-1);
    this.#isSeen = new Uint8Array(surface.faceCount);
  }

  isConvex(faces: Uint32Array): boolean {
    const { positions, indices } = this.#surface.mesh;
    const vertices: number[] = [];
    for (const face of faces) {
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        if (this.#places[indices[h]] >= 0) continue;
        this.#places[indices[h]] = vertices.length;
        vertices.push(indices[h]);
      }
    }
    const points = new Float64Array(3 * vertices.length);
    for (let i = 0; i < vertices.length; i++) {
      for (let k = 0; k < 3; k++) points[3 * i + k] = positions[3 * vertices[i] + k];
    }
    const isConvex =
      this.#mayBeConvex(faces, vertices) &&
      this.#coversHull(faces, vertices, buildHull(points, { onProgress: this.#report }));
    for (const vertex of vertices) this.#places[vertex] = -1;
    return isConvex;
  }

  /** Testing a few faces against a few vertices rejects most parts that are not convex before a hull is built. */
  #mayBeConvex(faces: Uint32Array, vertices: readonly number[]): boolean {
    const some: number[] = [];
    for (let i = 0; i < 32; i++) some.push(vertices[Math.floor((i * vertices.length) / 32)]);
    for (let i = 0; i < 32; i++) {
      if (!this.#surface.isBehindFace(faces[Math.floor((i * faces.length) / 32)], some)) return false;
    }
    return true;
  }

  /**
   * Whether the faces are the boundary of the hull of their vertices, and nothing else meets it. They are if the plane
   * of each supports the hull: a closed surface on the boundary that does not overlap itself is the whole boundary.
   */
  #coversHull(faces: Uint32Array, vertices: readonly number[], hull: Hull): boolean {
    if (hull.dimension < 3) return false;
    const rings = new HullNeighbors(hull);
    const isSeen = this.#isSeen;
    let stands = true;
    for (let i = 0; i < faces.length && stands; i++) {
      if (isSeen[faces[i]] === 0) stands = this.#isFacetOfHull(faces[i], vertices, rings);
    }
    for (const face of faces) isSeen[face] = 0;
    return stands && this.#coversOnce(faces, hull) && this.#isClear(faces, vertices, hull);
  }

  /** Walks over the faces in the plane of one; checks that they face one way and that the plane supports the hull. */
  #isFacetOfHull(first: number, vertices: readonly number[], rings: HullNeighbors): boolean {
    const { mesh, adjacency } = this.#surface;
    const { positions, indices } = mesh;
    if (++this.#facets % REPORT_INTERVAL === 0) this.#report();
    const [a, b, c] = indices.subarray(3 * first, 3 * first + 3);
    const axis = findShadowAxis(positions, a, b, c);
    const turn = exactTurnAlong(positions, axis, a, b, c);
    const facet = [first];
    this.#isSeen[first] = 1;
    let corner = -1;
    for (let i = 0; i < facet.length; i++) {
      for (let h = 3 * facet[i]; h < 3 * facet[i] + 3; h++) {
        const place = this.#places[indices[h]];
        if (rings.degree(place) > 0 && (corner < 0 || rings.degree(place) < rings.degree(corner))) corner = place;
        const twin = adjacency.twin[h];
        const beside = Math.floor(twin / 3);
        if (this.#isSeen[beside] === 1) continue;
        const [p, q, r] = [indices[h], indices[nextHalfEdge(h)], indices[previousHalfEdge(h)]];
        if (exactSideOf(positions, p, q, r, indices[previousHalfEdge(twin)]) !== 0) continue;
        const [u, v, w] = indices.subarray(3 * beside, 3 * beside + 3);
        if (!(exactTurnAlong(positions, axis, u, v, w) * turn > 0)) return false;
        this.#isSeen[beside] = 1;
        facet.push(beside);
      }
    }
    // If no neighbor of a hull corner in the plane is beyond the plane, nothing of the hull is.
    return corner >= 0 && rings.every(corner, (place) => exactSideOf(positions, a, b, c, vertices[place]) <= 0);
  }

  /** A surface that winds around the hull twice has twice its area. */
  #coversOnce(faces: Uint32Array, hull: Hull): boolean {
    const { positions, indices } = this.#surface.mesh;
    const corners = new Uint32Array(3 * faces.length);
    for (let i = 0; i < faces.length; i++) corners.set(indices.subarray(3 * faces[i], 3 * faces[i] + 3), 3 * i);
    const area = measureArea({ positions, indices: corners });
    return area < 1.5 * measureArea({ positions: hull.points, indices: hull.triangles });
  }

  /** Whether a gap separates every face of other parts from the hull. */
  #isClear(faces: Uint32Array, vertices: readonly number[], hull: Hull): boolean {
    const { mesh, bvh, faceCount } = this.#surface;
    if (faces.length === faceCount) return true;
    const { positions, indices } = mesh;
    const part = this.#componentOfFace[faces[0]];
    const box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3, 6);
    const ids = Array.from(hull.vertices, (place) => vertices[place]);
    for (const id of ids) {
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], positions[3 * id + k]);
        box[k + 3] = Math.max(box[k + 3], positions[3 * id + k]);
      }
    }
    let looked = 0;
    let isClear = true;
    const visitor = overlapVisitor(box, (face) => {
      if (this.#componentOfFace[face] === part) return false;
      const [a, b, c] = indices.subarray(3 * face, 3 * face + 3);
      isClear = ++looked <= MAX_FACES_BESIDE && findGap(positions, ids, a, b, c);
      return !isClear;
    });
    traverseBvh(bvh, visitor, new TraversalStack());
    return isClear;
  }
}

/** The vertices adjacent to each vertex of a hull. */
class HullNeighbors {
  readonly #hull: Hull;
  readonly #degrees: Uint32Array;
  /** A half-edge that leaves each vertex. */
  readonly #leaving: Uint32Array;

  constructor(hull: Hull) {
    this.#hull = hull;
    this.#degrees = new Uint32Array(hull.points.length / 3);
    this.#leaving = new Uint32Array(hull.points.length / 3);
    for (let h = 0; h < hull.triangles.length; h++) {
      this.#degrees[hull.triangles[h]]++;
      this.#leaving[hull.triangles[h]] = h;
    }
  }

  /** Zero for a point that is not a vertex of the hull. */
  degree(point: number): number {
    return this.#degrees[point];
  }

  every(point: number, test: (neighbor: number) => boolean): boolean {
    const { triangles, twins } = this.#hull;
    let h = this.#leaving[point];
    for (let left = this.#degrees[point]; left > 0; left--) {
      if (!test(triangles[nextHalfEdge(h)])) return false;
      h = twins[previousHalfEdge(h)];
    }
    return true;
  }
}

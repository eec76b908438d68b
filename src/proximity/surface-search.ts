// What a bounding volume must provide so that a pair can answer its queries with it: searches over the two surfaces, in A's
// frame. Containment is handled by PairQueries.
import { FACE_REGION } from '../mesh/triangle/triangle-region.js';
import type { ContactSurface } from './contact/contact-surface.js';

/** Receives the pairs of triangles that may carry a contact. */
export interface TrianglePairSink {
  /** A pair of triangles whose distance may be at most the tolerance. */
  offer(triangleA: number, triangleB: number): void;
  /** The surfaces of A and B. Where they are given, pairs whose normals allow no local minimum may be left out. */
  readonly surfaces?: readonly [ContactSurface, ContactSurface];
}

/** What a search found, and what it cost. Rewritten by each search. */
export interface SearchOutcome {
  triangleA: number;
  triangleB: number;
  /** In A's frame. */
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
  /** Which corner (0 to 2), edge (3 to 5: from corner k − 3 to the next) or face (6) of its triangle a point lies on. */
  regionA: number;
  regionB: number;
  distance: number;
  /** No pair of triangles is nearer than this. */
  lowerBound: number;
  volumePairs: number;
  trianglePairs: number;
  marchSteps: number;
  frontSize: number;
  frontSkipped: number;
  /** What the search over boxes took, in tests of two boxes in TypeScript; 0 with hulls. */
  cost: number;
}

/** An outcome before any search. */
export function createOutcome(): SearchOutcome {
  return {
    triangleA: -1,
    triangleB: -1,
    pointA: new Float64Array(3),
    pointB: new Float64Array(3),
    regionA: FACE_REGION,
    regionB: FACE_REGION,
    distance: Infinity,
    lowerBound: 0,
    volumePairs: 0,
    trianglePairs: 0,
    marchSteps: 0,
    frontSize: 0,
    frontSkipped: 0,
    cost: 0,
  };
}

/** Forgets the answer of the last search, and what it cost. */
export function clearOutcome(outcome: SearchOutcome): void {
  outcome.distance = Infinity;
  outcome.triangleA = -1;
  outcome.triangleB = -1;
  outcome.volumePairs = 0;
  outcome.trianglePairs = 0;
  outcome.cost = 0;
  outcome.frontSkipped = 0;
}

/**
 * Searches over two surfaces that keep what they need between calls. `placement` is where B is in A's frame, a
 * row-major 3 × 4 matrix: rotation at 0, 1, 2, 4, 5, 6, 8, 9, 10, translation at 3, 7, 11. `motion` bounds how far any
 * point of B has moved in A's frame since the last call, of any kind; infinite the first time.
 */
export interface SurfaceSearch {
  readonly outcome: SearchOutcome;
  /** Bytes of the search's working memory, not counting trees and hulls. */
  readonly bytes: number;
  /** Whether two triangles have a common point; the outcome may then name two that do, at distance 0, without a point. */
  testIntersection(placement: Float64Array, motion: number): boolean;
  /** Whether two triangles come within the tolerance; the outcome then names a pair that does, not the nearest. */
  testTolerance(placement: Float64Array, motion: number, tolerance: number): boolean;
  /**
   * The nearest pair of triangles, if it is within the cut-off. The outcome's distance d is within the errors:
   * no pair is nearer than `lowerBound`, and d ≤ lowerBound + max(absoluteError, relativeError · lowerBound).
   */
  measureDistance(
    placement: Float64Array,
    motion: number,
    cutoff: number,
    absoluteError: number,
    relativeError: number,
  ): boolean;
  /**
   * Offers every pair of triangles that may carry a contact within the tolerance, maybe others. Returns false, ending early,
   * when two cross. Only searches over hulls have it: for those over boxes, ContactSearch does the same from the roots.
   */
  findContacts?(placement: Float64Array, motion: number, tolerance: number, sink: TrianglePairSink): boolean;
  /** Forgets everything from earlier calls. */
  reset(): void;
}

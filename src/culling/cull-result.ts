// What a culler returns.
import type { BackendFallback } from '../gpu/choose-backend.js';

/** How a potentially colliding set is found. */
export type CullMethod = 'cullide' | 'lbvh';

/** What was left after one stage of culling. */
export interface CullStage {
  /**
   * 'input': everything. 'boxes': objects by their boxes. 'geometry': objects by their triangles (cullide). 'triangles':
   * triangles that may meet another object. 'pairs': those in a pair that was left for the exact test. 'exact': those
   * in a pair that meets; for the output 'pairs' in the first one found of each pair of objects.
   */
  readonly name: 'input' | 'boxes' | 'geometry' | 'triangles' | 'pairs' | 'exact';
  /** Objects left. */
  readonly objects: number;
  /** Their triangles left. */
  readonly triangles: number;
}

/** The work of one call. */
export interface CullCounters {
  /** Pairs of boxes of objects that overlap. */
  readonly objectPairs: number;
  /** Pairs of nodes of hierarchies tested on the CPU. */
  readonly nodesVisited: number;
  /** Pairs of triangles with overlapping boxes. */
  readonly candidates: number;
  /** Pairs of triangles decided exactly. */
  readonly pairsDecided: number;
  /** Hierarchies built anew: 1 or 0, when the boxes of the last ones were fitted to the new positions. */
  readonly builds: number;
  /** Fragments tested and written by the visibility passes on the CPU. */
  readonly fragments: number;
  /** Visibility passes: two in each view. */
  readonly passes: number;
  /** Runs on the device; more than 1 when a list was too small and a larger one was made. */
  readonly deviceRuns: number;
}

/** The potentially colliding set of a call, and which of its objects collide. */
export interface CullResult {
  readonly method: CullMethod;
  readonly backend: 'cpu' | 'webgpu';
  /** Why a given device was not used. */
  readonly fallback?: BackendFallback;
  /** Ids of the objects that may collide with another, ascending. Never one missing. */
  readonly potential: Uint32Array;
  /** Pairs of objects that may collide, two ids each, lower first, sorted. Never one missing. */
  readonly pairs: Uint32Array;
  /** Pairs of objects whose surfaces meet, decided exactly; touching counts. Null for the output 'candidates'. */
  readonly exactPairs: Uint32Array | null;
  /** Objects whose surface meets itself; null unless asked for by `selfCollision`. */
  readonly selfColliding: Uint32Array | null;
  /** Number of pairs of triangles that meet; null for the outputs 'pairs' and 'candidates'. */
  readonly trianglePairs: number | null;
  /**
   * Four numbers each: object, its triangle, object, its triangle; sorted. Pairs that meet for the output 'triangles',
   * pairs that may meet for 'candidates', otherwise null.
   */
  readonly triangles: Uint32Array | null;
  /** What was left after each stage. */
  readonly stages: readonly CullStage[];
  readonly counters: CullCounters;
}

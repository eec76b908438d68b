// Pairs of triangles of one mesh that cross: a hierarchy traversed with itself proposes pairs whose boxes overlap,
// exact predicates decide. O(n log n + pairs whose boxes overlap); 100,000 triangles take half a second.
import { numberFrom, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { areExactlyCollinearAt } from '../../core/exact/points.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { boxesOverlap } from '../../spatial/box-relations.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { type SelfPairVisitor, traverseSelf } from '../../spatial/traverse-bvh-self.js';
import { MESH_DEFAULTS } from '../defaults.js';
import { assertMesh, type Mesh, triangleCount } from '../mesh.js';
import { triangleBoxes } from '../triangle/triangle-boxes.js';
import { trianglesCross } from '../triangle/triangle-intersection.js';

export interface SelfIntersectionOptions extends ProgressOptions {
  /** At most this many pairs are listed; all are counted. Default `MESH_DEFAULTS.selfIntersectionLimit`. */
  readonly limit?: number | undefined;
}

const CROSSING_OPTIONS = optionTable<SelfIntersectionOptions>()({
  limit: numberFrom(0, MESH_DEFAULTS.selfIntersectionLimit),
  ...PROGRESS_RULES,
});

/** The crossing pairs of a mesh, and the work to find them. */
export interface SelfIntersections {
  /** Number of crossing pairs, all of them. */
  readonly count: number;
  /**
   * The crossing pairs: two triangle ids each, lower first, sorted. When there are more than the limit, those that the
   * traversal finds first, the same in every run.
   */
  readonly pairs: Uint32Array;
  /** Triangles without area, which are in no pair. */
  readonly degenerateFaces: number;
  /** Pairs of triangles whose boxes overlap, each decided exactly. */
  readonly pairsTested: number;
  /** Pairs of nodes of the hierarchy tested. */
  readonly nodesVisited: number;
}

/**
 * Finds the pairs of triangles that cross: they have a point in common that belongs neither to a corner nor to an edge
 * they share, as `trianglesCross` defines it. Touching counts, and so do duplicates and folded faces. The decision is
 * exact: no tolerance, no missed and no invented pairs. Triangles without area are skipped.
 */
export function findSelfIntersections(mesh: Mesh, options: SelfIntersectionOptions = {}): SelfIntersections {
  const { limit } = CROSSING_OPTIONS.read(options);
  assertMesh(mesh);
  reportProgress(options, 0, 'hierarchy');
  const bvh = buildBvh(triangleBoxes(mesh), { signal: options.signal });
  const visitor = new CrossingVisitor(mesh, limit, options);
  const nodesVisited = traverseSelf(bvh, visitor);
  reportProgress(options, 1, 'self-intersections');
  return {
    count: visitor.count,
    pairs: visitor.sortedPairs(),
    degenerateFaces: visitor.degenerateFaces,
    pairsTested: visitor.pairsTested,
    nodesVisited,
  };
}

/** Chosen: pairs of faces decided between two checks of the caller's signal, some 10 ms. */
const PAIRS_PER_REPORT = 16_384;

class CrossingVisitor implements SelfPairVisitor {
  readonly testBoxes = boxesOverlap;
  count = 0;
  pairsTested = 0;
  degenerateFaces = 0;

  readonly #mesh: Mesh;
  readonly #limit: number;
  readonly #options: ProgressOptions;
  readonly #degenerate: Uint8Array;
  #pairs = new Uint32Array(64);
  #stored = 0;
  #done = 0;

  constructor(mesh: Mesh, limit: number, options: ProgressOptions) {
    const { positions, indices } = mesh;
    this.#mesh = mesh;
    this.#limit = limit;
    this.#options = options;
    this.#degenerate = new Uint8Array(triangleCount(mesh));
    for (let i = 0; i < indices.length; i += 3) {
      if (i % 49_152 === 0) reportProgress(options, 0, 'self-intersections');
      if (!areExactlyCollinearAt(positions, 3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2])) continue;
      this.#degenerate[i / 3] = 1;
      this.degenerateFaces++;
    }
  }

  visitItems(a: number, b: number): undefined {
    if (this.#degenerate[a] === 1 || this.#degenerate[b] === 1) return;
    if (++this.pairsTested % PAIRS_PER_REPORT === 0) this.#report();
    const { positions, indices } = this.#mesh;
    const crosses = trianglesCross(
      positions,
      3 * indices[3 * a],
      3 * indices[3 * a + 1],
      3 * indices[3 * a + 2],
      positions,
      3 * indices[3 * b],
      3 * indices[3 * b + 1],
      3 * indices[3 * b + 2],
    );
    if (!crosses) return;
    this.count++;
    if (this.#stored < this.#limit) this.#store(Math.min(a, b), Math.max(a, b));
  }

  itemsDone(count: number): void {
    this.#done = count;
  }

  sortedPairs(): Uint32Array {
    // One number per pair: exact, since a mesh has fewer than 2³² triangles and memory for fewer than 2²⁶.
    const triangles = triangleCount(this.#mesh);
    const keys = new Float64Array(this.#stored);
    for (let i = 0; i < keys.length; i++) keys[i] = this.#pairs[2 * i] * triangles + this.#pairs[2 * i + 1];
    keys.sort();
    const pairs = new Uint32Array(2 * keys.length);
    for (let i = 0; i < keys.length; i++) {
      pairs[2 * i] = Math.floor(keys[i] / triangles);
      pairs[2 * i + 1] = keys[i] % triangles;
    }
    return pairs;
  }

  #store(a: number, b: number): void {
    if (2 * this.#stored === this.#pairs.length) {
      const grown = new Uint32Array(2 * this.#pairs.length);
      grown.set(this.#pairs);
      this.#pairs = grown;
    }
    this.#pairs[2 * this.#stored] = a;
    this.#pairs[2 * this.#stored + 1] = b;
    this.#stored++;
  }

  #report(): void {
    reportProgress(this.#options, this.#done / this.#degenerate.length, 'self-intersections');
  }
}

// The pairs of features of two solids that may touch, now or after a bounded motion. What cannot come within the reach
// is left out, and so is what cannot turn far enough for a common normal: few more pairs remain than there are contacts.
import { growTo } from '../core/grow-array.js';
import type { ContactKernel } from './contact-kernel.js';
import { FeatureFilter } from './feature-filter.js';
import {
  EDGE_EDGE,
  EDGE_VERTEX,
  FACE_VERTEX,
  type FeaturePairs,
  VERTEX_EDGE,
  VERTEX_FACE,
  VERTEX_VERTEX,
} from './feature-pairs.js';
import { NearLeaves } from './near-leaves.js';
import { COORDINATE_ROUNDING } from './roundings.js';
import type { ContactFeatures } from './shape/contact-features.js';
import type { FeatureTrees } from './shape/feature-tree.js';

/** Searches two solids for pairs of features. */
export class CandidateSearch {
  /** Kind, feature of A, feature of B of each pair found: three numbers each, as `FeaturePairs.measure` takes them. */
  found = new Int32Array(3 * 32);
  count = 0;
  readonly #pairs: FeaturePairs;
  readonly #filter: FeatureFilter;
  readonly #a: ContactFeatures;
  readonly #b: ContactFeatures;
  readonly #treesA: FeatureTrees;
  readonly #treesB: FeatureTrees;
  readonly #leaves: NearLeaves;

  /** @param pairs placed where the search is to be made. */
  constructor(pairs: FeaturePairs, treesA: FeatureTrees, treesB: FeatureTrees, kernel: ContactKernel | null = null) {
    this.#leaves = new NearLeaves(kernel);
    this.#pairs = pairs;
    this.#filter = new FeatureFilter(pairs);
    this.#a = pairs.a;
    this.#b = pairs.b;
    this.#treesA = treesA;
    this.#treesB = treesB;
  }

  /**
   * Collects the pairs that may be within `reach` − `motion` of each other, with a common normal, anywhere where no point
   * of B has moved farther than `motion` in A's frame, nor any direction of B turned by more than `turn` radians.
   */
  find(reach: number, motion: number, turn: number): void {
    const pairs = this.#pairs;
    const leaves = this.#leaves;
    const m = pairs.bInA;
    const shift = Math.abs(m[3]) + Math.abs(m[7]) + Math.abs(m[11]);
    this.count = 0;
    this.#filter.loosen(reach, motion, turn);
    leaves.place(m, reach + COORDINATE_ROUNDING * (this.#a.magnitude + this.#b.magnitude + shift));
    leaves.find(this.#treesA.facets, this.#treesB.summits);
    for (let i = 0; i < 2 * leaves.count; i += 2) this.#try(FACE_VERTEX, leaves.items[i], leaves.items[i + 1]);
    leaves.find(this.#treesA.summits, this.#treesB.facets);
    for (let i = 0; i < 2 * leaves.count; i += 2) this.#try(VERTEX_FACE, leaves.items[i], leaves.items[i + 1]);
    leaves.find(this.#treesA.edges, this.#treesB.edges);
    for (let i = 0; i < 2 * leaves.count; i += 2) this.#tryEdges(leaves.items[i], leaves.items[i + 1]);
  }

  /** Two edges, and the vertices that belong to them. */
  #tryEdges(edgeA: number, edgeB: number): void {
    if (!this.#filter.edgesAreNear(edgeA, edgeB)) return;
    this.#try(EDGE_EDGE, edgeA, edgeB);
    for (let i = 2 * edgeA; i < 2 * edgeA + 2; i++) {
      const v = this.#a.ownSummits[i];
      if (v < 0) continue;
      this.#try(VERTEX_EDGE, v, edgeB);
      for (let j = 2 * edgeB; j < 2 * edgeB + 2; j++) {
        const w = this.#b.ownSummits[j];
        if (w >= 0) this.#try(VERTEX_VERTEX, v, w);
      }
    }
    for (let j = 2 * edgeB; j < 2 * edgeB + 2; j++) {
      const w = this.#b.ownSummits[j];
      if (w >= 0) this.#try(EDGE_VERTEX, edgeA, w);
    }
  }

  #try(kind: number, featureA: number, featureB: number): void {
    if (!this.#filter.mayTouch(kind, featureA, featureB)) return;
    const at = 3 * this.count++;
    if (at + 3 > this.found.length) this.found = growTo(this.found, at + 3);
    this.found[at] = kind;
    this.found[at + 1] = featureA;
    this.found[at + 2] = featureB;
  }
}

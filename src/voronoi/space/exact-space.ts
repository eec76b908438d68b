// The nearest site of every node, exactly up to rounding, by blocks of nodes that share their candidates. Where there
// are many elements per node, the nodes are searched one by one.

import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { LEAF_NODES, PROGRESS_STRIDE, SEARCHED_RATIO } from '../../field/exact/nearest-blocks.js';
import type { NodeBlock } from '../../field/exact/node-block.js';
import { allNodes, type GridFrame, gridNodeCount } from '../../field/grid.js';
import type { SpaceElements } from '../sites/space-elements.js';
import { type BlockVisitor, CandidateBlocks } from './candidate-blocks.js';
import { ElementDistances } from './element-distances.js';
import { ElementTree } from './element-tree.js';
import type { SpaceVoronoiCounters } from './space-voronoi.js';

/** Writes the nearest site and its distance for all nodes; those beyond `maxDistance` keep their values. */
export function fillExact(
  elements: SpaceElements,
  frame: GridFrame,
  maxDistance: number,
  slack: number,
  ids: Int32Array,
  distances: Float64Array,
  progress: ProgressOptions,
): SpaceVoronoiCounters {
  const search = new ExactNodes(elements, frame, maxDistance, slack, ids, distances, progress);
  search.blocks.run(allNodes(frame));
  return { distances: search.measure.computed, blocks: search.blocks.blocks, triangles: 0 };
}

class ExactNodes implements BlockVisitor {
  readonly measure: ElementDistances;
  readonly blocks: CandidateBlocks;
  readonly #frame: GridFrame;
  readonly #maxDistance: number;
  readonly #slack: number;
  readonly #ids: Int32Array;
  readonly #distances: Float64Array;
  readonly #progress: ProgressOptions;
  #tree: ElementTree | undefined;
  /** The nodes of the current leaf: where their values go, and their nearest elements and distances so far. */
  readonly #places = new Int32Array(LEAF_NODES ** 3);
  readonly #nearest = new Int32Array(LEAF_NODES ** 3);
  readonly #values = new Float64Array(LEAF_NODES ** 3);
  /** By node: the offset from the middle, and the distance so far with room for rounding. */
  readonly #deltas = new Float64Array(4 * LEAF_NODES ** 3);
  #done = 0;
  #reported = 0;

  constructor(
    elements: SpaceElements,
    frame: GridFrame,
    maxDistance: number,
    slack: number,
    ids: Int32Array,
    distances: Float64Array,
    progress: ProgressOptions,
  ) {
    this.measure = new ElementDistances(elements, LEAF_NODES ** 3);
    const options = {
      frame,
      maxDistance,
      leafNodes: LEAF_NODES,
      earlyNodes: 0,
      fewCandidates: 0,
      searchedRatio: SEARCHED_RATIO,
      slack,
    };
    this.blocks = new CandidateBlocks(this.measure, options, this);
    this.#frame = frame;
    this.#maxDistance = maxDistance;
    this.#slack = slack;
    this.#ids = ids;
    this.#distances = distances;
    this.#progress = progress;
  }

  leaf(block: NodeBlock, first: number, end: number): void {
    if (end > first) this.#measureNodes(block, first, end);
    this.#advance(block.count);
  }

  search(block: NodeBlock): void {
    const { i, j, k, l, m, n } = block;
    const { origin, spacing, size } = this.#frame;
    const { count, site } = this.measure.elements;
    this.#tree ??= new ElementTree(
      this.measure,
      Int32Array.from({ length: count }, (_, element) => element),
      this.#slack,
    );
    const tree = this.#tree;
    for (let c = k; c <= n; c++) {
      for (let b = j; b <= m; b++) {
        for (let a = i; a <= l; a++) {
          tree.find(origin[0] + spacing * a, origin[1] + spacing * b, origin[2] + spacing * c, null);
          if (!(tree.value <= this.#maxDistance)) continue;
          const place = a + size[0] * (b + size[1] * c);
          this.#ids[place] = site[tree.element];
          this.#distances[place] = tree.value;
        }
      }
    }
    this.#advance(block.count);
  }

  #measureNodes(block: NodeBlock, first: number, end: number): void {
    const { measure } = this;
    const { points, squares, inverse, lowered } = measure;
    const { site } = measure.elements;
    const { candidates, middles, best } = this.blocks;
    const places = this.#places;
    const nearest = this.#nearest;
    const values = this.#values;
    const deltas = this.#deltas;
    const slack = this.#slack;
    const count = this.#placeNodes(block);
    measure.measure(best, 0, count);
    for (let p = 0; p < count; p++) {
      nearest[p] = best;
      values[p] = Math.sqrt(squares[p]) * inverse[best] - lowered[best];
      deltas[4 * p + 3] = values[p] + slack;
    }
    for (let at = first; at < end; at++) {
      const element = candidates[at];
      if (element === best) continue;
      const middle = middles[4 * at];
      const gx = middles[4 * at + 1];
      const gy = middles[4 * at + 2];
      const gz = middles[4 * at + 3];
      const scale = inverse[element];
      const offset = lowered[element];
      for (let p = 0; p < count; p++) {
        // The lower bound at the node, as in CandidateBlocks.
        if (middle + gx * deltas[4 * p] + gy * deltas[4 * p + 1] + gz * deltas[4 * p + 2] > deltas[4 * p + 3]) continue;
        const reach = (deltas[4 * p + 3] + offset) / scale;
        if (reach < 0) continue;
        points[4 * p + 3] = reach * reach;
        measure.measure(element, p, p + 1);
        const value = Math.sqrt(squares[p]) * scale - offset;
        if (value < values[p] || (value === values[p] && element < nearest[p])) {
          values[p] = value;
          deltas[4 * p + 3] = value + slack;
          nearest[p] = element;
        }
      }
    }
    for (let p = 0; p < count; p++) {
      if (!(values[p] <= this.#maxDistance)) continue;
      this.#ids[places[p]] = site[nearest[p]];
      this.#distances[places[p]] = values[p];
    }
  }

  /** Sets the points to measure; returns their number. */
  #placeNodes({ i, j, k, l, m, n }: NodeBlock): number {
    const { origin, spacing, size } = this.#frame;
    const { points } = this.measure;
    const { middle } = this.blocks;
    const deltas = this.#deltas;
    let count = 0;
    for (let c = k; c <= n; c++) {
      for (let b = j; b <= m; b++) {
        for (let a = i; a <= l; a++) {
          this.#places[count] = a + size[0] * (b + size[1] * c);
          points[4 * count] = origin[0] + spacing * a;
          points[4 * count + 1] = origin[1] + spacing * b;
          points[4 * count + 2] = origin[2] + spacing * c;
          points[4 * count + 3] = Infinity;
          deltas[4 * count] = points[4 * count] - middle[0];
          deltas[4 * count + 1] = points[4 * count + 1] - middle[1];
          deltas[4 * count + 2] = points[4 * count + 2] - middle[2];
          count++;
        }
      }
    }
    return count;
  }

  #advance(nodes: number): void {
    this.#done += nodes;
    if (this.#done - this.#reported < PROGRESS_STRIDE) return;
    this.#reported = this.#done;
    reportProgress(this.#progress, this.#done / gridNodeCount(this.#frame), 'nearest sites');
  }
}

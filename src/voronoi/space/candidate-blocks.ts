// Blocks of nodes with the elements that can be nearest to one of their nodes. Blocks are halved along each axis, and
// each part keeps only candidates of the whole, as in exact distance fields; here distances have weights and offsets.
import { copyInto } from '../../core/grow-array.js';
import { NodeBlock } from '../../field/exact/node-block.js';
import type { GridFrame, NodeBox } from '../../field/grid.js';
import type { ElementDistances } from './element-distances.js';

/** Receives the blocks. A block is valid during the call. */
export interface BlockVisitor {
  /** A block that is not divided further, with its candidates from `first` to before `end`; there may be none. */
  leaf(block: NodeBlock, first: number, end: number): void;
  /** A block with more than `searchedRatio` candidates per node, which were not looked at. */
  search(block: NodeBlock): void;
}

export interface BlockOptions {
  readonly frame: GridFrame;
  readonly maxDistance: number;
  /** Blocks of at most this many nodes along each axis are leaves. */
  readonly leafNodes: number;
  /** Blocks of at most this many nodes along each axis are leaves too if they have few candidates. */
  readonly earlyNodes: number;
  readonly fewCandidates: number;
  readonly searchedRatio: number;
  /** A bound on the rounding of distances. */
  readonly slack: number;
}

export class CandidateBlocks {
  /** Blocks visited. */
  blocks = 0;
  /** Candidates of the blocks on the way down, as consecutive lists. */
  candidates: Int32Array;
  /** For each its distance at the middle of the block, less room for rounding, and its gradient there. */
  middles: Float64Array;
  /** The candidate nearest to the middle of the current block, that middle, and half the diagonal. */
  best = 0;
  readonly middle = new Float64Array(3);
  radius = 0;
  /** No node of the current block is farther from its nearest element. */
  limit = Infinity;
  readonly #measure: ElementDistances;
  readonly #options: BlockOptions;
  readonly #visitor: BlockVisitor;
  readonly #half = new Float64Array(3);
  /** The blocks in work, by level of the division. */
  readonly #levels: NodeBlock[] = [];

  constructor(measure: ElementDistances, options: BlockOptions, visitor: BlockVisitor) {
    this.#measure = measure;
    this.#options = options;
    this.#visitor = visitor;
    const { count } = measure.elements;
    this.candidates = new Int32Array(4 * count + 1024);
    this.middles = new Float64Array(4 * this.candidates.length);
  }

  /** Visits the nodes of a box. */
  run({ min, max }: NodeBox): void {
    const { count } = this.#measure.elements;
    if (count === 0) return;
    for (let element = 0; element < count; element++) this.candidates[element] = element;
    this.#blockAt(0).set(min, max);
    this.#visit(0, 0, count, 0);
  }

  /** Visits the block of a level; the candidates of its parent block are those from `first` to before `end`. */
  #visit(level: number, first: number, end: number, guess: number): void {
    const { frame, leafNodes, earlyNodes, fewCandidates, searchedRatio } = this.#options;
    const { origin, spacing } = frame;
    const block = this.#blockAt(level);
    const { i, j, k, l, m, n } = block;
    if (end - first > searchedRatio * block.count) {
      this.#visitor.search(block);
      return;
    }
    this.middle[0] = origin[0] + (spacing * (i + l)) / 2;
    this.middle[1] = origin[1] + (spacing * (j + m)) / 2;
    this.middle[2] = origin[2] + (spacing * (k + n)) / 2;
    this.#half[0] = (spacing * (l - i)) / 2;
    this.#half[1] = (spacing * (m - j)) / 2;
    this.#half[2] = (spacing * (n - k)) / 2;
    this.radius = Math.hypot(this.#half[0], this.#half[1], this.#half[2]);
    this.blocks++;
    const last = this.#keepCandidates(first, end, guess);
    const { longest } = block;
    const small = longest < leafNodes || (longest < earlyNodes && last - end <= fewCandidates);
    if (small || last === end) {
      this.#visitor.leaf(block, end, last);
      return;
    }
    const { best } = this;
    const part = this.#blockAt(level + 1);
    for (let number = 0; number < 8; number++) {
      if (part.takePart(block, number, leafNodes)) this.#visit(level + 1, end, last, best);
    }
  }

  /** The block in work at a level of the division. */
  #blockAt(level: number): NodeBlock {
    while (this.#levels.length <= level) this.#levels.push(new NodeBlock());
    return this.#levels[level];
  }

  /**
   * Copies those of the candidates from `first` to before `end` that can be nearest to a node of the block to after
   * `end`; returns where they end.
   *
   * Let d be the distance and g its gradient at the middle, without weight, and δ the offset of a node. The distance to
   * a convex set is convex, so at the node it is at least d + g·δ, and at most d + g·δ + |δ|²/2d. Both are divided by
   * the weight and lowered by the offset. An element whose lower bound exceeds the upper bound of another cannot be
   * nearest. Runs for every block and candidate, so that all its values are locals of one function.
   */
  #keepCandidates(first: number, end: number, guess: number): number {
    const measure = this.#measure;
    const { points, squares, offsets, balls, inverse, lowered } = measure;
    if (2 * end - first > this.candidates.length) this.#grow();
    const { candidates, middles, radius } = this;
    const { slack, maxDistance } = this.#options;
    const x = this.middle[0];
    const y = this.middle[1];
    const z = this.middle[2];
    const halfX = this.#half[0];
    const halfY = this.#half[1];
    const halfZ = this.#half[2];
    points[0] = x;
    points[1] = y;
    points[2] = z;
    points[3] = Infinity;
    measure.measure(guess, 0, 1);
    let d = Math.sqrt(squares[0]);
    let scale = inverse[guess];
    let best = d * scale - lowered[guess];
    let bestElement = guess;
    let bestX = (offsets[0] / d) * scale;
    let bestY = (offsets[1] / d) * scale;
    let bestZ = (offsets[2] / d) * scale;
    let curve = d > radius ? ((radius * radius) / (2 * d)) * scale + slack : Infinity;
    let limit = Math.min(best + radius * scale, maxDistance) + slack;
    let kept = end;
    for (let at = first; at < end; at++) {
      const element = candidates[at];
      scale = inverse[element];
      // How far the element may be from the middle.
      const reach = (limit + lowered[element]) / scale + radius;
      if (!(reach >= 0)) continue;
      const dx = x - balls[4 * element];
      const dy = y - balls[4 * element + 1];
      const dz = z - balls[4 * element + 2];
      const far = reach + balls[4 * element + 3];
      if (dx * dx + dy * dy + dz * dz > far * far) continue;
      points[3] = reach * reach;
      measure.measure(element, 0, 1);
      if (squares[0] > reach * reach) continue;
      d = Math.sqrt(squares[0]);
      const value = d * scale - lowered[element];
      const gx = (offsets[0] / d) * scale;
      const gy = (offsets[1] / d) * scale;
      const gz = (offsets[2] / d) * scale;
      const turn = Math.abs(gx - bestX) * halfX + Math.abs(gy - bestY) * halfY + Math.abs(gz - bestZ) * halfZ;
      if (value > best + turn + curve) continue;
      limit = Math.min(limit, value + radius * scale + slack);
      if (value < best) {
        best = value;
        bestElement = element;
        bestX = gx;
        bestY = gy;
        bestZ = gz;
        curve = d > radius ? ((radius * radius) / (2 * d)) * scale + slack : Infinity;
      }
      candidates[kept] = element;
      // Where d is off by `slack`, the direction of g is off by slack / d: next to an element it is arbitrary.
      middles[4 * kept] = value - (slack * radius * scale) / d;
      middles[4 * kept + 1] = gx;
      middles[4 * kept + 2] = gy;
      middles[4 * kept++ + 3] = gz;
    }
    this.best = bestElement;
    this.limit = limit;
    let last = end;
    for (let at = end; at < kept; at++) {
      const value = middles[4 * at];
      if (value - radius * inverse[candidates[at]] > limit) continue;
      const turn =
        Math.abs(middles[4 * at + 1] - bestX) * halfX +
        Math.abs(middles[4 * at + 2] - bestY) * halfY +
        Math.abs(middles[4 * at + 3] - bestZ) * halfZ;
      if (value > best + turn + curve) continue;
      candidates[last] = candidates[at];
      middles[4 * last] = value;
      middles[4 * last + 1] = middles[4 * at + 1];
      middles[4 * last + 2] = middles[4 * at + 2];
      middles[4 * last++ + 3] = middles[4 * at + 3];
    }
    return last;
  }

  #grow(): void {
    const length = 2 * this.candidates.length;
    this.candidates = copyInto(this.candidates, new Int32Array(length));
    this.middles = copyInto(this.middles, new Float64Array(4 * length));
  }
}

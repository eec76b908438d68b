// Many shapes at once: a sweep over their boxes finds the pairs that may meet, each pair is asked in the same memory.
import { NearfieldError } from '../../core/errors.js';
import { growTo } from '../../core/grow-array.js';
import { PIVOT_DEFAULTS } from '../defaults.js';
import { EdgeSet } from './edge-set.js';
import { assertLength, PairQuery } from './pair-query.js';
import { errorFor } from './pixel-lattice.js';
import { PLANE_PIVOT_TABLE, type PlanePivotOptions } from './plane-pivot.js';
import type { PlaneContacts, PlaneCounters, PlanePenetration } from './plane-result.js';
import type { PlaneShape } from './plane-shape.js';

/** Which points belong to which pair of a scene. */
export interface PlaneScenePairs {
  /** How many pairs have points. */
  readonly pairCount: number;
  /** How many pairs have boxes that meet, within the error or the threshold. */
  readonly pairsTested: number;
  /** The two shapes of each pair, the lower index first. */
  readonly pairs: Int32Array;
  /** The first point of each pair; the points of pair k end where those of k + 1 begin, the last ones at `count`. */
  readonly starts: Int32Array;
}

/** The penetrating points of all pairs. `objects` has the index of the shape whose boundary a point is of. */
export interface PlaneScenePenetration extends PlanePenetration, PlaneScenePairs {}

/** The contacts of all pairs: points of the boundary of a pair's first shape, with normals towards its second. */
export interface PlaneSceneContacts extends PlaneContacts, PlaneScenePairs {}

/** What both kinds of answer have, filled in again by every call. */
class SceneAnswer {
  count = 0;
  points = new Float64Array(0);
  lengths = new Float64Array(0);
  objects = new Int32Array(0);
  depths = new Float64Array(0);
  distances = new Float64Array(0);
  directions = new Float64Array(0);
  normals = new Float64Array(0);
  error = 0;
  pairCount = 0;
  pairsTested = 0;
  pairs = new Int32Array(32);
  starts = new Int32Array(16);

  constructor(readonly counters: PlaneCounters) {}
}

/**
 * Answers queries about all pairs of many shapes, given anew for every frame. Answers are returned in the memory of this
 * object: the next call overwrites them.
 */
export class PlaneScene {
  readonly #error: number | undefined;
  readonly #levels: number;
  readonly #sets: EdgeSet[] = [];
  readonly #query = new PairQuery();
  readonly #answer = new SceneAnswer(this.#query.counters);
  /** The shapes by the left side of their boxes, as they were in the last frame: nearly sorted. */
  #order = new Int32Array(0);
  /** x0, y0, x1, y1 of them in that order. */
  #boxes = new Float64Array(0);
  #threshold = 0;
  #isContact = false;

  /** @throws NearfieldError `bad-argument` as `PlanePivot` does. */
  constructor(options: PlanePivotOptions = {}) {
    const { error, maxDepth } = PLANE_PIVOT_TABLE.read(options);
    this.#error = error;
    this.#levels = maxDepth;
  }

  /**
   * The penetrating points of all pairs of shapes, both boundaries of each.
   * @throws NearfieldError as the queries of `PlanePivot` do.
   */
  penetration(shapes: readonly PlaneShape[]): PlaneScenePenetration {
    this.#isContact = false;
    this.#threshold = 0;
    this.#run(shapes);
    return this.#answer;
  }

  /** The contacts of all pairs of shapes within a threshold, as `PlanePivot.contacts` finds them. */
  contacts(shapes: readonly PlaneShape[], threshold: number): PlaneSceneContacts {
    assertLength(threshold, 'threshold');
    this.#isContact = true;
    this.#threshold = threshold;
    this.#run(shapes);
    return this.#answer;
  }

  #run(shapes: readonly PlaneShape[]): void {
    if (!Array.isArray(shapes)) throw new NearfieldError('bad-argument', 'The shapes are not an array; give one.');
    const sets = this.#sets;
    while (sets.length < shapes.length) sets.push(new EdgeSet());
    for (let i = 0; i < shapes.length; i++) sets[i].outline(shapes[i], this.#levels, i);
    const answer = this.#answer;
    answer.pairCount = 0;
    answer.pairsTested = 0;
    answer.error = 0;
    this.#query.begin();
    this.#sweep(shapes.length);
    const { list } = this.#query;
    answer.count = list.count;
    answer.points = list.points;
    answer.lengths = list.lengths;
    answer.objects = list.objects;
    answer.depths = answer.distances = list.distances;
    answer.directions = answer.normals = list.directions;
  }

  /** Asks about the pairs whose boxes meet, by a sweep from left to right. */
  #sweep(count: number): void {
    const sets = this.#sets;
    if (this.#order.length !== count) {
      this.#order = Int32Array.from({ length: count }, (_, i) => i);
      this.#boxes = new Float64Array(4 * count);
    }
    const order = this.#order;
    const boxes = this.#boxes;
    // In the order of their left sides. Boxes shrink when shapes are placed, so the sweep keeps the first ones.
    for (let i = 0; i < count; i++) {
      const shape = order[i];
      const set = sets[shape];
      const left = set.minX;
      let at = i;
      for (; at > 0 && boxes[4 * at - 4] > left; at--) {
        order[at] = order[at - 1];
        boxes.copyWithin(4 * at, 4 * at - 4, 4 * at);
      }
      order[at] = shape;
      boxes[4 * at] = left;
      boxes[4 * at + 1] = set.minY;
      boxes[4 * at + 2] = set.maxX;
      boxes[4 * at + 3] = set.maxY;
    }
    for (let i = 0; i < count; i++) {
      const first = sets[order[i]];
      // Samples inside one are within the error of the other; contacts reach as far as their threshold and both errors.
      const error = this.#error ?? PIVOT_DEFAULTS.errorShare * first.diagonal;
      const reach = this.#isContact ? this.#threshold + 2 * error : error;
      const right = boxes[4 * i + 2] + reach;
      const low = boxes[4 * i + 1] - reach;
      const high = boxes[4 * i + 3] + reach;
      for (let j = i + 1; j < count && boxes[4 * j] <= right; j++) {
        if (boxes[4 * j + 1] > high || boxes[4 * j + 3] < low) continue;
        const second = sets[order[j]];
        if (!first.isPlaced) first.place();
        if (!second.isPlaced) second.place();
        if (first.minX > second.maxX + reach || second.minX > first.maxX + reach) continue;
        if (first.minY > second.maxY + reach || second.minY > first.maxY + reach) continue;
        this.#ask(order[i], order[j]);
      }
    }
  }

  #ask(i: number, j: number): void {
    const first = Math.min(i, j);
    const second = Math.max(i, j);
    const a = this.#sets[first];
    const b = this.#sets[second];
    const error = errorFor(this.#error, a, b);
    const answer = this.#answer;
    const query = this.#query;
    const { list } = query;
    const start = list.count;
    list.startSet();
    answer.pairsTested++;
    if (error > answer.error) answer.error = error;
    if (this.#isContact) query.touch(a, b, error, this.#threshold, first);
    else query.penetrate(a, b, error, first, second);
    query.countWork(a, b);
    if (list.count === start) return;
    const pair = answer.pairCount++;
    if (answer.starts.length <= pair) {
      answer.starts = growTo(answer.starts, pair + 1);
      answer.pairs = growTo(answer.pairs, 2 * pair + 2);
    }
    answer.starts[pair] = start;
    answer.pairs[2 * pair] = first;
    answer.pairs[2 * pair + 1] = second;
  }
}

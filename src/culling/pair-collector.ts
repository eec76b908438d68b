// From pairs of triangles that may meet to the result of a call: exact decisions, pairs of objects, counts by stage.

import { PairList, sortedPairs } from '../spatial/pair-list.js';
import type { CullStage } from './cull-result.js';
import type { CullScene } from './cull-scene.js';
import { areNeighbors, ExactStage } from './exact-stage.js';

/**
 * What to compute about the pairs that are left. 'pairs': which objects collide; a pair of objects is done with the first
 * triangles that meet. 'count': also how many pairs of triangles meet. 'triangles': also the list of them.
 * 'candidates': no exact tests, but the list of triangles that may meet: a broad phase.
 */
export type CullOutput = 'pairs' | 'count' | 'triangles' | 'candidates';

/** Label: a mark of an object: it may meet another. */
const MAY_MEET = 1;
/** Label: a mark of an object: it meets another. */
const MEETS = 2;

/** Takes candidates pair of objects by pair of objects. */
export class PairCollector {
  /** Pairs of triangles with overlapping boxes. */
  candidates = 0;
  readonly #scene: CullScene;
  readonly #output: CullOutput;
  readonly #exact: ExactStage;
  readonly #pairs = new PairList();
  readonly #exactPairs = new PairList();
  readonly #selfColliding: number[] = [];
  readonly #triangleMarks: Uint8Array;
  readonly #objectMarks: Uint8Array;
  #possibleTriangles = 0;
  #meetingTriangles = 0;

  constructor(scene: CullScene, output: CullOutput, triangleMarks: Uint8Array) {
    this.#scene = scene;
    this.#output = output;
    this.#exact = new ExactStage(output === 'triangles' || output === 'candidates');
    this.#triangleMarks = triangleMarks.fill(0, 0, scene.triangleCount);
    this.#objectMarks = new Uint8Array(scene.objectCount);
  }

  /** Pairs of triangles decided exactly. */
  get decided(): number {
    return this.#exact.decided;
  }

  /** Marks a pair of objects as possible whose candidates are known to be apart. */
  addPossible(objectA: number, objectB: number): void {
    this.#pairs.push(objectA, objectB);
  }

  /**
   * Adds the candidates between two objects, the lower first, in either order in the list.
   * @param values two numbers of triangles a pair, over all objects.
   */
  addBetween(objectA: number, objectB: number, values: Uint32Array, from: number, to: number): void {
    const { objects, firstTriangle } = this.#scene;
    const firstA = firstTriangle[objectA];
    const firstB = firstTriangle[objectB];
    this.candidates += to - from;
    let meets = false;
    for (let i = 2 * from; i < 2 * to; i += 2) {
      const t = Math.min(values[i], values[i + 1]);
      const u = Math.max(values[i], values[i + 1]);
      this.#markPossible(t, u);
      if (this.#output === 'candidates') this.#exact.add(objectA, t - firstA, objectB, u - firstB);
      else if (!(meets && this.#output === 'pairs')) {
        if (this.#exact.decide(objects[objectA], objectA, t - firstA, objects[objectB], objectB, u - firstB)) {
          meets = true;
          this.#markMeeting(t, u);
        }
      }
    }
    if (to > from) this.#pairs.push(objectA, objectB);
    if (meets) this.#exactPairs.push(objectA, objectB);
  }

  /** Adds the candidates within an object; those that share a vertex id are left out. */
  addWithin(object: number, values: Uint32Array, from: number, to: number): void {
    const { objects, firstTriangle } = this.#scene;
    const mesh = objects[object];
    const first = firstTriangle[object];
    let meets = false;
    for (let i = 2 * from; i < 2 * to; i += 2) {
      const a = Math.min(values[i], values[i + 1]) - first;
      const b = Math.max(values[i], values[i + 1]) - first;
      if (areNeighbors(mesh.indices, a, b)) continue;
      this.candidates++;
      this.#markPossible(first + a, first + b);
      this.#objectMarks[object] |= MAY_MEET;
      if (this.#output === 'candidates') this.#exact.add(object, a, object, b);
      else if (!(meets && this.#output === 'pairs') && this.#exact.decideWithin(mesh, object, a, b)) {
        meets = true;
        this.#markMeeting(first + a, first + b);
      }
    }
    if (!meets) return;
    this.#objectMarks[object] |= MEETS;
    this.#selfColliding.push(object);
  }

  /** The parts of the result that come from pairs. */
  finish(selfCollision: boolean) {
    const decides = this.#output !== 'candidates';
    const pairs = sortedPairs(this.#pairs.values, this.#pairs.count);
    const exactPairs = sortedPairs(this.#exactPairs.values, this.#exactPairs.count);
    for (const object of pairs) this.#objectMarks[object] |= MAY_MEET;
    for (const object of exactPairs) this.#objectMarks[object] |= MEETS;
    const stages: CullStage[] = [this.#stage('pairs', MAY_MEET)];
    if (decides) stages.push(this.#stage('exact', MEETS));
    const listed = this.#output === 'triangles' || this.#output === 'candidates';
    return {
      pairs,
      exactPairs: decides ? exactPairs : null,
      selfColliding: selfCollision && decides ? Uint32Array.from(this.#selfColliding) : null,
      trianglePairs: decides && this.#output !== 'pairs' ? this.#exact.meeting : null,
      triangles: listed ? sortQuads(this.#exact.list, this.#exact.meeting) : null,
      stages,
    };
  }

  #stage(name: CullStage['name'], mark: number): CullStage {
    let objects = 0;
    for (const value of this.#objectMarks) if ((value & mark) !== 0) objects++;
    return { name, objects, triangles: mark === MEETS ? this.#meetingTriangles : this.#possibleTriangles };
  }

  /** Marks two triangles and counts those that are marked for the first time. */
  #markPossible(a: number, b: number): void {
    const marks = this.#triangleMarks;
    if (marks[a] === 0) this.#possibleTriangles++;
    marks[a] |= MAY_MEET;
    if (marks[b] === 0) this.#possibleTriangles++;
    marks[b] |= MAY_MEET;
  }

  #markMeeting(a: number, b: number): void {
    const marks = this.#triangleMarks;
    if ((marks[a] & MEETS) === 0) this.#meetingTriangles++;
    marks[a] |= MEETS;
    if ((marks[b] & MEETS) === 0) this.#meetingTriangles++;
    marks[b] |= MEETS;
  }
}

/** Groups of four numbers in lexicographic order. */
function sortQuads(values: Uint32Array, count: number): Uint32Array {
  const order = Array.from({ length: count }, (_, i) => 4 * i);
  order.sort(
    (p, q) =>
      values[p] - values[q] ||
      values[p + 2] - values[q + 2] ||
      values[p + 1] - values[q + 1] ||
      values[p + 3] - values[q + 3],
  );
  const sorted = new Uint32Array(4 * count);
  for (let i = 0; i < count; i++) sorted.set(values.subarray(order[i], order[i] + 4), 4 * i);
  return sorted;
}

// The pairs of triangles of two box trees that may hold a contact. Pairs of boxes that may overlap come first, and alone
// decide whether the surfaces cross. Below pairs that are apart, cones of normals exclude what cannot hold a local minimum
// of the distance (Johnson and Cohen 2001), so that the cost follows the minima, not what is within the tolerance.
import { doubled } from '../../core/grow-array.js';
import { trianglesMeet } from '../../mesh/triangle/triangles-meet.js';
import { BoxBound } from '../boxes/box-bound.js';
import { BOX_RADIUS, BOX_STRIDE, type BoxTree, splitsA } from '../boxes/box-tree.js';
import { clearOutcome, createOutcome, type SearchOutcome, type TrianglePairSink } from '../surface-search.js';
import { mayHoldMinimum, normalConesOf } from './contact-cones.js';

/** Searches two trees for one placement after another; between calls it keeps only the triangles that crossed last. */
export class ContactSearch {
  #placement: Float64Array = new Float64Array(12);
  #tolerance = 0;
  #outcome = createOutcome();
  #conesA: Float64Array | null = null;
  #conesB: Float64Array | null = null;
  /** Triangles that crossed in the last search, −1 for none. */
  #crossedA = -1;
  #crossedB = -1;
  /** The corners of a triangle of B in A's frame. */
  readonly #q = new Float64Array(9);
  /** Pairs of nodes still to be searched: those whose boxes may overlap, and those whose boxes are apart. */
  readonly #overlapping = new NodePairs();
  readonly #apart = new NodePairs();
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #bounds: BoxBound;

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.#bounds = new BoxBound(a, b);
  }

  reset(): void {
    this.#crossedA = -1;
    this.#crossedB = -1;
  }

  /**
   * Offers every pair of triangles that may carry a contact within the tolerance, maybe others. Returns false, ending early
   * with the triangles in the outcome, when two cross.
   * @param outcome receives the counters; those of the search that the pair uses for its other queries.
   */
  findContacts(
    placement: Float64Array,
    tolerance: number,
    sink: TrianglePairSink,
    outcome: SearchOutcome = createOutcome(),
  ): boolean {
    clearOutcome(outcome);
    this.#begin(placement, tolerance, sink, outcome);
    const apart = this.#offerTriangles(sink);
    outcome.cost = outcome.volumePairs;
    return apart;
  }

  #begin(placement: Float64Array, tolerance: number, { surfaces }: TrianglePairSink, outcome: SearchOutcome): void {
    // Cones of normals need all nodes.
    this.#a.complete();
    this.#b.complete();
    this.#bounds.place(placement);
    this.#placement = placement;
    this.#tolerance = tolerance;
    this.#outcome = outcome;
    this.#conesA = surfaces ? normalConesOf(surfaces[0], this.#a.links) : null;
    this.#conesB = surfaces ? normalConesOf(surfaces[1], this.#b.links) : null;
    this.#overlapping.clear();
    this.#apart.clear();
  }

  #offerTriangles(sink: TrianglePairSink): boolean {
    if (this.#crossedA >= 0 && this.#cross(this.#crossedA, this.#crossedB)) return false;
    this.#crossedA = -1;
    this.#outcome.volumePairs++;
    const bound = this.#bounds.boundFaces(0, 0, this.#tolerance, false);
    if (bound > this.#tolerance) return true;
    (bound > 0 ? this.#apart : this.#overlapping).push(0, 0);
    if (!this.#searchOverlapping()) return false;
    this.#searchApart(sink);
    return true;
  }

  /** Splits the pairs that may overlap down to their triangles, and leaves those that are apart for later. */
  #searchOverlapping(): boolean {
    const overlapping = this.#overlapping;
    const apart = this.#apart;
    const a = this.#a;
    const b = this.#b;
    while (overlapping.count > 0) {
      const at = --overlapping.count;
      const nodeA = overlapping.nodesA[at];
      const nodeB = overlapping.nodesB[at];
      const linkA = a.links[nodeA];
      const linkB = b.links[nodeB];
      if (linkA < 0 && linkB < 0) {
        if (this.#cross(~linkA, ~linkB)) return false;
        apart.push(nodeA, nodeB);
        continue;
      }
      const ofA = splitsA(a, nodeA, b, nodeB);
      this.#sort(ofA ? linkA : nodeA, ofA ? nodeB : linkB);
      this.#sort(ofA ? nodeA + 1 : nodeA, ofA ? nodeB : nodeB + 1);
    }
    return true;
  }

  #sort(nodeA: number, nodeB: number): void {
    this.#outcome.volumePairs++;
    const bound = this.#bounds.boundFaces(nodeA, nodeB, this.#tolerance, false);
    if (bound > this.#tolerance) return;
    if (!(bound > 0)) this.#overlapping.push(nodeA, nodeB);
    else if (this.#mayHoldMinimum(nodeA, nodeB)) this.#apart.push(nodeA, nodeB);
  }

  #searchApart(sink: TrianglePairSink): void {
    const apart = this.#apart;
    const a = this.#a;
    const b = this.#b;
    while (apart.count > 0) {
      const at = --apart.count;
      const nodeA = apart.nodesA[at];
      const nodeB = apart.nodesB[at];
      const linkA = a.links[nodeA];
      const linkB = b.links[nodeB];
      if (linkA < 0 && linkB < 0) {
        sink.offer(~linkA, ~linkB);
        continue;
      }
      const ofA = splitsA(a, nodeA, b, nodeB);
      this.#keep(ofA ? linkA : nodeA, ofA ? nodeB : linkB);
      this.#keep(ofA ? nodeA + 1 : nodeA, ofA ? nodeB : nodeB + 1);
    }
  }

  #keep(nodeA: number, nodeB: number): void {
    // A cone test takes a fifth of the time of a box test.
    if (!this.#mayHoldMinimum(nodeA, nodeB)) return;
    this.#outcome.volumePairs++;
    if (this.#bounds.boundFaces(nodeA, nodeB, this.#tolerance, false) <= this.#tolerance)
      this.#apart.push(nodeA, nodeB);
  }

  #mayHoldMinimum(nodeA: number, nodeB: number): boolean {
    const m = this.#placement;
    const conesA = this.#conesA;
    const conesB = this.#conesB;
    if (conesA === null || conesB === null) return true;
    const A = this.#a.boxes;
    const B = this.#b.boxes;
    const i = BOX_STRIDE * nodeA;
    const j = BOX_STRIDE * nodeB;
    const x = B[j];
    const y = B[j + 1];
    const z = B[j + 2];
    const vx = m[0] * x + m[1] * y + m[2] * z + m[3] - A[i];
    const vy = m[4] * x + m[5] * y + m[6] * z + m[7] - A[i + 1];
    const vz = m[8] * x + m[9] * y + m[10] * z + m[11] - A[i + 2];
    const radius = A[i + BOX_RADIUS] + B[j + BOX_RADIUS] + this.#bounds.slack;
    return mayHoldMinimum(conesA, nodeA, conesB, nodeB, m, vx, vy, vz, radius);
  }

  /** Whether two triangles share a point, exactly; remembers them if so. */
  #cross(triangleA: number, triangleB: number): boolean {
    const m = this.#placement;
    const q = this.#q;
    const outcome = this.#outcome;
    const { positions, indices } = this.#b.mesh;
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * triangleB + k];
      const x = positions[v];
      const y = positions[v + 1];
      const z = positions[v + 2];
      q[3 * k] = m[0] * x + m[1] * y + m[2] * z + m[3];
      q[3 * k + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
      q[3 * k + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    }
    outcome.trianglePairs++;
    const { mesh } = this.#a;
    const i = 3 * triangleA;
    const a0 = 3 * mesh.indices[i];
    const a1 = 3 * mesh.indices[i + 1];
    const a2 = 3 * mesh.indices[i + 2];
    if (!trianglesMeet(mesh.positions, a0, a1, a2, q, 0, 3, 6)) return false;
    outcome.triangleA = this.#crossedA = triangleA;
    outcome.triangleB = this.#crossedB = triangleB;
    return true;
  }
}

/** A stack of pairs of nodes that grows. */
class NodePairs {
  count = 0;
  nodesA = new Int32Array(64);
  nodesB = new Int32Array(64);

  clear(): void {
    this.count = 0;
  }

  push(nodeA: number, nodeB: number): void {
    if (this.count === this.nodesA.length) {
      this.nodesA = doubled(this.nodesA);
      this.nodesB = doubled(this.nodesB);
    }
    this.nodesA[this.count] = nodeA;
    this.nodesB[this.count++] = nodeB;
  }
}

// Triangulates a polygon with holes: holes are joined to the outer ring by bridges (Eberly 2002), ears are cut off
// (Meisters 1975), and flips make the result constrained Delaunay. All decisions are exact signs, so no valid polygon
// fails and no triangle is flat. O(n · reflex corners) time, O(n) memory; adds no points.
import { NearfieldError } from '../../core/errors.js';
import { exactTurn } from '../../core/exact/orientation.js';
import { flipToDelaunay } from './delaunay-flips.js';
import { assertPolygon, type Polygon } from './polygon.js';

/** A polygon cut into triangles between its own points. */
export interface PolygonTriangulation {
  /** x, y per point, for all rings in order. */
  readonly points: Float64Array;
  /** Three point ids per triangle, counter-clockwise; n + 2 × holes − 2 triangles for n points. */
  readonly triangles: Uint32Array;
}

/**
 * The constrained Delaunay triangulation of a polygon: of all triangulations between its points, the one with the
 * largest smallest angle. Points in the middle of a straight side are kept as corners. Exact down to sizes of 1e-70,
 * where products of four lengths begin to underflow.
 * @throws NearfieldError as `assertPolygon` does.
 */
export function triangulatePolygon(polygon: Polygon): PolygonTriangulation {
  assertPolygon(polygon);
  const loop = new BridgedLoop(polygon.rings);
  const triangles = cutEars(loop);
  flipToDelaunay(loop.points, triangles);
  return { points: loop.points, triangles };
}

/**
 * The boundary as one closed chain of nodes: the outer ring, with each hole spliced in along a bridge that is traversed
 * in both directions. A point at the end of a bridge has several nodes, one for each of its corners in the region.
 */
class BridgedLoop {
  readonly points: Float64Array;
  readonly pointOf: Uint32Array;
  readonly next: Int32Array;
  readonly previous: Int32Array;
  size: number;
  #nodes = 0;

  constructor(rings: readonly Float64Array[]) {
    const pointCount = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
    const nodeCount = pointCount + 2 * (rings.length - 1);
    this.points = new Float64Array(2 * pointCount);
    this.pointOf = new Uint32Array(nodeCount);
    this.next = new Int32Array(nodeCount);
    this.previous = new Int32Array(nodeCount);
    for (const ring of rings) this.#addRing(ring);
    this.size = rings[0].length / 2;

    // From right to left: a bridge starts at the rightmost point of its hole and runs right, and the holes not joined
    // yet lie to its left, so only the current chain can block it.
    let first = rings[0].length / 2;
    const holes = rings.slice(1).map((ring) => {
      const hole = { rightmost: this.#rightmost(first, ring.length / 2), size: ring.length / 2 };
      first += ring.length / 2;
      return hole;
    });
    holes.sort((a, b) => this.#x(b.rightmost) - this.#x(a.rightmost) || a.rightmost - b.rightmost);
    for (const { rightmost, size } of holes) {
      this.#bridge(this.#findBridgeEnd(rightmost), rightmost);
      this.size += size + 2;
    }
  }

  /** The turn at the corner of three nodes: positive to the left. */
  turn(a: number, b: number, c: number): number {
    const { points, pointOf } = this;
    const [i, j, k] = [2 * pointOf[a], 2 * pointOf[b], 2 * pointOf[c]];
    return exactTurn(points[i], points[i + 1], points[j], points[j + 1], points[k], points[k + 1]);
  }

  /** Whether the direction from `node` to `target` points strictly into the region at this corner. */
  opensTowards(node: number, target: number): boolean {
    const before = this.previous[node];
    const after = this.next[node];
    const right = this.turn(node, after, target) > 0;
    const left = this.turn(node, target, before) > 0;
    return this.turn(before, node, after) > 0 ? right && left : right || left;
  }

  #x(node: number): number {
    return this.points[2 * this.pointOf[node]];
  }

  #addRing(ring: Float64Array): void {
    const first = this.#nodes;
    const count = ring.length / 2;
    this.points.set(ring, 2 * first);
    for (let i = 0; i < count; i++) {
      this.pointOf[first + i] = first + i;
      this.#link(first + i, first + ((i + 1) % count));
    }
    this.#nodes += count;
  }

  #link(a: number, b: number): void {
    this.next[a] = b;
    this.previous[b] = a;
  }

  #rightmost(first: number, count: number): number {
    let best = first;
    for (let node = first + 1; node < first + count; node++) if (this.#x(node) > this.#x(best)) best = node;
    return best;
  }

  /** The nearest corner of the chain, right of `hole`, that sees it. One always exists (Eberly 2002, section 3). */
  #findBridgeEnd(hole: number): number {
    let nearest = -1;
    do nearest = this.#nearestRightOf(hole, nearest);
    while (!this.opensTowards(nearest, hole) || this.#isBlocked(hole, nearest));
    return nearest;
  }

  /** The next nearest node of the chain right of `hole` after `last`, ties by node; the nearest when `last` is -1. */
  #nearestRightOf(hole: number, last: number): number {
    const lastDistance = last < 0 ? -1 : this.#distance(hole, last);
    let nearest = -1;
    let nearestDistance = Infinity;
    for (let node = 0, i = 0; i < this.size; i++, node = this.next[node]) {
      if (this.#x(node) <= this.#x(hole)) continue;
      const distance = this.#distance(hole, node);
      const isLater = distance > lastDistance || (distance === lastDistance && node > last);
      if (isLater && (distance < nearestDistance || (distance === nearestDistance && node < nearest))) {
        nearest = node;
        nearestDistance = distance;
      }
    }
    if (nearest < 0) throw lostPolygon();
    return nearest;
  }

  #distance(a: number, b: number): number {
    const { points, pointOf } = this;
    const [i, j] = [2 * pointOf[a], 2 * pointOf[b]];
    return Math.abs(points[i] - points[j]) + Math.abs(points[i + 1] - points[j + 1]);
  }

  /**
   * Whether an edge of the chain crosses the segment from `a` to `b`. Corners on the segment need no test: they are
   * nearer to `a`, so one of them would have become the end of the bridge before `b` was tried.
   */
  #isBlocked(a: number, b: number): boolean {
    for (let from = 0, i = 0; i < this.size; i++, from = this.next[from]) {
      const to = this.next[from];
      if (this.#lieApart(a, b, from, to)) continue;
      const fromSide = this.turn(a, b, from);
      const toSide = this.turn(a, b, to);
      if (fromSide === 0 || toSide === 0 || fromSide > 0 === toSide > 0) continue;
      if (this.turn(from, to, a) > 0 !== this.turn(from, to, b) > 0) return true;
    }
    return false;
  }

  /** Whether the boxes of two segments share no point. */
  #lieApart(a: number, b: number, c: number, d: number): boolean {
    const { points, pointOf } = this;
    for (let axis = 0; axis < 2; axis++) {
      const [p, q] = [points[2 * pointOf[a] + axis], points[2 * pointOf[b] + axis]];
      const [r, s] = [points[2 * pointOf[c] + axis], points[2 * pointOf[d] + axis]];
      if (Math.max(p, q) < Math.min(r, s) || Math.max(r, s) < Math.min(p, q)) return true;
    }
    return false;
  }

  /** Splices the ring of `hole` in at `end`: end → hole → … round the hole … → hole again → end again. */
  #bridge(end: number, hole: number): void {
    const holeAgain = this.#nodes++;
    const endAgain = this.#nodes++;
    this.pointOf[holeAgain] = this.pointOf[hole];
    this.pointOf[endAgain] = this.pointOf[end];
    this.#link(this.previous[hole], holeAgain);
    this.#link(endAgain, this.next[end]);
    this.#link(holeAgain, endAgain);
    this.#link(end, hole);
  }
}

/** Cuts off one triangle after another; consumes `loop`. */
function cutEars(loop: BridgedLoop): Uint32Array {
  const { next, previous, pointOf } = loop;
  const isReflex = new Uint8Array(next.length);
  for (let node = 0, i = 0; i < loop.size; i++, node = next[node]) {
    isReflex[node] = Number(loop.turn(previous[node], node, next[node]) <= 0);
  }
  const triangles = new Uint32Array(3 * (loop.size - 2));
  let written = 0;
  let node = 0;
  let tried = 0;
  while (loop.size > 3) {
    const before = previous[node];
    const after = next[node];
    if (isReflex[node] || !isEar(loop, isReflex, node)) {
      // Every region between exact chains has two ears, flat corners or not (Meisters 1975).
      if (++tried > loop.size) throw lostPolygon();
      node = after;
      continue;
    }
    triangles[written++] = pointOf[before];
    triangles[written++] = pointOf[node];
    triangles[written++] = pointOf[after];
    next[before] = after;
    previous[after] = before;
    loop.size--;
    for (const corner of [before, after]) {
      isReflex[corner] = Number(loop.turn(previous[corner], corner, next[corner]) <= 0);
    }
    tried = 0;
    // Skipping a corner keeps the cuts from fanning out of one point, which would cost more flips.
    node = next[after];
  }
  triangles[written++] = pointOf[previous[node]];
  triangles[written++] = pointOf[node];
  triangles[written++] = pointOf[next[node]];
  return triangles;
}

/** No valid polygon comes here, as long as turns are exact. */
function lostPolygon(): NearfieldError {
  return new NearfieldError(
    'degenerate',
    'The polygon cannot be cut into triangles: its points are too near to each other for the size of their coordinates.',
  );
}

/** Whether the triangle at a convex corner holds no other part of the chain. */
function isEar(loop: BridgedLoop, isReflex: Uint8Array, node: number): boolean {
  const { next, previous, pointOf, points } = loop;
  const before = previous[node];
  const after = next[node];
  const [a, b, c] = [pointOf[before], pointOf[node], pointOf[after]];
  const left = Math.min(points[2 * a], points[2 * b], points[2 * c]);
  const right = Math.max(points[2 * a], points[2 * b], points[2 * c]);
  const low = Math.min(points[2 * a + 1], points[2 * b + 1], points[2 * c + 1]);
  const high = Math.max(points[2 * a + 1], points[2 * b + 1], points[2 * c + 1]);
  for (let other = next[after]; other !== before; other = next[other]) {
    if (!isReflex[other]) continue;
    const point = pointOf[other];
    const x = points[2 * point];
    const y = points[2 * point + 1];
    if (x < left || x > right || y < low || y > high) continue;
    // Other nodes at the triangle's corners need no test: a chain that enters it from there ends or bends inside it.
    if (point === a || point === b || point === c) continue;
    if (
      loop.turn(before, node, other) >= 0 &&
      loop.turn(node, after, other) >= 0 &&
      loop.turn(after, before, other) >= 0
    ) {
      return false;
    }
  }
  return true;
}

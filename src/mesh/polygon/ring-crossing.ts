// The first pair of edges of a set of rings that meet where they should not: a sweep over the edges sorted by their
// left end, with exact turns (Shewchuk 1997). O(n log n + pairs of edges that overlap in x).
import { exactTurn } from '../../core/exact/orientation.js';

/** Two edges that cross, touch or overlap; edge `i` of a ring runs from its point `i` to the next. */
export interface RingCrossing {
  readonly ringA: number;
  readonly edgeA: number;
  readonly ringB: number;
  readonly edgeB: number;
}

/**
 * Finds two edges that meet, other than neighbors at their common point; `null` when the rings are simple and apart.
 * Exact: rings closer than any tolerance pass, rings that touch in one point do not. Rings have x, y per point.
 */
export function findRingCrossing(rings: readonly ArrayLike<number>[]): RingCrossing | null {
  let count = 0;
  for (const ring of rings) count += ring.length / 2;
  const ends = new Float64Array(4 * count);
  const left = new Float64Array(count);
  const right = new Float64Array(count);
  const ringOf = new Int32Array(count);
  const firstOf = new Int32Array(rings.length + 1);
  let edge = 0;
  rings.forEach((ring, index) => {
    firstOf[index] = edge;
    for (let i = 0; i < ring.length; i += 2, edge++) {
      const j = (i + 2) % ring.length;
      ends[4 * edge] = ring[i];
      ends[4 * edge + 1] = ring[i + 1];
      ends[4 * edge + 2] = ring[j];
      ends[4 * edge + 3] = ring[j + 1];
      left[edge] = Math.min(ring[i], ring[j]);
      right[edge] = Math.max(ring[i], ring[j]);
      ringOf[edge] = index;
    }
  });
  firstOf[rings.length] = count;

  const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => left[a] - left[b] || a - b);
  const active = new Int32Array(count);
  let activeCount = 0;
  for (const current of order) {
    let kept = 0;
    for (let i = 0; i < activeCount; i++) {
      const other = active[i];
      if (right[other] < left[current]) continue;
      active[kept++] = other;
      if (meet(current, other)) {
        const a = Math.min(current, other);
        const b = Math.max(current, other);
        const [ringA, ringB] = [ringOf[a], ringOf[b]];
        return { ringA, edgeA: a - firstOf[ringA], ringB, edgeB: b - firstOf[ringB] };
      }
    }
    active[kept++] = current;
    activeCount = kept;
  }
  return null;

  function meet(a: number, b: number): boolean {
    const ring = ringOf[a];
    if (ring === ringOf[b]) {
      const size = firstOf[ring + 1] - firstOf[ring];
      const step = (b - a + size) % size;
      if (step === 1) return foldsBack(ends, a, b);
      if (step === size - 1) return foldsBack(ends, b, a);
    }
    return segmentsMeet(ends, 4 * a, 4 * b);
  }
}

/** Whether edge `b`, which starts where edge `a` ends, runs back over it. */
function foldsBack(ends: Float64Array, a: number, b: number): boolean {
  const [px, py, x, y] = [ends[4 * a], ends[4 * a + 1], ends[4 * b], ends[4 * b + 1]];
  const nx = ends[4 * b + 2];
  const ny = ends[4 * b + 3];
  if (exactTurn(px, py, x, y, nx, ny) !== 0) return false;
  return px !== x ? px > x === nx > x : py > y === ny > y;
}

/** Whether two closed segments of positive length share a point. */
function segmentsMeet(ends: Float64Array, a: number, b: number): boolean {
  const ax = ends[a];
  const ay = ends[a + 1];
  const bx = ends[a + 2];
  const by = ends[a + 3];
  const cx = ends[b];
  const cy = ends[b + 1];
  const dx = ends[b + 2];
  const dy = ends[b + 3];
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  const c = exactTurn(ax, ay, bx, by, cx, cy);
  const d = exactTurn(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
  const e = exactTurn(cx, cy, dx, dy, ax, ay);
  const f = exactTurn(cx, cy, dx, dy, bx, by);
  if ((e > 0 && f > 0) || (e < 0 && f < 0)) return false;
  // Neither segment lies strictly on one side of the other's line; collinear ones meet because their boxes do.
  return true;
}

// Global translational depth of two solids in the plane. The free placements of A end where a corner of one meets an edge of
// the other: each of these contacts is a segment (for circles an arc) of translations. The shortest translation to each of them,
// and to the crossings of any two, is tried in order of length, until A is free there. Separating along the best normal of
// an edge bounds the search; it is the answer if the budget ends first. Always an upper bound, at which A is free.
import { growTo } from '../../core/grow-array.js';
import { PlacedOutline } from './outline.js';
import { OutlinePair, OVERLAP } from './outline-pair.js';

/** Chosen: placements tried for the segments, and again for their crossings. */
const MAX_TESTS = 300;
/** Chosen: segments up to which their crossings are looked for. */
const MAX_CROSSED = 200;

export class PlaneDepth {
  /** The translation of A that frees it, with a clearance. */
  x = 0;
  y = 0;
  depth = 0;
  /** Where the bodies meet at the end of it, moved with A. */
  pointX = 0;
  pointY = 0;
  /** Placements tried in the last search. */
  tests = 0;

  readonly #query = new OutlinePair();
  #moved: PlacedOutline | null = null;
  #count = 0;
  /** x, y of both ends of each segment, its nearest point, and the corner in contact. */
  #segments = new Float64Array(8 * 64);
  #lengths = new Float64Array(64);

  /** Finds the depth of two placed outlines; 0 if they do not overlap. */
  find(a: PlacedOutline, b: PlacedOutline, clearance: number): number {
    this.tests = 0;
    this.x = this.y = this.depth = 0;
    if (this.#query.measure(a, b, 0) !== OVERLAP) return 0;
    this.#alongNormals(a, b, clearance);
    this.#count = 0;
    this.#collect(a, b, 1, clearance);
    this.#collect(b, a, -1, clearance);
    this.#collectRound(a, b, clearance);
    const order = this.#order();
    this.#try(a, b, order);
    if (this.#count <= MAX_CROSSED) this.#tryCrossings(a, b, clearance);
    return this.depth;
  }

  /** The best separation along a normal of an edge, or the line of the centers: free in any case. */
  #alongNormals(a: PlacedOutline, b: PlacedOutline, clearance: number): void {
    this.depth = Infinity;
    const across = Math.hypot(centerX(b) - centerX(a), centerY(b) - centerY(a));
    if (across > 0) {
      this.#tryNormal(a, b, (centerX(a) - centerX(b)) / across, (centerY(a) - centerY(b)) / across, clearance);
    } else this.#tryNormal(a, b, 1, 0, clearance);
    for (const placed of [a, b]) {
      if (!placed.outline.hasEdges) continue;
      const { points, outline } = placed;
      for (let i = 0; i < outline.next.length; i++) {
        const j = outline.next[i];
        const ex = points[2 * j] - points[2 * i];
        const ey = points[2 * j + 1] - points[2 * i + 1];
        const length = Math.hypot(ex, ey);
        const sign = placed === a ? -1 : 1;
        this.#tryNormal(a, b, (sign * ey) / length, (-sign * ex) / length, clearance);
      }
    }
    this.pointX = (centerX(a) + centerX(b)) / 2;
    this.pointY = (centerY(a) + centerY(b)) / 2;
  }

  #tryNormal(a: PlacedOutline, b: PlacedOutline, nx: number, ny: number, clearance: number): void {
    const way = support(b, nx, ny) + support(a, -nx, -ny) + clearance;
    if (way >= this.depth) return;
    this.depth = way;
    this.x = way * nx;
    this.y = way * ny;
  }

  /** Corners of one over edges of the other; sign -1 if the corners are B's. */
  #collect(a: PlacedOutline, b: PlacedOutline, sign: number, clearance: number): void {
    if (!b.outline.hasEdges) return;
    const { radius } = a.outline;
    const corners = a.outline.hasEdges ? a.outline.next.length : 1;
    const { next } = b.outline;
    for (let j = 0; j < next.length; j++) {
      const k = next[j];
      let ex = b.points[2 * k] - b.points[2 * j];
      let ey = b.points[2 * k + 1] - b.points[2 * j + 1];
      const length = Math.hypot(ex, ey);
      ex /= length;
      ey /= length;
      const out = radius + clearance;
      for (let i = 0; i < corners; i++) {
        if (radius === 0 && !facesAgainst(a, i, ey, -ex)) continue;
        const dx = b.points[2 * j] + out * ey - a.points[2 * i];
        const dy = b.points[2 * j + 1] - out * ex - a.points[2 * i + 1];
        this.#add(
          sign * dx,
          sign * dy,
          sign * (dx + length * ex),
          sign * (dy + length * ey),
          sign > 0 ? a.points[2 * i] : b.points[2 * j],
          sign > 0 ? a.points[2 * i + 1] : b.points[2 * j + 1],
        );
      }
    }
  }

  /** Circles against corners and circles: both ends of the diameter that points to the place where they coincide. */
  #collectRound(a: PlacedOutline, b: PlacedOutline, clearance: number): void {
    const sum = a.outline.radius + b.outline.radius;
    if (sum === 0) return;
    const cornersA = a.outline.hasEdges ? a.outline.next.length : 1;
    const cornersB = b.outline.hasEdges ? b.outline.next.length : 1;
    for (let i = 0; i < cornersA; i++) {
      for (let j = 0; j < cornersB; j++) {
        const dx = b.points[2 * j] - a.points[2 * i];
        const dy = b.points[2 * j + 1] - a.points[2 * i + 1];
        const length = Math.hypot(dx, dy);
        const [ux, uy] = length > 0 ? [dx / length, dy / length] : [1, 0];
        for (const way of [length - sum - clearance, length + sum + clearance]) {
          this.#add(way * ux, way * uy, way * ux, way * uy, a.points[2 * i], a.points[2 * i + 1]);
        }
      }
    }
  }

  #add(x0: number, y0: number, x1: number, y1: number, px: number, py: number): void {
    const ex = x1 - x0;
    const ey = y1 - y0;
    const squared = ex * ex + ey * ey;
    let share = squared > 0 ? -(x0 * ex + y0 * ey) / squared : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const x = x0 + share * ex;
    const y = y0 + share * ey;
    const length = Math.hypot(x, y);
    if (length >= this.depth) return;
    const n = this.#count++;
    this.#segments = growTo(this.#segments, 8 * n + 8);
    this.#lengths = growTo(this.#lengths, n + 1);
    const segments = this.#segments;
    segments[8 * n] = x0;
    segments[8 * n + 1] = y0;
    segments[8 * n + 2] = x1;
    segments[8 * n + 3] = y1;
    segments[8 * n + 4] = x;
    segments[8 * n + 5] = y;
    segments[8 * n + 6] = px;
    segments[8 * n + 7] = py;
    this.#lengths[n] = length;
  }

  #order(): number[] {
    const lengths = this.#lengths;
    return Array.from({ length: this.#count }, (_, i) => i).sort((p, q) => lengths[p] - lengths[q] || p - q);
  }

  #try(a: PlacedOutline, b: PlacedOutline, order: readonly number[]): void {
    const segments = this.#segments;
    for (const n of order) {
      if (this.tests >= MAX_TESTS) return;
      if (this.#isFree(a, b, segments[8 * n + 4], segments[8 * n + 5])) {
        this.pointX = segments[8 * n + 6] + this.x;
        this.pointY = segments[8 * n + 7] + this.y;
        return;
      }
    }
  }

  /** Takes a translation if A is free there and it is shorter than the best. */
  #isFree(a: PlacedOutline, b: PlacedOutline, x: number, y: number): boolean {
    const length = Math.hypot(x, y);
    if (length >= this.depth) return false;
    this.tests++;
    this.#moved ??= new PlacedOutline(a.outline);
    const moved = this.#moved;
    copyPlaced(a, moved);
    moved.translate(x, y);
    if (this.#query.overlaps(moved, b)) return false;
    this.x = x;
    this.y = y;
    this.depth = length;
    return true;
  }

  /** Places where two contacts hold at once: corners of the free space that point inwards. */
  #tryCrossings(a: PlacedOutline, b: PlacedOutline, clearance: number): void {
    const s = this.#segments;
    const found: [number, number, number, number][] = [];
    for (let m = 0; m < this.#count; m++) {
      if (this.#lengths[m] >= this.depth) continue;
      const dx = s[8 * m + 2] - s[8 * m];
      const dy = s[8 * m + 3] - s[8 * m + 1];
      for (let n = 0; n < m; n++) {
        if (this.#lengths[n] >= this.depth) continue;
        const ex = s[8 * n + 2] - s[8 * n];
        const ey = s[8 * n + 3] - s[8 * n + 1];
        const cross = dx * ey - dy * ex;
        if (cross === 0) continue;
        const gx = s[8 * n] - s[8 * m];
        const gy = s[8 * n + 1] - s[8 * m + 1];
        const along = (gx * ey - gy * ex) / cross;
        const other = (gx * dy - gy * dx) / cross;
        if (along < 0 || along > 1 || other < 0 || other > 1) continue;
        const x = s[8 * m] + along * dx;
        const y = s[8 * m + 1] + along * dy;
        const length = Math.hypot(x, y);
        // A little further out, so that rounding does not leave it in both contacts at once.
        const scale = length > 0 ? 1 + (1e-3 * clearance) / length : 1;
        if (length * scale < this.depth) found.push([length, m, x * scale, y * scale]);
      }
    }
    found.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    this.tests = 0;
    for (const [, m, x, y] of found) {
      if (this.tests >= MAX_TESTS) return;
      if (!this.#isFree(a, b, x, y)) continue;
      this.pointX = s[8 * m + 6] + x;
      this.pointY = s[8 * m + 7] + y;
      return;
    }
  }
}

function centerX(placed: PlacedOutline): number {
  return (placed.minX + placed.maxX) / 2;
}

function centerY(placed: PlacedOutline): number {
  return (placed.minY + placed.maxY) / 2;
}

/** How far an outline reaches along a direction. */
function support(placed: PlacedOutline, nx: number, ny: number): number {
  const { points, outline } = placed;
  let best = -Infinity;
  for (let i = 0; i < outline.points.length; i += 2) best = Math.max(best, nx * points[i] + ny * points[i + 1]);
  return best + outline.radius;
}

/** Whether a corner can rest on an edge with this outward normal: its cone of normals holds the opposite. */
function facesAgainst(placed: PlacedOutline, i: number, nx: number, ny: number): boolean {
  const { points, outline } = placed;
  const before = outline.previous[i];
  const after = outline.next[i];
  const slack = 1e-9 * outline.reach;
  return (
    nx * (points[2 * i] - points[2 * before]) + ny * (points[2 * i + 1] - points[2 * before + 1]) <= slack &&
    nx * (points[2 * after] - points[2 * i]) + ny * (points[2 * after + 1] - points[2 * i + 1]) >= -slack
  );
}

function copyPlaced(from: PlacedOutline, to: PlacedOutline): void {
  const { outline, points } = from;
  to.outline = outline;
  if (to.points.length < outline.points.length) to.points = new Float64Array(outline.points.length);
  to.points.set(points.subarray(0, outline.points.length));
  to.minX = from.minX;
  to.minY = from.minY;
  to.maxX = from.maxX;
  to.maxY = from.maxY;
}

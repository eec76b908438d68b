// The boundary of a solid in the plane in the frame of its center of mass, with the mass properties of the region (Green's
// theorem), and the same boundary placed in the world. A circle is one point with a radius: never a polygon.
import type { Polygon } from '../../mesh/polygon/polygon.js';

/**
 * Rounding: how far inside its solid a point is that is tested for containment, in thicknesses: shapes that only touch
 * do not contain each other.
 */
const PROBE_DEPTH = 1e-7;

export class Outline {
  /**
   * x, y of every corner from the center of mass; the solid is to the left of each edge. A circle has its center alone.
   * After the corners, for each ring, a point just inside the solid beside the ring's first edge.
   */
  readonly points: Float64Array;
  /** The corner after each one in its ring, and the one before. An edge has the number of its first corner. */
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** The first corner of each ring. */
  readonly rings: Int32Array;
  /** Of a circle; otherwise 0. */
  readonly radius: number;
  readonly area: number;
  /** The integral of the squared distance from the center of mass, area · length². */
  readonly polarMoment: number;
  /** The center of mass in the frame of the shape. */
  readonly centerX: number;
  readonly centerY: number;
  /** The largest distance of a point of the solid from the center of mass. */
  readonly reach: number;
  /** A bound on how far a point moves in a turn, for each radian: a circle turns about its center without moving. */
  readonly turnReach: number;
  /** Twice the area by the length of the boundary: the mean thickness of a thin shape. */
  readonly thickness: number;
  readonly isConvex: boolean;

  /** @param source a checked polygon, or the radius of a circle. */
  constructor(source: Polygon | number) {
    if (typeof source === 'number') {
      this.points = new Float64Array(2);
      this.next = new Int32Array(1);
      this.previous = new Int32Array(1);
      this.rings = new Int32Array(1);
      this.radius = source;
      this.area = Math.PI * source * source;
      this.polarMoment = (this.area * source * source) / 2;
      this.centerX = this.centerY = 0;
      this.reach = source;
      this.turnReach = 0;
      this.thickness = source;
      this.isConvex = true;
      return;
    }
    const { points, next, previous, rings } = joinRings(source);
    this.radius = 0;
    this.points = points;
    this.next = next;
    this.previous = previous;
    this.rings = rings;
    const region = measureRegion(points, next);
    this.area = region.area;
    this.polarMoment = region.polarMoment;
    this.centerX = region.x;
    this.centerY = region.y;
    this.thickness = region.thickness;
    this.isConvex = rings.length === 1 && region.isConvex;
    const count = next.length;
    let reach = 0;
    for (let i = 0; i < count; i++) {
      points[2 * i] -= this.centerX;
      points[2 * i + 1] -= this.centerY;
      reach = Math.max(reach, Math.hypot(points[2 * i], points[2 * i + 1]));
    }
    this.reach = this.turnReach = reach;
    rings.forEach((i, ring) => {
      const j = next[i];
      const [ex, ey] = [points[2 * j] - points[2 * i], points[2 * j + 1] - points[2 * i + 1]];
      const inset = (PROBE_DEPTH * this.thickness) / Math.hypot(ex, ey);
      points[2 * (count + ring)] = points[2 * i] + ex / 2 - inset * ey;
      points[2 * (count + ring) + 1] = points[2 * i + 1] + ey / 2 + inset * ex;
    });
  }

  /** The corners ring by ring, as views. */
  ringsOfPoints(): Float64Array[] {
    const count = this.next.length;
    return Array.from(this.rings, (first, r) => {
      const end = r + 1 < this.rings.length ? this.rings[r + 1] : count;
      return this.points.subarray(2 * first, 2 * end);
    });
  }

  get hasEdges(): boolean {
    return this.radius === 0;
  }
}

/** The corners of all rings in one array, with room for a point of each ring behind them. */
function joinRings(source: Polygon): Pick<Outline, 'points' | 'next' | 'previous' | 'rings'> {
  const count = source.rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  const points = new Float64Array(2 * (count + source.rings.length));
  const next = new Int32Array(count);
  const previous = new Int32Array(count);
  const rings = new Int32Array(source.rings.length);
  let at = 0;
  source.rings.forEach((ring, index) => {
    const corners = ring.length / 2;
    rings[index] = at;
    points.set(ring, 2 * at);
    for (let i = 0; i < corners; i++) {
      next[at + i] = at + ((i + 1) % corners);
      previous[at + i] = at + ((i + corners - 1) % corners);
    }
    at += corners;
  });
  return { points, next, previous, rings };
}

/** Area, center and moment of a region by Green's theorem, and whether its boundary turns left everywhere. */
function measureRegion(
  points: Float64Array,
  next: Int32Array,
): { area: number; polarMoment: number; x: number; y: number; thickness: number; isConvex: boolean } {
  // Measured from the first corner, so that a shape far from its origin loses no digits.
  const [x0, y0] = points;
  let twice = 0;
  let sumX = 0;
  let sumY = 0;
  let moment = 0;
  let length = 0;
  let isConvex = true;
  for (let i = 0; i < next.length; i++) {
    const j = next[i];
    const ax = points[2 * i] - x0;
    const ay = points[2 * i + 1] - y0;
    const bx = points[2 * j] - x0;
    const by = points[2 * j + 1] - y0;
    const cross = ax * by - ay * bx;
    twice += cross;
    sumX += cross * (ax + bx);
    sumY += cross * (ay + by);
    moment += cross * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by);
    length += Math.hypot(bx - ax, by - ay);
    const k = next[j];
    if ((bx - ax) * (points[2 * k + 1] - points[2 * j + 1]) < (by - ay) * (points[2 * k] - points[2 * j])) {
      isConvex = false;
    }
  }
  const cx = sumX / (3 * twice);
  const cy = sumY / (3 * twice);
  const area = twice / 2;
  const polarMoment = moment / 12 - area * (cx * cx + cy * cy);
  return { area, polarMoment, x: x0 + cx, y: y0 + cy, thickness: twice / length, isConvex };
}

/** An outline where a body stands: corners in the world and their box. */
export class PlacedOutline {
  points: Float64Array;
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;

  constructor(public outline: Outline) {
    this.points = new Float64Array(outline.points.length);
  }

  /** Places any outline in this memory: the center of mass at x, y. */
  placeOutline(outline: Outline, x: number, y: number, angle: number): void {
    this.outline = outline;
    if (this.points.length < outline.points.length) this.points = new Float64Array(outline.points.length);
    this.place(x, y, angle);
  }

  place(x: number, y: number, angle: number): void {
    const { points: local, radius } = this.outline;
    const { points } = this;
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let i = 0; i < local.length; i += 2) {
      const px = x + c * local[i] - s * local[i + 1];
      const py = y + s * local[i] + c * local[i + 1];
      points[i] = px;
      points[i + 1] = py;
      if (px < minX) minX = px;
      if (px > maxX) maxX = px;
      if (py < minY) minY = py;
      if (py > maxY) maxY = py;
    }
    this.minX = minX - radius;
    this.minY = minY - radius;
    this.maxX = maxX + radius;
    this.maxY = maxY + radius;
  }

  /** Moves what is placed, without a turn. */
  translate(x: number, y: number): void {
    const { points, outline } = this;
    for (let i = 0; i < outline.points.length; i += 2) {
      points[i] += x;
      points[i + 1] += y;
    }
    this.minX += x;
    this.maxX += x;
    this.minY += y;
    this.maxY += y;
  }

  /** Whether a point is inside, by the parity of crossings; up to rounding at the boundary. */
  contains(x: number, y: number): boolean {
    if (x < this.minX || x > this.maxX || y < this.minY || y > this.maxY) return false;
    const { points, outline } = this;
    const { next, radius } = outline;
    if (radius > 0) return (x - points[0]) ** 2 + (y - points[1]) ** 2 <= radius * radius;
    let isInside = false;
    for (let i = 0; i < next.length; i++) {
      const ay = points[2 * i + 1];
      const j = next[i];
      const by = points[2 * j + 1];
      if (ay > y === by > y) continue;
      const ax = points[2 * i];
      if (x < ax + ((y - ay) / (by - ay)) * (points[2 * j] - ax)) isInside = !isInside;
    }
    return isInside;
  }
}

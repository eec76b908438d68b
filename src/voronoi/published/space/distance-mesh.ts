// Distance meshes of the features of space over one tile of one slice (Hoff et al. 1999, section 4): for a corner one
// sheet of a hyperboloid, for a side an elliptical cone, for a face its plane. Each is cut to the region where the feature
// is the nearest of its element, and replaced by planes that lie above it by the error or less. Lengths are in spacings,
// x and y count nodes.
import { growTo } from '../../../core/grow-array.js';

/** Rounding: a plane that a slice lies behind by less than this, in spacings, cuts nothing off. */
const LEVEL_ROUNDING = 1e-7;

/** Rounding: lines are off by about this much, in spacings, where their slope is small. */
const LINE_ROUNDING = 1e-10;

/** Rounding: a half-plane whose slope is less is all or nothing. */
const FLAT_SLOPE = 1e-12;

/** Layout: numbers of a polygon: a tile cut by some lines has few corners. */
const POLYGON_LENGTH = 2 * 64;

/**
 * Label: flag of an element: draws its first corner; corner n is n bits later. Without a face the sides are drawn all
 * around, otherwise outside the triangle only.
 */
export const DRAW_CORNER = 1;
/** Label: flag of an element: draws its first side; side n is n bits later. */
export const DRAW_SIDE = 8;
/** Label: flag of an element: draws its face. */
export const DRAW_FACE = 64;

export class DistanceMesh {
  /** Corners of triangles, three each: x and y in pixels, depth, 1. */
  corners = new Float64Array(4 * 3 * 1024);
  colors = new Uint32Array(1024);
  count = 0;
  /** Depth is (value − near) · depthScale; value is distance · inverse − lowered. */
  near = 0;
  depthScale = 1;
  inverse = 1;
  lowered = 0;
  color = 0;
  /** How far a mesh may be above the distance, before it is divided by the weight. */
  error = 0;
  /** Pieces overlap by this many spacings, so that no node falls between two whose common line is rounded differently. */
  overlap = 1e-7;
  /** Not 0: no triangles that are thinner than about this many spacings. */
  thinnest = 0;
  /** The polygon in work, and its number of corners. */
  #polygon = new Float64Array(POLYGON_LENGTH);
  #other = new Float64Array(POLYGON_LENGTH);
  #size = 0;
  /** Polygons put aside: the tile, the region of a feature, a wedge of it. */
  readonly #saved = [0, 1, 2].map(() => new Float64Array(POLYGON_LENGTH));
  readonly #savedSize = [0, 0, 0];
  #z = 0;

  /** The nodes from (i, j) to (l, m) of the slice k. */
  setTile(i: number, j: number, l: number, m: number, k: number): void {
    this.#z = k;
    this.#polygon.set([i - 0.5, j - 0.5, l + 0.5, j - 0.5, l + 0.5, m + 0.5, i - 0.5, m + 0.5]);
    this.#size = 4;
    this.#save(0);
  }

  /** Draws the parts of the element of three corners at `t[o]` that the flags name, in the order corners, sides, face. */
  addElement(t: Float64Array, o: number, flags: number): void {
    for (let n = 0; n < 3; n++) {
      if ((flags & (DRAW_CORNER << n)) !== 0) this.#addCorner(t, o, n);
    }
    for (let n = 0; n < 3; n++) {
      if ((flags & (DRAW_SIDE << n)) !== 0) this.#addSide(t, o, n, (flags & DRAW_FACE) !== 0);
    }
    if ((flags & DRAW_FACE) !== 0) this.#addFace(t, o);
  }

  #addCorner(t: Float64Array, o: number, n: number): void {
    const p = o + 3 * n;
    this.#restore(0);
    for (let other = 1; other < 3; other++) {
      const q = o + 3 * ((n + other) % 3);
      // Beyond the corner as seen from every other one.
      this.#cutBehind(t, p, t[p] - t[q], t[p + 1] - t[q + 1], t[p + 2] - t[q + 2]);
      if (this.#size === 0) return;
    }
    const height = Math.abs(this.#z - t[p + 2]);
    this.#addWedges(1, 0, -t[p], 0, 1, -t[p + 1], height);
  }

  #addSide(t: Float64Array, o: number, n: number, outside: boolean): void {
    const p = o + 3 * n;
    const q = o + 3 * ((n + 1) % 3);
    const r = o + 3 * ((n + 2) % 3);
    let tx = t[q] - t[p];
    let ty = t[q + 1] - t[p + 1];
    let tz = t[q + 2] - t[p + 2];
    const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
    if (!(length > 0)) return;
    tx /= length;
    ty /= length;
    tz /= length;
    this.#restore(0);
    this.#cutBehind(t, p, tx, ty, tz);
    this.#cutBehind(t, q, -tx, -ty, -tz);
    if (this.#size === 0) return;
    // Outside the side: away from the third corner, at a right angle to the side.
    const along = (t[r] - t[p]) * tx + (t[r + 1] - t[p + 1]) * ty + (t[r + 2] - t[p + 2]) * tz;
    const mx = t[p] + along * tx - t[r];
    const my = t[p + 1] + along * ty - t[r + 1];
    const mz = t[p + 2] + along * tz - t[r + 2];
    const height = Math.sqrt(mx * mx + my * my + mz * mz);
    if (outside) this.#cutBehind(t, p, mx / height, my / height, mz / height);
    if (this.#size === 0) return;
    // Two unit vectors at right angles to the side, the first horizontal; the distance is √(X² + Y²) of the components.
    const flat = Math.sqrt(tx * tx + ty * ty);
    const ax = flat > 0 ? -ty / flat : 1;
    const ay = flat > 0 ? tx / flat : 0;
    const bx = -tz * ay;
    const by = tz * ax;
    const bz = tx * ay - ty * ax;
    this.#addWedges(
      bx,
      by,
      bz * (this.#z - t[p + 2]) - bx * t[p] - by * t[p + 1],
      ax,
      ay,
      -ax * t[p] - ay * t[p + 1],
      0,
    );
  }

  #addFace(t: Float64Array, o: number): void {
    const ux = t[o + 3] - t[o];
    const uy = t[o + 4] - t[o + 1];
    const uz = t[o + 5] - t[o + 2];
    const vx = t[o + 6] - t[o];
    const vy = t[o + 7] - t[o + 1];
    const vz = t[o + 8] - t[o + 2];
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) return;
    nx /= length;
    ny /= length;
    nz /= length;
    this.#restore(0);
    for (let side = 0; side < 3; side++) {
      const p = o + 3 * side;
      const q = o + 3 * ((side + 1) % 3);
      const ex = t[q] - t[p];
      const ey = t[q + 1] - t[p + 1];
      const ez = t[q + 2] - t[p + 2];
      const size = Math.sqrt(ex * ex + ey * ey + ez * ez);
      this.#cutBehind(t, p, (ny * ez - nz * ey) / size, (nz * ex - nx * ez) / size, (nx * ey - ny * ex) / size);
      if (this.#size === 0) return;
    }
    for (let corner = 0; corner < 3; corner++) this.#cutSpike(t, o, corner);
    const level = nz * (this.#z - t[o + 2]) - nx * t[o] - ny * t[o + 1];
    this.#save(1);
    for (let sign = 1; sign >= -1; sign -= 2) {
      this.#restore(1);
      this.#cut(sign * nx, sign * ny, sign * level);
      this.#emit(sign * nx, sign * ny, sign * level);
    }
  }

  /**
   * The distance √(X² + Y² + height²) over the current polygon, for X and Y linear in the place: a x + b y + c. Wedges
   * of directions of (X, Y), in each √(X² + Y²) as a plane through its two sides; where there is a height also rings.
   * Wedges share the terms of the feature, so that all of them are locals of one function.
   */
  #addWedges(xa: number, xb: number, xc: number, ya: number, yb: number, yc: number, height: number): void {
    const polygon = this.#polygon;
    const size = this.#size;
    let farthest = 0;
    let centerX = 0;
    let centerY = 0;
    for (let v = 0; v < size; v++) {
      const x = xa * polygon[2 * v] + xb * polygon[2 * v + 1] + xc;
      const y = ya * polygon[2 * v] + yb * polygon[2 * v + 1] + yc;
      farthest = Math.max(farthest, x * x + y * y);
      centerX += x / size;
      centerY += y / size;
    }
    farthest = Math.sqrt(farthest);
    let low = 0;
    let high = 0;
    let positive = false;
    let negative = false;
    for (let v = 0; v < size; v++) {
      const w = v + 1 < size ? v + 1 : 0;
      const x = xa * polygon[2 * v] + xb * polygon[2 * v + 1] + xc;
      const y = ya * polygon[2 * v] + yb * polygon[2 * v + 1] + yc;
      const nextX = xa * polygon[2 * w] + xb * polygon[2 * w + 1] + xc;
      const nextY = ya * polygon[2 * w] + yb * polygon[2 * w + 1] + yc;
      const angle = Math.atan2(centerX * y - centerY * x, centerX * x + centerY * y);
      low = Math.min(low, angle);
      high = Math.max(high, angle);
      const turn = x * nextY - y * nextX;
      if (turn > 1e-9 * farthest) positive = true;
      if (turn < -1e-9 * farthest) negative = true;
    }
    let start = Math.atan2(centerY, centerX);
    // The apex is inside, or nearly so.
    const around = !(positive && negative) || high - low > 3;
    if (around) {
      low = 0;
      high = 2 * Math.PI;
      start = 0;
    }
    // In a wedge of half width h the plane is above by at most farthest · (1 / cos h − 1).
    const error = height > 0 ? this.error / 2 : this.error;
    const widest = Math.min(2 * Math.acos(1 / (1 + error / Math.max(farthest, FLAT_SLOPE))), 1.5);
    const count = Math.max(1, Math.ceil((high - low) / widest));
    const width = (high - low) / count;
    const stretch = 1 / Math.cos(width / 2);
    if (count > 1) this.#save(1);
    for (let wedge = 0; wedge < count; wedge++) {
      const from = start + low + width * wedge;
      if (count > 1) {
        this.#restore(1);
        this.#cutWedgeSide(xa, xb, xc, ya, yb, yc, from, 1);
        this.#cutWedgeSide(xa, xb, xc, ya, yb, yc, from + width, -1);
      }
      const cosine = Math.cos(from + width / 2) * stretch;
      const sine = Math.sin(from + width / 2) * stretch;
      const a = cosine * xa + sine * ya;
      const b = cosine * xb + sine * yb;
      const c = cosine * xc + sine * yc;
      // The sides overlap in a spike behind the apex.
      if (count > 1) this.#cut(a, b, c);
      if (this.#size === 0) continue;
      if (height > 0) this.#addRings(a, b, c, height);
      else this.#emit(a, b, c);
    }
  }

  /** Takes scalars, for inner loops. */
  #cutWedgeSide(
    xa: number,
    xb: number,
    xc: number,
    ya: number,
    yb: number,
    yc: number,
    angle: number,
    sign: number,
  ): void {
    const cosine = sign * Math.cos(angle);
    const sine = sign * Math.sin(angle);
    this.#cut(cosine * ya - sine * xa, cosine * yb - sine * xb, cosine * yc - sine * xc);
  }

  /** √(r² + height²) for r = a x + b y + c, which is above the distance from the axis: planes through rings. */
  #addRings(a: number, b: number, c: number, height: number): void {
    let low = Infinity;
    let high = 0;
    for (let v = 0; v < this.#size; v++) {
      const r = Math.max(0, a * this.#polygon[2 * v] + b * this.#polygon[2 * v + 1] + c);
      low = Math.min(low, r);
      high = Math.max(high, r);
    }
    const farthest = Math.sqrt(high * high + height * height);
    const from = Math.atan2(low, height);
    const to = Math.atan2(high, height);
    const widest = 2 * Math.acos(1 / (1 + this.error / 2 / farthest));
    const count = Math.max(1, Math.ceil((to - from) / widest));
    const width = (to - from) / count;
    const stretch = 1 / Math.cos(width / 2);
    if (count > 1) this.#save(2);
    for (let ring = 0; ring < count; ring++) {
      const inner = from + width * ring;
      if (count > 1) {
        this.#restore(2);
        if (ring > 0) this.#cut(a, b, c - height * Math.tan(inner));
        if (ring + 1 < count) this.#cut(-a, -b, height * Math.tan(inner + width) - c);
        if (this.#size === 0) continue;
      }
      const sine = Math.sin(inner + width / 2) * stretch;
      this.#emit(sine * a, sine * b, sine * c + Math.cos(inner + width / 2) * stretch * height);
    }
  }

  /** Cuts off what the overlap of the two sides at a sharp corner leaves beyond it. */
  #cutSpike(t: Float64Array, o: number, n: number): void {
    const p = o + 3 * n;
    const q = o + 3 * ((n + 1) % 3);
    const r = o + 3 * ((n + 2) % 3);
    const first = Math.hypot(t[q] - t[p], t[q + 1] - t[p + 1], t[q + 2] - t[p + 2]);
    const last = Math.hypot(t[r] - t[p], t[r + 1] - t[p + 1], t[r + 2] - t[p + 2]);
    const mx = (t[q] - t[p]) / first + (t[r] - t[p]) / last;
    const my = (t[q + 1] - t[p + 1]) / first + (t[r + 1] - t[p + 1]) / last;
    const mz = (t[q + 2] - t[p + 2]) / first + (t[r + 2] - t[p + 2]) / last;
    const length = Math.hypot(mx, my, mz);
    this.#cutBehind(t, p, mx / length, my / length, mz / length);
  }

  /** Cuts off what is behind the plane through the corner `t[p]` with this unit normal. */
  #cutBehind(t: Float64Array, p: number, nx: number, ny: number, nz: number): void {
    this.#cut(nx, ny, nz * (this.#z - t[p + 2]) - nx * t[p] - ny * t[p + 1]);
  }

  /** Cuts off where a x + b y + c is negative, with some overlap. */
  #cut(a: number, b: number, c: number): void {
    const polygon = this.#polygon;
    const other = this.#other;
    const size = this.#size;
    if (size === 0) return;
    const slope = Math.sqrt(a * a + b * b);
    if (slope < FLAT_SLOPE) {
      if (c < -LEVEL_ROUNDING) this.#size = 0;
      return;
    }
    const level = c + this.overlap * slope + LINE_ROUNDING;
    let outside = 0;
    for (let v = 0; v < size; v++) if (a * polygon[2 * v] + b * polygon[2 * v + 1] + level < 0) outside++;
    if (outside === 0) return;
    if (outside === size || 2 * size + 2 > POLYGON_LENGTH) {
      if (outside === size) this.#size = 0;
      return;
    }
    let count = 0;
    let x = polygon[2 * size - 2];
    let y = polygon[2 * size - 1];
    let side = a * x + b * y + level;
    for (let v = 0; v < size; v++) {
      const nextX = polygon[2 * v];
      const nextY = polygon[2 * v + 1];
      const nextSide = a * nextX + b * nextY + level;
      if (side < 0 !== nextSide < 0) {
        const share = side / (side - nextSide);
        other[2 * count] = x + share * (nextX - x);
        other[2 * count++ + 1] = y + share * (nextY - y);
      }
      if (nextSide >= 0) {
        other[2 * count] = nextX;
        other[2 * count++ + 1] = nextY;
      }
      x = nextX;
      y = nextY;
      side = nextSide;
    }
    this.#size = count < 3 ? 0 : count;
    this.#polygon = other;
    this.#other = polygon;
  }

  /** Adds the current polygon with the distance a x + b y + c. */
  #emit(a: number, b: number, c: number): void {
    const polygon = this.#polygon;
    if (this.thinnest > 0) {
      this.#emitThick(a, b, c);
      return;
    }
    for (let v = 1; v + 1 < this.#size; v++) {
      this.#startTriangle();
      for (let n = 0; n < 3; n++) {
        const corner = n === 0 ? 0 : v + n - 1;
        this.#addCornerAt(n, polygon[2 * corner], polygon[2 * corner + 1], a, b, c);
      }
    }
  }

  /**
   * As {@link #emit}, without thin triangles. Corners that stand out less than `thinnest` are left out, and triangles meet
   * in the middle, from which every side is a third of the least width away. A polygon that is too thin for that is not
   * drawn: around each of its nodes there would be a disc of the radius `overlap`, half of which is left.
   */
  #emitThick(a: number, b: number, c: number): void {
    const polygon = this.#polygon;
    for (let v = 0; v < this.#size; v++) {
      if (this.#size < 3) return;
      if (this.#standsOut(v) >= this.thinnest) continue;
      polygon.copyWithin(2 * v, 2 * v + 2, 2 * this.#size);
      this.#size--;
      v = -1;
    }
    const size = this.#size;
    let [area, middleX, middleY] = [0, 0, 0];
    for (let v = 1; v + 1 < size; v++) {
      const ux = polygon[2 * v] - polygon[0];
      const uy = polygon[2 * v + 1] - polygon[1];
      const wx = polygon[2 * v + 2] - polygon[0];
      const wy = polygon[2 * v + 3] - polygon[1];
      const part = ux * wy - uy * wx;
      area += part;
      middleX += (part * (ux + wx)) / 3;
      middleY += (part * (uy + wy)) / 3;
    }
    middleX = polygon[0] + middleX / area;
    middleY = polygon[1] + middleY / area;
    for (let v = 0; v < size; v++) {
      const w = v + 1 < size ? v + 1 : 0;
      const ux = polygon[2 * w] - polygon[2 * v];
      const uy = polygon[2 * w + 1] - polygon[2 * v + 1];
      const across = ux * (middleY - polygon[2 * v + 1]) - uy * (middleX - polygon[2 * v]);
      if (!(Math.abs(across) >= (this.overlap / 3) * Math.sqrt(ux * ux + uy * uy))) return;
    }
    for (let v = 0; v < size; v++) {
      const w = v + 1 < size ? v + 1 : 0;
      this.#startTriangle();
      this.#addCornerAt(0, middleX, middleY, a, b, c);
      this.#addCornerAt(1, polygon[2 * v], polygon[2 * v + 1], a, b, c);
      this.#addCornerAt(2, polygon[2 * w], polygon[2 * w + 1], a, b, c);
    }
  }

  /** How far a corner is from the line between its neighbors. */
  #standsOut(v: number): number {
    const polygon = this.#polygon;
    const u = v > 0 ? v - 1 : this.#size - 1;
    const w = v + 1 < this.#size ? v + 1 : 0;
    const dx = polygon[2 * w] - polygon[2 * u];
    const dy = polygon[2 * w + 1] - polygon[2 * u + 1];
    const across = dx * (polygon[2 * v + 1] - polygon[2 * u + 1]) - dy * (polygon[2 * v] - polygon[2 * u]);
    const length = Math.sqrt(dx * dx + dy * dy);
    return length > 0 ? Math.abs(across) / length : 0;
  }

  #startTriangle(): void {
    this.corners = growTo(this.corners, 12 * (this.count + 1));
    this.colors = growTo(this.colors, this.count + 1);
    this.colors[this.count++] = this.color;
  }

  /** Sets a corner of the last triangle. */
  #addCornerAt(n: number, x: number, y: number, a: number, b: number, c: number): void {
    const at = 12 * (this.count - 1) + 4 * n;
    const scale = this.inverse * this.depthScale;
    const base = -(this.lowered + this.near) * this.depthScale;
    this.corners[at] = x + 0.5;
    this.corners[at + 1] = y + 0.5;
    this.corners[at + 2] = (a * x + b * y + c) * scale + base;
    this.corners[at + 3] = 1;
  }

  #save(slot: number): void {
    const saved = this.#saved[slot];
    for (let v = 0; v < 2 * this.#size; v++) saved[v] = this.#polygon[v];
    this.#savedSize[slot] = this.#size;
  }

  #restore(slot: number): void {
    const saved = this.#saved[slot];
    this.#size = this.#savedSize[slot];
    for (let v = 0; v < 2 * this.#size; v++) this.#polygon[v] = saved[v];
  }
}

// The volume of a hull that grows by points, in floating point: for comparing cuts, thousands of times for a solid. Points
// that stick out by less than a tolerance are left out, so that it is a little too small; hulls that are kept are exact
// ones (`buildHull`). O(faces) per point.
import { growTo } from '../../core/grow-array.js';

/** Chosen: a point is left out if it sticks out by less than this share of the size of the first simplex. */
const POINT_TOLERANCE = 1e-7;

export class RoughHull {
  /** The volume so far. */
  volume = 0;
  #points: Float64Array = new Float64Array(0);
  /** Normal, of twice the area of the face, and normal·p of its points; the length of the normal. */
  #planes = new Float64Array(5 * 256);
  /** Three vertices a face; a free face has −1 first. */
  #corners = new Int32Array(3 * 256);
  /** The faces across the edges from each corner to the next. */
  #across = new Int32Array(3 * 256);
  #faceEnd = 0;
  readonly #free: number[] = [];
  /** Points that wait for a simplex. */
  readonly #waiting: number[] = [];
  #isSolid = false;
  #tolerance = 0;
  #isVisible = new Uint8Array(256);
  readonly #visible: number[] = [];
  /** The ends of each edge of the horizon, and the face beyond. */
  readonly #rim: number[] = [];
  /** The new face that begins, by its first edge, at a vertex. */
  readonly #beginning = new Map<number, number>();

  /** Empties the hull; points are x, y, z. */
  reset(points: Float64Array): void {
    this.#points = points;
    this.volume = 0;
    this.#faceEnd = 0;
    this.#free.length = 0;
    this.#waiting.length = 0;
    this.#isSolid = false;
  }

  add(point: number): void {
    if (this.#isSolid) this.#insert(point);
    else this.#waiting.push(point);
  }

  /** Brings `volume` up to date: while all points are flat, they wait. */
  settle(): void {
    if (this.#isSolid || !this.#start()) return;
    this.#isSolid = true;
    for (const point of this.#waiting) this.#insert(point);
    this.#waiting.length = 0;
  }

  /** The first simplex, of points far apart; false if all are nearly flat. */
  #start(): boolean {
    const points = this.#points;
    const waiting = this.#waiting;
    if (waiting.length < 4) return false;
    const a = waiting[0];
    const farthest = (measure: (x: number, y: number, z: number) => number): number => {
      let best = a;
      let most = 0;
      for (const p of waiting) {
        const value = measure(
          points[3 * p] - points[3 * a],
          points[3 * p + 1] - points[3 * a + 1],
          points[3 * p + 2] - points[3 * a + 2],
        );
        if (value > most) {
          most = value;
          best = p;
        }
      }
      return best;
    };
    const b = farthest((x, y, z) => x * x + y * y + z * z);
    const [ux, uy, uz] = [0, 1, 2].map((k) => points[3 * b + k] - points[3 * a + k]);
    const c = farthest((x, y, z) => (uy * z - uz * y) ** 2 + (uz * x - ux * z) ** 2 + (ux * y - uy * x) ** 2);
    const [vx, vy, vz] = [0, 1, 2].map((k) => points[3 * c + k] - points[3 * a + k]);
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const d = farthest((x, y, z) => Math.abs(nx * x + ny * y + nz * z));
    const [wx, wy, wz] = [0, 1, 2].map((k) => points[3 * d + k] - points[3 * a + k]);
    const six = nx * wx + ny * wy + nz * wz;
    const length = Math.hypot(ux, uy, uz);
    if (!(Math.abs(six) > POINT_TOLERANCE * length * Math.hypot(nx, ny, nz))) return false;
    this.#tolerance = POINT_TOLERANCE * length;
    this.volume = Math.abs(six) / 6;
    const [p, q] = six > 0 ? [c, b] : [b, c];
    // The simplex a, p, q, d with d below the face a, p, q.
    const base = this.#addFace(a, p, q);
    const sides = [this.#addFace(p, a, d), this.#addFace(q, p, d), this.#addFace(a, q, d)];
    for (let k = 0; k < 3; k++) {
      this.#across[3 * base + k] = sides[k];
      this.#across[3 * sides[k]] = base;
      this.#across[3 * sides[k] + 1] = sides[(k + 2) % 3];
      this.#across[3 * sides[k] + 2] = sides[(k + 1) % 3];
    }
    return true;
  }

  #insert(point: number): void {
    const points = this.#points;
    const planes = this.#planes;
    const corners = this.#corners;
    const x = points[3 * point];
    const y = points[3 * point + 1];
    const z = points[3 * point + 2];
    const tolerance = this.#tolerance;
    const visible = this.#visible;
    visible.length = 0;
    let six = 0;
    for (let face = 0; face < this.#faceEnd; face++) {
      const at = 5 * face;
      const beyond = planes[at] * x + planes[at + 1] * y + planes[at + 2] * z - planes[at + 3];
      this.#isVisible[face] = 0;
      if (beyond <= tolerance * planes[at + 4] || corners[3 * face] < 0) continue;
      this.#isVisible[face] = 1;
      visible.push(face);
      six += beyond;
    }
    if (visible.length === 0 || !this.#findRim()) return;
    this.volume += six / 6;
    this.#makeCone(point);
  }

  /** The edges between faces that the point sees and others; false if rounding has them meet in a vertex. */
  #findRim(): boolean {
    const rim = this.#rim;
    rim.length = 0;
    this.#beginning.clear();
    for (const face of this.#visible) {
      for (let k = 0; k < 3; k++) {
        const beyond = this.#across[3 * face + k];
        if (this.#isVisible[beyond] === 1) continue;
        const a = this.#corners[3 * face + k];
        if (this.#beginning.has(a)) return false;
        this.#beginning.set(a, -1);
        rim.push(a, this.#corners[3 * face + ((k + 1) % 3)], beyond);
      }
    }
    return rim.length > 0;
  }

  #makeCone(point: number): void {
    const rim = this.#rim;
    for (const face of this.#visible) {
      this.#corners[3 * face] = -1;
      this.#free.push(face);
    }
    for (let i = 0; i < rim.length; i += 3) {
      const face = this.#addFace(rim[i], rim[i + 1], point);
      const beyond = rim[i + 2];
      this.#across[3 * face] = beyond;
      for (let k = 0; k < 3; k++) {
        if (this.#corners[3 * beyond + k] === rim[i + 1]) this.#across[3 * beyond + k] = face;
      }
      this.#beginning.set(rim[i], face);
    }
    for (let i = 0; i < rim.length; i += 3) {
      const face = this.#beginning.get(rim[i])!;
      const next = this.#beginning.get(rim[i + 1])!;
      this.#across[3 * face + 1] = next;
      this.#across[3 * next + 2] = face;
    }
  }

  #addFace(a: number, b: number, c: number): number {
    const face = this.#free.pop() ?? this.#faceEnd++;
    if (face >= this.#isVisible.length) this.#grow();
    const points = this.#points;
    const planes = this.#planes;
    this.#corners[3 * face] = a;
    this.#corners[3 * face + 1] = b;
    this.#corners[3 * face + 2] = c;
    const ux = points[3 * b] - points[3 * a];
    const uy = points[3 * b + 1] - points[3 * a + 1];
    const uz = points[3 * b + 2] - points[3 * a + 2];
    const vx = points[3 * c] - points[3 * a];
    const vy = points[3 * c + 1] - points[3 * a + 1];
    const vz = points[3 * c + 2] - points[3 * a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const at = 5 * face;
    planes[at] = nx;
    planes[at + 1] = ny;
    planes[at + 2] = nz;
    planes[at + 3] = nx * points[3 * a] + ny * points[3 * a + 1] + nz * points[3 * a + 2];
    planes[at + 4] = Math.sqrt(nx * nx + ny * ny + nz * nz);
    return face;
  }

  #grow(): void {
    this.#planes = growTo(this.#planes, 2 * this.#planes.length);
    this.#corners = growTo(this.#corners, 2 * this.#corners.length);
    this.#across = growTo(this.#across, 2 * this.#across.length);
    this.#isVisible = growTo(this.#isVisible, 2 * this.#isVisible.length);
  }
}

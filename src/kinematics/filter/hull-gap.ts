// How far two hulls stay apart over a stretch of an edge, by Gilbert, Johnson and Keerthi (1988): over the stretch every point is
// taken to move with its velocity and acceleration in the middle, on a parabola, which is in the triangle of its three control
// points. A direction in which all of these are farther than a limit is a proof; mostly the one that proved the last stretch
// does. How much ways deviate from parabolas is part of the limit.
import { MinkowskiSimplex } from '../../convex/closest/minkowski-simplex.js';
import type { HullNode } from './hull-tree.js';
import type { SupportCells } from './support-cells.js';

/** Chosen: the most rounds of a search. */
const MAX_ROUNDS = 16;

/** Chosen: a search ends where the bounds of the distance differ by less than this share of it. */
const CLOSE = 1e-3;

/** Proven: a parabola is in the triangle of its three control points. */
const CONTROLS = 3;

/** A hull at its place, and what is found of it in one direction. */
class PlacedHull {
  /** By control point: how far the hull reaches in the direction, and the place of the point that does. */
  readonly heights = new Float64Array(CONTROLS);
  readonly places = new Int32Array(CONTROLS);
  readonly point = new Float64Array(3);
  /** The directions of control points in the frame of the hull. */
  readonly #directions = new Float64Array(3 * CONTROLS);
  #cells!: SupportCells;
  #frames!: Float64Array;
  #at = 0;
  /** How far control points are from the middle of the stretch, in velocities and accelerations. */
  #half = 0;
  #bent = 0;

  begin({ cells }: HullNode, frames: Float64Array, at: number, half: number): void {
    this.#cells = cells;
    this.#frames = frames;
    this.#at = at;
    this.#half = half;
    this.#bent = (half * half) / 2;
  }

  /**
   * Finds the farthest points in a direction. In one piece: it runs for every direction that is tried.
   * @param sign 1, or −1 for the opposite direction.
   */
  reach(direction: Float64Array, sign: number): void {
    const x = sign * direction[0];
    const y = sign * direction[1];
    const z = sign * direction[2];
    const f = this.#frames;
    const at = this.#at;
    const cells = this.#cells;
    const { heights, places } = this;
    const d = this.#directions;
    const r0 = f[at];
    const r1 = f[at + 1];
    const r2 = f[at + 2];
    const r3 = f[at + 3];
    const r4 = f[at + 4];
    const r5 = f[at + 5];
    const r6 = f[at + 6];
    const r7 = f[at + 7];
    const r8 = f[at + 8];
    const u = r0 * x + r3 * y + r6 * z;
    const v = r1 * x + r4 * y + r7 * z;
    const w = r2 * x + r5 * y + r8 * z;
    const level = x * f[at + 9] + y * f[at + 10] + z * f[at + 11];
    const half = this.#half;
    if (half === 0) {
      d[0] = u;
      d[1] = v;
      d[2] = w;
      heights[0] = level;
      cells.reach(d, 1, places, heights);
      return;
    }
    const wx = f[at + 12];
    const wy = f[at + 13];
    const wz = f[at + 14];
    const lx = f[at + 18];
    const ly = f[at + 19];
    const lz = f[at + 20];
    // A turn moves a point p by ω × p, and d · (ω × p) is (d × ω) · p; its acceleration is α × p + ω × (ω × p).
    const ex = y * wz - z * wy;
    const ey = z * wx - x * wz;
    const ez = x * wy - y * wx;
    const gx = y * lz - z * ly + ey * wz - ez * wy;
    const gy = z * lx - x * lz + ez * wx - ex * wz;
    const gz = x * ly - y * lx + ex * wy - ey * wx;
    const eu = half * (r0 * ex + r3 * ey + r6 * ez);
    const ev = half * (r1 * ex + r4 * ey + r7 * ez);
    const ew = half * (r2 * ex + r5 * ey + r8 * ez);
    const bent = this.#bent;
    const gu = bent * (r0 * gx + r3 * gy + r6 * gz);
    const gv = bent * (r1 * gx + r4 * gy + r7 * gz);
    const gw = bent * (r2 * gx + r5 * gy + r8 * gz);
    const along = half * (x * f[at + 15] + y * f[at + 16] + z * f[at + 17]);
    const curve = bent * (x * f[at + 21] + y * f[at + 22] + z * f[at + 23]);
    d[0] = u + eu + gu;
    d[1] = v + ev + gv;
    d[2] = w + ew + gw;
    d[3] = u - eu + gu;
    d[4] = v - ev + gv;
    d[5] = w - ew + gw;
    d[6] = u - gu;
    d[7] = v - gv;
    d[8] = w - gw;
    heights[0] = level + along + curve;
    heights[1] = level - along + curve;
    heights[2] = level - curve;
    cells.reach(d, CONTROLS, places, heights);
  }

  /** Takes what was found for the first control point for all of them: the hull is at rest. */
  rest(): void {
    const { heights, places } = this;
    heights[1] = heights[2] = heights[0];
    places[1] = places[2] = places[0];
  }

  /** Writes where the point found for a control point is. */
  writePoint(control: number): void {
    const f = this.#frames;
    const at = this.#at;
    const t = control === 2 ? 0 : control === 1 ? -this.#half : this.#half;
    const s = control === 2 ? -this.#bent : this.#bent;
    const { points } = this.#cells;
    const place = this.places[control];
    const a = points[place];
    const b = points[place + 1];
    const c = points[place + 2];
    const px = f[at] * a + f[at + 1] * b + f[at + 2] * c;
    const py = f[at + 3] * a + f[at + 4] * b + f[at + 5] * c;
    const pz = f[at + 6] * a + f[at + 7] * b + f[at + 8] * c;
    const wx = f[at + 12];
    const wy = f[at + 13];
    const wz = f[at + 14];
    const ux = wy * pz - wz * py;
    const uy = wz * px - wx * pz;
    const uz = wx * py - wy * px;
    const lx = f[at + 18];
    const ly = f[at + 19];
    const lz = f[at + 20];
    const { point } = this;
    point[0] = f[at + 9] + px + t * (f[at + 15] + ux) + s * (f[at + 21] + ly * pz - lz * py + wy * uz - wz * uy);
    point[1] = f[at + 10] + py + t * (f[at + 16] + uy) + s * (f[at + 22] + lz * px - lx * pz + wz * ux - wx * uz);
    point[2] = f[at + 11] + pz + t * (f[at + 17] + uz) + s * (f[at + 23] + lx * py - ly * px + wx * uy - wy * ux);
  }
}

export class HullGap {
  readonly #simplex = new MinkowskiSimplex();
  readonly #one = new PlacedHull();
  readonly #other = new PlacedHull();
  /** The direction that is tried. */
  readonly #direction = new Float64Array(3);
  #controls = 1;

  /**
   * Takes a hull and one at rest.
   * @param frames of links, as `ChainMotion` has them; `at` and `otherAt` are their places.
   * @param half of the stretch; 0 for a single configuration.
   */
  begin(
    node: HullNode,
    frames: Float64Array,
    at: number,
    other: HullNode,
    otherFrames: Float64Array,
    otherAt: number,
    half: number,
  ): void {
    this.#one.begin(node, frames, at, half);
    this.#other.begin(other, otherFrames, otherAt, 0);
    this.#controls = half > 0 ? CONTROLS : 1;
  }

  /**
   * Whether the first hull stays farther than a limit from the second one.
   * @param directions has the direction from the second to the first to begin with; the best one found is written there.
   * @param at where in it.
   */
  isBeyond(limit: number, directions: Float64Array, at: number): boolean {
    const simplex = this.#simplex;
    simplex.count = 0;
    let x = directions[at];
    let y = directions[at + 1];
    let z = directions[at + 2];
    if (x === 0 && y === 0 && z === 0) x = 1;
    let squared = Infinity;
    let best = -Infinity;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const length = Math.sqrt(x * x + y * y + z * z);
      // The nearest point found is one of the difference: unless it is farther than the limit, nothing separates them by that.
      if (round > 0 && (simplex.count === 4 || length <= limit)) return false;
      if (!(length > 0)) return false;
      x /= length;
      y /= length;
      z /= length;
      const tried = this.#direction;
      tried[0] = x;
      tried[1] = y;
      tried[2] = z;
      const low = this.#support();
      if (low > best) {
        best = low;
        directions[at] = x;
        directions[at + 1] = y;
        directions[at + 2] = z;
      }
      if (low > limit) return true;
      if (round > 0 && length - low <= CLOSE * length) return false;
      const p = this.#one.point;
      const q = this.#other.point;
      const i = 3 * simplex.count++;
      simplex.w[i] = p[0] - q[0];
      simplex.w[i + 1] = p[1] - q[1];
      simplex.w[i + 2] = p[2] - q[2];
      const reduced = simplex.reduce();
      if (!(reduced < squared)) return false;
      squared = reduced;
      x = simplex.x;
      y = simplex.y;
      z = simplex.z;
    }
    return false;
  }

  /** Writes the points of the two whose difference is least in the direction that is tried, over all control points; returns its height. */
  #support(): number {
    const one = this.#one;
    const other = this.#other;
    one.reach(this.#direction, -1);
    other.reach(this.#direction, 1);
    other.rest();
    let least = Infinity;
    let best = 0;
    for (let control = 0; control < this.#controls; control++) {
      const height = -one.heights[control] - other.heights[control];
      if (height >= least) continue;
      least = height;
      best = control;
    }
    one.writePoint(best);
    other.writePoint(best);
    return least;
  }
}

// The signed distance to an upright prism over a convex polygon, such as the mesh that stands for a cylinder: without asking
// triangles, from the sides of the polygon and the two heights.
import type { Vec3 } from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** Rounding: vertices are on planes of the prism within this share of the model's size, a tenth of what distances allow for. */
const ON_PLANE = 1e-13;

/** Rounding: areas are equal if they differ by less than this share. */
const SAME_AREA = 1e-9;

/** Chosen: the most sides; with more of them a search over triangles is as fast. */
const MAX_SIDES = 64;

/** Layout: numbers of a side: its first corner, its direction of unit length, its length. */
const SIDE = 5;

export class UprightPrism {
  readonly #sides: Float64Array;
  readonly #low: number;
  readonly #high: number;

  private constructor(sides: Float64Array, low: number, high: number) {
    [this.#sides, this.#low, this.#high] = [sides, low, high];
  }

  /** The prism of a closed model that is one; null for any other, and for prisms with too many sides. */
  static of(model: ProximityModel): UprightPrism | null {
    const { mesh, boxMin, boxMax } = model;
    if (!model.closed || !model.outward || mesh.indices.length > 12 * MAX_SIDES) return null;
    const off = ON_PLANE * model.radius;
    const [low, high] = [boxMin[2], boxMax[2]];
    const sides = sidesAround(mesh.positions, mesh.indices, off);
    if (sides === null) return null;
    // Faces lie in the planes of the prism and have its areas, so that they are all of its surface.
    const areas = new Float64Array(sides.length / SIDE + 2);
    for (let t = 0; t < mesh.indices.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((n) =>
        mesh.positions.subarray(3 * mesh.indices[t + n], 3 * mesh.indices[t + n] + 3),
      );
      const plane = planeOf([a, b, c], sides, low, high, off);
      if (plane < 0) return null;
      areas[plane] += areaOf(a, b, c);
    }
    let flat = 0;
    for (let s = 0; s < sides.length; s += SIDE) {
      const [x, y, dx, dy, length] = sides.subarray(s, s + SIDE);
      flat += (x * dy - y * dx) * (length / 2);
      if (!isSame(areas[s / SIDE], length * (high - low))) return null;
    }
    const count = sides.length / SIDE;
    return isSame(areas[count], flat) && isSame(areas[count + 1], flat) ? new UprightPrism(sides, low, high) : null;
  }

  /** The distance of a point in the model's frame; negative inside. */
  signedDistance(p: Readonly<Vec3>): number {
    const [x, y, z] = p;
    const sides = this.#sides;
    let most = -Infinity;
    let squared = Infinity;
    for (let s = 0; s < sides.length; s += SIDE) {
      const u = x - sides[s];
      const v = y - sides[s + 1];
      const out = u * sides[s + 3] - v * sides[s + 2];
      if (out > most) most = out;
      if (out < 0) continue;
      const along = u * sides[s + 2] + v * sides[s + 3];
      const past = along < 0 ? along : along > sides[s + 4] ? along - sides[s + 4] : 0;
      const own = out * out + past * past;
      if (own < squared) squared = own;
    }
    const across = most > 0 ? Math.sqrt(squared) : most;
    const up = Math.max(this.#low - z, z - this.#high);
    if (across <= 0) return Math.max(across, up);
    return up <= 0 ? across : Math.sqrt(across * across + up * up);
  }
}

/** The sides of the convex hull of the vertices as seen from above, counter-clockwise; null where there are too many or none. */
function sidesAround(positions: Float64Array, indices: Uint32Array, off: number): Float64Array | null {
  const points = [...new Set(indices)].map((v) => [positions[3 * v], positions[3 * v + 1]]);
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list: readonly number[][]): number[][] => {
    const kept: number[][] = [];
    for (const p of list) {
      while (kept.length > 1 && !turnsLeft(kept[kept.length - 2], kept[kept.length - 1], p, off)) kept.pop();
      const last = kept.at(-1);
      if (last === undefined || Math.hypot(p[0] - last[0], p[1] - last[1]) > off) kept.push(p);
    }
    return kept.slice(0, -1);
  };
  const corners = [...chain(points), ...chain(points.slice().reverse())];
  if (corners.length < 3 || corners.length > MAX_SIDES) return null;
  const sides = new Float64Array(SIDE * corners.length);
  for (const [i, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    const length = Math.hypot(nextX - x, nextY - y);
    if (!(length > off)) return null;
    sides.set([x, y, (nextX - x) / length, (nextY - y) / length, length], SIDE * i);
  }
  return sides;
}

/** Whether the way over b to c turns left by more than rounding. */
function turnsLeft(a: readonly number[], b: readonly number[], c: readonly number[], off: number): boolean {
  const [u, v] = [b[0] - a[0], b[1] - a[1]];
  const [s, t] = [c[0] - a[0], c[1] - a[1]];
  return u * t - v * s > off * Math.hypot(s, t);
}

/** The plane that a triangle lies in: the number of a side, after them the lower end and the upper one; −1 for none. */
function planeOf(
  corners: readonly ArrayLike<number>[],
  sides: Float64Array,
  low: number,
  high: number,
  off: number,
): number {
  if (corners.some((p) => Math.min(p[2] - low, high - p[2]) > off)) return -1;
  const count = sides.length / SIDE;
  if (corners.every((p) => p[2] - low <= off)) return count;
  if (corners.every((p) => high - p[2] <= off)) return count + 1;
  for (let s = 0; s < sides.length; s += SIDE) {
    const [x, y, dx, dy] = sides.subarray(s, s + SIDE);
    if (corners.every((p) => Math.abs((p[0] - x) * dy - (p[1] - y) * dx) <= off)) return s / SIDE;
  }
  return -1;
}

function areaOf(a: ArrayLike<number>, b: ArrayLike<number>, c: ArrayLike<number>): number {
  const [u, v] = [
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]],
    [c[0] - a[0], c[1] - a[1], c[2] - a[2]],
  ];
  return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_AREA * Math.max(a, b);
}

// Whether one solid, moved by a vector, still has a point in common with another: every pair of triangles whose boxes meet,
// with exact signs, the pairs that met last first; then a vertex of each shell against the other solid. For small meshes and
// many vectors. O(n·m) a vector.
import { type OracleMesh, windingByRay } from '../mesh-distance.js';
import { trianglesMeet } from '../triangles-meet.js';

/** Pairs of triangles that are tried first: they met for other vectors. */
const REMEMBERED = 8;

/** A and B as they stand, A to be moved. */
export class Overlap {
  readonly #a: OracleMesh;
  readonly #b: OracleMesh;
  readonly #standing: Float64Array;
  readonly #moved: Float64Array;
  readonly #placed: Float64Array;
  /** Low x, y, z and high x, y, z of each triangle, A's before the move. */
  readonly #boxesA: Float64Array;
  readonly #boxesB: Float64Array;
  readonly #recent: number[] = [];

  /** Meshes with their vertices in one frame. */
  constructor(a: OracleMesh, placedA: Float64Array, b: OracleMesh, placedB: Float64Array) {
    this.#a = a;
    this.#b = b;
    this.#standing = placedA;
    this.#moved = placedA.slice();
    this.#placed = placedB;
    this.#boxesA = boxesOf(placedA, a.indices);
    this.#boxesB = boxesOf(placedB, b.indices);
  }

  /** Whether A moved by the vector meets B; touching counts. */
  at(x: number, y: number, z: number): boolean {
    const moved = this.#moved;
    const standing = this.#standing;
    for (let v = 0; v < moved.length; v += 3) {
      moved[v] = standing[v] + x;
      moved[v + 1] = standing[v + 1] + y;
      moved[v + 2] = standing[v + 2] + z;
    }
    return this.#surfacesMeet(x, y, z) || this.#holds(this.#a, moved, this.#b, this.#placed) || this.#isHeld();
  }

  #isHeld(): boolean {
    return this.#holds(this.#b, this.#placed, this.#a, this.#moved);
  }

  #surfacesMeet(x: number, y: number, z: number): boolean {
    const recent = this.#recent;
    const count = this.#b.indices.length / 3;
    for (let i = 0; i < recent.length; i++) {
      if (!this.#meet(Math.floor(recent[i] / count), recent[i] % count)) continue;
      recent.unshift(...recent.splice(i, 1));
      return true;
    }
    const p = this.#boxesA;
    const q = this.#boxesB;
    const offset = [x, y, z];
    for (let i = 0; i < p.length; i += 6) {
      const [low0, low1, low2] = [p[i] + offset[0], p[i + 1] + offset[1], p[i + 2] + offset[2]];
      const [high0, high1, high2] = [p[i + 3] + offset[0], p[i + 4] + offset[1], p[i + 5] + offset[2]];
      for (let j = 0; j < q.length; j += 6) {
        if (low0 > q[j + 3] || q[j] > high0 || low1 > q[j + 4] || q[j + 1] > high1) continue;
        if (low2 > q[j + 5] || q[j + 2] > high2 || !this.#meet(i / 6, j / 6)) continue;
        recent.unshift((i / 6) * count + j / 6);
        recent.length = Math.min(recent.length, REMEMBERED);
        return true;
      }
    }
    return false;
  }

  #meet(f: number, g: number): boolean {
    const { indices: i } = this.#a;
    const { indices: j } = this.#b;
    const [a, b, c] = [3 * i[3 * f], 3 * i[3 * f + 1], 3 * i[3 * f + 2]];
    const [d, e, h] = [3 * j[3 * g], 3 * j[3 * g + 1], 3 * j[3 * g + 2]];
    return trianglesMeet(this.#moved, a, b, c, this.#placed, d, e, h);
  }

  #holds(solid: OracleMesh, solidAt: Float64Array, other: OracleMesh, otherAt: Float64Array): boolean {
    return other.componentVertices.some(
      (v) => windingByRay(solidAt, solid.indices, otherAt[3 * v], otherAt[3 * v + 1], otherAt[3 * v + 2]) >= 1,
    );
  }
}

function boxesOf(at: Float64Array, indices: Uint32Array): Float64Array {
  const boxes = new Float64Array(2 * indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const corners = [at[3 * indices[i] + k], at[3 * indices[i + 1] + k], at[3 * indices[i + 2] + k]];
      boxes[2 * i + k] = Math.min(...corners);
      boxes[2 * i + 3 + k] = Math.max(...corners);
    }
  }
  return boxes;
}

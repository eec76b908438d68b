// Places equally far from several objects, by the Gauss–Newton method: the least step that makes the distances equal to
// first order. Two objects give a place on a sheet, three on an edge, four or more a vertex.
import { diagonalize } from '../../core/symmetric-eigen.js';
import type { Vec3 } from '../../core/vec3.js';
import type { SpaceSearch } from './space-search.js';

/** Chosen: the steps of the Gauss–Newton method. */
const MAX_STEPS = 24;

/**
 * Rounding: directions in which the distances change less than this, squared and as a share of the largest change, are
 * left alone.
 */
const FLAT_DIRECTION = 1e-9;

export class EquidistantSolver {
  /** The place found last, and its distance. */
  readonly point: Vec3 = [0, 0, 0];
  value = 0;
  /** The least distance there without weights and offsets. */
  distance = 0;
  /** A unit vector along which the distances stay equal, if `rank` is 2. */
  readonly tangent: Vec3 = [0, 0, 0];
  /** Directions in which they do not: 1 on a sheet, 2 on an edge, 3 at a vertex. */
  rank = 0;
  /** Steps taken so far. */
  steps = 0;
  /** Gradients of the objects at the place found last. */
  gradients: Float64Array = new Float64Array(3 * 64);
  readonly #search: SpaceSearch;
  readonly #values = new Float64Array(64);
  readonly #matrix = new Float64Array(9);
  readonly #vectors = new Float64Array(9);
  /** Differences of distances up to this are zero. */
  readonly #tolerance: number;

  constructor(search: SpaceSearch, tolerance: number) {
    this.#search = search;
    this.#tolerance = tolerance;
  }

  /**
   * Moves from a place to one equally far from the objects, no more than `reach` away.
   * @returns whether there is one; then the members hold it.
   */
  solve(objects: readonly number[], x: number, y: number, z: number, reach: number): boolean {
    const { point } = this;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    for (let step = 0; step < MAX_STEPS; step++) {
      this.steps++;
      const worst = this.#measure(objects);
      if (worst <= this.#tolerance) return true;
      this.#move(objects.length);
      if (!(Math.hypot(point[0] - x, point[1] - y, point[2] - z) <= reach)) return false;
    }
    // Rounding of large weights can keep the differences just above the tolerance.
    return this.#measure(objects) <= 8 * this.#tolerance;
  }

  /** Measures all objects and decomposes the normal equations; returns the largest difference of distances. */
  #measure(objects: readonly number[]): number {
    const { point, gradients } = this;
    const values = this.#values;
    const a = this.#matrix;
    let least = Infinity;
    let most = -Infinity;
    this.distance = Infinity;
    for (let i = 0; i < objects.length; i++) {
      const tree = this.#search.measure(objects[i], point[0], point[1], point[2]);
      values[i] = tree.value;
      gradients[3 * i] = tree.gx;
      gradients[3 * i + 1] = tree.gy;
      gradients[3 * i + 2] = tree.gz;
      least = Math.min(least, tree.value);
      most = Math.max(most, tree.value);
      this.distance = Math.min(this.distance, tree.distance);
    }
    this.value = least;
    a.fill(0);
    for (let i = 1; i < objects.length; i++) {
      const gx = gradients[3 * i] - gradients[0];
      const gy = gradients[3 * i + 1] - gradients[1];
      const gz = gradients[3 * i + 2] - gradients[2];
      a[0] += gx * gx;
      a[1] += gx * gy;
      a[2] += gx * gz;
      a[4] += gy * gy;
      a[5] += gy * gz;
      a[8] += gz * gz;
    }
    a[3] = a[1];
    a[6] = a[2];
    a[7] = a[5];
    const trace = a[0] + a[4] + a[8];
    diagonalize(a, this.#vectors, 1e-15);
    this.rank = 0;
    let flattest = 0;
    for (let n = 0; n < 3; n++) {
      if (a[4 * n] > FLAT_DIRECTION * trace) this.rank++;
      if (a[4 * n] < a[4 * flattest]) flattest = n;
    }
    for (let axis = 0; axis < 3; axis++) this.tangent[axis] = this.#vectors[3 * axis + flattest];
    return most - least;
  }

  /** The step of least length, by the eigenvectors of the normal equations. */
  #move(count: number): void {
    const { point, gradients } = this;
    const a = this.#matrix;
    const v = this.#vectors;
    const values = this.#values;
    let rx = 0;
    let ry = 0;
    let rz = 0;
    for (let i = 1; i < count; i++) {
      const difference = values[i] - values[0];
      rx += difference * (gradients[3 * i] - gradients[0]);
      ry += difference * (gradients[3 * i + 1] - gradients[1]);
      rz += difference * (gradients[3 * i + 2] - gradients[2]);
    }
    const most = Math.max(a[0], a[4], a[8]);
    for (let n = 0; n < 3; n++) {
      if (!(a[4 * n] > FLAT_DIRECTION * most)) continue;
      const share = (v[n] * rx + v[3 + n] * ry + v[6 + n] * rz) / a[4 * n];
      point[0] -= share * v[n];
      point[1] -= share * v[3 + n];
      point[2] -= share * v[6 + n];
    }
  }
}

// Keeps few of many contact points: points of like normals form a patch, and of each patch the deepest point stays and
// those that span it, first among the points that are nearly as deep, then among all. O(points × patches), no allocation.
import { type ContactPoints, NORMAL, POINT_STRIDE, SEPARATION } from './contact-points.js';

/** Chosen: normals within the angle of this cosine, 10 degrees, form a patch. */
const PATCH_COSINE = 0.985;
/** Chosen: where more points than this are left, normals form larger patches: parts that fit around each other have many. */
const MANY_POINTS = 48;
/** Chosen: the cosine for those, 30 degrees. */
const LARGE_PATCH_COSINE = 0.866;

/** Chosen: points kept of a patch. */
const MAX_POINTS = 8;

/** Chosen: a point spans a patch farther if it is beyond the others by this share of the patch's length. */
const SPAN = 1e-3;

/** Picks points. */
export class ManifoldReduction {
  /** The patch of each point, −1 for none yet. */
  #patches = new Int32Array(16);
  #kept = new Uint8Array(16);
  /** The points of the patch at hand that may be picked. */
  #members = new Int32Array(16);
  #memberCount = 0;
  #keptCount = 0;

  /**
   * Drops the points that are not needed. The others stay in their order.
   * @param level points that are at most this much higher than the deepest of their patch count as deep as it.
   */
  reduce(points: ContactPoints, level: number): void {
    this.#reduceBy(points, level, PATCH_COSINE);
    if (points.count > MANY_POINTS) this.#reduceBy(points, level, LARGE_PATCH_COSINE);
  }

  #reduceBy(points: ContactPoints, level: number, cosine: number): void {
    const { count } = points;
    if (count <= 1) return;
    if (this.#patches.length < count) {
      this.#patches = new Int32Array(2 * count);
      this.#kept = new Uint8Array(2 * count);
      this.#members = new Int32Array(2 * count);
    }
    this.#patches.fill(-1, 0, count);
    this.#kept.fill(0, 0, count);
    for (let patch = 0; patch < count; patch++) {
      const deepest = this.#findDeepest(points);
      if (deepest < 0) break;
      this.#formPatch(points, deepest, patch, cosine);
      this.#keptCount = 0;
      this.#keep(deepest);
      const lowest = points.values[POINT_STRIDE * deepest + SEPARATION];
      this.#gather(points, patch, lowest + level);
      this.#span(points, deepest);
      const near = this.#memberCount;
      this.#gather(points, patch, Infinity);
      if (this.#memberCount > near) this.#span(points, deepest);
    }
    let kept = 0;
    for (let i = 0; i < count; i++) if (this.#kept[i] === 1) points.move(i, kept++);
    points.count = kept;
  }

  #findDeepest({ values, keys, count }: ContactPoints): number {
    let deepest = -1;
    for (let i = 0; i < count; i++) {
      if (this.#patches[i] >= 0) continue;
      if (deepest < 0) {
        deepest = i;
        continue;
      }
      const difference = values[POINT_STRIDE * i + SEPARATION] - values[POINT_STRIDE * deepest + SEPARATION];
      const order = difference || keys[2 * i] - keys[2 * deepest] || keys[2 * i + 1] - keys[2 * deepest + 1];
      if (order < 0) deepest = i;
    }
    return deepest;
  }

  #formPatch({ values, count }: ContactPoints, seed: number, patch: number, least: number): void {
    const s = POINT_STRIDE * seed + NORMAL;
    for (let i = 0; i < count; i++) {
      if (this.#patches[i] >= 0) continue;
      const j = POINT_STRIDE * i + NORMAL;
      const cosine = values[j] * values[s] + values[j + 1] * values[s + 1] + values[j + 2] * values[s + 2];
      if (i === seed || cosine >= least) this.#patches[i] = patch;
    }
  }

  #gather({ values, count }: ContactPoints, patch: number, highest: number): void {
    this.#memberCount = 0;
    for (let i = 0; i < count; i++) {
      if (this.#patches[i] !== patch || values[POINT_STRIDE * i + SEPARATION] > highest) continue;
      this.#members[this.#memberCount++] = i;
    }
  }

  #keep(point: number): void {
    if (this.#kept[point] === 1 || this.#keptCount >= MAX_POINTS) return;
    this.#kept[point] = 1;
    this.#keptCount++;
  }

  /** Keeps the members at the two ends of the patch and those farthest to both sides of the line between them. */
  #span(points: ContactPoints, deepest: number): void {
    const first = this.#farthestFrom(points, deepest);
    const second = this.#farthestFrom(points, first);
    const { values } = points;
    const i = POINT_STRIDE * first;
    const j = POINT_STRIDE * second;
    const x = values[j] - values[i];
    const y = values[j + 1] - values[i + 1];
    const z = values[j + 2] - values[i + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const least = SPAN * length;
    if (!(length > 0)) return;
    this.#keepUnlessNear(points, first, least);
    this.#keepUnlessNear(points, second, least);
    // Upright on the line and on the normal of the patch.
    const n = POINT_STRIDE * deepest + NORMAL;
    const sx = (values[n + 1] * z - values[n + 2] * y) / length;
    const sy = (values[n + 2] * x - values[n] * z) / length;
    const sz = (values[n] * y - values[n + 1] * x) / length;
    let left = -1;
    let right = -1;
    let most = least;
    let fewest = -least;
    for (let k = 0; k < this.#memberCount; k++) {
      const m = POINT_STRIDE * this.#members[k];
      const side =
        (values[m] - values[i]) * sx + (values[m + 1] - values[i + 1]) * sy + (values[m + 2] - values[i + 2]) * sz;
      if (side > most) {
        most = side;
        left = this.#members[k];
      } else if (side < fewest) {
        fewest = side;
        right = this.#members[k];
      }
    }
    if (left >= 0) this.#keepUnlessNear(points, left, least);
    if (right >= 0) this.#keepUnlessNear(points, right, least);
  }

  #farthestFrom({ values }: ContactPoints, point: number): number {
    const i = POINT_STRIDE * point;
    let farthest = point;
    let most = 0;
    for (let k = 0; k < this.#memberCount; k++) {
      const m = POINT_STRIDE * this.#members[k];
      const x = values[m] - values[i];
      const y = values[m + 1] - values[i + 1];
      const z = values[m + 2] - values[i + 2];
      const squared = x * x + y * y + z * z;
      if (!(squared > most)) continue;
      most = squared;
      farthest = this.#members[k];
    }
    return farthest;
  }

  /** Keeps a point unless one of its patch that is kept stands at the same place. */
  #keepUnlessNear({ values }: ContactPoints, point: number, near: number): void {
    const i = POINT_STRIDE * point;
    for (let k = 0; k < this.#memberCount; k++) {
      if (this.#kept[this.#members[k]] === 0) continue;
      const m = POINT_STRIDE * this.#members[k];
      const x = values[m] - values[i];
      const y = values[m + 1] - values[i + 1];
      const z = values[m + 2] - values[i + 2];
      if (x * x + y * y + z * z <= near * near) return;
    }
    this.#keep(point);
  }
}

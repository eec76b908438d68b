// Differences of distances to sites, where they vanish along a line and where two of them vanish at once.
import { nearestOnElement } from '../sites/element-distance.js';
import type { PlaneElements } from '../sites/plane-elements.js';

/** Chosen: halvings of an interval: more than the bits of a double change nothing. */
const HALVINGS = 60;

/** Chosen: Newton steps for a vertex; each doubles the digits once it is near. */
const STEPS = 30;

/** Measures sites of one list of elements. */
export class SiteGap {
  readonly #elements: PlaneElements;
  readonly #near = new Float64Array(2);
  // The gradient of the distance measured last.
  #gradientX = 0;
  #gradientY = 0;

  constructor(elements: PlaneElements) {
    this.#elements = elements;
  }

  /** The distance to a site over its weight, less its offset. */
  distance(site: number, x: number, y: number): number {
    const { firstOfSite, weights, offsets } = this.#elements;
    let least = Infinity;
    let nearX = x;
    let nearY = y;
    for (let element = firstOfSite[site]; element < firstOfSite[site + 1]; element++) {
      nearestOnElement(this.#elements, element, x, y, this.#near);
      const square = (x - this.#near[0]) ** 2 + (y - this.#near[1]) ** 2;
      if (square >= least) continue;
      least = square;
      nearX = this.#near[0];
      nearY = this.#near[1];
    }
    const distance = Math.sqrt(least);
    const slope = distance > 0 ? 1 / (distance * weights[site]) : 0;
    this.#gradientX = (x - nearX) * slope;
    this.#gradientY = (y - nearY) * slope;
    return distance / weights[site] - offsets[site];
  }

  /** How much farther `a` is than `b`. */
  gap(a: number, b: number, x: number, y: number): number {
    return this.distance(a, x, y) - this.distance(b, x, y);
  }

  /**
   * Writes a point on the line from p, nearer to `a`, to q, nearer to `b`, that is equally far from both; returns the
   * difference of the distances that remains. The ends may be wrong by the error of an image: then the line is extended.
   */
  balance(a: number, b: number, px: number, py: number, qx: number, qy: number, out: Float64Array): number {
    const at = (t: number): number => this.gap(a, b, px + t * (qx - px), py + t * (qy - py));
    let low = 0;
    let high = 1;
    let lowGap = at(low);
    let highGap = at(high);
    for (let widened = 1; widened <= 2 && lowGap > 0; widened++) lowGap = at((low = -widened));
    for (let widened = 1; widened <= 2 && highGap < 0; widened++) highGap = at((high = 1 + widened));
    if (lowGap > 0 || highGap < 0) low = high = Math.abs(lowGap) < Math.abs(highGap) ? low : high;
    for (let i = 0; i < HALVINGS && low < high; i++) {
      const middle = (low + high) / 2;
      if (at(middle) > 0) high = middle;
      else low = middle;
    }
    const t = (low + high) / 2;
    out[0] = px + t * (qx - px);
    out[1] = py + t * (qy - py);
    return Math.abs(at(t));
  }

  /**
   * Newton's method for the place equally far from three sites, from (x, y), at most `reach` away along each axis. Writes
   * it to `out` and returns the largest difference of two of the distances, infinite if it leads too far.
   */
  meet(sites: readonly number[], x: number, y: number, reach: number, out: Float64Array): number {
    const [a, b, c] = sites;
    let best = Infinity;
    let px = x;
    let py = y;
    for (let step = 0; step < STEPS; step++) {
      const first = this.distance(a, px, py);
      const ax = this.#gradientX;
      const ay = this.#gradientY;
      const second = first - this.distance(b, px, py);
      const bx = ax - this.#gradientX;
      const by = ay - this.#gradientY;
      const third = first - this.distance(c, px, py);
      const cx = ax - this.#gradientX;
      const cy = ay - this.#gradientY;
      const error = Math.max(Math.abs(second), Math.abs(third), Math.abs(second - third));
      if (error < best) {
        best = error;
        out[0] = px;
        out[1] = py;
      } else if (step > STEPS / 2) break;
      const determinant = bx * cy - by * cx;
      if (determinant === 0 || error === 0) break;
      px += (by * third - cy * second) / determinant;
      py += (cx * second - bx * third) / determinant;
      if (!(Math.abs(px - x) <= 4 * reach && Math.abs(py - y) <= 4 * reach)) break;
    }
    return Math.abs(out[0] - x) <= reach && Math.abs(out[1] - y) <= reach ? best : Infinity;
  }
}

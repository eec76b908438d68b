// One pixel's ray by the intervals of all sums, in double precision. It checks what a rasterizer drew: devices snap
// corners to a grid inside the pixel and so shift the depths of slanted facets against each other. O(facets) per ray.
import { CONTAINED } from '../../decomposition/hierarchy/hierarchy.js';
import { FRONT_BIAS, type WindowGeometry } from './window-geometry.js';

/** Follows single rays, with its working memory. */
export class WindowRay {
  /** The code of the facet through which the last ray left, 0 for none. */
  code = 0;
  #near = new Float64Array(64);
  #far = new Float64Array(64);
  #facets = new Int32Array(64);

  /**
   * How many times the direction the ray reaches before it leaves the union of the listed sums for good, Infinity if it
   * is lost in a void. `isVoidAt` tells whether a FREE or ORIGINAL exit at a multiple of the direction is into a void.
   */
  follow(
    geometry: WindowGeometry,
    list: readonly number[],
    direction: Float64Array,
    isVoidAt: (t: number, code: number) => boolean,
  ): number {
    const count = this.#collect(geometry, list, direction);
    const near = this.#near;
    const far = this.#far;
    const facets = this.#facets;
    let front = 0;
    let isLost = true;
    this.code = 0;
    for (let i = 0; i < count; i++) {
      // If the origin is on a facet, the interval may be that single point; the ray leaves through that facet.
      if (near[i] > 0 || far[i] < front) continue;
      front = far[i];
      this.code = facets[i] + 1;
      isLost = false;
    }
    // Each round moves the front beyond the end of an interval or to a later beginning: there are at most 2 × count.
    for (;;) {
      for (let moved = true; moved; ) {
        moved = false;
        for (let i = 0; i < count; i++) {
          if (far[i] <= front || near[i] > front * (1 + FRONT_BIAS)) continue;
          front = far[i];
          this.code = facets[i] + 1;
          isLost = false;
          moved = true;
        }
      }
      for (let i = 0; i < count; i++) {
        const ends = far[i] <= front && far[i] >= front * (1 - FRONT_BIAS);
        isLost ||= ends && geometry.classes[facets[i]] === CONTAINED;
      }
      if (!isLost && !isVoidAt(front, this.code)) return front;
      let next = Infinity;
      for (let i = 0; i < count; i++) if (near[i] > front && near[i] < next) next = near[i];
      this.code = 0;
      if (next === Infinity) return Infinity;
      front = next;
      isLost = true;
    }
  }

  /** The intervals that lie ahead; those of sums drawn around the origin begin there. */
  #collect(geometry: WindowGeometry, list: readonly number[], direction: Float64Array): number {
    const { planes, facetStart, isAround } = geometry;
    if (this.#near.length < list.length) {
      this.#near = new Float64Array(2 * list.length);
      this.#far = new Float64Array(2 * list.length);
      this.#facets = new Int32Array(2 * list.length);
    }
    let count = 0;
    for (const sum of list) {
      let near = 0;
      let far = Infinity;
      let facet = -1;
      for (let f = facetStart[sum]; f < facetStart[sum + 1] && near <= far; f++) {
        const slope =
          planes[4 * f] * direction[0] + planes[4 * f + 1] * direction[1] + planes[4 * f + 2] * direction[2];
        const offset = isAround[sum] === 1 ? Math.max(0, planes[4 * f + 3]) : planes[4 * f + 3];
        if (slope > 0) {
          if (offset < far * slope) {
            far = offset / slope;
            facet = f;
          }
        } else if (offset < near * slope) {
          near = slope === 0 ? Infinity : offset / slope;
        }
      }
      if (near > far || facet < 0) continue;
      this.#near[count] = near;
      this.#far[count] = far;
      this.#facets[count++] = facet;
    }
    return count;
  }
}

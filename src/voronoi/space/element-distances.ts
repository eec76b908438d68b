// Distances from points to the elements of space, with all per-element values precomputed. Triangles are measured as
// distance fields do; a segment computes with the numbers of a triangle's side, so that ties between them are exact.
import { TriangleDistances } from '../../field/exact/triangle-distances.js';
import { DISTANCE_ROUNDING } from '../../field/field-error.js';
import { SPACE_POINT, SPACE_TRIANGLE, type SpaceElements } from '../sites/space-elements.js';

/** Layout: numbers per segment: first end, vector to the last, last end, square of its length. */
const SEGMENT_STRIDE = 10;

export class ElementDistances {
  readonly elements: SpaceElements;
  /** A ball around each element: its center and radius, four numbers. */
  readonly balls: Float64Array;
  /** Points to measure from: x, y, z and the squared distance beyond which the result does not matter. */
  readonly points: Float64Array;
  /** By point: the squared distance to the element measured last, without its weight. */
  readonly squares: Float64Array;
  /** By point: the offset from the nearest point of that element; three numbers. */
  readonly offsets: Float64Array;
  /** By element: 1 / weight, and what is subtracted after the division. */
  readonly inverse: Float64Array;
  readonly lowered: Float64Array;
  /** Distances of points and segments computed so far. */
  #computed = 0;
  readonly #triangles: TriangleDistances;
  readonly #segments: Float64Array;

  /** @param points the number of points that can be measured at once. */
  constructor(elements: SpaceElements, points: number) {
    this.elements = elements;
    this.#triangles = new TriangleDistances(elements.corners, elements.count, points);
    this.balls = this.#triangles.balls;
    this.points = this.#triangles.points;
    this.squares = this.#triangles.squares;
    this.offsets = this.#triangles.offsets;
    const { count, corners, kinds, site, weights, offsets } = elements;
    this.inverse = new Float64Array(count);
    this.lowered = new Float64Array(count);
    this.#segments = new Float64Array(SEGMENT_STRIDE * count);
    for (let element = 0; element < count; element++) {
      this.inverse[element] = 1 / weights[site[element]];
      this.lowered[element] = offsets[site[element]];
      if (kinds[element] !== SPACE_TRIANGLE) setSegment(corners, 9 * element, this.#segments, SEGMENT_STRIDE * element);
    }
  }

  /** Distances computed so far. */
  get computed(): number {
    return this.#computed + this.#triangles.computed;
  }

  /**
   * Writes the squared distance of each point from `first` to before `end` to `squares`, or Infinity if it is known to
   * exceed the point's limit.
   */
  measure(element: number, first: number, end: number): void {
    const kind = this.elements.kinds[element];
    if (kind === SPACE_TRIANGLE) {
      this.#triangles.measure(element, first, end);
      return;
    }
    const { points, squares, offsets } = this;
    const s = this.#segments;
    const o = SEGMENT_STRIDE * element;
    this.#computed += end - first;
    for (let n = first; n < end; n++) {
      const x = points[4 * n];
      const y = points[4 * n + 1];
      const z = points[4 * n + 2];
      let px = x - s[o];
      let py = y - s[o + 1];
      let pz = z - s[o + 2];
      if (kind !== SPACE_POINT) {
        const along = s[o + 3] * px + s[o + 4] * py + s[o + 5] * pz;
        const beyond = along >= s[o + 9];
        const share = along > 0 ? along / s[o + 9] : 0;
        px = beyond ? x - s[o + 6] : px - share * s[o + 3];
        py = beyond ? y - s[o + 7] : py - share * s[o + 4];
        pz = beyond ? z - s[o + 8] : pz - share * s[o + 5];
      }
      offsets[3 * n] = px;
      offsets[3 * n + 1] = py;
      offsets[3 * n + 2] = pz;
      squares[n] = px * px + py * py + pz * pz;
    }
  }
}

/** A bound on the rounding of a distance to any element, weight and offset included, at places up to `extent` from 0. */
export function roundingOf(elements: SpaceElements, extent: number): number {
  let largest = extent;
  for (let i = 0; i < 9 * elements.count; i++) largest = Math.max(largest, Math.abs(elements.corners[i]));
  let inverse = 1;
  let offset = 0;
  for (let site = 0; site < elements.weights.length; site++) {
    inverse = Math.max(inverse, 1 / elements.weights[site]);
    offset = Math.max(offset, Math.abs(elements.offsets[site]));
  }
  return DISTANCE_ROUNDING * largest * inverse + 4 * Number.EPSILON * offset;
}

/** The segment between the first two corners, from the lower end by x, then y, then z. */
function setSegment(corners: Float64Array, i: number, out: Float64Array, o: number): void {
  let order = 0;
  for (let axis = 0; axis < 3 && order === 0; axis++) order = corners[i + axis] - corners[i + 3 + axis];
  const from = order > 0 ? i + 3 : i;
  const to = order > 0 ? i : i + 3;
  for (let axis = 0; axis < 3; axis++) {
    out[o + axis] = corners[from + axis];
    out[o + 3 + axis] = corners[to + axis] - corners[from + axis];
    out[o + 6 + axis] = corners[to + axis];
  }
  out[o + 9] = out[o + 3] ** 2 + out[o + 4] ** 2 + out[o + 5] ** 2;
}

// Samples found so far, in arrays that grow.
import { NearfieldError } from '../../core/errors.js';
import { growTo } from '../../core/grow-array.js';

/** Chosen: the samples of an answer. Their arrays fill 600 MB. */
const MAX_SAMPLES = 2 ** 23;

/** Samples of a surface with the nearest point of another; all arrays are longer than needed. */
export class SampleList {
  count = 0;
  points = new Float64Array(3 * 256);
  distances = new Float64Array(256);
  directions = new Float64Array(3 * 256);
  areas = new Float64Array(256);
  triangles = new Uint32Array(256);

  /**
   * Makes room for `count` samples.
   * @throws NearfieldError `too-large` for too many.
   */
  reserve(count: number): void {
    if (count <= this.distances.length) return;
    if (count > MAX_SAMPLES) {
      throw new NearfieldError(
        'too-large',
        `The answer has more than ${MAX_SAMPLES} samples of a surface; give a larger error.`,
      );
    }
    this.points = growTo(this.points, 3 * count);
    this.distances = growTo(this.distances, count);
    this.directions = growTo(this.directions, 3 * count);
    this.areas = growTo(this.areas, count);
    this.triangles = growTo(this.triangles, count);
  }
}

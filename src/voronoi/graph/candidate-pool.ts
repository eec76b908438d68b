// The features that may be nearest somewhere in a cell, by bounds of their distances over it. The lists of all cells are in
// one array.
import { growTo } from '../../core/grow-array.js';
import { type FeatureArrays, FIRST, LINE, OFFSET, SCALE, SECOND, SIZE, STRIDE, VERTEX } from './feature-arrays.js';

/**
 * Rounding: constraints that miss a cell by less, and distances that differ by less, in local lengths, decide nothing.
 */
const SLACK = 1e-12;

/** Lists of candidates. */
export class CandidatePool {
  list = new Int32Array(1 << 12);
  /** One more than the last place in use. */
  end = 0;
  /** A bound for the last list added: no point of its cell is farther from the nearest feature. */
  bound = Infinity;
  readonly #features: FeatureArrays;
  #lower = new Float64Array(64);

  constructor(features: FeatureArrays) {
    this.#features = features;
  }

  /**
   * Appends those of a part of a list, which may be the pool's own, that may be nearest somewhere in the box. Runs for
   * every cell and candidate, so that all its values are locals of one function.
   */
  add(list: Int32Array, from: number, count: number, x0: number, y0: number, x1: number, y1: number): void {
    const { data, kind } = this.#features;
    this.#lower = growTo(this.#lower, count);
    const cx = (x0 + x1) / 2;
    const cy = (y0 + y1) / 2;
    const hx = (x1 - x0) / 2;
    const hy = (y1 - y0) / 2;
    const radius = Math.sqrt(hx * hx + hy * hy);
    const lower = this.#lower;
    let bound = Infinity;
    for (let i = 0; i < count; i++) {
      const feature = list[from + i];
      const at = STRIDE * feature;
      let ux = data[at + FIRST];
      let uy = data[at + FIRST + 1];
      const first = ux * cx + uy * cy - data[at + FIRST + 2];
      const firstReach = Math.abs(ux) * hx + Math.abs(uy) * hy;
      if (first + firstReach < -SLACK) {
        lower[i] = Infinity;
        continue;
      }
      ux = data[at + SECOND];
      uy = data[at + SECOND + 1];
      const second = ux * cx + uy * cy - data[at + SECOND + 2];
      const secondReach = Math.abs(ux) * hx + Math.abs(uy) * hy;
      if (second + secondReach < -SLACK) {
        lower[i] = Infinity;
        continue;
      }
      let low: number;
      let high: number;
      if (kind[feature] === LINE) {
        const nx = data[at];
        const ny = data[at + 1];
        const distance = Math.abs(nx * cx + ny * cy - data[at + SIZE]);
        const reach = Math.abs(nx) * hx + Math.abs(ny) * hy;
        low = distance > reach ? distance - reach : 0;
        if (first >= firstReach && second >= secondReach) high = distance + reach;
        else high = first >= 0 && second >= 0 ? distance + radius : Infinity;
      } else {
        const dx = Math.abs(data[at] - cx);
        const dy = Math.abs(data[at + 1] - cy);
        if (kind[feature] === VERTEX) {
          const px = dx > hx ? dx - hx : 0;
          const py = dy > hy ? dy - hy : 0;
          low = Math.sqrt(px * px + py * py);
          high = Math.sqrt((dx + hx) * (dx + hx) + (dy + hy) * (dy + hy));
        } else {
          const distance = Math.abs(Math.sqrt(dx * dx + dy * dy) - data[at + SIZE]);
          low = distance > radius ? distance - radius : 0;
          high = first >= 0 && second >= 0 ? distance + radius : Infinity;
        }
      }
      const scale = data[at + SCALE];
      const offset = data[at + OFFSET];
      lower[i] = low * scale - offset;
      const top = high * scale - offset;
      if (top < bound) bound = top;
    }
    bound += SLACK;
    this.list = growTo(this.list, this.end + count);
    const own = this.list;
    let end = this.end;
    for (let i = 0; i < count; i++) if (lower[i] <= bound) own[end++] = list[from + i];
    this.end = end;
    this.bound = bound;
  }
}

// The contacts that two solids had when they were last apart or little overlapped. Solids that are pressed into each other
// within a step still meet at them: moved along with the solids they say how deep each is, and the way back out.
import { growTo } from '../core/grow-array.js';
import { boundMotion } from '../core/placement.js';
import { type ContactPoints, NORMAL, ON_B, POINT_STRIDE, SEPARATION } from './contact-points.js';

/** Keeps the contacts of one pair of solids. */
export class HeldContacts {
  #values = new Float64Array(0);
  #keys = new Int32Array(0);
  #count = 0;
  /** Where B was in A's frame. */
  readonly #kept = new Float64Array(12);
  /** How B has moved in A's frame since. */
  readonly #move = new Float64Array(12);

  /** Keeps contacts that were found at a placement of B in A's frame. */
  keep({ values, keys, count }: ContactPoints, bInA: Float64Array): void {
    this.#count = count;
    this.#kept.set(bInA);
    this.#values = growTo(this.#values, POINT_STRIDE * count);
    this.#keys = growTo(this.#keys, 2 * count);
    for (let i = 0; i < POINT_STRIDE * count; i++) this.#values[i] = values[i];
    for (let i = 0; i < 2 * count; i++) this.#keys[i] = keys[i];
  }

  /** Forgets them. */
  reset(): void {
    this.#count = 0;
  }

  /** Appends the contacts and where B was. */
  save(out: number[]): void {
    out.push(this.#count, ...this.#kept);
    for (let i = 0; i < POINT_STRIDE * this.#count; i++) out.push(this.#values[i]);
    for (let i = 0; i < 2 * this.#count; i++) out.push(this.#keys[i]);
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    const count = values[at];
    const points = at + 13;
    const keys = points + POINT_STRIDE * count;
    this.#count = count;
    this.#kept.set(values.subarray(at + 1, points));
    this.#values = growTo(this.#values, POINT_STRIDE * count);
    this.#keys = growTo(this.#keys, 2 * count);
    this.#values.set(values.subarray(points, keys));
    this.#keys.set(values.subarray(keys, keys + 2 * count));
    return keys + 2 * count - at;
  }

  /** How far points of B, in a ball, may have moved in A's frame since the contacts were kept. */
  motionTo(bInA: Float64Array, center: ArrayLike<number>, radius: number): number {
    return boundMotion(this.#kept, bInA, center, radius);
  }

  /** Writes the contacts as they are now, without those whose points have moved farther than `farthest`. */
  recall(points: ContactPoints, bInA: Float64Array, farthest: number): void {
    points.count = 0;
    if (this.#count === 0) return;
    this.#setMove(bInA);
    const held = this.#values;
    const move = this.#move;
    for (let i = 0; i < this.#count; i++) {
      const from = POINT_STRIDE * i;
      const x = held[from + ON_B];
      const y = held[from + ON_B + 1];
      const z = held[from + ON_B + 2];
      const at = points.reserve();
      const { values } = points;
      let along = 0;
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        const to = move[4 * k] * x + move[4 * k + 1] * y + move[4 * k + 2] * z + move[4 * k + 3];
        const shift = to - held[from + ON_B + k];
        squared += shift * shift;
        along += shift * held[from + NORMAL + k];
        values[at + k] = held[from + k];
        values[at + ON_B + k] = to;
        values[at + NORMAL + k] = held[from + NORMAL + k];
      }
      if (squared > farthest * farthest) continue;
      values[at + SEPARATION] = held[from + SEPARATION] + along;
      points.keep(this.#keys[2 * i], this.#keys[2 * i + 1]);
    }
  }

  /** From where B's points were to where they are. */
  #setMove(m: Float64Array): void {
    const k = this.#kept;
    const move = this.#move;
    for (let row = 0; row < 3; row++) {
      const p = m[4 * row];
      const q = m[4 * row + 1];
      const r = m[4 * row + 2];
      for (let column = 0; column < 3; column++) {
        move[4 * row + column] = p * k[4 * column] + q * k[4 * column + 1] + r * k[4 * column + 2];
      }
      const turned = move[4 * row] * k[3] + move[4 * row + 1] * k[7] + move[4 * row + 2] * k[11];
      move[4 * row + 3] = m[4 * row + 3] - turned;
    }
  }
}

// Contact points as they are found, in the frame of the first shape, in arrays that grow and are used again.
import { growTo } from '../core/grow-array.js';

/** Layout: numbers of a point in {@link ContactPoints.values}. The constants below say where they are. */
export const POINT_STRIDE = 10;
/** Layout: where the point on B is, behind that on A. */
export const ON_B = 3;
/** Layout: where the normal is. */
export const NORMAL = 6;
/** Layout: where the separation is. */
export const SEPARATION = 9;

/** A list of contact points. */
export class ContactPoints {
  count = 0;
  /** {@link POINT_STRIDE} numbers per point. */
  values = new Float64Array(16 * POINT_STRIDE);
  /** The features of A and B, two numbers per point. */
  keys = new Int32Array(16 * 2);
  /** Where each point comes from, by the number that its finder sets before it adds points. */
  sources = new Int32Array(16);
  source = 0;

  /** Makes room for one more point, to be written behind the last, and returns where its values begin. */
  reserve(): number {
    this.values = growTo(this.values, POINT_STRIDE * (this.count + 1));
    this.keys = growTo(this.keys, 2 * (this.count + 1));
    this.sources = growTo(this.sources, this.count + 1);
    return POINT_STRIDE * this.count;
  }

  /** Whether a pair of features has a point already. */
  has(keyA: number, keyB: number): boolean {
    const { keys } = this;
    for (let i = 2 * (this.count - 1); i >= 0; i -= 2) if (keys[i] === keyA && keys[i + 1] === keyB) return true;
    return false;
  }

  /** Keeps the point written behind the last. */
  keep(keyA: number, keyB: number): void {
    this.keys[2 * this.count] = keyA;
    this.keys[2 * this.count + 1] = keyB;
    this.sources[this.count] = this.source;
    this.count++;
  }

  /** Moves a point to the place of another. */
  move(from: number, to: number): void {
    if (from === to) return;
    this.values.copyWithin(POINT_STRIDE * to, POINT_STRIDE * from, POINT_STRIDE * (from + 1));
    this.keys.copyWithin(2 * to, 2 * from, 2 * from + 2);
    this.sources[to] = this.sources[from];
  }
}

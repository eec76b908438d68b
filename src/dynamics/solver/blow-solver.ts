// Blows at the touching points of one pair: they leave at their restitution, with friction in Coulomb's cone.
import type { ContactBuffer } from './contact-buffer.js';
import {
  APPROACH,
  type ContactRows,
  dotAt,
  GAP,
  K_MAX,
  K_N,
  STRIDE,
  TANGENT,
  TANGENT_2,
  WARM,
  WARM_1,
  WARM_2,
} from './contact-rows.js';

export class BlowSolver {
  readonly #rows: ContactRows;
  readonly #contacts: ContactBuffer;
  readonly #relative = new Float64Array(3);

  constructor(rows: ContactRows, contacts: ContactBuffer) {
    this.#rows = rows;
    this.#contacts = contacts;
  }

  /** Begins a blow at some points: those that close faster than the threshold are to leave at their restitution. */
  begin(first: number, count: number, reach: number, threshold: number): void {
    const rows = this.#rows.values;
    const { restitution } = this.#contacts;
    for (let i = first; i < first + count; i++) {
      const o = STRIDE * i;
      const speed = this.#rows.speedOf(i);
      rows[o + APPROACH] = speed < -threshold ? -restitution[i] * speed : 0;
      // A point that does not touch takes no part.
      if (rows[o + GAP] > reach) rows[o + APPROACH] = -Infinity;
      rows[o + WARM] = rows[o + WARM_1] = rows[o + WARM_2] = 0;
    }
  }

  /** One pass over the points of a blow. @returns the largest change of a velocity, m/s. */
  strike(first: number, count: number): number {
    const rows = this.#rows.values;
    let largest = 0;
    for (let i = first; i < first + count; i++) {
      const o = STRIDE * i;
      const target = rows[o + APPROACH];
      if (target === -Infinity) continue;
      const old = rows[o + WARM];
      const now = Math.max(0, old + (target - this.#rows.speedOf(i)) / rows[o + K_N]);
      rows[o + WARM] = now;
      this.#rows.apply(i, now - old, 0, 0);
      largest = Math.max(largest, Math.abs(now - old) * rows[o + K_N]);
      if (now > 0) largest = Math.max(largest, this.#rub(i, now));
    }
    return largest;
  }

  /** Friction of a blow, within the cone of its normal impulse. */
  #rub(i: number, normal: number): number {
    const rows = this.#rows.values;
    const o = STRIDE * i;
    const most = this.#contacts.friction[i] * normal;
    if (most === 0) return 0;
    const u = this.#relative;
    this.#rows.writeRelative(i, u);
    const step = 1 / rows[o + K_MAX];
    let s = rows[o + WARM_1] - step * dotAt(u, 0, rows, o + TANGENT);
    let t = rows[o + WARM_2] - step * dotAt(u, 0, rows, o + TANGENT_2);
    const size = Math.sqrt(s * s + t * t);
    if (size > most) {
      s *= most / size;
      t *= most / size;
    }
    const ds = s - rows[o + WARM_1];
    const dt = t - rows[o + WARM_2];
    rows[o + WARM_1] = s;
    rows[o + WARM_2] = t;
    this.#rows.apply(i, 0, ds, dt);
    return (Math.abs(ds) + Math.abs(dt)) * rows[o + K_MAX];
  }
}

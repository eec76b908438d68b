// Blows at the touching points of one pair: they leave at their restitution, then friction takes what Coulomb's cone allows.
import type { Bodies } from '../body/bodies.js';
import type { ContactBuffer } from './contact-buffer.js';
import {
  APPROACH,
  type ContactRows,
  dotAt,
  GAP,
  K_11,
  K_12,
  K_22,
  K_N,
  STRIDE,
  TANGENT,
  TANGENT_2,
  WARM,
} from './contact-rows.js';

export class BlowSolver {
  readonly #rows: ContactRows;
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #relative = new Float64Array(3);

  constructor(rows: ContactRows, bodies: Bodies, contacts: ContactBuffer) {
    this.#rows = rows;
    this.#bodies = bodies;
    this.#contacts = contacts;
  }

  /** Begins a blow at some points: those that close faster than the threshold are to leave at their restitution (Moreau 1988). */
  begin(first: number, count: number, reach: number, threshold: number): void {
    const rows = this.#rows.values;
    const { restitution } = this.#contacts;
    for (let i = first; i < first + count; i++) {
      const o = STRIDE * i;
      const speed = this.#rows.speedOf(i);
      rows[o + APPROACH] = speed < -threshold || speed > 0 ? -restitution[i] * speed : 0;
      // A point that does not touch takes no part.
      if (rows[o + GAP] > reach) rows[o + APPROACH] = -Infinity;
      rows[o + WARM] = 0;
    }
  }

  /** One pass over the normals of a blow. @returns the largest change of a velocity, m/s. */
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
    }
    return largest;
  }

  /**
   * Friction of a blow, after its normals: at each point against its slip, within the cone, and no more than stops the slip.
   * So it takes energy only; solved together with restitution it can make energy without end.
   */
  rub(first: number, count: number): void {
    const rows = this.#rows.values;
    const { blow } = this.#bodies;
    const u = this.#relative;
    for (let i = first; i < first + count; i++) {
      const o = STRIDE * i;
      blow[this.#contacts.bodyA[i]] += rows[o + WARM];
      blow[this.#contacts.bodyB[i]] += rows[o + WARM];
      const most = this.#contacts.friction[i] * rows[o + WARM];
      if (!(most > 0) || rows[o + APPROACH] === -Infinity) continue;
      this.#rows.writeRelative(i, u);
      const s = dotAt(u, 0, rows, o + TANGENT);
      const t = dotAt(u, 0, rows, o + TANGENT_2);
      const slip = Math.sqrt(s * s + t * t);
      if (!(slip > 0)) continue;
      const give = (s * s * rows[o + K_11] + 2 * s * t * rows[o + K_12] + t * t * rows[o + K_22]) / (slip * slip);
      const impulse = -Math.min(most, slip / give) / slip;
      this.#rows.apply(i, 0, impulse * s, impulse * t);
    }
  }
}

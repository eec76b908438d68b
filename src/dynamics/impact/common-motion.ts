// Two bodies that stick together: both take the motion of the one rigid body that they would be. Momentum is kept, energy is
// only taken. The last resort for a pair whose impacts have no end.
import { type Bodies, DYNAMIC } from '../body/bodies.js';

/** Gives two bodies their common motion; that of the one that is not dynamic if there is one. Owns its scratch. */
export class CommonMotion {
  readonly #inertia = new Float64Array(6);
  readonly #momentum = new Float64Array(3);
  readonly #turn = new Float64Array(3);
  readonly #middle = new Float64Array(3);
  readonly #way = new Float64Array(3);

  give(bodies: Bodies, a: number, b: number): void {
    const { kind } = bodies;
    if (kind[a] !== DYNAMIC) this.#follow(bodies, b, a);
    else if (kind[b] !== DYNAMIC) this.#follow(bodies, a, b);
    else this.#join(bodies, a, b);
  }

  /** Gives a body the motion of another that it is fixed to. */
  #follow({ center: c, velocity: v, angularVelocity: w }: Bodies, body: number, leader: number): void {
    for (let k = 0; k < 3; k++) {
      this.#turn[k] = w[3 * leader + k];
      this.#middle[k] = c[3 * leader + k];
      this.#way[k] = v[3 * leader + k];
    }
    this.#set(c, v, w, body);
  }

  #join(
    { center: c, velocity: v, angularVelocity: w, inverseMass, inverseInertia }: Bodies,
    a: number,
    b: number,
  ): void {
    const share = inverseMass[b] / (inverseMass[a] + inverseMass[b]);
    for (let k = 0; k < 3; k++) {
      this.#middle[k] = share * c[3 * a + k] + (1 - share) * c[3 * b + k];
      this.#way[k] = share * v[3 * a + k] + (1 - share) * v[3 * b + k];
    }
    const inertia = this.#inertia.fill(0);
    const momentum = this.#momentum.fill(0);
    for (const body of [a, b]) {
      const i = 3 * body;
      const mass = 1 / inverseMass[body];
      const own = inverse(inverseInertia, 6 * body);
      const [x, y, z] = [0, 1, 2].map((k) => c[i + k] - this.#middle[k]);
      const [p, q, r] = [0, 1, 2].map((k) => mass * (v[i + k] - this.#way[k]));
      inertia[0] += own[0] + mass * (y * y + z * z);
      inertia[1] += own[1] - mass * x * y;
      inertia[2] += own[2] - mass * x * z;
      inertia[3] += own[3] + mass * (x * x + z * z);
      inertia[4] += own[4] - mass * y * z;
      inertia[5] += own[5] + mass * (x * x + y * y);
      momentum[0] += own[0] * w[i] + own[1] * w[i + 1] + own[2] * w[i + 2] + y * r - z * q;
      momentum[1] += own[1] * w[i] + own[3] * w[i + 1] + own[4] * w[i + 2] + z * p - x * r;
      momentum[2] += own[2] * w[i] + own[4] * w[i + 1] + own[5] * w[i + 2] + x * q - y * p;
    }
    const give = inverse(inertia, 0);
    const [p, q, r] = momentum;
    this.#turn[0] = give[0] * p + give[1] * q + give[2] * r;
    this.#turn[1] = give[1] * p + give[3] * q + give[4] * r;
    this.#turn[2] = give[2] * p + give[4] * q + give[5] * r;
    this.#set(c, v, w, a);
    this.#set(c, v, w, b);
  }

  #set(c: Float64Array, v: Float64Array, w: Float64Array, body: number): void {
    const i = 3 * body;
    const [p, q, r] = this.#turn;
    const [x, y, z] = [0, 1, 2].map((k) => c[i + k] - this.#middle[k]);
    v[i] = this.#way[0] + q * z - r * y;
    v[i + 1] = this.#way[1] + r * x - p * z;
    v[i + 2] = this.#way[2] + p * y - q * x;
    w.set(this.#turn, i);
  }
}

/** The inverse of a symmetric matrix, given and returned as xx, xy, xz, yy, yz, zz. */
function inverse(m: Float64Array, at: number): [number, number, number, number, number, number] {
  const [a, b, c, d, e, f] = m.subarray(at, at + 6);
  const [p, q, r] = [d * f - e * e, c * e - b * f, b * e - c * d];
  const share = 1 / (a * p + b * q + c * r);
  return [p * share, q * share, r * share, (a * f - c * c) * share, (b * c - a * e) * share, (a * d - b * b) * share];
}

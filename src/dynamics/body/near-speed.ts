// How fast points of two bodies may move towards each other where the bodies can touch: in the ball around the smaller one. A
// captive part, such as an arm on a pin, moves fast as a whole but slowly there.
import type { Bodies } from './bodies.js';

/** Bounds how far the points at which two bodies may touch move relative to each other. */
export class NearSpeed {
  readonly #bodies: Bodies;
  readonly #middle = new Float64Array(3);

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /**
   * The way that points of two bodies may come towards each other in `dt`, wherever they can touch, in m: the least of three
   * bounds, by all points of both, and by those in the ball around either.
   * @param reachA and reachB how far points are from the centers of mass, 0 for balls.
   */
  wayOf(a: number, b: number, reachA: number, reachB: number, dt: number): number {
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const i = 3 * a;
    const j = 3 * b;
    const x = v[i] - v[j];
    const y = v[i + 1] - v[j + 1];
    const z = v[i + 2] - v[j + 2];
    const spinA = reachA === 0 ? 0 : Math.sqrt(w[i] * w[i] + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2]);
    const spinB = reachB === 0 ? 0 : Math.sqrt(w[j] * w[j] + w[j + 1] * w[j + 1] + w[j + 2] * w[j + 2]);
    const ofAll = (Math.sqrt(x * x + y * y + z * z) + spinA * reachA + spinB * reachB) * dt;
    if (spinA === 0 && spinB === 0) return ofAll;
    return Math.min(ofAll, this.#wayIn(a, b, a, spinA, spinB, dt), this.#wayIn(a, b, b, spinA, spinB, dt));
  }

  /** The bound by points in the ball around one of the bodies, which holds up to the third order of the time. */
  #wayIn(a: number, b: number, which: number, spinA: number, spinB: number, dt: number): number {
    const { center: c, velocity: v, angularVelocity: w } = this.#bodies;
    const radius = this.#writeMiddle(which);
    const m = this.#middle;
    const i = 3 * a;
    const j = 3 * b;
    // Balls turn without moving their surface.
    const turnA = spinA === 0 ? 0 : 1;
    const turnB = spinB === 0 ? 0 : 1;
    let speed = 0;
    let turn = 0;
    let armA = 0;
    let armB = 0;
    for (let k = 0; k < 3; k++) {
      const p = k === 2 ? 0 : k + 1;
      const q = k === 0 ? 2 : k - 1;
      const ofA = v[i + k] + turnA * (w[i + p] * (m[q] - c[i + q]) - w[i + q] * (m[p] - c[i + p]));
      const ofB = v[j + k] + turnB * (w[j + p] * (m[q] - c[j + q]) - w[j + q] * (m[p] - c[j + p]));
      speed += (ofB - ofA) * (ofB - ofA);
      turn += (turnB * w[j + k] - turnA * w[i + k]) ** 2;
      armA += (m[k] - c[i + k]) ** 2;
      armB += (m[k] - c[j + k]) ** 2;
    }
    speed = Math.sqrt(speed);
    // Of the second order: points leave straight ways, and the axes of one turn under the motion of the other.
    const bend = spinA * spinA * Math.sqrt(armA) + spinB * spinB * Math.sqrt(armB) + (spinA + spinB) * speed;
    return (speed + Math.sqrt(turn) * radius + 0.5 * bend * dt) * dt;
  }

  /** The middle of the ball around a body, in the world. Returns its radius. */
  #writeMiddle(slot: number): number {
    const { center, orientation, localCenter, shape } = this.#bodies;
    const { model, ballRadius } = shape[slot]!;
    const m = this.#middle;
    const c = 3 * slot;
    for (let k = 0; k < 3; k++) m[k] = center[c + k];
    if (model === null) return ballRadius;
    const x = model.center[0] - localCenter[c];
    const y = model.center[1] - localCenter[c + 1];
    const z = model.center[2] - localCenter[c + 2];
    const qx = orientation[4 * slot];
    const qy = orientation[4 * slot + 1];
    const qz = orientation[4 * slot + 2];
    const qw = orientation[4 * slot + 3];
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    m[0] += x + qw * tx + qy * tz - qz * ty;
    m[1] += y + qw * ty + qz * tx - qx * tz;
    m[2] += z + qw * tz + qx * ty - qy * tx;
    return model.radius;
  }
}

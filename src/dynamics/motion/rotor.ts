// Rotation of a body without torque. The kinetic energy is split into that of a symmetric top, whose motion is known in
// closed form, and a turn about one principal axis; both keep the angular momentum in the world exactly (McLachlan 1993,
// Fassò 2003). Symmetric tops and balls are exact; others are of order 2 or, by Suzuki's composition (1990), 4.
import type { Bodies } from '../body/bodies.js';

/**
 * Proven: the error of one splitting of order 2 is about the cube of the angle in a step; below this angle, rad, it is
 * 1e-9.
 */
const SMALL_ANGLE = 1e-3;
/** Chosen: the angle of one composition of order 4, rad; larger turns are divided. */
const LARGE_ANGLE = 0.25;
/** Chosen: compositions in a step, which bounds the work: no step could show faster turns. */
const MAX_COMPOSITIONS = 256;
/** Proven (Suzuki 1990): the outer stages of a composition of order 4, in shares of the step. */
const OUTER = 1 / (4 - 4 ** (1 / 3));
/** Proven (Suzuki 1990): the five stages of a composition of order 4, in shares of the step. */
const STAGES = [OUTER, OUTER, 1 - 4 * OUTER, OUTER, OUTER];

/** Turns bodies, and their angular velocities with them. Owns its scratch. */
export class Rotor {
  /** Principal axes to world. */
  #x = 0;
  #y = 0;
  #z = 0;
  #w = 1;
  /** Angular momentum in principal axes. */
  #l1 = 0;
  #l2 = 0;
  #l3 = 0;

  /** Turns one dynamic body for `h` seconds; keeps its angular momentum and renews its inertia. */
  turn(bodies: Bodies, slot: number, h: number): void {
    const { angularVelocity, orientation: q, principal, principalFrame: p } = bodies;
    const wx = angularVelocity[3 * slot];
    const wy = angularVelocity[3 * slot + 1];
    const wz = angularVelocity[3 * slot + 2];
    const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (speed === 0) return;
    const i1 = principal[3 * slot];
    const i2 = principal[3 * slot + 1];
    const i3 = principal[3 * slot + 2];
    if (i1 === i2 && i2 === i3) {
      turnEvenly(q, 4 * slot, wx, wy, wz, h);
      return;
    }
    this.#load(q, p, 4 * slot);
    this.#l1 = i1 * this.#along(0, wx, wy, wz);
    this.#l2 = i2 * this.#along(1, wx, wy, wz);
    this.#l3 = i3 * this.#along(2, wx, wy, wz);
    let x = this.#x;
    let y = this.#y;
    let z = this.#z;
    let w = this.#w;
    let tx = 2 * (y * this.#l3 - z * this.#l2);
    let ty = 2 * (z * this.#l1 - x * this.#l3);
    let tz = 2 * (x * this.#l2 - y * this.#l1);
    const lx = this.#l1 + w * tx + y * tz - z * ty;
    const ly = this.#l2 + w * ty + z * tx - x * tz;
    const lz = this.#l3 + w * tz + x * ty - y * tx;
    const angle = speed * Math.abs(h);
    if (i1 === i2 || angle < SMALL_ANGLE) this.#split(i1, i2, i3, h);
    else {
      const count = Math.min(MAX_COMPOSITIONS, Math.ceil(angle / LARGE_ANGLE));
      for (let k = 0; k < count; k++) {
        for (const stage of STAGES) this.#split(i1, i2, i3, (stage * h) / count);
      }
    }
    this.#store(q, p, 4 * slot);
    // From the momentum in the world as it was: the rounding of the turns does not add up in it.
    const u1 = this.#along(0, lx, ly, lz) / i1;
    const u2 = this.#along(1, lx, ly, lz) / i2;
    const u3 = this.#along(2, lx, ly, lz) / i3;
    x = this.#x;
    y = this.#y;
    z = this.#z;
    w = this.#w;
    tx = 2 * (y * u3 - z * u2);
    ty = 2 * (z * u1 - x * u3);
    tz = 2 * (x * u2 - y * u1);
    angularVelocity[3 * slot] = u1 + w * tx + y * tz - z * ty;
    angularVelocity[3 * slot + 1] = u2 + w * ty + z * tx - x * tz;
    angularVelocity[3 * slot + 2] = u3 + w * tz + x * ty - y * tx;
    bodies.refreshInertia(slot);
  }

  /** Half a turn about the first axis for what the first two moments differ by, the symmetric top, the other half. */
  #split(i1: number, i2: number, i3: number, h: number): void {
    const excess = 1 / i1 - 1 / i2;
    if (excess !== 0) this.#turnFirst(0.5 * h * excess * this.#l1);
    const rate = h / i2;
    this.#turnAbout(rate * this.#l1, rate * this.#l2, rate * this.#l3);
    this.#turnThird(h * (1 / i3 - 1 / i2) * this.#l3);
    if (excess !== 0) this.#turnFirst(0.5 * h * excess * this.#l1);
  }

  #turnFirst(angle: number): void {
    const s = Math.sin(0.5 * angle);
    const c = Math.cos(0.5 * angle);
    this.#multiply(s, 0, 0, c);
    const sin = 2 * s * c;
    const cos = 1 - 2 * s * s;
    const l2 = this.#l2;
    this.#l2 = cos * l2 + sin * this.#l3;
    this.#l3 = cos * this.#l3 - sin * l2;
  }

  #turnThird(angle: number): void {
    const s = Math.sin(0.5 * angle);
    const c = Math.cos(0.5 * angle);
    this.#multiply(0, 0, s, c);
    const sin = 2 * s * c;
    const cos = 1 - 2 * s * s;
    const l1 = this.#l1;
    this.#l1 = cos * l1 + sin * this.#l2;
    this.#l2 = cos * this.#l2 - sin * l1;
  }

  /** By a rotation vector along the momentum, which stays. */
  #turnAbout(x: number, y: number, z: number): void {
    const angle = Math.sqrt(x * x + y * y + z * z);
    if (angle === 0) return;
    const s = Math.sin(0.5 * angle) / angle;
    this.#multiply(s * x, s * y, s * z, Math.cos(0.5 * angle));
  }

  #multiply(x: number, y: number, z: number, w: number): void {
    const ax = this.#x;
    const ay = this.#y;
    const az = this.#z;
    const aw = this.#w;
    this.#x = aw * x + ax * w + ay * z - az * y;
    this.#y = aw * y - ax * z + ay * w + az * x;
    this.#z = aw * z + ax * y - ay * x + az * w;
    this.#w = aw * w - ax * x - ay * y - az * z;
  }

  /** A component of a world vector along a principal axis. */
  #along(axis: number, vx: number, vy: number, vz: number): number {
    const x = this.#x;
    const y = this.#y;
    const z = this.#z;
    const w = this.#w;
    if (axis === 0) return (1 - 2 * (y * y + z * z)) * vx + 2 * (x * y + z * w) * vy + 2 * (x * z - y * w) * vz;
    if (axis === 1) return 2 * (x * y - z * w) * vx + (1 - 2 * (x * x + z * z)) * vy + 2 * (y * z + x * w) * vz;
    return 2 * (x * z + y * w) * vx + 2 * (y * z - x * w) * vy + (1 - 2 * (x * x + y * y)) * vz;
  }

  #load(q: Float64Array, p: Float64Array, at: number): void {
    this.#x = q[at];
    this.#y = q[at + 1];
    this.#z = q[at + 2];
    this.#w = q[at + 3];
    this.#multiply(p[at], p[at + 1], p[at + 2], p[at + 3]);
  }

  /** Writes the orientation of the shape, of unit length, and leaves that of the principal axes of unit length. */
  #store(q: Float64Array, p: Float64Array, at: number): void {
    const scale = 1 / Math.sqrt(this.#x * this.#x + this.#y * this.#y + this.#z * this.#z + this.#w * this.#w);
    const x = (this.#x *= scale);
    const y = (this.#y *= scale);
    const z = (this.#z *= scale);
    const w = (this.#w *= scale);
    const bx = -p[at];
    const by = -p[at + 1];
    const bz = -p[at + 2];
    const bw = p[at + 3];
    q[at] = w * bx + x * bw + y * bz - z * by;
    q[at + 1] = w * by - x * bz + y * bw + z * bx;
    q[at + 2] = w * bz + x * by - y * bx + z * bw;
    q[at + 3] = w * bw - x * bx - y * by - z * bz;
  }
}

/** Turns a quaternion at a constant angular velocity in the world. */
export function turnEvenly(q: Float64Array, at: number, wx: number, wy: number, wz: number, h: number): void {
  const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (speed === 0) return;
  const half = 0.5 * h * speed;
  const s = Math.sin(half) / speed;
  const c = Math.cos(half);
  const ax = s * wx;
  const ay = s * wy;
  const az = s * wz;
  const bx = q[at];
  const by = q[at + 1];
  const bz = q[at + 2];
  const bw = q[at + 3];
  const x = c * bx + ax * bw + ay * bz - az * by;
  const y = c * by - ax * bz + ay * bw + az * bx;
  const z = c * bz + ax * by - ay * bx + az * bw;
  const w = c * bw - ax * bx - ay * by - az * bz;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  q[at] = x * scale;
  q[at + 1] = y * scale;
  q[at + 2] = z * scale;
  q[at + 3] = w * scale;
}

// The contact points of a step as flat arrays, filled from the manifolds of all pairs in a fixed order. Points with the
// same key as in the step before take over its impulses.
import { growTo } from '../../core/grow-array.js';
import type { Bodies } from '../body/bodies.js';

/** Contact points. Arrays are replaced when they grow. */
export class ContactBuffer {
  count = 0;
  bodyA = new Int32Array(64);
  bodyB = new Int32Array(64);
  /** The point on A from A's center of mass, in A's own axes; 3 each. */
  localA = new Float64Array(192);
  localB = new Float64Array(192);
  /** Unit, from A to B, in the world; 3 each. */
  normal = new Float64Array(192);
  /** Signed gap along the normal when it was found. */
  separation = new Float64Array(64);
  friction = new Float64Array(64);
  restitution = new Float64Array(64);
  /** Ids of the pair of features; 2 each. */
  keys = new Int32Array(128);
  /** Along the normal, of the last substep, N s. */
  normalImpulse = new Float64Array(64);
  /** Of friction on B, of the last substep, in the world; 3 each. */
  frictionImpulse = new Float64Array(192);

  /** Forgets the points; keeps the memory. */
  clear(): void {
    this.count = 0;
  }

  /**
   * Adds a point without impulses and returns its number.
   * @param points world points on A and B, and `at`, where in the arrays they and the normal begin.
   */
  add(
    bodies: Bodies,
    a: number,
    b: number,
    pointsA: Float64Array,
    pointsB: Float64Array,
    normals: Float64Array,
    at: number,
    separation: number,
  ): number {
    const i = this.count++;
    this.#reserve(this.count);
    this.bodyA[i] = a;
    this.bodyB[i] = b;
    writeLocal(bodies, a, pointsA, at, this.localA, 3 * i);
    writeLocal(bodies, b, pointsB, at, this.localB, 3 * i);
    for (let k = 0; k < 3; k++) {
      this.normal[3 * i + k] = normals[at + k];
      this.frictionImpulse[3 * i + k] = 0;
    }
    this.separation[i] = separation;
    this.friction[i] = Math.sqrt(bodies.friction[a] * bodies.friction[b]);
    this.restitution[i] = Math.max(bodies.restitution[a], bodies.restitution[b]);
    this.keys[2 * i] = this.keys[2 * i + 1] = -1;
    this.normalImpulse[i] = 0;
    return i;
  }

  #reserve(count: number): void {
    if (count <= this.bodyA.length) return;
    this.bodyA = growTo(this.bodyA, count);
    this.bodyB = growTo(this.bodyB, count);
    this.localA = growTo(this.localA, 3 * count);
    this.localB = growTo(this.localB, 3 * count);
    this.normal = growTo(this.normal, 3 * count);
    this.separation = growTo(this.separation, count);
    this.friction = growTo(this.friction, count);
    this.restitution = growTo(this.restitution, count);
    this.keys = growTo(this.keys, 2 * count);
    this.normalImpulse = growTo(this.normalImpulse, count);
    this.frictionImpulse = growTo(this.frictionImpulse, 3 * count);
  }
}

/** A world point from a body's center of mass, in the body's axes. */
function writeLocal(
  bodies: Bodies,
  slot: number,
  points: Float64Array,
  at: number,
  out: Float64Array,
  to: number,
): void {
  const { center, orientation: q } = bodies;
  const x = points[at] - center[3 * slot];
  const y = points[at + 1] - center[3 * slot + 1];
  const z = points[at + 2] - center[3 * slot + 2];
  const a = -q[4 * slot];
  const b = -q[4 * slot + 1];
  const c = -q[4 * slot + 2];
  const w = q[4 * slot + 3];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  out[to] = x + w * tx + b * tz - c * ty;
  out[to + 1] = y + w * ty + c * tx - a * tz;
  out[to + 2] = z + w * tz + a * ty - b * tx;
}

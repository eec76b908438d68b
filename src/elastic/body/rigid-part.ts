// A rigid body in a system: a translation of its center of mass and a rotation vector, both from the pose at the start of
// the step. Its potential is quadratic, ½ (q − q*)ᵀ M (q − q*) / h² with q* where it would be without the other parts.
import type { ReadonlyVec3 } from '../../core/vec3.js';
import type { PartMatrix, SystemPart } from './system-part.js';

export class RigidPart implements SystemPart, PartMatrix {
  readonly size = 6;
  readonly stiffForce = 0;
  readonly stiffEnergy = 0;
  readonly isFactored = true;
  readonly isMoving = true;
  readonly #mass = new Float64Array(9);
  readonly #inertia = new Float64Array(9);
  readonly #target = new Float64Array(6);
  readonly #product = new Float64Array(6);
  /** Inverses of mass and inertia, with the diagonal of terms where they were factored with it. */
  readonly #inverses = new Float64Array(18);

  /**
   * Sets the potential of a step.
   * @param inertia in the frame of the world, row-major.
   * @param weight 1/h² of a step of Euler's method; 4/h² for the midpoint rule, 2.25/h² for BDF2.
   * @param translation the move without the other parts, and so the rotation.
   */
  begin(
    mass: number,
    inertia: ArrayLike<number>,
    weight: number,
    translation: ReadonlyVec3,
    rotation: ReadonlyVec3,
  ): void {
    for (let i = 0; i < 9; i++) {
      this.#mass[i] = i % 4 === 0 ? weight * mass : 0;
      this.#inertia[i] = weight * inertia[i];
    }
    for (let i = 0; i < 3; i++) {
      this.#target[i] = translation[i];
      this.#target[3 + i] = rotation[i];
    }
    this.factor(null);
  }

  get exact(): PartMatrix {
    return this;
  }

  get fixed(): PartMatrix {
    return this;
  }

  /** Where the body would be without the other parts. */
  get target(): Float64Array {
    return this.#target;
  }

  evaluate(x: Float64Array, gradient: Float64Array): number {
    const d = this.#product;
    for (let i = 0; i < 6; i++) d[i] = x[i] - this.#target[i];
    this.multiply(d, gradient);
    let sum = 0;
    for (let i = 0; i < 6; i++) sum += d[i] * gradient[i];
    return sum / 2;
  }

  clearHeld(vector: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < 6; i++) sum += vector[i] * vector[i];
    return sum;
  }

  squaredLoads(): number {
    return 0;
  }

  squaredReactions(): number {
    return 0;
  }

  linearize(): void {}

  factor(diagonal: Float64Array | null): void {
    for (let b = 0; b < 2; b++) {
      const own = b === 0 ? this.#mass : this.#inertia;
      const m = Float64Array.from(own, (value, i) => value + (diagonal === null ? 0 : diagonal[9 * b + i]));
      invertSymmetric(m, this.#inverses, 9 * b);
    }
  }

  multiply(v: Float64Array, out: Float64Array): void {
    multiplyBlock(this.#mass, 0, v, 0, out);
    multiplyBlock(this.#inertia, 0, v, 3, out);
  }

  precondition(r: Float64Array, out: Float64Array): void {
    multiplyBlock(this.#inverses, 0, r, 0, out);
    multiplyBlock(this.#inverses, 9, r, 3, out);
  }
}

function multiplyBlock(m: Float64Array, at: number, v: Float64Array, from: number, out: Float64Array): void {
  const [x, y, z] = [v[from], v[from + 1], v[from + 2]];
  for (let i = 0; i < 3; i++) out[from + i] = m[at + 3 * i] * x + m[at + 3 * i + 1] * y + m[at + 3 * i + 2] * z;
}

function invertSymmetric(m: Float64Array, out: Float64Array, at: number): void {
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    for (let c = 0; c < 3; c++) {
      const [d, e] = [(c + 1) % 3, (c + 2) % 3];
      out[at + 3 * c + i] = m[3 * j + d] * m[3 * k + e] - m[3 * j + e] * m[3 * k + d];
    }
  }
  const det = m[0] * out[at] + m[1] * out[at + 3] + m[2] * out[at + 6];
  for (let i = 0; i < 9; i++) out[at + i] /= det;
}

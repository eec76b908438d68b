// Materials as functions of the deformation gradient F: energy density, first Piola–Kirchhoff stress, and the second
// derivatives in the frame of the signed singular values, where those of an isotropic material are a 3 × 3 block and three
// pairs (Smith, de Goes and Kim 2019). Young's modulus and Poisson's ratio mean the same for all at small strain.
import { NearfieldError } from '../../core/errors.js';
import { SignedSvd } from './signed-svd.js';

/** The materials by name. */
export const MATERIALS = ['stable-neo-hookean', 'st-venant-kirchhoff', 'corotational', 'linear'] as const;

/** One of {@link MATERIALS}. */
export type MaterialName = (typeof MATERIALS)[number];

/** Second derivatives of an energy by F, at one F. */
export interface Curvature {
  /** The frames: F = U Σ Vᵀ. */
  readonly u: Float64Array;
  readonly v: Float64Array;
  /** By the singular values, row-major. */
  readonly stretch: Float64Array;
  /** For the pairs (0, 1), (1, 2), (2, 0) of axes: of the symmetric shear. */
  readonly flip: Float64Array;
  /** For the same pairs: of the rotation. */
  readonly twist: Float64Array;
}

export interface Material {
  /** Energy per volume. */
  energy(f: Float64Array): number;
  /** Energy per volume; writes the stress. For both at once. */
  evaluate(f: Float64Array, out: Float64Array): number;
  /** Writes the first Piola–Kirchhoff stress, row-major. */
  stress(f: Float64Array, out: Float64Array): void;
  /** The second derivatives; overwritten by the next call. */
  curvature(f: Float64Array): Curvature;
}

/** Makes a material from Young's modulus and Poisson's ratio. */
export function createMaterial(name: MaterialName, young: number, poisson: number): Material {
  const { mu, lambda } = lameConstants(young, poisson);
  switch (name) {
    case 'stable-neo-hookean':
      return new StableNeoHookean(mu, lambda);
    case 'st-venant-kirchhoff':
      return new StVenantKirchhoff(mu, lambda);
    case 'corotational':
      return new Corotational(mu, lambda);
    case 'linear':
      return new LinearStrain(mu, lambda);
    default:
      throw new NearfieldError('bad-argument', `The material is ${String(name)}; give one of ${MATERIALS.join(', ')}.`);
  }
}

export function lameConstants(young: number, poisson: number): { readonly mu: number; readonly lambda: number } {
  return { mu: young / (2 * (1 + poisson)), lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)) };
}

class CurvatureScratch implements Curvature {
  readonly svd = new SignedSvd();
  readonly u = this.svd.u;
  readonly v = this.svd.v;
  readonly stretch = new Float64Array(9);
  readonly flip = new Float64Array(3);
  readonly twist = new Float64Array(3);
}

/**
 * Smith, de Goes and Kim 2018, equation 14: μ/2 (I − 3) + λ/2 (J − α)² − μ/2 log(I + 1), I = |F|², J = det F. Finite and
 * smooth for inverted elements; rest is a minimum. Its μ and λ are 4/3 μ and λ + 5/6 μ of Lamé (section 3.4).
 */
export class StableNeoHookean implements Material {
  readonly #mu: number;
  readonly #lambda: number;
  readonly #alpha: number;
  readonly #scratch = new CurvatureScratch();

  constructor(mu: number, lambda: number) {
    this.#mu = (4 / 3) * mu;
    this.#lambda = lambda + (5 / 6) * mu;
    this.#alpha = 1 + (0.75 * this.#mu) / this.#lambda;
  }

  /** The constants of the published form. */
  get mu(): number {
    return this.#mu;
  }

  get lambda(): number {
    return this.#lambda;
  }

  get alpha(): number {
    return this.#alpha;
  }

  /** By terms of second order in D = F − I: near rest the published form loses all digits. */
  energy(f: Float64Array): number {
    const [a, e, i] = [f[0] - 1, f[4] - 1, f[8] - 1];
    const trace = a + e + i;
    const square =
      a * a + e * e + i * i + f[1] * f[1] + f[2] * f[2] + f[3] * f[3] + f[5] * f[5] + f[6] * f[6] + f[7] * f[7];
    const minors = e * i - f[5] * f[7] + (a * i - f[2] * f[6]) + (a * e - f[1] * f[3]);
    const det = a * (e * i - f[5] * f[7]) + f[1] * (f[5] * f[6] - f[3] * i) + f[2] * (f[3] * f[7] - e * f[6]);
    const volume = trace + minors + det;
    const stretch = (2 * trace + square) / 4;
    return (
      (this.#mu / 2) * excessOfLog(stretch) +
      this.#mu * (0.375 * square - 0.75 * (minors + det)) +
      (this.#lambda / 2) * volume * volume
    );
  }

  /** From D = F − I, as the energy: μ (3/4 (D − C) + s F) + λ (J − 1) cof F with cof F = I + C. */
  stress(f: Float64Array, out: Float64Array): void {
    const [a, e, i] = [f[0] - 1, f[4] - 1, f[8] - 1];
    const trace = a + e + i;
    const square =
      a * a + e * e + i * i + f[1] * f[1] + f[2] * f[2] + f[3] * f[3] + f[5] * f[5] + f[6] * f[6] + f[7] * f[7];
    const excess = 2 * trace + square;
    const scale = (this.#mu * excess) / (4 * (4 + excess));
    const minors = e * i - f[5] * f[7] + (a * i - f[2] * f[6]) + (a * e - f[1] * f[3]);
    const det = a * (e * i - f[5] * f[7]) + f[1] * (f[5] * f[6] - f[3] * i) + f[2] * (f[3] * f[7] - e * f[6]);
    const pressure = this.#lambda * (trace + minors + det);
    const shear = 0.75 * this.#mu;
    // Cofactors of F less those of the unit matrix.
    const c0 = e + i + (e * i - f[5] * f[7]);
    const c4 = a + i + (a * i - f[2] * f[6]);
    const c8 = a + e + (a * e - f[1] * f[3]);
    const c1 = f[5] * f[6] - f[3] * i - f[3];
    const c2 = f[3] * f[7] - e * f[6] - f[6];
    const c3 = f[2] * f[7] - f[1] * i - f[1];
    const c5 = f[1] * f[6] - a * f[7] - f[7];
    const c6 = f[1] * f[5] - f[2] * e - f[2];
    const c7 = f[2] * f[3] - a * f[5] - f[5];
    out[0] = shear * (a - c0) + scale * f[0] + pressure * (1 + c0);
    out[1] = shear * (f[1] - c1) + scale * f[1] + pressure * c1;
    out[2] = shear * (f[2] - c2) + scale * f[2] + pressure * c2;
    out[3] = shear * (f[3] - c3) + scale * f[3] + pressure * c3;
    out[4] = shear * (e - c4) + scale * f[4] + pressure * (1 + c4);
    out[5] = shear * (f[5] - c5) + scale * f[5] + pressure * c5;
    out[6] = shear * (f[6] - c6) + scale * f[6] + pressure * c6;
    out[7] = shear * (f[7] - c7) + scale * f[7] + pressure * c7;
    out[8] = shear * (i - c8) + scale * f[8] + pressure * (1 + c8);
  }

  evaluate(f: Float64Array, out: Float64Array): number {
    this.stress(f, out);
    return this.energy(f);
  }

  curvature(f: Float64Array): Curvature {
    const { svd, stretch, flip, twist } = this.#scratch;
    svd.decompose(f);
    const s = svd.sigma;
    const square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    const scale = this.#mu * (1 - 1 / (square + 1));
    const bend = (2 * this.#mu) / ((square + 1) * (square + 1));
    const pressure = this.#lambda * (s[0] * s[1] * s[2] - this.#alpha);
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const k = (i + 2) % 3;
      const own = s[j] * s[k];
      stretch[4 * i] = scale + bend * s[i] * s[i] + this.#lambda * own * own;
      const mixed = bend * s[i] * s[j] + this.#lambda * own * (s[k] * s[i]) + pressure * s[k];
      stretch[3 * i + j] = stretch[3 * j + i] = mixed;
      flip[i] = scale - pressure * s[k];
      twist[i] = scale + pressure * s[k];
    }
    return this.#scratch;
  }
}

/** μ E:E + λ/2 (tr E)² of the Green strain E = (FᵀF − I)/2. Softens under compression and does not resist inversion. */
class StVenantKirchhoff implements Material {
  readonly #mu: number;
  readonly #lambda: number;
  readonly #scratch = new CurvatureScratch();
  readonly #strain = new Float64Array(9);
  readonly #change = new Float64Array(9);

  constructor(mu: number, lambda: number) {
    this.#mu = mu;
    this.#lambda = lambda;
  }

  energy(f: Float64Array): number {
    const e = this.#green(f);
    const trace = e[0] + e[4] + e[8];
    return this.#mu * squaredNorm(e) + (this.#lambda / 2) * trace * trace;
  }

  stress(f: Float64Array, out: Float64Array): void {
    const e = this.#green(f);
    const pressure = this.#lambda * (e[0] + e[4] + e[8]);
    for (let i = 0; i < 9; i++) e[i] *= 2 * this.#mu;
    for (let i = 0; i < 9; i += 4) e[i] += pressure;
    for (let r = 0; r < 9; r += 3) {
      for (let c = 0; c < 3; c++) out[r + c] = f[r] * e[c] + f[r + 1] * e[3 + c] + f[r + 2] * e[6 + c];
    }
  }

  evaluate(f: Float64Array, out: Float64Array): number {
    this.stress(f, out);
    return this.energy(f);
  }

  curvature(f: Float64Array): Curvature {
    const { svd, stretch, flip, twist } = this.#scratch;
    svd.decompose(f);
    const s = svd.sigma;
    const [mu, lambda] = [this.#mu, this.#lambda];
    const trace = (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3) / 2;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      stretch[4 * i] = mu * (3 * s[i] * s[i] - 1) + lambda * (trace + s[i] * s[i]);
      stretch[3 * i + j] = stretch[3 * j + i] = lambda * s[i] * s[j];
      flip[i] = mu * (s[i] * s[i] + s[i] * s[j] + s[j] * s[j] - 1) + lambda * trace;
      twist[i] = mu * (s[i] * s[i] - s[i] * s[j] + s[j] * s[j] - 1) + lambda * trace;
    }
    return this.#scratch;
  }

  /** From D = F − I, which keeps the digits of small strains. */
  #green(f: Float64Array): Float64Array {
    const e = this.#strain;
    const d = this.#change;
    for (let i = 0; i < 9; i++) d[i] = f[i] - (i % 4 === 0 ? 1 : 0);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        e[3 * i + j] = (d[3 * i + j] + d[3 * j + i] + d[i] * d[j] + d[3 + i] * d[3 + j] + d[6 + i] * d[6 + j]) / 2;
      }
    }
    return e;
  }
}

/** μ |F − R|² + λ/2 (tr(RᵀF) − 3)² with the rotation R nearest to F: linear in the stretch, blind to rotation. */
class Corotational implements Material {
  readonly #mu: number;
  readonly #lambda: number;
  readonly #scratch = new CurvatureScratch();

  constructor(mu: number, lambda: number) {
    this.#mu = mu;
    this.#lambda = lambda;
  }

  energy(f: Float64Array): number {
    this.#scratch.svd.decompose(f);
    return this.#energy();
  }

  stress(f: Float64Array, out: Float64Array): void {
    this.evaluate(f, out);
  }

  evaluate(f: Float64Array, out: Float64Array): number {
    const { svd } = this.#scratch;
    svd.decompose(f);
    const { u, v, sigma } = svd;
    const pressure = this.#lambda * (sigma[0] + sigma[1] + sigma[2] - 3);
    for (let r = 0; r < 9; r += 3) {
      for (let c = 0; c < 9; c += 3) {
        const rotation = u[r] * v[c] + u[r + 1] * v[c + 1] + u[r + 2] * v[c + 2];
        const at = r + c / 3;
        out[at] = 2 * this.#mu * (f[at] - rotation) + pressure * rotation;
      }
    }
    return this.#energy();
  }

  #energy(): number {
    const { sigma } = this.#scratch.svd;
    const [a, b, c] = [sigma[0] - 1, sigma[1] - 1, sigma[2] - 1];
    return this.#mu * (a * a + b * b + c * c) + (this.#lambda / 2) * (a + b + c) ** 2;
  }

  curvature(f: Float64Array): Curvature {
    const { svd, stretch, flip, twist } = this.#scratch;
    svd.decompose(f);
    const s = svd.sigma;
    const [mu, lambda] = [this.#mu, this.#lambda];
    stretch.fill(lambda);
    const pressure = lambda * (s[0] + s[1] + s[2] - 3);
    for (let i = 0; i < 3; i++) {
      stretch[4 * i] = 2 * mu + lambda;
      flip[i] = 2 * mu;
      // The energy has a kink where two singular values cancel.
      const sum = Math.max(1e-6, s[i] + s[(i + 1) % 3]);
      twist[i] = 2 * mu + (2 * pressure - 4 * mu) / sum;
    }
    return this.#scratch;
  }
}

/** μ ε:ε + λ/2 (tr ε)² of the small strain ε. Only for comparison: rotation counts as strain. */
class LinearStrain implements Material {
  readonly #mu: number;
  readonly #lambda: number;
  readonly #curvature = new CurvatureScratch();

  constructor(mu: number, lambda: number) {
    this.#mu = mu;
    this.#lambda = lambda;
    const { u, v, stretch, flip } = this.#curvature;
    for (let i = 0; i < 9; i += 4) u[i] = v[i] = 1;
    stretch.fill(lambda);
    for (let i = 0; i < 9; i += 4) stretch[i] += 2 * mu;
    flip.fill(2 * mu);
  }

  energy(f: Float64Array): number {
    const trace = f[0] + f[4] + f[8] - 3;
    const [xy, yz, zx] = [f[1] + f[3], f[5] + f[7], f[2] + f[6]];
    const square = (f[0] - 1) ** 2 + (f[4] - 1) ** 2 + (f[8] - 1) ** 2 + (xy * xy + yz * yz + zx * zx) / 2;
    return this.#mu * square + (this.#lambda / 2) * trace * trace;
  }

  stress(f: Float64Array, out: Float64Array): void {
    const pressure = this.#lambda * (f[0] + f[4] + f[8] - 3);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) out[3 * i + j] = this.#mu * (f[3 * i + j] + f[3 * j + i]);
      out[4 * i] += pressure - 2 * this.#mu;
    }
  }

  evaluate(f: Float64Array, out: Float64Array): number {
    this.stress(f, out);
    return this.energy(f);
  }

  curvature(): Curvature {
    return this.#curvature;
  }
}

/** y − log(1 + y), by its series near 0. */
function excessOfLog(y: number): number {
  if (Math.abs(y) > 0.01) return y - Math.log1p(y);
  return y * y * (1 / 2 - y * (1 / 3 - y * (1 / 4 - y * (1 / 5 - y * (1 / 6 - y * (1 / 7 - y / 8))))));
}

function squaredNorm(f: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += f[i] * f[i];
  return sum;
}

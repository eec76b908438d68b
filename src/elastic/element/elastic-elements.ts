// Linear tetrahedra: F = B A⁻¹ is constant in each, so that energy, forces and stiffness are those of one F a element,
// weighted by its volume. Flat arrays; nothing is allocated after construction. Forces of an element sum to zero by
// construction, and so do their moments for materials that are blind to rotation.
import { diagonalize } from '../../core/symmetric-eigen.js';
import { HookeanForces } from '../kernel/hookean-forces.js';
import type { BlockPattern } from '../sparse/block-matrix.js';
import { sixVolumes, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { HookeanStiffness } from './hookean-stiffness.js';
import { type Curvature, type Material, StableNeoHookean } from './material.js';

/** The other two axes of pairs as {@link Curvature} orders them: (0, 1), (1, 2), (2, 0). */
const PAIR_OF = [0, 0, 2, 0, 0, 1, 2, 1, 0];

export class ElasticElements {
  readonly elements: Uint32Array;
  /** Rest volume of each element, times its share of material. */
  readonly volumes: Float64Array;
  /** Gradients of the four shape functions in the rest shape: 12 numbers an element. */
  readonly gradients: Float64Array;
  readonly #material: Material;
  readonly #kernel: HookeanForces | null;
  readonly #closedForm: HookeanStiffness | null;
  readonly #f = new Float64Array(9);
  readonly #p = new Float64Array(9);
  readonly #block = new Float64Array(9);
  readonly #turned = new Float64Array(9);
  readonly #rotated = new Float64Array(12);
  readonly #stretch = new Float64Array(9);
  readonly #axes = new Float64Array(9);

  constructor(mesh: TetrahedralMesh, material: Material, fill: Float64Array | null) {
    const { positions: p, elements } = mesh;
    this.elements = elements;
    this.#material = material;
    const count = elements.length / 4;
    this.volumes = new Float64Array(count);
    this.gradients = new Float64Array(12 * count);
    for (let e = 0; e < count; e++) {
      const [a, b, c, d] = [elements[4 * e], elements[4 * e + 1], elements[4 * e + 2], elements[4 * e + 3]];
      const six = sixVolumes(p, a, b, c, d);
      this.volumes[e] = (six / 6) * (fill === null ? 1 : fill[e]);
      const nodes = [b, c, d];
      for (let i = 0; i < 3; i++) {
        // Across the face of the other two, over six volumes: rows of A⁻¹.
        const [q, r] = [nodes[(i + 1) % 3], nodes[(i + 2) % 3]];
        const [ux, uy, uz] = [p[3 * q] - p[3 * a], p[3 * q + 1] - p[3 * a + 1], p[3 * q + 2] - p[3 * a + 2]];
        const [vx, vy, vz] = [p[3 * r] - p[3 * a], p[3 * r + 1] - p[3 * a + 1], p[3 * r + 2] - p[3 * a + 2]];
        const at = 12 * e + 3 * (i + 1);
        this.gradients[at] = (uy * vz - uz * vy) / six;
        this.gradients[at + 1] = (uz * vx - ux * vz) / six;
        this.gradients[at + 2] = (ux * vy - uy * vx) / six;
        for (let axis = 0; axis < 3; axis++) this.gradients[12 * e + axis] -= this.gradients[at + axis];
      }
    }
    const isHookean = material instanceof StableNeoHookean;
    this.#closedForm = isHookean ? new HookeanStiffness(material.mu, material.lambda, material.alpha) : null;
    this.#kernel = isHookean
      ? HookeanForces.create(elements, this.volumes, this.gradients, p.length, material.mu, material.lambda)
      : null;
  }

  /** Elastic energy. */
  energy(x: Float64Array): number {
    let sum = 0;
    for (let e = 0; e < this.volumes.length; e++) {
      this.writeGradient(x, e, this.#f);
      sum += this.volumes[e] * this.#material.energy(this.#f);
    }
    return sum;
  }

  /** Adds the derivative of the energy by the node positions, which is the opposite of the forces; returns the energy. */
  addGradient(x: Float64Array, out: Float64Array): number {
    if (this.#kernel !== null) return this.#kernel.addGradient(x, out);
    const p = this.#p;
    const { gradients: g, elements, volumes } = this;
    let energy = 0;
    for (let e = 0; e < volumes.length; e++) {
      this.writeGradient(x, e, this.#f);
      energy += volumes[e] * this.#material.energy(this.#f);
      this.#material.stress(this.#f, p);
      for (let i = 0; i < 9; i++) p[i] *= volumes[e];
      const first = 3 * elements[4 * e];
      for (let i = 1; i < 4; i++) {
        const at = 12 * e + 3 * i;
        const fx = p[0] * g[at] + p[1] * g[at + 1] + p[2] * g[at + 2];
        const fy = p[3] * g[at] + p[4] * g[at + 1] + p[5] * g[at + 2];
        const fz = p[6] * g[at] + p[7] * g[at + 1] + p[8] * g[at + 2];
        const node = 3 * elements[4 * e + i];
        out[node] += fx;
        out[node + 1] += fy;
        out[node + 2] += fz;
        out[first] -= fx;
        out[first + 1] -= fy;
        out[first + 2] -= fz;
      }
    }
    return energy;
  }

  /**
   * Adds the second derivatives to a matrix of blocks.
   * @param project makes the contribution of each element positive semi-definite, which Newton's method needs far from
   * the minimum.
   */
  addStiffness(x: Float64Array, pattern: BlockPattern, out: Float64Array, project: boolean, scale = 1): void {
    const rotated = this.#rotated;
    const g = this.gradients;
    for (let e = 0; e < this.volumes.length; e++) {
      this.writeGradient(x, e, this.#f);
      if (this.#closedForm !== null && !project) {
        this.#closedForm.add(this.#f, g, e, scale * this.volumes[e], pattern, out);
        continue;
      }
      const curvature = this.#material.curvature(this.#f);
      const { v } = curvature;
      const stretch = project ? this.#positive(curvature.stretch) : curvature.stretch;
      for (let i = 0; i < 4; i++) {
        const at = 12 * e + 3 * i;
        for (let k = 0; k < 3; k++) rotated[3 * i + k] = v[k] * g[at] + v[3 + k] * g[at + 1] + v[6 + k] * g[at + 2];
      }
      for (let a = 0; a < 4; a++) {
        for (let b = a; b < 4; b++) {
          this.#writeBlock(curvature, stretch, a, b, project);
          this.#addBlock(curvature.u, scale * this.volumes[e], out, 9 * pattern.places[16 * e + 4 * a + b], false);
          if (a !== b) {
            this.#addBlock(curvature.u, scale * this.volumes[e], out, 9 * pattern.places[16 * e + 4 * b + a], true);
          }
        }
      }
    }
  }

  /** Writes the deformation gradient of an element. */
  writeGradient(x: Float64Array, e: number, f: Float64Array): void {
    const { elements, gradients: g } = this;
    const a = 3 * elements[4 * e];
    const b = 3 * elements[4 * e + 1];
    const c = 3 * elements[4 * e + 2];
    const d = 3 * elements[4 * e + 3];
    const at = 12 * e;
    for (let r = 0; r < 3; r++) {
      const origin = x[a + r];
      const u = x[b + r] - origin;
      const v = x[c + r] - origin;
      const w = x[d + r] - origin;
      f[3 * r] = u * g[at + 3] + v * g[at + 6] + w * g[at + 9];
      f[3 * r + 1] = u * g[at + 4] + v * g[at + 7] + w * g[at + 10];
      f[3 * r + 2] = u * g[at + 5] + v * g[at + 8] + w * g[at + 11];
    }
  }

  /** The block of nodes a and b in the frame of the singular values. */
  #writeBlock(curvature: Curvature, stretch: Float64Array, a: number, b: number, project: boolean): void {
    const { flip, twist } = curvature;
    const r = this.#rotated;
    const block = this.#block;
    for (let i = 0; i < 3; i++) {
      let own = stretch[4 * i] * r[3 * a + i] * r[3 * b + i];
      for (let j = 0; j < 3; j++) {
        if (i === j) continue;
        const pair = PAIR_OF[3 * i + j];
        const shear = project ? Math.max(0, flip[pair]) : flip[pair];
        const turn = project ? Math.max(0, twist[pair]) : twist[pair];
        own += ((shear + turn) / 2) * r[3 * a + j] * r[3 * b + j];
        block[3 * i + j] =
          stretch[3 * i + j] * r[3 * a + i] * r[3 * b + j] + ((shear - turn) / 2) * r[3 * a + j] * r[3 * b + i];
      }
      block[4 * i] = own;
    }
  }

  /** Adds U B Uᵀ, or its transpose. */
  #addBlock(u: Float64Array, scale: number, out: Float64Array, at: number, transposed: boolean): void {
    const b = this.#block;
    const t = this.#turned;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) t[3 * i + j] = u[3 * i] * b[j] + u[3 * i + 1] * b[3 + j] + u[3 * i + 2] * b[6 + j];
    }
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const value = t[3 * i] * u[3 * j] + t[3 * i + 1] * u[3 * j + 1] + t[3 * i + 2] * u[3 * j + 2];
        out[at + (transposed ? 3 * j + i : 3 * i + j)] += scale * value;
      }
    }
  }

  /** The nearest positive semi-definite matrix. */
  #positive(stretch: Float64Array): Float64Array {
    const m = this.#stretch;
    m.set(stretch);
    const v = this.#axes;
    diagonalize(m, v, 1e-15);
    if (m[0] >= 0 && m[4] >= 0 && m[8] >= 0) return stretch;
    const [a, b, c] = [Math.max(0, m[0]), Math.max(0, m[4]), Math.max(0, m[8])];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        m[3 * i + j] = a * v[3 * i] * v[3 * j] + b * v[3 * i + 1] * v[3 * j + 1] + c * v[3 * i + 2] * v[3 * j + 2];
      }
    }
    return m;
  }
}

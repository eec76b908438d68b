// Tetrahedra: energy, forces and stiffness are those of F at the integration points, weighted by their volumes. In linear
// elements F = B A⁻¹ is constant and there is one point. Flat arrays; nothing is allocated after construction. Forces of an element sum to zero by
// construction, and so do their moments for materials that are blind to rotation.
import { diagonalize } from '../../core/symmetric-eigen.js';
import { HookeanForces } from '../kernel/hookean-forces.js';
import type { BlockPattern } from '../sparse/block-matrix.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { buildShapes, type ElementName, type ElementShapes } from './element-shapes.js';
import { HookeanStiffness } from './hookean-stiffness.js';
import { type Curvature, type Material, StableNeoHookean } from './material.js';
import type { Viscosity } from './viscosity.js';

/** The other two axes of pairs as {@link Curvature} orders them: (0, 1), (1, 2), (2, 0). */
const PAIR_OF = [0, 0, 2, 0, 0, 1, 2, 1, 0];

export class ElasticElements {
  readonly shapes: ElementShapes;
  /** Rest volume of each integration point, times its share of material. */
  readonly volumes: Float64Array;
  /** Gradients of the shape functions at each integration point: three numbers a node. */
  readonly gradients: Float64Array;
  readonly #material: Material;
  readonly #kernel: HookeanForces | null;
  readonly #closedForm: HookeanStiffness | null;
  readonly #f = new Float64Array(9);
  readonly #p = new Float64Array(9);
  readonly #block = new Float64Array(9);
  readonly #turned = new Float64Array(9);
  readonly #rotated: Float64Array;
  readonly #stretch = new Float64Array(9);
  readonly #axes = new Float64Array(9);

  constructor(mesh: TetrahedralMesh, material: Material, fill: Float64Array | null, kind: ElementName = 'linear') {
    const shapes = buildShapes(mesh, fill, kind);
    this.shapes = shapes;
    this.volumes = shapes.volumes;
    this.gradients = shapes.gradients;
    this.#material = material;
    this.#rotated = new Float64Array(3 * shapes.nodesPerElement);
    const isHookean = material instanceof StableNeoHookean;
    this.#closedForm = isHookean ? new HookeanStiffness(material, shapes.nodesPerElement) : null;
    this.#kernel = isHookean && kind === 'linear' ? HookeanForces.create(shapes, material.mu, material.lambda) : null;
  }

  /** Elastic energy. */
  energy(x: Float64Array): number {
    let sum = 0;
    for (let q = 0; q < this.volumes.length; q++) {
      this.writeGradient(x, q, this.#f);
      sum += this.volumes[q] * this.#material.energy(this.#f);
    }
    return sum;
  }

  /**
   * Prepares {@link addDampedGradient} for a step: motion away from `start` is damped, in the shape of the nodes at `shape`.
   * False where there is no kernel for it.
   */
  beginDamping(shape: Float64Array, start: Float64Array, viscosity: Viscosity): boolean {
    if (this.#kernel === null) return false;
    this.#kernel.beginDamping(shape, start, viscosity, (q, f) => this.writeGradient(shape, q, f));
    return true;
  }

  /** As {@link addGradient}, with the potential of damping. */
  addDampedGradient(x: Float64Array, out: Float64Array, viscosity: Viscosity, weight: number): number {
    return this.#kernel!.addDampedGradient(x, out, viscosity, weight);
  }

  /**
   * Adds the derivative of the energy by the node positions, which is the opposite of the forces; returns the energy.
   */
  addGradient(x: Float64Array, out: Float64Array): number {
    if (this.#kernel !== null) return this.#kernel.addGradient(x, out);
    const p = this.#p;
    const { gradients: g, volumes } = this;
    const { elements, nodesPerElement: nodes, pointsPerElement: points } = this.shapes;
    let energy = 0;
    for (let q = 0; q < volumes.length; q++) {
      this.writeGradient(x, q, this.#f);
      energy += volumes[q] * this.#material.evaluate(this.#f, p);
      for (let i = 0; i < 9; i++) p[i] *= volumes[q];
      const e = nodes * Math.floor(q / points);
      const first = 3 * elements[e];
      for (let i = 1; i < nodes; i++) {
        const at = 3 * (nodes * q + i);
        const fx = p[0] * g[at] + p[1] * g[at + 1] + p[2] * g[at + 2];
        const fy = p[3] * g[at] + p[4] * g[at + 1] + p[5] * g[at + 2];
        const fz = p[6] * g[at] + p[7] * g[at + 1] + p[8] * g[at + 2];
        const node = 3 * elements[e + i];
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
    const { gradients: g, volumes } = this;
    const { nodesPerElement: nodes, pointsPerElement: points } = this.shapes;
    for (let q = 0; q < volumes.length; q++) {
      this.writeGradient(x, q, this.#f);
      const begin = 3 * nodes * q;
      const weight = scale * volumes[q];
      // Where the places of the element's blocks begin.
      const first = nodes * nodes * Math.floor(q / points);
      if (this.#closedForm !== null && !project) {
        this.#closedForm.add(this.#f, g, begin, weight, pattern.places, first, out);
        continue;
      }
      const curvature = this.#material.curvature(this.#f);
      const { u, v } = curvature;
      const stretch = project ? this.#positive(curvature.stretch) : curvature.stretch;
      for (let i = 0; i < nodes; i++) {
        const at = begin + 3 * i;
        for (let k = 0; k < 3; k++) rotated[3 * i + k] = v[k] * g[at] + v[3 + k] * g[at + 1] + v[6 + k] * g[at + 2];
      }
      for (let a = 0; a < nodes; a++) {
        for (let b = a; b < nodes; b++) {
          this.#writeBlock(curvature, stretch, a, b, project);
          this.#addBlock(u, weight, out, 9 * pattern.places[first + nodes * a + b], false);
          if (a !== b) this.#addBlock(u, weight, out, 9 * pattern.places[first + nodes * b + a], true);
        }
      }
    }
  }

  /** Writes the deformation gradient at an integration point. */
  writeGradient(x: Float64Array, q: number, f: Float64Array): void {
    const g = this.gradients;
    const { elements, nodesPerElement: nodes } = this.shapes;
    if (nodes === 4) {
      const a = 3 * elements[4 * q];
      const b = 3 * elements[4 * q + 1];
      const c = 3 * elements[4 * q + 2];
      const d = 3 * elements[4 * q + 3];
      const at = 12 * q;
      for (let r = 0; r < 3; r++) {
        const origin = x[a + r];
        const u = x[b + r] - origin;
        const v = x[c + r] - origin;
        const w = x[d + r] - origin;
        f[3 * r] = u * g[at + 3] + v * g[at + 6] + w * g[at + 9];
        f[3 * r + 1] = u * g[at + 4] + v * g[at + 7] + w * g[at + 10];
        f[3 * r + 2] = u * g[at + 5] + v * g[at + 8] + w * g[at + 11];
      }
      return;
    }
    const e = nodes * Math.floor(q / this.shapes.pointsPerElement);
    const origin = 3 * elements[e];
    f.fill(0);
    for (let i = 1; i < nodes; i++) {
      const at = 3 * (nodes * q + i);
      const node = 3 * elements[e + i];
      for (let r = 0; r < 3; r++) {
        const u = x[node + r] - x[origin + r];
        f[3 * r] += u * g[at];
        f[3 * r + 1] += u * g[at + 1];
        f[3 * r + 2] += u * g[at + 2];
      }
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

// What a step minimizes: elastic energy, the work of loads, and for motion the terms of inertia and damping, whose minimum
// is the state that an implicit method asks for. Without the latter it is the static problem. Held nodes do not move.
import type { ElasticElements } from '../element/elastic-elements.js';
import type { Viscosity } from '../element/viscosity.js';
import { dot } from '../kernel/vectors.js';
import { type BlockPattern, multiplyBlocks, multiplyScalars } from '../sparse/block-matrix.js';

export class IncrementalPotential {
  /** May be replaced by others of the same pattern between solves. */
  elements: ElasticElements;
  readonly pattern: BlockPattern;
  /** One value a block: the mass matrix. */
  readonly mass: Float64Array;
  /** Mass of each node: the sums of the rows of the mass matrix. */
  readonly masses: Float64Array;
  readonly #isLumped: boolean;
  /** 1 for nodes that are held. */
  readonly held: Uint8Array;
  readonly #rest: Float64Array;
  /** Load on each node. */
  readonly forces: Float64Array;
  /** Weight of the inertia term, 1/s², and the positions without forces. */
  inertia = 0;
  readonly target: Float64Array;
  /** Weights of damping against the positions at the start: by mass (1/s²) and by stiffness (1). */
  massDamping = 0;
  stiffnessDamping = 0;
  readonly start: Float64Array;
  readonly #viscosity: Viscosity;
  /**
   * The shape at the start of the step, which damping by stiffness is of, and its matrix, made when it is first needed.
   */
  #shape: Float64Array;
  #viscousMatrix = new Float64Array(0);
  #isMatrixMade = false;
  #isInKernel = false;
  readonly #difference: Float64Array;
  readonly #product: Float64Array;

  constructor(
    elements: ElasticElements,
    pattern: BlockPattern,
    mass: Float64Array,
    rest: Float64Array,
    viscosity: Viscosity,
  ) {
    const size = rest.length;
    this.elements = elements;
    this.pattern = pattern;
    this.mass = mass;
    this.#rest = rest;
    this.#shape = rest;
    this.#viscosity = viscosity;
    this.held = new Uint8Array(size / 3);
    this.masses = new Float64Array(size / 3);
    this.#isLumped = true;
    for (let node = 0; node < this.masses.length; node++) {
      for (let k = pattern.rowStart[node]; k < pattern.rowStart[node + 1]; k++) {
        this.masses[node] += mass[k];
        if (mass[k] !== 0 && pattern.columns[k] !== node) this.#isLumped = false;
      }
    }
    this.forces = new Float64Array(size);
    this.target = new Float64Array(size);
    this.start = new Float64Array(size);
    this.#difference = new Float64Array(size);
    this.#product = new Float64Array(size);
  }

  get size(): number {
    return this.#rest.length;
  }

  /**
   * Sets damping by stiffness in a step; {@link start} must be known.
   * @param shape where the nodes are at the start of the step. It must not change before the step ends.
   */
  beginDamping(weight: number, shape: Float64Array): void {
    this.stiffnessDamping = weight;
    this.#shape = shape;
    this.#isMatrixMade = false;
    this.#isInKernel = weight > 0 && this.elements.beginDamping(shape, this.start, this.#viscosity);
  }

  /** The potential; writes its derivative by all positions, those of held nodes too. */
  evaluate(x: Float64Array, gradient: Float64Array): number {
    let sum = this.#isLumped ? this.#writeLumped(x, gradient) : this.#writeConsistent(x, gradient);
    const { elements, stiffnessDamping } = this;
    if (stiffnessDamping > 0 && this.#isInKernel) {
      return sum + elements.addDampedGradient(x, gradient, this.#viscosity, stiffnessDamping);
    }
    sum += elements.addGradient(x, gradient);
    if (stiffnessDamping > 0) sum += this.#addStiffnessDamping(x, gradient);
    return sum;
  }

  /** Writes the derivative of loads, inertia and damping by mass; returns their potential. */
  #writeLumped(x: Float64Array, gradient: Float64Array): number {
    const { forces, masses, target, start, inertia, massDamping } = this;
    const rest = this.#rest;
    let sum = 0;
    for (let node = 0; node < masses.length; node++) {
      const byTarget = inertia * masses[node];
      const byStart = massDamping * masses[node];
      for (let i = 3 * node; i < 3 * node + 3; i++) {
        const fromTarget = x[i] - target[i];
        const fromStart = x[i] - start[i];
        gradient[i] = byTarget * fromTarget + byStart * fromStart - forces[i];
        sum += 0.5 * (byTarget * fromTarget * fromTarget + byStart * fromStart * fromStart);
        sum -= forces[i] * (x[i] - rest[i]);
      }
    }
    return sum;
  }

  #writeConsistent(x: Float64Array, gradient: Float64Array): number {
    const { forces } = this;
    const rest = this.#rest;
    let sum = 0;
    for (let i = 0; i < x.length; i++) {
      gradient[i] = -forces[i];
      sum -= forces[i] * (x[i] - rest[i]);
    }
    if (this.inertia > 0) sum += this.#addByMass(x, this.target, this.inertia, gradient);
    if (this.massDamping > 0) sum += this.#addByMass(x, this.start, this.massDamping, gradient);
    return sum;
  }

  /** The second derivative, 9 values a block, with elements projected or as they are. */
  hessian(x: Float64Array, out: Float64Array, project: boolean): void {
    out.fill(0);
    this.elements.addStiffness(x, this.pattern, out, project);
    const weight = this.inertia + this.massDamping;
    for (let k = 0; k < this.mass.length; k++) {
      const m = weight * this.mass[k];
      out[9 * k] += m;
      out[9 * k + 4] += m;
      out[9 * k + 8] += m;
    }
    if (this.stiffnessDamping > 0) {
      const matrix = this.#viscosityMatrix();
      for (let i = 0; i < out.length; i++) out[i] += this.stiffnessDamping * matrix[i];
    }
  }

  /** Sets the entries of held nodes to zero; returns the square of the length of the rest. */
  clearHeld(vector: Float64Array): number {
    const { held } = this;
    let sum = 0;
    for (let node = 0; node < held.length; node++) {
      const at = 3 * node;
      if (held[node] === 1) vector[at] = vector[at + 1] = vector[at + 2] = 0;
      else sum += vector[at] * vector[at] + vector[at + 1] * vector[at + 1] + vector[at + 2] * vector[at + 2];
    }
    return sum;
  }

  /** Writes the mass matrix times v. */
  multiplyMass(v: Float64Array, out: Float64Array): void {
    if (!this.#isLumped) {
      multiplyScalars(this.pattern, this.mass, v, out);
      return;
    }
    const { masses } = this;
    for (let node = 0; node < masses.length; node++) {
      const at = 3 * node;
      out[at] = masses[node] * v[at];
      out[at + 1] = masses[node] * v[at + 1];
      out[at + 2] = masses[node] * v[at + 2];
    }
  }

  /** Half the weighted square of the distance from a state, in the norm of mass; adds its derivative. */
  #addByMass(x: Float64Array, from: Float64Array, weight: number, out: Float64Array): number {
    const d = this.#difference;
    const p = this.#product;
    for (let i = 0; i < x.length; i++) d[i] = x[i] - from[i];
    this.multiplyMass(d, p);
    for (let i = 0; i < x.length; i++) out[i] += weight * p[i];
    return (weight / 2) * dot(d, p);
  }

  /** The matrix of damping by stiffness. */
  #viscosityMatrix(): Float64Array {
    if (this.#isMatrixMade) return this.#viscousMatrix;
    const size = 9 * this.pattern.columns.length;
    if (this.#viscousMatrix.length === 0) this.#viscousMatrix = new Float64Array(size);
    else this.#viscousMatrix.fill(0);
    this.#viscosity.add(this.elements, this.#shape, this.pattern, this.#viscousMatrix);
    this.#isMatrixMade = true;
    return this.#viscousMatrix;
  }

  #addStiffnessDamping(x: Float64Array, out: Float64Array): number {
    const d = this.#difference;
    const p = this.#product;
    for (let i = 0; i < x.length; i++) d[i] = x[i] - this.start[i];
    multiplyBlocks(this.pattern, this.#viscosityMatrix(), d, p);
    for (let i = 0; i < x.length; i++) out[i] += this.stiffnessDamping * p[i];
    return (this.stiffnessDamping / 2) * dot(d, p);
  }
}

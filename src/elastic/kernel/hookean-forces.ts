// Energy and forces of stable neo-Hookean elements in WebAssembly, two elements at a time: about four times as fast as in
// TypeScript, with the same formulas.
import { createKernel, type ElasticKernel } from './elastic-kernel.js';

/** Fewer elements are not worth compiling the kernel. */
const FEWEST = 256;

/** Bytes of two elements, and where their nodes are among them. */
const PAIR = 192;
const NODES = 160;

/** Elements of four nodes, their volumes, and the gradients of their shape functions, 12 numbers each. */
interface LinearShapes {
  readonly elements: Uint32Array;
  readonly rest: Float64Array;
  readonly volumes: Float64Array;
  readonly gradients: Float64Array;
}

export class HookeanForces {
  readonly #kernel: ElasticKernel;
  readonly #pairs: number;
  readonly #dataAt: number;
  readonly #x: Float64Array;
  readonly #out: Float64Array;
  readonly #mu: number;
  readonly #lambda: number;

  /** Null for few elements, or where there is no WebAssembly. */
  static create(shapes: LinearShapes, mu: number, lambda: number): HookeanForces | null {
    const { volumes, rest } = shapes;
    if (volumes.length < FEWEST) return null;
    const bytes = 64 + 16 * rest.length + PAIR * Math.ceil(volumes.length / 2);
    const kernel = bytes < 2 ** 31 ? createKernel(bytes) : null;
    return kernel === null ? null : new HookeanForces(kernel, shapes, mu, lambda);
  }

  private constructor(kernel: ElasticKernel, shapes: LinearShapes, mu: number, lambda: number) {
    const { elements, volumes, gradients, rest } = shapes;
    const size = rest.length;
    this.#kernel = kernel;
    this.#mu = mu;
    this.#lambda = lambda;
    this.#x = new Float64Array(kernel.memory, 64, size);
    this.#out = new Float64Array(kernel.memory, 64 + 8 * size, size);
    this.#dataAt = 64 + 16 * size;
    this.#pairs = Math.ceil(volumes.length / 2);
    for (let e = 0; e < volumes.length; e++) {
      const at = this.#dataAt + PAIR * (e >> 1);
      const numbers = new Float64Array(kernel.memory, at, NODES / 8);
      const nodes = new Uint32Array(kernel.memory, at + NODES, 8);
      for (let i = 0; i < 9; i++) numbers[2 * i + (e & 1)] = gradients[12 * e + 3 + i];
      numbers[18 + (e & 1)] = volumes[e];
      for (let i = 0; i < 4; i++) nodes[4 * (e & 1) + i] = 24 * elements[4 * e + i];
    }
  }

  /** Adds the derivative of the energy by the node positions; returns the energy. */
  addGradient(x: Float64Array, out: Float64Array): number {
    const size = this.#x.length;
    this.#x.set(x);
    this.#out.set(out);
    const outAt = 64 + 8 * size;
    const energy = this.#kernel.exports.forces(this.#pairs, this.#dataAt, 64, outAt, this.#mu, this.#lambda);
    out.set(this.#out);
    return energy;
  }
}

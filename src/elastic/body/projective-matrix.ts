// A matrix that stands for the second derivatives at all states of a timestep: mass and a Laplacian of the rest shape, the
// same for x, y and z, so that one number a pair of nodes is factored (Liu, Bouaziz and Kavan 2017).

import { PanelSolver } from '../kernel/panel-solver.js';
import { multiplyScalars } from '../sparse/block-matrix.js';
import { eliminationOrder } from '../sparse/elimination-order.js';
import { SparseCholesky } from '../sparse/sparse-cholesky.js';
import type { IncrementalPotential } from './incremental-potential.js';
import type { PartMatrix } from './system-part.js';

export class ProjectiveMatrix implements PartMatrix {
  readonly #potential: IncrementalPotential;
  readonly #laplacian: Float64Array;
  readonly #factor: SparseCholesky;
  readonly #entries: Float64Array;
  /** Undefined before the first factor. */
  #panels: PanelSolver | null | undefined;
  /** The weights of mass and stiffness that the entries, and the factor, are for. */
  #massWeight = Number.NaN;
  #stiffnessWeight = Number.NaN;
  #isFactored = false;

  /** @param stiffness of the Laplacian: the modulus of a P wave, λ + 2μ. */
  constructor(potential: IncrementalPotential, rest: Float64Array, stiffness: number) {
    this.#potential = potential;
    const { pattern, elements } = potential;
    this.#laplacian = new Float64Array(pattern.columns.length);
    const g = elements.gradients;
    const { nodesPerElement: nodes, pointsPerElement: points } = elements.shapes;
    for (let q = 0; q < elements.volumes.length; q++) {
      const first = nodes * nodes * Math.floor(q / points);
      for (let k = 0; k < nodes * nodes; k++) {
        const [a, b] = [3 * (nodes * q + Math.floor(k / nodes)), 3 * (nodes * q + (k % nodes))];
        const product = g[a] * g[b] + g[a + 1] * g[b + 1] + g[a + 2] * g[b + 2];
        this.#laplacian[pattern.places[first + k]] += stiffness * elements.volumes[q] * product;
      }
    }
    this.#factor = new SparseCholesky(pattern.rowStart, pattern.columns, eliminationOrder(pattern, rest));
    this.#entries = new Float64Array(pattern.columns.length);
  }

  get isFactored(): boolean {
    return this.#isFactored;
  }

  /** The matrix counts no more: needed when nodes are held or let go. */
  invalidate(): void {
    this.#massWeight = Number.NaN;
    this.#isFactored = false;
  }

  linearize(): void {
    const { pattern, mass, held, inertia, massDamping, stiffnessDamping } = this.#potential;
    const [massWeight, stiffnessWeight] = [inertia + massDamping, 1 + stiffnessDamping];
    if (massWeight === this.#massWeight && stiffnessWeight === this.#stiffnessWeight) return;
    for (let row = 0; row < pattern.nodes; row++) {
      for (let p = pattern.rowStart[row]; p < pattern.rowStart[row + 1]; p++) {
        const isFree = held[row] === 0 && held[pattern.columns[p]] === 0;
        this.#entries[p] = isFree ? massWeight * mass[p] + stiffnessWeight * this.#laplacian[p] : 0;
      }
      if (held[row] === 1) this.#entries[pattern.diagonal[row]] = 1;
    }
    this.#massWeight = massWeight;
    this.#stiffnessWeight = stiffnessWeight;
    this.#isFactored = false;
  }

  factor(): void {
    this.#factor.factor(this.#entries);
    if (this.#panels === undefined) this.#panels = PanelSolver.create(this.#factor.columns);
    else this.#panels?.refresh();
    this.#isFactored = true;
  }

  multiply(v: Float64Array, out: Float64Array): void {
    multiplyScalars(this.#potential.pattern, this.#entries, v, out);
    this.#potential.clearHeld(out);
  }

  precondition(r: Float64Array, out: Float64Array): void {
    if (this.#panels == null) this.#factor.solveThree(r, out);
    else {
      this.#panels.solveThree(r, out);
      this.#keepMomentum(r, out);
    }
    this.#potential.clearHeld(out);
  }

  /** Shifts the solution of a body that nothing holds so that its mean is exact, not only in single precision. */
  #keepMomentum(r: Float64Array, out: Float64Array): void {
    const { held, masses } = this.#potential;
    for (let node = 0; node < held.length; node++) if (held[node] === 1) return;
    for (let axis = 0; axis < 3; axis++) {
      let [force, moved, mass] = [0, 0, 0];
      for (let node = 0; node < masses.length; node++) {
        force += r[3 * node + axis];
        moved += masses[node] * out[3 * node + axis];
        mass += masses[node];
      }
      const shift = (force / this.#massWeight - moved) / mass;
      for (let i = axis; i < out.length; i += 3) out[i] += shift;
    }
  }
}

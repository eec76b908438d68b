// An elastic body in a system: its state, what a step of its motion minimizes, and the matrices of that.
import { nameValue } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { ElasticElements } from '../element/elastic-elements.js';
import { createMaterial } from '../element/material.js';
import { type BlockPattern, buildPattern } from '../sparse/block-matrix.js';
import { dot } from '../sparse/conjugate-gradients.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import type { BodyConstants } from './body-options.js';
import { IncrementalPotential } from './incremental-potential.js';
import { NewtonMatrix } from './newton-matrix.js';
import { ProjectiveMatrix } from './projective-matrix.js';
import type { SystemPart } from './system-part.js';

type Integrator = 'midpoint' | 'bdf2' | 'euler';

/** Energies, in joules. */
export interface ElasticEnergy {
  readonly kinetic: number;
  readonly elastic: number;
  /** Of gravity and loads: the opposite of the work they have done since rest. */
  readonly load: number;
  readonly total: number;
}

export class ElasticPart implements SystemPart {
  readonly mesh: TetrahedralMesh;
  readonly size: number;
  readonly stiffForce: number;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** Loads on the nodes besides gravity. */
  readonly loads: Float64Array;
  /** 1 for nodes that are held, and where they are to be. */
  readonly held: Uint8Array;
  readonly heldAt: Float64Array;
  /** Mass of each node: the sums of the rows of the mass matrix. */
  readonly masses: Float64Array;
  readonly constants: BodyConstants;
  readonly #pattern: BlockPattern;
  readonly #potential: IncrementalPotential;
  readonly #previousPositions: Float64Array;
  readonly #previousVelocities: Float64Array;
  /** The timestep that led from the previous state; NaN where there is none. */
  #previousStep = Number.NaN;
  /** The method and timestep of the step under way. */
  #method: Integrator = 'euler';
  #timestep = Number.NaN;
  #exact: NewtonMatrix | undefined;
  #fixed: ProjectiveMatrix | undefined;
  readonly #scratch: Float64Array;

  constructor(mesh: TetrahedralMesh, constants: BodyConstants) {
    this.constants = constants;
    this.mesh = mesh;
    const rest = mesh.positions;
    this.size = rest.length;
    this.positions = rest.slice();
    this.velocities = new Float64Array(rest.length);
    this.loads = new Float64Array(rest.length);
    this.heldAt = rest.slice();
    this.#previousPositions = rest.slice();
    this.#previousVelocities = new Float64Array(rest.length);
    this.#scratch = new Float64Array(rest.length);
    const material = createMaterial(constants.material, constants.young, constants.poisson);
    const elements = new ElasticElements(mesh, material, constants.fill);
    this.#pattern = buildPattern(mesh);
    const mass = massMatrix(elements, this.#pattern, constants);
    this.#potential = new IncrementalPotential(elements, this.#pattern, mass, rest);
    this.held = this.#potential.held;
    this.masses = this.#potential.masses;
    const volume = elements.volumes.reduce((sum, own) => sum + own, 0);
    this.stiffForce = constants.young * volume ** (2 / 3);
  }

  get exact(): NewtonMatrix {
    this.#exact ??= new NewtonMatrix(this.#potential, this.mesh.positions);
    return this.#exact;
  }

  get fixed(): ProjectiveMatrix {
    const { young, poisson } = this.constants;
    const stiffness = (young * (1 - poisson)) / ((1 + poisson) * (1 - 2 * poisson));
    this.#fixed ??= new ProjectiveMatrix(this.#potential, this.mesh.positions, stiffness);
    return this.#fixed;
  }

  get isMoving(): boolean {
    return this.#potential.inertia > 0;
  }

  /** The weight of inertia in the step under way, in 1/s². */
  get inertiaWeight(): number {
    return this.#potential.inertia;
  }

  evaluate(x: Float64Array, gradient: Float64Array): number {
    return this.#potential.evaluate(x, gradient);
  }

  clearHeld(vector: Float64Array): number {
    return this.#potential.clearHeld(vector);
  }

  squaredLoads(): number {
    return dot(this.#potential.forces, this.#potential.forces);
  }

  squaredReactions(gradient: Float64Array): number {
    const { held } = this;
    let sum = 0;
    for (let i = 0; i < gradient.length; i++) if (held[Math.floor(i / 3)] === 1) sum += gradient[i] * gradient[i];
    return sum;
  }

  /** Sets the potential to that of an equilibrium, moves held nodes to their places and stops the motion. */
  beginStatic(): void {
    const potential = this.#potential;
    potential.inertia = potential.massDamping = potential.stiffnessDamping = 0;
    this.#gatherForces();
    this.#placeHeld(1, this.positions);
    this.velocities.fill(0);
    this.#previousStep = Number.NaN;
  }

  /** After {@link beginStatic}, with the positions of the equilibrium. */
  endStatic(x: Float64Array): void {
    this.positions.set(x);
    this.#previousPositions.set(x);
  }

  /**
   * Sets the potential to that of a step, and x to a first guess of what it looks for: the state at the end of the step, or
   * half way for the midpoint rule.
   * @returns the share of the step where that state is.
   */
  beginStep(h: number, integrator: string, guess: Float64Array): number {
    const potential = this.#potential;
    const { positions: x, velocities: v } = this;
    const { massDamping, stiffnessDamping } = this.constants;
    const { target, start } = potential;
    if (integrator !== 'midpoint' && integrator !== 'bdf2' && integrator !== 'euler') {
      throw new NearfieldError(
        'bad-argument',
        `The integrator is ${nameValue(integrator)}; give 'midpoint', 'bdf2' or 'euler'.`,
      );
    }
    let name: Integrator = integrator;
    // Without a state before this one the first step is one of the midpoint rule, which has the same order.
    if (name === 'bdf2' && this.#previousStep !== h) name = 'midpoint';
    let rate: number;
    if (name === 'midpoint') {
      rate = 2 / h;
      for (let i = 0; i < x.length; i++) target[i] = x[i] + (h / 2) * v[i];
      start.set(x);
    } else if (name === 'bdf2') {
      rate = 1.5 / h;
      const [xp, vp] = [this.#previousPositions, this.#previousVelocities];
      for (let i = 0; i < x.length; i++) {
        start[i] = (4 * x[i] - xp[i]) / 3;
        target[i] = start[i] + ((2 * h) / 3) * ((4 * v[i] - vp[i]) / 3);
      }
    } else {
      rate = 1 / h;
      for (let i = 0; i < x.length; i++) target[i] = x[i] + h * v[i];
      start.set(x);
    }
    potential.inertia = rate * rate;
    potential.massDamping = rate * massDamping;
    potential.stiffnessDamping = rate * stiffnessDamping;
    if (stiffnessDamping > 0) {
      potential.startStiffness.fill(0);
      potential.elements.addStiffness(x, this.#pattern, potential.startStiffness, true);
    }
    this.#method = name;
    this.#timestep = h;
    this.#gatherForces();
    // Without gravity: a body at rest on others begins where it ends.
    guess.set(target);
    const share = name === 'midpoint' ? 0.5 : 1;
    this.#placeHeld(share, guess);
    return share;
  }

  /** After {@link beginStep}: new positions and velocities from the state that was found. */
  endStep(found: Float64Array): void {
    const name = this.#method;
    const { positions: x, velocities: v } = this;
    const [xp, vp] = [this.#previousPositions, this.#previousVelocities];
    const { start, inertia } = this.#potential;
    const rate = Math.sqrt(inertia);
    for (let i = 0; i < x.length; i++) {
      const position = name === 'midpoint' ? 2 * found[i] - x[i] : found[i];
      const middle = rate * (found[i] - start[i]);
      const velocity = name === 'midpoint' ? 2 * middle - v[i] : middle;
      xp[i] = x[i];
      vp[i] = v[i];
      x[i] = position;
      v[i] = velocity;
    }
    this.#previousStep = this.#timestep;
  }

  /** Energies of the current state. */
  energy(): ElasticEnergy {
    const { velocities: v, positions: x } = this;
    this.#gatherForces();
    const { forces, elements } = this.#potential;
    this.#potential.multiplyMass(v, this.#scratch);
    const kinetic = dot(v, this.#scratch) / 2;
    const elastic = elements.energy(x);
    let load = 0;
    for (let i = 0; i < x.length; i++) load -= forces[i] * (x[i] - this.mesh.positions[i]);
    return { kinetic, elastic, load, total: kinetic + elastic + load };
  }

  /** Linear momentum, and angular momentum about the origin. */
  momentum(): { readonly linear: Vec3; readonly angular: Vec3 } {
    const { velocities: v, positions: x } = this;
    const p = this.#scratch;
    this.#potential.multiplyMass(v, p);
    const linear: Vec3 = [0, 0, 0];
    const angular: Vec3 = [0, 0, 0];
    for (let i = 0; i < x.length; i += 3) {
      for (let axis = 0; axis < 3; axis++) {
        const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
        linear[axis] += p[i + axis];
        angular[axis] += x[i + j] * p[i + k] - x[i + k] * p[i + j];
      }
    }
    return { linear, angular };
  }

  /** What is held changes: other matrices, and a jump in the forces that no method may look back across. */
  invalidate(): void {
    this.#previousStep = Number.NaN;
    this.#exact?.invalidate();
    this.#fixed?.invalidate();
  }

  #gatherForces(): void {
    const { forces } = this.#potential;
    const { gravity } = this.constants;
    for (let i = 0; i < forces.length; i++) {
      forces[i] = this.loads[i] + this.masses[Math.floor(i / 3)] * gravity[i % 3];
    }
  }

  /** Puts held nodes on the way from where they are to where they are to be. */
  #placeHeld(share: number, out: Float64Array): void {
    const { held, heldAt } = this;
    for (let i = 0; i < out.length; i++) {
      if (held[Math.floor(i / 3)] === 1) out[i] = this.positions[i] + share * (heldAt[i] - this.positions[i]);
    }
  }
}

function massMatrix(
  { volumes }: ElasticElements,
  pattern: BlockPattern,
  { density, isLumped }: BodyConstants,
): Float64Array {
  const mass = new Float64Array(pattern.columns.length);
  for (let e = 0; e < volumes.length; e++) {
    for (let k = 0; k < 16; k++) {
      const isDiagonal = k % 5 === 0;
      const share = isLumped ? (isDiagonal ? 0.25 : 0) : isDiagonal ? 0.1 : 0.05;
      mass[pattern.places[16 * e + k]] += share * density * volumes[e];
    }
  }
  return mass;
}

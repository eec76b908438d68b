// An elastic body in a system: its state, what a step of its motion minimizes, and the matrices of that.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { ElasticElements } from '../element/elastic-elements.js';
import { createMaterial, lameConstants } from '../element/material.js';
import { Viscosity } from '../element/viscosity.js';
import { dot } from '../kernel/vectors.js';
import { type BlockPattern, buildPattern } from '../sparse/block-matrix.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import type { BodyConstants } from './body-options.js';
import { IncrementalPotential } from './incremental-potential.js';
import { NewtonMatrix } from './newton-matrix.js';
import { ProjectiveMatrix } from './projective-matrix.js';
import type { SystemPart } from './system-part.js';

type Integrator = 'midpoint' | 'bdf2' | 'euler';

/**
 * Measured on 330 random starts: the Poisson's ratio of elements that unwind. With a ratio up to 0.2 all starts unwind, with 0.3
 * one in twenty does not, with 0.45 most do not.
 */
const UNTANGLING_POISSON = 0;

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
  /** Rest positions of all nodes: those of the mesh, and of quadratic elements those in the middle of the edges. */
  readonly rest: Float64Array;
  /** The two corners of each node in the middle of an edge. */
  readonly edges: Uint32Array;
  readonly stiffForce: number;
  readonly stiffEnergy: number;
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
  readonly #elements: ElasticElements;
  readonly #potential: IncrementalPotential;
  readonly #previousPositions: Float64Array;
  readonly #previousVelocities: Float64Array;
  /** The timestep that led from the previous state; NaN without a previous state. */
  #previousStep = Number.NaN;
  /** The method and timestep of the step under way. */
  #method: Integrator = 'euler';
  #timestep = Number.NaN;
  #exact: NewtonMatrix | undefined;
  #fixed: ProjectiveMatrix | undefined;
  readonly #scratch: Float64Array;
  /** The node in the middle of an edge, by its ends. */
  readonly #middles = new Map<string, number>();

  constructor(mesh: TetrahedralMesh, constants: BodyConstants) {
    this.constants = constants;
    this.mesh = mesh;
    const material = createMaterial(constants.material, constants.young, constants.poisson);
    const elements = new ElasticElements(mesh, material, constants.fill, constants.element);
    const { mu, lambda } = lameConstants(constants.young, constants.poisson);
    const viscosity = new Viscosity(mu, lambda, constants.material !== 'linear');
    const { rest, edges, nodesPerElement } = elements.shapes;
    this.#elements = elements;
    this.rest = rest;
    this.edges = edges;
    this.size = rest.length;
    this.positions = rest.slice();
    this.velocities = new Float64Array(rest.length);
    this.loads = new Float64Array(rest.length);
    this.heldAt = rest.slice();
    this.#previousPositions = rest.slice();
    this.#previousVelocities = new Float64Array(rest.length);
    this.#scratch = new Float64Array(rest.length);
    const pattern = buildPattern({ positions: rest, elements: elements.shapes.elements }, nodesPerElement);
    const mass = massMatrix(elements, pattern, constants);
    this.#potential = new IncrementalPotential(elements, pattern, mass, rest, viscosity);
    this.held = this.#potential.held;
    this.masses = this.#potential.masses;
    const volume = elements.volumes.reduce((sum, own) => sum + own, 0);
    this.stiffForce = constants.young * volume ** (2 / 3);
    this.stiffEnergy = (lambda + 2 * mu) * volume;
  }

  get exact(): NewtonMatrix {
    this.#exact ??= new NewtonMatrix(this.#potential, this.rest);
    return this.#exact;
  }

  get fixed(): ProjectiveMatrix {
    const { young, poisson } = this.constants;
    const stiffness = (young * (1 - poisson)) / ((1 + poisson) * (1 - 2 * poisson));
    this.#fixed ??= new ProjectiveMatrix(this.#potential, this.rest, stiffness);
    return this.#fixed;
  }

  get isMoving(): boolean {
    return this.#potential.inertia > 0;
  }

  /** Whether a step of this length came before, as BDF2 needs. */
  follows(h: number): boolean {
    return this.#previousStep === h;
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

  /**
   * Sets the potential to that of an equilibrium, moves held nodes to their places and stops the motion.
   * @param isTangled gives all elements a material that finds its way back from any tangle. Near incompressibility elements
   * keep their volume and come to rest wound around each other; with little cross contraction they unwind first.
   */
  beginStatic(isTangled = false): void {
    const potential = this.#potential;
    this.#useElements(isTangled ? this.#relaxedElements() : this.#elements);
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
    this.#useElements(this.#elements);
    let name: Integrator = integrator;
    // Without a state before this one the first step is one of the midpoint rule, which has the same order.
    if (name === 'bdf2' && !this.follows(h)) name = 'midpoint';
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
    potential.beginDamping(rate * stiffnessDamping, x);
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
      // Nodes that are moved have the velocity of their way; by the rule it would go up and down when they start.
      const isRule = name === 'midpoint' && this.held[Math.floor(i / 3)] === 0;
      const velocity = isRule ? 2 * middle - v[i] : middle;
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
    const { forces } = this.#potential;
    this.#potential.multiplyMass(v, this.#scratch);
    const kinetic = dot(v, this.#scratch) / 2;
    const elastic = this.#elements.energy(x);
    let load = 0;
    for (let i = 0; i < x.length; i++) load -= forces[i] * (x[i] - this.rest[i]);
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

  /** Holds nodes in the middle of edges where both ends are held, half way between those, and lets go of the others. */
  holdMiddles(): void {
    const { edges, held, heldAt } = this;
    for (let k = 0; k < edges.length; k += 2) {
      const node = this.mesh.positions.length / 3 + k / 2;
      const [a, b] = [edges[k], edges[k + 1]];
      const isHeld = held[a] & held[b];
      if (isHeld !== held[node]) this.invalidate();
      held[node] = isHeld;
      if (isHeld === 0) continue;
      for (let i = 0; i < 3; i++) heldAt[3 * node + i] = (heldAt[3 * a + i] + heldAt[3 * b + i]) / 2;
    }
  }

  /** The nodes that an even load on a face acts on, a third each: its corners, or the middles of its edges. */
  loadedNodes(a: number, b: number, c: number): readonly number[] {
    if (this.edges.length === 0) return [a, b, c];
    return [this.#middleOf(a, b), this.#middleOf(b, c), this.#middleOf(c, a)];
  }

  #middleOf(a: number, b: number): number {
    if (this.#middles.size === 0) {
      const corners = this.mesh.positions.length / 3;
      for (let k = 0; k < this.edges.length; k += 2) {
        const [p, q] = [this.edges[k], this.edges[k + 1]];
        this.#middles.set(`${Math.min(p, q)},${Math.max(p, q)}`, corners + k / 2);
      }
    }
    return this.#middles.get(`${Math.min(a, b)},${Math.max(a, b)}`) as number;
  }

  /** What is held changes: other matrices, and a jump in the forces that no method may look back across. */
  invalidate(): void {
    this.#previousStep = Number.NaN;
    this.#exact?.invalidate();
    this.#fixed?.invalidate();
  }

  /** Elements of the same shapes that unwind, for {@link beginStatic}. */
  #relaxedElements(): ElasticElements {
    const { young, fill, element } = this.constants;
    const relaxed = createMaterial('stable-neo-hookean', young, UNTANGLING_POISSON);
    return new ElasticElements(this.mesh, relaxed, fill, element);
  }

  #useElements(elements: ElasticElements): void {
    if (elements === this.#potential.elements) return;
    this.#potential.elements = elements;
    this.#exact?.invalidate();
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
  { volumes, shapes }: ElasticElements,
  pattern: BlockPattern,
  { density, isLumped }: BodyConstants,
): Float64Array {
  const mass = new Float64Array(pattern.columns.length);
  const { nodesPerElement: nodes, pointsPerElement: points, massShares, lumpedShares } = shapes;
  for (let e = 0; e < volumes.length / points; e++) {
    // All points of an element have the same volume.
    const whole = density * volumes[points * e] * points;
    for (let k = 0; k < nodes * nodes; k++) {
      const isDiagonal = k % (nodes + 1) === 0;
      const share = isLumped ? (isDiagonal ? lumpedShares[k / (nodes + 1)] : 0) : massShares[k];
      mass[pattern.places[nodes * nodes * e + k]] += share * whole;
    }
  }
  return mass;
}

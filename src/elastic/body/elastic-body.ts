// A body of linear tetrahedra: at rest, in the equilibrium of loads and held nodes, or in motion by implicit methods, each of
// which is the minimum of an incremental potential.
import { assertNumbers } from '../../core/check-array.js';
import { assertOptions, nameValue, type OptionNames } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { ElasticElements } from '../element/elastic-elements.js';
import { createMaterial } from '../element/material.js';
import { type BlockPattern, buildPattern, multiplyScalars } from '../sparse/block-matrix.js';
import { dot } from '../sparse/conjugate-gradients.js';
import { assertTetrahedra, findSurface, sixVolumes, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { assertRange, type BodyConstants, checkBodyOptions, type ElasticBodyOptions } from './body-options.js';
import { IncrementalPotential } from './incremental-potential.js';
import { Newton, type SolveReport } from './newton.js';
import { QuasiNewton } from './quasi-newton.js';

/** How an equilibrium is found. */
export interface EquilibriumOptions {
  /** Unbalanced forces left, as a share of loads and reactions. Default `ELASTIC_DEFAULTS.solver.tolerance`. */
  readonly tolerance?: number | undefined;
  /** The most Newton steps. Default `ELASTIC_DEFAULTS.solver.maxIterations`. */
  readonly maxIterations?: number | undefined;
}

const EQUILIBRIUM_NAMES: OptionNames<EquilibriumOptions> = { tolerance: true, maxIterations: true };

/** How a step of motion is made. */
export interface ElasticStepOptions extends EquilibriumOptions {
  /**
   * 'midpoint': second order, keeps the energy of small vibrations. 'bdf2': second order, damps what the step cannot
   * resolve. 'euler': first order, damps much. Default 'bdf2'.
   */
  readonly integrator?: 'midpoint' | 'bdf2' | 'euler' | undefined;
  /** 'converged': Newton's method to the tolerance. 'real-time': a fixed number of quasi-Newton steps. Default 'converged'. */
  readonly mode?: 'converged' | 'real-time' | undefined;
  /** Of mode 'real-time': the quasi-Newton steps. Default `ELASTIC_DEFAULTS.solver.realTimeIterations`. */
  readonly iterations?: number | undefined;
}

const STEP_NAMES: OptionNames<ElasticStepOptions> = {
  ...EQUILIBRIUM_NAMES,
  integrator: true,
  mode: true,
  iterations: true,
};

/** Energies, in joules. */
export interface ElasticEnergy {
  readonly kinetic: number;
  readonly elastic: number;
  /** Of gravity and loads: the opposite of the work they have done since rest. */
  readonly load: number;
  readonly total: number;
}

/**
 * An elastic body of tetrahedra. Units are meters, seconds, kilograms and newtons.
 */
export class ElasticBody {
  readonly mesh: TetrahedralMesh;
  /** Current positions, three numbers a node. They may be written between calls. */
  readonly positions: Float64Array;
  /** Current velocities. They may be written between calls. */
  readonly velocities: Float64Array;
  /** Loads on the nodes besides gravity, in newtons. They may be written between calls; see {@link load}. */
  readonly loads: Float64Array;
  readonly #constants: BodyConstants;
  readonly #pattern: BlockPattern;
  readonly #potential: IncrementalPotential;
  /** Mass of each node: the sums of the rows of the mass matrix. */
  readonly #masses: Float64Array;
  /** Where held nodes are to be. */
  readonly #heldAt: Float64Array;
  #newton: Newton | undefined;
  #quasiNewton: QuasiNewton | undefined;
  readonly #previousPositions: Float64Array;
  readonly #previousVelocities: Float64Array;
  /** The timestep that led from the previous state; NaN where there is none. */
  #previousStep = Number.NaN;
  #factoredFor = Number.NaN;
  readonly #scratch: Float64Array;

  /** @throws NearfieldError as `assertTetrahedra` does, and `bad-argument` for constants out of range. */
  constructor(mesh: TetrahedralMesh, options: ElasticBodyOptions) {
    assertTetrahedra(mesh);
    const constants = checkBodyOptions(options, mesh.elements.length / 4);
    this.#constants = constants;
    this.mesh = mesh;
    const rest = mesh.positions;
    this.positions = rest.slice();
    this.velocities = new Float64Array(rest.length);
    this.loads = new Float64Array(rest.length);
    this.#heldAt = rest.slice();
    this.#previousPositions = rest.slice();
    this.#previousVelocities = new Float64Array(rest.length);
    this.#scratch = new Float64Array(rest.length);
    const material = createMaterial(constants.material, constants.young, constants.poisson);
    const elements = new ElasticElements(mesh, material, constants.fill);
    this.#pattern = buildPattern(mesh);
    const mass = massMatrix(elements, this.#pattern, constants);
    this.#potential = new IncrementalPotential(elements, this.#pattern, mass, rest);
    this.#masses = new Float64Array(rest.length / 3);
    for (let node = 0; node < this.#masses.length; node++) {
      for (let k = this.#pattern.rowStart[node]; k < this.#pattern.rowStart[node + 1]; k++) {
        this.#masses[node] += mass[k];
      }
    }
  }

  /** The mass of all nodes, in kilograms. */
  get mass(): number {
    return this.#masses.reduce((sum, mass) => sum + mass, 0);
  }

  /** Elements with a negative volume. */
  get inverted(): number {
    const { elements } = this.mesh;
    let count = 0;
    for (let e = 0; e < elements.length; e += 4) {
      if (!(sixVolumes(this.positions, elements[e], elements[e + 1], elements[e + 2], elements[e + 3]) > 0)) count++;
    }
    return count;
  }

  /**
   * Holds nodes where they are, or at positions, three numbers each: in the next equilibrium, and at the end of the next
   * steps. Nodes that are held already get new places.
   */
  hold(nodes: ArrayLike<number>, positions?: ArrayLike<number>): void {
    this.#assertNodes(nodes);
    if (positions !== undefined) assertNumbers(positions, 3 * nodes.length, 'positions of held nodes');
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      if (this.#potential.held[node] === 0) this.#invalidate();
      this.#potential.held[node] = 1;
      for (let axis = 0; axis < 3; axis++) {
        const at = positions === undefined ? this.positions[3 * node + axis] : positions[3 * i + axis];
        if (!Number.isFinite(at)) {
          throw new NearfieldError('non-finite', `Node ${node} is to be held at ${at}; give finite positions.`, {
            vertex: node,
          });
        }
        this.#heldAt[3 * node + axis] = at;
      }
    }
  }

  /** Lets nodes go; all without an argument. */
  release(nodes?: ArrayLike<number>): void {
    if (nodes !== undefined) this.#assertNodes(nodes);
    this.#invalidate();
    if (nodes === undefined) this.#potential.held.fill(0);
    else for (let i = 0; i < nodes.length; i++) this.#potential.held[nodes[i]] = 0;
  }

  /**
   * Adds a total force to {@link loads}, spread by area over the faces of the surface whose corners are all among the nodes,
   * in the rest shape.
   */
  load(nodes: ArrayLike<number>, force: ReadonlyVec3): void {
    this.#assertNodes(nodes);
    assertNumbers(force, 3, 'components of the force');
    if (!Number.isFinite(force[0] + force[1] + force[2])) {
      throw new NearfieldError(
        'non-finite',
        'The force has a component that is not finite; give three numbers, in newtons.',
      );
    }
    const isLoaded = new Uint8Array(this.#masses.length);
    for (let i = 0; i < nodes.length; i++) isLoaded[nodes[i]] = 1;
    const { faces } = findSurface(this.mesh);
    const areas = new Float64Array(this.#masses.length);
    let total = 0;
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = [faces[f], faces[f + 1], faces[f + 2]];
      if (isLoaded[a] + isLoaded[b] + isLoaded[c] < 3) continue;
      const area = faceArea(this.mesh.positions, a, b, c);
      total += area;
      for (const node of [a, b, c]) areas[node] += area / 3;
    }
    if (!(total > 0)) {
      throw new NearfieldError(
        'bad-argument',
        'The nodes hold no face of the surface to load; give all corners of one.',
      );
    }
    for (let node = 0; node < areas.length; node++) {
      for (let axis = 0; axis < 3; axis++) this.loads[3 * node + axis] += (force[axis] * areas[node]) / total;
    }
  }

  /**
   * Moves the free nodes to an equilibrium of elastic forces, loads and gravity, from where they are. Velocities become 0.
   * A result that is not 'converged' has the best positions found.
   */
  solveStatic(options: EquilibriumOptions = {}): SolveReport {
    assertOptions(options, EQUILIBRIUM_NAMES);
    const { tolerance, maxIterations } = solverLimits(options);
    const potential = this.#potential;
    potential.inertia = potential.massDamping = potential.stiffnessDamping = 0;
    this.#gatherForces();
    this.#placeHeld(1, this.positions);
    this.velocities.fill(0);
    this.#previousStep = Number.NaN;
    const report = this.#newtonFor(0).minimize(this.positions, tolerance, maxIterations);
    this.#previousPositions.set(this.positions);
    return report;
  }

  /** Advances the motion by a timestep, in seconds. */
  step(timestep: number, options: ElasticStepOptions = {}): SolveReport {
    assertRange('The timestep', timestep, Number.MIN_VALUE, 1e6);
    assertOptions(options, STEP_NAMES);
    const { solver } = ELASTIC_DEFAULTS;
    const { mode = solver.mode, iterations = solver.realTimeIterations } = options;
    const { tolerance, maxIterations } = solverLimits(options);
    if (mode !== 'converged' && mode !== 'real-time') {
      throw new NearfieldError('bad-argument', `The mode is ${nameValue(mode)}; give 'converged' or 'real-time'.`);
    }
    assertRange('The number of iterations', iterations, 1, 1e6);
    const method = this.#setUp(timestep, options.integrator ?? solver.integrator);
    this.#gatherForces();
    const potential = this.#potential;
    const x = this.#scratch;
    x.set(potential.target);
    this.#placeHeld(method.share, x);
    let report: SolveReport;
    if (mode === 'converged') report = this.#newtonFor(potential.inertia).minimize(x, tolerance, maxIterations);
    else {
      const { young, poisson } = this.#constants;
      const stiffness = (young * (1 - poisson)) / ((1 + poisson) * (1 - 2 * poisson));
      this.#quasiNewton ??= new QuasiNewton(potential, this.mesh.positions, stiffness);
      const residual = this.#quasiNewton.minimize(x, iterations);
      report = { status: 'iterations', iterations, linearIterations: 0, residual };
    }
    this.#finish(x, timestep, method.name);
    return report;
  }

  /** Energies of the current state. */
  energy(): ElasticEnergy {
    const { velocities: v, positions: x } = this;
    this.#gatherForces();
    const { forces, elements, mass } = this.#potential;
    multiplyScalars(this.#pattern, mass, v, this.#scratch);
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
    multiplyScalars(this.#pattern, this.#potential.mass, v, p);
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

  /** Sets the potential to that of a method; returns where in the step it looks for the state. */
  #setUp(h: number, integrator: string): { readonly name: string; readonly share: number } {
    const potential = this.#potential;
    const { positions: x, velocities: v } = this;
    const { massDamping, stiffnessDamping } = this.#constants;
    const { target, start } = potential;
    let name = integrator;
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
    } else if (name === 'euler') {
      rate = 1 / h;
      for (let i = 0; i < x.length; i++) target[i] = x[i] + h * v[i];
      start.set(x);
    } else {
      throw new NearfieldError(
        'bad-argument',
        `The integrator is ${nameValue(integrator)}; give 'midpoint', 'bdf2' or 'euler'.`,
      );
    }
    potential.inertia = rate * rate;
    potential.massDamping = rate * massDamping;
    potential.stiffnessDamping = rate * stiffnessDamping;
    if (stiffnessDamping > 0) {
      potential.startStiffness.fill(0);
      potential.elements.addStiffness(x, this.#pattern, potential.startStiffness, true);
    }
    return { name, share: name === 'midpoint' ? 0.5 : 1 };
  }

  /** New positions and velocities from the state that was found. */
  #finish(found: Float64Array, h: number, name: string): void {
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
    this.#previousStep = h;
  }

  #gatherForces(): void {
    const { forces } = this.#potential;
    const { gravity } = this.#constants;
    for (let i = 0; i < forces.length; i++) {
      forces[i] = this.loads[i] + this.#masses[Math.floor(i / 3)] * gravity[i % 3];
    }
  }

  /** Puts held nodes on the way from where they are to where they are to be. */
  #placeHeld(share: number, out: Float64Array): void {
    const { held } = this.#potential;
    for (let i = 0; i < out.length; i++) {
      if (held[Math.floor(i / 3)] === 1) out[i] = this.positions[i] + share * (this.#heldAt[i] - this.positions[i]);
    }
  }

  #newtonFor(inertia: number): Newton {
    const { volumes } = this.#potential.elements;
    const volume = volumes.reduce((sum, own) => sum + own, 0);
    this.#newton ??= new Newton(this.#potential, this.mesh.positions, this.#constants.young * volume ** (2 / 3));
    if (inertia !== this.#factoredFor) this.#newton.invalidate();
    this.#factoredFor = inertia;
    return this.#newton;
  }

  /** What is held changes: other matrices, and a jump in the forces that no method may look back across. */
  #invalidate(): void {
    this.#previousStep = Number.NaN;
    this.#newton?.invalidate();
    this.#quasiNewton?.invalidate();
  }

  #assertNodes(nodes: ArrayLike<number>): void {
    assertNumbers(nodes, 0, 'nodes');
    const count = this.#masses.length;
    for (let i = 0; i < nodes.length; i++) {
      if (Number.isInteger(nodes[i]) && nodes[i] >= 0 && nodes[i] < count) continue;
      throw new NearfieldError(
        'index-out-of-range',
        `There is no node ${nodes[i]}; the body has nodes 0 to ${count - 1}.`,
      );
    }
  }
}

function solverLimits(options: EquilibriumOptions): { readonly tolerance: number; readonly maxIterations: number } {
  const { solver } = ELASTIC_DEFAULTS;
  const { tolerance = solver.tolerance, maxIterations = solver.maxIterations } = options;
  assertRange('The tolerance', tolerance, 0, 1);
  assertRange('The number of Newton steps', maxIterations, 1, 1e6);
  return { tolerance, maxIterations };
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

function faceArea(p: Float64Array, a: number, b: number, c: number): number {
  const [ux, uy, uz] = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
  const [vx, vy, vz] = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
}

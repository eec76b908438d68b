// A body of tetrahedra: at rest, in the equilibrium of loads and held nodes, or in motion by implicit methods, each of
// which is the minimum of an incremental potential.
import { assertNumbers } from '../../core/check/check-array.js';
import { numberWithin, oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { assertTetrahedra, findSurface, sixVolumes, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { assertRange, checkBodyOptions, type ElasticBodyOptions } from './body-options.js';
import { type ElasticEnergy, ElasticPart } from './elastic-part.js';
import { Newton, type SolveReport } from './newton.js';
import { PotentialSystem } from './potential-system.js';
import { QuasiNewton } from './quasi-newton.js';

/** Chosen: unbalanced forces at which a tangled body counts as unwound, as a share of loads and reactions. */
const UNTANGLED = 1e-3;

/** How an equilibrium is found. */
export interface EquilibriumOptions {
  /** Unbalanced forces left, as a share of loads and reactions. Default `ELASTIC_DEFAULTS.solver.tolerance`. */
  readonly tolerance?: number | undefined;
  /** The most Newton steps. Default `ELASTIC_DEFAULTS.solver.maxIterations`. */
  readonly maxIterations?: number | undefined;
}

const { solver: SOLVER } = ELASTIC_DEFAULTS;

const EQUILIBRIUM_RULES = {
  tolerance: numberWithin(0, 1, SOLVER.tolerance),
  maxIterations: numberWithin(1, 1e6, SOLVER.maxIterations),
};

export const EQUILIBRIUM_OPTIONS = optionTable<EquilibriumOptions>()(EQUILIBRIUM_RULES);

/** How a step of motion is made. */
export interface ElasticStepOptions extends EquilibriumOptions {
  /**
   * 'midpoint': second order, keeps the energy of small vibrations. 'bdf2': second order, damps what the step cannot
   * resolve. 'euler': first order, damps much. Default 'bdf2'.
   */
  readonly integrator?: 'midpoint' | 'bdf2' | 'euler' | undefined;
  /**
   * 'converged': Newton's method to the tolerance. 'real-time': a fixed number of quasi-Newton steps. Default
   * 'converged'.
   */
  readonly mode?: 'converged' | 'real-time' | undefined;
  /** Of mode 'real-time': the quasi-Newton steps. Default `ELASTIC_DEFAULTS.solver.realTimeIterations`. */
  readonly iterations?: number | undefined;
}

/** The rules of a step but for its integrator, of which a world has one more. */
export const STEP_RULES = {
  ...EQUILIBRIUM_RULES,
  mode: oneOf(['converged', 'real-time'], SOLVER.mode),
  iterations: numberWithin(1, 1e6, SOLVER.realTimeIterations),
};

const STEP_OPTIONS = optionTable<ElasticStepOptions>()({
  ...STEP_RULES,
  integrator: oneOf(['midpoint', 'bdf2', 'euler'], SOLVER.integrator),
});

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
  /**
   * The body as a part of a system, for solvers of several bodies.
   * @internal
   */
  readonly part: ElasticPart;
  #newton: Newton | undefined;
  #quasiNewton: QuasiNewton | undefined;
  readonly #system: PotentialSystem;
  readonly #found: Float64Array;

  /** @throws NearfieldError as `assertTetrahedra` does, and `bad-argument` for constants out of range. */
  constructor(mesh: TetrahedralMesh, options: ElasticBodyOptions) {
    assertTetrahedra(mesh);
    const part = new ElasticPart(mesh, checkBodyOptions(options, mesh.elements.length / 4));
    this.part = part;
    this.mesh = mesh;
    this.positions = part.positions;
    this.velocities = part.velocities;
    this.loads = part.loads;
    this.#system = new PotentialSystem([part], []);
    this.#found = new Float64Array(part.size);
  }

  /** The mass of all nodes, in kilograms. */
  get mass(): number {
    return this.part.masses.reduce((sum, mass) => sum + mass, 0);
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
   * steps. Nodes that are held already get new places. Of quadratic elements, nodes in the middle of an edge are held with
   * both its ends, and half way between them.
   */
  hold(nodes: ArrayLike<number>, positions?: ArrayLike<number>): void {
    this.assertNodes(nodes);
    if (positions !== undefined) assertNumbers(positions, 3 * nodes.length, 'positions of held nodes');
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      if (this.part.held[node] === 0) this.part.invalidate();
      this.part.held[node] = 1;
      for (let axis = 0; axis < 3; axis++) {
        const at = positions === undefined ? this.positions[3 * node + axis] : positions[3 * i + axis];
        if (!Number.isFinite(at)) {
          throw new NearfieldError('non-finite', `Node ${node} is to be held at ${at}; give finite positions.`, {
            vertex: node,
          });
        }
        this.part.heldAt[3 * node + axis] = at;
      }
    }
    this.part.holdMiddles();
  }

  /** Lets nodes go; all without an argument. */
  release(nodes?: ArrayLike<number>): void {
    if (nodes !== undefined) this.assertNodes(nodes);
    this.part.invalidate();
    if (nodes === undefined) this.part.held.fill(0);
    else for (let i = 0; i < nodes.length; i++) this.part.held[nodes[i]] = 0;
    this.part.holdMiddles();
  }

  /**
   * Adds a total force to {@link loads}, spread by area over the faces of the surface whose corners are all among the nodes,
   * in the rest shape.
   */
  load(nodes: ArrayLike<number>, force: ReadonlyVec3): void {
    this.assertNodes(nodes);
    assertNumbers(force, 3, 'components of the force');
    if (!Number.isFinite(force[0] + force[1] + force[2])) {
      throw new NearfieldError(
        'non-finite',
        'The force has a component that is not finite; give three numbers, in newtons.',
      );
    }
    const isLoaded = new Uint8Array(this.part.masses.length);
    for (let i = 0; i < nodes.length; i++) isLoaded[nodes[i]] = 1;
    const { faces } = findSurface(this.mesh);
    const areas = new Float64Array(this.part.masses.length);
    let total = 0;
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = [faces[f], faces[f + 1], faces[f + 2]];
      if (isLoaded[a] + isLoaded[b] + isLoaded[c] < 3) continue;
      const area = faceArea(this.mesh.positions, a, b, c);
      total += area;
      for (const node of this.part.loadedNodes(a, b, c)) areas[node] += area / 3;
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
   * Moves the free nodes to an equilibrium of elastic forces, loads and gravity, from where they are; tangled elements are
   * unwound first. Velocities become 0.
   * A result that is not 'converged' has the best positions found.
   */
  solveStatic(options: EquilibriumOptions = {}): SolveReport {
    const { tolerance, maxIterations } = EQUILIBRIUM_OPTIONS.read(options);
    this.part.beginStatic();
    this.#newton ??= new Newton(this.#system);
    let untangling = { iterations: 0, linearIterations: 0 };
    if (this.inverted > 0) {
      this.part.beginStatic(true);
      untangling = this.#newton.minimize(this.positions, Math.max(tolerance, UNTANGLED), maxIterations);
      this.part.beginStatic();
    }
    const report = this.#newton.minimize(this.positions, tolerance, maxIterations);
    this.part.endStatic(this.positions);
    return {
      ...report,
      iterations: report.iterations + untangling.iterations,
      linearIterations: report.linearIterations + untangling.linearIterations,
    };
  }

  /** Advances the motion by a timestep, in seconds. */
  step(timestep: number, options: ElasticStepOptions = {}): SolveReport {
    assertRange('The timestep', timestep, Number.MIN_VALUE, 1e6);
    const { tolerance, maxIterations, mode, iterations, integrator } = STEP_OPTIONS.read(options);
    this.part.beginStep(timestep, integrator, this.#found);
    let report: SolveReport;
    if (mode === 'converged') {
      this.#newton ??= new Newton(this.#system);
      report = this.#newton.minimize(this.#found, tolerance, maxIterations);
    } else {
      this.#quasiNewton ??= new QuasiNewton(this.#system);
      report = this.#quasiNewton.minimize(this.#found, iterations);
    }
    this.part.endStep(this.#found);
    return report;
  }

  /** Energies of the current state. */
  energy(): ElasticEnergy {
    return this.part.energy();
  }

  /** Linear momentum, and angular momentum about the origin. */
  momentum(): { readonly linear: Vec3; readonly angular: Vec3 } {
    return this.part.momentum();
  }

  /** @internal */
  assertNodes(nodes: ArrayLike<number>): void {
    assertNumbers(nodes, 0, 'nodes');
    const count = this.mesh.positions.length / 3;
    for (let i = 0; i < nodes.length; i++) {
      if (Number.isInteger(nodes[i]) && nodes[i] >= 0 && nodes[i] < count) continue;
      throw new NearfieldError(
        'index-out-of-range',
        `There is no node ${nodes[i]}; the body has nodes 0 to ${count - 1}.`,
      );
    }
  }
}

function faceArea(p: Float64Array, a: number, b: number, c: number): number {
  const [ux, uy, uz] = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
  const [vx, vy, vz] = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
}

// The elastic bodies of a scene in their world, beside the rigid ones: what holds and loads them in time, and their frames.
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import type { RigidWorld } from '../dynamics/world.js';
import { ElasticBody } from '../elastic/body/elastic-body.js';
import { MIN_STRAIN, type SolveReport } from '../elastic/body/newton.js';
import { elementVolumes, surfaceMesh, type TetrahedralMesh } from '../elastic/tetrahedra/tetrahedral-mesh.js';
import { ElasticWorld } from '../elastic/world/elastic-world.js';
import type { CheckedBody, CheckedProbe, CheckedScene } from './check-scene.js';
import { applyHold, type NodalLoad, spreadLoad } from './elastic-loads.js';
import { ElasticMotion } from './elastic-motion.js';
import { findMaterialPoint, placeMaterialPoint } from './material-point.js';
import type { BodyState, SimulatedBody } from './simulation.js';

/** Rounding: loads end this share of a step early, so that rounding does not make them last a step longer. */
const END_TOLERANCE = 1e-9;

/**
 * Chosen: a solution that cannot improve counts as unsolved if forces above this share of the loads are unbalanced, as
 * Newton's method compares them.
 */
const UNBALANCED = 1e-3;

export class ElasticScene {
  readonly world: ElasticWorld;
  /** Elements of all bodies. */
  readonly elements: number = 0;
  /** Solutions that were not found to the tolerance. */
  unsolved = 0;
  readonly #motions: ElasticMotion[] = [];
  readonly #surfaces: Uint32Array[] = [];
  readonly #loads: NodalLoad[] = [];
  #shares: number[] = [];
  readonly #isBounded: boolean;

  constructor(scene: CheckedScene, rigid: RigidWorld, timestep: number) {
    const { integrator, mode, iterations, contact } = scene.solver;
    this.#isBounded = mode === 'real-time';
    this.world = new ElasticWorld({ rigid, timestep, integrator, mode, iterations, contact });
  }

  /** Adds a body of tetrahedra, given in the frame of the shape. */
  addBody(checked: CheckedBody, shape: TetrahedralMesh, gravity: Vec3): SimulatedBody {
    const placed = checked.pose as pose.Pose;
    const { elastic, place, friction } = checked;
    const { young, poisson, damping, element, material, selfCollision } = elastic!;
    const mesh = placeMesh(shape, placed);
    const volume = elementVolumes(mesh).reduce((sum, own) => sum + own, 0);
    const density = checked.mass === null ? (checked.density ?? undefined) : checked.mass / volume;
    const id = this.world.bodies.length;
    const body = place.name(() => {
      const made = new ElasticBody(mesh, { young, poisson, density, damping, element, material, gravity });
      this.world.addBody(made, { friction, selfCollision });
      return made;
    });
    const motion = new ElasticMotion(body, placed);
    for (const hold of checked.holds) place.name(() => applyHold(this.world, body, hold));
    for (const load of checked.loads) this.#loads.push(place.name(() => spreadLoad(body, load)));
    (this as { elements: number }).elements += mesh.elements.length / 4;
    this.#motions.push(motion);
    const skin = surfaceMesh(shape);
    this.#surfaces.push(skin.nodes);
    this.setVelocity(id, checked);
    return { name: checked.name, shape: { mesh: skin.mesh }, kind: 'elastic', id };
  }

  /** Gives a body the velocity it starts with. */
  setVelocity(id: number, { velocity: v, angularVelocity: w }: CheckedBody): void {
    const { positions, velocities, part } = this.world.bodies[id];
    const { restCenter } = this.#motions[id];
    for (let node = 0; node < velocities.length / 3; node++) {
      const r = [0, 1, 2].map((k) => positions[3 * node + k] - restCenter[k]);
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        velocities[3 * node + k] = part.held[node] === 1 ? 0 : v[k] + w[i] * r[j] - w[j] * r[i];
      }
    }
  }

  /** Makes a step from a time on. @returns false if it did not have the time. */
  step(time: number, maxMilliseconds = Infinity): boolean {
    const h = this.world.timestep;
    this.#applyLoads(({ until }) => {
      const share = (until - time) / h;
      return share < END_TOLERANCE ? 0 : Math.min(1, share);
    });
    const report = this.world.step(maxMilliseconds);
    if (report === null) return false;
    this.#note(report);
    return true;
  }

  /** Moves the bodies to their equilibrium at a time. */
  solveStatic(time: number): void {
    const h = this.world.timestep;
    this.#applyLoads(({ until }) => (time <= until + END_TOLERANCE * h ? 1 : 0));
    this.#note(this.world.solveStatic(time));
  }

  /** Begins in the equilibrium of what acts at time 0, with the velocities of the scene. */
  startStatic(bodies: readonly CheckedBody[]): void {
    this.solveStatic(0);
    const elastic = bodies.filter((body) => body.elastic !== null);
    elastic.forEach((body, id) => {
      this.setVelocity(id, body);
    });
  }

  state(id: number): BodyState {
    return this.#motions[id].state();
  }

  /** Where the nodes of a body are. */
  nodes(id: number): number[][] {
    const { positions, mesh } = this.world.bodies[id];
    return Array.from({ length: mesh.positions.length / 3 }, (_, node) =>
      Array.from(positions.subarray(3 * node, 3 * node + 3)),
    );
  }

  /** Where the vertices of the surface of a body are. */
  surface(id: number): Float64Array {
    const { positions } = this.world.bodies[id];
    const nodes = this.#surfaces[id];
    const out = new Float64Array(3 * nodes.length);
    nodes.forEach((node, i) => {
      out.set(positions.subarray(3 * node, 3 * node + 3), 3 * i);
    });
    return out;
  }

  /** A function that says where a probe is. */
  probe(id: number, { place, at }: CheckedProbe): () => number[] {
    const body = this.world.bodies[id];
    if ('node' in at) {
      const count = body.mesh.positions.length / 3;
      if (at.node >= count) place.refuse(`is ${at.node}; the body has nodes 0 to ${count - 1}`);
      return () => Array.from(body.positions.subarray(3 * at.node, 3 * at.node + 3));
    }
    const point = place.name(() => findMaterialPoint(body, at.point));
    return () => placeMaterialPoint(body, point);
  }

  /**
   * Steps of bounded cost are never found to the tolerance. What cannot fall further is, unless forces are left over.
   */
  #note({ status, residual }: SolveReport): void {
    if (this.#isBounded || status === 'converged') return;
    let [loads, stiffForce] = [0, 0];
    for (const { part } of this.world.bodies) {
      loads += part.squaredLoads();
      stiffForce = Math.max(stiffForce, part.stiffForce);
    }
    const acting = Math.max(Math.sqrt(loads), MIN_STRAIN * stiffForce);
    if (status === 'iterations' || residual > UNBALANCED * acting) this.unsolved++;
  }

  #applyLoads(shareOf: (load: NodalLoad) => number): void {
    const shares = this.#loads.map(shareOf);
    if (shares.length === this.#shares.length && shares.every((share, i) => share === this.#shares[i])) return;
    this.#shares = shares;
    for (const { body } of this.#loads) body.loads.fill(0);
    this.#loads.forEach(({ body, forces }, i) => {
      for (let k = 0; k < forces.length; k++) body.loads[k] += shares[i] * forces[k];
    });
  }
}

function placeMesh({ positions, elements }: TetrahedralMesh, placed: pose.Pose): TetrahedralMesh {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < out.length; i += 3) {
    out.set(pose.transformPoint(placed, [positions[i], positions[i + 1], positions[i + 2]]), i);
  }
  return { positions: out, elements };
}

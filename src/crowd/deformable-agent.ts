// An agent with an elastic body (the deformable robots that Garber and Lin 2002 name as extension): it follows the potential of
// its goal by a bounded force on all of its mass, through passages narrower than it is at rest. Bodies are kept apart by the
// barrier of the elastic chapter, so that no step has an overlap.

import { AGENT_DEFAULTS } from '../agents/agent-options.js';
import { ClearanceGrid } from '../agents/clearance-grid.js';
import { GoalField } from '../agents/goal-field.js';
import { bodyShape, WorldBody } from '../agents/world-body.js';
import type { Pose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import { RigidWorld } from '../dynamics/world.js';
import { ElasticBody } from '../elastic/body/elastic-body.js';
import { elementVolumes, surfaceMesh } from '../elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../elastic/tetrahedra/tetrahedralize-mesh.js';
import { ElasticWorld } from '../elastic/world/elastic-world.js';
import { GuidedBody } from '../kinematics/robot/guided-body.js';
import { within } from '../kinematics/robot/refusals.js';
import type { Mesh } from '../mesh/mesh.js';
import { buildRobot } from '../planning/problem/build-scene.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import {
  checkDeformableOptions,
  type DeformableAgentOptions,
  type DeformableStatus,
  type DeformableStep,
  refuse,
} from './deformable-options.js';

/** Chosen: the spacing of the potential, as a share of the least half width that is tried. */
const SPACING = 0.5;

/** Chosen: the count of elements along a diameter. */
const ELEMENTS = 6;

/** Chosen: the agent has arrived within this share of its size. */
const ARRIVED = 0.02;

/** Chosen: the agent is patient for the time in which it could go this far, in its radii. */
const PATIENCE = 8;

/** Chosen: the agent makes progress if it comes nearer by this share of its size. */
const GAIN = 0.05;

/** Chosen: the agent reaches the wanted speed in this count of steps. */
const RESPONSE = 4;

/** Chosen: the agent brakes for its goal this count of steps before. */
const BRAKES = 12;

/** Chosen: the agent goes straight to a goal within this count of nodes of the potential. */
const STRAIGHT = 2;

/** An agent whose body is elastic, on its way to a goal among obstacles at rest. */
export class DeformableAgent {
  /**
   * How far its surface of elements at rest is from the given mesh, and the mesh from it: proven bounds, in meters. What is
   * proven of the motion is proven of the surface of elements.
   */
  readonly surfaceDistance: { readonly toInput: number; readonly fromInput: number };
  /** The least half width of passages that are tried, in meters. */
  readonly narrowest: number;
  readonly #body: ElasticBody;
  readonly #world: ElasticWorld;
  readonly #obstacles: readonly number[];
  readonly #field: GoalField;
  readonly #goal: Vec3;
  readonly #force: number;
  readonly #speed: number;
  readonly #tolerance: number;
  readonly #patience: number;
  readonly #radius: number;
  readonly #restVolumes: Float64Array;
  readonly #direction = new Float64Array(3);
  /** The part of the force that grows while it makes no progress. */
  #effort = 0;
  #bestLeft = Infinity;
  #bestTime = 0;
  #leastSoFar = 1;
  #status: DeformableStatus = 'moving';
  #reason: string | null = null;

  /**
   * @throws NearfieldError for options that are missing, unknown or out of range, meshes that are open, a goal in an obstacle or
   * outside of the bounds, and a start that touches an obstacle.
   */
  constructor(options: DeformableAgentOptions) {
    checkDeformableOptions(options);
    const { mesh, bounds, material, force, speed = AGENT_DEFAULTS.linear, squeeze = 0.5, friction = 0 } = options;
    const { timeStep = AGENT_DEFAULTS.timeStep } = options;
    const start = pose.parse(options.pose, 'pose');
    this.#goal = [options.goal[0], options.goal[1], options.goal[2]];
    const built = buildRobot({ type: 'rigid', mesh, bounds, start, goal: start }, 'the agent', 0);
    const robot = built.robot.body!;
    const guided = new GuidedBody(robot, robot.size);
    this.#radius = guided.radius;
    const { tolerance = ARRIVED * guided.radius, elementSize = (2 * guided.radius) / ELEMENTS } = options;
    const made = tetrahedralizeMesh(mesh, { size: elementSize });
    this.surfaceDistance = made.distance ?? { toInput: 0, fromInput: 0 };
    this.#body = new ElasticBody(made.mesh, material);
    this.#restVolumes = elementVolumes(made.mesh);
    placeNodes(this.#body, start);
    const rigid = new RigidWorld({ gravity: [0, 0, 0], timestep: timeStep });
    const models = options.obstacles.map(({ mesh: shape, pose: at }, i) =>
      within(`obstacle ${i + 1}`, () => {
        const model = new ProximityModel(shape);
        const placed = at === undefined ? pose.identity() : pose.parse(at, 'pose');
        const id = rigid.addBody({ shape: { mesh: model }, fixed: true, pose: placed, friction });
        return { id, body: new WorldBody(`obstacle ${i + 1}`, i, bodyShape(model), placed) };
      }),
    );
    this.#obstacles = models.map(({ id }) => id);
    this.#world = new ElasticWorld({ rigid, contact: 'barrier' });
    this.#world.addBody(this.#body, { friction });
    if (this.#world.worstPenetration() > 0) refuse('The agent overlaps an obstacle at its pose; begin apart.');
    this.#assertGoal(bounds, models);
    this.narrowest = squeeze * guided.halfWidth;
    const grid = new ClearanceGrid(guided, SPACING * this.narrowest, 0, 0, 2 * guided.radius);
    for (const i of models.keys()) grid.obstacleMoved(i);
    grid.update(models.map(({ body }) => body));
    this.#field = new GoalField(grid, this.#goal, this.narrowest, guided.radius);
    this.#field.march();
    this.#force = force;
    this.#speed = speed;
    this.#tolerance = tolerance;
    this.#patience = options.patience ?? (PATIENCE * guided.radius) / speed;
  }

  /** Seconds since the start. */
  get time(): number {
    return this.#world.time;
  }

  get status(): DeformableStatus {
    return this.#status;
  }

  /** Why it is stuck; null unless it is. That it found no way proves nothing. */
  get reason(): string | null {
    return this.#reason;
  }

  /** The center of mass. */
  get center(): Vec3 {
    return this.#average(this.#body.positions);
  }

  /** The surface of its elements as it is now: a copy. */
  get surface(): Mesh {
    return surfaceMesh({ ...this.#body.mesh, positions: this.#body.positions }).mesh;
  }

  /** Of the body, N s: linear, and angular about the origin. */
  get momentum(): { readonly linear: Vec3; readonly angular: Vec3 } {
    return this.#body.momentum();
  }

  /** What it weighs, in kilograms. */
  get mass(): number {
    return this.#body.mass;
  }

  /**
   * The least `leastVolume` of all steps so far. At 0 or less an element was turned inside out: the surface still had no overlap, but
   * the body was squeezed beyond what its material means.
   */
  get leastVolume(): number {
    return this.#leastSoFar;
  }

  /** An upper bound of the deepest overlap now: 0, by proof, after every step. */
  worstPenetration(): number {
    return this.#world.worstPenetration();
  }

  /** Makes a step; one that has arrived or is stuck stays as it is. */
  step(): DeformableStep {
    const left = this.#measureWay();
    const push = this.#status === 'moving' ? this.#push(left) : 0;
    let converged = true;
    if (this.#status === 'moving') {
      converged = this.#world.step().status !== 'iterations';
      this.#judge();
    }
    const leastVolume = this.#measureVolume();
    this.#leastSoFar = Math.min(this.#leastSoFar, leastVolume);
    let contactForce = 0;
    for (const id of this.#obstacles) contactForce += vec3.length(this.#world.forceOn(id).force);
    return {
      time: this.time,
      status: this.#status,
      force: push,
      speed: vec3.length(this.#average(this.#body.velocities)),
      left,
      contactForce,
      leastVolume,
      converged,
    };
  }

  /** Writes the direction of the way, and returns how far it is. */
  #measureWay(): number {
    const center = this.center;
    const straight = vec3.distance(center, this.#goal);
    const left = this.#field.direction(center, this.#direction);
    if (straight > STRAIGHT * this.#field.grid.frame.spacing) {
      if (left === Infinity) {
        this.#giveUp(
          `No passage of at least ${Number((2 * this.narrowest).toPrecision(3))} m was found between it and its goal.`,
        );
      }
      return left;
    }
    for (let k = 0; k < 3; k++) this.#direction[k] = straight > 0 ? (this.#goal[k] - center[k]) / straight : 0;
    return straight;
  }

  /** Writes the loads of a step; returns the length of their sum. */
  #push(left: number): number {
    const { timestep } = this.#world;
    const velocity = this.#average(this.#body.velocities);
    const wanted = Math.min(this.#speed, left / (BRAKES * timestep));
    const along = vec3.dot(velocity, [this.#direction[0], this.#direction[1], this.#direction[2]]);
    // Held back, it pushes more and more, and reaches its bound in half of its patience.
    const missing = (wanted - along) / this.#speed;
    const rate = (2 * this.#force * timestep) / this.#patience;
    this.#effort = missing > 0 ? Math.min(this.#force, this.#effort + rate * missing) : 0;
    const { mass } = this;
    const gain = mass / (RESPONSE * timestep);
    const total: Vec3 = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      total[k] = gain * (wanted * this.#direction[k] - velocity[k]) + this.#effort * this.#direction[k];
    }
    const length = vec3.length(total);
    const share = length > this.#force ? this.#force / length : 1;
    const { masses } = this.#body.part;
    for (let i = 0; i < masses.length; i++) {
      for (let k = 0; k < 3; k++) this.#body.loads[3 * i + k] = (share * total[k] * masses[i]) / mass;
    }
    return Math.min(length, this.#force);
  }

  #judge(): void {
    const left = this.#measureWay();
    if (this.#status !== 'moving') return;
    if (vec3.distance(this.center, this.#goal) <= this.#tolerance) {
      this.#status = 'arrived';
      return;
    }
    if (left < this.#bestLeft - GAIN * this.#radius) {
      this.#bestLeft = left;
      this.#bestTime = this.time;
    } else if (this.time - this.#bestTime > this.#patience) {
      const atBound = this.#effort >= this.#force * (1 - 1e-9);
      this.#giveUp(
        atBound
          ? `It makes no progress with its whole force of ${this.#force} N.`
          : 'It makes no progress: it comes no nearer to its goal.',
      );
    }
  }

  #giveUp(reason: string): void {
    this.#status = 'stuck';
    this.#reason = reason;
  }

  #measureVolume(): number {
    const now = elementVolumes({ ...this.#body.mesh, positions: this.#body.positions });
    let least = Infinity;
    for (let e = 0; e < now.length; e++) least = Math.min(least, now[e] / this.#restVolumes[e]);
    return least;
  }

  /** The average over the mass. */
  #average(values: Float64Array): Vec3 {
    const { masses } = this.#body.part;
    const sum: Vec3 = [0, 0, 0];
    let mass = 0;
    for (let i = 0; i < masses.length; i++) {
      mass += masses[i];
      for (let k = 0; k < 3; k++) sum[k] += masses[i] * values[3 * i + k];
    }
    return [sum[0] / mass, sum[1] / mass, sum[2] / mass];
  }

  #assertGoal(
    { min, max }: DeformableAgentOptions['bounds'],
    obstacles: readonly { readonly body: WorldBody }[],
  ): void {
    const goal = this.#goal;
    if (goal.some((value, k) => value < min[k] || value > max[k])) refuse('The goal is outside of the bounds.');
    for (const { body } of obstacles) {
      const at = [...body.pose] as Pose;
      const local = pose.transformPoint(pose.invert(at), goal);
      if (body.shape.model.signedDistance(local) <= 0) refuse(`The goal is in ${body.name}.`);
    }
  }
}

/** Puts the nodes of a body at rest where a pose has them. */
function placeNodes({ positions }: ElasticBody, at: Pose): void {
  for (let i = 0; i < positions.length; i += 3) {
    positions.set(pose.transformPoint(at, [positions[i], positions[i + 1], positions[i + 2]]), i);
  }
}

// What elastic bodies need of a world of rigid ones, and those bodies as obstacles and as parts of a step. Rigid bodies meet
// each other in their own world; elastic ones meet them in a common step, which gives them forces.
import type * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { massProperties } from '../../mesh/report/mass-properties.js';
import { OUTWARD_SURFACE } from '../../proximity/model-parts.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { RigidPart } from '../body/rigid-part.js';
import { RigidObstacle } from '../contact/rigid-obstacle.js';
import { RigidSolid } from '../contact/rigid-solid.js';

/** The shape of a rigid body: a closed mesh, or a ball about the origin. */
export interface RigidShape {
  readonly model: ProximityModel | null;
  readonly ballRadius: number;
}

/** A world of rigid bodies, as `RigidWorld` of `nearfield/dynamics` is one. */
export interface RigidSystem {
  readonly timestep: number;
  readonly time: number;
  readonly gravity: Vec3;
  readonly bodies: readonly number[];
  /** The pose of the shape's frame. */
  poseOf(body: number): pose.Pose;
  /** Where a path leads a body that is moved; where others are. */
  poseAt(body: number, time: number): pose.Pose;
  /** The center of mass. */
  centerOf(body: number): Vec3;
  /** Of the center of mass. */
  velocityOf(body: number): Vec3;
  /** In world axes. */
  angularVelocityOf(body: number): Vec3;
  /** Infinity for bodies that are fixed or moved. */
  massOf(body: number): number;
  /** Coulomb's coefficient. */
  frictionOf(body: number): number;
  /** Bodies may share one. */
  shapeOf(body: number): RigidShape;
  /** At the center of mass, for the next step. */
  applyForce(body: number, force: ReadonlyVec3): void;
  /** For the next step. */
  applyTorque(body: number, torque: ReadonlyVec3): void;
  /** Advances by the timestep. */
  step(): void;
  /** Of all free bodies. */
  energy(): { readonly kinetic: number; readonly gravitational: number; readonly contact: number };
  /** Of all free bodies: linear, and angular about the origin. */
  momentum(): { readonly linear: Vec3; readonly angular: Vec3 };
  readonly contactCount: number;
}

/** One body of a {@link RigidSystem} in contact with elastic ones. */
export class CoupledRigid {
  readonly id: number;
  readonly obstacle: RigidObstacle;
  /** The part of a body that is free; null for one that is fixed or moved. */
  readonly part: RigidPart | null;
  readonly #system: RigidSystem;
  readonly #mass: number;
  /** In the frame of the shape, by rows. */
  readonly #inertia: Float64Array;
  readonly #worldInertia = new Float64Array(9);
  /** The impulse and its moment that contact gave in the last step. */
  readonly #impulse = new Float64Array(6);

  constructor(system: RigidSystem, id: number, solid: RigidSolid) {
    this.id = id;
    this.#system = system;
    this.obstacle = new RigidObstacle(solid, system.frictionOf(id));
    this.#mass = system.massOf(id);
    this.part = Number.isFinite(this.#mass) ? new RigidPart() : null;
    this.#inertia = inertiaOf(system.shapeOf(id), this.#mass);
  }

  /** Where the body is. */
  poseNow(): pose.Pose {
    return this.#system.poseOf(this.id);
  }

  /** Where the path of the body leads at a time. */
  poseAt(time: number): pose.Pose {
    return this.#system.poseAt(this.id, time);
  }

  /** Begins a step of a body that is fixed or moved, from a place. */
  beginFrom(start: pose.ReadonlyPose): void {
    this.obstacle.begin(start, this.#system.centerOf(this.id));
  }

  /** Places the obstacle where the body is. */
  placeNow(): void {
    this.obstacle.begin(this.#system.poseOf(this.id), this.#system.centerOf(this.id));
  }

  /** Begins an equilibrium of elastic bodies: this one stands where its path leads at a time, or where it is. */
  standAt(time: number): void {
    this.obstacle.stand(this.#system.poseAt(this.id, time), this.#system.centerOf(this.id));
  }

  /** Places the obstacle where the path of the body leads at a time. */
  placeAt(time: number): void {
    this.obstacle.begin(this.#system.poseAt(this.id, time), this.#system.centerOf(this.id));
  }

  /**
   * Begins a step from where {@link placeNow} has put the body.
   * @param share where in the step the state is that is looked for: 1, or 0.5 for the midpoint rule.
   * @param guess of the unknowns, where there are any.
   */
  begin(share: number, guess: Float64Array): void {
    const { part, obstacle } = this;
    const system = this.#system;
    const h = system.timestep;
    if (part === null) {
      const end = system.poseAt(this.id, system.time + share * h);
      obstacle.begin(system.poseOf(this.id), system.centerOf(this.id), end);
      return;
    }
    const [v, w] = [system.velocityOf(this.id), system.angularVelocityOf(this.id)];
    const { gravity } = system;
    // Under a constant force a body moves by h²/2 of its acceleration; the midpoint rule has h²/4 half way.
    const square = share === 1 ? (h * h) / 2 : (h * h) / 4;
    const free = share * h;
    const move: Vec3 = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      move[k] = free * v[k] + square * gravity[k];
      guess[obstacle.unknowns + k] = free * v[k];
      guess[obstacle.unknowns + 3 + k] = free * w[k];
    }
    this.#turnInertia();
    part.begin(this.#mass, this.#worldInertia, 1 / square, move, [free * w[0], free * w[1], free * w[2]]);
  }

  /**
   * Gives the body what contact pushed it with, for its next step.
   * @param isMultistep whether the impulse of the last step counts too, as in BDF2: both sides then get the same.
   */
  push(isMultistep: boolean): void {
    if (this.part === null) return;
    const h = this.#system.timestep;
    const j = this.#impulse;
    const { wrench } = this.obstacle;
    let largest = 0;
    for (let k = 0; k < 6; k++) {
      j[k] = isMultistep ? j[k] / 3 - (2 / 3) * h * wrench[k] : -h * wrench[k];
      largest = Math.max(largest, Math.abs(j[k]));
    }
    // What the last step left fades by a third each time; a body that sleeps is left alone.
    if (!(largest > 1e-12 * this.#mass)) {
      j.fill(0);
      return;
    }
    this.#system.applyForce(this.id, [j[0] / h, j[1] / h, j[2] / h]);
    this.#system.applyTorque(this.id, [j[3] / h, j[4] / h, j[5] / h]);
  }

  #turnInertia(): void {
    const [, , , x, y, z, w] = this.#system.poseOf(this.id);
    const r = quat.toMatrix3([x, y, z, w]);
    const m = this.#inertia;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let p = 0; p < 3; p++) for (let q = 0; q < 3; q++) sum += r[3 * i + p] * m[3 * p + q] * r[3 * j + q];
        this.#worldInertia[3 * i + j] = sum;
      }
    }
  }
}

/** What contact needs of a shape. */
export function makeSolid(shape: RigidShape): RigidSolid {
  if (shape.model === null) return RigidSolid.ball(shape.ballRadius);
  return RigidSolid.solid(shape.model.parts.get(OUTWARD_SURFACE).mesh);
}

function inertiaOf({ model, ballRadius }: RigidShape, mass: number): Float64Array {
  const inertia = new Float64Array(9);
  if (!Number.isFinite(mass)) return inertia;
  if (model === null) {
    inertia[0] = inertia[4] = inertia[8] = 0.4 * mass * ballRadius * ballRadius;
    return inertia;
  }
  const solid = massProperties(model.parts.get(OUTWARD_SURFACE).mesh);
  solid.inertia.forEach((row, i) => {
    inertia.set(
      row.map((value) => (value * mass) / solid.volume),
      3 * i,
    );
  });
  return inertia;
}

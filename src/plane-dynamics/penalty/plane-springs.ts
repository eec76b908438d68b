// The springs of a world in the plane: the chains of soft bodies, and penalty forces between these and what they overlap, or
// between all bodies. Their state follows the bodies: it is found anew after every motion.
import { ELASTIC, type PlaneBodies } from '../body/plane-bodies.js';
import { chooseStiffness } from './choose-stiffness.js';
import type { ElasticRing } from './elastic-ring.js';
import { PenaltyForces } from './penalty-forces.js';

/** How springs act in a world. */
export interface SpringOptions {
  /** The spacing of the boundary samples of penalty forces, in diameters of a body. */
  readonly spacing: number;
  /** Force by depth and length of boundary, N/m²; undefined: what the substeps can follow. */
  readonly stiffness: number | undefined;
  /** Whether springs act between rigid bodies too. */
  readonly betweenRigid: boolean;
  /** The length of a substep, s. */
  readonly substep: number;
}

export class PlaneSprings {
  /** Soft bodies by number; null for rigid ones. */
  readonly rings: (ElasticRing | null)[] = [];
  readonly forces: PenaltyForces;
  readonly #bodies: PlaneBodies;
  readonly #options: SpringOptions;
  /** Whether springs act at all. */
  #isActive: boolean;
  /** Whether bodies were added or placed since the springs were found. */
  #isStale = true;

  constructor(bodies: PlaneBodies, options: SpringOptions) {
    this.#bodies = bodies;
    this.#options = options;
    this.#isActive = options.betweenRigid;
    this.forces = new PenaltyForces(bodies, this.rings, options.spacing);
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Notes a new body, with its chain if it is soft. */
  add(i: number, ring: ElasticRing | null): void {
    this.rings[i] = ring;
    if (ring !== null) this.#isActive = true;
  }

  remove(i: number): void {
    this.rings[i] = null;
  }

  /** Notes that bodies were added or placed. */
  invalidate(): void {
    this.#isStale = true;
  }

  /** Finds the springs if bodies were added or placed since they were last found. */
  refresh(): void {
    if (!this.#isStale || !this.#isActive) return;
    this.#isStale = false;
    const { stiffness, substep } = this.#options;
    this.forces.stiffness = stiffness ?? chooseStiffness(this.#bodies, this.rings, substep);
    this.find();
  }

  /** Finds the forces of the chains and of what overlaps, where everything is now. */
  find(): void {
    if (!this.#isActive) return;
    for (const ring of this.rings) ring?.evaluate();
    this.forces.evaluate(!this.#options.betweenRigid);
  }

  /** Changes velocities by what springs, and gravity on soft bodies, do in a time. */
  kick(h: number, gravity: Float64Array): void {
    for (const ring of this.rings) ring?.kick(h, gravity[0], gravity[1]);
    if (this.#isActive) this.forces.kick(h);
  }

  /** Moves the nodes of soft bodies evenly for a time. */
  drift(h: number): void {
    if (!this.#isActive) return;
    for (const ring of this.rings) ring?.drift(h);
    this.find();
  }

  /** Sets center, angle and velocities of a soft body from its nodes. */
  follow(i: number): void {
    const ring = this.rings[i];
    if (ring === null || this.#bodies.kind[i] !== ELASTIC) return;
    const bodies = this.#bodies;
    const [vx, vy, spin, x, y] = ring.rigidMotion();
    bodies.velocity[2 * i] = vx;
    bodies.velocity[2 * i + 1] = vy;
    bodies.spin[i] = spin;
    bodies.turn(i, ring.angle);
    const c = bodies.cosine[i];
    const s = bodies.sine[i];
    bodies.center[2 * i] = x - c * ring.offsetX + s * ring.offsetY;
    bodies.center[2 * i + 1] = y - s * ring.offsetX - c * ring.offsetY;
  }

  /** {@link follow} for all soft bodies. */
  followAll(): void {
    for (let i = 0; i < this.#bodies.count; i++) this.follow(i);
  }
}

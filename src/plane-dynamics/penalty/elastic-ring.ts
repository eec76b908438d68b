// A soft body whose boundary carries waves: a closed chain of nodes around a rest shape. The papers do not give a model;
// this is the wave equation for the displacement u from the rest shape, with a spring back to it:
//   E = ½ Σ (T / l) |Δu|² over the edges + ½ Σ κ l |u|² over the nodes, with T = μ c² and κ = μ (2π f)², μ mass by length.
// The rest shape is placed where it makes E least, so forces sum to zero, and so do their torques; or it stays fixed.
import type { Outline } from '../outline/outline.js';

/** A boundary that carries waves. */
export interface PlaneElasticity {
  /** Of waves along the boundary, m/s. */
  readonly waveSpeed: number;
  /** Of a displacement of the whole boundary about the rest shape, Hz. */
  readonly frequency: number;
  /** 1/s: how fast motion against the rest shape dies away. Default 0. */
  readonly damping?: number | undefined;
}

export class ElasticRing {
  /** x, y of each node, in the world. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly masses: Float64Array;
  /** Of the last evaluation. */
  readonly forces: Float64Array;
  /** From the center of mass of the nodes. */
  readonly rest: Float64Array;
  readonly next: Int32Array;
  readonly rings: readonly Float64Array[];
  readonly mass: number;
  /** The center of the nodes in the frame of the center of mass of the area. */
  readonly offsetX: number;
  readonly offsetY: number;
  /** Where the rest shape stands. */
  x = 0;
  y = 0;
  angle = 0;
  energy = 0;
  readonly #tension: Float64Array;
  readonly #hold: Float64Array;
  /** The matrix of E times the rest shape: for its best angle. */
  readonly #stiffRest: Float64Array;

  constructor(
    readonly outline: Outline,
    mass: number,
    readonly options: PlaneElasticity,
    readonly isFixed: boolean,
  ) {
    const { points, next } = outline;
    const count = next.length;
    this.next = next;
    this.mass = mass;
    this.positions = new Float64Array(2 * count);
    this.velocities = new Float64Array(2 * count);
    this.forces = new Float64Array(2 * count);
    this.masses = new Float64Array(count);
    this.#tension = new Float64Array(count);
    this.#hold = new Float64Array(count);
    this.#stiffRest = new Float64Array(2 * count);
    // Views of the nodes, ring by ring.
    this.rings = Array.from(outline.rings, (first, r) => {
      const end = r + 1 < outline.rings.length ? outline.rings[r + 1] : count;
      return this.positions.subarray(2 * first, 2 * end);
    });
    let length = 0;
    const lengths = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const j = next[i];
      lengths[i] = Math.hypot(points[2 * j] - points[2 * i], points[2 * j + 1] - points[2 * i + 1]);
      length += lengths[i];
    }
    const line = mass / length;
    const rate = 2 * Math.PI * options.frequency;
    for (let i = 0; i < count; i++) {
      const share = (lengths[i] + lengths[outline.previous[i]]) / 2;
      this.masses[i] = line * share;
      this.#hold[i] = line * rate * rate * share;
      this.#tension[i] = (line * options.waveSpeed * options.waveSpeed) / lengths[i];
    }
    let x = 0;
    let y = 0;
    for (let i = 0; i < count; i++) {
      x += (this.masses[i] * points[2 * i]) / mass;
      y += (this.masses[i] * points[2 * i + 1]) / mass;
    }
    this.offsetX = x;
    this.offsetY = y;
    this.rest = points.slice(0, 2 * count);
    for (let i = 0; i < count; i++) {
      this.rest[2 * i] -= x;
      this.rest[2 * i + 1] -= y;
    }
    this.#multiply(this.rest, this.#stiffRest);
  }

  /** The largest stable rate of the chain: of the shortest wave, rad/s. */
  get fastest(): number {
    let most = 0;
    for (let i = 0; i < this.masses.length; i++) {
      const j = this.next[i];
      most = Math.max(most, (4 * this.#tension[i] + this.#hold[i]) / Math.min(this.masses[i], this.masses[j]));
    }
    return Math.sqrt(most);
  }

  /** Places the rest shape, and the nodes on it, moving evenly. The center is that of the nodes. */
  place(x: number, y: number, angle: number, vx: number, vy: number, spin: number): void {
    this.x = x;
    this.y = y;
    this.angle = angle;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (let i = 0; i < this.masses.length; i++) {
      const dx = c * this.rest[2 * i] - s * this.rest[2 * i + 1];
      const dy = s * this.rest[2 * i] + c * this.rest[2 * i + 1];
      this.positions[2 * i] = x + dx;
      this.positions[2 * i + 1] = y + dy;
      this.velocities[2 * i] = vx - spin * dy;
      this.velocities[2 * i + 1] = vy + spin * dx;
    }
    this.evaluate();
  }

  /** Sets the forces of the chain for where the nodes are, and its energy. Other forces are added to them. */
  evaluate(): void {
    const { positions, rest, forces, masses } = this;
    const count = masses.length;
    if (!this.isFixed) this.#fit();
    const [c, s] = [Math.cos(this.angle), Math.sin(this.angle)];
    // Displacements first, then their forces.
    for (let i = 0; i < count; i++) {
      forces[2 * i] = positions[2 * i] - this.x - c * rest[2 * i] + s * rest[2 * i + 1];
      forces[2 * i + 1] = positions[2 * i + 1] - this.y - s * rest[2 * i] - c * rest[2 * i + 1];
    }
    this.energy = this.#multiply(forces, this.#work);
    for (let k = 0; k < 2 * count; k++) forces[k] = -this.#work[k];
  }

  /** Moves the rest shape to the center of mass of the nodes, at the angle of least energy. */
  #fit(): void {
    const { positions, masses } = this;
    let x = 0;
    let y = 0;
    for (let i = 0; i < masses.length; i++) {
      x += masses[i] * positions[2 * i];
      y += masses[i] * positions[2 * i + 1];
    }
    this.x = x / this.mass;
    this.y = y / this.mass;
    let along = 0;
    let across = 0;
    const stiff = this.#stiffRest;
    for (let i = 0; i < masses.length; i++) {
      const dx = positions[2 * i] - this.x;
      const dy = positions[2 * i + 1] - this.y;
      along += dx * stiff[2 * i] + dy * stiff[2 * i + 1];
      across += dy * stiff[2 * i] - dx * stiff[2 * i + 1];
    }
    this.angle = Math.atan2(across, along);
  }

  #work = new Float64Array(0);

  /** Writes the gradient of E for displacements and returns E. */
  #multiply(u: Float64Array, out: Float64Array): number {
    const { next } = this;
    const count = next.length;
    if (this.#work.length === 0) this.#work = new Float64Array(2 * count);
    let energy = 0;
    for (let i = 0; i < count; i++) {
      const hold = this.#hold[i];
      out[2 * i] = hold * u[2 * i];
      out[2 * i + 1] = hold * u[2 * i + 1];
      energy += (hold * (u[2 * i] ** 2 + u[2 * i + 1] ** 2)) / 2;
    }
    for (let i = 0; i < count; i++) {
      const j = next[i];
      const dx = this.#tension[i] * (u[2 * j] - u[2 * i]);
      const dy = this.#tension[i] * (u[2 * j + 1] - u[2 * i + 1]);
      out[2 * i] -= dx;
      out[2 * i + 1] -= dy;
      out[2 * j] += dx;
      out[2 * j + 1] += dy;
      energy += (dx * (u[2 * j] - u[2 * i]) + dy * (u[2 * j + 1] - u[2 * i + 1])) / 2;
    }
    return energy;
  }

  /** Forces, and gravity, for a time. */
  kick(h: number, gx: number, gy: number): void {
    const { velocities, masses, forces } = this;
    const damping = this.options.damping ?? 0;
    if (damping > 0) this.#damp(Math.exp(-damping * h));
    for (let i = 0; i < masses.length; i++) {
      velocities[2 * i] += h * (gx + forces[2 * i] / masses[i]);
      velocities[2 * i + 1] += h * (gy + forces[2 * i + 1] / masses[i]);
    }
  }

  /** Scales the part of the motion that is not that of a rigid body; of a fixed body, all of it. */
  #damp(share: number): void {
    const { velocities, positions, masses } = this;
    const [vx, vy, spin, x, y] = this.isFixed ? [0, 0, 0, 0, 0] : this.rigidMotion();
    for (let i = 0; i < masses.length; i++) {
      const rigidX = vx - spin * (positions[2 * i + 1] - y);
      const rigidY = vy + spin * (positions[2 * i] - x);
      velocities[2 * i] = rigidX + share * (velocities[2 * i] - rigidX);
      velocities[2 * i + 1] = rigidY + share * (velocities[2 * i + 1] - rigidY);
    }
  }

  drift(h: number): void {
    for (let k = 0; k < this.positions.length; k++) this.positions[k] += h * this.velocities[k];
  }

  kineticEnergy(): number {
    let sum = 0;
    for (let i = 0; i < this.masses.length; i++) {
      sum += (this.masses[i] * (this.velocities[2 * i] ** 2 + this.velocities[2 * i + 1] ** 2)) / 2;
    }
    return sum;
  }

  /** Velocity, spin and center of the rigid body with the same momenta: vx, vy, spin, x, y. */
  rigidMotion(): [number, number, number, number, number] {
    const { positions, velocities, masses, mass } = this;
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    for (let i = 0; i < masses.length; i++) {
      const share = masses[i] / mass;
      x += share * positions[2 * i];
      y += share * positions[2 * i + 1];
      vx += share * velocities[2 * i];
      vy += share * velocities[2 * i + 1];
    }
    let turning = 0;
    let inertia = 0;
    for (let i = 0; i < masses.length; i++) {
      const dx = positions[2 * i] - x;
      const dy = positions[2 * i + 1] - y;
      turning += masses[i] * (dx * (velocities[2 * i + 1] - vy) - dy * (velocities[2 * i] - vx));
      inertia += masses[i] * (dx * dx + dy * dy);
    }
    return [vx, vy, turning / inertia, x, y];
  }
}

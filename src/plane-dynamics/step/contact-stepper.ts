// Intervals of motion with contacts: what the methods share that keep bodies apart by impulses.
import type { PlaneContext } from './plane-context.js';

export class ContactStepper {
  readonly #context: PlaneContext;

  constructor(context: PlaneContext) {
    this.#context = context;
  }

  /** Begins a step: near pairs, their contacts, and recovery from overlap. */
  begin(dt: number): void {
    const { motion, collision } = this.#context;
    motion.aim(dt);
    collision.begin(dt);
  }

  /** Gives velocities the first half of the forces of an interval, and the impulses that make the motion over it possible. */
  before(h: number): void {
    const { motion, collision, solver, limit } = this.#context;
    limit.check();
    motion.aim(h);
    motion.kick(h / 2);
    collision.follow(h);
    solver.before(h);
  }

  /** Moves all bodies evenly. */
  drift(h: number): void {
    this.#context.collision.drift(h);
    this.#context.motion.drift(h);
  }

  /** Gives velocities the second half of the forces, and the impulses that make them agree with contacts and joints. */
  after(h: number): void {
    this.#context.motion.kick(h / 2);
    this.#context.solver.after(h);
  }

  /** Ends a step. */
  end(dt: number): void {
    const { motion, collision, sleeping } = this.#context;
    collision.end();
    motion.end();
    sleeping.update(dt);
  }
}

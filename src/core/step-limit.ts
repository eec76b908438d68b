// The time that a step may take. What loops within a step asks for it; the world catches what is thrown and goes back.

/** Thrown within a step whose time has run out. */
export class OutOfTime extends Error {}

/** When a step must end. */
export class StepLimit {
  #end = Infinity;

  /** Begins a step, which may take this time, in milliseconds. */
  begin(milliseconds: number): void {
    this.#end = milliseconds === Infinity ? Infinity : performance.now() + milliseconds;
  }

  /** @throws OutOfTime once the time has run out. */
  check(): void {
    if (this.#end !== Infinity && performance.now() > this.#end) throw new OutOfTime();
  }
}

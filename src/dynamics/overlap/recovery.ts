// Recovery from overlap as a part of a step: the pairs that the collision pass found overlapping, given to the resolver.
import type { StepContext } from '../solver/step-context.js';
import { OverlapResolver } from './overlap-resolver.js';

/** Parts overlapping bodies of a world, step after step. */
export class Recovery {
  readonly #context: Pick<StepContext, 'bodies' | 'collision' | 'contacts'>;
  readonly #resolver = new OverlapResolver();
  #pairs = new Int32Array(16);

  constructor(context: Pick<StepContext, 'bodies' | 'collision' | 'contacts'>) {
    this.#context = context;
  }

  /** Moves bodies by what a step of this length allows. */
  resolve(dt: number): void {
    const { bodies, collision, contacts } = this.#context;
    const { overlapping } = collision;
    const { length } = overlapping;
    if (this.#pairs.length < 2 * length) this.#pairs = new Int32Array(4 * length);
    for (let i = 0; i < length; i++) {
      this.#pairs[2 * i] = overlapping[i].a;
      this.#pairs[2 * i + 1] = overlapping[i].b;
    }
    this.#resolver.resolve(bodies, this.#pairs, length, contacts, dt);
  }

  /** Appends the ways out that it keeps. */
  save(out: number[]): void {
    this.#resolver.save(this.#context.bodies, out);
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    return this.#resolver.load(this.#context.bodies, values, at);
  }
}

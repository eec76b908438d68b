// Springs between the middle of some nodes and a point, with a damper: what a hand pulls a body by. Implicit, as everything in a
// step, so that no stiffness makes it swing up.
import type { Vec3 } from '../../core/vec3.js';
import type { ElasticBody } from '../body/elastic-body.js';
import type { EnergyTerm } from '../body/energy-term.js';

/** Chosen: a body on its spring swings this often, in 1/s, at any mass. */
const SPRING_FREQUENCY = 2;

/** One spring. */
export interface GrabSpring {
  readonly body: ElasticBody;
  readonly nodes: Uint32Array;
  readonly target: Vec3;
}

/** The mean of where nodes are. */
export function middleOf(x: Float64Array, offset: number, nodes: Uint32Array): Vec3 {
  const middle: Vec3 = [0, 0, 0];
  for (const node of nodes) for (let k = 0; k < 3; k++) middle[k] += x[offset + 3 * node + k] / nodes.length;
  return middle;
}

export class GrabTerm implements EnergyTerm {
  /** Springs of all bodies; the world adds and removes them. */
  readonly springs: readonly GrabSpring[];
  readonly #bodies: readonly ElasticBody[];
  readonly #offsets: ArrayLike<number>;
  /**
   * Of each spring, for the step: where its unknowns begin, stiffness with the damper's, and where it pulls to with
   * both.
   */
  #active: { readonly offset: number; readonly nodes: Uint32Array; readonly stiffness: number; readonly aim: Vec3 }[] =
    [];

  constructor(bodies: readonly ElasticBody[], offsets: ArrayLike<number>, springs: readonly GrabSpring[]) {
    this.#bodies = bodies;
    this.#offsets = offsets;
    this.springs = springs;
  }

  /**
   * Begins a step.
   * @param start where the nodes are.
   * @param time from the start to the state that is looked for.
   */
  begin(start: Float64Array, time: number): void {
    this.#active = this.springs.map(({ body, nodes, target }) => {
      const offset = this.#offsets[this.#bodies.indexOf(body)];
      const rate = 2 * Math.PI * SPRING_FREQUENCY;
      const spring = body.mass * rate * rate;
      // Half of the critical damping: it comes to rest soon, and a throw keeps its speed.
      const damper = (body.mass * rate) / time;
      const from = middleOf(start, offset, nodes);
      const stiffness = spring + damper;
      const aim = from.map((at, k) => (spring * target[k] + damper * at) / stiffness) as Vec3;
      return { offset, nodes, stiffness, aim };
    });
  }

  update(): void {}

  evaluate(x: Float64Array, gradient?: Float64Array): number {
    let energy = 0;
    for (const { offset, nodes, stiffness, aim } of this.#active) {
      const middle = middleOf(x, offset, nodes);
      for (let k = 0; k < 3; k++) {
        const stretch = middle[k] - aim[k];
        energy += 0.5 * stiffness * stretch * stretch;
        if (gradient === undefined) continue;
        const force = (stiffness * stretch) / nodes.length;
        for (const node of nodes) gradient[offset + 3 * node + k] += force;
      }
    }
    return energy;
  }

  linearize(): void {}

  multiply(v: Float64Array, out: Float64Array): void {
    for (const { offset, nodes, stiffness } of this.#active) {
      const middle = middleOf(v, offset, nodes);
      for (let k = 0; k < 3; k++) {
        const force = (stiffness * middle[k]) / nodes.length;
        for (const node of nodes) out[offset + 3 * node + k] += force;
      }
    }
  }

  addDiagonal(blocks: Float64Array): void {
    for (const { offset, nodes, stiffness } of this.#active) {
      const own = stiffness / (nodes.length * nodes.length);
      for (const node of nodes) for (let k = 0; k < 3; k++) blocks[3 * (offset + 3 * node) + 4 * k] += own;
    }
  }

  limitStep(): number {
    return 1;
  }
}

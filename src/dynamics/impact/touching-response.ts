// The impact of all bodies that touch now: finds their contacts, wakes those that sleep, and has the impulses applied.
import { NEAR } from '../../manifold/contact-state.js';
import { sizeOf } from '../solver/collision.js';
import type { PairState } from '../solver/pair-table.js';
import type { StepContext } from '../solver/step-context.js';
import { type ImpactPair, ImpactResponse } from './impact-response.js';

/** Chosen: points within twice the gap at rest and this share of the smaller radius touch. */
const TOUCHING = 1e-5;
/** Rounding: approaches slower than this are what joints leave of an impact, m/s. */
const JOINT_SLACK = 1e-9;

/** Answers impacts of a world. */
export class TouchingResponse {
  readonly #context: Pick<StepContext, 'bodies' | 'collision' | 'joints' | 'sleep' | 'acceleration'>;
  readonly #response = new ImpactResponse();
  readonly #touching: ImpactPair[] = [];
  readonly #placements: Float64Array[] = [];
  /** At an impact normals are those of the shortest distance. */
  readonly #atRest = new Float64Array(6);

  constructor(context: Pick<StepContext, 'bodies' | 'collision' | 'joints' | 'sleep' | 'acceleration'>) {
    this.#context = context;
  }

  /**
   * Applies impulses until nothing that touches approaches. Returns how many blows there were.
   * @param bouncing approaches slower than this do not bounce, m/s; `h` for how long contacts are looked for, s.
   * @param without pairs that are left alone.
   */
  respond(bouncing: number, h: number, without?: ReadonlySet<PairState>): number {
    const { bodies, collision, joints, acceleration } = this.#context;
    collision.keepImpulses();
    this.#find(without);
    // Bodies that wake bring contacts of their own, through which the blow runs on.
    while (this.#wake()) {
      collision.update(h, acceleration());
      this.#find(without);
    }
    if (joints.joints.length === 0) {
      this.#response.respond(bodies, this.#touching, bouncing, 0);
      return this.#response.blows;
    }
    // The impulses that joints start the next substep with are those of its forces, not of the impact.
    const kept = joints.joints.map(({ impulses }) => impulses.slice());
    this.#response.respond(bodies, this.#touching, bouncing, JOINT_SLACK, () => joints.solve(1, false));
    for (let i = 0; i < kept.length; i++) joints.joints[i].impulses.set(kept[i]);
    return this.#response.blows;
  }

  #find(without: ReadonlySet<PairState> | undefined): void {
    const { bodies, collision } = this.#context;
    const touching = this.#touching;
    touching.length = 0;
    for (const pair of collision.active) {
      const { a, b, rest, manifold } = pair;
      if (without?.has(pair)) continue;
      if ((bodies.sensor[a] | bodies.sensor[b]) !== 0) continue;
      const reach = 2 * rest + TOUCHING * Math.min(sizeOf(bodies, a), sizeOf(bodies, b));
      const state = manifold.update(this.#place(a), this.#place(b), reach, this.#atRest);
      if (state === NEAR) touching.push({ a, b, contacts: manifold, reach });
    }
  }

  #wake(): boolean {
    const { bodies, sleep } = this.#context;
    const { asleep, kind } = bodies;
    let woke = false;
    for (const { a, b } of this.#touching) {
      if (asleep[a] === asleep[b] || kind[a] === 0 || kind[b] === 0) continue;
      woke = sleep.wake(asleep[a] !== 0 ? a : b) || woke;
    }
    return woke;
  }

  #place(slot: number): Float64Array {
    this.#placements[slot] ??= new Float64Array(12);
    this.#context.bodies.writePlacement(slot, this.#placements[slot]);
    return this.#placements[slot];
  }
}

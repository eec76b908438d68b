// The motions of all agents in a step: those nearest to what they want under linear conditions on pairs of them. It is a
// quadratic problem, solved in its multipliers by projected Gauss-Seidel steps, which begin with those of the step before.
import { growTo } from '../../core/grow-array.js';
import type { Agent } from './agent.js';
import { FREEDOMS } from './agent.js';

/** Numbers of a row: those of both agents. */
const ROW = 2 * FREEDOMS;

/** Conditions are met within this share of the size of the first agent. */
const ERROR = 1e-4;

/** What to do with a multiplier when the problem is solved. */
type Keep = ((force: number) => void) | null;

export class VelocitySolver {
  count = 0;
  #rows = new Float64Array(64 * ROW);
  #least = new Float64Array(64);
  #forces = new Float64Array(64);
  #inverse = new Float64Array(64);
  #isEqual = new Int32Array(64);
  /** Conditions are met within this, in meters. */
  #error = new Float64Array(64);
  #first: Agent[] = [];
  #second: (Agent | null)[] = [];
  #keep: Keep[] = [];
  /** Conditions that take part already. */
  #ready = 0;

  clear(): void {
    this.count = 0;
  }

  /**
   * Adds a condition: row · motions ≥ least, or = least.
   * @param b null if only one agent takes part.
   * @param force the multiplier of a step before, to begin with.
   */
  add(a: Agent, b: Agent | null, least: number, isEqual: boolean, force: number, keep: Keep): Float64Array {
    const i = this.count++;
    if (this.#least.length < this.count) {
      this.#rows = growTo(this.#rows, this.count * ROW);
      const size = this.#rows.length / ROW;
      this.#least = growTo(this.#least, size);
      this.#forces = growTo(this.#forces, size);
      this.#inverse = growTo(this.#inverse, size);
      this.#isEqual = growTo(this.#isEqual, size);
      this.#error = growTo(this.#error, size);
    }
    this.#first[i] = a;
    this.#second[i] = b;
    this.#least[i] = least;
    this.#forces[i] = force;
    this.#isEqual[i] = isEqual ? 1 : 0;
    this.#keep[i] = keep;
    this.#error[i] = ERROR * a.body.shape.model.radius;
    return this.#rows.subarray(i * ROW, (i + 1) * ROW).fill(0);
  }

  /** Writes the motions of agents within their speeds; begins at their wishes. */
  solve(agents: readonly Agent[], sweeps: number, time: number): void {
    this.#ready = 0;
    for (const agent of agents) agent.excess.fill(0);
    this.resume(agents, sweeps, time);
  }

  /** Goes on with conditions that were added since. */
  resume(agents: readonly Agent[], sweeps: number, time: number): void {
    const rows = this.#rows;
    for (let i = this.#ready; i < this.count; i++) {
      const [a, b] = [this.#first[i], this.#second[i]];
      const sum = yieldOf(a, rows, i * ROW) + (b === null ? 0 : yieldOf(b, rows, i * ROW + FREEDOMS));
      this.#inverse[i] = sum > 0 ? 1 / sum : 0;
      if (this.#forces[i] !== 0) this.#push(i, this.#forces[i]);
    }
    this.#ready = this.count;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      let isDone = true;
      for (let n = 0; n < this.count; n++) {
        // To and fro: what one end of a queue does reaches the other in two sweeps.
        const i = sweep % 2 === 0 ? n : this.count - 1 - n;
        const at = i * ROW;
        const a = this.#first[i].motion;
        const b = this.#second[i]?.motion ?? null;
        let value = 0;
        for (let k = 0; k < FREEDOMS; k++) value += rows[at + k] * a[k];
        if (b !== null) for (let k = 0; k < FREEDOMS; k++) value += rows[at + FREEDOMS + k] * b[k];
        const before = this.#forces[i];
        let force = before + (this.#least[i] - value) * this.#inverse[i];
        if (force < 0 && this.#isEqual[i] === 0) force = 0;
        if (force === before) continue;
        this.#forces[i] = force;
        this.#push(i, force - before);
        if (Math.abs(this.#least[i] - value) > this.#error[i]) isDone = false;
      }
      for (const agent of agents) agent.limitMotion(time);
      if (isDone) break;
    }
    for (let i = 0; i < this.count; i++) this.#keep[i]?.(this.#forces[i]);
  }

  #push(i: number, force: number): void {
    const b = this.#second[i];
    pushBy(this.#first[i], force, this.#rows, i * ROW);
    if (b !== null) pushBy(b, force, this.#rows, i * ROW + FREEDOMS);
  }
}

/** How far a force of 1 along a row moves an agent along it. */
function yieldOf({ mobility, turning, ways }: Agent, rows: Float64Array, at: number): number {
  let [shift, turn] = [0, 0];
  for (let k = 0; k < ways; k++) shift += rows[at + k] ** 2;
  for (let k = ways; k < FREEDOMS; k++) turn += rows[at + k] ** 2;
  return mobility * (shift + turning * turn);
}

function pushBy({ mobility, turning, ways, motion }: Agent, force: number, rows: Float64Array, at: number): void {
  const [shift, turn] = [mobility * force, mobility * turning * force];
  for (let k = 0; k < ways; k++) motion[k] += shift * rows[at + k];
  for (let k = ways; k < FREEDOMS; k++) motion[k] += turn * rows[at + k];
}

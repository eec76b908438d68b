// The motions of all agents in a step: those nearest to what they want under linear conditions on pairs of them. It is a
// quadratic problem, solved in its multipliers by projected Gauss-Seidel steps, which begin with those of the step before.
// Speed limits are met in turn with the conditions (Dykstra 1983). All numbers are in flat arrays while it is solved.
import { growTo } from '../core/grow-array.js';
import type { Agent } from './agent.js';
import { FREEDOMS } from './agent.js';

/** Proven: the count of numbers in a row: those of both agents. */
const ROW = 2 * FREEDOMS;

/** Chosen: conditions are met within this share of the size of the first agent. */
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
  /** By condition: the indices of its agents; −1 if only one takes part. */
  #first = new Int32Array(64);
  #second = new Int32Array(64);
  #keep: Keep[] = [];
  /** Conditions that take part already. */
  #ready = 0;
  // By agent, FREEDOMS numbers each: its motion, and what speed limits take from it, added before they are applied again.
  #motions = new Float64Array(0);
  #excess = new Float64Array(0);
  // By agent: how far a force of 1 shifts and turns it, its speed limits in a step, how many numbers it has, and whether it takes part.
  #shifts = new Float64Array(0);
  #turns = new Float64Array(0);
  #mostShift = new Float64Array(0);
  #mostTurn = new Float64Array(0);
  #ways = new Int32Array(0);
  #freedoms = new Int32Array(0);
  #takesPart = new Uint8Array(0);

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
      this.#first = growTo(this.#first, size);
      this.#second = growTo(this.#second, size);
    }
    this.#first[i] = a.index;
    this.#second[i] = b?.index ?? -1;
    this.#least[i] = least;
    this.#forces[i] = force;
    this.#isEqual[i] = isEqual ? 1 : 0;
    this.#keep[i] = keep;
    this.#error[i] = ERROR * a.body.shape.model.radius;
    return this.#rows.subarray(i * ROW, (i + 1) * ROW).fill(0);
  }

  /** Writes the motions of agents within their speeds; begins at their wishes, which their motions are. */
  solve(agents: readonly Agent[], sweeps: number, time: number): void {
    if (this.#ways.length < agents.length) this.#makeRoom(agents.length);
    this.#ready = 0;
    this.#excess.fill(0);
    this.#takesPart.fill(0);
    for (const agent of agents) {
      const { index, mobility, turning, ways, robot } = agent;
      this.#motions.set(agent.motion, FREEDOMS * index);
      this.#shifts[index] = mobility;
      this.#turns[index] = mobility * turning;
      this.#mostShift[index] = agent.linear * time;
      this.#mostTurn[index] = agent.angular * time * agent.lever;
      this.#ways[index] = ways;
      this.#freedoms[index] = robot.freedoms;
    }
    this.resume(agents, sweeps);
  }

  /** Goes on with conditions that were added since. */
  resume(agents: readonly Agent[], sweeps: number): void {
    for (let i = this.#ready; i < this.count; i++) {
      const [a, b] = [this.#first[i], this.#second[i]];
      this.#takesPart[a] = 1;
      if (b >= 0) this.#takesPart[b] = 1;
      const sum = this.#yieldOf(a, i * ROW) + (b < 0 ? 0 : this.#yieldOf(b, i * ROW + FREEDOMS));
      this.#inverse[i] = sum > 0 ? 1 / sum : 0;
      if (this.#forces[i] !== 0) this.#push(i, this.#forces[i]);
    }
    this.#ready = this.count;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      // To and fro: what one end of a queue does reaches the other in two sweeps.
      const isDone = this.#sweep(sweep % 2 === 0);
      for (let i = 0; i < agents.length; i++) if (sweep === 0 || this.#takesPart[i] !== 0) this.#limit(i);
      if (isDone) break;
    }
    for (const { index, motion } of agents) {
      for (let k = 0; k < FREEDOMS; k++) motion[k] = this.#motions[FREEDOMS * index + k];
    }
    for (let i = 0; i < this.count; i++) this.#keep[i]?.(this.#forces[i]);
  }

  /** Meets each condition once. Returns whether all were met. */
  #sweep(isForward: boolean): boolean {
    const [rows, motions, forces, freedoms] = [this.#rows, this.#motions, this.#forces, this.#freedoms];
    const { count } = this;
    let isDone = true;
    for (let n = 0; n < count; n++) {
      const i = isForward ? n : count - 1 - n;
      const at = i * ROW;
      const a = this.#first[i];
      const b = this.#second[i];
      let value = 0;
      for (let k = 0, m = FREEDOMS * a; k < freedoms[a]; k++) value += rows[at + k] * motions[m + k];
      if (b >= 0) {
        for (let k = 0, m = FREEDOMS * b; k < freedoms[b]; k++) value += rows[at + FREEDOMS + k] * motions[m + k];
      }
      const before = forces[i];
      let force = before + (this.#least[i] - value) * this.#inverse[i];
      if (force < 0 && this.#isEqual[i] === 0) force = 0;
      if (force === before) continue;
      forces[i] = force;
      this.#push(i, force - before);
      if (Math.abs(this.#least[i] - value) > this.#error[i]) isDone = false;
    }
    return isDone;
  }

  #push(i: number, force: number): void {
    const b = this.#second[i];
    this.#pushBy(this.#first[i], force, i * ROW);
    if (b >= 0) this.#pushBy(b, force, i * ROW + FREEDOMS);
  }

  #pushBy(agent: number, force: number, at: number): void {
    const [rows, motions] = [this.#rows, this.#motions];
    const [ways, freedoms] = [this.#ways[agent], this.#freedoms[agent]];
    const shift = this.#shifts[agent] * force;
    const turn = this.#turns[agent] * force;
    const m = FREEDOMS * agent;
    for (let k = 0; k < ways; k++) motions[m + k] += shift * rows[at + k];
    for (let k = ways; k < freedoms; k++) motions[m + k] += turn * rows[at + k];
  }

  /** How far a force of 1 along a row moves an agent along it. */
  #yieldOf(agent: number, at: number): number {
    const ways = this.#ways[agent];
    let [shift, turn] = [0, 0];
    for (let k = 0; k < ways; k++) shift += this.#rows[at + k] ** 2;
    for (let k = ways; k < FREEDOMS; k++) turn += this.#rows[at + k] ** 2;
    return this.#shifts[agent] * shift + this.#turns[agent] * turn;
  }

  /** Keeps the motion of an agent within its speeds. */
  #limit(agent: number): void {
    const [motions, excess] = [this.#motions, this.#excess];
    const m = FREEDOMS * agent;
    const ways = m + this.#ways[agent];
    const end = m + this.#freedoms[agent];
    let [shift, turn] = [0, 0];
    for (let k = m; k < end; k++) {
      motions[k] += excess[k];
      excess[k] = motions[k];
      if (k < ways) shift += motions[k] * motions[k];
      else turn += motions[k] * motions[k];
    }
    const byShift = shareOf(shift, this.#mostShift[agent]);
    const byTurn = shareOf(turn, this.#mostTurn[agent]);
    for (let k = m; k < end; k++) {
      motions[k] *= k < ways ? byShift : byTurn;
      excess[k] -= motions[k];
    }
  }

  #makeRoom(agents: number): void {
    this.#motions = new Float64Array(FREEDOMS * agents);
    this.#excess = new Float64Array(FREEDOMS * agents);
    this.#shifts = new Float64Array(agents);
    this.#turns = new Float64Array(agents);
    this.#mostShift = new Float64Array(agents);
    this.#mostTurn = new Float64Array(agents);
    this.#ways = new Int32Array(agents);
    this.#freedoms = new Int32Array(agents);
    this.#takesPart = new Uint8Array(agents);
  }
}

/** The share of a vector that is no longer than `most`. */
function shareOf(squared: number, most: number): number {
  const length = Math.sqrt(squared);
  return length > most ? most / length : 1;
}

// Moves that part all pairs of a tangle together: of all moves that satisfy n · (ΔB − ΔA) ≥ way for every row, nearly the
// least, weighted by mass, by projected Gauss–Seidel in a fixed order. Every row moves its two bodies in inverse proportion to
// their masses, so that the common center of mass stays where it is.
import { growTo } from '../../core/grow-array.js';
import type { Bodies } from '../body/bodies.js';

/** Rows and the moves that satisfy them. Arrays are replaced when they grow. */
export class SeparatingRows {
  count = 0;
  /** The move of each body, 3 each. */
  moves = new Float64Array(0);
  #bodyA = new Int32Array(64);
  #bodyB = new Int32Array(64);
  #normal = new Float64Array(192);
  #way = new Float64Array(64);
  #push = new Float64Array(64);

  clear(): void {
    this.count = 0;
  }

  /** B is to move from A along a unit direction by at least `way`; where that is negative, toward A by no more than it. */
  add(a: number, b: number, x: number, y: number, z: number, way: number): void {
    const i = this.count++;
    if (i >= this.#bodyA.length) {
      this.#bodyA = growTo(this.#bodyA, i + 1);
      this.#bodyB = growTo(this.#bodyB, i + 1);
      this.#normal = growTo(this.#normal, 3 * (i + 1));
      this.#way = growTo(this.#way, i + 1);
      this.#push = growTo(this.#push, i + 1);
    }
    this.#bodyA[i] = a;
    this.#bodyB[i] = b;
    this.#normal[3 * i] = x;
    this.#normal[3 * i + 1] = y;
    this.#normal[3 * i + 2] = z;
    this.#way[i] = way;
    this.#push[i] = 0;
  }

  /** Finds the moves; no body moves farther than `farthest`: all moves are scaled down together. Returns the largest. */
  solve({ count, inverseMass }: Bodies, rounds: number, farthest: number): number {
    if (this.moves.length < 3 * count) this.moves = growTo(this.moves, 3 * count);
    const moves = this.moves.fill(0);
    const normal = this.#normal;
    for (let round = 0; round < rounds; round++) {
      let changed = false;
      for (let i = 0; i < this.count; i++) {
        const a = 3 * this.#bodyA[i];
        const b = 3 * this.#bodyB[i];
        const wA = inverseMass[this.#bodyA[i]];
        const wB = inverseMass[this.#bodyB[i]];
        if (!(wA + wB > 0)) continue;
        const x = normal[3 * i];
        const y = normal[3 * i + 1];
        const z = normal[3 * i + 2];
        const parted =
          x * (moves[b] - moves[a]) + y * (moves[b + 1] - moves[a + 1]) + z * (moves[b + 2] - moves[a + 2]);
        const before = this.#push[i];
        const push = Math.max(0, before + (this.#way[i] - parted) / (wA + wB));
        if (push === before) continue;
        changed = true;
        this.#push[i] = push;
        const byA = wA * (push - before);
        const byB = wB * (push - before);
        moves[a] -= byA * x;
        moves[a + 1] -= byA * y;
        moves[a + 2] -= byA * z;
        moves[b] += byB * x;
        moves[b + 1] += byB * y;
        moves[b + 2] += byB * z;
      }
      if (!changed) break;
    }
    let largest = 0;
    for (let i = 0; i < 3 * count; i += 3) {
      largest = Math.max(largest, moves[i] * moves[i] + moves[i + 1] * moves[i + 1] + moves[i + 2] * moves[i + 2]);
    }
    largest = Math.sqrt(largest);
    if (largest <= farthest) return largest;
    const scale = farthest / largest;
    for (let i = 0; i < 3 * count; i++) moves[i] *= scale;
    return farthest;
  }
}

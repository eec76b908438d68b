// The active band: which tiles of a grid must be computed. A cell's next value depends on its 3 x 3 (x 3) neighbors only,
// and noise moves mixed tiles only. So if no bit of a tile and of the tiles around it changed in a step, none does in the
// next, and it can be skipped: the result is that of the full grid, bit for bit.
import type { GridSize } from '../../field/grid.js';
import type { IceBoundary } from '../ice.js';
import { LIQUID, MOVED, SOLID } from './kernel-layout.js';

export class TileBand {
  /** Tiles along x, y and z. */
  readonly counts: GridSize;
  /** The tiles to compute in the next step. */
  active: Int32Array;
  activeCount: number;
  /** The tiles around each tile and itself, 27 at most; −1 behind the last. */
  readonly #around: Int32Array;
  readonly #aroundStride: number;
  readonly #states: Uint8Array;
  readonly #states2: Uint8Array;
  #following: Int32Array;
  #followingCount = 0;
  readonly #listedIn: Int32Array;
  #step = 1;

  constructor(size: GridSize, tile: GridSize, boundary: IceBoundary) {
    this.counts = size.map((count, axis) => Math.ceil(count / tile[axis])) as unknown as GridSize;
    const count = this.counts[0] * this.counts[1] * this.counts[2];
    this.#aroundStride = size[2] === 1 ? 10 : 28;
    this.#around = listAround(this.counts, boundary === 'periodic', this.#aroundStride);
    this.#states = new Uint8Array(count);
    this.#states2 = new Uint8Array(count);
    this.active = new Int32Array(count);
    this.#following = new Int32Array(count);
    this.#listedIn = new Int32Array(count);
    this.activeCount = 0;
    this.wakeAll();
  }

  /** All tiles must be computed next, and their phases are not known. */
  wakeAll(): void {
    this.#states.fill(MOVED);
    this.stayAwake();
  }

  /** All tiles must be computed next; what is known of their phases stays. */
  stayAwake(): void {
    this.activeCount = this.active.length;
    for (let i = 0; i < this.activeCount; i++) this.active[i] = i;
  }

  /** Whether some phase in or around a tile is not 0, and some is not 1. */
  hasPhase(tile: number): boolean {
    const around = this.#around;
    let common = LIQUID | SOLID;
    for (let i = tile * this.#aroundStride; around[i] >= 0; i++) common &= this.#states[around[i]];
    return common === 0;
  }

  /** Reports what the step did to a tile; `hasPhase` answers for the state before the step until `finish`. */
  report(tile: number, state: number): void {
    this.#states2[tile] = state;
    if ((state & MOVED) === 0) return;
    const around = this.#around;
    for (let i = tile * this.#aroundStride; around[i] >= 0; i++) {
      const other = around[i];
      if (this.#listedIn[other] === this.#step) continue;
      this.#listedIn[other] = this.#step;
      this.#following[this.#followingCount++] = other;
    }
  }

  /** Ends a step. */
  finish(): void {
    for (let i = 0; i < this.activeCount; i++) this.#states[this.active[i]] = this.#states2[this.active[i]];
    const done = this.active;
    this.active = this.#following;
    this.activeCount = this.#followingCount;
    this.#following = done;
    this.#followingCount = 0;
    this.#step++;
  }
}

function listAround(counts: GridSize, isPeriodic: boolean, stride: number): Int32Array {
  const [nx, ny, nz] = counts;
  const around = new Int32Array(stride * nx * ny * nz).fill(-1);
  const found: number[] = [];
  for (let tile = 0; tile < nx * ny * nz; tile++) {
    const at = [tile % nx, Math.floor(tile / nx) % ny, Math.floor(tile / (nx * ny))];
    found.length = 0;
    for (let i = 0; i < 27; i++) {
      const other = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)].map((step, axis) => {
        const moved = at[axis] + step - 1;
        return isPeriodic ? (moved + counts[axis]) % counts[axis] : moved;
      });
      if (other.some((place, axis) => place < 0 || place >= counts[axis])) continue;
      const id = other[0] + nx * (other[1] + ny * other[2]);
      if (!found.includes(id)) found.push(id);
    }
    around.set(found, tile * stride);
  }
  return around;
}

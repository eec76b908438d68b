// The active band: which tiles of a grid must be computed. A cell's next value depends on its 3 x 3 (x 3) neighbors only,
// and noise moves mixed tiles only. So if no bit of a tile and of the tiles around it changed in a step, none does in the
// next, and it can be skipped: the result is that of the full grid, bit for bit.
import type { GridSize } from '../../field/grid.js';
import type { IceSetup } from '../options.js';
import type { StepCounts } from './cpu-grid.js';
import { LIQUID, MOVED, PLANE_TILE, SOLID, SPACE_TILE } from './kernel-layout.js';

/** Steps a tile that begins at a cell and has some cells along each axis; returns what it did. */
export type TileStep = (at: readonly number[], size: readonly number[], withPhase: boolean) => number;

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

  readonly #setup: IceSetup;
  readonly #tile: GridSize;

  constructor(setup: IceSetup) {
    const { size, boundary } = setup;
    const tile = size[2] === 1 ? PLANE_TILE : SPACE_TILE;
    this.#setup = setup;
    this.#tile = tile;
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

  /** Does a step: steps all tiles that it must, and all of them without a band. */
  step(stepTile: TileStep): StepCounts {
    const { band, scheme, size } = this.#setup;
    // The solver of the semi-implicit scheme moves the temperature everywhere; tiles without phase cost little.
    if (!band || scheme === 'semi-implicit') this.stayAwake();
    const [tilesX, tilesY, tilesZ] = this.counts;
    const at = [0, 0, 0];
    const cells = [0, 0, 0];
    const computedTiles = this.activeCount;
    let phaseTiles = 0;
    for (let i = 0; i < computedTiles; i++) {
      const tile = this.active[i];
      at[0] = (tile % tilesX) * this.#tile[0];
      at[1] = (Math.floor(tile / tilesX) % tilesY) * this.#tile[1];
      at[2] = Math.floor(tile / (tilesX * tilesY)) * this.#tile[2];
      for (let axis = 0; axis < 3; axis++) cells[axis] = Math.min(this.#tile[axis], size[axis] - at[axis]);
      const withPhase = !band || this.hasPhase(tile);
      if (withPhase) phaseTiles++;
      this.report(tile, stepTile(at, cells, withPhase));
    }
    this.finish();
    return { tiles: tilesX * tilesY * tilesZ, computedTiles, phaseTiles };
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

// The active band: which tiles of a grid must be computed. A cell's next value depends on its 3 x 3 (x 3) neighbors only,
// and noise moves mixed tiles only. So if no bit of a tile and of the tiles around it changed in a step, none does in the
// next, and it can be skipped: the result is that of the full grid, bit for bit. Its lists lie in one block of memory, so
// that threads can share it.
import type { GridSize } from '../../field/grid.js';
import type { IceSetup } from '../options.js';
import type { StepCounts } from './cpu-grid.js';
import { LIQUID, MOVED, PLANE_TILE, SOLID, SPACE_TILE } from './kernel-layout.js';

/** Steps a tile that begins at a cell and has some cells along each axis; returns what it did. */
export type TileStep = (at: readonly number[], size: readonly number[], withPhase: boolean) => number;

/** Label: bit of a tile's state besides those of the kernel: its phase was computed in the last step. */
const PHASED = 8;

/** Layout: place in the block's first numbers: tiles to compute. */
const ACTIVE_COUNT = 0;
/** Layout: place in the block's first numbers: steps since the start. */
const STEP = 1;
/** Layout: the first numbers of the block. */
const HEADER = 4;

/** The bytes of the block of memory of a band. */
export function bandBytes(setup: IceSetup): number {
  const count = tileCounts(setup).reduce((product, n) => product * n, 1);
  return 4 * HEADER + count * (4 * (3 + aroundStride(setup)) + 2);
}

export class TileBand {
  /** Tiles along x, y and z. */
  readonly counts: GridSize;
  readonly #header: Int32Array;
  /** The tiles to compute: those of this step and those of the next, which change places. */
  readonly #lists: readonly [Int32Array, Int32Array];
  /** By tile, the step it was last listed for. */
  readonly #listedIn: Int32Array;
  /** The tiles around each tile and itself, up to 27; −1 behind the last. */
  readonly #around: Int32Array;
  readonly #aroundStride: number;
  /** Before the step, and of the tiles that it computed. */
  readonly #states: Uint8Array;
  readonly #states2: Uint8Array;
  readonly #setup: IceSetup;
  readonly #tile: GridSize;

  /** @param isNew false: the block is one that another thread has filled. */
  constructor(setup: IceSetup, block: ArrayBufferLike, isNew: boolean) {
    this.#setup = setup;
    this.#tile = setup.size[2] === 1 ? PLANE_TILE : SPACE_TILE;
    this.counts = tileCounts(setup);
    const count = this.counts[0] * this.counts[1] * this.counts[2];
    this.#aroundStride = aroundStride(setup);
    let at = 0;
    const integers = (length: number): Int32Array => {
      at += 4 * length;
      return new Int32Array(block, at - 4 * length, length);
    };
    this.#header = integers(HEADER);
    this.#lists = [integers(count), integers(count)];
    this.#listedIn = integers(count);
    this.#around = integers(count * this.#aroundStride);
    this.#states = new Uint8Array(block, at, count);
    this.#states2 = new Uint8Array(block, at + count, count);
    if (!isNew) return;
    listAround(this.#around, this.counts, setup.boundary === 'periodic', this.#aroundStride);
    this.wakeAll();
  }

  /** Marks all tiles for the next step, with unknown phases. */
  wakeAll(): void {
    this.#states.fill(MOVED);
    this.#stayAwake();
  }

  /** Begins a step; returns the number of tiles it computes: all of them without a band. */
  begin(): number {
    const { band, scheme } = this.#setup;
    // The solver of the semi-implicit scheme moves the temperature everywhere; tiles without phase cost little.
    if (!band || scheme === 'semi-implicit') this.#stayAwake();
    return this.#header[ACTIVE_COUNT];
  }

  /** The number of tiles that the step computes. */
  get activeCount(): number {
    return this.#header[ACTIVE_COUNT];
  }

  /** Computes some tiles of the step, by their places in its list. */
  run(from: number, to: number, stepTile: TileStep): void {
    const { band, size } = this.#setup;
    const [tilesX, tilesY] = this.counts;
    const active = this.#lists[this.#header[STEP] & 1];
    const at = [0, 0, 0];
    const cells = [0, 0, 0];
    for (let i = from; i < to; i++) {
      const tile = active[i];
      at[0] = (tile % tilesX) * this.#tile[0];
      at[1] = (Math.floor(tile / tilesX) % tilesY) * this.#tile[1];
      at[2] = Math.floor(tile / (tilesX * tilesY)) * this.#tile[2];
      for (let axis = 0; axis < 3; axis++) cells[axis] = Math.min(this.#tile[axis], size[axis] - at[axis]);
      const withPhase = !band || this.#hasPhase(tile);
      this.#states2[tile] = stepTile(at, cells, withPhase) | (withPhase ? PHASED : 0);
    }
  }

  /** Ends a step when all its tiles are computed. */
  finish(): StepCounts {
    const header = this.#header;
    const states = this.#states;
    const step = header[STEP];
    const active = this.#lists[step & 1];
    const following = this.#lists[(step + 1) & 1];
    const around = this.#around;
    const computedTiles = header[ACTIVE_COUNT];
    let phaseTiles = 0;
    let count = 0;
    for (let i = 0; i < computedTiles; i++) {
      const tile = active[i];
      const state = this.#states2[tile];
      states[tile] = state;
      if ((state & PHASED) !== 0) phaseTiles++;
      if ((state & MOVED) === 0) continue;
      for (let k = tile * this.#aroundStride; around[k] >= 0; k++) {
        const other = around[k];
        if (this.#listedIn[other] === step + 1) continue;
        this.#listedIn[other] = step + 1;
        following[count++] = other;
      }
    }
    header[ACTIVE_COUNT] = count;
    header[STEP] = step + 1;
    return { tiles: this.#states.length, computedTiles, phaseTiles };
  }

  /** Marks all tiles for the next step; keeps what is known of their phases. */
  #stayAwake(): void {
    const active = this.#lists[this.#header[STEP] & 1];
    this.#header[ACTIVE_COUNT] = active.length;
    for (let i = 0; i < active.length; i++) active[i] = i;
  }

  /** Whether some phase in or around a tile is not 0, and some is not 1. */
  #hasPhase(tile: number): boolean {
    const around = this.#around;
    let common = LIQUID | SOLID;
    for (let i = tile * this.#aroundStride; around[i] >= 0; i++) common &= this.#states[around[i]];
    return common === 0;
  }
}

function tileCounts({ size }: IceSetup): GridSize {
  const tile = size[2] === 1 ? PLANE_TILE : SPACE_TILE;
  return size.map((count, axis) => Math.ceil(count / tile[axis])) as unknown as GridSize;
}

function aroundStride({ size }: IceSetup): number {
  return size[2] === 1 ? 10 : 28;
}

function listAround(around: Int32Array, counts: GridSize, isPeriodic: boolean, stride: number): void {
  const [nx, ny, nz] = counts;
  around.fill(-1);
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
}

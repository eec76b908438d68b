// A growth in single precision, stepped by assembly/ice-kernel.ts four cells at a time, with or without the active band.
// Single precision halves the memory and doubles the cells of a vector, and is what GPUs have: rounding (6e-8) is far
// below the error of the grid (1e-2). It uses only operations that IEEE 754 and WebAssembly define to the last bit.

import { noiseKey } from '../coefficients.js';
import type { IceFields } from '../ice.js';
import type { IceSetup } from '../options.js';
import { type CellLayout, fillBorder, layoutOf, putCells, takeCells } from './cell-layout.js';
import type { CpuGrid, StepCounts } from './cpu-grid.js';
import { FIELD_COUNT, HEAT_FIELD, PHASE_FIELD, ROOM_FIELD } from './grid-fields.js';
import { KERNEL_CODE } from './ice-kernel-code.js';
import * as layout from './kernel-layout.js';
import { HeatSolver } from './solve-lines.js';
import { bandBytes, TileBand } from './tile-band.js';

interface KernelExports {
  useCorners(address: number): void;
  stepPlane(x: number, y: number, width: number, height: number, withPhase: number): number;
  stepSpace(x: number, y: number, z: number, width: number, height: number, depth: number, withPhase: number): number;
}

/** What a thread needs to work on a grid that another one made; data that a message can carry. */
export interface Float32Parts {
  readonly precision: 'float32';
  /** A WebAssembly.Module and a WebAssembly.Memory. Sending the module shares its machine code. */
  readonly module: object;
  readonly memory: object;
  readonly band: ArrayBufferLike;
  /** The number of threads that there is room for. */
  readonly threads: number;
}

/** Format: the bytes of a page of WebAssembly's memory. */
const PAGE = 65_536;
/** Format: the pages that the module declares. */
const MIN_PAGES = 2;
/** Format: WebAssembly addresses 4 GiB: 268 million numbers in each of four fields, or 214 million in five. */
const MAX_PAGES = 65_536;

/** Format: the module's import section, a memory of two pages or more. */
const MEMORY_IMPORT = '020f0103656e76066d656d6f7279020002';
/** Format: the import section of a shared memory of up to {@link MAX_PAGES}. */
const SHARED_IMPORT = '02120103656e76066d656d6f7279020302808004';

export class Float32Grid implements CpuGrid {
  readonly precision = 'float32';
  readonly stageCount: number;
  readonly parts: Float32Parts;
  readonly #setup: IceSetup;
  readonly #layout: CellLayout;
  readonly #band: TileBand;
  readonly #solver: HeatSolver | null;
  readonly #kernel: KernelExports;
  readonly #integers: Int32Array;
  readonly #fields: readonly Float32Array[];

  private constructor(setup: IceSetup, parts: Float32Parts, thread: number, isNew: boolean) {
    this.#setup = setup;
    this.parts = parts;
    this.#layout = layoutOf(setup.size);
    const memory = parts.memory as WebAssembly.Memory;
    const instance = new WebAssembly.Instance(parts.module as WebAssembly.Module, { env: { memory } });
    this.#kernel = instance.exports as unknown as KernelExports;
    this.#kernel.useCorners(layout.FIRST_CORNERS + thread * layout.CORNER_BYTES);
    const { length } = this.#layout;
    this.#integers = new Int32Array(memory.buffer, 0, layout.FIRST_CORNERS / 4);
    this.#fields = Array.from(
      { length: FIELD_COUNT },
      (_, i) => new Float32Array(memory.buffer, firstField(parts.threads) + i * fieldBytes(length), length),
    );
    this.#band = new TileBand(setup, parts.band, isNew);
    const { coefficients, boundary, wallTemperature, scheme } = setup;
    this.#solver =
      scheme === 'explicit' ? null : new HeatSolver(this.#layout, coefficients.diffusion, boundary, wallTemperature);
    this.stageCount = this.#solver === null ? 1 : 4;
    if (isNew) this.#writeNumbers(memory.buffer);
  }

  /**
   * Null where the engine has no SIMD, a page forbids compiling, or memory is short.
   * @param threads the number of threads besides this one that will work on it; with any, its memory is shared.
   */
  static create(setup: IceSetup, threads = 0): Float32Grid | null {
    const bytes = firstField(threads) + FIELD_COUNT * fieldBytes(layoutOf(setup.size).length);
    const pages = Math.max(MIN_PAGES, Math.ceil(bytes / PAGE));
    if (pages > MAX_PAGES) return null;
    const isShared = threads > 0;
    try {
      const text = isShared ? KERNEL_CODE.replace(MEMORY_IMPORT, SHARED_IMPORT) : KERNEL_CODE;
      const module = new WebAssembly.Module(Uint8Array.from(text.match(/../g)!, (byte) => Number.parseInt(byte, 16)));
      const memory = new WebAssembly.Memory(
        isShared ? { initial: pages, maximum: pages, shared: true } : { initial: pages },
      );
      const bandSize = bandBytes(setup);
      const band = isShared ? new SharedArrayBuffer(bandSize) : new ArrayBuffer(bandSize);
      return new Float32Grid(setup, { precision: 'float32', module, memory, band, threads }, threads, true);
    } catch {
      return null;
    }
  }

  /** The same grid in another thread, the `thread`-th of those that it was made for. */
  static join(setup: IceSetup, parts: Float32Parts, thread: number): Float32Grid {
    return new Float32Grid(setup, parts, thread, false);
  }

  #writeNumbers(memory: ArrayBufferLike): void {
    const numbers = new Float32Array(memory, 0, layout.FIRST_CORNERS / 4);
    const { coefficients: c, size, still, scheme } = this.#setup;
    for (const [place, value] of [
      [layout.NX, size[0]],
      [layout.NY, size[1]],
      [layout.NZ, size[2]],
      [layout.ROW, 4 * this.#layout.row],
      [layout.LAYER, 4 * this.#layout.layer],
      [layout.MODEL, (c.coupling === 0 ? 0 : 1) | (scheme === 'semi-implicit' ? 2 : 0)],
      [layout.FOLD, c.fold],
    ]) {
      this.#integers[place >> 2] = value;
    }
    for (const [place, value] of [
      [layout.COMPACT, c.compact],
      [layout.CROSS, c.cross],
      [layout.DELTA, c.delta],
      [layout.DELTA_FOLD, c.deltaFold],
      [layout.TURN_RE, c.turnRe],
      [layout.TURN_IM, c.turnIm],
      [layout.REACTION, c.reaction],
      [layout.ALPHA, c.alpha],
      [layout.GAMMA, c.gamma],
      [layout.EQUILIBRIUM, c.equilibrium],
      [layout.LATENT, c.latentHeat],
      [layout.DIFFUSION, c.diffusion],
      [layout.NOISE, c.noise],
      [layout.COUPLING, c.coupling],
      [layout.STILL, still],
      [layout.AXIAL, c.axial],
    ]) {
      numbers[place >> 2] = value;
    }
  }

  get done(): number {
    return this.#integers[layout.DONE >> 2];
  }

  /** The current field, or the one that a step writes. */
  #field(which: number, isAfter: boolean): Float32Array {
    return this.#fields[which + ((this.done + Number(isAfter)) & 1)];
  }

  write({ phase, temperature, room }: IceFields): void {
    if (phase !== undefined) putCells(phase, this.#layout, this.#field(PHASE_FIELD, false));
    if (temperature !== undefined) putCells(temperature, this.#layout, this.#field(HEAT_FIELD, false));
    if (room !== undefined) {
      const values = this.#fields[ROOM_FIELD];
      putCells(room, this.#layout, values);
      fillBorder(values, this.#layout, this.#setup.boundary, null);
      this.#integers[layout.ROOM >> 2] = this.#addressOf(values);
    }
    this.#band.wakeAll();
  }

  begin(number: number): void {
    const { boundary, wallTemperature, seed } = this.#setup;
    const integers = this.#integers;
    fillBorder(this.#field(PHASE_FIELD, false), this.#layout, boundary, null);
    fillBorder(this.#field(HEAT_FIELD, false), this.#layout, boundary, wallTemperature);
    integers[layout.PHASE >> 2] = this.#addressOf(this.#field(PHASE_FIELD, false));
    integers[layout.PHASE_AFTER >> 2] = this.#addressOf(this.#field(PHASE_FIELD, true));
    integers[layout.HEAT >> 2] = this.#addressOf(this.#field(HEAT_FIELD, false));
    integers[layout.HEAT_AFTER >> 2] = this.#addressOf(this.#field(HEAT_FIELD, true));
    integers[layout.NOISE_KEY >> 2] = noiseKey(seed, number);
    this.#band.begin();
  }

  pieces(stage: number): number {
    return stage === 0 ? this.#band.activeCount : this.#solver!.pieces(stage - 1);
  }

  run(stage: number, from: number, to: number): void {
    if (stage > 0) {
      this.#solver!.run(stage - 1, this.#field(HEAT_FIELD, true), from, to);
      return;
    }
    const kernel = this.#kernel;
    const isPlane = this.#setup.size[2] === 1;
    this.#band.run(from, to, (at, cells, withPhase) =>
      isPlane
        ? kernel.stepPlane(at[0], at[1], cells[0], cells[1], Number(withPhase))
        : kernel.stepSpace(at[0], at[1], at[2], cells[0], cells[1], cells[2], Number(withPhase)),
    );
  }

  finish(): StepCounts {
    const counts = this.#band.finish();
    this.#integers[layout.DONE >> 2]++;
    return counts;
  }

  readPhase(): Float32Array {
    return takeCells(this.#field(PHASE_FIELD, false), this.#layout, new Float32Array(this.#cellCount));
  }

  readHeat(): Float32Array {
    return takeCells(this.#field(HEAT_FIELD, false), this.#layout, new Float32Array(this.#cellCount));
  }

  /** The address of the cell (0, 0, 0). */
  #addressOf(values: Float32Array): number {
    return values.byteOffset + 4 * this.#layout.first;
  }

  get #cellCount(): number {
    const [nx, ny, nz] = this.#setup.size;
    return nx * ny * nz;
  }
}

function firstField(threads: number): number {
  return layout.FIRST_CORNERS + (threads + 1) * layout.CORNER_BYTES;
}

function fieldBytes(length: number): number {
  return 16 * Math.ceil(length / 4) + 64;
}

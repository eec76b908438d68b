// A growth in single precision, stepped by assembly/ice-kernel.ts four cells at a time, with or without the active band.
// Single precision halves the memory and doubles the cells of a vector, and is what GPUs have: rounding (6e-8) is far
// below the error of the grid (1e-2). It uses only operations that IEEE 754 and WebAssembly define to the last bit.
import { noiseKey } from '../coefficients.js';
import type { IceFields } from '../ice.js';
import type { IceSetup } from '../options.js';
import { type CellLayout, fillBorder, layoutOf, putCells, takeCells } from './cell-layout.js';
import type { CpuGrid, StepCounts } from './cpu-grid.js';
import { KERNEL_CODE } from './ice-kernel-code.js';
import * as layout from './kernel-layout.js';
import { diffuseHeat, LineSolver } from './solve-lines.js';
import { TileBand } from './tile-band.js';

interface KernelExports {
  stepPlane(x: number, y: number, width: number, height: number, withPhase: number): number;
  stepSpace(x: number, y: number, z: number, width: number, height: number, depth: number, withPhase: number): number;
}

const PAGE = 65_536;
/** WebAssembly addresses 4 GiB: 268 million numbers in each of four fields, or 214 million in five. */
const MOST_PAGES = 65_536;

export class Float32Grid implements CpuGrid {
  readonly precision = 'float32';
  readonly #setup: IceSetup;
  readonly #layout: CellLayout;
  readonly #band: TileBand;
  readonly #solvers: LineSolver[];
  readonly #kernel: KernelExports;
  readonly #memory: WebAssembly.Memory;
  /** Phase and temperature, before and after a step; they change places. */
  #phase: Float32Array;
  #phaseAfter: Float32Array;
  #heat: Float32Array;
  #heatAfter: Float32Array;

  private constructor(setup: IceSetup, module: WebAssembly.Module) {
    this.#setup = setup;
    this.#layout = layoutOf(setup.size);
    const pages = Math.ceil((layout.FIRST_FIELD + 5 * this.#fieldBytes) / PAGE);
    this.#memory = new WebAssembly.Memory({ initial: pages });
    const instance = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.#kernel = instance.exports as unknown as KernelExports;
    const field = (index: number): Float32Array =>
      new Float32Array(this.#memory.buffer, layout.FIRST_FIELD + index * this.#fieldBytes, this.#layout.length);
    [this.#phase, this.#phaseAfter, this.#heat, this.#heatAfter] = [0, 1, 2, 3].map(field);
    this.#band = new TileBand(setup);
    this.#solvers = setup.size.map(
      (count) => new LineSolver(count, setup.coefficients.diffusion, setup.boundary, setup.wallTemperature),
    );
    this.#writeNumbers();
  }

  /** Null where the engine has no SIMD, a page forbids compiling, or memory is short. */
  static create(setup: IceSetup): Float32Grid | null {
    const { length } = layoutOf(setup.size);
    if (layout.FIRST_FIELD + 5 * (4 * length + 64) > MOST_PAGES * PAGE) return null;
    try {
      const code = Uint8Array.from(KERNEL_CODE.match(/../g)!, (byte) => Number.parseInt(byte, 16));
      return new Float32Grid(setup, new WebAssembly.Module(code));
    } catch {
      return null;
    }
  }

  get #fieldBytes(): number {
    return 16 * Math.ceil(this.#layout.length / 4) + 64;
  }

  #writeNumbers(): void {
    const numbers = new Float32Array(this.#memory.buffer);
    const integers = new Int32Array(this.#memory.buffer);
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
      integers[place >> 2] = value;
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

  write({ phase, temperature, room }: IceFields): void {
    if (phase !== undefined) putCells(phase, this.#layout, this.#phase);
    if (temperature !== undefined) putCells(temperature, this.#layout, this.#heat);
    if (room !== undefined) {
      const start = layout.FIRST_FIELD + 4 * this.#fieldBytes;
      const values = new Float32Array(this.#memory.buffer, start, this.#layout.length);
      putCells(room, this.#layout, values);
      fillBorder(values, this.#layout, this.#setup.boundary, null);
      new Int32Array(this.#memory.buffer)[layout.ROOM >> 2] = start + 4 * this.#layout.first;
    }
    this.#band.wakeAll();
  }

  step(number: number): StepCounts {
    const { boundary, wallTemperature, seed, size, scheme } = this.#setup;
    fillBorder(this.#phase, this.#layout, boundary, null);
    fillBorder(this.#heat, this.#layout, boundary, wallTemperature);
    const integers = new Int32Array(this.#memory.buffer, 0, 64);
    const first = 4 * this.#layout.first;
    integers[layout.PHASE >> 2] = this.#phase.byteOffset + first;
    integers[layout.PHASE_AFTER >> 2] = this.#phaseAfter.byteOffset + first;
    integers[layout.HEAT >> 2] = this.#heat.byteOffset + first;
    integers[layout.HEAT_AFTER >> 2] = this.#heatAfter.byteOffset + first;
    integers[layout.NOISE_KEY >> 2] = noiseKey(seed, number);
    const kernel = this.#kernel;
    const isPlane = size[2] === 1;
    const counts = this.#band.step((at, cells, withPhase) =>
      isPlane
        ? kernel.stepPlane(at[0], at[1], cells[0], cells[1], Number(withPhase))
        : kernel.stepSpace(at[0], at[1], at[2], cells[0], cells[1], cells[2], Number(withPhase)),
    );
    if (scheme === 'semi-implicit') diffuseHeat(this.#heatAfter, this.#layout, this.#solvers);
    [this.#phase, this.#phaseAfter] = [this.#phaseAfter, this.#phase];
    [this.#heat, this.#heatAfter] = [this.#heatAfter, this.#heat];
    return counts;
  }

  readPhase(): Float32Array {
    return takeCells(this.#phase, this.#layout, new Float32Array(this.#cellCount));
  }

  readHeat(): Float32Array {
    return takeCells(this.#heat, this.#layout, new Float32Array(this.#cellCount));
  }

  get #cellCount(): number {
    const [nx, ny, nz] = this.#setup.size;
    return nx * ny * nz;
  }
}

// A growth in double precision in TypeScript: for proofs, and where a page forbids WebAssembly.

import { noiseKey } from '../coefficients.js';
import type { IceFields } from '../ice.js';
import type { IceSetup } from '../options.js';
import { type CellLayout, fillBorder, layoutOf, putCells, takeCells } from './cell-layout.js';
import type { CpuGrid, StepCounts } from './cpu-grid.js';
import { FIELD_COUNT, HEAT_FIELD, PHASE_FIELD, ROOM_FIELD } from './grid-fields.js';
import { PLANE_TILE, SPACE_TILE } from './kernel-layout.js';
import { type StepFields, stepPlane } from './plane-step.js';
import { HeatSolver } from './solve-lines.js';
import { stepSpace } from './space-step.js';
import { bandBytes, TileBand } from './tile-band.js';

/** What a thread needs to work on a grid that another one made; data that a message can carry. */
export interface Float64Parts {
  readonly precision: 'float64';
  readonly fields: ArrayBufferLike;
  readonly band: ArrayBufferLike;
}

/** Layout: place of the steps done among the first numbers of the block. */
const DONE = 0;
/** Layout: place of the flag that there are obstacles. */
const HAS_ROOM = 1;
/** Layout: place of the noise's key. */
const NOISE_KEY = 2;
/** Layout: bytes of the first numbers. */
const HEADER_BYTES = 16;

export class Float64Grid implements CpuGrid {
  readonly precision = 'float64';
  readonly stageCount: number;
  readonly parts: Float64Parts;
  readonly #setup: IceSetup;
  readonly #layout: CellLayout;
  readonly #solver: HeatSolver | null;
  readonly #band: TileBand;
  readonly #header: Int32Array;
  readonly #fields: readonly Float64Array[];
  readonly #corners: Float64Array;

  private constructor(setup: IceSetup, parts: Float64Parts, isNew: boolean) {
    this.#setup = setup;
    this.parts = parts;
    this.#layout = layoutOf(setup.size);
    const { length, size } = this.#layout;
    this.#header = new Int32Array(parts.fields, 0, HEADER_BYTES / 4);
    this.#fields = Array.from(
      { length: FIELD_COUNT },
      (_, i) => new Float64Array(parts.fields, HEADER_BYTES + 8 * i * length, length),
    );
    this.#band = new TileBand(setup, parts.band, isNew);
    const { coefficients, boundary, wallTemperature, scheme } = setup;
    this.#solver =
      scheme === 'explicit' ? null : new HeatSolver(this.#layout, coefficients.diffusion, boundary, wallTemperature);
    this.stageCount = this.#solver === null ? 1 : 4;
    this.#corners = new Float64Array(
      size[2] === 1 ? 6 * (PLANE_TILE[0] + 1) : 8 * (SPACE_TILE[0] + 1) * (SPACE_TILE[1] + 1),
    );
  }

  /** @param isShared whether other threads will work on it. */
  static create(setup: IceSetup, isShared = false): Float64Grid {
    const block = (bytes: number): ArrayBufferLike =>
      isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
    const fields = block(HEADER_BYTES + 8 * FIELD_COUNT * layoutOf(setup.size).length);
    return new Float64Grid(setup, { precision: 'float64', fields, band: block(bandBytes(setup)) }, true);
  }

  /** The same grid in another thread. */
  static join(setup: IceSetup, parts: Float64Parts): Float64Grid {
    return new Float64Grid(setup, parts, false);
  }

  get done(): number {
    return this.#header[DONE];
  }

  write({ phase, temperature, room }: IceFields): void {
    if (phase !== undefined) putCells(phase, this.#layout, this.#field(PHASE_FIELD, false));
    if (temperature !== undefined) putCells(temperature, this.#layout, this.#field(HEAT_FIELD, false));
    this.#band.wakeAll();
    if (room === undefined) return;
    putCells(room, this.#layout, this.#fields[ROOM_FIELD]);
    fillBorder(this.#fields[ROOM_FIELD], this.#layout, this.#setup.boundary, null);
    this.#header[HAS_ROOM] = 1;
  }

  begin(number: number): void {
    const { boundary, wallTemperature, seed } = this.#setup;
    fillBorder(this.#field(PHASE_FIELD, false), this.#layout, boundary, null);
    fillBorder(this.#field(HEAT_FIELD, false), this.#layout, boundary, wallTemperature);
    this.#header[NOISE_KEY] = noiseKey(seed, number);
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
    const { coefficients: c, still, scheme } = this.#setup;
    const fields: StepFields = {
      layout: this.#layout,
      phase: this.#field(PHASE_FIELD, false),
      phaseAfter: this.#field(PHASE_FIELD, true),
      heat: this.#field(HEAT_FIELD, false),
      heatAfter: this.#field(HEAT_FIELD, true),
      room: this.#header[HAS_ROOM] === 0 ? null : this.#fields[ROOM_FIELD],
      corners: this.#corners,
      noiseKey: this.#header[NOISE_KEY],
      still,
      isImplicit: scheme === 'semi-implicit',
    };
    const isPlane = this.#layout.size[2] === 1;
    this.#band.run(from, to, (at, cells, withPhase) =>
      isPlane
        ? stepPlane(fields, c, at[0], at[1], cells[0], cells[1], withPhase)
        : stepSpace(fields, c, at, cells, withPhase),
    );
  }

  finish(): StepCounts {
    const counts = this.#band.finish();
    this.#header[DONE]++;
    return counts;
  }

  readPhase(): Float64Array {
    return takeCells(this.#field(PHASE_FIELD, false), this.#layout, new Float64Array(cellCount(this.#layout)));
  }

  readHeat(): Float64Array {
    return takeCells(this.#field(HEAT_FIELD, false), this.#layout, new Float64Array(cellCount(this.#layout)));
  }

  /** The current field, or the one that a step writes. */
  #field(which: number, isAfter: boolean): Float64Array {
    return this.#fields[which + ((this.done + Number(isAfter)) & 1)];
  }
}

function cellCount({ size }: CellLayout): number {
  return size[0] * size[1] * size[2];
}

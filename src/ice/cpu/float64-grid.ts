// A growth in double precision in TypeScript: for proofs, and where a page forbids WebAssembly.
import { type IceCoefficients, noiseKey } from '../coefficients.js';
import type { IceFields } from '../ice.js';
import type { IceSetup } from '../options.js';
import { type CellLayout, fillBorder, layoutOf, putCells, takeCells } from './cell-layout.js';
import type { CpuGrid, StepCounts } from './cpu-grid.js';
import { PLANE_TILE, SPACE_TILE } from './kernel-layout.js';
import { type StepFields, stepPlane } from './plane-step.js';
import { diffuseHeat, LineSolver } from './solve-lines.js';
import { stepSpace } from './space-step.js';
import { TileBand } from './tile-band.js';

export class Float64Grid implements CpuGrid {
  readonly precision = 'float64';
  readonly #setup: IceSetup;
  readonly #coefficients: IceCoefficients;
  readonly #layout: CellLayout;
  readonly #solvers: LineSolver[];
  readonly #band: TileBand;
  #fields: StepFields;

  constructor(setup: IceSetup) {
    this.#setup = setup;
    this.#coefficients = setup.coefficients;
    this.#layout = layoutOf(setup.size);
    const { length, size } = this.#layout;
    this.#band = new TileBand(setup);
    this.#solvers = size.map(
      (count) => new LineSolver(count, setup.coefficients.diffusion, setup.boundary, setup.wallTemperature),
    );
    this.#fields = {
      layout: this.#layout,
      phase: new Float64Array(length),
      phaseAfter: new Float64Array(length),
      heat: new Float64Array(length),
      heatAfter: new Float64Array(length),
      room: null,
      corners: new Float64Array(
        size[2] === 1 ? 6 * (PLANE_TILE[0] + 1) : 8 * (SPACE_TILE[0] + 1) * (SPACE_TILE[1] + 1),
      ),
      noiseKey: 0,
      still: setup.still,
      isImplicit: setup.scheme === 'semi-implicit',
    };
  }

  write({ phase, temperature, room }: IceFields): void {
    const { boundary } = this.#setup;
    if (phase !== undefined) putCells(phase, this.#layout, this.#fields.phase);
    if (temperature !== undefined) putCells(temperature, this.#layout, this.#fields.heat);
    this.#band.wakeAll();
    if (room === undefined) return;
    const values = new Float64Array(this.#layout.length);
    putCells(room, this.#layout, values);
    fillBorder(values, this.#layout, boundary, null);
    this.#fields = { ...this.#fields, room: values };
  }

  step(number: number): StepCounts {
    const { boundary, wallTemperature, seed } = this.#setup;
    const fields = { ...this.#fields, noiseKey: noiseKey(seed, number) };
    fillBorder(fields.phase, this.#layout, boundary, null);
    fillBorder(fields.heat, this.#layout, boundary, wallTemperature);
    const c = this.#coefficients;
    const isPlane = this.#layout.size[2] === 1;
    const counts = this.#band.step((at, cells, withPhase) =>
      isPlane
        ? stepPlane(fields, c, at[0], at[1], cells[0], cells[1], withPhase)
        : stepSpace(fields, c, at, cells, withPhase),
    );
    if (fields.isImplicit) diffuseHeat(fields.heatAfter, this.#layout, this.#solvers);
    const { phase, phaseAfter, heat, heatAfter } = fields;
    this.#fields = { ...fields, phase: phaseAfter, phaseAfter: phase, heat: heatAfter, heatAfter: heat };
    return counts;
  }

  readPhase(): Float64Array {
    return takeCells(this.#fields.phase, this.#layout, new Float64Array(cellCount(this.#layout)));
  }

  readHeat(): Float64Array {
    return takeCells(this.#fields.heat, this.#layout, new Float64Array(cellCount(this.#layout)));
  }
}

function cellCount({ size }: CellLayout): number {
  return size[0] * size[1] * size[2];
}

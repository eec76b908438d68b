// A growth in double precision in TypeScript: for proofs, and where WebAssembly is not to be had. No active band.
import { type IceCoefficients, noiseKey } from '../coefficients.js';
import type { IceFields } from '../ice.js';
import type { IceSetup } from '../options.js';
import { type CellLayout, fillBorder, layoutOf, putCells, takeCells } from './cell-layout.js';
import type { CpuGrid, StepCounts } from './cpu-grid.js';
import { type StepFields, stepPlane } from './plane-step.js';
import { diffuseHeat, LineSolver } from './solve-lines.js';
import { stepSpace } from './space-step.js';

export class Float64Grid implements CpuGrid {
  readonly precision = 'float64';
  readonly #setup: IceSetup;
  readonly #coefficients: IceCoefficients;
  readonly #layout: CellLayout;
  readonly #solvers: LineSolver[];
  #fields: StepFields;

  constructor(setup: IceSetup) {
    this.#setup = setup;
    this.#coefficients = setup.coefficients;
    this.#layout = layoutOf(setup.size);
    const { length, size } = this.#layout;
    const [nx, ny, nz] = size;
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
      corners: new Float64Array(nz === 1 ? 6 * (nx + 1) : 8 * (nx + 1) * (ny + 1)),
      noiseKey: 0,
      still: setup.still,
      isImplicit: setup.scheme === 'semi-implicit',
    };
  }

  write({ phase, temperature, room }: IceFields): void {
    const { boundary } = this.#setup;
    if (phase !== undefined) putCells(phase, this.#layout, this.#fields.phase);
    if (temperature !== undefined) putCells(temperature, this.#layout, this.#fields.heat);
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
    if (this.#layout.size[2] === 1) stepPlane(fields, this.#coefficients);
    else stepSpace(fields, this.#coefficients);
    if (fields.isImplicit) diffuseHeat(fields.heatAfter, this.#layout, this.#solvers);
    const { phase, phaseAfter, heat, heatAfter } = fields;
    this.#fields = { ...fields, phase: phaseAfter, phaseAfter: phase, heat: heatAfter, heatAfter: heat };
    return { tiles: 1, computedTiles: 1, phaseTiles: 1 };
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

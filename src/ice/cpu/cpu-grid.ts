// What the two kinds of cells on the CPU have in common.
import type { IceFields, IcePrecision } from '../ice.js';

export interface StepCounts {
  readonly tiles: number;
  readonly computedTiles: number;
  readonly phaseTiles: number;
}

export interface CpuGrid {
  readonly precision: IcePrecision;
  /** Sets all cells of some fields; arrays of the right length. */
  write(fields: IceFields): void;
  /** Does one step, whose number goes into the noise. */
  step(number: number): StepCounts;
  /** Copies of the fields. */
  readPhase(): Float32Array | Float64Array;
  readHeat(): Float32Array | Float64Array;
}

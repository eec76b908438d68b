// The interface of both kinds of cells on the CPU. A step has stages: the tiles, and for the semi-implicit scheme
// the lines of cells along each axis. The pieces of a stage depend on earlier stages only, so that threads can share them
// in any way: the results have the same bits.
import type { IceFields, IcePrecision } from '../ice.js';

export interface StepCounts {
  readonly tiles: number;
  readonly computedTiles: number;
  readonly phaseTiles: number;
}

export interface CpuGrid {
  readonly precision: IcePrecision;
  /** Steps done since the start. */
  readonly done: number;
  /** Sets all cells of some fields; arrays of the right length. */
  write(fields: IceFields): void;
  /** Copies of the fields. */
  readPhase(): Float32Array | Float64Array;
  readHeat(): Float32Array | Float64Array;
  /** Prepares a step, whose number goes into the noise. */
  begin(number: number): void;
  readonly stageCount: number;
  /** The number of pieces of work that a stage of this step has. */
  pieces(stage: number): number;
  run(stage: number, from: number, to: number): void;
  /** Ends a step after its last stage. */
  finish(): StepCounts;
}

/** Does one step in this thread. */
export function stepGrid(grid: CpuGrid, number: number): StepCounts {
  grid.begin(number);
  for (let stage = 0; stage < grid.stageCount; stage++) grid.run(stage, 0, grid.pieces(stage));
  return grid.finish();
}

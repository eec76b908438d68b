// A growth on the CPU.
import { nameValue } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { BackendFallback } from '../../gpu/choose-backend.js';
import { assertSteps, GrowthFacts } from '../growth-facts.js';
import type { Ice, IceFields, IceState, IceStroke, IceWork } from '../ice.js';
import type { IceSetup } from '../options.js';
import { assertStrokes, paintCells } from '../paint.js';
import type { CpuGrid } from './cpu-grid.js';
import { Float32Grid } from './float32-grid.js';
import { Float64Grid } from './float64-grid.js';

/** Reports progress after about this many cells. */
const CELLS_PER_REPORT = 1e6;

export class CpuIce extends GrowthFacts implements Ice {
  readonly backend = 'cpu';
  readonly fallback?: BackendFallback;
  #grid: CpuGrid | null;
  #room: Uint8Array | null = null;

  constructor(setup: IceSetup, fallback: BackendFallback | null) {
    const grid = (setup.precision === 'float32' ? Float32Grid.create(setup) : null) ?? new Float64Grid(setup);
    super(setup, grid.precision);
    if (fallback !== null) this.fallback = fallback;
    this.#grid = grid;
    const cells = setup.size[0] * setup.size[1] * setup.size[2];
    this.write({ phase: new Uint8Array(cells), temperature: new Float64Array(cells).fill(setup.temperature) });
    this.paint(setup.seeds);
  }

  async advance(steps: number, progress?: ProgressOptions): Promise<IceWork> {
    assertSteps(steps);
    const grid = this.#use();
    const cells = this.size[0] * this.size[1] * this.size[2];
    let tiles = 0;
    let computedTiles = 0;
    let phaseTiles = 0;
    let cellsSince = Infinity;
    for (let step = 0; step < steps; step++) {
      if (cellsSince > CELLS_PER_REPORT) {
        reportProgress(progress, step / steps, 'growing ice');
        cellsSince = 0;
      }
      const counts = grid.step(this.steps);
      this.steps++;
      tiles += counts.tiles;
      computedTiles += counts.computedTiles;
      phaseTiles += counts.phaseTiles;
      cellsSince += (cells * counts.computedTiles) / counts.tiles + cells / 64;
    }
    return { steps, tiles, computedTiles, phaseTiles };
  }

  paint(strokes: readonly IceStroke[]): void {
    assertStrokes(strokes);
    const grid = this.#use();
    if (strokes.length === 0) return;
    const canvas = { frame: this, phase: grid.readPhase(), temperature: grid.readHeat(), room: this.#room };
    paintCells(canvas, strokes);
    this.#room = canvas.room;
    grid.write({ phase: canvas.phase, temperature: canvas.temperature, room: canvas.room ?? undefined });
  }

  write(fields: IceFields): void {
    const grid = this.#use();
    this.assertFields(fields);
    if (fields.room !== undefined) this.#room = Uint8Array.from(fields.room, (value) => (value > 0 ? 1 : 0));
    grid.write({ phase: fields.phase, temperature: fields.temperature, room: this.#room ?? undefined });
  }

  read(): Promise<IceState> {
    const grid = this.#use();
    return Promise.resolve(this.stateOf(grid.readPhase(), grid.readHeat(), this.#room));
  }

  free(): void {
    this.#grid = null;
  }

  #use(): CpuGrid {
    if (this.#grid !== null) return this.#grid;
    throw new NearfieldError('bad-argument', `This growth of ${nameValue(this.size)} was freed; create a new one.`);
  }
}

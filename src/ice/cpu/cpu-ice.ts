// A growth on the CPU: in this thread, or in the workers of a pool.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { BackendFallback } from '../../gpu/choose-backend.js';
import type { TaskPool } from '../../pool/task-pool.js';
import { assertSteps, GrowthFacts } from '../growth-facts.js';
import type { Ice, IceFields, IceState, IceStroke, IceWork } from '../ice.js';
import type { IceSetup } from '../options.js';
import { assertStrokes, paintCells } from '../paint.js';
import { type CpuGrid, stepGrid } from './cpu-grid.js';
import { Float32Grid } from './float32-grid.js';
import { Float64Grid } from './float64-grid.js';
import { PoolSteps } from './ice-in-pool.js';

/** Chosen: cells between two reports of progress. */
const CELLS_PER_REPORT = 1e6;

export class CpuIce extends GrowthFacts implements Ice {
  readonly backend = 'cpu';
  readonly fallback?: BackendFallback;
  readonly workers: number;
  #grid: CpuGrid | null;
  readonly #poolSteps: PoolSteps | null;
  /** The runs of steps that were asked for, one after the other; and the number of those that go on. */
  #runs: Promise<unknown> = Promise.resolve();
  #running = 0;
  #room: Uint8Array | null = null;

  /** @param pool whose workers do the steps, if it shares memory with them. */
  constructor(setup: IceSetup, pool: TaskPool | null, fallback: BackendFallback | null) {
    const poolSteps = pool?.shared ? new PoolSteps(pool, setup) : null;
    const own = (): CpuGrid =>
      (setup.precision === 'float32' ? Float32Grid.create(setup) : null) ?? Float64Grid.create(setup);
    const grid = poolSteps?.grid ?? own();
    super(setup, grid.precision);
    if (fallback !== null) this.fallback = fallback;
    this.#grid = grid;
    this.#poolSteps = poolSteps;
    this.workers = poolSteps?.threads ?? 0;
    const cells = setup.size[0] * setup.size[1] * setup.size[2];
    this.write({ phase: new Uint8Array(cells), temperature: new Float64Array(cells).fill(setup.temperature) });
    this.paint(setup.seeds);
  }

  async advance(steps: number, progress?: ProgressOptions): Promise<IceWork> {
    assertSteps(steps);
    const grid = this.#use();
    if (this.#poolSteps === null) return this.#advanceHere(grid, steps, progress);
    const poolSteps = this.#poolSteps;
    this.#running++;
    const run = this.#runs.then(async () => {
      const begin = this.steps;
      let work: IceWork = { steps: 0, tiles: 0, computedTiles: 0, phaseTiles: 0 };
      await poolSteps.advance(begin, steps, progress, (done) => {
        work = done;
        this.steps = begin + done.steps;
      });
      return work;
    });
    this.#runs = run.catch(() => {});
    return run.finally(() => this.#running--);
  }

  #advanceHere(grid: CpuGrid, steps: number, progress: ProgressOptions | undefined): IceWork {
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
      const counts = stepGrid(grid, this.steps);
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
    const grid = this.#useAtRest();
    if (strokes.length === 0) return;
    const canvas = { frame: this, phase: grid.readPhase(), temperature: grid.readHeat(), room: this.#room };
    paintCells(canvas, strokes);
    this.#room = canvas.room;
    grid.write({ phase: canvas.phase, temperature: canvas.temperature, room: canvas.room ?? undefined });
  }

  write(fields: IceFields): void {
    const grid = this.#useAtRest();
    this.assertFields(fields);
    if (fields.room !== undefined) this.#room = Uint8Array.from(fields.room, (value) => (value > 0 ? 1 : 0));
    grid.write({ phase: fields.phase, temperature: fields.temperature, room: this.#room ?? undefined });
  }

  async read(): Promise<IceState> {
    this.#use();
    await this.#runs;
    const grid = this.#use();
    return this.stateOf(grid.readPhase(), grid.readHeat(), this.#room);
  }

  free(): void {
    this.#poolSteps?.stop();
    this.#grid = null;
  }

  /** Workers write to the fields while steps go on. */
  #useAtRest(): CpuGrid {
    const grid = this.#use();
    if (this.#running === 0) return grid;
    throw new NearfieldError('bad-argument', 'Workers are growing this ice; await what `advance` returned first.');
  }

  #use(): CpuGrid {
    this.#poolSteps?.assertWhole();
    if (this.#grid !== null) return this.#grid;
    throw new NearfieldError('bad-argument', `This growth of ${nameValue(this.size)} was freed; create a new one.`);
  }
}

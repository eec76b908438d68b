// Steps of one grid by several threads. Each takes pieces of the current stage as long as there are any; the one that ends
// the last piece goes on to the next stage or step and wakes the others. Nobody waits for a thread that has not taken a
// piece: any number of threads gives the same bits, and those that come late or never cost nothing.
import type { ProgressOptions } from '../../core/progress.js';
import type { IceWork } from '../ice.js';
import type { CpuGrid } from './cpu-grid.js';

/** Layout: place in the shared numbers: parts of a stage that nobody has taken (below 0: threads that found none). */
const UNTAKEN = 0;
/** Layout: place in the shared numbers: parts that are not done. */
const UNDONE = 1;
/** Layout: place in the shared numbers: a number that changes whenever there are new parts. */
const GENERATION = 2;
/** Layout: place in the shared numbers: the current stage. */
const STAGE = 3;
/** Layout: place in the shared numbers: pieces of a part. */
const GRAIN = 4;
/** Layout: place in the shared numbers: if not 0, the run ends after this step. */
const STOP = 5;
/** Layout: place in the shared numbers: if not 0, the run ends at once. */
const ENDED = 6;
/** Layout: the count of the shared numbers, even, so that those behind are aligned. */
const INTEGERS = 8;
/** Layout: place in the numbers behind: steps to do in this run. */
const GOAL = 0;
/** Layout: place in the numbers behind: steps done in this run. */
const COUNT = 1;
/** Layout: place in the numbers behind: the number of the first step. */
const FIRST = 2;
/** Layout: place in the numbers behind: the tiles of all steps. */
const TILES = 3;
/** Layout: place in the numbers behind: the tiles computed. */
const COMPUTED = 4;
/** Layout: place in the numbers behind: the tiles with a phase between 0 and 1 in or around them. */
const PHASED = 5;
/** Layout: the count of the numbers behind. */
const NUMBERS = 6;

/** Chosen: parts of a stage for each thread: enough that all end at nearly the same time. */
const PARTS_PER_THREAD = 8;
/** Chosen: the smallest number of pieces of a part: a tile takes some microseconds, a part costs one. */
const MIN_GRAIN = 4;
/** Chosen: how often a thread looks for new parts before sleeping: some ten microseconds, less than waking up takes. */
const LOOKS = 4000;
/** Chosen: milliseconds after which a sleeping thread looks again. */
const MAX_SLEEP = 50;

export class StepTeam {
  readonly memory: SharedArrayBuffer;
  readonly #integers: Int32Array;
  readonly #numbers: Float64Array;
  readonly #threads: number;

  /** @param memory that of the team in another thread; without it, a new one. */
  constructor(threads: number, memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(4 * INTEGERS + 8 * NUMBERS);
    this.#integers = new Int32Array(this.memory, 0, INTEGERS);
    this.#numbers = new Float64Array(this.memory, 4 * INTEGERS, NUMBERS);
    this.#threads = threads;
  }

  /** Begins a run of steps, before any thread takes part in it. At least one. */
  start(grid: CpuGrid, first: number, steps: number): void {
    this.#numbers.fill(0);
    this.#numbers[GOAL] = steps;
    this.#numbers[FIRST] = first;
    Atomics.store(this.#integers, STOP, 0);
    Atomics.store(this.#integers, ENDED, 0);
    grid.begin(first);
    this.#publish(grid, 0);
  }

  /** Ends the run after the current step. */
  stop(): void {
    Atomics.store(this.#integers, STOP, 1);
  }

  /** Sends all threads away, though the step is not done. */
  abandon(): void {
    Atomics.store(this.#integers, ENDED, 1);
    Atomics.add(this.#integers, GENERATION, 1);
    Atomics.notify(this.#integers, GENERATION);
  }

  /** What the run has done so far. */
  get work(): IceWork {
    const numbers = this.#numbers;
    return {
      steps: numbers[COUNT],
      tiles: numbers[TILES],
      computedTiles: numbers[COMPUTED],
      phaseTiles: numbers[PHASED],
    };
  }

  /** Works until the run ends. */
  takePart(grid: CpuGrid, progress: ProgressOptions): void {
    const integers = this.#integers;
    for (;;) {
      const generation = Atomics.load(integers, GENERATION);
      if (Atomics.load(integers, ENDED) !== 0) return;
      const taken = Atomics.sub(integers, UNTAKEN, 1);
      if (taken <= 0) {
        this.#wait(generation);
        continue;
      }
      // The stage cannot end before this part does, so that its numbers are those of the part.
      const stage = integers[STAGE];
      const from = (taken - 1) * integers[GRAIN];
      grid.run(stage, from, Math.min(grid.pieces(stage), from + integers[GRAIN]));
      if (Atomics.sub(integers, UNDONE, 1) === 1) this.#goOn(grid, stage + 1, progress);
    }
  }

  /** Ends a stage: goes on to the next that has any pieces, in this step or a later one. */
  #goOn(grid: CpuGrid, next: number, progress: ProgressOptions): void {
    const numbers = this.#numbers;
    for (let stage = next; ; stage++) {
      if (stage === grid.stageCount) {
        const counts = grid.finish();
        numbers[TILES] += counts.tiles;
        numbers[COMPUTED] += counts.computedTiles;
        numbers[PHASED] += counts.phaseTiles;
        numbers[COUNT]++;
        progress.onProgress?.(numbers[COUNT] / numbers[GOAL], '');
        if (numbers[COUNT] === numbers[GOAL] || Atomics.load(this.#integers, STOP) !== 0) {
          this.abandon();
          return;
        }
        grid.begin(numbers[FIRST] + numbers[COUNT]);
        stage = 0;
      }
      if (grid.pieces(stage) > 0) {
        this.#publish(grid, stage);
        return;
      }
    }
  }

  #publish(grid: CpuGrid, stage: number): void {
    const integers = this.#integers;
    const pieces = grid.pieces(stage);
    const grain = Math.max(MIN_GRAIN, Math.ceil(pieces / (PARTS_PER_THREAD * this.#threads)));
    // A stage without pieces is one empty part.
    const parts = Math.max(1, Math.ceil(pieces / grain));
    integers[STAGE] = stage;
    integers[GRAIN] = grain;
    Atomics.store(integers, UNDONE, parts);
    Atomics.store(integers, UNTAKEN, parts);
    Atomics.add(integers, GENERATION, 1);
    Atomics.notify(integers, GENERATION);
  }

  #wait(generation: number): void {
    for (let i = 0; i < LOOKS; i++) if (Atomics.load(this.#integers, GENERATION) !== generation) return;
    Atomics.wait(this.#integers, GENERATION, generation, MAX_SLEEP);
  }
}

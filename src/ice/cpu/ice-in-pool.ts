// Growth in the workers of a pool. The grid lies in shared memory; each worker is asked to take part in a run of steps.
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { TaskPool } from '../../pool/task-pool.js';
import type { WorkerTasks } from '../../pool/worker-tasks.js';
import type { IceWork } from '../ice.js';
import type { IceSetup } from '../options.js';
import type { CpuGrid } from './cpu-grid.js';
import { Float32Grid, type Float32Parts } from './float32-grid.js';
import { Float64Grid, type Float64Parts } from './float64-grid.js';
import { StepTeam } from './step-team.js';

interface StepsInput {
  readonly setup: IceSetup;
  readonly parts: Float32Parts | Float64Parts;
  readonly team: SharedArrayBuffer;
  readonly threads: number;
  readonly thread: number;
}

/** What a worker's script gives to `serveBatches`, so that it grows ice. */
export const ICE_TASKS: WorkerTasks = {
  'ice/steps': (_, { setup, parts, team, threads, thread }: StepsInput, progress) => {
    const grid =
      parts.precision === 'float32' ? Float32Grid.join(setup, parts, thread) : Float64Grid.join(setup, parts);
    new StepTeam(threads, team).takePart(grid, progress);
  },
};

/** The workers of a pool that step one grid. */
export class PoolSteps {
  readonly grid: CpuGrid;
  readonly threads: number;
  readonly #pool: TaskPool;
  readonly #setup: IceSetup;
  readonly #parts: Float32Parts | Float64Parts;
  readonly #team: StepTeam;
  #lost: NearfieldError | null = null;

  constructor(pool: TaskPool, setup: IceSetup) {
    this.#pool = pool;
    this.#setup = setup;
    // Without workers the first call says why.
    this.threads = Math.max(1, pool.size);
    const single = setup.precision === 'float32' ? Float32Grid.create(setup, this.threads) : null;
    const grid = single ?? Float64Grid.create(setup, true);
    this.grid = grid;
    this.#parts = grid.parts;
    this.#team = new StepTeam(this.threads);
  }

  /** Ends a run that goes on after its current step. */
  stop(): void {
    this.#team.stop();
  }

  /** Throws if a worker was lost during a step. */
  assertWhole(): void {
    if (this.#lost === null) return;
    throw new NearfieldError(
      this.#lost.code,
      `This growth ended during a step (${this.#lost.message}) Create a new one, with a new pool.`,
    );
  }

  /** Does steps from the number `first` on; reports the number done. */
  async advance(
    first: number,
    steps: number,
    progress: ProgressOptions | undefined,
    onDone: (work: IceWork) => void,
  ): Promise<void> {
    this.assertWhole();
    reportProgress(progress, 0, 'growing ice');
    if (steps === 0) return;
    const team = this.#team;
    team.start(this.grid, first, steps);
    let fault: unknown = null;
    let most = 0;
    const report = (fraction: number): void => {
      if (fraction < most || fault !== null) return;
      most = fraction;
      try {
        reportProgress(progress, fraction, 'growing ice');
      } catch (error) {
        fault = error;
        team.stop();
      }
    };
    const signal = progress?.signal as Partial<AbortSignal> | undefined;
    const onAbort = (): void => report(most);
    signal?.addEventListener?.('abort', onAbort, { once: true });
    const { threads } = this;
    const shared = { setup: { ...this.#setup, seeds: [] }, parts: this.#parts, team: team.memory, threads };
    const calls = Array.from({ length: threads }, async (_, thread) => {
      try {
        await this.#pool.call('ice/steps', [], { ...shared, thread } satisfies StepsInput, { onProgress: report });
      } catch (error) {
        const code = error instanceof NearfieldError ? error.code : null;
        // A lost worker, or one of a pool that was closed, may have left a step half done, or still be doing it.
        if (code === 'device-lost' || code === 'aborted') this.#lost ??= error as NearfieldError;
        fault ??= error;
        // The others would wait for what it has taken.
        team.abandon();
      }
    });
    await Promise.all(calls);
    signal?.removeEventListener?.('abort', onAbort);
    onDone(team.work);
    if (fault !== null) throw fault;
  }
}

// Runs a simulation for a number of steps and collects frames: what `nearfield simulate` prints.
import { nameValue } from '../core/check/check-options.js';
import {
  checkedElsewhere,
  flag,
  labelled,
  needed,
  numberFrom,
  optionTable,
  PROGRESS_RULES,
  wholeNumber,
} from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { SimulationBase, SimulationFrame } from './simulation.js';

/** How long a simulation runs and what is kept of it. */
export interface SimulateOptions extends ProgressOptions {
  readonly steps: number;
  /** The number of steps from one frame to the next; the first and the last state are frames too. 1 by default. */
  readonly every?: number | undefined;
  /** Whether frames have the nodes of elastic bodies; false by default. */
  readonly nodes?: boolean | undefined;
  /** Ends early, with the status `budget`, within a step too; seconds of wall time. */
  readonly maxSeconds?: number | undefined;
  /** Called with each frame as it is taken. */
  readonly onFrame?: ((frame: SimulationFrame) => void) | undefined;
}

const SIMULATE_OPTIONS = optionTable<SimulateOptions>()({
  steps: needed(
    labelled('number of steps', {
      ...wholeNumber(0, Number.MAX_SAFE_INTEGER),
      expects: 'a whole number of at least 0',
    }),
  ),
  every: labelled('number of steps between frames', {
    ...wholeNumber(1, Number.MAX_SAFE_INTEGER, 1),
    expects: 'a whole number of at least 1',
  }),
  nodes: labelled('option nodes', flag(false)),
  maxSeconds: { ...numberFrom(0, Infinity), expects: 'a number of at least 0' },
  onFrame: checkedElsewhere<NonNullable<SimulateOptions['onFrame']>>(),
  ...PROGRESS_RULES,
});

/** What {@link simulateScene} returns. */
export interface SimulationResult {
  /** The first is of the start, the last of the end. */
  readonly frames: readonly SimulationFrame[];
  /** Steps done. */
  readonly steps: number;
  /** Substeps of the solver in each of them. */
  readonly substeps: number;
  /** Elements of elastic bodies. */
  readonly elements: number;
  /**
   * Seconds of motion left out, summed over islands: a step answers a limited number of impacts, and bodies that would have
   * more keep their place for the rest of it.
   */
  readonly lostTime: number;
  /** Steps and equilibria of elastic bodies that were not found to the tolerance. */
  readonly unsolved: number;
  /** `budget`: the time ran out. `diverged`: numbers were no longer finite; the last frame is the one before. */
  readonly status: 'done' | 'budget' | 'diverged';
  readonly milliseconds: number;
  /** Wall time of the steps alone, without frames. */
  readonly msPerStep: { readonly mean: number; readonly median: number; readonly p95: number; readonly max: number };
}

function assertArguments(simulation: SimulationBase, options: SimulateOptions): void {
  if (typeof simulation?.step !== 'function' || typeof simulation.frame !== 'function') {
    throw new NearfieldError(
      'bad-argument',
      `The simulation is ${nameValue(simulation)}; give what readSimulationScene returns, after await.`,
    );
  }
  if (options === null || typeof options !== 'object') {
    throw new NearfieldError('bad-argument', `The options are ${nameValue(options)}; give at least { steps }.`);
  }
}

/** Runs a simulation from where it is now. */
export function simulateScene(simulation: SimulationBase, options: SimulateOptions): SimulationResult {
  assertArguments(simulation, options);
  const { steps, every, nodes, maxSeconds, onFrame } = SIMULATE_OPTIONS.read(options);
  const begin = performance.now();
  const lostBefore = simulation.lostTime;
  const unsolvedBefore = simulation.unsolved;
  const frames: SimulationFrame[] = [];
  const takeFrame = (): boolean => {
    const frame = nodes ? withNodes(simulation) : simulation.frame();
    if (!holdsOnlyFinite(frame)) return false;
    frames.push(frame);
    onFrame?.(frame);
    return true;
  };
  const times: number[] = [];
  let status: SimulationResult['status'] = 'done';
  if (!takeFrame()) {
    // A start that barriers refuse has no finite energy either; the step says what is wrong with it.
    tryStep(simulation, Infinity);
    status = 'diverged';
  }
  while (status === 'done' && times.length < steps) {
    reportProgress(options, times.length / steps, `step ${times.length} of ${steps}`);
    if (performance.now() - begin > 1000 * maxSeconds) {
      status = 'budget';
      break;
    }
    const start = performance.now();
    const end = tryStep(simulation, begin + 1000 * maxSeconds - start);
    if (end === 'budget') {
      status = end;
      break;
    }
    times.push(performance.now() - start);
    if (end === 'diverged') status = end;
    else if (times.length % every === 0 && !takeFrame()) status = 'diverged';
  }
  if (status !== 'diverged' && times.length % every !== 0 && !takeFrame()) status = 'diverged';
  return {
    frames,
    steps: times.length,
    substeps: simulation.substeps,
    elements: simulation.elements,
    lostTime: simulation.lostTime - lostBefore,
    unsolved: simulation.unsolved - unsolvedBefore,
    status,
    milliseconds: performance.now() - begin,
    msPerStep: summarize(times),
  };
}

/** How a step ended: `diverged` where numbers are no longer finite. */
function tryStep(simulation: SimulationBase, maxMilliseconds: number): SimulationResult['status'] {
  try {
    return simulation.step(Math.max(0, maxMilliseconds)) ? 'done' : 'budget';
  } catch (error) {
    if (error instanceof NearfieldError && error.code === 'non-finite') return 'diverged';
    throw error;
  }
}

/** A frame whose elastic bodies have their nodes. */
function withNodes(simulation: SimulationBase): SimulationFrame {
  const frame = simulation.frame();
  const bodies = frame.bodies.map((body, i) => {
    const nodes = simulation.nodesOf(i);
    return nodes === null ? body : { ...body, nodes };
  });
  return { ...frame, bodies };
}

/** A number that is not finite anywhere reaches the energy. */
function holdsOnlyFinite({ energy, bodies }: SimulationFrame): boolean {
  return Number.isFinite(energy.total) && bodies.every(({ pose }) => pose.every(Number.isFinite));
}

function summarize(times: readonly number[]): SimulationResult['msPerStep'] {
  if (times.length === 0) return { mean: 0, median: 0, p95: 0, max: 0 };
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return {
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    median: at(0.5),
    p95: at(0.95),
    max: sorted[sorted.length - 1],
  };
}

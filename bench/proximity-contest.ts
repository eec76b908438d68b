// Timing of queries along a scenario: each contestant makes a warm-up pass over the frames, then timed passes from a fresh
// state, contestants taking turns pass by pass; the median pass counts. Time is that of the processor, which other work
// on the machine disturbs least. Answers are kept, to be compared.

/** One way to answer a query for every pair in every frame. */
export interface FrameContestant {
  readonly name: string;
  /** Frames of a pass: the first ones of the scenario, or every `stride`-th. */
  readonly frames: number;
  readonly stride?: number;
  /** One pass is enough, and needs no other before it. */
  readonly isWarm?: boolean;
  /** Called before every pass. */
  reset?(): void;
  /** Answers frame by frame and pair by pair; microseconds of the whole pass. */
  pass(answers: Float64Array): number | Promise<number>;
}

export interface ContestOptions {
  readonly pairs: number;
  readonly passes: number;
  /** Passes before those that count. Default 1; short passes need more of them until everything is compiled. */
  readonly warmUps?: number;
}

export interface FrameTiming {
  readonly name: string;
  readonly frames: number;
  readonly stride: number;
  /** Mean over the frames of the median pass; all pairs of a frame together. */
  readonly microseconds: number;
  readonly answers: Float64Array;
}

/** Time that this process has had on the processor, collecting garbage and compiling included. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** A contestant that has taken this long is done, if only with its first pass; milliseconds. */
const PATIENCE = 6000;

export async function timeFrames(
  contestants: readonly FrameContestant[],
  { pairs, passes, warmUps = 1 }: ContestOptions,
): Promise<FrameTiming[]> {
  const runs = contestants.map((contestant) => ({
    contestant,
    answers: new Float64Array(contestant.frames * pairs),
    times: [] as number[],
    spent: 0,
  }));
  for (let pass = 0; pass < passes + warmUps; pass++) {
    for (const run of runs) {
      const enough = run.times.length > 0 && (run.contestant.isWarm || run.spent > PATIENCE);
      if (enough) continue;
      run.contestant.reset?.();
      const time = await run.contestant.pass(run.answers);
      run.times.push(time);
      run.spent += time / 1000;
    }
  }
  return runs.map(({ contestant: { name, frames, stride = 1 }, answers, times }) => {
    // The first of several were the warm-up.
    const timed = times.slice(Math.min(warmUps, times.length - 1)).sort((a, b) => a - b);
    return { name, frames, stride, microseconds: timed[timed.length >> 1] / frames, answers };
  });
}

/** The largest difference between a contestant's answers and the reference's on the frames that both have. */
export function largestDifference(of: FrameTiming, reference: FrameTiming, pairs: number): number {
  let largest = 0;
  forCommonAnswers(of, reference, pairs, (a, b) => {
    largest = Math.max(largest, Math.abs(a - b));
  });
  return largest;
}

/** On how many common frames and pairs the two say otherwise. */
export function countDisagreements(of: FrameTiming, reference: FrameTiming, pairs: number): number {
  let count = 0;
  forCommonAnswers(of, reference, pairs, (a, b) => {
    if (a !== b) count++;
  });
  return count;
}

export function forCommonAnswers(
  of: FrameTiming,
  reference: FrameTiming,
  pairs: number,
  visit: (a: number, b: number) => void,
): void {
  for (let i = 0; i < of.frames; i++) {
    const frame = i * of.stride;
    if (frame % reference.stride !== 0 || frame / reference.stride >= reference.frames) continue;
    for (let pair = 0; pair < pairs; pair++) {
      visit(of.answers[i * pairs + pair], reference.answers[(frame / reference.stride) * pairs + pair]);
    }
  }
}

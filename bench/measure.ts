// Timing on a noisy machine: after a warm-up, every contestant runs in every round, in turn. The median and the minimum
// over the rounds are kept, and only contestants of the same run are compared.

export interface Contestant {
  readonly name: string;
  run(): unknown;
}

export interface Timing {
  readonly name: string;
  /** Milliseconds per run. */
  readonly median: number;
  readonly minimum: number;
}

export interface MeasureOptions {
  readonly rounds?: number;
  /** A contestant repeats within a round until this many milliseconds have passed, to time short runs well. */
  readonly minimumMilliseconds?: number;
  /** 'processor': the time that this process had the processor, which others on the machine lengthen less. Default 'wall'. */
  readonly clock?: 'wall' | 'processor';
}

/** Times the contestants interleaved. Their results are kept from the optimizer by summing a hash of them. */
export function measure(contestants: readonly Contestant[], options: MeasureOptions = {}): Timing[] {
  const { rounds = 7, minimumMilliseconds = 50, clock = 'wall' } = options;
  const now = clock === 'wall' ? () => performance.now() : processorTime;
  const times = contestants.map((): number[] => []);
  for (const { run } of contestants) consume(run());
  for (let round = 0; round < rounds; round++) {
    for (const [index, { run }] of contestants.entries()) {
      const start = now();
      let repetitions = 0;
      do {
        consume(run());
        repetitions++;
      } while (now() - start < minimumMilliseconds);
      times[index].push((now() - start) / repetitions);
    }
  }
  return contestants.map(({ name }, index) => {
    const sorted = times[index].sort((a, b) => a - b);
    return { name, median: sorted[sorted.length >> 1], minimum: sorted[0] };
  });
}

/** Milliseconds, those of the compiler and the garbage collector in other threads included. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let sink = 0;
function consume(value: unknown): void {
  if (typeof value === 'number') sink += value;
  else if (value !== null && typeof value === 'object') sink++;
  if (sink === Number.MIN_VALUE) throw new Error('unreachable: keeps results alive');
}

/** Milliseconds for people. */
export function milliseconds(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);
}

/** How many times faster `ours` is than `theirs`. */
export function ratio(ours: number, theirs: number): string {
  const times = theirs / ours;
  return `${times >= 10 ? times.toFixed(0) : times.toFixed(1)}×`;
}

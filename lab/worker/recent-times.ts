// The median time of the last queries of one kind.

/** How many of the last queries the median is taken of. */
const RECENT = 60;

export class RecentTimes {
  #kind = '';
  #times: number[] = [];

  /** Adds a time; a kind other than the last begins anew. */
  add(kind: string, time: number): { median: number; count: number } {
    if (kind !== this.#kind) this.#times = [];
    this.#kind = kind;
    this.#times = [...this.#times.slice(1 - RECENT), time];
    return { median: median(this.#times), count: this.#times.length };
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** A table of figures with its own headings, printed by `nearfield bench` and quoted by docs/benchmarks.md. */
export interface BenchTable {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes?: readonly string[];
}

/** Runs a part of a suite under a name that no other part has. What it gives is copied from another process perhaps. */
export type RunPart = <T>(name: string, run: () => T | Promise<T>) => Promise<T>;

export interface SuiteContext {
  /** Fewer repetitions and smaller sizes: for a look, not for quoting. */
  readonly quick: boolean;
  /** Say how far the suite has come, 0 to 1. */
  progress(fraction: number, stage: string): void;
  readonly part: RunPart;
}

/** One suite, one file; listed in main.ts. */
export interface Suite {
  readonly name: string;
  readonly title: string;
  /** The folders of src that the figures depend on most: a record is stale when one of them has changed. */
  readonly chapters: readonly string[];
  run(context: SuiteContext): Promise<BenchTable[]>;
}

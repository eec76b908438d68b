import type { ParseArgsConfig } from 'node:util';
import type { ProgressOptions } from '../core/progress.js';

/** The answer of a verb: `json` is printed with --json, `text` without it. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Lines for standard error, about limits of the answer. */
  readonly warnings?: readonly string[];
  /** 3 where --assert wanted what is not proven; 0 by default. */
  readonly exitCode?: number;
}

/** The input of a verb. `values` are its options as parsed by `node:util`. */
export interface VerbInput {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly progress: ProgressOptions;
}

/** One verb of the command: a module in `verbs/`, listed in `command.ts`. Every verb also has `--json` and `--help`. */
export interface Verb {
  readonly name: string;
  /** One line for the list of verbs. */
  readonly summary: string;
  /** The arguments, as in `nearfield info MODEL`. */
  readonly usage: string;
  /** What --help prints below the usage: options and examples, one per line. */
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Null if the verb has printed its own output or keeps running (the lab's server). */
  run(input: VerbInput): Promise<Answer | null>;
}

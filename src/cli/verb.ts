import type { ParseArgsConfig } from 'node:util';
import type { ProgressOptions } from '../core/progress.js';

/** What a verb answers: `json` is printed with --json, `text` without. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Lines for standard error: what makes the answer less than it seems. */
  readonly warnings?: readonly string[];
}

/** What a verb is given. `values` are its options as `node:util` parses them. */
export interface VerbInput {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly progress: ProgressOptions;
}

/** One verb of the command: a small module in `verbs/`, listed in `main.ts`. `--json` and `--help` come with every verb. */
export interface Verb {
  readonly name: string;
  /** One line for the list of verbs. */
  readonly summary: string;
  /** The arguments, as in `nearfield info MODEL`. */
  readonly usage: string;
  /** What --help prints below the usage: options and examples, one a line. */
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Null: the verb printed for itself or runs on (the lab's server). */
  run(input: VerbInput): Promise<Answer | null>;
}

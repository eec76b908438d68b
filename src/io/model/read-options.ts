import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import type { ProgressOptions } from '../../core/progress.js';

/** The options of every reader. */
export interface ReadOptions extends ProgressOptions {
  /** Names the model, and the file in errors. */
  readonly fileName?: string | undefined;
}

export const READ_OPTIONS = optionTable<ReadOptions>()({ fileName: checkedElsewhere<string>(), ...PROGRESS_RULES });

/**
 * Chosen: elements or statements that a reader handles between two reports of progress, when it also checks the abort
 * signal; a power of two.
 */
export const PROGRESS_INTERVAL = 2 ** 16;

/** Chosen: the default of the chord error, in millimeters; parts of machines are made no finer without need. */
export const CHORD_ERROR = 0.1;

/** The file name without folders and extension; "model" without a file name. */
export function modelName({ fileName = '' }: ReadOptions): string {
  return (
    fileName
      .replace(/^.*[/\\]/, '')
      .replace(/\.[^.]*$/, '')
      .trim() || 'model'
  );
}

import type { ProgressOptions } from '../../core/progress.js';

/** What every reader takes. */
export interface ReadOptions extends ProgressOptions {
  /** Names the model, and the file in errors. */
  readonly fileName?: string | undefined;
}

/** Readers report progress and look at the abort signal once in this many elements or statements; a power of two. */
export const PROGRESS_INTERVAL = 2 ** 16;

/** The file name without folders and ending; "model" when there is none. */
export function modelName({ fileName = '' }: ReadOptions): string {
  return (
    fileName
      .replace(/^.*[/\\]/, '')
      .replace(/\.[^.]*$/, '')
      .trim() || 'model'
  );
}

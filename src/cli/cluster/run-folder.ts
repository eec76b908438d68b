// A verb over a folder: each file of it is a job for the threads of this machine or the machines of a cluster. A file that
// fails is reported and does not stop the rest.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { BatchPool } from '../../proximity/batch/batch-pool.js';
import type { TaskPool } from '../../proximity/batch/model-pool.js';
import { saveBytes } from '../load-model.js';
import { BATCH_SCRIPT, START_TIMEOUT } from '../open-pool.js';

/** The result of one file. */
export interface FolderRow {
  readonly file: string;
  /** What the work returned; null if it failed. */
  readonly result: unknown;
  /** Why it failed; null if it has a result. */
  readonly error: string | null;
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Runs work on every .json file of a folder, as many at a time as the pool takes, and writes each result into a folder. */
export async function runFolder(
  folder: string,
  output: string | null,
  pool: TaskPool | null,
  work: (pool: TaskPool, file: string) => Promise<unknown>,
  progress: ProgressOptions,
): Promise<FolderRow[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) throw new NearfieldError('file-not-found', `${folder}: there is no .json file in it`);
  if (output !== null) await mkdir(output, { recursive: true });
  const threads = pool === null ? new BatchPool(makeThreads(files.length), { startTimeout: START_TIMEOUT }) : null;
  const rows: FolderRow[] = [];
  let next = 0;
  let done = 0;
  const runNext = async (): Promise<void> => {
    while (next < files.length) {
      const index = next++;
      const path = join(folder, files[index]);
      rows[index] = await runFile(path, () => work(pool ?? threads!, path));
      const { result } = rows[index];
      if (output !== null && result !== null) {
        await saveBytes(join(output, files[index]), new TextEncoder().encode(`${JSON.stringify(result)}\n`));
      }
      reportProgress(progress, ++done / files.length, 'files');
    }
  };
  try {
    const lanes = Math.min(files.length, (pool ?? threads!).size);
    await Promise.all(Array.from({ length: lanes }, runNext));
  } finally {
    // Lanes that have not failed must not ask for more.
    next = files.length;
    threads?.close();
  }
  return rows;
}

async function runFile(file: string, work: () => Promise<unknown>): Promise<FolderRow> {
  try {
    return { file, result: await work(), error: null };
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
    return { file, result: null, error: error.message };
  }
}

function makeThreads(files: number): Worker[] {
  return Array.from({ length: Math.min(files, availableParallelism()) }, () => new Worker(BATCH_SCRIPT));
}

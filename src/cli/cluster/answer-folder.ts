// What a verb prints about a folder: a row for each file.
import { NearfieldError } from '../../core/errors.js';
import type { TaskPool } from '../../proximity/batch/model-pool.js';
import { takeString } from '../arguments.js';
import { columns, onOneLine, readable } from '../table.js';
import type { Answer, VerbInput } from '../verb.js';
import { withCluster } from './open-cluster.js';
import { runFolder } from './run-folder.js';

/** Answers every file of a folder, in threads or on the cluster that was asked for. */
export async function answerFolder(
  input: VerbInput,
  folder: string,
  output: string | null,
  work: (pool: TaskPool, file: string) => Promise<unknown>,
): Promise<Answer> {
  if (output !== null && /\.\w+$/.test(output)) {
    throw new NearfieldError('bad-argument', `${output}: the answers to a folder are written into a folder; name one`);
  }
  const start = performance.now();
  const rows = await withCluster(input, (cluster) => runFolder(folder, output, cluster, work, input.progress));
  const milliseconds = performance.now() - start;
  const failed = rows.filter(({ error }) => error !== null).length;
  const statusOf = (result: unknown): string => (result as { status?: string } | null)?.status ?? 'done';
  return {
    json: {
      files: rows.map(({ file, result, error }) => ({ file, error, ...(error === null && { result }) })),
      failed,
      milliseconds,
    },
    text: [
      columns(
        ['file', 'status'],
        rows.map(({ file, result, error }) => [file, error === null ? statusOf(result) : onOneLine(error)]),
      ),
      '',
      `${readable(rows.length)} files, ${readable(failed)} failed, ${milliseconds.toFixed(0)} ms`,
      ...(output === null ? [] : [`written into ${output}`]),
    ].join('\n'),
  };
}

/** Refuses --cluster for a single file. */
export function assertNoCluster(input: VerbInput, path: string): void {
  if (takeString(input, 'cluster') === null) return;
  throw new NearfieldError('bad-argument', `${path}: --cluster is for folders of files; give the folder`);
}

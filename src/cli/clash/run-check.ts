// Runs a clash check for the command: in threads where there is enough to do, with a journal if one is named.

import type { Clash } from '../../clash/clash.js';
import type { ClashCheck } from '../../clash/clash-check.js';
import { streamClashes } from '../../clash/stream-clashes.js';
import type { ProgressOptions } from '../../core/progress.js';
import { printWarning } from '../print-warning.js';
import { ClashJournal } from './clash-journal.js';
import type { ClashMachines } from './clash-machines.js';

/** How to run it. */
export interface RunOptions {
  readonly machines: ClashMachines;
  /** The file of the journal; null: the check has no journal. */
  readonly journal: string | null;
  readonly progress: ProgressOptions;
  /** Gets a line about each job that no machine could answer. */
  readonly failures: string[];
}

/** Chosen: fewer jobs than this are done before threads have started and have their models. */
const JOBS_WORTH_THREADS = 4;

/** The clashes of a check, job by job. */
export async function* runCheck(
  check: ClashCheck,
  { machines, journal: path, progress, failures }: RunOptions,
): AsyncGenerator<readonly Clash[], void, void> {
  const journal = path === null ? null : new ClashJournal(path, await check.fingerprint(), check.jobCount);
  const isLong = check.jobCount - (journal?.jobsDone ?? 0) >= JOBS_WORTH_THREADS;
  if (journal !== null && journal.droppedBytes > 0) {
    printWarning(`${path}: the last ${journal.droppedBytes} bytes belong to an unfinished job and were dropped.`);
  }
  try {
    const known = journal === null ? undefined : (job: number) => journal.answer(job);
    for await (const { job, answer, clashes } of streamClashes(check, {
      ...progress,
      pool: machines.pool(isLong),
      known,
      onFailedJob: (job, error) => failures.push(`${check.pairsOf(job)} pairs were not tested: ${error.message}`),
    })) {
      journal?.add(job, answer);
      yield clashes;
    }
  } finally {
    journal?.close();
  }
}

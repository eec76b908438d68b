// The worker: runs one task after another. A mesh, or a file's bytes, stay the same object from task to task, so tasks
// may keep what they derive from it in a WeakMap.
import { NearfieldError, type ProgressOptions } from 'nearfield/core';
import { type Bulk, isSentBulk, type Reply, type RunMessage, type SentError } from './messages.js';
import { type AnyTask, type TaskName, tasks } from './tasks.js';

const PROGRESS_EVERY_MS = 50;
const received = new Map<number, Bulk>();
let queue: Promise<void> = Promise.resolve();

self.addEventListener('message', (event: MessageEvent<RunMessage>) => {
  queue = queue.then(() => run(event.data));
});

async function run(message: RunMessage): Promise<void> {
  const { id, stopFlags } = message;
  const stopped = (): boolean => stopFlags !== null && Atomics.load(stopFlags, id % stopFlags.length) !== 0;
  let reportedAt = 0;
  let most = 0;
  const options: ProgressOptions = {
    signal: {
      get aborted() {
        return stopped();
      },
    },
    onProgress: (fraction, stage) => {
      // A stage that looks back to its own beginning does not take back what is done.
      most = Math.max(most, fraction);
      const now = performance.now();
      if (now - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = now;
      reply({ id, kind: 'progress', fraction: most, stage });
    },
  };
  const onPart = (part: unknown): void => reply({ id, kind: 'part', part });
  try {
    reply({ id, kind: 'begun' });
    // Even if the task is stopped: later ones name the large data that came with it by number.
    const input = receiveInput(message);
    if (stopped()) throw new NearfieldError('aborted', 'Stopped before it began.');
    const task = tasks[message.task as TaskName] as unknown as AnyTask;
    reply({ id, kind: 'done', output: await task(input, options, onPart) });
  } catch (error) {
    reply({ id, kind: 'failed', error: sendable(error) });
  }
}

function receiveInput(message: RunMessage): Record<string, unknown> {
  for (const number of message.forget) received.delete(number);
  return Object.fromEntries(
    Object.entries(message.input).map(([name, value]) => {
      if (!isSentBulk(value)) return [name, value];
      if (value.bulk !== null) received.set(value.sentBulk, value.bulk);
      return [name, received.get(value.sentBulk)];
    }),
  );
}

function sendable(error: unknown): SentError {
  if (error instanceof NearfieldError) return { code: error.code, message: error.message, location: error.location };
  return { code: null, message: error instanceof Error ? error.message : String(error), location: {} };
}

function reply(message: Reply): void {
  self.postMessage(message);
}

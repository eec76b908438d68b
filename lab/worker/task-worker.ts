// The worker: runs one task after another. A mesh stays the same object from task to task, so tasks may keep what they
// derive from it in a WeakMap.
import { NearfieldError, type ProgressOptions } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { isSentMesh, type Reply, type RunMessage, type SentError } from './messages.js';
import { type AnyTask, type TaskName, tasks } from './tasks.js';

const PROGRESS_EVERY_MS = 50;
const meshes = new Map<number, Mesh>();
let queue: Promise<void> = Promise.resolve();

self.addEventListener('message', (event: MessageEvent<RunMessage>) => {
  queue = queue.then(() => run(event.data));
});

async function run(message: RunMessage): Promise<void> {
  const { id, stopFlags } = message;
  const input = receiveMeshes(message);
  const stopped = (): boolean => stopFlags !== null && Atomics.load(stopFlags, id % stopFlags.length) !== 0;
  let reportedAt = 0;
  const options: ProgressOptions = {
    signal: {
      get aborted() {
        return stopped();
      },
    },
    onProgress: (fraction, stage) => {
      const now = performance.now();
      if (now - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = now;
      reply({ id, kind: 'progress', fraction, stage });
    },
  };
  try {
    if (stopped()) throw new NearfieldError('aborted', 'Stopped before it began.');
    const task = tasks[message.task as TaskName] as unknown as AnyTask;
    reply({ id, kind: 'done', output: await task(input, options) });
  } catch (error) {
    reply({ id, kind: 'failed', error: sendable(error) });
  }
}

function receiveMeshes(message: RunMessage): Record<string, unknown> {
  for (const number of message.forget) meshes.delete(number);
  return Object.fromEntries(
    Object.entries(message.input).map(([name, value]) => {
      if (!isSentMesh(value)) return [name, value];
      if (value.mesh !== null) meshes.set(value.sentMesh, value.mesh);
      return [name, meshes.get(value.sentMesh)];
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

// Stopping a task: the page goes on at once, and the worker is ended only where it is deaf to the stop. The worker is one of
// ours that does what the test says, and the clock is the test's.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reply, RunMessage } from '../../lab/worker/messages.js';
import { TaskRunner } from '../../lab/worker/task-runner.js';

class ScriptedWorker {
  static readonly all: ScriptedWorker[] = [];
  readonly messages: RunMessage[] = [];
  ended = false;
  #hear: (event: { data: Reply }) => void = () => {};

  constructor() {
    ScriptedWorker.all.push(this);
  }

  addEventListener(kind: string, hear: (event: { data: Reply }) => void): void {
    if (kind === 'message') this.#hear = hear;
  }

  postMessage(message: RunMessage): void {
    this.messages.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  reply(reply: Reply): void {
    this.#hear({ data: reply });
  }

  /** Whether the page has asked the n-th task to stop. */
  isAskedToStop(n: number): boolean {
    const { id, stopFlags } = this.messages[n];
    return Atomics.load(stopFlags!, id % stopFlags!.length) === 1;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('crossOriginIsolated', true);
  vi.stubGlobal('Worker', ScriptedWorker);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  ScriptedWorker.all.length = 0;
});

function begin(runner: TaskRunner, step = 0) {
  const stop = new AbortController();
  const progress: number[] = [];
  const question = { scene: 'gears', method: 'auto', timestep: 1 / 60, restitution: 1, friction: 0, run: 0 } as const;
  const onProgress = (fraction: number): void => void progress.push(fraction);
  const answer = runner.run('stepPlane', { ...question, step }, { signal: stop.signal, onProgress });
  const outcome: { code?: string; output?: unknown } = {};
  answer.then(
    (output) => {
      outcome.output = output;
    },
    (error) => {
      outcome.code = error.code;
    },
  );
  return { stop, outcome, progress };
}

test('a stopped task counts as ended at once; a worker that hears of it is kept', async () => {
  const runner = new TaskRunner();
  const { stop, outcome, progress } = begin(runner);
  const [worker] = ScriptedWorker.all;
  worker.reply({ id: 0, kind: 'begun' });
  worker.reply({ id: 0, kind: 'progress', fraction: 0.5, stage: 'simulating' });
  stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(outcome).toEqual({ code: 'aborted' });
  expect(worker.isAskedToStop(0)).toBe(true);
  worker.reply({ id: 0, kind: 'progress', fraction: 0.7, stage: 'simulating' });
  worker.reply({ id: 0, kind: 'failed', error: { code: 'aborted', message: 'Stopped.', location: {} } });
  await vi.advanceTimersByTimeAsync(5000);
  expect(progress).toEqual([0.5]);
  expect([worker.ended, ScriptedWorker.all.length]).toEqual([false, 1]);
});

test('a deaf task costs its worker after a second, and what was queued behind it begins again', async () => {
  const runner = new TaskRunner();
  const deaf = begin(runner);
  const next = begin(runner, 1);
  const [worker] = ScriptedWorker.all;
  worker.reply({ id: 0, kind: 'begun' });
  deaf.stop.abort();
  await vi.advanceTimersByTimeAsync(999);
  expect(worker.ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(worker.ended).toBe(true);
  const [, second] = ScriptedWorker.all;
  expect(second.messages.map(({ id }) => id)).toEqual([1]);
  second.reply({ id: 1, kind: 'begun' });
  second.reply({ id: 1, kind: 'done', output: 'made' });
  await vi.advanceTimersByTimeAsync(0);
  expect(next.outcome).toEqual({ output: 'made' });
});

test('a task that was stopped in the queue and is deaf on its turn costs its worker too', async () => {
  const runner = new TaskRunner();
  begin(runner);
  const deaf = begin(runner, 1);
  const next = begin(runner, 2);
  const [worker] = ScriptedWorker.all;
  worker.reply({ id: 0, kind: 'begun' });
  deaf.stop.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([worker.ended, deaf.outcome.code]).toEqual([false, 'aborted']);
  worker.reply({ id: 0, kind: 'done', output: null });
  worker.reply({ id: 1, kind: 'begun' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(worker.ended).toBe(true);
  expect(ScriptedWorker.all[1].messages.map(({ id }) => id)).toEqual([2]);
  expect(next.outcome).toEqual({});
});

test('a worker that is still loading is not ended, however many tasks are stopped: it would only load again', async () => {
  const runner = new TaskRunner();
  for (let step = 0; step < 20; step++) {
    begin(runner, step).stop.abort();
    await vi.advanceTimersByTimeAsync(300);
  }
  const last = begin(runner, 20);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ScriptedWorker.all.map(({ ended }) => ended)).toEqual([false]);
  const [worker] = ScriptedWorker.all;
  expect(Array.from({ length: 21 }, (_, n) => worker.isAskedToStop(n))).toEqual([...Array(20).fill(true), false]);
  worker.reply({ id: 20, kind: 'begun' });
  worker.reply({ id: 20, kind: 'done', output: 'made' });
  await vi.advanceTimersByTimeAsync(0);
  expect(last.outcome).toEqual({ output: 'made' });
});

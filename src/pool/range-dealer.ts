// A run under way: its elements are dealt out in ranges to the workers as they become free.
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { RunMessage } from './messages.js';
import type { PoolMember } from './pool-member.js';
import { fromSentError } from './sent-error.js';
import type { RangedRun } from './worker-tasks.js';

/** Chosen: ranges for each worker of a run, so that all workers end at nearly the same time. */
const RANGES_PER_WORKER = 16;
/** Chosen: elements of a range, so that progress reports and aborts are timely. */
const MAX_RANGE = 512;
/** Chosen: ranges queued at a worker, so that it never waits for a message. */
const RANGES_AHEAD = 2;

export class RangeDealer<Item extends object> {
  readonly number: number;
  readonly #run: RangedRun<Item, unknown>;
  readonly #members: readonly PoolMember<Item>[];
  readonly #progress: ProgressOptions;
  /** Shared; tells the workers to stop. Without shared memory each works its ranges to the end. */
  readonly #stop: Int32Array | null;
  /** Elements of a range. */
  readonly #size: number;
  #dealt = 0;
  #taken = 0;
  #succeed = (): void => {};
  #reject = (_: unknown): void => {};

  constructor(
    number: number,
    run: RangedRun<Item, unknown>,
    members: readonly PoolMember<Item>[],
    shared: boolean,
    progress: ProgressOptions,
  ) {
    this.number = number;
    this.#run = run;
    this.#members = members;
    this.#progress = progress;
    this.#stop = shared ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.#size = Math.max(1, Math.min(MAX_RANGE, Math.ceil(run.count / (members.length * RANGES_PER_WORKER))));
  }

  /**
   * Deals out the ranges until all are answered.
   * @param itemNumbers those of the run's items.
   */
  async finish(itemNumbers: readonly number[]): Promise<void> {
    const signal = this.#progress.signal as Partial<AbortSignal> | undefined;
    const onAbort = (): void => this.fail(new NearfieldError('aborted', "Stopped at the caller's request."));
    try {
      await new Promise<void>((resolve, reject) => {
        this.#succeed = resolve;
        this.#reject = reject;
        signal?.addEventListener?.('abort', onAbort, { once: true });
        const { name, input, items, sharedAnswers: answers } = this.#run;
        for (const member of this.#members) {
          member.sendItems(items, false);
          member.send({ type: 'begin', run: this.number, name, items: itemNumbers, input, answers, stop: this.#stop });
        }
        for (let k = 0; k < RANGES_AHEAD; k++) for (const member of this.#members) this.#deal(member);
        if (this.#run.count === 0) resolve();
      });
    } finally {
      if (this.#stop !== null) Atomics.store(this.#stop, 0, 1);
      signal?.removeEventListener?.('abort', onAbort);
    }
  }

  fail(error: unknown): void {
    this.#reject(error);
  }

  hear(member: PoolMember<Item>, message: RunMessage): void {
    if (message.type === 'failed') {
      this.fail(fromSentError(message));
      return;
    }
    const { from, to, part } = message;
    this.#run.take(part as never, from);
    this.#taken += to - from;
    const { count, stage } = this.#run;
    try {
      reportProgress(this.#progress, this.#taken / count, stage);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.#taken === count) this.#succeed();
    else this.#deal(member);
  }

  #deal(member: PoolMember<Item>): void {
    const { count } = this.#run;
    if (this.#dealt >= count) return;
    const from = this.#dealt;
    this.#dealt = Math.min(count, from + this.#size);
    member.send({ type: 'range', run: this.number, from, to: this.#dealt });
  }
}

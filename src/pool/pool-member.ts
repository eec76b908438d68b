// One worker of a pool: which items it has, which task it works on, and whether it is lost.
import { NearfieldError } from '../core/errors.js';
import type { ItemShelf } from './item-shelf.js';
import type { PoolMessage, WorkerMessage } from './messages.js';
import type { PoolTask } from './pool-task.js';
import { listen, type PoolWorker } from './port.js';

/** What a pool does about its members. */
export interface MemberEvents<Item extends object> {
  /** A message other than the first, which says that the worker is ready. */
  heard(member: PoolMember<Item>, message: WorkerMessage): void;
  /** Called once. */
  lost(member: PoolMember<Item>, error: NearfieldError): void;
}

export class PoolMember<Item extends object> {
  readonly #worker: PoolWorker;
  readonly #shelf: ItemShelf<Item>;
  /** Sizes of the items that it has, by their numbers; the longest unused come first. */
  readonly #sizes = new Map<number, number>();
  readonly #startTimer: ReturnType<typeof setTimeout>;
  /** Whether the pool has terminated it. */
  #ended = false;
  /** Settles when the worker has answered for the first time, or is lost. */
  readonly ready: Promise<void>;
  /** Why it is lost. */
  lost: string | null = null;
  /** The task that it works on. */
  task: PoolTask<Item> | null = null;

  /** @param startTimeout milliseconds until the worker must have answered for the first time. */
  constructor(worker: PoolWorker, shelf: ItemShelf<Item>, startTimeout: number, events: MemberEvents<Item>) {
    this.#worker = worker;
    this.#shelf = shelf;
    let welcome = (): void => {};
    let refuse = (_: Error): void => {};
    this.ready = new Promise<void>((resolve, reject) => {
      welcome = resolve;
      refuse = reject;
    });
    // The pool asks when it needs the worker; until then a rejection is not unhandled.
    this.ready.catch(() => {});
    const lose = (reason: string): void => {
      if (this.lost !== null || this.#ended) return;
      this.lost = reason;
      this.#stopWaiting();
      const error = lostError(reason);
      refuse(error);
      events.lost(this, error);
    };
    const hear = (message: WorkerMessage): void => {
      if (message.type !== 'ready') events.heard(this, message);
      else {
        this.#stopWaiting();
        welcome();
      }
    };
    listen<WorkerMessage>(worker, hear, lose);
    this.#startTimer = setTimeout(
      () => lose(`no answer within ${startTimeout} ms; its script must call serveBatches`),
      startTimeout,
    );
    this.send({ type: 'hello' });
  }

  send(message: PoolMessage): void {
    this.#worker.postMessage(message);
  }

  hasItem(number: number): boolean {
    return this.#sizes.has(number);
  }

  /** Sends the items that the worker lacks, and tells it to drop others: the longest unused, or, unless `keeps`, all. */
  sendItems(items: readonly Item[], keeps: boolean): void {
    const { kind } = this.#shelf;
    const wanted = new Map(items.map((item) => [this.#shelf.numberOf(item), item]));
    const missing = [...wanted].filter(([number]) => !this.#sizes.has(number));
    // In the order of their last use, the latest last.
    for (const number of wanted.keys()) this.#sizes.delete(number);
    const forget: number[] = [];
    let count = this.#sizes.size + wanted.size;
    let total = 0;
    for (const item of wanted.values()) total += kind.sizeOf(item);
    for (const size of this.#sizes.values()) total += size;
    for (const [number, size] of this.#sizes) {
      if (keeps && (count <= kind.countKept || total <= kind.sizeKept)) break;
      forget.push(number);
      count--;
      total -= size;
    }
    for (const number of forget) this.#sizes.delete(number);
    for (const [number, item] of wanted) this.#sizes.set(number, kind.sizeOf(item));
    if (forget.length === 0 && missing.length === 0) return;
    this.send({ type: 'items', items: missing.map(([, item]) => this.#shelf.pack(item)), forget });
  }

  /** Waits no longer for the first answer: the timer would keep the process alive. */
  #stopWaiting(): void {
    clearTimeout(this.#startTimer);
  }

  terminate(): void {
    this.#ended = true;
    this.#stopWaiting();
    this.#worker.terminate?.();
  }
}

/** The error of what a lost worker was doing. */
export function lostError(reason: string): NearfieldError {
  return new NearfieldError(
    'device-lost',
    `A worker of the pool is lost: ${reason}. Its queries have no answers; run the batch again with a new worker.`,
  );
}

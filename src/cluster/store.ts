// What is stored beside the queue: meshes and inputs by their content, answers by their job. Everything expires. A server whose
// memory is full refuses to store; the store waits and tries again, since clients take answers away all the time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { NearfieldError } from '../core/errors.js';
import { hashBytes, MAX_BYTES } from './job.js';

/** Chosen: seconds for which content is kept that nobody asks for. */
const KEPT = 24 * 3600;
/** Chosen: milliseconds that a full server is given to make room; answers leave it all the time. */
const ROOM_PATIENCE = 120_000;

export class ClusterStore {
  readonly #redis: Redis;
  readonly #prefix: string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** Stores content unless it is there, and keeps it for a day from now. */
  async put(hash: string, bytes: () => Uint8Array): Promise<void> {
    if ((await this.#redis.expire(this.#blob(hash), KEPT)) === 1) return;
    const content = bytes();
    assertSize(content.length);
    await this.#set(this.#blob(hash), content);
  }

  /** Content by its hash; null if it is missing. @throws NearfieldError if it is not what its hash says. */
  async get(hash: string): Promise<Uint8Array | null> {
    const bytes = await this.#read(this.#blob(hash));
    if (bytes !== null && hashBytes(bytes) !== hash) {
      throw new NearfieldError('file-format', `What is stored as ${hash} has other content.`);
    }
    return bytes;
  }

  /** Drops the answer and the input of a job. */
  async forget(job: string, input: string): Promise<void> {
    await this.#redis.unlink(this.#answer(job), this.#blob(input));
  }

  putAnswer(job: string, bytes: Uint8Array): Promise<void> {
    assertSize(bytes.length);
    return this.#set(this.#answer(job), bytes);
  }

  answer(job: string): Promise<Uint8Array | null> {
    return this.#read(this.#answer(job));
  }

  hasAnswer(job: string): Promise<boolean> {
    return this.#redis.exists(this.#answer(job)).then((count) => count === 1);
  }

  async #read(key: string): Promise<Uint8Array | null> {
    const length = await this.#redis.strlen(key);
    assertSize(length);
    const bytes = await this.#redis.getBuffer(key);
    return bytes === null ? null : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async #set(key: string, bytes: Uint8Array): Promise<void> {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await whenRoom(() => this.#redis.set(key, content, 'EX', KEPT));
  }

  #blob(hash: string): string {
    return `${this.#prefix}:content:${hash}`;
  }

  #answer(job: string): string {
    return `${this.#prefix}:answer:${job}`;
  }
}

/** Runs an action as soon as the server has the memory for it. */
export async function whenRoom<T>(action: () => Promise<T>): Promise<T> {
  for (let waited = 0, pause = 100; ; waited += pause, pause = Math.min(2 * pause, 5000)) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Error && /\bOOM\b/.test(error.message))) throw error;
      if (waited > ROOM_PATIENCE) {
        throw new NearfieldError(
          'too-large',
          "The queue's server has had no free memory for two minutes; raise its maxmemory or send less at once.",
        );
      }
    }
    await sleep(pause);
  }
}

function assertSize(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  throw new NearfieldError(
    'too-large',
    `A part of the work has ${bytes} bytes; the limit on a cluster is ${MAX_BYTES}. Cut the problem into smaller ones.`,
  );
}

// The connection to Redis or Valkey: opened by URL, with the optional packages that it takes, and named without its password.
import type { Redis } from 'ioredis';
import { NearfieldError } from '../core/errors.js';

/** Chosen: milliseconds that a server has to answer when a cluster or a worker connects. */
export const REACH_PATIENCE = 10_000;

/** The packages that a cluster needs: optional peer dependencies, loaded when first used. */
export async function loadPeers(): Promise<{ bullmq: typeof import('bullmq'); ioredis: typeof import('ioredis') }> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, ioredis };
  } catch (error) {
    throw new NearfieldError(
      'unsupported',
      `A cluster needs the packages bullmq and ioredis (${(error as Error).message.split('\n')[0]}); ` +
        'install them: npm install bullmq ioredis',
    );
  }
}

/** Opens a connection that waits for its server without limit and comes back after a loss. */
export async function openConnection(url: string): Promise<Redis> {
  assertUrl(url);
  const { ioredis } = await loadPeers();
  const redis = new ioredis.Redis(url, {
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2000),
  });
  // Without a listener a lost connection would end the process; commands wait for the next one.
  redis.on('error', () => {});
  return redis;
}

/** A further connection to the same server, for commands that block it. */
export function duplicate(redis: Redis): Redis {
  const other = redis.duplicate();
  other.on('error', () => {});
  return other;
}

/** Refuses a server that does not answer in time. */
export async function assertReachable(redis: Redis, url: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new NearfieldError('bad-argument', `${nameServer(url)} does not answer; is Redis or Valkey running there?`),
        ),
      REACH_PATIENCE,
    );
  });
  try {
    await Promise.race([redis.ping(), late]);
  } catch (error) {
    redis.disconnect();
    if (error instanceof NearfieldError) throw error;
    throw new NearfieldError('bad-argument', `${nameServer(url)} refuses: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
  }
}

/** The address without user and password. */
export function nameServer(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  // Anything but the number of a database may be part of a password with a slash in it.
  return `${protocol}//${host}${/^\/\d+$/.test(pathname) ? pathname : ''}`;
}

export function assertUrl(url: unknown): asserts url is string {
  const wanted = 'give an address such as redis://host:6379, or rediss:// for TLS';
  if (typeof url !== 'string') throw new NearfieldError('bad-argument', `The connection is not a text; ${wanted}.`);
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new NearfieldError('bad-argument', `The connection is not an address; ${wanted}.`);
  }
  if (!['redis:', 'rediss:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new NearfieldError('bad-argument', `The connection begins with ${parsed.protocol}; ${wanted}.`);
  }
}

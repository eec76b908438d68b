// The messages between page and worker.
import type { ErrorLocation, NearfieldErrorCode } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';

/** Large data, a mesh or a file's bytes: sent in full the first time, by number after that. */
export type Bulk = Mesh | Uint8Array;

export interface SentBulk {
  readonly sentBulk: number;
  readonly bulk: Bulk | null;
}

export interface RunMessage {
  readonly id: number;
  readonly task: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Numbers of large data that will not be used again. */
  readonly forget: readonly number[];
  /** One flag a task, at `id` modulo the length: the page sets it to ask for a stop. Null without shared memory. */
  readonly stopFlags: Int32Array | null;
}

export type Reply =
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'progress'; readonly fraction: number; readonly stage: string }
  | { readonly id: number; readonly kind: 'part'; readonly part: unknown }
  | { readonly id: number; readonly kind: 'done'; readonly output: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly error: SentError };

export interface SentError {
  readonly code: NearfieldErrorCode | null;
  readonly message: string;
  readonly location: ErrorLocation;
}

export function isBulk(value: unknown): value is Bulk {
  if (value instanceof Uint8Array) return true;
  const mesh = value as Partial<Mesh> | null;
  return typeof value === 'object' && mesh?.positions instanceof Float64Array && mesh.indices instanceof Uint32Array;
}

export function isSentBulk(value: unknown): value is SentBulk {
  return typeof value === 'object' && value !== null && 'sentBulk' in value;
}

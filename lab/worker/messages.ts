// What page and worker tell each other.
import type { ErrorLocation, NearfieldErrorCode } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';

/** A mesh in an input: sent whole the first time, by its number after that. */
export interface SentMesh {
  readonly sentMesh: number;
  readonly mesh: Mesh | null;
}

export interface RunMessage {
  readonly id: number;
  readonly task: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Numbers of meshes that will not be named again. */
  readonly forget: readonly number[];
  /** One flag a task, at `id` modulo the length: the page sets it to ask for a stop. Null without shared memory. */
  readonly stopFlags: Int32Array | null;
}

export type Reply =
  | { readonly id: number; readonly kind: 'progress'; readonly fraction: number; readonly stage: string }
  | { readonly id: number; readonly kind: 'done'; readonly output: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly error: SentError };

export interface SentError {
  readonly code: NearfieldErrorCode | null;
  readonly message: string;
  readonly location: ErrorLocation;
}

export function isMesh(value: unknown): value is Mesh {
  const mesh = value as Partial<Mesh> | null;
  return typeof value === 'object' && mesh?.positions instanceof Float64Array && mesh.indices instanceof Uint32Array;
}

export function isSentMesh(value: unknown): value is SentMesh {
  return typeof value === 'object' && value !== null && 'sentMesh' in value;
}

// A job on the queue: the name of a task and content hashes. Everything large is stored beside the queue by its hash. What
// comes from the queue is checked like any input.
import { createHash } from 'node:crypto';
import { NearfieldError } from '../core/errors.js';

/**
 * Chosen: a version, part of every job: raised when tasks or their data change, so that machines of other versions
 * refuse it.
 */
export const PROTOCOL = 1;

/**
 * Chosen: bytes of one stored mesh, input or answer. Half of what Redis stores under one key, and small enough that few of
 * them fill neither a server nor a worker.
 */
export const MAX_BYTES = 256 * 2 ** 20;

/** Chosen: models of a job; a longer list on the queue is refused. */
const MAX_MODELS = 65536;

/** A job, as the queue carries it. */
export interface ClusterJob {
  readonly protocol: number;
  readonly task: string;
  /** The hashes of the meshes of its models. */
  readonly models: readonly string[];
  /** The hash of its input. */
  readonly input: string;
}

/** @throws NearfieldError for data that is not a job, or a job that this version does not know. */
export function checkJob(data: unknown, tasks: readonly string[]): ClusterJob {
  const job = data as Partial<ClusterJob> | null;
  if (job === null || typeof job !== 'object') throw refusal('is not an object');
  if (job.protocol !== PROTOCOL) {
    throw refusal(`has the protocol ${job.protocol}, not ${PROTOCOL}: run the same version of nearfield everywhere`);
  }
  if (typeof job.task !== 'string' || !tasks.includes(job.task)) throw refusal('asks for a task that does not exist');
  if (!Array.isArray(job.models) || job.models.length > MAX_MODELS || !job.models.every(isHash)) {
    throw refusal('has no list of models');
  }
  if (!isHash(job.input)) throw refusal('has no input');
  const { protocol, task, models, input } = job as ClusterJob;
  return { protocol, task, models, input };
}

/** The name of a job: equal questions have the same, and are asked once. */
export function nameJob(job: ClusterJob): string {
  return hashBytes(new TextEncoder().encode(JSON.stringify([job.protocol, job.task, job.models, job.input])));
}

/** The progress of a worker with a job. */
export interface JobProgress {
  readonly fraction: number;
  readonly stage: string;
}

/** Reads progress off the queue; null for other data. */
export function readProgress(data: unknown): JobProgress | null {
  const { fraction, stage } = (data ?? {}) as Partial<JobProgress>;
  const isProgress = typeof fraction === 'number' && fraction >= 0 && fraction <= 1 && typeof stage === 'string';
  return isProgress ? { fraction, stage: stage.slice(0, 100) } : null;
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function refusal(what: string): NearfieldError {
  return new NearfieldError('file-format', `The job ${what}.`);
}

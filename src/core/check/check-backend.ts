// The name of a backend. Chapters that run on the CPU check the option too, so it must not bring WebGPU with it.
import { NearfieldError } from '../errors.js';

/** Where to compute. */
export type Backend = 'cpu' | 'webgpu' | 'auto';

/** Every {@link Backend}. */
export const BACKENDS: readonly Backend[] = ['auto', 'cpu', 'webgpu'];

/** Throws for an unknown backend; `undefined` is fine. */
export function assertBackend(backend: Backend | undefined): void {
  if (backend === undefined || BACKENDS.includes(backend)) return;
  throw new NearfieldError('bad-argument', `The backend is '${String(backend)}'; give cpu, webgpu or auto.`);
}

// Failures on a device as errors of this library. WebGPU reports a rejected call later and elsewhere, and the work that
// depended on it yields zeros. Error scopes around each call and a wait before each answer catch them.
import { NearfieldError } from '../core/errors.js';
import type { GpuDevice } from './device.js';

const SCOPES = ['validation', 'out-of-memory', 'internal'] as const;

/**
 * Throws if a device is lost.
 * @throws NearfieldError `device-lost`
 */
export function assertNotLost(gpu: GpuDevice, what: string): void {
  if (gpu.isLost) throw deviceLost(gpu, what);
}

/** The error for work requested from a lost device. */
export function deviceLost(gpu: GpuDevice, what: string): NearfieldError {
  return new NearfieldError(
    'device-lost',
    `${what}: the GPU device (${gpu.name}) is lost with everything on it. Request a new one with ` +
      "requestGpuDevice() and create what you need again, or use backend 'cpu'.",
  );
}

/** Collects the calls that a device rejected, until the answer that would have been wrong. */
export class GpuFaults {
  #pending: Promise<NearfieldError | null>[] = [];
  readonly #gpu: GpuDevice;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /**
   * Runs synchronous calls of WebGPU; the next {@link settle} throws what the device reports about them.
   * @throws NearfieldError `device-lost` if the loss is already known.
   */
  watch<T>(what: string, body: () => T): T {
    assertNotLost(this.#gpu, what);
    const { device } = this.#gpu;
    for (const scope of SCOPES) device.pushErrorScope(scope);
    try {
      return body();
    } finally {
      for (let i = SCOPES.length - 1; i >= 0; i--) {
        const popped = device.popErrorScope().then(
          (error) => (error === null ? null : this.#describe(what, SCOPES[i], error.message)),
          // Closing a scope fails only if the device is lost.
          () => deviceLost(this.#gpu, what),
        );
        this.#pending.push(popped);
      }
    }
  }

  /**
   * Waits until the device has reported on everything watched so far.
   * @throws NearfieldError of the first fault: `device-lost`, `too-large` (out of memory) or `unsupported`.
   */
  async settle(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    for (const fault of await Promise.all(pending)) if (fault !== null) throw fault;
  }

  #describe(what: string, scope: (typeof SCOPES)[number], message: string): NearfieldError {
    if (this.#gpu.isLost) return deviceLost(this.#gpu, what);
    if (scope === 'out-of-memory') {
      return new NearfieldError(
        'too-large',
        `${what}: the GPU (${this.#gpu.name}) is out of memory: ${message}. Ask for less at once, or use backend 'cpu'.`,
      );
    }
    return new NearfieldError(
      'unsupported',
      `${what}: the GPU (${this.#gpu.name}) rejected the work: ${message}. Use backend 'cpu', and please report this.`,
    );
  }
}

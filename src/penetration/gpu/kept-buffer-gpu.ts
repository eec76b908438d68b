// A buffer that is kept between queries and replaced by a larger one when a query needs more.
import { createBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';

/** Memory on a device that only grows; its contents are lost when it grows. */
export class KeptBuffer {
  #buffer: GPUBuffer | null = null;
  readonly #gpu: GpuDevice;
  readonly #usage: number;
  readonly #label: string;

  constructor(gpu: GpuDevice, usage: number, label: string) {
    this.#gpu = gpu;
    this.#usage = usage;
    this.#label = label;
  }

  /** The buffer, at least this long. */
  ensure(byteLength: number): GPUBuffer {
    if (this.#buffer !== null && this.#buffer.size >= byteLength) return this.#buffer;
    // Half as much again, so that slowly growing queries do not replace it each time.
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#gpu.device.limits;
    const largest = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    const length = Math.max(byteLength, Math.min(largest, Math.ceil(1.5 * byteLength)));
    this.#buffer?.destroy();
    this.#buffer = createBuffer(this.#gpu, length, this.#usage, this.#label);
    return this.#buffer;
  }

  destroy(): void {
    this.#buffer?.destroy();
    this.#buffer = null;
  }
}

// Buffers that grow with what they hold, and the bind groups made of them, kept from call to call.

import { NearfieldError } from '../../core/errors.js';
import { createBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';

/** Named buffers of one device. Growing loses their content. */
export class GrowingBuffers {
  readonly #gpu: GpuDevice;
  readonly #buffers = new Map<string, GPUBuffer>();
  readonly #bindGroups = new Map<string, GPUBindGroup>();

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /**
   * A buffer with room for that many bytes. True if it was made anew.
   * @throws NearfieldError `too-large` beyond the device's limits.
   */
  reserve(name: string, byteLength: number, usage: number): boolean {
    const old = this.#buffers.get(name);
    if (old !== undefined && old.size >= byteLength) return false;
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#gpu.device.limits;
    const limit = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    if (byteLength > limit) {
      throw new NearfieldError(
        'too-large',
        `Culling needs a buffer of ${byteLength} bytes; ${this.#gpu.name} has at most ${limit}. Use backend 'cpu'.`,
      );
    }
    old?.destroy();
    const room = Math.max(256, Math.min(limit, Math.ceil(1.25 * byteLength)));
    this.#buffers.set(name, createBuffer(this.#gpu, room, usage, name));
    this.#bindGroups.clear();
    return true;
  }

  /** A buffer that was reserved. */
  get(name: string): GPUBuffer {
    return this.#buffers.get(name)!;
  }

  /** The bind group of a key, made again when a buffer has grown. */
  bindGroup(key: string, make: () => GPUBindGroup): GPUBindGroup {
    let group = this.#bindGroups.get(key);
    if (group === undefined) this.#bindGroups.set(key, (group = make()));
    return group;
  }

  destroy(): void {
    for (const buffer of this.#buffers.values()) buffer.destroy();
    this.#buffers.clear();
    this.#bindGroups.clear();
  }
}

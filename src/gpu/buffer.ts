// Creates, fills and reads back buffers.

import type { GpuDevice } from './device.js';
import { deviceLost, type GpuFaults } from './faults.js';
import { BUFFER_USAGE, MAP_MODE } from './flags.js';

/** Definition (WebGPU): sizes are multiples of this many bytes, and an empty buffer cannot be bound. */
const ALIGNMENT = 4;

/** A buffer of zeros, at least `byteLength` long. */
export function createBuffer(gpu: GpuDevice, byteLength: number, usage: number, label: string): GPUBuffer {
  return gpu.device.createBuffer({ size: alignedLength(byteLength), usage, label });
}

function alignedLength(byteLength: number): number {
  return Math.max(ALIGNMENT, Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT);
}

/** A buffer holding these numbers. */
export function uploadBuffer(
  gpu: GpuDevice,
  data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>,
  usage: number,
  label: string,
): GPUBuffer {
  const buffer = createBuffer(gpu, data.byteLength, usage | BUFFER_USAGE.COPY_DST, label);
  if (data.byteLength > 0) gpu.device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}

/**
 * Copies the first bytes of buffers to memory once all submitted work is done. The buffers need COPY_SRC.
 * @throws NearfieldError for anything that failed so far, through `faults`.
 */
export async function readBuffers(
  gpu: GpuDevice,
  faults: GpuFaults,
  what: string,
  sources: readonly { readonly buffer: GPUBuffer; readonly byteLength: number }[],
): Promise<ArrayBuffer[]> {
  const copies = faults.watch(what, () => {
    const encoder = gpu.device.createCommandEncoder();
    const made = sources.map(({ buffer, byteLength }) => {
      const copy = gpu.buffers.take(byteLength, BUFFER_USAGE.MAP_READ | BUFFER_USAGE.COPY_DST);
      encoder.copyBufferToBuffer(buffer, 0, copy, 0, alignedLength(byteLength));
      return copy;
    });
    gpu.device.queue.submit([encoder.finish()]);
    return made;
  });
  const mapped = Promise.all(copies.map((copy) => copy.mapAsync(MAP_MODE.READ)));
  const failure = mapped.then(
    () => null,
    () => deviceLost(gpu, what),
  );
  try {
    // A rejected call explains a failed mapping better than the mapping error does.
    await faults.settle();
    const lost = await failure;
    if (lost !== null) throw lost;
    const bytes = copies.map((copy, i) =>
      copy.getMappedRange(0, alignedLength(sources[i].byteLength)).slice(0, sources[i].byteLength),
    );
    for (const copy of copies) {
      copy.unmap();
      gpu.buffers.give(copy);
    }
    return bytes;
  } catch (error) {
    for (const copy of copies) copy.destroy();
    throw error;
  }
}

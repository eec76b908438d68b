// A GPU whose clock can be read, and how long it takes for what an encoder holds.
import { adoptGpuDevice, type GpuDevice } from 'nearfield/gpu';

const ROUNDS = 20;
/** A chip that rested runs at a lower clock at first: on an NVIDIA H200 everything takes up to four times as long. */
const WARM_UP_MS = 600;

/** WebGPU's flag values, which TypeScript's DOM library does not declare. */
const [MAP_READ, COPY_SRC, COPY_DST, QUERY_RESOLVE] = [0x1, 0x4, 0x8, 0x200];

/** A device whose clock can be read: what `requestGpuDevice` gives, with finer timestamps than pages may see. */
export async function requestTimedDevice(software: boolean): Promise<GpuDevice> {
  const packageName = 'webgpu';
  const binding = await import(/* @vite-ignore */ packageName);
  Object.assign(globalThis, binding.globals);
  const api: GPU = binding.create(['disable-dawn-features=timestamp_quantization']);
  // Dawn's object must never be collected.
  Object.assign(globalThis, { heldForEver: api });
  const adapter = await api.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) throw new Error('there is no adapter');
  const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture, description].filter(Boolean).join(' ');
  const isSoftware = isFallbackAdapter || /swiftshader|llvmpipe/i.test(name);
  if (isSoftware && !software)
    throw new Error(`the only adapter is ${name}, which runs on the CPU; --software takes it`);
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredFeatures: ['timestamp-query'],
    requiredLimits: { maxBufferSize, maxStorageBufferBindingSize },
  });
  return adoptGpuDevice(device, name, isSoftware);
}

/** Times what is encoded between two stamps of the device's clock. */
export function createStopwatch({ device }: GpuDevice) {
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
  const resolved = device.createBuffer({ size: 16, usage: QUERY_RESOLVE | COPY_SRC });
  const back = device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ });
  const stamp = (encoder: GPUCommandEncoder, index: 0 | 1): void =>
    encoder.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: index } }).end();
  /** Median milliseconds. */
  return async (
    encode: (encoder: GPUCommandEncoder) => void,
    prepare: (encoder: GPUCommandEncoder) => void = () => {},
  ): Promise<number> => {
    const times: number[] = [];
    const begin = performance.now();
    while (times.length < ROUNDS) {
      const encoder = device.createCommandEncoder();
      prepare(encoder);
      stamp(encoder, 0);
      encode(encoder);
      stamp(encoder, 1);
      encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, back, 0, 16);
      device.queue.submit([encoder.finish()]);
      await back.mapAsync(MAP_READ);
      const [start, end] = new BigInt64Array(back.getMappedRange().slice(0));
      back.unmap();
      if (performance.now() - begin > WARM_UP_MS) times.push(Number(end - start) / 1e6);
    }
    return times.sort((a, b) => a - b)[times.length >> 1];
  };
}

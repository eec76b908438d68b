// A call that the device rejects must become an error of this library, never zeros that look like an answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBuffer, readBuffers, uploadBuffer } from '../../src/gpu/buffer.js';
import { BufferPool } from '../../src/gpu/buffer-pool.js';
import type { GpuDevice } from '../../src/gpu/device.js';
import { assertNotLost, GpuFaults } from '../../src/gpu/faults.js';
import { BUFFER_USAGE } from '../../src/gpu/flags.js';
import { PipelineCache } from '../../src/gpu/pipeline-cache.js';
import { requestExpectedDevice } from './expected-device.js';

const { COPY_SRC, MAP_READ, STORAGE } = BUFFER_USAGE;

describe('buffers and faults', () => {
  let gpu: GpuDevice;
  beforeAll(async () => {
    gpu = await requestExpectedDevice();
  });
  afterAll(() => gpu.device.destroy());

  test('what is uploaded comes back, also in odd lengths and none', async () => {
    const faults = new GpuFaults(gpu);
    const numbers = Float32Array.of(1, -2.5, 3e-30, 7);
    const { full, none, zeros } = faults.watch('upload', () => ({
      full: uploadBuffer(gpu, numbers, COPY_SRC, 'full'),
      none: uploadBuffer(gpu, new Uint32Array(0), COPY_SRC, 'none'),
      zeros: createBuffer(gpu, 5, COPY_SRC, 'zeros'),
    }));
    expect(zeros.size).toBe(8);
    const back = await readBuffers(gpu, faults, 'read', [
      { buffer: full, byteLength: 16 },
      { buffer: none, byteLength: 0 },
      { buffer: zeros, byteLength: 5 },
    ]);
    expect([...new Float32Array(back[0])]).toEqual([...numbers]);
    expect(back[1].byteLength).toBe(0);
    expect([...new Uint8Array(back[2])]).toEqual([0, 0, 0, 0, 0]);
  });

  test('a refused call is thrown by the next wait, and only by that one', async () => {
    const faults = new GpuFaults(gpu);
    faults.watch('a call that cannot be', () => gpu.device.createBuffer({ size: 4, usage: MAP_READ | STORAGE }));
    faults.watch('a good call', () => createBuffer(gpu, 4, STORAGE, 'good'));
    await expect(faults.settle()).rejects.toMatchObject({
      name: 'NearfieldError',
      code: 'unsupported',
      message: expect.stringContaining('a call that cannot be'),
    });
    await faults.settle();
  });

  test('reading what may not be read throws instead of giving zeros', async () => {
    const faults = new GpuFaults(gpu);
    const buffer = createBuffer(gpu, 16, STORAGE, 'not to be copied');
    await expect(readBuffers(gpu, faults, 'read', [{ buffer, byteLength: 16 }])).rejects.toMatchObject({
      code: 'unsupported',
    });
  });

  test('a body that throws leaves no scope open', async () => {
    const faults = new GpuFaults(gpu);
    expect(() =>
      faults.watch('throwing', () => {
        throw new RangeError('own');
      }),
    ).toThrow(RangeError);
    await faults.settle();
    await expect(gpu.device.popErrorScope()).rejects.toThrow();
  });

  test('work on a lost device is refused with what to do', async () => {
    const other = await requestExpectedDevice();
    const faults = new GpuFaults(other);
    const buffer = createBuffer(other, 4, COPY_SRC, 'doomed');
    other.device.destroy();
    // Asked before anyone knows, and after.
    const lost = { code: 'device-lost', message: expect.stringContaining('requestGpuDevice()') };
    await expect(readBuffers(other, faults, 'read', [{ buffer, byteLength: 4 }])).rejects.toMatchObject(lost);
    await other.lost;
    expect(() => faults.watch('draw', () => 0)).toThrow(expect.objectContaining(lost));
    expect(() => assertNotLost(other, 'draw')).toThrow(expect.objectContaining(lost));
    assertNotLost(gpu, 'draw');
  });

  test('the pool gives a buffer again, of its usage and size only, and keeps no more than it may', () => {
    const pool = new BufferPool(gpu.device);
    const first = pool.take(300, STORAGE);
    expect(first.size).toBe(512);
    pool.give(first);
    expect(pool.take(300, COPY_SRC)).not.toBe(first);
    expect(pool.take(600, STORAGE)).not.toBe(first);
    expect(pool.take(512, STORAGE)).toBe(first);
    expect(pool.take(512, STORAGE)).not.toBe(first);
    const large = pool.take(2 ** 26 + 3, STORAGE);
    expect(large.size).toBe(2 ** 26 + 4);
    pool.give(large);
    expect(pool.take(2 ** 26 + 3, STORAGE)).not.toBe(large);
  });

  test('the cache makes a thing once', () => {
    const cache = new PipelineCache();
    let made = 0;
    const make = () => ({ made: ++made });
    expect(cache.get('a', make)).toBe(cache.get('a', make));
    expect(cache.get('b', make)).toEqual({ made: 2 });
    expect(cache.size).toBe(2);
  });
});

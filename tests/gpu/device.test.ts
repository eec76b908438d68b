// A device is expected here (scripts/test.mjs provides a software one): its absence fails the tests, it never skips them.
import { beforeAll, describe, expect, test } from 'vitest';
import { adoptGpuDevice, type GpuDevice, requestGpuDevice } from '../../src/gpu/device.js';
import { BUFFER_USAGE, COLOR_WRITE, MAP_MODE, SHADER_STAGE, TEXTURE_USAGE } from '../../src/gpu/flags.js';
import { requestExpectedDevice } from './expected-device.js';

describe('requestGpuDevice', () => {
  let gpu: GpuDevice;
  beforeAll(async () => {
    gpu = await requestExpectedDevice();
  });

  test('names the adapter and knows a software one', () => {
    expect(gpu.name).not.toBe('');
    if (/swiftshader/i.test(gpu.name)) expect(gpu.isSoftware).toBe(true);
  });

  test('runs a compute pass', async () => {
    const { device } = gpu;
    const code =
      '@group(0) @binding(0) var<storage, read_write> data: array<u32>;' +
      '@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { data[id.x] = id.x * id.x; }';
    const pipeline = device.createComputePipeline({
      layout: 'auto',
      compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
    });
    const size = 256 * 4;
    const data = device.createBuffer({ size, usage: BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_SRC });
    const back = device.createBuffer({ size, usage: BUFFER_USAGE.MAP_READ | BUFFER_USAGE.COPY_DST });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [{ binding: 0, resource: { buffer: data } }],
      }),
    );
    pass.dispatchWorkgroups(4);
    pass.end();
    encoder.copyBufferToBuffer(data, 0, back, 0, size);
    device.queue.submit([encoder.finish()]);
    await back.mapAsync(MAP_MODE.READ);
    const values = new Uint32Array(back.getMappedRange().slice(0));
    expect([...values]).toEqual(Array.from({ length: 256 }, (_, i) => i * i));
  });

  test('gives a second device from the same GPU', async () => {
    const second = await requestGpuDevice({ maximumLimits: false, powerPreference: 'low-power' });
    expect(second.device).not.toBe(gpu.device);
    second.device.destroy();
  });

  test('asks for the features that are wanted and there', async () => {
    const featuresOf = ({ device }: GpuDevice) => [...(device.features as unknown as Set<string>)];
    const plain = await requestGpuDevice({ features: [] });
    expect(featuresOf(plain)).not.toContain('depth32float-stencil8');
    expect(featuresOf(gpu)).toContain('depth32float-stencil8');
    plain.device.destroy();
  });
});

describe('flags', () => {
  test('are those of the WebGPU at hand', async () => {
    await requestExpectedDevice();
    const globals = globalThis as unknown as Record<string, Record<string, number>>;
    for (const [name, flags] of [
      ['GPUBufferUsage', BUFFER_USAGE],
      ['GPUTextureUsage', TEXTURE_USAGE],
      ['GPUShaderStage', SHADER_STAGE],
      ['GPUMapMode', MAP_MODE],
    ] as const) {
      for (const [flag, value] of Object.entries(flags)) expect(globals[name][flag], `${name}.${flag}`).toBe(value);
    }
    expect(globals.GPUColorWrite.ALL).toBe(COLOR_WRITE.ALL);
  });
});

describe('a lost device', () => {
  test('says so, once it is and not before, and another can be had', async () => {
    const first = await requestExpectedDevice();
    const early = await Promise.race([first.lost, first.device.queue.onSubmittedWorkDone().then(() => 'alive')]);
    expect(early).toBe('alive');
    expect(first.isLost).toBe(false);
    first.device.destroy();
    expect(await first.lost).toMatchObject({ reason: 'destroyed' });
    expect(first.isLost).toBe(true);
    const second = await requestGpuDevice();
    expect(second.isLost).toBe(false);
    await second.device.queue.onSubmittedWorkDone();
    second.device.destroy();
  });

  test('that the application brought is watched too', async () => {
    const { device } = await requestExpectedDevice();
    const adopted = adoptGpuDevice(device, 'mine', true);
    expect(adopted).toMatchObject({ name: 'mine', isSoftware: true, isLost: false });
    device.destroy();
    await adopted.lost;
    expect(adopted.isLost).toBe(true);
  });
});

// A device is expected here (scripts/test.mjs makes sure of a software one): its absence fails, it never skips.
import { beforeAll, describe, expect, test } from 'vitest';
import { softwareVulkanEnvironment } from '../../scripts/requirements.mjs';
import { type GpuDevice, requestGpuDevice } from '../../src/gpu/device.js';

// The DOM library of TypeScript has WebGPU's interfaces but not its flags.
declare const GPUBufferUsage: Record<'STORAGE' | 'COPY_SRC' | 'COPY_DST' | 'MAP_READ', number>;
declare const GPUMapMode: Record<'READ', number>;

describe('requestGpuDevice', () => {
  let gpu: GpuDevice;
  beforeAll(async () => {
    Object.assign(process.env, softwareVulkanEnvironment());
    gpu = await requestGpuDevice();
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
    const data = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const back = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
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
    await back.mapAsync(GPUMapMode.READ);
    const values = new Uint32Array(back.getMappedRange().slice(0));
    expect([...values]).toEqual(Array.from({ length: 256 }, (_, i) => i * i));
  });

  test('gives a second device from the same GPU', async () => {
    const second = await requestGpuDevice({ maximumLimits: false, powerPreference: 'low-power' });
    expect(second.device).not.toBe(gpu.device);
    second.device.destroy();
  });
});

// Finds a WebGPU device: the browser's own, or Dawn through the optional npm package `webgpu` in Node. Nothing else in
// the library acquires one; GPU functions take the device they run on.
import { NearfieldError } from '../core/errors.js';

/** What to ask of the adapter. */
export interface GpuDeviceOptions {
  /** Which of several GPUs to prefer. */
  readonly powerPreference?: 'low-power' | 'high-performance';
  /** Ask for the adapter's own limits instead of WebGPU's guaranteed minimum. Default true. */
  readonly maximumLimits?: boolean;
}

/** A device with what its users need to know about it. */
export interface GpuDevice {
  readonly device: GPUDevice;
  /** Vendor, architecture and description as the adapter tells them, for reports. */
  readonly name: string;
  /** True when the adapter runs on the CPU; `backend: 'auto'` then prefers the library's own CPU code. */
  readonly isSoftware: boolean;
}

/** Dawn's `GPU` object. It must never be collected: the process crashes when it is, so it is held for ever. */
let dawn: GPU | null = null;

/**
 * Acquires a device.
 * @throws NearfieldError `no-gpu` where there is none, with what to install.
 */
export async function requestGpuDevice(options: GpuDeviceOptions = {}): Promise<GpuDevice> {
  const gpu = await findGpu();
  const adapter = await gpu.requestAdapter(
    options.powerPreference ? { powerPreference: options.powerPreference } : undefined,
  );
  if (adapter === null) {
    throw new NearfieldError(
      'no-gpu',
      'WebGPU is there but offers no adapter: install a Vulkan driver (on Debian: libvulkan1 and the driver of your GPU), ' +
        "or use backend 'cpu'.",
    );
  }
  const requiredLimits: Record<string, number> = {};
  if (options.maximumLimits ?? true) {
    const limits = adapter.limits as unknown as Record<string, number>;
    for (const limit of RAISED_LIMITS) requiredLimits[limit] = limits[limit];
  }
  const device = await adapter.requestDevice({ requiredLimits });
  const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture, description].filter(Boolean).join(' ') || 'unnamed adapter';
  return { device, name, isSoftware: isFallbackAdapter || /swiftshader|llvmpipe|lavapipe/i.test(name) };
}

/** The limits that large meshes and grids run into. */
const RAISED_LIMITS = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;

async function findGpu(): Promise<GPU> {
  const browserGpu = (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
  if (browserGpu) return browserGpu;
  if (dawn !== null) return dawn;
  const inNode = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;
  if (!inNode) {
    throw new NearfieldError('no-gpu', "This browser has no WebGPU; use a current one, or use backend 'cpu'.");
  }
  // The name is a variable so that bundlers for the browser leave Dawn alone.
  const packageName = 'webgpu';
  let binding: { create(flags: string[]): GPU; globals: object };
  try {
    binding = await import(/* @vite-ignore */ /* webpackIgnore: true */ packageName);
  } catch (error) {
    throw new NearfieldError(
      'no-gpu',
      `WebGPU in Node needs the package "webgpu" 0.6.2 (npm install webgpu@0.6.2), which did not load: ${(error as Error).message}. ` +
        "Without it, use backend 'cpu'.",
    );
  }
  Object.assign(globalThis, binding.globals);
  dawn = binding.create([]);
  return dawn;
}

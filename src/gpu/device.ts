// Finds a WebGPU device: the browser's own, or Dawn through the optional npm package `webgpu` in Node. Nothing else in
// the library acquires one; GPU functions take the device they run on.
import { DerivedParts } from '../core/derived-parts.js';
import { NearfieldError } from '../core/errors.js';
import { BufferPool } from './buffer-pool.js';
import { GPU_DEFAULTS } from './defaults.js';
import { PipelineCache } from './pipeline-cache.js';

/** What to ask of the adapter. */
export interface GpuDeviceOptions {
  /** Which of several GPUs to prefer. */
  readonly powerPreference?: 'low-power' | 'high-performance';
  /** Ask for the adapter's own limits instead of WebGPU's guaranteed minimum. Default true. */
  readonly maximumLimits?: boolean;
  /** Features to ask for where the adapter has them. Default `GPU_DEFAULTS.features`. */
  readonly features?: readonly GPUFeatureName[];
}

/** Why a device is gone. */
export interface GpuLoss {
  /** 'destroyed': by the application. 'unknown': the driver was reset, the GPU was taken away, … */
  readonly reason: 'destroyed' | 'unknown';
  /** In the driver's words. */
  readonly message: string;
}

/**
 * A device with what its users need to know about it. A lost one never comes back: whatever still uses it throws
 * `device-lost`; {@link requestGpuDevice} gives a new one, and what lived on the old one must be made again there.
 */
export interface GpuDevice {
  readonly device: GPUDevice;
  /** Vendor, architecture and description as the adapter tells them, for reports. */
  readonly name: string;
  /** True when the adapter runs on the CPU; `backend: 'auto'` then prefers the library's own CPU code. */
  readonly isSoftware: boolean;
  /** True from the moment the loss is known. */
  readonly isLost: boolean;
  /** Resolves when the device is lost, never before, and never rejects. */
  readonly lost: Promise<GpuLoss>;
  /** What was compiled for this device. */
  readonly pipelines: PipelineCache;
  /** Buffers that lie idle on it. */
  readonly buffers: BufferPool;
  /** What else is kept on it for the next use, such as the memory of queries. `parts.freeAll()` frees it. */
  readonly parts: DerivedParts<GpuDevice>;
}

/** Dawn's `GPU` object. It must never be collected: the process crashes when it is, so it is held for ever. */
let dawn: GPU | null = null;

/**
 * Acquires a device. May be called again at any time, after a loss too.
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
  const offered = adapter.features as unknown as ReadonlySet<string>;
  const requiredFeatures = (options.features ?? GPU_DEFAULTS.features).filter((feature) => offered.has(feature));
  const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
  const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture, description].filter(Boolean).join(' ') || 'unnamed adapter';
  return adoptGpuDevice(device, name, isFallbackAdapter || /swiftshader|llvmpipe|lavapipe/i.test(name));
}

/** Takes a device that the application acquired by itself, for instance the one that draws its page. */
export function adoptGpuDevice(device: GPUDevice, name: string, isSoftware: boolean): GpuDevice {
  let isLost = false;
  const lost = device.lost.then(({ reason, message }): GpuLoss => {
    isLost = true;
    return { reason: reason === 'destroyed' ? 'destroyed' : 'unknown', message };
  });
  const gpu: Omit<GpuDevice, 'parts'> & { parts?: GpuDevice['parts'] } = {
    device,
    name,
    isSoftware,
    get isLost() {
      return isLost;
    },
    lost,
    pipelines: new PipelineCache(),
    buffers: new BufferPool(device),
  };
  gpu.parts = new DerivedParts(gpu as GpuDevice);
  return gpu as GpuDevice;
}

/** The limits that large meshes, grids and sets of images run into. */
const RAISED_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxTextureDimension2D',
  'maxTextureArrayLayers',
] as const;

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

// Finds a WebGPU device: the browser's own, or Dawn through the optional npm package `webgpu` in Node. Nothing else in
// the library acquires one; GPU functions take the device as an argument.
import { checkedElsewhere, flag, oneOf, optionTable } from '../core/check/option-table.js';
import { DerivedParts } from '../core/derived-parts.js';
import { NearfieldError } from '../core/errors.js';
import { BufferPool } from './buffer-pool.js';
import { PipelineCache } from './pipeline-cache.js';

/** The options of devices when none are given. */
export const GPU_DEFAULTS = {
  /** Features to request from a device if its adapter has them. */
  features: ['depth32float-stencil8'],
} as const satisfies { features: readonly GPUFeatureName[] };

/** What to request from the adapter. */
export interface GpuDeviceOptions {
  /** Which of several GPUs to prefer. */
  readonly powerPreference?: 'low-power' | 'high-performance';
  /** Request the adapter's own limits instead of WebGPU's guaranteed minimum. Default true. */
  readonly maximumLimits?: boolean;
  /** Features to request if the adapter has them. Default `GPU_DEFAULTS.features`. */
  readonly features?: readonly GPUFeatureName[];
}

const OPTIONS = optionTable<GpuDeviceOptions>()({
  powerPreference: oneOf(['low-power', 'high-performance']),
  maximumLimits: flag(true),
  // WebGPU refuses names that it does not know.
  features: checkedElsewhere(GPU_DEFAULTS.features),
});

/** Why a device was lost. */
export interface GpuLoss {
  /** 'destroyed': by the application. 'unknown': the driver was reset, the GPU was removed, … */
  readonly reason: 'destroyed' | 'unknown';
  /** In the driver's words. */
  readonly message: string;
}

/**
 * A device with the facts its users need. A lost one never comes back: whatever still uses it throws `device-lost`. Get
 * a new one from {@link requestGpuDevice}, and create everything that was on the old one again.
 */
export interface GpuDevice {
  readonly device: GPUDevice;
  /** Vendor, architecture and description from the adapter, for reports. */
  readonly name: string;
  /** True when the adapter runs on the CPU; `backend: 'auto'` then prefers the library's own CPU code. */
  readonly isSoftware: boolean;
  /** True from the moment the loss is known. */
  readonly isLost: boolean;
  /** Resolves when the device is lost, never before, and never rejects. */
  readonly lost: Promise<GpuLoss>;
  /** Compiled pipelines of this device. */
  readonly pipelines: PipelineCache;
  /** Idle buffers of this device. */
  readonly buffers: BufferPool;
  /** Other data kept on the device for reuse, for instance the memory of queries. `parts.freeAll()` frees them. */
  readonly parts: DerivedParts<GpuDevice>;
}

/** Dawn's `GPU` object. The process crashes if it is garbage collected, so it is kept forever. */
let dawn: GPU | null = null;

/**
 * Acquires a device. May be called again at any time, even after a loss.
 * @throws NearfieldError `no-gpu` without a GPU; the message says what to install.
 */
export async function requestGpuDevice(options: GpuDeviceOptions = {}): Promise<GpuDevice> {
  const { powerPreference, maximumLimits, features } = OPTIONS.read(options);
  const gpu = await findGpu();
  const adapter = await gpu.requestAdapter(powerPreference === undefined ? undefined : { powerPreference });
  if (adapter === null) {
    throw new NearfieldError(
      'no-gpu',
      'WebGPU is available but offers no adapter: install a Vulkan driver (on Debian: libvulkan1 and the driver of your GPU), ' +
        "or use backend 'cpu'.",
    );
  }
  const requiredLimits: Record<string, number> = {};
  if (maximumLimits) {
    const limits = adapter.limits as unknown as Record<string, number>;
    for (const limit of RAISED_LIMITS) requiredLimits[limit] = limits[limit];
  }
  const offered = adapter.features as unknown as ReadonlySet<string>;
  const requiredFeatures = features.filter((feature) => offered.has(feature));
  const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
  const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture, description].filter(Boolean).join(' ') || 'unnamed adapter';
  return adoptGpuDevice(device, name, isFallbackAdapter || /swiftshader|llvmpipe|lavapipe/i.test(name));
}

/** Wraps a device that the application acquired itself, for instance the one that draws its page. */
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

/** The limits that large meshes, grids and sets of images reach. */
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

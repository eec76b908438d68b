// One call for either backend.
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { type Backend, chooseBackend } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import { createWebGpuRasterizer } from './gpu/rasterizer-gpu.js';
import type { Rasterizer } from './raster.js';
import { createFallbackRasterizer } from './software/software-rasterizer.js';

/** Where to rasterize. */
export interface RasterizerOptions {
  /** 'auto' uses `device` if it is given, a hardware adapter and not lost; otherwise the CPU. Default 'auto'. */
  readonly backend?: Backend | undefined;
  /** A device from `requestGpuDevice`; 'webgpu' needs one. */
  readonly device?: GpuDevice | undefined;
}

const RASTERIZER_OPTIONS = optionTable<RasterizerOptions>()({
  backend: checkedElsewhere(),
  device: checkedElsewhere(),
});

/**
 * Makes a rasterizer. Its images are stored where it draws: if the device is lost later, its calls throw `device-lost`,
 * whatever the backend, and a new rasterizer has to draw again.
 * @throws NearfieldError for 'webgpu': `no-gpu` without a device and `device-lost` with a lost one.
 */
export function createRasterizer(options: RasterizerOptions = {}): Rasterizer {
  RASTERIZER_OPTIONS.assert(options ?? undefined);
  const { device, fallback } = chooseBackend(options ?? {}, 'createRasterizer');
  return device === null ? createFallbackRasterizer(fallback) : createWebGpuRasterizer(device);
}

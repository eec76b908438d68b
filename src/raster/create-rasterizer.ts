// One call for either backend.
import { NearfieldError } from '../core/errors.js';
import type { GpuDevice } from '../gpu/device.js';
import { createWebGpuRasterizer } from './gpu/rasterizer-gpu.js';
import type { Rasterizer } from './raster.js';
import { createSoftwareRasterizer } from './software/software-rasterizer.js';

/** Where to rasterise. */
export interface RasterizerOptions {
  /** 'auto' takes the device where one is given, no software adapter and not lost; otherwise the CPU. Default 'auto'. */
  readonly backend?: 'cpu' | 'webgpu' | 'auto' | undefined;
  /** A device as `requestGpuDevice` gives it; 'webgpu' needs one. */
  readonly device?: GpuDevice | undefined;
}

/**
 * Makes a rasteriser.
 * @throws NearfieldError `no-gpu` for 'webgpu' without a device.
 */
export function createRasterizer(options: RasterizerOptions = {}): Rasterizer {
  const { backend = 'auto', device = null } = options ?? {};
  switch (backend) {
    case 'cpu':
      return createSoftwareRasterizer();
    case 'auto':
      if (device === null || device.isSoftware || device.isLost) return createSoftwareRasterizer();
      return createWebGpuRasterizer(device);
    case 'webgpu':
      if (device !== null) return createWebGpuRasterizer(device);
      throw new NearfieldError(
        'no-gpu',
        "The backend 'webgpu' needs a device: give { device: await requestGpuDevice() }, or use backend 'cpu'.",
      );
    default:
      throw new NearfieldError('bad-argument', `The backend is ${JSON.stringify(backend)}; it is cpu, webgpu or auto.`);
  }
}

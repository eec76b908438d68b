/**
 * WebGPU devices in Node and in the browser.
 * @module gpu
 */
export {
  adoptGpuDevice,
  GPU_DEFAULTS,
  type GpuDevice,
  type GpuDeviceOptions,
  type GpuLoss,
  requestGpuDevice,
} from './device.js';

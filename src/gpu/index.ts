/**
 * WebGPU devices in Node and in the browser.
 * @module gpu
 */
export {
  adoptGpuDevice,
  DEFAULT_GPU_FEATURES,
  type GpuDevice,
  type GpuDeviceOptions,
  type GpuLoss,
  requestGpuDevice,
} from './device.js';

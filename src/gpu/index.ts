/**
 * WebGPU devices in Node and in the browser.
 * @module gpu
 */
export { GPU_DEFAULTS } from './defaults.js';
export { adoptGpuDevice, type GpuDevice, type GpuDeviceOptions, type GpuLoss, requestGpuDevice } from './device.js';

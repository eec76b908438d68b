/**
 * WebGPU devices in Node and in the browser.
 * @module gpu
 */
export { type GpuDevice, type GpuDeviceOptions, requestGpuDevice } from './device.js';

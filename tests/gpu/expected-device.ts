// The device that GPU tests run on: the software one that scripts/test.mjs makes sure of, or the driver that
// VK_DRIVER_FILES names. Where there is none the request throws, so tests fail instead of passing without one.
import { softwareVulkanEnvironment } from '../../scripts/requirements.mjs';
import { type GpuDevice, type GpuDeviceOptions, requestGpuDevice } from '../../src/gpu/device.js';

export function requestExpectedDevice(options?: GpuDeviceOptions): Promise<GpuDevice> {
  Object.assign(process.env, softwareVulkanEnvironment());
  return requestGpuDevice(options);
}

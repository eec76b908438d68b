// The device that GPU tests run on: the software one that scripts/test.mjs provides, or the driver that VK_DRIVER_FILES
// names. Without one the request throws, so tests fail instead of passing without a device.
import { softwareVulkanEnvironment } from '../../scripts/requirements.mjs';
import { type GpuDevice, type GpuDeviceOptions, requestGpuDevice } from '../../src/gpu/device.js';

export function requestExpectedDevice(options?: GpuDeviceOptions): Promise<GpuDevice> {
  Object.assign(process.env, softwareVulkanEnvironment());
  return requestGpuDevice(options);
}

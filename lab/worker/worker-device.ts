// The GPU of this worker, asked for when a task first wants it.
import { type GpuDevice, requestGpuDevice } from 'nearfield/gpu';

let device: GpuDevice | null = null;

/** The device of an earlier task, while it is not lost. */
export async function takeDevice(): Promise<GpuDevice> {
  if (device === null || device.isLost) device = await requestGpuDevice();
  return device;
}

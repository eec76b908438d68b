// Chooses the CPU or a device, in one place for the whole library. An explicit 'webgpu' throws if the device cannot do
// the work; 'auto' uses the CPU instead and reports why.
import { assertBackend, type Backend } from '../core/check/check-backend.js';
import { NearfieldError, type NearfieldErrorCode } from '../core/errors.js';
import type { GpuDevice } from './device.js';
import { deviceLost } from './faults.js';

export { assertBackend, BACKENDS, type Backend } from '../core/check/check-backend.js';

/**
 * Why the CPU was used although a device was given. 'software-adapter': the device runs on the CPU anyway, and slower.
 * 'device-lost': it was lost before or during the work. 'too-large': the work does not fit its memory. 'unsupported':
 * it cannot do the work.
 */
export type BackendFallback = 'software-adapter' | 'device-lost' | 'too-large' | 'unsupported';

/** The caller's choice of where to compute. */
export interface BackendOptions {
  /** Default 'auto'. */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | null | undefined;
}

/** The device to use, or null for the CPU; and why a given device is not used. */
export interface ChosenBackend {
  readonly device: GpuDevice | null;
  readonly fallback: BackendFallback | null;
}

/** Codes of errors after which 'auto' uses the CPU; any other error would occur there too. */
const FALLBACK_CODES: readonly (NearfieldErrorCode & BackendFallback)[] = ['device-lost', 'too-large', 'unsupported'];

/**
 * The device to use, before any work. 'auto' uses a given device that is a hardware adapter and not lost.
 * @param what the work, for messages.
 * @throws NearfieldError for 'webgpu': `no-gpu` without a device and `device-lost` with a lost one; `bad-argument` for
 * an unknown backend or an invalid device.
 */
export function chooseBackend({ backend = 'auto', device = null }: BackendOptions, what: string): ChosenBackend {
  assertBackend(backend);
  if (backend === 'cpu') return { device: null, fallback: null };
  if (device === null) {
    if (backend === 'auto') return { device: null, fallback: null };
    throw new NearfieldError(
      'no-gpu',
      "The backend 'webgpu' needs a device: give { device: await requestGpuDevice() }, or use backend 'cpu'.",
    );
  }
  if (backend === 'auto') {
    if (device.isLost) return { device: null, fallback: 'device-lost' };
    if (device.isSoftware) return { device: null, fallback: 'software-adapter' };
  }
  assertDevice(device);
  if (device.isLost) throw deviceLost(device, what);
  return { device, fallback: null };
}

/**
 * Does work on the chosen backend. With 'auto', work that fails on the device starts over on the CPU.
 * @throws NearfieldError as {@link chooseBackend} and the work itself do.
 */
export async function runOnBackend<T>(
  options: BackendOptions,
  what: string,
  onDevice: (device: GpuDevice) => Promise<T>,
  onCpu: (fallback: BackendFallback | null) => T | Promise<T>,
): Promise<T> {
  const { device, fallback } = chooseBackend(options, what);
  if (device === null) return onCpu(fallback);
  try {
    return await onDevice(device);
  } catch (error) {
    const reason = error instanceof NearfieldError && FALLBACK_CODES.find((code) => code === error.code);
    if (options.backend === 'webgpu' || !reason) throw error;
    return onCpu(reason);
  }
}

/** Throws for an object that is not a device of this library. */
export function assertDevice(gpu: GpuDevice): void {
  if (gpu?.device?.features !== undefined && gpu.pipelines !== undefined) return;
  throw new NearfieldError(
    'bad-argument',
    'The device is not one that requestGpuDevice() or adoptGpuDevice() returned; await the first, or adopt your own GPUDevice.',
  );
}

import { runOnBackend } from '../gpu/choose-backend.js';
import { assertPool } from '../pool/task-pool.js';
import { CpuIce } from './cpu/cpu-ice.js';
import { GpuIce } from './gpu/gpu-ice.js';
import type { Ice } from './ice.js';
import { type IceOptions, setupOf } from './options.js';

/**
 * Starts a growth of ice. With a device and without another wish it runs there; the CPU and the GPU differ by rounding.
 * @throws NearfieldError `bad-argument`, `too-large`, and those of the backend: `no-gpu`, `device-lost`, `unsupported`.
 */
export async function createIce(options: IceOptions): Promise<Ice> {
  const setup = setupOf(options);
  const pool = options.pool ?? null;
  if (pool !== null) assertPool(pool);
  return runOnBackend<Ice>(
    options,
    'Growing ice',
    (device) => GpuIce.create(device, setup),
    (fallback) => new CpuIce(setup, pool, fallback),
  );
}

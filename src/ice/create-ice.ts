import { chooseBackend } from '../gpu/choose-backend.js';
import { CpuIce } from './cpu/cpu-ice.js';
import type { Ice } from './ice.js';
import { type IceOptions, setupOf } from './options.js';

/**
 * Starts a growth of ice. With a device and without another wish it runs there; the CPU and the GPU differ by rounding.
 * @throws NearfieldError `bad-argument`, `too-large`, and those of the backend: `no-gpu`, `device-lost`.
 */
export async function createIce(options: IceOptions): Promise<Ice> {
  const setup = setupOf(options);
  const { fallback } = chooseBackend(options, 'Growing ice');
  return new CpuIce(setup, fallback);
}

// A GPU for the command. Dawn writes warnings of its own to standard error where there is no driver, and standard error
// is for our one line: a process of its own, whose output nobody reads, asks for an adapter first.
import { execFile } from 'node:child_process';
import { NearfieldError } from '../core/errors.js';
import type { Backend, BackendFallback } from '../gpu/choose-backend.js';
import { type GpuDevice, requestGpuDevice } from '../gpu/device.js';
import type { Verb } from './verb.js';

export const BACKEND_OPTION: Verb['options'] = { backend: { type: 'string' } };
export const BACKEND_HELP = `  --backend B          cpu, webgpu, or auto: webgpu where there is a GPU (needs the package "webgpu")`;

/** How long to wait for an adapter: half a second is usual; a busy machine may need ten times that. */
const PROBE_MILLISECONDS = 60_000;

const PROBE = `const { create, globals } = await import(process.argv[1]);
Object.assign(globalThis, globals);
const gpu = create([]);
process.exit((await gpu.requestAdapter()) === null ? 1 : 0);`;

/**
 * The device to compute on, null for the CPU. 'auto' takes no software adapter: our own code is faster there.
 * @throws NearfieldError `no-gpu` for 'webgpu' where there is none.
 */
export async function acquireDevice(backend: Backend): Promise<GpuDevice | null> {
  if (backend === 'cpu') return null;
  try {
    const dawn = findDawn();
    // Without the package, the request says what to install.
    if (dawn !== null && !(await offersAdapter(dawn))) {
      throw new NearfieldError(
        'no-gpu',
        'WebGPU offers no adapter here: install the Vulkan driver of your GPU, or use --backend cpu',
      );
    }
    const gpu = await requestGpuDevice({ powerPreference: 'high-performance' });
    if (backend === 'webgpu' || !gpu.isSoftware) return gpu;
    gpu.device.destroy();
    return null;
  } catch (error) {
    if (backend === 'auto' && error instanceof NearfieldError && error.code === 'no-gpu') return null;
    throw error;
  }
}

/** Where an answer comes from, for people: a device by its name, or the CPU, and what failed before. */
export function describeBackend(device: string | null, fallback: BackendFallback | undefined): string {
  return device ?? (fallback === undefined ? 'the CPU' : `the CPU, because the GPU failed (${fallback})`);
}

function findDawn(): string | null {
  try {
    return import.meta.resolve('webgpu');
  } catch {
    return null;
  }
}

function offersAdapter(dawn: string): Promise<boolean> {
  const args = ['--input-type=module', '--eval', PROBE, dawn];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: PROBE_MILLISECONDS }, (error) => resolve(error === null));
  });
}

// A GPU for the command. Without a driver, Dawn writes its own warnings to standard error, which must hold our one line
// only. So a child process with its output discarded requests an adapter first.
import { execFile } from 'node:child_process';
import { NearfieldError } from '../core/errors.js';
import type { Backend, BackendFallback } from '../gpu/choose-backend.js';
import { type GpuDevice, requestGpuDevice } from '../gpu/device.js';
import type { Verb } from './verb.js';

export const BACKEND_OPTION: Verb['options'] = { backend: { type: 'string' } };
export const BACKEND_HELP = `  --backend B          cpu, webgpu, or auto: webgpu if there is a GPU, else cpu (a GPU needs the npm package "webgpu")`;

/** Chosen: how long to wait for an adapter. It usually takes half a second; a busy machine may need ten times that. */
const PROBE_MILLISECONDS = 60_000;

const PROBE = `const { create, globals } = await import(process.argv[1]);
Object.assign(globalThis, globals);
const gpu = create([]);
process.exit((await gpu.requestAdapter()) === null ? 1 : 0);`;

/**
 * The device to compute on, null for the CPU. 'auto' skips software adapters: our CPU code is faster than they are.
 * @throws NearfieldError `no-gpu` for 'webgpu' without an adapter.
 */
export async function acquireDevice(backend: Backend): Promise<GpuDevice | null> {
  if (backend === 'cpu') return null;
  try {
    const dawn = findDawn();
    // Without the package, requestGpuDevice throws an error that says what to install.
    if (dawn !== null && !(await offersAdapter(dawn))) {
      throw new NearfieldError(
        'no-gpu',
        'WebGPU found no adapter: install the Vulkan driver of your GPU, or use --backend cpu',
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

/** Where the answer was computed, for people: the device's name, or the CPU and why the GPU failed. */
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

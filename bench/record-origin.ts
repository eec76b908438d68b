// Where and with what a record is made: what the system tells of its GPU, and the versions.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import type { RecordOrigin } from './read-record.js';

/** The commit that was built, which the build writes here: the machine with the GPU has no repository. */
declare const MEASURED_COMMIT: string | undefined;

/** @param device as the adapter tells it. */
export function recordOrigin(device: string): RecordOrigin {
  return {
    device,
    driver: readDriver(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.version,
    dawn: readDawnVersion(),
    date: new Date().toISOString().slice(0, 10),
    commit: typeof MEASURED_COMMIT === 'undefined' ? undefined : MEASURED_COMMIT,
  };
}

/** Name and driver as the vendor's tool tells them; WebGPU hides them. */
function readDriver(): string {
  const query = ['--query-gpu=name,driver_version', '--format=csv,noheader'];
  const { status, stdout } = spawnSync('nvidia-smi', query, { encoding: 'utf8' });
  const [name, version] = status === 0 ? stdout.split('\n')[0].split(', ') : [];
  return version ? `${name}, driver ${version}` : 'driver unknown';
}

function readDawnVersion(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('webgpu/package.json');
    return JSON.parse(readFileSync(manifest, 'utf8')).version;
  } catch {
    return 'of unknown version';
  }
}

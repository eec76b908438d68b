// One call for every distance field method: picks the method and the backend, and rejects options a method lacks.
import { NearfieldError } from '../core/errors.js';
import { assertBackend, runOnBackend } from '../gpu/choose-backend.js';
import {
  type DistanceField,
  FIELD_OPTIONS,
  type FieldMethod,
  type FieldOptions,
  type FieldSource,
} from './distance-field.js';
import { exactField } from './exact/exact-field.js';
import { FIELD_DEFAULTS } from './field-options.js';
import { floodField } from './flood/flood-field.js';
import { floodFieldOnGpu } from './flood/flood-field-gpu.js';
import { transformField } from './flood/transform-field.js';
import type { GridFrame } from './grid.js';
import { marchField } from './march/march-field.js';
import { assertSource } from './march/march-options.js';

/**
 * Distances from a surface at every node of a grid, negative inside. Make the grid with `gridOverBox`, or give any frame.
 *
 * `backend: 'auto'` uses the GPU for 'exact' and 'jump-flooding' if `device` is a hardware device that the grid fits on;
 * the values are then single precision, and `error` bounds their error. If the device is lost before or during the work,
 * the CPU computes the field, and `fallback` says why. Fast marching and the distance transform run on the CPU.
 * @throws NearfieldError for invalid sources, grids and options, see each option; with 'webgpu', `no-gpu` without a
 * device and `device-lost` if it is lost; `aborted` when the caller cancels.
 */
export async function computeField(
  source: FieldSource,
  frame: GridFrame,
  options: FieldOptions = {},
): Promise<DistanceField> {
  FIELD_OPTIONS.assert(options);
  const { backend } = options;
  assertBackend(backend);
  const method = methodFor(source, options);
  if (method !== 'exact' && method !== 'jump-flooding') {
    if (backend !== 'webgpu') return computeOnCpu(method, source, frame, options);
    throw new NearfieldError('unsupported', `The method ${method} runs on the CPU; use 'exact' or 'jump-flooding'.`);
  }
  return runOnBackend<DistanceField>(
    options,
    'Distance field',
    // Both GPU methods end in the same search, which replaces flooded triangles by the nearest ones.
    async (device) => ({ ...(await floodFieldOnGpu(device, source, frame, options)), method }),
    (fallback) => {
      const field = computeOnCpu(method, source, frame, options);
      return fallback === null ? field : { ...field, fallback };
    },
  );
}

/** {@link computeField} without a promise, on the CPU only: throws for `backend: 'webgpu'`. */
export function computeFieldSync(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  FIELD_OPTIONS.assert(options);
  assertBackend(options.backend);
  if (options.backend === 'webgpu') {
    throw new NearfieldError('bad-argument', 'The GPU works asynchronously: call computeField for backend webgpu.');
  }
  return computeOnCpu(methodFor(source, options), source, frame, options);
}

/** A function that is not a distance can only be marched from. */
function methodFor(source: FieldSource, { method }: FieldOptions): FieldMethod {
  assertSource(source);
  return method ?? ('lipschitz' in source ? 'fast-marching' : FIELD_DEFAULTS.method);
}

function computeOnCpu(
  method: FieldMethod,
  source: FieldSource,
  frame: GridFrame,
  options: FieldOptions,
): DistanceField {
  switch (method) {
    case 'exact':
      return exactField(source, frame, options);
    case 'fast-marching':
      return marchField(source, frame, options);
    case 'distance-transform':
      return transformField(source, frame, options);
    case 'jump-flooding':
      return floodField(source, frame, options);
  }
}

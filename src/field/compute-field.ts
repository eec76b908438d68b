// One call for every way to a distance field: picks the method and the backend, and refuses what a method cannot do.
import { NearfieldError } from '../core/errors.js';
import { assertBackend, runOnBackend } from '../gpu/choose-backend.js';
import { FIELD_DEFAULTS } from './defaults.js';
import type { DistanceField, FieldMethod, FieldOptions, FieldSource } from './distance-field.js';
import { exactField } from './exact/exact-field.js';
import { assertChoice } from './field-options.js';
import { floodField } from './flood/flood-field.js';
import { floodFieldOnGpu } from './flood/flood-field-gpu.js';
import { transformField } from './flood/transform-field.js';
import type { GridFrame } from './grid.js';
import { marchField } from './march/march-field.js';

/** Every {@link FieldMethod}. */
export const FIELD_METHODS: readonly FieldMethod[] = ['exact', 'fast-marching', 'distance-transform', 'jump-flooding'];

/**
 * Distances from a surface at every node of a grid, negative inside. The grid comes from `gridOverBox`, or is any frame.
 *
 * `backend: 'auto'` takes the GPU for 'exact' and 'jump-flooding' where `device` is a real one that the grid fits; its
 * values are single precision and their error says so. Where the device is lost before or during the work the CPU
 * computes the field, and its `fallback` says why. Fast marching and the distance transform run on the CPU.
 * @throws NearfieldError for sources, grids and options that cannot be, see each option; for 'webgpu' `no-gpu` without a
 * device and `device-lost` with one that is lost; `aborted` at the caller's request.
 */
export async function computeField(
  source: FieldSource,
  frame: GridFrame,
  options: FieldOptions = {},
): Promise<DistanceField> {
  const { backend } = options;
  assertBackend(backend);
  const method = methodFor(source, options);
  if (method !== 'exact' && method !== 'jump-flooding') {
    if (backend !== 'webgpu') return computeOnCpu(method, source, frame, options);
    throw new NearfieldError('unsupported', `The method ${method} runs on the CPU; take 'exact' or 'jump-flooding'.`);
  }
  return runOnBackend<DistanceField>(
    options,
    'Distance field',
    // Both methods of the GPU end in the same search, which confirms what was flooded.
    async (device) => ({ ...(await floodFieldOnGpu(device, source, frame, options)), method }),
    (fallback) => {
      const field = computeOnCpu(method, source, frame, options);
      return fallback === null ? field : { ...field, fallback };
    },
  );
}

/** {@link computeField} without a promise, on the CPU alone: `backend: 'webgpu'` is refused. */
export function computeFieldSync(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  assertBackend(options.backend);
  if (options.backend === 'webgpu') {
    throw new NearfieldError('bad-argument', 'The GPU answers with a promise: call computeField for backend webgpu.');
  }
  return computeOnCpu(methodFor(source, options), source, frame, options);
}

/** A function that is no distance can only be marched from. */
function methodFor(source: FieldSource, { method }: FieldOptions): FieldMethod {
  assertChoice('method', method, FIELD_METHODS);
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

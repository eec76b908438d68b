// One call for every way to a distance field: picks the method and the backend, and refuses what a method cannot do.
import { NearfieldError } from '../core/errors.js';
import type { GpuDevice } from '../gpu/device.js';
import {
  DEFAULT_FIELD_METHOD,
  type DistanceField,
  type FieldMethod,
  type FieldOptions,
  type FieldSource,
} from './distance-field.js';
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
 * values are single precision and their error says so. Fast marching and the distance transform run on the CPU.
 * @throws NearfieldError for sources, grids and options that cannot be, see each option; `no-gpu` when 'webgpu' is asked
 * for without a device; `aborted` at the caller's request.
 */
export async function computeField(
  source: FieldSource,
  frame: GridFrame,
  options: FieldOptions = {},
): Promise<DistanceField> {
  const method = methodFor(source, options);
  const device = deviceFor(method, options);
  if (device === null) return computeOnCpu(method, source, frame, options);
  try {
    // Both methods of the GPU end in the same search, which confirms what was flooded.
    return { ...(await floodFieldOnGpu(device, source, frame, options)), method };
  } catch (error) {
    const fits = !(error instanceof NearfieldError) || error.code !== 'too-large';
    if (fits || options.backend === 'webgpu') throw error;
    return computeOnCpu(method, source, frame, options);
  }
}

/** {@link computeField} without a promise, on the CPU alone: `backend: 'webgpu'` is refused. */
export function computeFieldSync(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  assertChoice('backend', options.backend, ['cpu', 'webgpu', 'auto']);
  if (options.backend === 'webgpu') {
    throw new NearfieldError('bad-argument', 'The GPU answers with a promise: call computeField for backend webgpu.');
  }
  return computeOnCpu(methodFor(source, options), source, frame, options);
}

/** A function that is no distance can only be marched from. */
function methodFor(source: FieldSource, { method }: FieldOptions): FieldMethod {
  assertChoice('method', method, FIELD_METHODS);
  return method ?? ('lipschitz' in source ? 'fast-marching' : DEFAULT_FIELD_METHOD);
}

/** The device to work on, null for the CPU. */
function deviceFor(method: FieldMethod, { backend = 'auto', device }: FieldOptions): GpuDevice | null {
  assertChoice('backend', backend, ['cpu', 'webgpu', 'auto']);
  const onGpu = method === 'exact' || method === 'jump-flooding';
  if (backend === 'webgpu') {
    if (!onGpu) {
      throw new NearfieldError('unsupported', `The method ${method} runs on the CPU; take 'exact' or 'jump-flooding'.`);
    }
    if (device === undefined) {
      throw new NearfieldError('no-gpu', "The backend 'webgpu' needs a device: pass one from requestGpuDevice().");
    }
    return device;
  }
  return backend === 'auto' && onGpu && device !== undefined && !device.isSoftware ? device : null;
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

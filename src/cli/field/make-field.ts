// Computes the field that the command line requests, dense or sparse.
import type { Cluster } from '../../cluster/cluster.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { AnyField } from '../../field/any-field.js';
import { computeField } from '../../field/compute-field.js';
import type { DistanceField, FieldMethod, FieldOptions } from '../../field/distance-field.js';
import { FIELD_METHODS } from '../../field/distance-field.js';
import { FIELD_DEFAULTS } from '../../field/field-options.js';
import { type FieldRange, rangeOfField } from '../../field/files/field-layers.js';
import { type Field, frameBox, type GridFrame } from '../../field/grid.js';
import { sliceField } from '../../field/read/slice-field.js';
import { computeSparseField } from '../../field/sparse/compute-sparse-field.js';
import type { SparseField } from '../../field/sparse/sparse-field.js';
import { computeSparseFieldInPool } from '../../field/sparse/sparse-in-pool.js';
import { BACKENDS, type Backend, type BackendFallback } from '../../gpu/choose-backend.js';
import type { Mesh } from '../../mesh/mesh.js';
import { acquireDevice, BACKEND_HELP, BACKEND_OPTION } from '../acquire-device.js';
import { parseNumber, takeChoice, takeString } from '../arguments.js';
import type { Verb, VerbInput } from '../verb.js';
import { parseLength } from './field-grid.js';
import type { AskedSlice } from './field-outputs.js';

const METHODS: readonly FieldMethod[] = [
  FIELD_DEFAULTS.method,
  ...FIELD_METHODS.filter((method) => method !== FIELD_DEFAULTS.method),
];
/** Options that only fast marching has; the last two select it as the method. */
const OF_MARCHING = ['band', 'band-width', 'speed', 'moved'] as const;

export const METHOD_OPTIONS: Verb['options'] = {
  method: { type: 'string' },
  order: { type: 'string' },
  band: { type: 'string' },
  'band-width': { type: 'string' },
  speed: { type: 'string' },
  sides: { type: 'string' },
  'max-distance': { type: 'string' },
  sign: { type: 'string' },
  sparse: { type: 'boolean' },
  ...BACKEND_OPTION,
};
export const METHOD_HELP = `  --method M           ${METHODS[0]} (default), ${METHODS.slice(1).join(', ')}
                       (default with --speed and --moved: fast-marching)
  --order 1|2          of fast-marching (default 2); the others have none
  --band B             how fast-marching starts: exact (default), distances to the nearest triangle; or
                       triangle-boxes, to the triangles whose boxes hold a node (Fisher and Lin 2001)
  --band-width W       how far the exact band reaches on either side, in spacings (default ${FIELD_DEFAULTS.bandWidth}, with --speed ${FIELD_DEFAULTS.bandWidthWithSpeed})
  --speed F.npy        an array [z][y][x] with the speed at every node, from 0: fast-marching then gives times of arrival
  --sides S            both (default), inside or outside; the other side is ±inf beyond the first band
  --max-distance D     nodes farther from the surface are ±inf (default: no limit)
  --sign S             winding (default): negative where the winding number is at least one half; none: no sign
  --sparse             keeps a band around the surface only, for grids too large for memory: exact, ${FIELD_DEFAULTS.sparseBandWidth} spacings wide on
                       both sides, or --max-distance, or what --level needs; the rest is ±inf
${BACKEND_HELP};
                       of exact (default there: cpu, in double precision) and jump-flooding; the others run on the CPU`;

/** The requested field, checked before the model is read. */
export interface AskedField extends FieldOptions {
  readonly method: FieldMethod;
  /** Null for a method without it. */
  readonly marchOrder: 1 | 2 | null;
  readonly sparse: boolean;
  readonly backend: Backend;
  /** The file of the speeds, which are read once the grid is known. */
  readonly speedFile: string | null;
}

/** A field and how it was computed. */
export interface MadeField {
  readonly field: DistanceField | SparseField;
  /** The GPU's name. */
  readonly device: string | null;
  readonly fallback: BackendFallback | undefined;
  readonly counters: object;
  readonly range: FieldRange;
  readonly milliseconds: number;
}

export function takeField(input: VerbInput): AskedField {
  const method = takeMethod(input);
  const order = takeChoice(input, 'order', ['2', '1']) === '1' ? 1 : 2;
  const band = takeChoice(input, 'band', ['exact', 'triangle-boxes']);
  const sides = takeChoice(input, 'sides', ['both', 'inside', 'outside']);
  const sign = takeChoice(input, 'sign', ['winding', 'none']);
  const text = takeString(input, 'max-distance');
  const maxDistance = text === null ? undefined : parseLength(text, '--max-distance');
  const sparse = input.values.sparse === true;
  const width = takeString(input, 'band-width');
  if (width !== null && band === 'triangle-boxes') {
    throw new NearfieldError('bad-argument', '--band-width is for --band exact; leave it or --band triangle-boxes out');
  }
  const backend = takeBackend(input, method);
  if (backend === 'webgpu' && (sparse || (method !== 'exact' && method !== 'jump-flooding'))) {
    throw new NearfieldError(
      'bad-argument',
      `--backend webgpu is for the methods exact and jump-flooding; ${sparse ? 'sparse fields are' : `${method} is`} computed on the CPU`,
    );
  }
  if (!sparse && (input.values.cluster ?? input.values.queue) !== undefined) {
    throw new NearfieldError('bad-argument', '--cluster is for sparse fields; add --sparse, or leave it out');
  }
  if (sparse && (method !== 'exact' || sides !== 'both')) {
    const contrary = method === 'exact' ? 'sides' : (OF_MARCHING.find((name) => name in input.values) ?? 'method');
    throw new NearfieldError('bad-argument', `--sparse is exact and computes both sides; leave --${contrary} out`);
  }
  const marches = method === 'fast-marching';
  return {
    method,
    marchOrder: marches ? order : null,
    ...(marches && { order, band }),
    bandWidth: width === null ? undefined : parseNumber(width, '--band-width', { min: 1 }),
    sides,
    sign,
    maxDistance,
    sparse,
    backend,
    speedFile: takeString(input, 'speed'),
  };
}

function takeMethod(input: VerbInput): FieldMethod {
  const given = OF_MARCHING.find((name) => input.values[name] !== undefined);
  const marches = input.values.speed !== undefined || input.values.moved !== undefined;
  const usual = marches ? 'fast-marching' : FIELD_DEFAULTS.method;
  const method = takeChoice(input, 'method', [usual, ...METHODS.filter((name) => name !== usual)]);
  if (given !== undefined && method !== 'fast-marching') {
    throw new NearfieldError('bad-argument', `--${given} is for --method fast-marching, but the method is ${method}`);
  }
  return method;
}

/** Finding a GPU takes longer than most exact fields, and it has single precision only: so 'exact' uses it on request. */
function takeBackend(input: VerbInput, method: FieldMethod): Backend {
  const usual = method === 'jump-flooding' ? 'auto' : 'cpu';
  const backend = takeChoice(input, 'backend', [usual, ...BACKENDS.filter((name) => name !== usual)]);
  return backend === 'auto' && method !== 'exact' && method !== 'jump-flooding' ? 'cpu' : backend;
}

/** @param cluster where a sparse field is computed; null for here. */
export async function makeField(
  mesh: Mesh,
  frame: GridFrame,
  asked: AskedField,
  cluster: Cluster | null,
  progress: ProgressOptions,
): Promise<MadeField> {
  return asked.sparse ? makeSparse(mesh, frame, asked, cluster, progress) : makeDense(mesh, frame, asked, progress);
}

async function makeDense(
  mesh: Mesh,
  frame: GridFrame,
  { marchOrder: _order, sparse: _sparse, speedFile: _speedFile, ...options }: AskedField,
  progress: ProgressOptions,
): Promise<MadeField> {
  const gpu = await acquireDevice(options.backend);
  try {
    const start = performance.now();
    const field = await computeField(mesh, frame, { ...options, ...progress, device: gpu ?? undefined });
    const milliseconds = performance.now() - start;
    return describeField(field, gpu?.name ?? null, milliseconds);
  } finally {
    gpu?.device.destroy();
  }
}

/** A dense field with its description. */
export function describeField(field: DistanceField, device: string | null, milliseconds: number): MadeField {
  const { backend, fallback, counters } = field;
  const used = backend === 'webgpu' ? device : null;
  return { field, device: used, fallback, counters, range: rangeOfField(field), milliseconds };
}

/** A slice, by default in the middle of the z axis; a plane field is a slice already. */
export function sliceOf(field: AnyField, asked: AskedSlice | null): Field {
  if (asked === null && field.size[2] === 1 && 'values' in field) return field;
  const { axis, position } = asked ?? middleOf(field);
  return sliceField(field, axis, position);
}

async function makeSparse(
  mesh: Mesh,
  frame: GridFrame,
  { sign, maxDistance }: AskedField,
  cluster: Cluster | null,
  progress: ProgressOptions,
): Promise<MadeField> {
  const start = performance.now();
  const bandWidth = maxDistance === undefined ? FIELD_DEFAULTS.sparseBandWidth : maxDistance / frame.spacing;
  const options = { ...progress, bandWidth, sign };
  const field =
    cluster === null
      ? computeSparseField(mesh, frame, options)
      : await computeSparseFieldInPool(cluster, mesh, frame, options);
  const milliseconds = performance.now() - start;
  const counters = { ...field.counters, blocks: field.blockCount, bytes: field.byteLength };
  return { field, device: null, fallback: undefined, counters, range: rangeOfField(field), milliseconds };
}

function middleOf(frame: GridFrame): AskedSlice {
  const { min, max } = frameBox(frame);
  return { axis: 2, position: min[2] + (max[2] - min[2]) / 2 };
}

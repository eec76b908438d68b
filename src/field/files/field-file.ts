// A field as a NumPy file or as raw numbers, each with JSON beside it: samples in the order [z][y][x], negative inside,
// ±Infinity where nothing was computed. O(nodes). Bytes in, bytes out; by layers for fields too large to copy.
import { assertBytes } from '../../core/check/check-array.js';
import { oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { readNpy } from '../../io/array/npy.js';
import { formatNpyHeader } from '../../io/array/npy-header.js';
import { HOST_IS_LITTLE_ENDIAN, reverseBytes } from '../../io/formats/byte-order.js';
import { type Field, type GridFrame, gridNodeCount } from '../grid.js';
import { type FieldHeader, type FieldPrecision, headerOf, parseFieldHeader, wordAt } from './field-header.js';
import { type FieldLayers, knownLayer, layersOf } from './field-layers.js';

/** The JSON beside raw numbers, which do not describe themselves. */
export interface RawFieldHeader extends FieldHeader {
  readonly dtype: FieldPrecision;
  readonly byteOrder: 'little' | 'big';
}

/** How to write a field. */
export interface FieldFileOptions {
  /** Default 'float32'. */
  readonly precision?: FieldPrecision | undefined;
}

const FILE_OPTIONS = optionTable<FieldFileOptions>()({ precision: oneOf(['float32', 'float64'], 'float32') });

const PRECISIONS = ['float32', 'float64'] as const;
/** Proven: the largest number of single precision. */
const MAX_SINGLE = (2 - 2 ** -23) * 2 ** 127;
/** Proven: single precision represents the 2²⁴th part of a spacing in full down to this spacing, in units of length. */
const MIN_SINGLE_SPACING = 2 ** -100;

/**
 * The field as a NumPy array of shape (nz, ny, nx) and its JSON.
 * @throws NearfieldError `non-finite` for NaN, `bad-argument` for values that single precision cannot hold.
 */
export function writeFieldNpy(
  field: Field | FieldLayers,
  options: FieldFileOptions = {},
): { readonly npy: Uint8Array; readonly header: FieldHeader } {
  FILE_OPTIONS.assert(options);
  return { npy: join(fieldNpyParts(field, options)), header: headerOf(field) };
}

/** The bytes of {@link writeFieldNpy} in parts: the array's header, then layer after layer. */
export function* fieldNpyParts(
  field: Field | FieldLayers,
  options: FieldFileOptions = {},
): Generator<Uint8Array, void, undefined> {
  const layers = layersOf(field);
  const [nx, ny, nz] = layers.size;
  yield formatNpyHeader(precisionOf(field, options) === 'float32' ? '<f4' : '<f8', [nz, ny, nx]);
  yield* fieldRawParts(field, options);
}

/**
 * Reads a field from a NumPy array of any type that {@link readNpy} supports, and its JSON.
 * @throws NearfieldError as `readNpy` and `parseFieldHeader` do, `file-format` if array and JSON differ in size.
 */
export function readFieldNpy(bytes: Uint8Array, json: unknown): Field {
  const header = parseFieldHeader(json);
  const { values, shape } = readNpy(bytes);
  const [nx, ny, nz] = header.size;
  const fits = shape.join() === [nz, ny, nx].join() || (nz === 1 && shape.join() === [ny, nx].join());
  if (!fits) {
    throw new NearfieldError(
      'file-format',
      `The array has the shape (${shape.join(', ')}), its JSON the size ${nx}, ${ny}, ${nz}; that needs (${nz}, ${ny}, ${nx}).`,
    );
  }
  return checked({ ...header, values: values instanceof Float64Array ? values : new Float64Array(values) });
}

/**
 * The field as raw little-endian numbers, and the JSON that says how to read them.
 * @throws NearfieldError as {@link writeFieldNpy} does.
 */
export function writeFieldRaw(
  field: Field | FieldLayers,
  options: FieldFileOptions = {},
): { readonly raw: Uint8Array; readonly header: RawFieldHeader } {
  FILE_OPTIONS.assert(options);
  return { raw: join(fieldRawParts(field, options)), header: rawHeaderOf(field, options) };
}

/** The JSON of {@link writeFieldRaw}. */
export function rawHeaderOf(frame: GridFrame, options: FieldFileOptions = {}): RawFieldHeader {
  return { ...headerOf(frame), dtype: options.precision ?? 'float32', byteOrder: 'little' };
}

/** The bytes of {@link writeFieldRaw}, layer after layer. */
export function* fieldRawParts(
  field: Field | FieldLayers,
  options: FieldFileOptions = {},
): Generator<Uint8Array, void, undefined> {
  const layers = layersOf(field);
  const precision = precisionOf(layers, options);
  for (let k = 0; k < layers.size[2]; k++) {
    const layer = knownLayer(layers, k);
    const values = precision === 'float32' ? toSingle(layer) : layer.slice();
    const bytes = new Uint8Array(values.buffer);
    if (!HOST_IS_LITTLE_ENDIAN) reverseBytes(bytes, values.BYTES_PER_ELEMENT);
    yield bytes;
  }
}

/**
 * Reads a field from raw numbers in the order [z][y][x] and the JSON with their type and byte order.
 * @throws NearfieldError `file-format` or `file-truncated` if bytes and JSON differ, and as `parseFieldHeader` does.
 */
export function readFieldRaw(bytes: Uint8Array, json: unknown): Field {
  assertBytes(bytes);
  const header = parseFieldHeader(json);
  const Values = wordAt(json, 'dtype', PRECISIONS) === 'float32' ? Float32Array : Float64Array;
  const littleEndian = wordAt(json, 'byteOrder', ['little', 'big']) === 'little';
  const length = gridNodeCount(header) * Values.BYTES_PER_ELEMENT;
  if (bytes.length !== length) {
    throw new NearfieldError(
      bytes.length < length ? 'file-truncated' : 'file-format',
      `The file has ${bytes.length} bytes; ${header.size.join(' × ')} samples of ${Values.BYTES_PER_ELEMENT} bytes are ${length}.`,
      { byte: Math.min(length, bytes.length) },
    );
  }
  const copy = new Uint8Array(length);
  copy.set(bytes);
  if (littleEndian !== HOST_IS_LITTLE_ENDIAN) reverseBytes(copy, Values.BYTES_PER_ELEMENT);
  return checked({ ...header, values: new Float64Array(new Values(copy.buffer)) });
}

function precisionOf({ spacing }: GridFrame, options: FieldFileOptions): FieldPrecision {
  const { precision } = FILE_OPTIONS.read(options);
  if (precision === 'float32' && spacing < MIN_SINGLE_SPACING) {
    throw new NearfieldError(
      'bad-argument',
      `The spacing ${spacing} is too small for distances in single precision; write the field in float64.`,
    );
  }
  return precision;
}

function toSingle(values: Float64Array): Float32Array {
  for (let node = 0; node < values.length; node++) {
    if (Math.abs(values[node]) > MAX_SINGLE && Number.isFinite(values[node])) {
      throw new NearfieldError(
        'bad-argument',
        `The field holds ${values[node]}, too large for single precision; write it in float64.`,
      );
    }
  }
  return new Float32Array(values);
}

function join(parts: Iterable<Uint8Array>): Uint8Array {
  const list = [...parts];
  const bytes = new Uint8Array(list.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of list) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function checked(field: Field): Field {
  const layers = layersOf(field);
  for (let k = 0; k < field.size[2]; k++) knownLayer(layers, k);
  return field;
}

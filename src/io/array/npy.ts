// Reads and writes arrays of numbers as NumPy files (.npy, NumPy enhancement proposal 1), like numpy.load and save.
// O(bytes), one copy.
import { NearfieldError } from '../../core/errors.js';
import { HOST_IS_LITTLE_ENDIAN, reverseBytes } from '../formats/byte-order.js';
import { formatNpyHeader, MAX_NPY_DIMENSIONS, parseNpyHeader } from './npy-header.js';

/** The arrays that NumPy files can hold here. */
export type NpyValues =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

/** An array of any number of dimensions. */
export interface NpyArray {
  /** The elements in C order: the last index runs fastest. */
  readonly values: NpyValues;
  /** The lengths along the dimensions, the slowest first; empty for a single number. */
  readonly shape: readonly number[];
}

interface ValuesConstructor {
  new (length: number): NpyValues;
  new (buffer: ArrayBuffer): NpyValues;
  readonly BYTES_PER_ELEMENT: number;
}

/** Array types by NumPy's name for kind and width, without the byte order. */
const KINDS: Record<string, ValuesConstructor> = {
  f8: Float64Array,
  f4: Float32Array,
  i4: Int32Array,
  u4: Uint32Array,
  i2: Int16Array,
  u2: Uint16Array,
  i1: Int8Array,
  u1: Uint8Array,
};

/**
 * A NumPy file (format 1.0, little-endian, C order), byte for byte as `numpy.save` writes it.
 * @throws NearfieldError `bad-argument` when the shape does not fit the values.
 */
export function writeNpy(values: NpyValues, shape: readonly number[]): Uint8Array {
  const kind = Object.keys(KINDS).find((name) => values instanceof KINDS[name]);
  if (kind === undefined) {
    throw new NearfieldError('bad-argument', 'writeNpy takes a typed array of at most 64 bits per number.');
  }
  if (!Array.isArray(shape)) {
    throw new NearfieldError('bad-argument', 'The shape is not an array; give the lengths along the dimensions.');
  }
  if (shape.length > MAX_NPY_DIMENSIONS || shape.some((length) => !Number.isSafeInteger(length) || length < 0)) {
    throw new NearfieldError(
      'bad-argument',
      `The shape is (${shape.join(', ')}); give at most ${MAX_NPY_DIMENSIONS} whole numbers of at least 0.`,
    );
  }
  if (elementCount(shape) !== values.length) {
    throw new NearfieldError(
      'bad-argument',
      `The shape (${shape.join(', ')}) has ${elementCount(shape)} elements, the array ${values.length}; they must agree.`,
    );
  }
  const width = values.BYTES_PER_ELEMENT;
  const header = formatNpyHeader(`${width === 1 ? '|' : '<'}${kind}`, shape);
  const bytes = new Uint8Array(header.length + values.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), header.length);
  if (!HOST_IS_LITTLE_ENDIAN) reverseBytes(bytes.subarray(header.length), width);
  return bytes;
}

/**
 * Reads a NumPy file of floats or integers of at most 32 bits, or of doubles, in either byte order. Fortran order is
 * converted to C order. The numbers are copied.
 * @throws NearfieldError `file-format` for other or damaged files, `file-truncated` if the end is missing,
 * `unsupported` for other types of elements.
 */
export function readNpy(bytes: Uint8Array): NpyArray {
  const { descr, fortranOrder, shape, dataStart } = parseNpyHeader(bytes);
  const match = /^([<>=|]?)([fiu]\d)$/.exec(descr);
  const Values = match === null ? undefined : KINDS[match[2]];
  if (match === null || Values === undefined) {
    throw new NearfieldError(
      'unsupported',
      `The NumPy file has elements of type "${descr}"; supported are ${Object.keys(KINDS).join(', ')}. ` +
        'Convert it with astype.',
      { byte: dataStart },
    );
  }
  const width = Values.BYTES_PER_ELEMENT;
  const end = dataStart + width * elementCount(shape);
  if (bytes.length < end) {
    throw new NearfieldError(
      'file-truncated',
      `The NumPy file of shape (${shape.join(', ')}) should have ${end} bytes but ends after ${bytes.length}; copy it again.`,
      { byte: bytes.length },
    );
  }
  if (bytes.length > end) {
    throw new NearfieldError(
      'file-format',
      `The NumPy file of shape (${shape.join(', ')}) continues after its last byte, ${end - 1}; give one array per file.`,
      { byte: end },
    );
  }
  const copy = new Uint8Array(end - dataStart);
  copy.set(bytes.subarray(dataStart, end));
  const bigEndian = match[1] === '>' || (match[1] !== '<' && !HOST_IS_LITTLE_ENDIAN);
  if (bigEndian === HOST_IS_LITTLE_ENDIAN) reverseBytes(copy, width);
  const values = new Values(copy.buffer);
  return { values: fortranOrder && shape.length > 1 ? toCOrder(values, shape, Values) : values, shape };
}

/** The product of the lengths; 1 for an empty list. */
function elementCount(shape: readonly number[]): number {
  // A length of zero makes the product zero, even if the other lengths overflow.
  return shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1);
}

/** Reorders elements whose first index runs fastest so that the last one does. */
function toCOrder(values: NpyValues, shape: readonly number[], Values: ValuesConstructor): NpyValues {
  const result = new Values(values.length);
  const strides = shape.map((_, axis) => elementCount(shape.slice(0, axis)));
  const index = new Array<number>(shape.length).fill(0);
  let from = 0;
  for (let to = 0; to < result.length; to++) {
    result[to] = values[from];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

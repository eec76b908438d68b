// The header of a NumPy file: magic, version, length, and a Python dictionary literal with the three keys descr,
// fortran_order and shape (NumPy enhancement proposal 1). The dictionary is parsed, never executed.
import { assertBytes } from '../../core/check/check-array.js';
import { NearfieldError } from '../../core/errors.js';

/** The content of a header, and where the numbers begin. */
export interface NpyHeader {
  /** The type of the elements as NumPy writes it: byte order, kind and width, as in `<f4`. */
  readonly descr: string;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  readonly dataStart: number;
}

/** "\x93NUMPY". */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** Format: the data start at a multiple of this many bytes, so that they can be mapped into memory. */
const ALIGNMENT = 64;

/** Format: digits that NumPy reserves, so that the first length can grow in place. */
const GROWTH_DIGITS = 21;

/** Format: the most dimensions of an array in NumPy, since version 2. */
export const MAX_NPY_DIMENSIONS = 64;

/** The header of C-ordered numbers, byte for byte as NumPy writes it. */
export function formatNpyHeader(descr: string, shape: readonly number[]): Uint8Array {
  const lengths = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  let text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${lengths}), }`;
  if (shape.length > 0) text += ' '.repeat(GROWTH_DIGITS - String(shape[0]).length);
  const prefix = MAGIC.length + 4;
  const length = Math.floor((prefix + text.length + 1) / ALIGNMENT + 1) * ALIGNMENT;
  const bytes = new Uint8Array(length).fill(0x20);
  bytes.set([...MAGIC, 1, 0, (length - prefix) & 0xff, (length - prefix) >> 8]);
  for (let i = 0; i < text.length; i++) bytes[prefix + i] = text.charCodeAt(i);
  bytes[length - 1] = 0x0a;
  return bytes;
}

/** Reads the header of a file of format 1.0, 2.0 or 3.0. */
export function parseNpyHeader(bytes: Uint8Array): NpyHeader {
  assertBytes(bytes);
  for (let i = 0; i < Math.min(bytes.length, MAGIC.length); i++) {
    if (bytes[i] !== MAGIC[i]) throw damage('the signature is wrong', i);
  }
  if (bytes.length < 8) throw truncated(bytes.length, 'inside its first bytes');
  const major = bytes[6];
  if (major < 1 || major > 3 || bytes[7] !== 0) {
    throw new NearfieldError(
      'unsupported',
      `The NumPy file is of format ${major}.${bytes[7]}; formats 1.0, 2.0 and 3.0 are read. Save it again with numpy.save.`,
      { byte: 6 },
    );
  }
  const start = major === 1 ? 10 : 12;
  if (bytes.length < start) throw truncated(bytes.length, 'inside its first bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const dataStart = start + length;
  if (bytes.length < dataStart) throw truncated(bytes.length, `inside its header, which ends at ${dataStart}`);
  const text = new TextDecoder(major === 3 ? 'utf-8' : 'latin1').decode(bytes.subarray(start, dataStart));
  return { ...new DictionaryReader(text, start).read(), dataStart };
}

/** Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`, keys in any order. */
class DictionaryReader {
  #at = 0;

  constructor(
    readonly text: string,
    readonly start: number,
  ) {}

  read(): Omit<NpyHeader, 'dataStart'> {
    let descr: string | null = null;
    let fortranOrder: boolean | null = null;
    let shape: number[] | null = null;
    this.#expect('{');
    while (!this.#take('}')) {
      const key = this.#readString('a key');
      this.#expect(':');
      if (key === 'descr' && descr === null) descr = this.#readDescr();
      else if (key === 'fortran_order' && fortranOrder === null) fortranOrder = this.#readBoolean();
      else if (key === 'shape' && shape === null) shape = this.#readShape();
      else throw this.#fault(`has an unknown or repeated key "${key}"`);
      if (this.#take('}')) break;
      this.#expect(',');
    }
    this.#match(/\s*/y);
    if (this.#at < this.text.length) throw this.#fault('continues after its dictionary');
    if (descr === null || fortranOrder === null || shape === null) {
      throw this.#fault('lacks one of descr, fortran_order and shape');
    }
    return { descr, fortranOrder, shape };
  }

  #readDescr(): string {
    if (/\s*\[/y.test(this.text.slice(this.#at))) {
      throw new NearfieldError(
        'unsupported',
        'The NumPy file has records of several fields; save one of them as an array of numbers.',
        { byte: this.start + this.#at },
      );
    }
    return this.#readString('the type of the elements');
  }

  #readString(what: string): string {
    const match = this.#match(/\s*(?:'([^'\\\n]*)'|"([^"\\\n]*)")/y);
    if (match === null) throw this.#fault(`has no string where ${what} should be`);
    return match[1] ?? match[2];
  }

  #readBoolean(): boolean {
    const match = this.#match(/\s*(True|False)\b/y);
    if (match === null) throw this.#fault('has neither True nor False for fortran_order');
    return match[1] === 'True';
  }

  #readShape(): number[] {
    const shape: number[] = [];
    this.#expect('(');
    while (!this.#take(')')) {
      // Python 2 wrote long integers with an L.
      const match = this.#match(/\s*(\d+)L?/y);
      if (match === null) throw this.#fault('has a length that is not a whole number');
      const length = Number(match[1]);
      if (!Number.isSafeInteger(length)) throw this.#fault(`has the too large length ${match[1]} in its shape`);
      shape.push(length);
      if (shape.length > MAX_NPY_DIMENSIONS) throw this.#fault(`has more than ${MAX_NPY_DIMENSIONS} dimensions`);
      if (this.#take(')')) break;
      this.#expect(',');
    }
    return shape;
  }

  #take(character: string): boolean {
    this.#match(/\s*/y);
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw this.#fault(`lacks a "${character}"`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #fault(what: string): NearfieldError {
    return damage(`its header ${what}`, this.start + this.#at);
  }
}

function damage(what: string, byte: number): NearfieldError {
  return new NearfieldError('file-format', `Not a NumPy file, or damaged: ${what} (byte ${byte}).`, {
    byte,
  });
}

function truncated(length: number, where: string): NearfieldError {
  return new NearfieldError('file-truncated', `The NumPy file ends after ${length} bytes, ${where}; copy it again.`, {
    byte: length,
  });
}

// Plain data as bytes and back, to the bit: numbers with NaN, infinities and the sign of zero, text, lists, objects and typed
// arrays. Decoding trusts nothing: every length is checked against the bytes that are left, and the result is only data.
import { NearfieldError } from '../core/errors.js';

const ARRAYS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
] as const;

enum Tag {
  Undefined,
  Null,
  False,
  True,
  Number,
  Text,
  List,
  Record,
  Array,
}

/** Chosen: lists and objects nested deeper than this are refused, so that reading data from outside needs a bounded stack. */
const MAX_DEPTH = 64;

/** The bytes of a value. */
export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writer.write(value, 0);
  return writer.finish();
}

/**
 * The value of bytes that {@link encode} made.
 * @throws NearfieldError 'file-format' for bytes that it did not.
 */
export function decode(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const value = reader.read(0);
  if (reader.left !== 0) throw malformed('bytes are left at the end');
  return value;
}

class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  write(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) throw new NearfieldError('bad-argument', 'The data is nested too deeply to be sent.');
    if (value === undefined) this.#byte(Tag.Undefined);
    else if (value === null) this.#byte(Tag.Null);
    else if (typeof value === 'boolean') this.#byte(value ? Tag.True : Tag.False);
    else if (typeof value === 'number') {
      this.#byte(Tag.Number);
      this.#reserve(8);
      this.#view.setFloat64(this.#length, value, true);
      this.#length += 8;
    } else if (typeof value === 'string') {
      this.#byte(Tag.Text);
      this.#text(value);
    } else if (ArrayBuffer.isView(value)) this.#array(value);
    else if (Array.isArray(value)) {
      this.#byte(Tag.List);
      this.#count(value.length);
      for (const entry of value) this.write(entry, depth + 1);
    } else if (typeof value === 'object') {
      const entries = Object.entries(value).filter(([, entry]) => typeof entry !== 'function');
      this.#byte(Tag.Record);
      this.#count(entries.length);
      for (const [key, entry] of entries) {
        this.#text(key);
        this.write(entry, depth + 1);
      }
    } else {
      throw new NearfieldError('bad-argument', `A ${typeof value} cannot be sent to another machine; leave it out.`);
    }
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #array(value: ArrayBufferView): void {
    const kind = ARRAYS.findIndex((type) => value instanceof type);
    if (kind < 0)
      throw new NearfieldError('bad-argument', `A ${value.constructor.name} cannot be sent; use typed arrays.`);
    this.#byte(Tag.Array);
    this.#byte(kind);
    this.#count((value as Uint8Array).length);
    this.#raw(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }

  #text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#count(bytes.length);
    this.#raw(bytes);
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  #count(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  read(depth: number): unknown {
    if (depth > MAX_DEPTH) throw malformed('it is nested too deeply');
    const tag = this.#byte();
    switch (tag) {
      case Tag.Undefined:
        return undefined;
      case Tag.Null:
        return null;
      case Tag.False:
        return false;
      case Tag.True:
        return true;
      case Tag.Number:
        return this.#view.getFloat64(this.#skip(8), true);
      case Tag.Text:
        return this.#text();
      case Tag.List: {
        const count = this.#count(1);
        const list: unknown[] = [];
        for (let i = 0; i < count; i++) list.push(this.read(depth + 1));
        return list;
      }
      case Tag.Record: {
        const count = this.#count(5);
        const record: Record<string, unknown> = {};
        for (let i = 0; i < count; i++) {
          const key = this.#text();
          if (key === '__proto__') throw malformed('a key is not allowed');
          record[key] = this.read(depth + 1);
        }
        return record;
      }
      case Tag.Array:
        return this.#array();
      default:
        throw malformed(`${tag} is not a kind of value`);
    }
  }

  #array(): unknown {
    const type = ARRAYS[this.#byte()];
    if (type === undefined) throw malformed('an array is of an unknown kind');
    const count = this.#count(type.BYTES_PER_ELEMENT);
    const from = this.#skip(count * type.BYTES_PER_ELEMENT);
    // A copy, since its place in the bytes may not be aligned.
    return new type(this.#bytes.slice(from, this.#at).buffer);
  }

  #text(): string {
    const count = this.#count(1);
    const from = this.#skip(count);
    return new TextDecoder().decode(this.#bytes.subarray(from, this.#at));
  }

  #byte(): number {
    return this.#bytes[this.#skip(1)];
  }

  /** Reads a count of entries that take at least `size` bytes each, and refuses one for which too few bytes are left. */
  #count(size: number): number {
    const count = this.#view.getUint32(this.#skip(4), true);
    if (count * size > this.left) throw malformed('it ends early');
    return count;
  }

  #skip(count: number): number {
    if (count > this.left) throw malformed('it ends early');
    this.#at += count;
    return this.#at - count;
  }
}

function malformed(what: string): NearfieldError {
  return new NearfieldError('file-format', `The data is not what a cluster sends: ${what}.`);
}

// Untrusted JSON, read value by value. Each access checks the type; its error gives the path ("accessors[3].count") and
// the line or byte of the value, which is located only then.
import { NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import { TextCursor } from '../formats/text-cursor.js';
import { type JsonPath, locateJsonFault, locateJsonValue } from './locate-json.js';

/** A JSON text: the whole of a file, or the chunk of a binary file that begins at `byteOffset`. */
export interface JsonText {
  readonly bytes: Uint8Array;
  readonly byteOffset: number | null;
}

export class JsonView {
  readonly #value: unknown;
  readonly #path: JsonPath;
  readonly #text: JsonText;

  constructor(value: unknown, path: JsonPath, text: JsonText) {
    this.#value = value;
    this.#path = path;
    this.#text = text;
  }

  /** Parses the text; its root must be an object. */
  static parse(text: JsonText): JsonView {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder().decode(text.bytes.slice()));
    } catch {
      const offset = locateJsonFault(text.bytes);
      const ended = offset === text.bytes.length;
      throw located(
        text,
        offset,
        ended ? 'file-truncated' : 'file-format',
        ended
          ? 'the JSON text ends too early; the file is truncated, so copy it again'
          : 'the JSON text is malformed here',
      );
    }
    const root = new JsonView(value, [], text);
    if (!root.isObject) root.fail('a glTF file is a JSON object; this file is not');
    return root;
  }

  get exists(): boolean {
    return this.#value !== undefined;
  }

  get isObject(): boolean {
    return typeof this.#value === 'object' && this.#value !== null && !Array.isArray(this.#value);
  }

  /** The member of an object; a missing one is a view with `exists` false. */
  at(key: string): JsonView {
    if (this.exists && !this.isObject) this.fail(`${this.name} must be an object`);
    const members = (this.#value ?? {}) as Record<string, unknown>;
    return new JsonView(Object.hasOwn(members, key) ? members[key] : undefined, [...this.#path, key], this.#text);
  }

  /** The elements of an array; none if it does not exist. */
  items(): JsonView[] {
    if (!this.exists) return [];
    if (!Array.isArray(this.#value)) this.fail(`${this.name} must be an array`);
    return (this.#value as unknown[]).map((item, index) => new JsonView(item, [...this.#path, index], this.#text));
  }

  /** A whole number in [low, high); `fallback` when it does not exist. */
  integer(low: number, high: number, fallback?: number): number {
    if (!this.exists && fallback !== undefined) return fallback;
    const value = this.#value;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value >= high) {
      this.fail(`${this.name} is ${this.#shown}; it must be a whole number from ${low} to ${high - 1}`);
    }
    return value;
  }

  /** The item of `list` that this number names. */
  itemOf<T>(list: readonly T[]): T {
    if (list.length === 0) this.fail(`${this.name} is ${this.#shown}, but the file does not have that list`);
    return list[this.integer(0, list.length)];
  }

  /** `count` finite numbers; `fallback` when they do not exist. */
  numbers(count: number, fallback?: readonly number[]): readonly number[] {
    if (!this.exists && fallback !== undefined) return fallback;
    const value = this.#value;
    if (!Array.isArray(value) || value.length !== count || !value.every(Number.isFinite)) {
      this.fail(`${this.name} must be an array of ${count} finite numbers`);
    }
    return value as number[];
  }

  /** A string; '' when it does not exist. */
  string(): string {
    if (!this.exists) return '';
    if (typeof this.#value !== 'string') this.fail(`${this.name} is ${this.#shown}; it must be a string`);
    return this.#value as string;
  }

  boolean(): boolean {
    if (this.exists && typeof this.#value !== 'boolean')
      this.fail(`${this.name} is ${this.#shown}; it must be true or false`);
    return this.#value === true;
  }

  fail(message: string, code: NearfieldErrorCode = 'file-format'): never {
    throw located(this.#text, locateJsonValue(this.#text.bytes, this.#path), code, message);
  }

  /** The path as JavaScript writes it. */
  get name(): string {
    if (this.#path.length === 0) return 'the root';
    return this.#path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${key}`)).join('');
  }

  get #shown(): string {
    const text = JSON.stringify(this.#value) ?? 'missing';
    return text.length > 24 ? `${text.slice(0, 24)}…` : text;
  }
}

function located(text: JsonText, offset: number, code: NearfieldErrorCode, message: string): NearfieldError {
  if (text.byteOffset === null) {
    const line = new TextCursor(text.bytes).lineAt(offset);
    return new NearfieldError(code, `line ${line}: ${message}.`, { line });
  }
  const byte = text.byteOffset + offset;
  return new NearfieldError(code, `byte ${byte}: ${message}.`, { byte });
}

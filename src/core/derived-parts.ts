// What is derived from an object and kept with it: made when first asked for, countable in bytes, freeable. A part is
// declared by the file that knows how to make it, so that higher layers can keep parts on objects of lower ones.
import type { ProgressOptions } from './progress.js';

/** A kind of data that is put beside an owner by {@link DerivedParts.set}. Declared once; the declaration itself is the key. */
export interface GivenPart<Value> {
  /** What reports call it. */
  readonly name: string;
  /** Bytes the value holds. Default: those of all arrays in it, see {@link bytesOf}. */
  bytes?(value: Value): number;
  /** Gives back what the garbage collector does not, such as buffers on a device. */
  free?(value: Value): void;
}

/** A kind of data that can be derived from an owner. */
export interface Part<Owner, Value> extends GivenPart<Value> {
  make(owner: Owner, progress?: ProgressOptions): Value;
}

/** Bytes of one part. */
export interface PartMemory {
  readonly name: string;
  readonly bytes: number;
}

/** The parts of one owner that have been made. */
export class DerivedParts<Owner> {
  readonly #owner: Owner;
  readonly #values = new Map<GivenPart<unknown>, unknown>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The part, made if it is not there. A part whose making fails is not kept. */
  get<Value>(part: Part<Owner, Value>, progress?: ProgressOptions): Value {
    const known = this.peek(part);
    if (known !== undefined) return known;
    const made = part.make(this.#owner, progress);
    this.set(part, made);
    return made;
  }

  /** The part if it has been made or given. */
  peek<Value>(part: GivenPart<Value>): Value | undefined {
    return this.#values.get(part as GivenPart<unknown>) as Value | undefined;
  }

  /** Keeps a value that was made elsewhere. */
  set<Value>(part: GivenPart<Value>, value: Value): void {
    this.#values.set(part as GivenPart<unknown>, value);
  }

  /** Frees one part; it is made again when asked for. */
  free<Value>(part: GivenPart<Value>): void {
    const value = this.peek(part);
    if (value === undefined) return;
    this.#values.delete(part as GivenPart<unknown>);
    part.free?.(value);
  }

  /** Frees all parts. */
  freeAll(): void {
    for (const part of [...this.#values.keys()]) this.free(part);
  }

  /** The parts made so far with their bytes, in the order they were made. Arrays that parts share count for the first. */
  memory(seen: Set<object> = new Set()): PartMemory[] {
    return [...this.#values].map(([part, value]) => ({
      name: part.name,
      bytes: part.bytes?.(value) ?? bytesOf(value, seen),
    }));
  }

  /** Bytes of all parts. */
  get bytes(): number {
    return this.memory().reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/**
 * Bytes of the arrays that a value holds: through plain objects and arrays; objects of a class say it themselves, by a
 * number called `bytes`, or count as nothing.
 * @param seen what has been counted before and does not count again.
 */
export function bytesOf(value: unknown, seen: Set<object> = new Set()): number {
  if (value === null || typeof value !== 'object') return 0;
  if (ArrayBuffer.isView(value)) {
    if (seen.has(value.buffer)) return 0;
    seen.add(value.buffer);
    return value.buffer.byteLength;
  }
  if (seen.has(value)) return 0;
  seen.add(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + bytesOf(entry, seen), 0);
  if (Object.getPrototypeOf(value) === Object.prototype) return bytesOf(Object.values(value), seen);
  const { bytes } = value as { readonly bytes?: unknown };
  return typeof bytes === 'number' ? bytes : 0;
}

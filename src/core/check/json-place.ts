// A value of a JSON document with its place in it, so that every refusal says where: "bodies[3].shape.box[0] is 0; …".
import { NearfieldError } from '../errors.js';

/** What a number may be. */
export interface NumberRange {
  /** The least number allowed. */
  readonly min?: number;
  /** Numbers must be above this. */
  readonly above?: number;
  readonly max?: number;
  readonly integer?: boolean;
}

/** A value and its path, as in `bodies[3].shape`; the path of the document itself is empty. */
export class JsonPlace {
  constructor(
    readonly value: unknown,
    readonly path: string,
    readonly document = 'The scene',
  ) {}

  /** The fields of an object; a name that is not known is refused, and so is an object without a name that it needs. */
  fields(known: readonly string[], needed: readonly string[] = []): JsonFields {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.refuse(`is ${this.describe()}; give an object with ${known.join(', ')}`);
    }
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) this.refuse(`has the unknown key "${name}"; the keys are ${known.join(', ')}`);
    }
    for (const name of needed) {
      if (!Object.hasOwn(value, name)) this.refuse(`has no "${name}"; add it`);
    }
    return new JsonFields(value as Readonly<Record<string, unknown>>, this.path, this.document);
  }

  /** The entries of a list. */
  list(what: string): JsonPlace[] {
    if (!Array.isArray(this.value)) return this.refuse(`is ${this.describe()}; give a list of ${what}`);
    return this.value.map((entry: unknown, i) => new JsonPlace(entry, `${this.path}[${i}]`, this.document));
  }

  number({ min, above, max, integer = false }: NumberRange = {}): number {
    const { value } = this;
    const right =
      typeof value === 'number' &&
      Number.isFinite(value) &&
      (min === undefined || value >= min) &&
      (above === undefined || value > above) &&
      (max === undefined || value <= max) &&
      (!integer || Number.isSafeInteger(value));
    if (right) return value;
    const bounds = [
      ...(min === undefined ? [] : [`of at least ${min}`]),
      ...(above === undefined ? [] : [`above ${above}`]),
      ...(max === undefined ? [] : [`of at most ${max}`]),
    ];
    return this.refuse(
      `is ${this.describe()}; give a ${integer ? 'whole ' : 'finite '}number ${bounds.join(' and ')}`.trimEnd(),
    );
  }

  /** A list of `count` numbers. */
  numbers(count: number, range: NumberRange = {}, what = `a list of ${count} numbers`): number[] {
    if (!Array.isArray(this.value) || this.value.length !== count) {
      return this.refuse(`is ${this.describe()}; give ${what}`);
    }
    return this.list('numbers').map((entry) => entry.number(range));
  }

  text(): string {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    return this.refuse(`is ${this.describe()}; give a text that is not empty`);
  }

  flag(): boolean {
    return typeof this.value === 'boolean'
      ? this.value
      : this.refuse(`is ${this.describe()}; give true or false without quotes`);
  }

  choice<const Word extends string>(words: readonly Word[]): Word {
    const found = words.find((word) => word === this.value);
    return found ?? this.refuse(`is ${this.describe()}; give ${words.map((word) => `"${word}"`).join(', ')}`);
  }

  /** Throws with the path in front. */
  refuse(what: string): never {
    throw new NearfieldError('bad-argument', `${this.path === '' ? this.document : this.path} ${what}.`);
  }

  /** Runs work of the library on this value; its errors name the path. */
  name<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.nameError(error);
    }
  }

  /** The error with the path in front, if it is one of the library. */
  nameError(error: unknown): unknown {
    if (!(error instanceof NearfieldError)) return error;
    return new NearfieldError(error.code, `${this.path}: ${error.message}`, error.location);
  }

  /** The value as a message shows it. */
  describe(): string {
    const { value } = this;
    if (Array.isArray(value)) return `a list of ${value.length}`;
    if (typeof value === 'object' && value !== null) return 'an object';
    return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  }
}

/** The fields of one object. */
export class JsonFields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #document: string;

  constructor(values: Readonly<Record<string, unknown>>, path: string, document: string) {
    this.#values = values;
    this.#path = path;
    this.#document = document;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  at(name: string): JsonPlace {
    return new JsonPlace(this.#values[name], this.#path === '' ? name : `${this.#path}.${name}`, this.#document);
  }

  /** What `read` makes of a field, or the fallback without that field. */
  take<T, F>(name: string, fallback: F, read: (place: JsonPlace) => T): T | F {
    return this.has(name) ? read(this.at(name)) : fallback;
  }
}

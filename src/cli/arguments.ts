// Small readers for what people type: each refuses with a message that says what was expected.
import { NearfieldError } from '../core/errors.js';
import type { VerbInput } from './verb.js';

/** Exactly the named positional arguments, in order. */
export function takePositionals<const Names extends readonly string[]>(
  input: VerbInput,
  verb: string,
  names: Names,
): { [Index in keyof Names]: string } {
  const { positionals } = input;
  if (positionals.length !== names.length) {
    const wanted = names.length === 0 ? 'no arguments' : names.join(' ');
    throw new NearfieldError(
      'bad-argument',
      `${verb} takes ${wanted}; got ${positionals.length === 0 ? 'none' : positionals.join(' ')}. See nearfield ${verb} --help`,
    );
  }
  return [...positionals] as { [Index in keyof Names]: string };
}

/** A string option, or null when it was not given. */
export function takeString(input: VerbInput, name: string): string | null {
  const value = input.values[name];
  return typeof value === 'string' ? value : null;
}

/** A number option within [min, max], or the default when it was not given. */
export function takeNumber(
  input: VerbInput,
  name: string,
  fallback: number,
  { min = -Infinity, max = Infinity, integer = false } = {},
): number {
  const text = takeString(input, name);
  return text === null ? fallback : parseNumber(text, `--${name}`, { min, max, integer });
}

export function parseNumber(
  text: string,
  what: string,
  { min = -Infinity, max = Infinity, integer = false } = {},
): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value < min || value > max || (integer && !Number.isInteger(value))) {
    const kind = integer ? 'a whole number' : 'a number';
    const range =
      min === -Infinity && max === Infinity
        ? ''
        : max === Infinity
          ? ` of at least ${min}`
          : min === -Infinity
            ? ` of at most ${max}`
            : ` from ${min} to ${max}`;
    throw new NearfieldError('bad-argument', `${what} is "${text}"; give ${kind}${range}`);
  }
  return value;
}

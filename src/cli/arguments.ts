// Parsers for command-line arguments. Each throws an error that says what was expected.
import { assertNear } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import type { VerbInput } from './verb.js';

/** The positional arguments, which must be exactly as many as `names`. */
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

/** A number of at least 0, or null when it was not given. */
export function takeLength(input: VerbInput, name: string): number | null {
  const text = takeString(input, name);
  return text === null ? null : parseNumber(text, `--${name}`, { min: 0 });
}

/** One of the words; the first is the default. */
export function takeChoice<const Word extends string>(input: VerbInput, name: string, words: readonly Word[]): Word {
  const asked = takeString(input, name) ?? words[0];
  const word = words.find((candidate) => candidate === asked);
  if (word === undefined) {
    throw new NearfieldError('bad-argument', `--${name} is "${asked}"; give one of ${words.join(', ')}`);
  }
  return word;
}

/** A placement tx,ty,tz,qx,qy,qz,qw; the identity when it was not given. */
export function takePose(input: VerbInput, name: string): pose.Pose {
  const text = takeString(input, name);
  if (text === null) return pose.identity();
  const numbers = text.split(',').map((word, i) => parseNumber(word, `number ${i} of --${name}`));
  try {
    return nearPose(pose.parse(numbers));
  } catch (error) {
    throw error instanceof NearfieldError
      ? new NearfieldError(error.code, `--${name} is "${text}": ${error.message}`)
      : error;
  }
}

/** The pose, if its translation is below the limit of coordinates. */
export function nearPose(placement: pose.Pose): pose.Pose {
  assertNear(placement);
  return placement;
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

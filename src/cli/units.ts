// Units of length by their names.
import { NearfieldError } from '../core/errors.js';
import { takeString } from './arguments.js';
import type { VerbInput } from './verb.js';

/** By definition: units in meters. */
const METERS: Readonly<Record<string, number>> = {
  m: 1,
  mm: 0.001,
  cm: 0.01,
  km: 1000,
  µm: 1e-6,
  um: 1e-6,
  in: 0.0254,
  ft: 0.3048,
};

/** The label of lengths whose unit nobody knows. */
export const UNKNOWN_UNIT = 'units';

/** A length as it was asked for; `unit` null: in the unit of the answer. */
export interface AskedLength {
  readonly value: number;
  readonly unit: string | null;
}

/** The meters of a unit that has a name here. */
export function metersOf(unit: string): number {
  return METERS[unit] ?? refuse(`the unit "${unit}"`);
}

/** The name of a unit; a number of meters where it has none. */
export function unitName(meters: number): string {
  return Object.keys(METERS).find((name) => METERS[name] === meters) ?? `× ${meters} m`;
}

/** The unit of --unit; null without the option. */
export function takeUnit(input: VerbInput): string | null {
  const unit = takeString(input, 'unit');
  if (unit !== null && METERS[unit] === undefined) refuse(`--unit is "${unit}"`);
  return unit;
}

/** A length of at least 0, such as 0.5 or 0.5mm; null without the option. */
export function takeAskedLength(input: VerbInput, name: string, max = Infinity): AskedLength | null {
  const text = takeString(input, name);
  if (text === null) return null;
  const [, digits, unit] = /^\s*(.*?)\s*([a-zµ]+)?\s*$/i.exec(text) ?? [];
  const value = digits === undefined || digits === '' ? Number.NaN : Number(digits);
  if (Number.isFinite(value) && value >= 0 && value <= max) {
    if (unit !== undefined && METERS[unit] === undefined) refuse(`--${name} is "${text}"`);
    return { value, unit: unit ?? null };
  }
  const range = max === Infinity ? 'of at least 0' : `from 0 to ${max}`;
  throw new NearfieldError('bad-argument', `--${name} is "${text}"; give a number ${range}, with a unit or without`);
}

/** A length in the unit of the answer. @param unit that unit in meters; null if nobody knows it. */
export function toUnit({ value, unit: asked }: AskedLength, name: string, unit: number | null): number {
  if (asked === null) return value;
  if (unit !== null) return (value * metersOf(asked)) / unit;
  throw new NearfieldError(
    'bad-argument',
    `--${name} is in ${asked}, but the files do not say their unit of length; give it by --unit`,
  );
}

function refuse(what: string): never {
  throw new NearfieldError('bad-argument', `${what}; the units are ${Object.keys(METERS).join(', ')}`);
}

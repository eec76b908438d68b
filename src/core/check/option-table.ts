// One row for each option: what it may be, and its value when it is left out. A table refuses wrong names and wrong values in
// the same words everywhere, and fills in what is left out.

import { NearfieldError } from '../errors.js';
import type { ProgressOptions } from '../progress.js';
import { assertOptions, nameValue, type OptionNames } from './check-options.js';

/** What an option may be. */
export interface OptionRule<Value> {
  /** Ends the message that refuses a value: "give a number from 0". Null: any value is accepted, or checked elsewhere. */
  readonly expects: string | null;
  readonly accepts: (value: unknown) => boolean;
  readonly fallback?: Value;
  /** What messages call the option; its name if left out. */
  readonly label?: string;
  /** The verb after a label in the plural. */
  readonly verb?: 'are';
  /** Whether it must be given. */
  readonly needed?: boolean;
}

/** The rule of an option that has a value when it is left out. */
export interface FilledRule<Value> extends OptionRule<Value> {
  readonly fallback: Value;
}

/** A rule for each option of an interface; the compiler refuses a table with one missing or one too many. */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: OptionRule<NonNullable<Options[Name]>> };

/** Options with the values of those left out. */
export type FilledOptions<Options, Rules> = {
  readonly [Name in keyof Options]-?: Name extends keyof Rules
    ? Rules[Name] extends FilledRule<unknown>
      ? NonNullable<Options[Name]>
      : Options[Name]
    : Options[Name];
};

export class OptionTable<Options extends object, Rules extends OptionRules<Options>> {
  /** The names alone, for options that are checked elsewhere. */
  readonly names: OptionNames<Options>;
  readonly rules: Rules;
  readonly #what: string;
  readonly #needed: readonly (keyof Options)[];

  constructor(rules: Rules, what: string) {
    this.rules = rules;
    this.names = Object.fromEntries(Object.keys(rules).map((name) => [name, true])) as OptionNames<Options>;
    this.#what = what;
    this.#needed = (Object.keys(rules) as (keyof Options)[]).filter((name) => rules[name].needed === true);
  }

  /**
   * Refuses wrong names and wrong values. Allocates nothing without an owner.
   * @param owner whose options they are, for messages.
   */
  assert(options: Options | undefined, owner?: string): void {
    assertOptions(options, this.names, owner === undefined ? this.#what : `${this.#what} of ${owner}`);
    for (const name in options) {
      const value: unknown = options[name as keyof Options];
      if (value === undefined || this.rules[name as keyof Options].accepts(value)) continue;
      this.#refuse(name as keyof Options, value, owner);
    }
    for (const name of this.#needed) if (options?.[name] === undefined) this.#refuse(name, undefined, owner);
  }

  /** Refuses as {@link OptionTable.assert} does, and returns all options, those left out with their fallbacks. */
  read(options: Options | undefined, owner?: string): FilledOptions<Options, Rules> {
    this.assert(options, owner);
    const filled: Record<string, unknown> = {};
    for (const name of Object.keys(this.names)) {
      const key = name as keyof Options;
      filled[name] = options?.[key] ?? this.rules[key].fallback;
    }
    return filled as FilledOptions<Options, Rules>;
  }

  #refuse(name: keyof Options, value: unknown, owner: string | undefined): never {
    const { label = String(name), verb = 'is', expects } = this.rules[name];
    const ofOwner = owner === undefined ? '' : ` of ${owner}`;
    throw new NearfieldError('bad-argument', `The ${label}${ofOwner} ${verb} ${nameValue(value)}; give ${expects}.`);
  }
}

/**
 * Makes a table: `optionTable<DistanceOptions>()({ cutoff: numberFrom(0, Infinity), … })`.
 * @param what the subject of the message about a wrong name, in the plural.
 */
export function optionTable<Options extends object>(
  what = 'The options',
): <Rules extends OptionRules<Options>>(rules: Rules) => OptionTable<Options, Rules> {
  return (rules) => new OptionTable(rules, what);
}

function rule<Value>(expects: string | null, accepts: (value: unknown) => boolean): OptionRule<Value>;
function rule<Value>(expects: string | null, accepts: (value: unknown) => boolean, fallback: Value): FilledRule<Value>;
function rule<Value>(
  expects: string | null,
  accepts: (value: unknown) => boolean,
  fallback?: Value,
): OptionRule<Value> {
  return fallback === undefined ? { expects, accepts } : { expects, accepts, fallback };
}

/** A number of at least `least`; Infinity is accepted, NaN is not. */
export function numberFrom(least: number): OptionRule<number>;
export function numberFrom(least: number, fallback: number): FilledRule<number>;
export function numberFrom(least: number, fallback?: number): OptionRule<number> {
  const accepts = (value: unknown): boolean => typeof value === 'number' && value >= least;
  return rule(`a number from ${least}`, accepts, fallback as number);
}

/** A finite number above `limit`. */
export function numberAbove(limit: number): OptionRule<number>;
export function numberAbove(limit: number, fallback: number): FilledRule<number>;
export function numberAbove(limit: number, fallback?: number): OptionRule<number> {
  const accepts = (value: unknown): boolean => typeof value === 'number' && value > limit && value < Infinity;
  return rule(limit === 0 ? 'a positive number' : `a number above ${limit}`, accepts, fallback as number);
}

/** A number from `least` to `most`. */
export function numberWithin(least: number, most: number): OptionRule<number>;
export function numberWithin(least: number, most: number, fallback: number): FilledRule<number>;
export function numberWithin(least: number, most: number, fallback?: number): OptionRule<number> {
  const accepts = (value: unknown): boolean => typeof value === 'number' && value >= least && value <= most;
  return rule(`a number from ${least} to ${most}`, accepts, fallback as number);
}

/** A whole number from `least`, up to `most` if that is finite. */
export function wholeNumber(least: number, most: number): OptionRule<number>;
export function wholeNumber(least: number, most: number, fallback: number): FilledRule<number>;
export function wholeNumber(least: number, most: number, fallback?: number): OptionRule<number> {
  const accepts = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  return rule(`a whole number from ${least}${most === Infinity ? '' : ` to ${most}`}`, accepts, fallback as number);
}

/** True or false. */
export function flag(): OptionRule<boolean>;
export function flag(fallback: boolean): FilledRule<boolean>;
export function flag(fallback?: boolean): OptionRule<boolean> {
  return rule('true or false', (value) => typeof value === 'boolean', fallback as boolean);
}

/** One of several names. */
export function oneOf<Name extends string>(names: readonly Name[]): OptionRule<Name>;
export function oneOf<Name extends string>(names: readonly Name[], fallback: Name): FilledRule<Name>;
export function oneOf<Name extends string>(names: readonly Name[], fallback?: Name): OptionRule<Name> {
  const quoted = names.map((name) => `'${name}'`);
  const expects = quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return rule(expects, (value) => names.includes(value as Name), fallback as Name);
}

/** A value that another function checks. */
export function checkedElsewhere<Value>(): OptionRule<Value>;
export function checkedElsewhere<Value>(fallback: Value): FilledRule<Value>;
export function checkedElsewhere<Value>(fallback?: Value): OptionRule<Value> {
  return rule(null, () => true, fallback as Value);
}

/** The rule with another name in messages: "The cut-off is …" for `cutoff`. */
export function labelled<Rule extends OptionRule<unknown>>(label: string, base: Rule, verb?: 'are'): Rule {
  return verb === undefined ? { ...base, label } : { ...base, label, verb };
}

/** The rule of an option that must be given. */
export function needed<Rule extends OptionRule<unknown>>(base: Rule): Rule {
  return { ...base, needed: true };
}

/** The rows of {@link ProgressOptions}. */
export const PROGRESS_RULES = {
  signal: checkedElsewhere<NonNullable<ProgressOptions['signal']>>(),
  onProgress: checkedElsewhere<NonNullable<ProgressOptions['onProgress']>>(),
} satisfies OptionRules<ProgressOptions>;

export const PROGRESS_OPTIONS = optionTable<ProgressOptions>()(PROGRESS_RULES);

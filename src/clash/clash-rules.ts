// Rules of a clash check, as a list that people keep in a file: pairs that are meant to meet, clearances of their own, and
// overlaps that are allowed up to a depth. Parts are named by pattern, or by the class that their file gives them.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { AssemblyPart } from './assembly.js';
import { assertParts } from './check-parts.js';
import { matchWords, type PartPattern } from './ignored-pairs.js';

/** One rule, about every pair of a part that matches `a` and one that matches `b`, either way around. */
export interface ClashRule {
  readonly a: PartPattern;
  readonly b: PartPattern;
  /** What the patterns are matched with. Default 'name'. */
  readonly by?: 'name' | 'class' | undefined;
  /** The pair is not tested. */
  readonly ignore?: boolean | undefined;
  /** The clearance of the pair, in place of that of the check. */
  readonly clearance?: number | undefined;
  /** Overlaps that are no deeper, or no thicker, are wanted: press fits, threads, gaskets. */
  readonly allow?: number | undefined;
  /** The rule may match no pair, as those of a matrix of all classes. Default false. */
  readonly optional?: boolean | undefined;
}

/** What the rules say about one pair. Of several rules the last one counts. */
export interface RuleOfPair {
  readonly ignore: boolean;
  /** Null: that of the check. */
  readonly clearance: number | null;
  readonly allow: number;
}

/** The rules of an assembly. Each pattern is matched with each part once. */
export class PairRules {
  /** The largest clearance of a rule; 0 without one. */
  readonly largestClearance: number;
  /** Positions of rules that no two parts match. */
  readonly unused: readonly number[];
  readonly #rules: readonly { readonly rule: ClashRule; readonly a: Uint8Array; readonly b: Uint8Array }[];

  /** @throws NearfieldError for what is not a list of rules. */
  constructor(parts: readonly AssemblyPart[], rules: readonly ClashRule[]) {
    assertParts(parts);
    if (!Array.isArray(rules)) throw refuse(`The rules are ${nameValue(rules)}; give a list.`);
    const names = parts.map(({ name }) => name);
    const classes = parts.map(({ about }) => about?.kind ?? '');
    this.#rules = (rules as readonly ClashRule[]).map((rule, index) => {
      assertRule(rule, index);
      const words = rule.by === 'class' ? classes : names;
      return { rule, a: matchWords(words, rule.a), b: matchWords(words, rule.b) };
    });
    this.unused = this.#rules.flatMap(({ rule, a, b }, index) =>
      rule.optional || (a.includes(1) && b.includes(1)) ? [] : [index],
    );
    this.largestClearance = this.#rules.reduce((most, { rule }) => Math.max(most, rule.clearance ?? 0), 0);
  }

  /** What the rules say about two parts, by index. */
  of(a: number, b: number): RuleOfPair {
    let found = { ignore: false, clearance: null as number | null, allow: 0 };
    for (const { rule, a: first, b: second } of this.#rules) {
      if (!((first[a] && second[b]) || (first[b] && second[a]))) continue;
      found = {
        ignore: rule.ignore ?? found.ignore,
        clearance: rule.clearance ?? found.clearance,
        allow: rule.allow ?? found.allow,
      };
    }
    return found;
  }
}

const RULE_KEYS = ['a', 'b', 'by', 'ignore', 'clearance', 'allow', 'optional'];

function assertRule(rule: ClashRule, index: number): void {
  const where = `Rule ${index}`;
  if (rule === null || typeof rule !== 'object') throw refuse(`${where} is ${nameValue(rule)}; give { a, b, … }.`);
  const unknown = Object.keys(rule).find((key) => !RULE_KEYS.includes(key));
  if (unknown !== undefined) throw refuse(`${where} has "${unknown}"; the keys are ${RULE_KEYS.join(', ')}.`);
  for (const key of ['a', 'b'] as const) {
    if (typeof rule[key] === 'string' || rule[key] instanceof RegExp) continue;
    throw refuse(`${where} has no pattern "${key}"; give a name or a pattern, such as "bolt*".`);
  }
  if (rule.by !== undefined && rule.by !== 'name' && rule.by !== 'class') {
    throw refuse(`${where} is by ${nameValue(rule.by)}; give "name" or "class".`);
  }
  for (const key of ['clearance', 'allow'] as const) {
    const value = rule[key];
    if (value === undefined || (typeof value === 'number' && value >= 0 && value < Infinity)) continue;
    throw refuse(`The ${key} of rule ${index} is ${nameValue(value)}; give a length from 0.`);
  }
  for (const key of ['ignore', 'optional'] as const) {
    if (rule[key] === undefined || typeof rule[key] === 'boolean') continue;
    throw refuse(`The ${key} of rule ${index} is ${nameValue(rule[key])}; give true or false.`);
  }
  if (rule.ignore === undefined && rule.clearance === undefined && rule.allow === undefined) {
    throw refuse(`${where} says nothing about its pairs; give ignore, clearance or allow.`);
  }
}

function refuse(message: string): NearfieldError {
  return new NearfieldError('bad-argument', message);
}

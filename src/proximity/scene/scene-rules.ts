// Which bodies are tested against which: groups and masks as bits, and rules for single pairs. Two fixed bodies are not tested.
import { NearfieldError } from '../../core/errors.js';
import { higherOf, lowerOf, pairKey } from './scene-pairs.js';

/** A rule for two bodies: test them always, never, or as their groups say. */
export type PairRule = 'always' | 'never' | 'by-group';

/** What decides whether two bodies are tested. */
export interface Membership {
  /** The groups the body is in, one bit per group. */
  readonly group: number;
  /** The groups it is tested against, one bit per group. */
  readonly mask: number;
  /** Whether to skip tests against other fixed bodies. */
  readonly fixed: boolean;
}

/** Rules for single pairs of bodies, which override those of their groups. */
export class PairRules {
  readonly #rules = new Map<number, boolean>();

  set(a: number, b: number, rule: PairRule): void {
    if (rule === 'by-group') this.#rules.delete(pairKey(a, b));
    else if (rule === 'always' || rule === 'never') this.#rules.set(pairKey(a, b), rule === 'always');
    else {
      throw new NearfieldError('bad-argument', `The rule is ${String(rule)}; choose 'always', 'never' or 'by-group'.`);
    }
  }

  get(a: number, b: number): PairRule {
    const rule = this.#rules.get(pairKey(a, b));
    return rule === undefined ? 'by-group' : rule ? 'always' : 'never';
  }

  /** Drops the rules of a removed body. */
  forget(id: number): void {
    for (const key of this.#rules.keys()) {
      if (lowerOf(key) === id || higherOf(key) === id) this.#rules.delete(key);
    }
  }

  /** Whether the two bodies are to be tested; `key` is their {@link pairKey}. */
  allow(key: number, a: Membership, b: Membership): boolean {
    if (this.#rules.size > 0) {
      const rule = this.#rules.get(key);
      if (rule !== undefined) return rule;
    }
    return (a.group & b.mask) !== 0 && (b.group & a.mask) !== 0 && !(a.fixed && b.fixed);
  }
}

/** Rejects anything that is not a set of 32 bits. */
export function assertBits(bits: number, name: string): void {
  if (Number.isInteger(bits) && bits >= -0x80000000 && bits <= 0xffffffff) return;
  throw new NearfieldError('bad-argument', `The ${name} is ${bits}; give up to 32 bits as a whole number.`);
}

// Pairs of parts that a clash check leaves out, by name or by pattern.
import { NearfieldError } from '../core/errors.js';

/**
 * The name of a part, exactly; or a pattern, in which `*` stands for any characters, `?` for any one, and a backslash
 * makes the character after it an ordinary one; or a regular expression, tested against the name.
 */
export type PartPattern = string | RegExp;

/** Two patterns: every pair of a part that matches one and a part that matches the other is left out, either way around. */
export type IgnoredPair = readonly [PartPattern, PartPattern];

/**
 * Decides by the parts' indices whether a pair is left out. Each pattern is matched with each name once.
 * @throws NearfieldError for an entry that is not two patterns.
 */
export function ignorePairs(
  names: readonly string[],
  ignore: readonly IgnoredPair[],
): (a: number, b: number) => boolean {
  if (!Array.isArray(ignore)) {
    throw new NearfieldError('bad-argument', 'ignore is not an array; give pairs of names or patterns of parts.');
  }
  const rules = (ignore as readonly IgnoredPair[]).map((pair, index) => {
    if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(isPattern)) {
      throw new NearfieldError(
        'bad-argument',
        `Entry ${index} of ignore is not a pair of names or patterns; give two, such as ["bolt*", "plate"].`,
      );
    }
    return pair.map((pattern) => matchWords(names, pattern as PartPattern));
  });
  return (a, b) =>
    rules.some(([first, second]) => (first[a] === 1 && second[b] === 1) || (first[b] === 1 && second[a] === 1));
}

function isPattern(value: unknown): value is PartPattern {
  return typeof value === 'string' || value instanceof RegExp;
}

/** 1 for each word that matches. */
export function matchWords(names: readonly string[], pattern: PartPattern): Uint8Array {
  const expression = typeof pattern === 'string' ? wildcardExpression(pattern) : withoutState(pattern);
  return Uint8Array.from(names, (name) => (expression.test(name) ? 1 : 0));
}

function wildcardExpression(pattern: string): RegExp {
  const source = pattern.replace(/\\?./gs, (text) => {
    if (text === '*') return '.*';
    if (text === '?') return '.';
    return text[text.length - 1].replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source}$`, 's');
}

/** With the flags g and y an expression remembers where its last match ended. */
function withoutState({ source, flags }: RegExp): RegExp {
  return new RegExp(source, flags.replace(/[gy]/g, ''));
}

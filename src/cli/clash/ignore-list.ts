// The pairs of parts that --ignore and --ignore-file leave out.

import type { AssemblyPart } from '../../clash/assembly.js';
import { type IgnoredPair, matchWords } from '../../clash/ignored-pairs.js';
import { NearfieldError } from '../../core/errors.js';
import { takeString } from '../arguments.js';
import type { VerbInput } from '../verb.js';
import { readJson } from './rules-file.js';

export async function readIgnoredPairs(input: VerbInput): Promise<IgnoredPair[]> {
  const given = input.values.ignore;
  const texts = Array.isArray(given) ? given.map(String) : [];
  const path = takeString(input, 'ignore-file');
  return [...texts.map(parsePair), ...(path === null ? [] : await readPairs(path))];
}

/** A comma after a backslash belongs to the name. */
function parsePair(text: string): IgnoredPair {
  const words = text.match(/(?:\\.|[^\\,])+/gs) ?? [];
  if (words.length !== 2) {
    throw new NearfieldError(
      'bad-argument',
      `--ignore is "${text}"; give two names or patterns with a comma between, such as "bolt*,plate"`,
    );
  }
  return [words[0].trim(), words[1].trim()];
}

async function readPairs(path: string): Promise<IgnoredPair[]> {
  const pairs = await readJson(path);
  const isPair = (pair: unknown): boolean =>
    Array.isArray(pair) && pair.length === 2 && pair.every((word) => typeof word === 'string');
  if (!Array.isArray(pairs) || !pairs.every(isPair)) {
    throw new NearfieldError(
      'file-format',
      `${path}: give an array of pairs of names or patterns, such as [["bolt*", "plate"]]`,
      { file: path },
    );
  }
  return pairs as IgnoredPair[];
}

/** Refuses a pair of patterns one of which no part matches: a mistyped name would be ignored in silence. */
export function assertIgnored(parts: readonly AssemblyPart[], ignore: readonly IgnoredPair[]): void {
  const names = parts.map(({ name }) => name);
  for (const pattern of ignore.flat()) {
    if (matchWords(names, pattern).includes(1)) continue;
    const some = names.slice(0, 5).map((name) => `"${name}"`);
    throw new NearfieldError(
      'bad-argument',
      `no part matches "${pattern}" of --ignore or --ignore-file; the parts are ${some.join(', ')}${names.length > 5 ? ', …' : ''}`,
    );
  }
}

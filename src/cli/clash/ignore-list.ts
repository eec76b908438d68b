// The pairs of parts that --ignore and --ignore-file leave out.

import type { IgnoredPair } from '../../clash/ignored-pairs.js';
import { NearfieldError } from '../../core/errors.js';
import { takeString } from '../arguments.js';
import { readBytes } from '../load-model.js';
import type { VerbInput } from '../verb.js';

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
  const bytes = await readBytes(path);
  let pairs: unknown;
  try {
    pairs = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new NearfieldError('file-format', `${path}: not JSON (${(error as Error).message})`, { file: path });
  }
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

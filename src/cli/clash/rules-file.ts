// Files that a clash check reads beside models: rules, and the answer of an earlier check.
import type { ClashRule } from '../../clash/clash-rules.js';
import { NearfieldError } from '../../core/errors.js';
import { takeString } from '../arguments.js';
import { readBytes } from '../load-model.js';
import type { VerbInput } from '../verb.js';

/** The rules of --rules: a list, or an object with the list as `rules`. Their values are checked where they are used. */
export async function readRules(input: VerbInput): Promise<readonly ClashRule[]> {
  const path = takeString(input, 'rules');
  if (path === null) return [];
  const json = await readJson(path);
  const rules = Array.isArray(json) ? json : (json as { rules?: unknown } | null)?.rules;
  if (Array.isArray(rules)) return rules as ClashRule[];
  throw new NearfieldError(
    'file-format',
    `${path}: give a list of rules, such as [{"a": "bolt*", "b": "plate", "allow": 0.1}]`,
    { file: path },
  );
}

/** The ids of the clashes of an earlier check, from its answer with --json. */
export async function readBaseline(path: string): Promise<string[]> {
  const { clashes } = ((await readJson(path)) ?? {}) as { clashes?: unknown };
  const ids = Array.isArray(clashes) ? clashes.map((clash) => (clash as { id?: unknown } | null)?.id) : null;
  if (ids?.every((id) => typeof id === 'string')) return ids as string[];
  throw new NearfieldError('file-format', `${path}: not the answer of nearfield clash --json, whose clashes have ids`, {
    file: path,
  });
}

/** The content of a JSON file. */
export async function readJson(path: string): Promise<unknown> {
  const bytes = await readBytes(path);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new NearfieldError('file-format', `${path}: not JSON (${(error as Error).message})`, { file: path });
  }
}

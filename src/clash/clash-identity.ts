// Ids of clashes that stay the same from one version of an assembly to the next, and what became of those of an earlier check.
import { guidOf } from '../io/bcf/guid.js';
import type { AssemblyPart } from './assembly.js';

/** What became of clashes since an earlier check. */
export interface ClashReview {
  /** By clash of this check. */
  readonly states: readonly ('new' | 'known')[];
  /** The ids of clashes of the earlier check that are no more. */
  readonly solved: readonly string[];
}

/**
 * The ids of pairs of parts, by the ids that the file gives its parts, or else by their names. The order of the two does not
 * matter.
 */
export function identifyClashes(
  parts: readonly AssemblyPart[],
  clashes: readonly { readonly a: number; readonly b: number }[],
): Promise<string[]> {
  const counts = new Map<string, number>();
  const idOf = ({ about, name }: AssemblyPart): string => about?.id ?? name;
  for (const part of parts) counts.set(idOf(part), (counts.get(idOf(part)) ?? 0) + 1);
  // An id that two parts share, as after copying a file, is no id; their names are unique.
  const known = parts.map((part) => (counts.get(idOf(part)) === 1 ? idOf(part) : part.name));
  return Promise.all(clashes.map(({ a, b }) => guidOf(`clash ${JSON.stringify([known[a], known[b]].sort())}`)));
}

/** Compares the ids of a check with those of an earlier one. */
export function reviewClashes(ids: readonly string[], earlier: readonly string[]): ClashReview {
  const before = new Set(earlier);
  const now = new Set(ids);
  return {
    states: ids.map((id) => (before.has(id) ? 'known' : 'new')),
    solved: [...before].filter((id) => !now.has(id)),
  };
}

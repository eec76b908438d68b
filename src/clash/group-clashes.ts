// Clashes of equal parts in groups: forty bolts of one shape in forty holes of one plate are one finding.
import type { AssemblyPart } from './assembly.js';
import { assertClashes, assertParts } from './check-parts.js';
import type { Clash } from './clash.js';
import { numberModels } from './number-models.js';

/** Clashes of the same two shapes with the same grade. */
export interface ClashGroup {
  /** Positions in the list of clashes, in its order, so that the worst comes first. */
  readonly clashes: readonly number[];
  /** The part of each shape in the first of these clashes. */
  readonly a: number;
  readonly b: number;
}

/**
 * Gathers clashes whose parts have the same two models, as {@link buildAssembly} gives to parts of equal shape, and
 * whose grades are the same, if they have one. Groups are in the order of their first clash.
 */
export function groupClashes(
  parts: readonly AssemblyPart[],
  clashes: readonly (Clash & { readonly grade?: string })[],
): ClashGroup[] {
  assertParts(parts);
  assertClashes(clashes, parts.length);
  const { shapeOf } = numberModels(parts);
  const groups = new Map<string, { clashes: number[]; a: number; b: number }>();
  for (const [index, { a, b, grade }] of clashes.entries()) {
    const [first, second] = [shapeOf[a], shapeOf[b]].sort((p, q) => p - q);
    const key = `${first} ${second} ${grade}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { clashes: [index], a, b });
    else group.clashes.push(index);
  }
  return [...groups.values()];
}

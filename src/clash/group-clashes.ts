// Clashes of equal parts in groups: forty bolts of one shape in forty holes of one plate are one finding.
import * as box from '../core/box.js';
import { DisjointSets } from '../core/disjoint-sets.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
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

/** Clashes between parts of two types. */
export interface TypeGroup {
  /** The names of the types, in their order. */
  readonly types: readonly [string, string];
  /** Positions in the list of clashes. */
  readonly clashes: readonly number[];
}

/**
 * Gathers clashes by the types of their parts: their classes, such as IfcWall, or else their names without numbers, so that
 * "bolt (2)" and "bolt-17" are of the type "bolt". Groups are in the order of their first clash.
 */
export function groupClashesByType(parts: readonly AssemblyPart[], clashes: readonly Clash[]): TypeGroup[] {
  assertParts(parts);
  assertClashes(clashes, parts.length);
  const types = parts.map(typeOf);
  const groups = new Map<string, { types: [string, string]; clashes: number[] }>();
  for (const [index, { a, b }] of clashes.entries()) {
    const pair = [types[a], types[b]].sort() as [string, string];
    const key = JSON.stringify(pair);
    const group = groups.get(key) ?? { types: pair, clashes: [] };
    groups.set(key, group);
    group.clashes.push(index);
  }
  return [...groups.values()];
}

function typeOf({ name, about }: AssemblyPart): string {
  return about?.kind ?? (name.replace(/[\s._:-]*(\(\d+\)|\d+)$/g, '').replace(/[\s._:-]*\d+$/, '') || name);
}

/** Clashes that are near each other. */
export interface PlaceGroup {
  /** The middle of the box around their points. */
  readonly center: Vec3;
  /** The longest side of that box. */
  readonly size: number;
  /** Positions in the list of clashes. */
  readonly clashes: readonly number[];
}

/**
 * Gathers clashes whose points are within a distance of each other, or joined by others that are. Groups are in the order of
 * their first clash.
 */
export function groupClashesByPlace(clashes: readonly Clash[], distance: number): PlaceGroup[] {
  const sets = new DisjointSets(clashes.length);
  // Cells of that size: what is near is in the same cell or in one beside it.
  const cells = new Map<string, number[]>();
  const size = distance > 0 ? distance : 1;
  for (const [index, { pointA }] of clashes.entries()) {
    const cell = pointA.map((value) => Math.floor(value / size));
    for (let k = 0; k < 27; k++) {
      const beside = cell.map((value, axis) => value + (Math.floor(k / 3 ** axis) % 3) - 1).join(' ');
      for (const other of cells.get(beside) ?? []) {
        if (vec3.distance(pointA, clashes[other].pointA) <= distance) sets.unite(index, other);
      }
    }
    const own = cell.join(' ');
    cells.set(own, [...(cells.get(own) ?? []), index]);
  }
  const groups = new Map<number, number[]>();
  for (let index = 0; index < clashes.length; index++) {
    const root = sets.find(index);
    groups.set(root, [...(groups.get(root) ?? []), index]);
  }
  return [...groups.values()].map((members) => {
    const { min, max } = box.ofPositions(Float64Array.from(members.flatMap((index) => clashes[index].pointA)));
    const sides = max.map((value, k) => value - min[k]);
    return { center: vec3.lerp(min, max, 0.5), size: Math.max(...sides), clashes: members };
  });
}

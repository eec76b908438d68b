// Clashes that repeat: the same two shapes in the same place to each other, like the instances of a bolted joint. Poses are
// compared within a tolerance, since files in single precision place parts no better.

import type { AssemblyPart } from '../../clash/assembly.js';
import type { GradedClash } from '../../clash/graded-clash.js';
import * as pose from '../../core/pose.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

export interface EqualClashes {
  /** Positions in the list of clashes, in its order. */
  readonly clashes: readonly number[];
  /** For each clash: whether its A is a copy of the B of the first clash. */
  readonly swapped: readonly boolean[];
}

/** Rounding: differences below this share of the larger part's size count as zero. */
const SAME_PLACE = 1e-5;
/** Chosen: a clash is compared with this many of the latest groups of its two shapes. */
const GROUPS_COMPARED = 200;

interface Group {
  readonly first: GradedClash;
  readonly relative: pose.Pose;
  readonly modelA: ProximityModel;
  readonly clashes: number[];
  readonly swapped: boolean[];
}

/** In the order of the first clash of each. */
export function findEqualClashes(
  parts: readonly AssemblyPart[],
  clashes: readonly GradedClash[],
): readonly EqualClashes[] {
  const ids = new Map<ProximityModel, number>();
  const idOf = (model: ProximityModel): number => {
    const id = ids.get(model) ?? ids.size;
    ids.set(model, id);
    return id;
  };
  const groups: Group[] = [];
  const byShapes = new Map<string, Group[]>();
  for (const [index, clash] of clashes.entries()) {
    const [a, b] = [parts[clash.a], parts[clash.b]];
    const key = `${[idOf(a.model), idOf(b.model)].sort((p, q) => p - q).join(' ')} ${clash.grade}`;
    const known = byShapes.get(key) ?? [];
    byShapes.set(key, known);
    const tolerance = SAME_PLACE * 2 * Math.max(a.model.radius, b.model.radius);
    const radius = Math.max(a.model.radius, b.model.radius);
    const orders = [false, true].map((swap) => ({
      swap,
      modelA: swap ? b.model : a.model,
      relative: swap ? pose.bInA(b.pose, a.pose) : pose.bInA(a.pose, b.pose),
    }));
    let found = false;
    for (const group of known.slice(-GROUPS_COMPARED)) {
      const match = orders.find(
        ({ modelA, relative }) => modelA === group.modelA && isSamePlace(relative, group.relative, tolerance, radius),
      );
      if (match === undefined) continue;
      group.clashes.push(index);
      group.swapped.push(match.swap);
      found = true;
      break;
    }
    if (found) continue;
    const { modelA, relative } = orders[0];
    const group: Group = { first: clash, relative, modelA, clashes: [index], swapped: [false] };
    known.push(group);
    groups.push(group);
  }
  return groups;
}

/** A turn moves points by its angle times their distance, at most `radius` here. */
function isSamePlace(p: pose.Pose, q: pose.Pose, tolerance: number, radius: number): boolean {
  for (let k = 0; k < 3; k++) if (Math.abs(p[k] - q[k]) > tolerance) return false;
  const sign = p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6] < 0 ? -1 : 1;
  for (let k = 3; k < 7; k++) if (2 * Math.abs(p[k] - sign * q[k]) * radius > tolerance) return false;
  return true;
}

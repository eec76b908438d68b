// Whether surfaces are apart at a start: no triangles cross, exactly; no body is inside another; all distances are proven.

import { DisjointSets } from '../../core/disjoint-sets.js';
import { WindingNumbers } from '../../mesh/query/winding-number.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { trianglesCross, trianglesIntersect } from '../../mesh/triangle/triangle-intersection.js';
import { createTriangleTable } from '../../mesh/triangle/triangle-table.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { BarrierSearch } from './barrier-search.js';
import type { BarrierGroup, BarrierSurface } from './barrier-surface.js';

/** Two groups that overlap, equal where a body overlaps itself, and how. */
export interface StartOverlap {
  readonly groups: readonly [number, number];
  readonly kind: 'cross' | 'inside' | 'touch';
}

/** The first overlap of points at a start; null where all are apart. */
export function findStartOverlap(search: BarrierSearch, points: Float64Array): StartOverlap | null {
  const { surface } = search;
  const { groups } = surface;
  search.find(points, null);
  for (let a = 0; a < groups.length; a++) {
    for (let b = a; b < groups.length; b++) {
      if (!mayMeet(groups[a], groups[b], a === b)) continue;
      const near = search.trianglesNear(a, b);
      for (let i = 0; i < near.count; i++) {
        if (cross(surface, points, near.values[2 * i], near.values[2 * i + 1], a === b)) {
          return { groups: [a, b], kind: 'cross' };
        }
      }
    }
  }
  for (let a = 0; a < groups.length; a++) {
    if (groups[a].radius > 0) continue;
    const solid = new Lazy(() => windings(surface, groups[a], points));
    for (let b = 0; b < groups.length; b++) {
      if (a === b || !mayMeet(groups[a], groups[b], false)) continue;
      if (!boxHolds(surface, groups[a], groups[b], points)) continue;
      for (const point of representatives(surface, groups[b])) {
        const at = 3 * point;
        if (solid.value.isInside(points[at], points[at + 1], points[at + 2])) return { groups: [a, b], kind: 'inside' };
      }
    }
  }
  if (!(search.nearest > 0)) return { groups: search.nearestGroups, kind: 'touch' };
  return null;
}

function mayMeet(a: BarrierGroup, b: BarrierGroup, isSelf: boolean): boolean {
  return isSelf ? a.selfCollision : a.rigid < 0 || b.rigid < 0;
}

function cross(
  { triangles: t, groups, groupOf }: BarrierSurface,
  p: Float64Array,
  f: number,
  g: number,
  isSelf: boolean,
): boolean {
  // What is too near to a ball counts as touching.
  if (groups[groupOf[f]].radius + groups[groupOf[g]].radius > 0) return false;
  const [a, b, c] = [3 * t[3 * f], 3 * t[3 * f + 1], 3 * t[3 * f + 2]];
  const [d, e, h] = [3 * t[3 * g], 3 * t[3 * g + 1], 3 * t[3 * g + 2]];
  return isSelf ? trianglesCross(p, a, b, c, p, d, e, h) : trianglesIntersect(p, a, b, c, p, d, e, h);
}

function windings(surface: BarrierSurface, group: BarrierGroup, points: Float64Array): WindingNumbers {
  const { firstPoint, pointCount, firstTriangle, triangleCount } = group;
  const faces = surface.triangles.subarray(3 * firstTriangle, 3 * (firstTriangle + triangleCount));
  const mesh = {
    positions: points.slice(3 * firstPoint, 3 * (firstPoint + pointCount)),
    indices: Uint32Array.from(faces, (point) => point - firstPoint),
  };
  const bvh = buildBvh(triangleBoxes(mesh));
  return new WindingNumbers(bvh, createTriangleTable(mesh, bvh));
}

/** Whether the box of a group has a point of another in it. */
function boxHolds(surface: BarrierSurface, outer: BarrierGroup, inner: BarrierGroup, p: Float64Array): boolean {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  const { triangles } = surface;
  for (let i = 3 * outer.firstTriangle; i < 3 * (outer.firstTriangle + outer.triangleCount); i++) {
    for (let k = 0; k < 3; k++) {
      const value = p[3 * triangles[i] + k];
      low[k] = Math.min(low[k], value);
      high[k] = Math.max(high[k], value);
    }
  }
  for (let i = 3 * inner.firstTriangle; i < 3 * (inner.firstTriangle + inner.triangleCount); i++) {
    const at = 3 * triangles[i];
    if ([0, 1, 2].every((k) => p[at + k] >= low[k] && p[at + k] <= high[k])) return true;
  }
  return false;
}

/** One point of each connected part of a surface. */
function representatives({ triangles }: BarrierSurface, group: BarrierGroup): number[] {
  const { firstPoint, pointCount, firstTriangle, triangleCount } = group;
  const parts = new DisjointSets(pointCount);
  const begin = 3 * firstTriangle;
  const end = begin + 3 * triangleCount;
  for (let i = begin; i < end; i += 3) {
    for (let k = 1; k < 3; k++) parts.unite(triangles[i + k] - firstPoint, triangles[i] - firstPoint);
  }
  const found = new Map<number, number>();
  for (let i = begin; i < end; i += 3) found.set(parts.find(triangles[i] - firstPoint), triangles[i]);
  return [...found.values()];
}

class Lazy<Value> {
  #value: Value | undefined;
  readonly #make: () => Value;

  constructor(make: () => Value) {
    this.#make = make;
  }

  get value(): Value {
    this.#value ??= this.#make();
    return this.#value;
  }
}

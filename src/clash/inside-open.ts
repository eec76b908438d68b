// Parts that seem to be inside of open ones. An open part has no inside that could be decided, so a clash check sees its surface
// only; winding numbers tell where an inside would be if its gaps were closed.
import { writePlacement } from '../core/placement.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import { POINT_QUERY } from '../proximity/model-parts.js';
import type { AssemblyPart } from './assembly.js';

/** A part that seems to be inside of another one, which is open. */
export interface InsideOpen {
  readonly inner: number;
  readonly outer: number;
}

/** The pairs, by the outer part, that are not among those found to meet. */
export function findInsideOpen(
  parts: readonly AssemblyPart[],
  meeting: readonly { readonly a: number; readonly b: number }[],
): InsideOpen[] {
  const open = [...parts.keys()].filter((part) => !parts[part].model.closed);
  if (open.length === 0) return [];
  const found: InsideOpen[] = [];
  const key = (a: number, b: number): number => Math.min(a, b) * parts.length + Math.max(a, b);
  const met = new Set(meeting.map(({ a, b }) => key(a, b)));
  for (const outer of open) {
    for (let inner = 0; inner < parts.length; inner++) {
      if (inner === outer || met.has(key(inner, outer)) || !isInside(parts[inner], parts[outer])) continue;
      found.push({ inner, outer });
    }
  }
  return found;
}

/** Whether the box of a part is in that of the other, and a vertex of each shell where the inside would be. */
function isInside(inner: AssemblyPart, outer: AssemblyPart): boolean {
  const relative = pose.bInA(outer.pose, inner.pose);
  const { boxMin, boxMax } = inner.model;
  const center = inner.model.center;
  const m = writePlacement(relative, new Float64Array(12));
  for (let row = 0; row < 3; row++) {
    let [middle, half] = [m[4 * row + 3], 0];
    for (let k = 0; k < 3; k++) {
      middle += m[4 * row + k] * center[k];
      half += (Math.abs(m[4 * row + k]) * (boxMax[k] - boxMin[k])) / 2;
    }
    if (middle - half < outer.model.boxMin[row] || middle + half > outer.model.boxMax[row]) return false;
  }
  const query = outer.model.parts.get(POINT_QUERY);
  const { positions } = inner.model.mesh;
  return Array.from(inner.model.componentVertices).every((vertex) => {
    const at: Vec3 = [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
    return query.isInside(pose.transformPoint(relative, at));
  });
}

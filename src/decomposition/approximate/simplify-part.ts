// A part with fewer triangles, for comparing cuts: vertices that fall into one cell of a grid become one (Rossignac and
// Borrel 1993). The map of vertices takes a closed chain to a closed chain. O(triangles).
import { type Part, PartBuilder } from '../cut/part.js';

/** The part on a grid with `cells` cells along the longest side of its box; itself when it has few triangles. */
export function simplifyPart(part: Part, cells: number): Part {
  const { positions, indices, sources } = part;
  if (sources.length <= cells * cells) return part;
  const low = [Infinity, Infinity, Infinity];
  let side = 0;
  for (let axis = 0; axis < 3; axis++) {
    let high = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      if (positions[i] < low[axis]) low[axis] = positions[i];
      if (positions[i] > high) high = positions[i];
    }
    side = Math.max(side, high - low[axis]);
  }
  if (!(side > 0)) return part;
  const count = positions.length / 3;
  const first = new Map<number, number>();
  const stands = new Uint32Array(count);
  const cellOf = (v: number, axis: number): number =>
    Math.min(cells - 1, Math.floor(((positions[3 * v + axis] - low[axis]) / side) * cells));
  for (let v = 0; v < count; v++) {
    const key = cellOf(v, 0) + cells * (cellOf(v, 1) + cells * cellOf(v, 2));
    const known = first.get(key);
    if (known === undefined) first.set(key, v);
    stands[v] = known ?? v;
  }
  const builder = new PartBuilder();
  for (let t = 0; t < sources.length; t++) {
    builder.add(stands[indices[3 * t]], stands[indices[3 * t + 1]], stands[indices[3 * t + 2]], sources[t]);
  }
  return builder.finish(positions) ?? part;
}

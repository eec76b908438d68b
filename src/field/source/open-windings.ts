// Which nodes of a grid have a generalized winding number of at least one half (Jacobson et al. 2013) about an open
// mesh. Cones over the components of its rim close it: the winding number is that of the closed whole, an integer found
// by rows, minus that of the cones, which have as many triangles as the rim has edges. Nodes too near one half, on a
// triangle or on a cone are evaluated one by one. O(log rim edges) per node plus the cost of the rows.

import { DisjointSets } from '../../core/disjoint-sets.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { findEqualVertices } from '../../mesh/topology/coincident-vertices.js';
import type { GridFrame, NodeBox } from '../grid.js';
import { RowCrossings, TOUCHED } from './row-crossings.js';

/** Chosen: the proven error of the cones' winding number; nodes closer than this to one half are decided exactly. */
const CONE_ACCURACY = 0.1;

/** Rounding: the error of that winding number. */
const SUM_ROUNDING = 1e-9;

/**
 * Chosen: with more rim edges than this share of the triangles, as in a soup, the winding number of the mesh itself is
 * used.
 */
const MAX_RIM = 0.1;

/**
 * The edges (six numbers each, first end then second) that would balance every directed edge of the mesh, where
 * vertices with equal coordinates count as one; empty for a mesh that bounds a solid. O(edges).
 */
export function findRim({ positions, indices }: Mesh): Float64Array {
  const vertices = findEqualVertices(positions);
  const count = vertices.length;
  // Edges as chains from their lower vertex.
  const heads = new Int32Array(count).fill(-1);
  const next = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const low = Math.min(vertices[indices[i]], vertices[indices[i % 3 === 2 ? i - 2 : i + 1]]);
    next[i] = heads[low];
    heads[low] = i;
  }
  const balances = new Int32Array(count);
  const rim: number[] = [];
  for (let low = 0; low < count; low++) {
    for (let i = heads[low]; i >= 0; i = next[i]) {
      const from = vertices[indices[i]];
      const to = vertices[indices[i % 3 === 2 ? i - 2 : i + 1]];
      if (from < to) balances[to]++;
      else if (to < from) balances[from]--;
    }
    for (let i = heads[low]; i >= 0; i = next[i]) {
      const high = Math.max(vertices[indices[i]], vertices[indices[i % 3 === 2 ? i - 2 : i + 1]]);
      const forward = balances[high] > 0;
      for (; balances[high] !== 0; balances[high] += forward ? -1 : 1) {
        const first = 3 * (forward ? high : low);
        const second = 3 * (forward ? low : high);
        rim.push(positions[first], positions[first + 1], positions[first + 2]);
        rim.push(positions[second], positions[second + 1], positions[second + 2]);
      }
    }
  }
  return Float64Array.from(rim);
}

/** Winding numbers about an open mesh at the nodes of grids. Calls reuse the object's memory. */
export class OpenWindings {
  readonly #query: () => MeshQuery;
  readonly #cone: MeshQuery | null = null;
  readonly #rows: RowCrossings | null = null;
  #windings = new Int32Array(0);

  /**
   * @param triangles nine numbers each.
   * @param rim as {@link findRim} gives it, not empty.
   * @param query over the same triangles.
   */
  constructor(triangles: Float64Array, rim: Float64Array, query: () => MeshQuery) {
    this.#query = query;
    const count = triangles.length / 9;
    const edges = rim.length / 6;
    if (edges > MAX_RIM * count) return;
    const cone = coneOver(rim);
    const whole = new Float64Array(triangles.length + cone.length);
    whole.set(triangles);
    whole.set(cone, triangles.length);
    this.#rows = new RowCrossings(whole, count + edges);
    this.#cone = new MeshQuery(
      { positions: cone, indices: Uint32Array.from({ length: 3 * edges }, (_, i) => i) },
      { windingAccuracy: CONE_ACCURACY },
    );
  }

  /** Writes 1 for the nodes of `box` with a winding number of at least one half or on a triangle, 0 for its other nodes. */
  fill(frame: GridFrame, box: NodeBox, inside: Uint8Array): void {
    const { origin, spacing, size } = frame;
    const [minI, minJ] = box.min;
    const [maxI, maxJ] = box.max;
    const nodes = Math.max(0, maxI - minI + 1) * Math.max(0, maxJ - minJ + 1);
    if (this.#windings.length < nodes) this.#windings = new Int32Array(nodes);
    const windings = this.#windings;
    const point: [number, number, number] = [0, 0, 0];
    for (let k = box.min[2]; k <= box.max[2]; k++) {
      this.#rows?.fill(frame, { min: [minI, minJ, k], max: [maxI, maxJ, k] }, inside, windings);
      point[2] = origin[2] + spacing * k;
      let n = 0;
      for (let j = minJ; j <= maxJ; j++) {
        point[1] = origin[1] + spacing * j;
        const row = size[0] * (j + size[1] * k);
        for (let i = minI; i <= maxI; i++, n++) {
          point[0] = origin[0] + spacing * i;
          let margin = 0;
          if (this.#cone !== null && windings[n] !== TOUCHED) {
            margin = windings[n] - this.#cone.windingNumber(point) - 0.5;
          }
          const decided = Math.abs(margin) > CONE_ACCURACY + SUM_ROUNDING;
          inside[row + i] = (decided ? margin > 0 : this.#query().isInside(point)) ? 1 : 0;
        }
      }
    }
  }
}

/**
 * The triangles from each edge of the rim to the mean of the edge ends of its connected component, nine numbers each.
 * Each component is balanced by itself. One apex for all would make needles across the whole mesh, which the far-field
 * approximation handles badly: 100 against 9 microseconds per node with a thousand small holes.
 */
function coneOver(rim: Float64Array): Float64Array {
  const ends = rim.length / 3;
  const points = findEqualVertices(rim);
  const parts = new DisjointSets(ends);
  for (let end = 0; end < ends; end++) parts.unite(end, points[end]);
  for (let end = 0; end < ends; end += 2) parts.unite(end, end + 1);
  const sums = new Float64Array(4 * ends);
  for (let end = 0; end < ends; end++) {
    const o = 4 * parts.find(end);
    for (let axis = 0; axis < 3; axis++) sums[o + axis] += rim[3 * end + axis];
    sums[o + 3]++;
  }
  const cone = new Float64Array(1.5 * rim.length);
  for (let end = 0; end < ends; end += 2) {
    const o = 4 * parts.find(end);
    const to = 4.5 * end;
    cone.set(rim.subarray(3 * end, 3 * end + 6), to);
    for (let axis = 0; axis < 3; axis++) cone[to + 6 + axis] = sums[o + axis] / sums[o + 3];
  }
  return cone;
}

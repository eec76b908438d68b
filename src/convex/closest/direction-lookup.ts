// Start vertices for queries without a seed: for a grid of directions on a cube, the extreme vertex of a node (the
// directional lookup table of Ehmann and Lin 2000, TR00-026). Made when a node is first used, in O(cells) short walks.
import type { ConvexSet } from './convex-set.js';
import { climbSupport, scanSupport } from './support.js';

/** Chosen: nodes with fewer vertices have no table: a scan of all of them is as fast as a walk. */
const TABLE_VERTICES = 48;

/** Cells along an edge of the cube, so fine that a cell's vertex is a few steps from that of any direction in it. */
function chooseResolution(vertices: number): number {
  return Math.min(16, Math.max(4, Math.round(Math.sqrt(vertices) / 6)));
}

/** The tables of the nodes of a set, and their centers. */
export class DirectionLookup {
  readonly #tables: (Uint32Array | undefined)[];
  readonly #centers: Float64Array;

  /** Tables for this many nodes, none made yet. */
  constructor(nodes: number) {
    this.#tables = new Array(nodes).fill(undefined);
    this.#centers = new Float64Array(3 * nodes).fill(NaN);
  }

  get bytes(): number {
    return this.#centers.byteLength + this.#tables.reduce((sum, table) => sum + (table?.byteLength ?? 0), 0);
  }

  /** The offset in `centers` of the middle of the node's vertices. */
  centerOffset(set: ConvexSet, node: number): number {
    const centers = this.#centers;
    if (Number.isNaN(centers[3 * node])) {
      const { positions, vertexStart, nodeVertices } = set;
      const count = vertexStart[node + 1] - vertexStart[node];
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let i = vertexStart[node]; i < vertexStart[node + 1]; i++)
          sum += positions[3 * nodeVertices[i] + axis] / count;
        centers[3 * node + axis] = sum;
      }
    }
    return 3 * node;
  }

  /** Three numbers per node, NaN until `centerOffset` is called for it. */
  get centers(): Float64Array {
    return this.#centers;
  }

  /** A handle of a vertex far along the direction, though maybe not the farthest. */
  findStart(set: ConvexSet, node: number, dx: number, dy: number, dz: number): number {
    const first = set.vertexStart[node];
    if (set.faceStart[node] === set.faceStart[node + 1]) return first;
    const count = set.vertexStart[node + 1] - first;
    if (count < TABLE_VERTICES) return scanSupport(set, node, dx, dy, dz);
    const table = (this.#tables[node] ??= createTable(set, node));
    return table[findCell(dx, dy, dz, chooseResolution(count))];
  }
}

function createTable(set: ConvexSet, node: number): Uint32Array {
  const resolution = chooseResolution(set.vertexStart[node + 1] - set.vertexStart[node]);
  const table = new Uint32Array(6 * resolution * resolution);
  let handle = set.vertexHalfEdges[set.vertexStart[node]];
  for (let side = 0; side < 6; side++) {
    for (let i = 0; i < resolution; i++) {
      for (let j = 0; j < resolution; j++) {
        const u = (2 * i + 1) / resolution - 1;
        const v = (2 * j + 1) / resolution - 1;
        const w = side & 1 ? -1 : 1;
        const x = side < 2 ? w : side < 4 ? v : u;
        const y = side < 2 ? u : side < 4 ? w : v;
        const z = side < 2 ? v : side < 4 ? u : w;
        handle = climbSupport(set, node, handle, x, y, z);
        table[(side * resolution + i) * resolution + j] = handle;
      }
    }
  }
  return table;
}

function findCell(x: number, y: number, z: number, resolution: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const w = axis === 0 ? x : axis === 1 ? y : z;
  const u = axis === 0 ? y : axis === 1 ? z : x;
  const v = axis === 0 ? z : axis === 1 ? x : y;
  const side = 2 * axis + (w < 0 ? 1 : 0);
  const scale = resolution / (2 * Math.abs(w));
  const i = Math.min(resolution - 1, ((u + Math.abs(w)) * scale) | 0);
  const j = Math.min(resolution - 1, ((v + Math.abs(w)) * scale) | 0);
  return (side * resolution + i) * resolution + j;
}

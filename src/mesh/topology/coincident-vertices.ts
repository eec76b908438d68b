// Vertices that are equal, or within reach of each other directly or through others. A coarse grid sorts out vertices
// with nothing near. The rest go into cells just over half the reach wide: vertices in one cell are within reach
// without a test, and partners are at most two cells away. O(vertices) expected; the grids do not affect the result.
import type { Box } from '../../core/box.js';
import { DisjointSets } from '../../core/disjoint-sets.js';

/** For each vertex the lowest one with the same coordinates; vertices that `used` marks 0 are not joined. */
export function findEqualVertices(positions: Float64Array, used?: Uint8Array): Uint32Array {
  const count = positions.length / 3;
  const lowest = Uint32Array.from({ length: count }, (_, vertex) => vertex);
  const table = new PointTable(positions, count);
  for (let vertex = 0; vertex < count; vertex++) {
    if (used === undefined || used[vertex]) lowest[vertex] = table.insert(vertex);
  }
  return lowest;
}

/**
 * For each vertex the lowest one it is joined to by steps of at most `reach` from vertex to vertex. Vertices that
 * `used` marks 0 are not joined. `bounds` holds all used vertices.
 */
export function findNearVertices(positions: Float64Array, used: Uint8Array, bounds: Box, reach: number): Uint32Array {
  const count = used.length;
  const sets = new DisjointSets(count);
  const extent = Math.max(...bounds.max.map((max, axis) => max - bounds.min[axis]));
  // Beyond 1e13 cells along an axis, the rounding of cell numbers would exceed the margin of 0.01 on each side.
  const width = Math.max(0.51 * reach, 1e-13 * extent);
  const isWithinReach = (a: number, b: number): boolean => {
    const x = (positions[3 * a] - positions[3 * b]) / reach;
    const y = (positions[3 * a + 1] - positions[3 * b + 1]) / reach;
    const z = (positions[3 * a + 2] - positions[3 * b + 2]) / reach;
    return x * x + y * y + z * z <= 1;
  };

  const first = findEqualVertices(positions, used);
  for (let vertex = 0; vertex < count; vertex++) sets.unite(vertex, first[vertex]);
  const candidates = findCrowdedVertices(positions, used, first, bounds, reach);
  const { cells, table, heads, nextInCell } = sortIntoCells(positions, candidates, bounds, width);
  const cellIsWithinReach = width <= 0.55 * reach; // diagonal 0.96 × reach
  for (const head of heads) {
    for (let a = head; a >= 0; a = nextInCell[a]) {
      for (let b = nextInCell[a]; b >= 0; b = nextInCell[b]) {
        if (cellIsWithinReach || isWithinReach(a, b)) sets.unite(a, b);
        if (cellIsWithinReach) break;
      }
    }
  }
  const joinCells = (headA: number, headB: number): void => {
    for (let a = headA; a >= 0; a = nextInCell[a]) {
      for (let b = headB; b >= 0; b = nextInCell[b]) {
        if (!isWithinReach(a, b)) continue;
        sets.unite(a, b);
        if (cellIsWithinReach) return;
      }
    }
  };
  for (const head of heads) {
    // Half of the neighbors: each pair of cells is tested from one side only.
    for (let x = 0; x <= 2; x++) {
      for (let y = x === 0 ? 0 : -2; y <= 2; y++) {
        for (let z = x === 0 && y === 0 ? 1 : -2; z <= 2; z++) {
          const other = table.find(cells[3 * head] + x, cells[3 * head + 1] + y, cells[3 * head + 2] + z);
          if (other < 0 || (cellIsWithinReach && sets.find(head) === sets.find(other))) continue;
          joinCells(head, other);
        }
      }
    }
  }
  const lowest = new Uint32Array(count);
  for (let vertex = 0; vertex < count; vertex++) lowest[vertex] = sets.find(vertex);
  return lowest;
}

/** Vertices by cell: those of a cell are a linked list that starts with the first one inserted. */
function sortIntoCells(
  positions: Float64Array,
  vertices: ArrayLike<number> & Iterable<number>,
  { min }: Box,
  width: number,
) {
  const cells = new Float64Array(positions.length);
  for (const vertex of vertices) {
    for (let i = 3 * vertex; i < 3 * vertex + 3; i++) cells[i] = Math.floor((positions[i] - min[i % 3]) / width);
  }
  const table = new PointTable(cells, vertices.length);
  const nextInCell = new Int32Array(positions.length / 3).fill(-1);
  const heads: number[] = [];
  for (const vertex of vertices) {
    const head = table.insert(vertex);
    if (head === vertex) {
      heads.push(vertex);
    } else {
      nextInCell[vertex] = nextInCell[head];
      nextInCell[head] = vertex;
    }
  }
  return { cells, table, heads, nextInCell };
}

/**
 * The used vertices, one per position, that may have another within reach. Each vertex marks the cells, eight times the
 * reach wide, that the ball of that radius around it meets; a vertex that finds only its own mark in its cell is alone.
 * Cells with equal hashes share a counter, which can only add vertices.
 */
function findCrowdedVertices(
  positions: Float64Array,
  used: Uint8Array,
  first: Uint32Array,
  bounds: Box,
  reach: number,
): number[] {
  const extent = Math.max(...bounds.max.map((max, axis) => max - bounds.min[axis]));
  const width = Math.max(8 * reach, 1e-13 * extent);
  const margin = 1.01 * reach;
  let size = 1024;
  while (size < 8 * used.length) size *= 2;
  const marks = new Uint8Array(size);
  const [minX, minY, minZ] = bounds.min;
  const slotOf = (x: number, y: number, z: number): number => {
    let hash = Math.imul(x | 0, 0x9e3779b1) ^ Math.imul(y | 0, 0x85ebca77) ^ Math.imul(z | 0, 0xc2b2ae3d);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) & (size - 1);
  };
  for (let vertex = 0; vertex < used.length; vertex++) {
    if (!used[vertex] || first[vertex] !== vertex) continue;
    const x = positions[3 * vertex] - minX;
    const y = positions[3 * vertex + 1] - minY;
    const z = positions[3 * vertex + 2] - minZ;
    for (let i = Math.floor((x - margin) / width); i <= Math.floor((x + margin) / width); i++) {
      for (let j = Math.floor((y - margin) / width); j <= Math.floor((y + margin) / width); j++) {
        for (let k = Math.floor((z - margin) / width); k <= Math.floor((z + margin) / width); k++) {
          const slot = slotOf(i, j, k);
          if (marks[slot] < 2) marks[slot]++;
        }
      }
    }
  }
  const crowded: number[] = [];
  for (let vertex = 0; vertex < used.length; vertex++) {
    if (!used[vertex] || first[vertex] !== vertex) continue;
    const i = Math.floor((positions[3 * vertex] - minX) / width);
    const j = Math.floor((positions[3 * vertex + 1] - minY) / width);
    const k = Math.floor((positions[3 * vertex + 2] - minZ) / width);
    if (marks[slotOf(i, j, k)] > 1) crowded.push(vertex);
  }
  return crowded;
}

/** A hash table of points, open addressing with linear probing at a load of at most one half. */
class PointTable {
  readonly #points: Float64Array;
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #numbers = new Float64Array(3);
  readonly #words = new Int32Array(this.#numbers.buffer);

  constructor(points: Float64Array, capacity: number) {
    let size = 16;
    while (size < 2 * capacity) size *= 2;
    this.#points = points;
    this.#slots = new Int32Array(size).fill(-1);
    this.#mask = size - 1;
  }

  /** The first inserted point equal to point `item`, which is `item` itself if no other was. */
  insert(item: number): number {
    const points = this.#points;
    const slot = this.#slotOf(points[3 * item], points[3 * item + 1], points[3 * item + 2]);
    if (this.#slots[slot] < 0) this.#slots[slot] = item;
    return this.#slots[slot];
  }

  /** The first inserted point with these coordinates, or −1. */
  find(x: number, y: number, z: number): number {
    return this.#slots[this.#slotOf(x, y, z)];
  }

  #slotOf(x: number, y: number, z: number): number {
    const points = this.#points;
    const words = this.#words;
    this.#numbers[0] = x + 0; // −0 + 0 is 0: equal numbers must have equal bits
    this.#numbers[1] = y + 0;
    this.#numbers[2] = z + 0;
    let hash = 0;
    for (let i = 0; i < 6; i++) {
      hash = Math.imul(hash ^ words[i], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & this.#mask;
    for (;;) {
      const item = this.#slots[slot];
      if (item < 0) return slot;
      if (points[3 * item] === x && points[3 * item + 1] === y && points[3 * item + 2] === z) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }
}

// The penetration depth of two unions of axis-aligned boxes with integer coordinates, exact by coordinate compression:
// {b − a} is the union of the boxes b − a of all pairs, painted onto the grid of all their coordinates; the depth is the
// distance from the origin to the nearest cell left blank. A slot of no width has no cell, so nothing gets out by it.
import type { Solid } from './shapes.js';

/** Low x, y, z, then high x, y, z: integers. */
export type IntegerBox = readonly [number, number, number, number, number, number];

export interface BoxUnionDepth {
  readonly depth: number;
  /** The exact square of the depth: a sum of three squares of integers. */
  readonly squared: number;
  /** The shortest translations of A, all of them (one for each blank cell as near as any). */
  readonly vectors: readonly (readonly [number, number, number])[];
}

export function measureBoxUnions(a: readonly IntegerBox[], b: readonly IntegerBox[]): BoxUnionDepth {
  const sums: number[][] = [];
  for (const p of a) for (const q of b) sums.push([0, 1, 2, 3, 4, 5].map((k) => q[k] - p[(k + 3) % 6]));
  const axes = [0, 1, 2].map((k) => sortedUnique(sums.flatMap((sum) => [sum[k], sum[k + 3]])));
  const { covered, cellCounts } = paint(sums, axes);
  let squared = Infinity;
  let vectors: [number, number, number][] = [];
  // Cell i of an axis lies before coordinate i; the first and the last reach to infinity and are never painted.
  const bound = (k: number, i: number) => (i < 0 ? -Infinity : i >= axes[k].length ? Infinity : axes[k][i]);
  const toward = [0, 1, 2].map((k) =>
    Array.from({ length: cellCounts[k] }, (_, i) => Math.min(Math.max(0, bound(k, i - 1)), bound(k, i))),
  );
  for (let x = 0, cell = 0; x < cellCounts[0]; x++) {
    for (let y = 0; y < cellCounts[1]; y++) {
      for (let z = 0; z < cellCounts[2]; z++, cell++) {
        if (covered[cell]) continue;
        const square = toward[0][x] ** 2 + toward[1][y] ** 2 + toward[2][z] ** 2;
        if (square > squared) continue;
        if (square < squared) vectors = [];
        squared = square;
        const vector: [number, number, number] = [toward[0][x], toward[1][y], toward[2][z]];
        if (!vectors.some((known) => known.every((value, k) => value === vector[k]))) vectors.push(vector);
      }
    }
  }
  return { depth: Math.sqrt(squared), squared, vectors };
}

function paint(boxes: readonly (readonly number[])[], axes: readonly (readonly number[])[]) {
  const cellCounts = axes.map((axis) => axis.length + 1);
  const places = axes.map((axis) => new Map(axis.map((value, i) => [value, i])));
  const covered = new Uint8Array(cellCounts[0] * cellCounts[1] * cellCounts[2]);
  for (const b of boxes) {
    const [x0, y0, z0, x1, y1, z1] = b.map((value, k) => places[k % 3].get(value)!);
    for (let x = x0 + 1; x <= x1; x++) {
      for (let y = y0 + 1; y <= y1; y++) {
        const row = (x * cellCounts[1] + y) * cellCounts[2];
        covered.fill(1, row + z0 + 1, row + z1 + 1);
      }
    }
  }
  return { covered, cellCounts };
}

function sortedUnique(values: readonly number[]): number[] {
  if (!values.every(Number.isInteger)) throw new Error('The boxes of this oracle have integer coordinates.');
  return [...new Set(values)].sort((u, v) => u - v);
}

/** The surface of a union, cell by cell of the grid of its own coordinates, so that there are no T-junctions. */
export function boxUnionSolid(boxes: readonly IntegerBox[]): Solid {
  const axes = [0, 1, 2].map((k) => sortedUnique(boxes.flatMap((b) => [b[k], b[k + 3]])));
  const { covered, cellCounts } = paint(boxes, axes);
  const isSolid = (cell: readonly number[]) =>
    covered[(cell[0] * cellCounts[1] + cell[1]) * cellCounts[2] + cell[2]] === 1;
  const ids = new Map<string, number>();
  const positions: number[] = [];
  const indices: number[] = [];
  const corner = (at: readonly number[]): number => {
    const key = at.join();
    if (!ids.has(key)) ids.set(key, positions.push(...at.map((i, k) => axes[k][i])) / 3 - 1);
    return ids.get(key)!;
  };
  const cell = [0, 0, 0];
  for (cell[0] = 1; cell[0] < cellCounts[0] - 1; cell[0]++) {
    for (cell[1] = 1; cell[1] < cellCounts[1] - 1; cell[1]++) {
      for (cell[2] = 1; cell[2] < cellCounts[2] - 1; cell[2]++) {
        if (!isSolid(cell)) continue;
        for (let k = 0; k < 3; k++) {
          for (const side of [0, 1]) {
            const beyond = [...cell];
            beyond[k] += side === 1 ? 1 : -1;
            if (isSolid(beyond)) continue;
            const [u, v] = [(k + 1) % 3, (k + 2) % 3];
            const quad = [0, 1, 2, 3].map((i) => {
              const at = cell.map((value) => value - 1);
              at[k] += side;
              at[u] += i === 1 || i === 2 ? 1 : 0;
              at[v] += i >= 2 ? 1 : 0;
              return corner(at);
            });
            if (side === 0) quad.reverse();
            indices.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]);
          }
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Whether each edge has two triangles, and the triangles around each vertex one ring. */
export function isClosedManifold({ indices }: Solid): boolean {
  const next = new Map<string, number>();
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const key = `${indices[i + k]},${indices[i + ((k + 1) % 3)]}`;
      if (next.has(key)) return false;
      next.set(key, indices[i + ((k + 2) % 3)]);
    }
  }
  const spokes = new Map<number, number>();
  for (const key of next.keys()) {
    const [u, v] = key.split(',').map(Number);
    if (!next.has(`${v},${u}`)) return false;
    spokes.set(u, (spokes.get(u) ?? 0) + 1);
  }
  for (const [vertex, count] of spokes) {
    const start = Number([...next.keys()].find((key) => key.startsWith(`${vertex},`))!.split(',')[1]);
    let at = start;
    let steps = 0;
    do {
      at = next.get(`${vertex},${at}`)!;
      steps++;
    } while (at !== start);
    if (steps !== count) return false;
  }
  return true;
}

/** Boxes moved by an offset. */
export function moveBoxes(boxes: readonly IntegerBox[], x: number, y: number, z: number): IntegerBox[] {
  const offset = [x, y, z, x, y, z];
  return boxes.map((b) => b.map((value, k) => value + offset[k]) as unknown as IntegerBox);
}

/** Boxes grown about the origin. */
export function growBoxes(boxes: readonly IntegerBox[], factor: number): IntegerBox[] {
  return boxes.map((b) => b.map((value) => value * factor) as unknown as IntegerBox);
}

/** Boxes with the axes in another order: `order[k]` is the old axis that becomes axis k. Mirrored when the order is odd. */
export function permuteBoxes(boxes: readonly IntegerBox[], order: readonly [number, number, number]): IntegerBox[] {
  return boxes.map((b) => [...order.map((k) => b[k]), ...order.map((k) => b[k + 3])] as unknown as IntegerBox);
}

// Solids made of axis-parallel blocks: the boundary of what some blocks cover and others cut out, without inner faces. Faces
// are divided along every coordinate that a block has, so that there are no T-junctions.
import type { Mesh } from '../../mesh/mesh.js';
import { SurfaceBuilder } from '../../models/parts/surface-builder.js';

/** The least and the greatest corner: x, y, z each. */
export type Block = readonly [number, number, number, number, number, number];

export interface BlockOptions {
  /** Blocks that are taken away from the others. */
  readonly cut?: readonly Block[];
  /** Faces are divided to at most this length. */
  readonly spacing?: number;
}

/** The way to the neighbor at each side of a cell, and the side's corners, counter-clockwise from outside; bits are x, y, z. */
const SIDES: readonly (readonly [neighbor: readonly [number, number, number], corners: readonly number[]])[] = [
  [
    [-1, 0, 0],
    [0, 4, 6, 2],
  ],
  [
    [1, 0, 0],
    [1, 3, 7, 5],
  ],
  [
    [0, -1, 0],
    [0, 1, 5, 4],
  ],
  [
    [0, 1, 0],
    [2, 6, 7, 3],
  ],
  [
    [0, 0, -1],
    [0, 2, 3, 1],
  ],
  [
    [0, 0, 1],
    [4, 5, 7, 6],
  ],
];

/** The solid that blocks cover; they may overlap, but must not touch in an edge or a corner only. */
export function blockSolid(blocks: readonly Block[], { cut = [], spacing = Infinity }: BlockOptions = {}): Mesh {
  const lines = [0, 1, 2].map((axis) => coordinates([...blocks, ...cut], axis, spacing));
  const counts = lines.map((line) => line.length - 1);
  const filled = new Uint8Array(counts[0] * counts[1] * counts[2]);
  const indexOf = (i: number, j: number, k: number): number => (i * counts[1] + j) * counts[2] + k;
  const mark = (block: Block, value: number): void => {
    const [x, y, z] = lines.map((line, axis) => [line.indexOf(block[axis]), line.indexOf(block[axis + 3])]);
    for (let i = x[0]; i < x[1]; i++) {
      for (let j = y[0]; j < y[1]; j++) filled.fill(value, indexOf(i, j, z[0]), indexOf(i, j, z[1]));
    }
  };
  for (const block of blocks) mark(block, 1);
  for (const block of cut) mark(block, 0);
  const isFilled = (i: number, j: number, k: number): boolean => {
    const isInside = i >= 0 && j >= 0 && k >= 0 && i < counts[0] && j < counts[1] && k < counts[2];
    return isInside && filled[indexOf(i, j, k)] === 1;
  };
  const surface = new SurfaceBuilder();
  const vertices = new Map<number, number>();
  const vertexAt = (cell: readonly number[], corner: number): number => {
    const at = cell.map((c, k) => c + ((corner >> k) & 1));
    const key = (at[0] * lines[1].length + at[1]) * lines[2].length + at[2];
    let vertex = vertices.get(key);
    if (vertex === undefined) {
      vertex = surface.addVertex([lines[0][at[0]], lines[1][at[1]], lines[2][at[2]]]);
      vertices.set(key, vertex);
    }
    return vertex;
  };
  for (let i = 0; i < counts[0]; i++) {
    for (let j = 0; j < counts[1]; j++) {
      for (let k = 0; k < counts[2]; k++) {
        if (!isFilled(i, j, k)) continue;
        for (const [[x, y, z], corners] of SIDES) {
          if (isFilled(i + x, j + y, k + z)) continue;
          const [a, b, c, d] = corners.map((corner) => vertexAt([i, j, k], corner));
          surface.addQuad(a, b, c, d);
        }
      }
    }
  }
  return surface.build();
}

/** All coordinates of blocks along an axis, ascending, with others between them where they are far apart. */
function coordinates(blocks: readonly Block[], axis: number, spacing: number): number[] {
  const own = [...new Set(blocks.flatMap((block) => [block[axis], block[axis + 3]]))].sort((a, b) => a - b);
  return own.flatMap((value, i) => {
    if (i === 0) return [value];
    const before = own[i - 1];
    const parts = Math.max(1, Math.ceil((value - before) / spacing - 1e-9));
    return Array.from({ length: parts }, (_, k) =>
      k + 1 === parts ? value : before + ((k + 1) / parts) * (value - before),
    );
  });
}

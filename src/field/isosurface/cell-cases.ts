// The surface inside a cell of a regular grid, cut into six tetrahedra around its diagonal (Kuhn 1960; the same in
// every cell, so that neighbors agree on their common face). Derived from the cases of a tetrahedron.
import { TETRAHEDRON_EDGES, tetrahedronCases } from '../../mesh/implicit/tetrahedron-cases.js';

/** Proven: edges of the tetrahedra of one cell: 12 sides, 6 diagonals of faces, 1 of the cell. */
export const CELL_EDGE_COUNT = 19;

/** Proven: edges that begin at a node and lead up: toward +x, +y, +z or several of these. */
export const EDGES_PER_NODE = 7;

/**
 * The surface in each of the 256 kinds of cell. Bit c of a cell's number says that its corner c is inside; corner c is
 * the lowest node plus (c & 1, c >> 1 & 1, c >> 2).
 */
export interface CellCases {
  /** By edge: the corner it begins at, and the steps it leads up, coded like a corner (1 to 7). */
  readonly edgeCorner: Uint8Array;
  readonly edgeSteps: Uint8Array;
  /** Edges cut in a cell, those of cell m from cutStart[m] up to before cutStart[m + 1]. */
  readonly cutStart: Uint16Array;
  readonly cuts: Uint8Array;
  /**
   * Polygons, those of cell m from polygonStart[m] up to before polygonStart[m + 1]: four edges each, counter-clockwise
   * seen from outside; a triangle repeats its third edge.
   */
  readonly polygonStart: Uint16Array;
  readonly polygons: Uint8Array;
}

let table: CellCases | undefined;

/** The table, built on first use: a few milliseconds. */
export function cellCases(): CellCases {
  table ??= buildCases();
  return table;
}

function buildCases(): CellCases {
  const edgeCorner = new Uint8Array(CELL_EDGE_COUNT);
  const edgeSteps = new Uint8Array(CELL_EDGE_COUNT);
  const edgeIds = new Map<number, number>();
  for (let from = 0; from < 8; from++) {
    for (let to = from + 1; to < 8; to++) {
      if ((from & to) !== from) continue;
      edgeCorner[edgeIds.size] = from;
      edgeSteps[edgeIds.size] = to - from;
      edgeIds.set(8 * from + to, edgeIds.size);
    }
  }
  const tetrahedra = cellTetrahedra();
  const cases = tetrahedronCases();
  const cutStart = new Uint16Array(257);
  const polygonStart = new Uint16Array(257);
  const cuts: number[] = [];
  const polygons: number[] = [];
  for (let mask = 0; mask < 256; mask++) {
    for (let edge = 0; edge < CELL_EDGE_COUNT; edge++) {
      const from = edgeCorner[edge];
      if (((mask >> from) & 1) !== ((mask >> (from + edgeSteps[edge])) & 1)) cuts.push(edge);
    }
    cutStart[mask + 1] = cuts.length;
    for (const corners of tetrahedra) {
      const code = corners.reduce((digits, corner) => 3 * digits + ((mask >> corner) & 1 ? 0 : 2), 0);
      const polygon = cases[code].map((cut) => {
        const [p, q] = TETRAHEDRON_EDGES[cut - 4].map((node) => corners[node]);
        return edgeIds.get(8 * Math.min(p, q) + Math.max(p, q))!;
      });
      if (polygon.length > 0) polygons.push(polygon[0], polygon[1], polygon[2], polygon[3] ?? polygon[2]);
    }
    polygonStart[mask + 1] = polygons.length;
  }
  return {
    edgeCorner,
    edgeSteps,
    cutStart,
    cuts: Uint8Array.from(cuts),
    polygonStart,
    polygons: Uint8Array.from(polygons),
  };
}

/** The corners of the six tetrahedra, each with positive orientation. */
function cellTetrahedra(): number[][] {
  const tetrahedra: number[][] = [];
  for (let first = 0; first < 3; first++) {
    for (let second = 0; second < 3; second++) {
      if (second === first) continue;
      const one = 1 << first;
      const two = one | (1 << second);
      const isEven = (second - first + 3) % 3 === 1;
      tetrahedra.push(isEven ? [0, one, two, 7] : [0, two, one, 7]);
    }
  }
  return tetrahedra;
}

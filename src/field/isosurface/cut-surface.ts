// A surface built cell by cell: the cuts of the grid's edges, and the polygons between the cuts. Each polygon lies in
// its own tetrahedron and meets its neighbors in their common faces: no self-intersections.
import { growTo } from '../../core/grow-array.js';
import type { Mesh } from '../../mesh/mesh.js';
import { dropUnusedVertices } from '../../mesh/topology/unused-vertices.js';
import type { GridFrame } from '../grid.js';
import { CELL_EDGE_COUNT, type CellCases, cellCases } from './cell-cases.js';
import { collapseSides } from './collapse-sides.js';

/**
 * Chosen: a cut nearer to a node than this share of its edge moves onto the node, where all these cuts become one
 * vertex. Otherwise a surface through nodes up to rounding (single-precision values are off by 1e-7) would be full of
 * slivers.
 */
export const CUT_SNAP = 1e-6;

/** Label: marks an edge without a cut in place of a vertex: one end was not computed. */
const NO_CUT = -2;

export class CutSurface {
  readonly cases: CellCases = cellCases();
  /** The vertices of the current cell, by edge, or {@link NO_CUT}. Only those of cut edges are read. */
  readonly cellVertices = new Int32Array(CELL_EDGE_COUNT);
  readonly #origin: readonly number[];
  readonly #spacing: number;
  readonly #level: number;
  #positions = new Float64Array(3 * 1024);
  #positionCount = 0;
  #indices = new Uint32Array(3 * 2048);
  #indexCount = 0;
  #hasHoles = false;

  constructor(frame: GridFrame, level: number) {
    this.#origin = frame.origin;
    this.#spacing = frame.spacing;
    this.#level = level;
  }

  /**
   * The vertex where the surface cuts the edge from node (i, j, k) up by `steps` (coded like a corner of a cell), given
   * values at both ends; {@link NO_CUT} if one of them is not finite.
   */
  cutEdge(i: number, j: number, k: number, steps: number, from: number, to: number): number {
    const span = to - from;
    if (span - span !== 0) {
      this.#hasHoles = true;
      return NO_CUT;
    }
    let share = (this.#level - from) / span;
    if (share < CUT_SNAP) share = 0;
    else if (share > 1 - CUT_SNAP) share = 1;
    return this.addVertex(
      (steps & 1) === 0 ? i : i + share,
      (steps & 2) === 0 ? j : j + share,
      (steps & 4) === 0 ? k : k + share,
    );
  }

  /** A vertex at a position in spacings from the first node. */
  addVertex(x: number, y: number, z: number): number {
    const at = this.#positionCount;
    if (at === this.#positions.length) {
      this.#positions = growTo(this.#positions, at + 3);
    }
    const origin = this.#origin;
    const spacing = this.#spacing;
    this.#positions[at] = origin[0] + spacing * x;
    this.#positions[at + 1] = origin[1] + spacing * y;
    this.#positions[at + 2] = origin[2] + spacing * z;
    this.#positionCount = at + 3;
    return at / 3;
  }

  /** Adds the polygons of a cell whose {@link cellVertices} are set; skips those that touch an edge without a cut. */
  addPolygons(mask: number): void {
    const { polygonStart, polygons } = this.cases;
    const vertices = this.cellVertices;
    const end = polygonStart[mask + 1];
    for (let p = polygonStart[mask]; p < end; p += 4) {
      const a = vertices[polygons[p]];
      const b = vertices[polygons[p + 1]];
      const c = vertices[polygons[p + 2]];
      const d = vertices[polygons[p + 3]];
      if (a < 0 || b < 0 || c < 0 || d < 0) continue;
      if (c === d) this.#addTriangle(a, b, c);
      else if (this.#distanceSquared(a, c) <= this.#distanceSquared(b, d)) {
        this.#addTriangle(a, b, c);
        this.#addTriangle(a, c, d);
      } else {
        this.#addTriangle(b, c, d);
        this.#addTriangle(b, d, a);
      }
    }
  }

  /** The surface so far, with cuts at the same node merged if the surface stays a manifold. */
  mesh(): Mesh {
    // Without polygons there are no vertices: next to a hole there may be cuts that no polygon uses.
    if (this.#indexCount === 0) return { positions: new Float64Array(0), indices: new Uint32Array(0) };
    const cut = {
      positions: this.#positions.slice(0, this.#positionCount),
      indices: this.#indices.slice(0, this.#indexCount),
    };
    return collapseSides(this.#hasHoles ? dropUnusedVertices(cut).mesh : cut);
  }

  #addTriangle(a: number, b: number, c: number): void {
    const at = this.#indexCount;
    if (at === this.#indices.length) {
      this.#indices = growTo(this.#indices, at + 3);
    }
    this.#indices[at] = a;
    this.#indices[at + 1] = b;
    this.#indices[at + 2] = c;
    this.#indexCount = at + 3;
  }

  #distanceSquared(a: number, b: number): number {
    const p = this.#positions;
    const x = p[3 * a] - p[3 * b];
    const y = p[3 * a + 1] - p[3 * b + 1];
    const z = p[3 * a + 2] - p[3 * b + 2];
    return x * x + y * y + z * z;
  }
}

// Isosurfaces of a spatial field by marching tetrahedra, six per cell, over two layers of nodes at a time. O(nodes)
// time, O(nodes of a layer + surface) memory.
import { flag, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type AnyField, isSparse } from '../any-field.js';
import { assertField, type Field } from '../grid.js';
import { EDGES_PER_NODE } from './cell-cases.js';
import { CutSurface } from './cut-surface.js';
import { assertLevel } from './isosurface-marcher.js';
import { extractSparseIsosurface } from './sparse-isosurface.js';

/** Options of an isosurface. */
export interface IsosurfaceOptions extends ProgressOptions {
  /** Close the surface at the border of the grid, as if everything beyond were outside. Default false: it ends there. */
  readonly cap?: boolean | undefined;
}

const ISOSURFACE_OPTIONS = optionTable<IsosurfaceOptions>()({ cap: flag(), ...PROGRESS_RULES });

/**
 * The surface where the field, linear in each of six tetrahedra per cell, has the value `level`; faces point toward
 * larger values. It is an oriented manifold without self-intersections. It is closed except at the border of the grid,
 * and with `cap` there too; it has no triangles if the field does not cross the level.
 *
 * A value equal to the level counts as larger. Cuts within `CUT_SNAP` of a node move onto it and become one vertex,
 * unless the surface touches itself there or encloses nothing: then vertices coincide, faces between them have no area,
 * and faces of the two sides may overlap.
 *
 * Nodes that were not computed (±Infinity) are inside or outside by their sign, but the surface has a hole where it
 * would pass between this node and another; the rim of the hole may meet itself in a vertex.
 * @throws NearfieldError `bad-argument` for a planar field (see `extractIsolines`) or a level that is not finite; for a
 * sparse field as `extractSparseIsosurface` does.
 */
export function extractIsosurface(field: AnyField, level = 0, options: IsosurfaceOptions = {}): Mesh {
  ISOSURFACE_OPTIONS.assert(options);
  if (isSparse(field)) return extractSparseIsosurface(field, level, options);
  assertField(field);
  assertLevel(level);
  if (field.size[2] === 1) {
    throw new NearfieldError(
      'bad-argument',
      'The field is in the plane and has no isosurface; extractIsolines draws it.',
    );
  }
  return new LayeredMarch(field, level, options.cap === true).run(options);
}

/** Layers have one more column and row of nodes on every side, for what is beyond the border. */
class LayeredMarch {
  readonly #field: Field;
  readonly #level: number;
  /** The number of nodes beyond the border that are visited: 1 with a cap, else 0. */
  readonly #beyond: number;
  readonly #surface: CutSurface;
  readonly #rowLength: number;
  /** For the lower and the upper layer: 1 if a node is inside, and the vertices of the edges that begin there, −1 until made. */
  #insideBelow: Uint8Array;
  #insideAbove: Uint8Array;
  #cutsBelow: Int32Array;
  #cutsAbove: Int32Array;

  constructor(field: Field, level: number, cap: boolean) {
    this.#field = field;
    this.#level = level;
    this.#beyond = cap ? 1 : 0;
    this.#surface = new CutSurface(field, level);
    this.#rowLength = field.size[0] + 2;
    const layer = this.#rowLength * (field.size[1] + 2);
    this.#insideBelow = new Uint8Array(layer);
    this.#insideAbove = new Uint8Array(layer);
    this.#cutsBelow = new Int32Array(EDGES_PER_NODE * layer).fill(-1);
    this.#cutsAbove = new Int32Array(EDGES_PER_NODE * layer).fill(-1);
  }

  run(progress: ProgressOptions): Mesh {
    const nz = this.#field.size[2];
    const first = -this.#beyond;
    this.#classify(first);
    for (let k = first; k < nz - 1 + this.#beyond; k++) {
      if ((k & 15) === 0) reportProgress(progress, k / nz, 'isosurface');
      const inside = this.#insideBelow;
      this.#insideBelow = this.#insideAbove;
      this.#insideAbove = inside;
      const cuts = this.#cutsBelow;
      this.#cutsBelow = this.#cutsAbove;
      this.#cutsAbove = cuts.fill(-1);
      this.#classify(k + 1);
      this.#marchLayer(k);
    }
    const mesh = this.#surface.mesh();
    reportProgress(progress, 1, 'isosurface');
    return mesh;
  }

  /** Fills the upper layer's inside marks from the nodes at height k. */
  #classify(k: number): void {
    const { values, size } = this.#field;
    const [nx, ny, nz] = size;
    const inside = this.#insideAbove;
    const level = this.#level;
    if (k < 0 || k >= nz) {
      inside.fill(0);
      return;
    }
    for (let j = 0; j < ny; j++) {
      const at = 1 + this.#rowLength * (j + 1);
      const node = nx * (j + ny * k);
      for (let i = 0; i < nx; i++) inside[at + i] = values[node + i] < level ? 1 : 0;
    }
  }

  /** The cells between the layers k and k + 1. */
  #marchLayer(k: number): void {
    const [nx, ny] = this.#field.size;
    const below = this.#insideBelow;
    const above = this.#insideAbove;
    const rowLength = this.#rowLength;
    const first = -this.#beyond;
    const end = nx - 1 + this.#beyond;
    for (let j = first; j < ny - 1 + this.#beyond; j++) {
      let at = first + 1 + rowLength * (j + 1);
      // Corners with x = 0 are bits 0, 2, 4 and 6; one step on, the corners of the next column take these bits.
      let mask = (below[at] | (below[at + rowLength] << 2) | (above[at] << 4) | (above[at + rowLength] << 6)) << 1;
      for (let i = first; i < end; i++, at++) {
        const next = at + 1;
        mask =
          (mask >> 1) |
          (below[next] << 1) |
          (below[next + rowLength] << 3) |
          (above[next] << 5) |
          (above[next + rowLength] << 7);
        if (mask !== 0 && mask !== 255) this.#marchCell(i, j, k, at, mask);
        mask &= 0b10101010;
      }
    }
  }

  #marchCell(i: number, j: number, k: number, at: number, mask: number): void {
    const surface = this.#surface;
    const { edgeCorner, edgeSteps, cutStart, cuts } = surface.cases;
    const end = cutStart[mask + 1];
    for (let c = cutStart[mask]; c < end; c++) {
      const edge = cuts[c];
      const corner = edgeCorner[edge];
      const steps = edgeSteps[edge];
      const known = corner < 4 ? this.#cutsBelow : this.#cutsAbove;
      const dx = corner & 1;
      const dy = (corner >> 1) & 1;
      const slot = EDGES_PER_NODE * (at + dx + (dy === 1 ? this.#rowLength : 0)) + steps - 1;
      if (known[slot] === -1) known[slot] = this.#cut(i + dx, j + dy, k + (corner >> 2), steps);
      surface.cellVertices[edge] = known[slot];
    }
    surface.addPolygons(mask);
  }

  /** The vertex on an edge; for one that leads beyond the border, the end inside the grid. */
  #cut(i: number, j: number, k: number, steps: number): number {
    const { values, size } = this.#field;
    const [nx, ny, nz] = size;
    const x = i + (steps & 1);
    const y = j + ((steps >> 1) & 1);
    const z = k + (steps >> 2);
    if (this.#beyond === 1) {
      if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) return this.#surface.addVertex(x, y, z);
      if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return this.#surface.addVertex(i, j, k);
    }
    return this.#surface.cutEdge(i, j, k, steps, values[i + nx * (j + ny * k)], values[x + nx * (y + ny * z)]);
  }
}

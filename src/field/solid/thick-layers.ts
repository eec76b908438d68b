// Sheets, and walls that a winding number cannot see on a grid, as solids: all points within a distance of them. A
// sheet grown by more than √3/2 spacings has a node in every tetrahedron it passes through, so that none gets lost.
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { GridFrame } from '../grid.js';
import { computeSparseField } from '../sparse/compute-sparse-field.js';
import type { SparseField } from '../sparse/sparse-field.js';
import { BAND_WIDTH } from './winding-nodes.js';

/**
 * Proven: the smallest growth that loses nothing, in spacings: more than √3/2, the circumradius of the grid's
 * tetrahedra.
 */
export const MIN_GROWTH = 0.9;

export class ThickLayer {
  readonly mesh: Mesh;
  readonly field: SparseField;
  /** The distance within which nodes are inside. */
  readonly level: number;
  /** The distance from the mesh that the surface should have in the end; `level` or less. */
  readonly offset: number;

  constructor(mesh: Mesh, offset: number, frame: GridFrame, progress: ProgressOptions) {
    const { spacing } = frame;
    this.mesh = mesh;
    this.offset = offset;
    this.level = Math.max(offset, MIN_GROWTH * spacing);
    const bandWidth = this.level / spacing + BAND_WIDTH;
    this.field = computeSparseField(mesh, frame, { ...partOfProgress(progress, 0, 1), bandWidth, sign: 'none' });
  }

  /** Negative within the level, `Infinity` far from the mesh. */
  value(i: number, j: number, k: number): number {
    return this.field.value(i, j, k) - this.level;
  }
}

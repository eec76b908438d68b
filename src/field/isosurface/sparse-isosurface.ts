// The isosurface of a sparse field, block by block. A cell that the surface passes through has all its corners in the
// band, so it is enough to visit the cells whose lowest node lies in a block with values. O(nodes of the blocks).
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { BLOCK_SIDE, type SparseField } from '../sparse/sparse-field.js';
import { BlockNodes } from './block-nodes.js';
import type { IsosurfaceOptions } from './isosurface.js';
import { IsosurfaceMarcher } from './isosurface-marcher.js';

/**
 * The surface where the field has the value `level`, as `extractIsosurface` returns it for the dense field: closed
 * except at the border of the grid.
 * @throws NearfieldError `unsupported` for `cap`; `bad-argument` for a level that is not finite, or so near the band's
 * rim that cells there lack values: the band must be √3 spacings wider than the level.
 */
export function extractSparseIsosurface(field: SparseField, level = 0, options: IsosurfaceOptions = {}): Mesh {
  if (options.cap === true) {
    throw new NearfieldError(
      'unsupported',
      'The isosurface of a sparse field is not closed at the border of the grid; leave `cap` out and take a larger grid.',
    );
  }
  const marcher = new IsosurfaceMarcher(field, level);
  const { spacing, bandWidth, size } = field;
  if (Math.abs(level) > (bandWidth - Math.sqrt(3)) * spacing) {
    throw new NearfieldError(
      'bad-argument',
      `The level ${level} lies too far out for a band of ${bandWidth} spacings; ` +
        `take a band of at least ${Math.abs(level) / spacing + Math.sqrt(3)}.`,
    );
  }
  const nodes = new BlockNodes();
  const corners = new Float64Array(8);
  let done = 0;
  for (const { node, values } of field.blocks()) {
    if ((done & 1023) === 0) reportProgress(options, done / field.blockCount, 'isosurface');
    done++;
    nodes.begin(node, size);
    if (!gatherNodes(field, level, values, nodes)) continue;
    const [i0, j0, k0] = node;
    const [endI, endJ, endK] = nodes.count;
    for (let k = 0; k < endK - 1; k++) {
      for (let j = 0; j < endJ - 1; j++) {
        for (let i = 0; i < endI - 1; i++) {
          nodes.readCell(i, j, k, corners);
          let below = 0;
          for (let corner = 0; corner < 8; corner++) if (corners[corner] < level) below++;
          if (below > 0 && below < 8) marcher.addCell(i0 + i, j0 + j, k0 + k, corners);
        }
      }
    }
  }
  reportProgress(options, 1, 'isosurface');
  return marcher.mesh();
}

/** Copies the nodes of a block's cells; returns whether they are on both sides of the level. */
function gatherNodes(field: SparseField, level: number, values: Float32Array, nodes: BlockNodes): boolean {
  const [i0, j0, k0] = nodes.first;
  const [endI, endJ, endK] = nodes.count;
  let below = false;
  let above = false;
  for (let k = 0; k < endK; k++) {
    for (let j = 0; j < endJ; j++) {
      for (let i = 0; i < endI; i++) {
        const isOwn = i < BLOCK_SIDE && j < BLOCK_SIDE && k < BLOCK_SIDE;
        const value = isOwn ? values[(k << 6) | (j << 3) | i] : field.value(i0 + i, j0 + j, k0 + k);
        nodes.values[nodes.index(i, j, k)] = value;
        if (value < level) below = true;
        else above = true;
      }
    }
  }
  return below && above;
}

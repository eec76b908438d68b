// The cells of one block of samples that a surface meets, where the samples are in another solid or everywhere. The
// block is first tightened around the triangles that reach it; insides come from exact crossings of rows. The object
// owns its memory.
import { growTo } from '../../core/grow-array.js';
import type { GridFrame } from '../../field/grid.js';
import { RowCrossings } from '../../field/source/row-crossings.js';
import type { FrameSolid } from './frame-solid.js';
import { cellOf, frameOf, type NodeRange } from './lattice.js';
import { SurfaceCells } from './surface-cells.js';

export class SurfaceSampler {
  readonly cells = new SurfaceCells();
  /** By node of the block: whether it is in the other solid; longer than needed. */
  inside = new Uint8Array(0);
  /** Nodes of the blocks computed until now. */
  nodes = 0;
  #chosen = new Int32Array(0);
  readonly #corners = new Float64Array(9);

  /**
   * Finds the cells of a block that a surface meets. `cells` and `inside` hold them until the next call.
   * @param other the solid that `inside` is about, or null.
   * @param onlyInside leaves out cells whose sample is not in `other`.
   * @param chosen the triangles of the surface to take, null for all.
   * @returns the grid of the tightened block, null if the surface does not reach it.
   */
  sample(
    surface: FrameSolid,
    other: FrameSolid | null,
    block: NodeRange,
    spacing: number,
    onlyInside: boolean,
    chosen: Int32Array | null = null,
  ): GridFrame | null {
    const count = this.#choose(surface, block, spacing, chosen);
    if (count === 0) return null;
    const frame = frameOf(this.#tightened(surface, block, spacing, count), spacing);
    const [nx, ny, nz] = frame.size;
    this.nodes += nx * ny * nz;
    if (other !== null) {
      if (this.inside.length < nx * ny * nz) this.inside = new Uint8Array(nx * ny * nz);
      const rows = new RowCrossings(other.triangles, other.count);
      rows.fill(frame, { min: [0, 0, 0], max: [nx - 1, ny - 1, nz - 1] }, this.inside);
    }
    const wanted = onlyInside ? this.inside : null;
    const t = surface.triangles;
    const corners = this.#corners;
    const [x, y, z] = frame.origin;
    this.cells.begin(nx, ny, nz);
    for (let n = 0; n < count; n++) {
      const o = 9 * this.#chosen[n];
      for (let corner = 0; corner < 9; corner += 3) {
        corners[corner] = (t[o + corner] - x) / spacing + 0.5;
        corners[corner + 1] = (t[o + corner + 1] - y) / spacing + 0.5;
        corners[corner + 2] = (t[o + corner + 2] - z) / spacing + 0.5;
      }
      this.cells.add(corners, 0, wanted);
    }
    return frame;
  }

  /** Lists the triangles whose boxes meet the cells of a block. */
  #choose(surface: FrameSolid, { low, high }: NodeRange, spacing: number, given: Int32Array | null): number {
    const { triangles: t } = surface;
    const total = given === null ? surface.count : given.length;
    const chosen = (this.#chosen = growTo(this.#chosen, total));
    // One cell more on every side is room for rounding; cells outside the block are left out later.
    const minX = spacing * (low[0] - 1);
    const minY = spacing * (low[1] - 1);
    const minZ = spacing * (low[2] - 1);
    const maxX = spacing * (high[0] + 1);
    const maxY = spacing * (high[1] + 1);
    const maxZ = spacing * (high[2] + 1);
    let count = 0;
    for (let n = 0; n < total; n++) {
      const triangle = given === null ? n : given[n];
      const o = 9 * triangle;
      if (t[o] < minX && t[o + 3] < minX && t[o + 6] < minX) continue;
      if (t[o] > maxX && t[o + 3] > maxX && t[o + 6] > maxX) continue;
      if (t[o + 1] < minY && t[o + 4] < minY && t[o + 7] < minY) continue;
      if (t[o + 1] > maxY && t[o + 4] > maxY && t[o + 7] > maxY) continue;
      if (t[o + 2] < minZ && t[o + 5] < minZ && t[o + 8] < minZ) continue;
      if (t[o + 2] > maxZ && t[o + 5] > maxZ && t[o + 8] > maxZ) continue;
      chosen[count++] = triangle;
    }
    return count;
  }

  /** The part of a block that the boxes of the listed triangles cover, and one node more around them for rounding. */
  #tightened(surface: FrameSolid, block: NodeRange, spacing: number, count: number): NodeRange {
    const { triangles: t } = surface;
    const low = block.low.slice();
    const high = block.high.slice();
    for (let axis = 0; axis < 3; axis++) {
      let min = Infinity;
      let max = -Infinity;
      for (let n = 0; n < count; n++) {
        const o = 9 * this.#chosen[n] + axis;
        min = Math.min(min, t[o], t[o + 3], t[o + 6]);
        max = Math.max(max, t[o], t[o + 3], t[o + 6]);
      }
      // Never empty: the triangles reach the block, or a cell beside it.
      low[axis] = Math.min(high[axis], Math.max(low[axis], cellOf(min, spacing) - 1));
      high[axis] = Math.max(low[axis], Math.min(high[axis], cellOf(max, spacing) + 1));
    }
    return { low, high };
  }
}

// Surfaces that leave the grid: fronts enter through its border, so the nodes there get their exact distance.
import { frameBox, type GridFrame, type NodeBox } from '../grid.js';
import type { Surface } from '../source/surface.js';

/** Whether triangles lie at least partly outside the box of the nodes. */
export function leavesGrid(surface: Surface, frame: GridFrame): boolean {
  const box = frameBox(frame);
  return [0, 1, 2].some((axis) => surface.box.min[axis] < box.min[axis] || surface.box.max[axis] > box.max[axis]);
}

/**
 * Gives the nodes of `box` that lie on the grid's border and have no distance yet their exact unsigned one; returns
 * their number.
 */
export function addBorderSeeds(surface: Surface, frame: GridFrame, box: NodeBox, distances: Float64Array): number {
  const { origin, spacing, size } = frame;
  const [nx, ny, nz] = size;
  const query = surface.query();
  let added = 0;
  for (let k = box.min[2]; k <= box.max[2]; k++) {
    for (let j = box.min[1]; j <= box.max[1]; j++) {
      const isRowOnBorder = j === 0 || j === ny - 1 || (nz > 1 && (k === 0 || k === nz - 1));
      for (let i = box.min[0]; i <= box.max[0]; i++) {
        if (!isRowOnBorder && i !== 0 && i !== nx - 1) continue;
        const node = i + nx * (j + ny * k);
        if (distances[node] < Infinity) continue;
        const found = query.closestPoint([origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k]);
        distances[node] = found?.distance ?? Infinity;
        added++;
      }
    }
  }
  return added;
}

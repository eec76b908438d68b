// Cells with a border of one cell around them, which the boundary condition fills before each step. Rows begin four
// numbers before their first cell, so that vectors of four are aligned and may read past the end of a row.
import type { GridSize } from '../../field/grid.js';
import type { IceBoundary } from '../ice.js';

export interface CellLayout {
  readonly size: GridSize;
  /** Numbers from a row to the next, and from a layer to the next. */
  readonly row: number;
  readonly layer: number;
  /** Where the cell (0, 0, 0) is. */
  readonly first: number;
  /** All numbers with the border. */
  readonly length: number;
}

export function layoutOf(size: GridSize): CellLayout {
  const [nx, ny, nz] = size;
  const row = 4 * Math.ceil((nx + 8) / 4);
  const layer = row * (ny + 2);
  const isPlane = nz === 1;
  const first = (isPlane ? 0 : layer) + row + 4;
  return { size, row, layer: isPlane ? 0 : layer, first, length: layer * (isPlane ? 1 : nz + 2) + 8 };
}

type Numbers = Float32Array | Float64Array;

/**
 * Fills the border. The values beyond it are those of the cells at it ('no-flux') or of the opposite side ('periodic'),
 * or their mean with the cell at it is `wall` ('fixed').
 */
export function fillBorder(values: Numbers, layout: CellLayout, boundary: IceBoundary, wall: number | null): void {
  const [nx, ny, nz] = layout.size;
  const { row, layer, first } = layout;
  const isPeriodic = boundary === 'periodic';
  const isFixed = boundary === 'fixed' && wall !== null;
  const twice = isFixed ? 2 * wall : 0;
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      const left = first + z * layer + y * row;
      const right = left + nx - 1;
      values[left - 1] = isFixed ? twice - values[left] : values[isPeriodic ? right : left];
      values[right + 1] = isFixed ? twice - values[right] : values[isPeriodic ? left : right];
    }
    const low = first + z * layer - 1;
    const high = low + (ny - 1) * row;
    fillLine(values, low - row, isPeriodic ? high : low, nx + 2, isFixed, twice);
    fillLine(values, high + row, isPeriodic ? low : high, nx + 2, isFixed, twice);
  }
  if (layer === 0) return;
  const low = first - row - 1;
  const high = low + (nz - 1) * layer;
  const count = (ny + 1) * row + nx + 2;
  fillLine(values, low - layer, isPeriodic ? high : low, count, isFixed, twice);
  fillLine(values, high + layer, isPeriodic ? low : high, count, isFixed, twice);
}

function fillLine(values: Numbers, to: number, from: number, count: number, isFixed: boolean, twice: number): void {
  if (!isFixed) values.copyWithin(to, from, from + count);
  else for (let i = 0; i < count; i++) values[to + i] = twice - values[from + i];
}

/** Copies cells without a border into an array with one. */
export function putCells(cells: ArrayLike<number>, layout: CellLayout, values: Numbers): void {
  const [nx, ny, nz] = layout.size;
  for (let z = 0, from = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      const to = layout.first + z * layout.layer + y * layout.row;
      for (let x = 0; x < nx; x++) values[to + x] = cells[from++];
    }
  }
}

/** Copies cells out of an array with a border. */
export function takeCells<Out extends Numbers>(values: Numbers, layout: CellLayout, out: Out): Out {
  const [nx, ny, nz] = layout.size;
  for (let z = 0, to = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++, to += nx) {
      const from = layout.first + z * layout.layer + y * layout.row;
      out.set(values.subarray(from, from + nx), to);
    }
  }
  return out;
}

// Which cells of a grid hold triangles of more than one object. A triangle whose cells hold only its own object meets no
// other: two boxes that overlap share a cell. Linear; it leaves the triangles near the surfaces of others.

/** Most cells along an axis: 262,144 cells of two bytes fit the cache of one core. */
const MOST_CELLS = 64;
/** If triangles cover more cells than this on average, they are too large for the grid, and all are kept. */
const MOST_CELLS_EACH = 24;
const MANY = 0xffff;

/** A grid over boxes of triangles; it keeps its memory. */
export class OccupancyGrid {
  readonly #cells = new Uint16Array(MOST_CELLS ** 3);
  readonly #origin = new Float64Array(3);
  readonly #scale = new Float64Array(3);

  /**
   * Removes the triangles that share no cell with another object, in place, and returns how many are left.
   * @param starts the first triangle of each object, and the number of all; moved too.
   * @param region the box of the grid; its outer cells reach to infinity.
   */
  thin(triangles: Uint32Array, boxes: Float64Array, starts: Uint32Array, region: ArrayLike<number>): number {
    const objects = starts.length - 1;
    const count = starts[objects];
    this.#frame(region);
    this.#cells.fill(0);
    let budget = MOST_CELLS_EACH * count;
    for (let object = 0; object < objects; object++) {
      // More objects than numbers: all are kept.
      if (object + 1 >= MANY) return count;
      budget = this.#occupy(boxes, starts[object], starts[object + 1], object + 1, budget);
      if (budget < 0) return count;
    }
    let left = 0;
    for (let object = 0; object < objects; object++) {
      const first = starts[object];
      const end = starts[object + 1];
      starts[object] = left;
      for (let i = first; i < end; i++) {
        if (!this.#isMixed(boxes, 6 * i)) continue;
        triangles[left] = triangles[i];
        for (let k = 0; k < 6; k++) boxes[6 * left + k] = boxes[6 * i + k];
        left++;
      }
    }
    starts[objects] = left;
    return left;
  }

  #frame(region: ArrayLike<number>): void {
    for (let axis = 0; axis < 3; axis++) {
      const scale = MOST_CELLS / (region[axis + 3] - region[axis]);
      this.#origin[axis] = region[axis];
      this.#scale[axis] = scale < Infinity ? scale : 0;
    }
  }

  /** Marks the cells of boxes with their object's number and returns what is left of the budget. */
  #occupy(boxes: Float64Array, first: number, end: number, mark: number, budget: number): number {
    const cells = this.#cells;
    const x = this.#origin[0];
    const y = this.#origin[1];
    const z = this.#origin[2];
    const sx = this.#scale[0];
    const sy = this.#scale[1];
    const sz = this.#scale[2];
    for (let o = 6 * first; o < 6 * end; o += 6) {
      // The same rounding puts equal coordinates into the same cell, and greater ones never into a lesser.
      const x0 = cellOf((boxes[o] - x) * sx);
      const x1 = cellOf((boxes[o + 3] - x) * sx);
      const y0 = cellOf((boxes[o + 1] - y) * sy);
      const y1 = cellOf((boxes[o + 4] - y) * sy);
      const z0 = cellOf((boxes[o + 2] - z) * sz);
      const z1 = cellOf((boxes[o + 5] - z) * sz);
      budget -= (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1);
      if (budget < 0) return budget;
      for (let k = z0; k <= z1; k++) {
        for (let j = y0; j <= y1; j++) {
          const row = MOST_CELLS * (MOST_CELLS * k + j);
          for (let i = row + x0; i <= row + x1; i++) {
            const held = cells[i];
            if (held === 0) cells[i] = mark;
            else if (held !== mark) cells[i] = MANY;
          }
        }
      }
    }
    return budget;
  }

  #isMixed(boxes: Float64Array, o: number): boolean {
    const cells = this.#cells;
    const x = this.#origin[0];
    const y = this.#origin[1];
    const z = this.#origin[2];
    const sx = this.#scale[0];
    const sy = this.#scale[1];
    const sz = this.#scale[2];
    const x0 = cellOf((boxes[o] - x) * sx);
    const x1 = cellOf((boxes[o + 3] - x) * sx);
    const y0 = cellOf((boxes[o + 1] - y) * sy);
    const y1 = cellOf((boxes[o + 4] - y) * sy);
    const z0 = cellOf((boxes[o + 2] - z) * sz);
    const z1 = cellOf((boxes[o + 5] - z) * sz);
    for (let k = z0; k <= z1; k++) {
      for (let j = y0; j <= y1; j++) {
        const row = MOST_CELLS * (MOST_CELLS * k + j);
        for (let i = row + x0; i <= row + x1; i++) if (cells[i] === MANY) return true;
      }
    }
    return false;
  }
}

function cellOf(place: number): number {
  return place > 0 ? (place < MOST_CELLS ? place | 0 : MOST_CELLS - 1) : 0;
}

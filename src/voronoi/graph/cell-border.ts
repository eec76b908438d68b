// The border of a cell: the sequence of nearest features around it, from the sides that it shares with other cells.
import { growTo } from '../../core/grow-array.js';
import { type CellArrays, EAST, type LineArrays, NORTH, SIDE, WEST } from './cell-arrays.js';

/** The border of a cell, counter-clockwise: where the nearest feature changes. */
export class CellBorder {
  count = 0;
  /** Crossings of a change of label, or -1; the features before and after. */
  node = new Int32Array(64);
  before = new Int32Array(64);
  after = new Int32Array(64);
  x = new Float64Array(64);
  y = new Float64Array(64);
  /** The only feature, if nothing changes. */
  only = -1;

  /** Makes room for this number of changes more. */
  reserve(more: number): void {
    const length = this.count + more;
    if (length <= this.node.length) return;
    this.node = growTo(this.node, length);
    this.before = growTo(this.before, length);
    this.after = growTo(this.after, length);
    this.x = growTo(this.x, length);
    this.y = growTo(this.y, length);
  }

  /** Collects the changes around the cell. */
  read(cell: number, { box, sides }: CellArrays, lines: LineArrays): void {
    this.count = 0;
    for (let side = 0; side < 4; side++) {
      const at = SIDE * (4 * cell + side);
      const line = sides[at];
      const from = sides[at + 1];
      const to = sides[at + 2];
      const forward = lines.direction[line] === side;
      this.reserve(to - from);
      let next = this.count;
      // What sides to the east, north, west and south have in common: y0, x1, y1, x0.
      const fixed = box[4 * cell + (side === EAST ? 1 : side === NORTH ? 2 : side === WEST ? 3 : 0)];
      const level = side === EAST || side === WEST;
      for (let i = 0; i < to - from; i++) {
        const entry = forward ? from + i : to - 1 - i;
        this.before[next] = forward ? lines.before[entry] : lines.after[entry];
        this.after[next] = forward ? lines.after[entry] : lines.before[entry];
        this.node[next] = lines.node[entry];
        const place = lines.place[entry];
        this.x[next] = level ? place : fixed;
        this.y[next] = level ? fixed : place;
        next++;
      }
      this.count = next;
      if (side === 0) this.only = from > lines.at[line] ? lines.after[from - 1] : lines.first[line];
    }
  }
}

// Scan conversion of a boundary: all pixels whose samples are within the error of an edge. Each edge is drawn as the
// polygon around it at that offset, rounded at its ends (a capsule), row by row in double precision. Each pixel also gets
// the length of boundary that lies in its square.
import type { EdgeSet } from './edge-set.js';
import type { PointList } from './point-list.js';
import type { RowCrossings } from './row-crossings.js';

/** The frame of one scan. Columns and rows of pixels are counted from an origin. */
export interface ScanFrame {
  /** The radius of the capsules: half the diagonal of a pixel. */
  readonly error: number;
  readonly size: number;
  /** Column and row of the pixel that is (0, 0) in the list. */
  readonly column0: number;
  readonly row0: number;
  /** Columns and rows to draw, both ends included, counted from the origin. */
  readonly columns: number;
  readonly rows: number;
}

/**
 * Adds the pixels near one edge to the list. Rows share the terms of the edge, so that all of them are locals of one
 * function.
 * @param inside null adds all of them; otherwise only samples inside the shape whose rows these are.
 */
export function scanEdge(
  shape: EdgeSet,
  edge: number,
  frame: ScanFrame,
  inside: RowCrossings | null,
  list: PointList,
): void {
  const { error, size, column0, row0, columns, rows } = frame;
  const { edges } = shape;
  let ax = edges[4 * edge];
  let ay = edges[4 * edge + 1];
  let bx = edges[4 * edge + 2];
  let by = edges[4 * edge + 3];
  if (by < ay) {
    const x = ax;
    ax = bx;
    bx = x;
    const y = ay;
    ay = by;
    by = y;
  }
  const inverse = 1 / size;
  // As 32-bit numbers, once they are between the ends.
  let row = Math.max(0, Math.min(rows + 1, Math.ceil((ay - error) * inverse - 0.5) - row0)) | 0;
  const last = Math.max(-1, Math.min(rows, Math.floor((by + error) * inverse - 0.5) - row0)) | 0;
  if (row > last) return;
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const length = Math.sqrt(square);
  const slope = dx / dy;
  const halfWidth = (error * length) / dy;
  const steep = dy > Math.abs(dx);
  const perX = dx === 0 ? 0 : length / Math.abs(dx);
  const shift = inside === null ? 0 : (row0 - inside.first) | 0;
  const radius2 = error * error;
  // The row of a level edge.
  const level = dy === 0 ? Math.floor(ay * inverse) - row0 : -1;
  for (; row <= last; row++) {
    if (inside?.isOutside(row + shift)) continue;
    const y = (row0 + row + 0.5) * size;
    const fromA = y - ay;
    const fromB = y - by;
    // Where this row leaves the capsule: through a round end or a straight side.
    let left = Infinity;
    let right = -Infinity;
    const discA = radius2 - fromA * fromA;
    if (discA >= 0) {
      const half = Math.sqrt(discA);
      left = ax - half;
      right = ax + half;
    }
    const discB = radius2 - fromB * fromB;
    if (discB >= 0) {
      const half = Math.sqrt(discB);
      if (bx - half < left) left = bx - half;
      if (bx + half > right) right = bx + half;
    }
    if (dy > 0) {
      const middle = fromA * slope;
      const l = middle - halfWidth;
      const r = middle + halfWidth;
      const footL = l * dx + fromA * dy;
      const footR = r * dx + fromA * dy;
      if (footL >= 0 && footL <= square && ax + l < left) left = ax + l;
      if (footR >= 0 && footR <= square && ax + r > right) right = ax + r;
    }
    let first = Math.ceil(left * inverse - 0.5) - column0;
    let end = Math.floor(right * inverse - 0.5) - column0;

    // The piece of the edge in this row of squares, and its columns.
    const low = (row0 + row) * size;
    const high = low + size;
    let pieceFrom = 1;
    let pieceTo = 0;
    let lowX = 0;
    let highX = 0;
    let pieceLength = 0;
    if (dy > 0 ? by > low && ay < high : row === level) {
      const x0 = ay >= low || dy === 0 ? ax : ax + (low - ay) * slope;
      const x1 = by <= high || dy === 0 ? bx : ax + (high - ay) * slope;
      lowX = Math.min(x0, x1);
      highX = Math.max(x0, x1);
      pieceFrom = Math.floor(lowX * inverse) - column0;
      pieceTo = Math.floor(highX * inverse) - column0;
      pieceLength = steep ? (Math.min(by, high) - Math.max(ay, low)) * (length / dy) : (highX - lowX) * perX;
      // These squares are within the error; rounding may say otherwise.
      if (pieceFrom < first) first = pieceFrom;
      if (pieceTo > end) end = pieceTo;
    }
    const from = Math.max(0, Math.min(columns + 1, first)) | 0;
    const to = Math.max(-1, Math.min(columns, end)) | 0;
    for (let column = from; column <= to; column++) {
      if (inside !== null && !inside.inside(row + shift, (column0 + column + 0.5) * size)) continue;
      const place = list.placeOf(column, row);
      if (column < pieceFrom || column > pieceTo) continue;
      if (pieceFrom === pieceTo) list.lengths[place] += pieceLength;
      else {
        const start = (column0 + column) * size;
        const over = Math.min(highX, start + size) - Math.max(lowX, start);
        // Shares of the piece, so that they add up whatever the rounding.
        if (over > 0) list.lengths[place] += (pieceLength * over) / (highX - lowX);
      }
    }
  }
}

// Which nodes of a grid lie inside a closed mesh, exactly: signed crossings of the rows of nodes along x, slice by
// slice of z. Signs come from exact predicates (Shewchuk 1997). A row that meets an edge or a corner counts as if it
// lay at (y + ε, z + ε²), consistently for all triangles there; nodes on the surface are searched for where these ties
// occur. O(slices the triangles reach + crossings + nodes of the box).

import { exactSide, exactTurn } from '../../core/exact/orientation.js';
import { isPointOnTriangle } from '../../mesh/triangle/point-on-triangle.js';
import type { GridFrame, NodeBox } from '../grid.js';
import { COORDINATE_ROUNDING } from './coordinate-rounding.js';
import { clampNode, firstNodeFrom, lastNodeUpTo } from './node-range.js';

/** Label: marks a row without a step. */
const NO_PLACE = 2 ** 31 - 1;

/** Label: marks a node on a triangle in place of its winding number. */
export const TOUCHED = -(2 ** 31);

/** Rows against one set of triangles. Calls reuse the object's memory. */
export class RowCrossings {
  readonly #t: Float64Array;
  readonly #count: number;
  readonly #next: Int32Array;
  readonly #active: Int32Array;
  /** By slice: the first of a chain of the triangles that begin there. */
  #heads = new Int32Array(0);
  /** Per row one entry more than nodes: the change of the winding number of all nodes before that place. */
  #steps = new Int32Array(0);
  #touched = new Uint8Array(0);
  #hasTouched = false;
  /** By row: the first and the last place with a step. */
  #lows = new Int32Array(0);
  #highs = new Int32Array(0);

  // The current grid, box and slice.
  #originX = 0;
  #originY = 0;
  #spacing = 1;
  #minI = 0;
  #maxI = 0;
  #minJ = 0;
  #maxJ = 0;
  #z = 0;
  #pad = 0;
  /** Whether the row at which {@link #findRow} stopped lies exactly on the edge. */
  #tied = false;

  /** @param triangles nine numbers per triangle; every directed edge is balanced by others, where coincident corners count as one. */
  constructor(triangles: Float64Array, count: number) {
    this.#t = triangles;
    this.#count = count;
    this.#next = new Int32Array(count);
    this.#active = new Int32Array(count);
  }

  /**
   * Writes 1 for the nodes of `box` with a winding number of at least 1 or on a triangle, 0 for its other nodes.
   * `windings`, if given, gets the winding numbers, or {@link TOUCHED}, of the nodes of the box only, x fastest.
   */
  fill(frame: GridFrame, box: NodeBox, inside: Uint8Array, windings: Int32Array | null = null): void {
    const t = this.#t;
    const [nx, ny] = frame.size;
    const { spacing } = frame;
    const originZ = frame.origin[2];
    const minK = box.min[2];
    const maxK = box.max[2];
    if (!this.#enter(frame, box)) return;
    const heads = this.#heads;
    const next = this.#next;
    const active = this.#active;
    let activeCount = 0;
    for (let k = minK; k <= maxK; k++) {
      this.#z = originZ + spacing * k;
      for (let triangle = heads[k - minK]; triangle >= 0; triangle = next[triangle]) active[activeCount++] = triangle;
      let kept = 0;
      for (let n = 0; n < activeCount; n++) {
        const o = 9 * active[n];
        if (t[o + 2] < this.#z && t[o + 5] < this.#z && t[o + 8] < this.#z) continue;
        active[kept++] = active[n];
        this.#crossTriangle(o);
      }
      activeCount = kept;
      if (windings !== null) this.#writeWindings(windings, k - minK);
      this.#writeSlice(inside, this.#minI + nx * (this.#minJ + ny * k), nx);
    }
  }

  /** Stores the grid and sorts the triangles by their first slice; returns false when the box is empty. */
  #enter(frame: GridFrame, box: NodeBox): boolean {
    const t = this.#t;
    const { origin, spacing } = frame;
    const [minI, minJ, minK] = box.min;
    const [maxI, maxJ, maxK] = box.max;
    if (maxI < minI || maxJ < minJ || maxK < minK) return false;
    this.#originX = origin[0];
    this.#originY = origin[1];
    this.#spacing = spacing;
    this.#minI = minI;
    this.#maxI = maxI;
    this.#minJ = minJ;
    this.#maxJ = maxJ;
    const places = (maxI - minI + 2) * (maxJ - minJ + 1);
    if (this.#steps.length < places) {
      this.#steps = new Int32Array(places);
      this.#touched = new Uint8Array(places);
    }
    const rows = maxJ - minJ + 1;
    if (this.#lows.length < rows) {
      this.#lows = new Int32Array(rows).fill(NO_PLACE);
      this.#highs = new Int32Array(rows).fill(-1);
    }
    if (this.#heads.length < maxK - minK + 1) this.#heads = new Int32Array(maxK - minK + 1);
    const heads = this.#heads.fill(-1, 0, maxK - minK + 1);
    const firstX = origin[0] + spacing * minI;
    const firstY = origin[1] + spacing * minJ;
    const firstZ = origin[2] + spacing * minK;
    const lastY = origin[1] + spacing * maxJ;
    const lastZ = origin[2] + spacing * maxK;
    let extent = 0;
    for (let triangle = 0; triangle < this.#count; triangle++) {
      const o = 9 * triangle;
      const minZ = Math.min(t[o + 2], t[o + 5], t[o + 8]);
      const maxZ = Math.max(t[o + 2], t[o + 5], t[o + 8]);
      if (minZ > lastZ || maxZ < firstZ) continue;
      const minY = Math.min(t[o + 1], t[o + 4], t[o + 7]);
      const maxY = Math.max(t[o + 1], t[o + 4], t[o + 7]);
      if (minY > lastY || maxY < firstY) continue;
      const maxX = Math.max(t[o], t[o + 3], t[o + 6]);
      // No ray from the nodes of the box crosses what lies before the box.
      if (maxX < firstX) continue;
      extent = Math.max(extent, Math.abs(t[o]), Math.abs(t[o + 3]), Math.abs(t[o + 6]), maxY, -minY, maxZ, -minZ);
      const k = firstNodeFrom(origin[2], spacing, minK, maxK, minZ);
      if (k > maxK || origin[2] + spacing * k > maxZ) continue;
      this.#next[triangle] = heads[k - minK];
      heads[k - minK] = triangle;
    }
    this.#pad = spacing + COORDINATE_ROUNDING * extent;
    return true;
  }

  #writeWindings(windings: Int32Array, slice: number): void {
    const width = this.#maxI - this.#minI + 1;
    const rows = this.#maxJ - this.#minJ + 1;
    for (let row = 0; row < rows; row++) {
      const o = (width + 1) * row;
      const out = width * (row + rows * slice);
      let winding = 0;
      for (let i = width - 1; i >= 0; i--) {
        winding += this.#steps[o + i + 1];
        windings[out + i] = this.#touched[o + i] ? TOUCHED : winding;
      }
    }
  }

  /** Sums up the slice from the far end of each row, one run of nodes between steps at a time, and clears it. */
  #writeSlice(inside: Uint8Array, first: number, stride: number): void {
    const steps = this.#steps;
    const touched = this.#touched;
    const lows = this.#lows;
    const highs = this.#highs;
    const width = this.#maxI - this.#minI + 1;
    const rows = this.#maxJ - this.#minJ + 1;
    for (let row = 0; row < rows; row++) {
      const o = (width + 1) * row;
      const out = first + stride * row;
      const low = lows[row];
      let winding = 0;
      let end = width;
      for (let place = highs[row]; place >= low; place--) {
        if (steps[o + place] === 0) continue;
        inside.fill(winding > 0 ? 1 : 0, out + place, out + end);
        end = place;
        winding += steps[o + place];
        steps[o + place] = 0;
      }
      inside.fill(winding > 0 ? 1 : 0, out, out + end);
      lows[row] = NO_PLACE;
      highs[row] = -1;
      if (this.#hasTouched) for (let i = 0; i < width; i++) if (touched[o + i]) inside[out + i] = 1;
    }
    if (this.#hasTouched) touched.fill(0, 0, (width + 1) * rows);
    this.#hasTouched = false;
  }

  /** Records the crossings of the rows of this slice with the triangle at `t[o]`. */
  #crossTriangle(o: number): void {
    const t = this.#t;
    const z = this.#z;
    const az = t[o + 2];
    const bz = t[o + 5];
    const cz = t[o + 8];
    if (az === z || bz === z || cz === z) this.#touchSection(o);
    const a = az <= z;
    const b = bz <= z;
    const c = cz <= z;
    if (a === b && b === c) return;
    // Two sides cross the slice, one upward and one downward; the triangle lies between them.
    const up = a && !b ? o : b && !c ? o + 3 : o + 6;
    const upEnd = up === o + 6 ? o : up + 3;
    const down = !a && b ? o : !b && c ? o + 3 : o + 6;
    const downEnd = down === o + 6 ? o : down + 3;
    const upRow = this.#findRow(up, upEnd);
    const upTied = this.#tied;
    const downRow = this.#findRow(downEnd, down);
    const downTied = this.#tied;
    if (upTied || downTied) {
      const upX = this.#sideAt(up, upEnd, 0);
      const downX = this.#sideAt(downEnd, down, 0);
      // Seen edge-on, both sides meet the same row, with the whole triangle between them.
      if (upTied && downTied && upRow === downRow) {
        this.#touchRow(o, upRow, Math.min(upX, downX), Math.max(upX, downX));
      } else {
        if (upTied) this.#touchRow(o, upRow, upX, upX);
        if (downTied) this.#touchRow(o, downRow, downX, downX);
      }
    }
    // An upward side at larger y means a normal toward +x.
    if (downRow < upRow) this.#crossRows(o, downRow, upRow, 1);
    else if (upRow < downRow) this.#crossRows(o, upRow, downRow, -1);
  }

  /** The coordinate (0 for x, 1 for y) at which a side, from its lower to its upper corner, crosses the slice; rounded. */
  #sideAt(low: number, high: number, axis: number): number {
    const t = this.#t;
    const share = (this.#z - t[low + 2]) / (t[high + 2] - t[low + 2]);
    return t[low + axis] + share * (t[high + axis] - t[low + axis]);
  }

  /** The first row of the box at the side, from its lower to its upper corner, or beyond. Exact. */
  #findRow(low: number, high: number): number {
    const t = this.#t;
    const z = this.#z;
    const origin = this.#originY;
    const spacing = this.#spacing;
    const lowY = t[low + 1];
    const lowZ = t[low + 2];
    const highY = t[high + 1];
    const highZ = t[high + 2];
    let row = clampNode(Math.ceil((this.#sideAt(low, high, 1) - origin) / spacing), this.#minJ, this.#maxJ);
    let turn = 1;
    // Counter-clockwise to the left of the side, that is at smaller y.
    while (row > this.#minJ && exactTurn(lowY, lowZ, highY, highZ, origin + spacing * (row - 1), z) <= 0) row--;
    while (row <= this.#maxJ && (turn = exactTurn(lowY, lowZ, highY, highZ, origin + spacing * row, z)) > 0) row++;
    this.#tied = row <= this.#maxJ && turn === 0;
    return row;
  }

  /** Records the crossings of the rows `from` to before `to` with the triangle, whose normal points along x with this `sign`. */
  #crossRows(o: number, from: number, to: number, sign: number): void {
    const t = this.#t;
    const ax = t[o];
    const ay = t[o + 1];
    const az = t[o + 2];
    const bx = t[o + 3];
    const by = t[o + 4];
    const bz = t[o + 5];
    const cx = t[o + 6];
    const cy = t[o + 7];
    const cz = t[o + 8];
    const z = this.#z;
    const originX = this.#originX;
    const spacing = this.#spacing;
    const minI = this.#minI;
    const maxI = this.#maxI;
    const steps = this.#steps;
    const lows = this.#lows;
    const highs = this.#highs;
    const rowLength = maxI - minI + 2;
    const normalX = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const slopeY = ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) / normalX;
    const slopeZ = ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / normalX;
    const minX = Math.min(ax, bx, cx);
    const maxX = Math.max(ax, bx, cx);
    for (let j = from; j < to; j++) {
      const y = this.#originY + spacing * j;
      const guess = Math.min(maxX, Math.max(minX, ax - slopeY * (y - ay) - slopeZ * (z - az)));
      let i = clampNode(Math.ceil((guess - originX) / spacing), minI, maxI);
      let side = 0;
      // Times the sign, positive before the crossing.
      while (i > minI) {
        side = -sign * exactSide(ax, ay, az, bx, by, bz, cx, cy, cz, originX + spacing * (i - 1), y, z);
        if (side > 0) break;
        i--;
      }
      while (i <= maxI) {
        side = -sign * exactSide(ax, ay, az, bx, by, bz, cx, cy, cz, originX + spacing * i, y, z);
        if (side <= 0) break;
        i++;
      }
      const place = rowLength * (j - this.#minJ) + i - minI;
      // The perturbed row passes through the triangle, so a node in its plane is on it.
      if (i <= maxI && side === 0) {
        this.#touched[place] = 1;
        this.#hasTouched = true;
      }
      if (i > minI) {
        steps[place] += sign;
        const row = j - this.#minJ;
        if (i - minI < lows[row]) lows[row] = i - minI;
        if (i - minI > highs[row]) highs[row] = i - minI;
      }
    }
  }

  /** Marks the nodes of this slice on a triangle that has a corner, a side or all of it in the slice. */
  #touchSection(o: number): void {
    const t = this.#t;
    const z = this.#z;
    let minX = Infinity;
    let maxX = -Infinity;
    let minY = Infinity;
    let maxY = -Infinity;
    for (let corner = 0; corner < 3; corner++) {
      const p = o + 3 * corner;
      const q = o + 3 * ((corner + 1) % 3);
      let x = t[p];
      let y = t[p + 1];
      if (t[p + 2] !== z) {
        if (t[p + 2] < z === t[q + 2] < z || t[q + 2] === z) continue;
        x = this.#sideAt(p, q, 0);
        y = this.#sideAt(p, q, 1);
      }
      minX = Math.min(minX, x);
      maxX = Math.max(maxX, x);
      minY = Math.min(minY, y);
      maxY = Math.max(maxY, y);
    }
    const last = lastNodeUpTo(this.#originY, this.#spacing, this.#minJ, this.#maxJ, maxY + this.#pad);
    const first = firstNodeFrom(this.#originY, this.#spacing, this.#minJ, this.#maxJ, minY - this.#pad);
    for (let j = first; j <= last; j++) this.#touchRow(o, j, minX, maxX);
  }

  /** Marks the nodes of a row on the triangle, searched from `minX` to `maxX` with room for rounding. */
  #touchRow(o: number, j: number, minX: number, maxX: number): void {
    const origin = this.#originX;
    const spacing = this.#spacing;
    const y = this.#originY + spacing * j;
    const row = (this.#maxI - this.#minI + 2) * (j - this.#minJ) - this.#minI;
    const last = lastNodeUpTo(origin, spacing, this.#minI, this.#maxI, maxX + this.#pad);
    for (let i = firstNodeFrom(origin, spacing, this.#minI, this.#maxI, minX - this.#pad); i <= last; i++) {
      if (this.#touched[row + i] || !isPointOnTriangle(this.#t, o, origin + spacing * i, y, this.#z)) continue;
      this.#touched[row + i] = 1;
      this.#hasTouched = true;
    }
  }
}

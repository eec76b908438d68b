// Which cells of a grid a surface passes through, and the area of it in each: every triangle is cut into the cells that
// it meets, by planes along z, then y, then x. The cell of a node is the cube around it. Cells share only their faces,
// so the areas sum up to that of the surface. O(triangles + pieces).
import { growTo } from '../../core/grow-array.js';

/** Proven: corners of a triangle cut by two planes along each axis: each plane adds one. */
const MAX_CORNERS = 9;

/** The cells met so far, of one grid. */
export class SurfaceCells {
  count = 0;
  /** By cell met: its node, x fastest. */
  nodes = new Int32Array(1024);
  /** By cell met: the area of surface in it, in squared spacings. */
  areas = new Float64Array(1024);
  /** By node: the cell met, plus 1; 0 where none was. */
  #cellOf = new Int32Array(0);
  readonly #size = new Int32Array(3);
  /** The cell of the piece that is cut out next. */
  readonly #place = new Int32Array(3);
  /** By axis: what is cut off, then the whole; and two buffers for each axis, in turn for what remains. */
  readonly #parts = [polygon(), polygon(), polygon(), polygon()];
  readonly #rests = [polygon(), polygon(), polygon(), polygon(), polygon(), polygon()];
  #lowCount = 0;
  #highCount = 0;
  // The axes in whose plane areas are measured, and what makes them areas of the triangle.
  #u = 0;
  #v = 1;
  #scale = 0;
  #wanted: Uint8Array | null = null;

  /** Begins with a grid of that many nodes. */
  begin(nx: number, ny: number, nz: number): void {
    this.clear();
    this.#size[0] = nx;
    this.#size[1] = ny;
    this.#size[2] = nz;
    if (this.#cellOf.length < nx * ny * nz) this.#cellOf = new Int32Array(nx * ny * nz);
  }

  /** Forgets all cells, in time proportional to their number. */
  clear(): void {
    for (let cell = 0; cell < this.count; cell++) this.#cellOf[this.nodes[cell]] = 0;
    this.count = 0;
  }

  /** The cell of a node, or −1. */
  cellAt(node: number): number {
    return this.#cellOf[node] - 1;
  }

  /**
   * Adds a triangle, its corners in spacings, so that the cell of node (i, j, k) reaches from (i, j, k) to
   * (i + 1, j + 1, k + 1). What lies outside the grid, or in cells where `wanted` is 0, is left out.
   */
  add(t: Float64Array, o: number, wanted: Uint8Array | null): void {
    const size = this.#size;
    const ax = t[o];
    const ay = t[o + 1];
    const az = t[o + 2];
    const bx = t[o + 3];
    const by = t[o + 4];
    const bz = t[o + 5];
    const cx = t[o + 6];
    const cy = t[o + 7];
    const cz = t[o + 8];
    const minI = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
    const maxI = Math.min(size[0] - 1, Math.floor(Math.max(ax, bx, cx)));
    const minJ = Math.max(0, Math.floor(Math.min(ay, by, cy)));
    const maxJ = Math.min(size[1] - 1, Math.floor(Math.max(ay, by, cy)));
    const minK = Math.max(0, Math.floor(Math.min(az, bz, cz)));
    const maxK = Math.min(size[2] - 1, Math.floor(Math.max(az, bz, cz)));
    if (minI > maxI || minJ > maxJ || minK > maxK) return;
    if (wanted !== null && !isAnyWanted(wanted, size[0], size[1], minI, maxI, minJ, maxJ, minK, maxK)) return;
    const normalX = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const normalY = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const normalZ = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const length = Math.sqrt(normalX * normalX + normalY * normalY + normalZ * normalZ);
    const sizeX = Math.abs(normalX);
    const sizeY = Math.abs(normalY);
    const sizeZ = Math.abs(normalZ);
    let largest = sizeZ;
    this.#u = 0;
    this.#v = 1;
    if (sizeX >= sizeY && sizeX >= sizeZ) {
      this.#u = 1;
      this.#v = 2;
      largest = sizeX;
    } else if (sizeY >= sizeZ) {
      this.#v = 2;
      largest = sizeY;
    }
    this.#scale = largest > 0 ? length / largest / 2 : 0;
    this.#wanted = wanted;
    const whole = this.#parts[3];
    for (let n = 0; n < 9; n++) whole[n] = t[o + n];
    this.#cut(2, whole, 3);
  }

  /** Cuts a polygon into the layers of cells along an axis, and each piece along the axes before it. */
  #cut(axis: number, source: Float64Array, count: number): void {
    let low = Infinity;
    let high = -Infinity;
    for (let n = axis; n < 3 * count; n += 3) {
      if (source[n] < low) low = source[n];
      if (source[n] > high) high = source[n];
    }
    const first = Math.max(0, Math.floor(low));
    const last = Math.min(this.#size[axis] - 1, Math.floor(high));
    const part = this.#parts[axis];
    let rest = source;
    let restCount = count;
    let turn = 0;
    if (low < first) {
      this.#split(rest, restCount, axis, first, part, this.#rests[2 * axis]);
      rest = this.#rests[2 * axis];
      restCount = this.#highCount;
      turn = 1;
    }
    for (let at = first; at <= last && restCount > 0; at++) {
      let piece = rest;
      let pieceCount = restCount;
      if (high > at + 1) {
        this.#split(rest, restCount, axis, at + 1, part, this.#rests[2 * axis + turn]);
        piece = part;
        pieceCount = this.#lowCount;
        rest = this.#rests[2 * axis + turn];
        restCount = this.#highCount;
        turn = 1 - turn;
      }
      if (pieceCount === 0) continue;
      this.#place[axis] = at;
      if (axis === 0) this.#addPiece(piece, pieceCount);
      else this.#cut(axis - 1, piece, pieceCount);
    }
  }

  /** Cuts a convex polygon at a plane; corners on the plane belong to both parts. */
  #split(
    source: Float64Array,
    count: number,
    axis: number,
    value: number,
    low: Float64Array,
    high: Float64Array,
  ): void {
    let lows = 0;
    let highs = 0;
    let p = 3 * (count - 1);
    let before = source[p + axis] - value;
    for (let q = 0; q < 3 * count; q += 3) {
      const here = source[q + axis] - value;
      if ((before < 0 && here > 0) || (before > 0 && here < 0)) {
        const share = before / (before - here);
        for (let a = 0; a < 3; a++) {
          const x = a === axis ? value : source[p + a] + share * (source[q + a] - source[p + a]);
          low[lows + a] = x;
          high[highs + a] = x;
        }
        lows += 3;
        highs += 3;
      }
      if (here <= 0) {
        low[lows] = source[q];
        low[lows + 1] = source[q + 1];
        low[lows + 2] = source[q + 2];
        lows += 3;
      }
      if (here >= 0) {
        high[highs] = source[q];
        high[highs + 1] = source[q + 1];
        high[highs + 2] = source[q + 2];
        highs += 3;
      }
      p = q;
      before = here;
    }
    this.#lowCount = lows / 3;
    this.#highCount = highs / 3;
  }

  #addPiece(piece: Float64Array, count: number): void {
    const node = this.#place[0] + this.#size[0] * (this.#place[1] + this.#size[1] * this.#place[2]);
    if (this.#wanted !== null && this.#wanted[node] === 0) return;
    const u = this.#u;
    const v = this.#v;
    let twice = 0;
    for (let n = 6; n < 3 * count; n += 3) {
      twice +=
        (piece[n - 3 + u] - piece[u]) * (piece[n + v] - piece[v]) -
        (piece[n - 3 + v] - piece[v]) * (piece[n + u] - piece[u]);
    }
    let cell = this.#cellOf[node] - 1;
    if (cell < 0) {
      cell = this.count++;
      if (cell >= this.nodes.length) {
        this.nodes = growTo(this.nodes, cell + 1);
        this.areas = growTo(this.areas, cell + 1);
      }
      this.nodes[cell] = node;
      this.areas[cell] = 0;
      this.#cellOf[node] = cell + 1;
    }
    this.areas[cell] += Math.abs(twice) * this.#scale;
  }
}

function polygon(): Float64Array {
  // One corner more than convex polygons get: rounding may add one.
  return new Float64Array(3 * (MAX_CORNERS + 1));
}

/** Takes scalars, for inner loops. */
function isAnyWanted(
  wanted: Uint8Array,
  nx: number,
  ny: number,
  minI: number,
  maxI: number,
  minJ: number,
  maxJ: number,
  minK: number,
  maxK: number,
): boolean {
  for (let k = minK; k <= maxK; k++) {
    for (let j = minJ; j <= maxJ; j++) {
      const row = nx * (j + ny * k);
      for (let i = minI; i <= maxI; i++) if (wanted[row + i] !== 0) return true;
    }
  }
  return false;
}

// Which triangles share a cell of a grid with another object. The others meet none: two boxes that overlap share a cell.
// Linear, and without boxes of triangles: cells are found for vertices, and a triangle covers those between its corners.
import { growTo } from '../core/grow-array.js';
import type { Mesh } from '../mesh/mesh.js';
import { dilateBits, headMask, MAX_CELL, maskOf, placeOf, WORDS } from './grid-bits.js';

/** Chosen: if triangles cover more rows of cells than this on average, they are too large for the grid. */
const MAX_ROWS_EACH = 24;
/** Chosen: triangles of an object whose size is looked at. */
const SAMPLE = 64;
/** Layout: the bits of a vertex's code for its cell: a byte for each axis, of which six bits are used. */
const CELL = 0x3f3f3f;
/** Layout: the bits of a vertex's code that say on which sides of its object's region it is. */
const SIDES = 0x3f000000;
/** Label: the bit of a vertex's code that says that no other object is in its cell or in the 26 around it. */
const FAR = 0x40000000;
/** Layout: 2 on each axis of a code's cell, added to differences of cells. */
const TWO = 0x020202;
/**
 * Layout: differences of cells, plus 2 on each axis, that are not −1, 0 or 1 set one of these bits in one order or the
 * other.
 */
const NOT_NEXT = 0xfcfcfc;

/** The objects that may meet others, of two or more. */
export interface GridInput {
  readonly objects: readonly Mesh[];
  /** Ids of those that take part. */
  readonly ids: Uint32Array;
  /** For each of the ids the box around what its object has in common with others, six numbers. */
  readonly regions: Float64Array;
}

/** A grid over the box around all regions; it keeps its memory. */
export class OccupancyGrid {
  /** Triangles found, by number within their object; of the n-th object from starts[n] to ends[n] − 1, ascending. */
  found = new Uint32Array(0);
  starts = new Uint32Array(0);
  ends = new Uint32Array(0);
  /** Cells with an object, with two or more, with the present object, and with an object in a cell around. */
  readonly #held = new Int32Array(WORDS);
  readonly #mixed = new Int32Array(WORDS);
  readonly #own = new Int32Array(WORDS);
  readonly #near = new Int32Array(WORDS);
  #codes = new Int32Array(0);
  #firstCodes = new Uint32Array(0);
  #count = 0;
  #budget = 0;

  /** Finds the triangles. False if they are too large for the grid. */
  find(input: GridInput): boolean {
    const { objects, ids, regions } = input;
    const largest = this.#reserve(input);
    const frame = frameOf(input);
    this.#held.fill(0);
    this.#mixed.fill(0);
    for (let n = 0; n < ids.length; n++) {
      if (n === largest) continue;
      const mesh = objects[ids[n]];
      const codes = this.#codesOf(n, mesh);
      locate(codes, mesh.positions, frame, regions, 6 * n);
      this.#own.fill(0);
      if (!this.#occupy(codes, mesh.indices)) return false;
      this.#merge();
    }
    // The largest object comes last: only what it shares with those before it counts, so one pass finds it.
    const last = objects[ids[largest]];
    locate(this.#codesOf(largest, last), last.positions, frame, regions, 6 * largest);
    this.#own.fill(0);
    if (!this.#select(largest, last, this.#held)) return false;
    this.#merge();
    for (let n = 0; n < ids.length; n++) {
      if (n === largest) continue;
      if (!this.#select(n, objects[ids[n]], this.#mixed)) return false;
    }
    return true;
  }

  #codesOf(n: number, { positions }: Mesh): Int32Array {
    return this.#codes.subarray(this.#firstCodes[n], this.#firstCodes[n] + positions.length / 3);
  }

  /** Makes room, and returns the place of the object with the most triangles. */
  #reserve({ objects, ids }: GridInput): number {
    if (this.starts.length < ids.length) {
      this.starts = new Uint32Array(2 * ids.length);
      this.ends = new Uint32Array(2 * ids.length);
      this.#firstCodes = new Uint32Array(2 * ids.length);
    }
    let vertices = 0;
    let triangles = 0;
    let largest = 0;
    for (let n = 0; n < ids.length; n++) {
      const { positions, indices } = objects[ids[n]];
      this.#firstCodes[n] = vertices;
      vertices += positions.length / 3;
      triangles += indices.length / 3;
      if (indices.length > objects[ids[largest]].indices.length) largest = n;
    }
    if (this.#codes.length < vertices) this.#codes = new Int32Array(Math.ceil(1.25 * vertices));
    if (this.found.length < triangles) this.found = growTo(this.found, triangles);
    this.#count = 0;
    // Each triangle is looked at once or twice.
    this.#budget = 2 * MAX_ROWS_EACH * triangles;
    return largest;
  }

  /** Marks the cells of an object's triangles as its own. False if they are too many. */
  #occupy(codes: Int32Array, indices: Uint32Array): boolean {
    const own = this.#own;
    let budget = this.#budget;
    for (let i = 0; i < indices.length; i += 3) {
      const a = codes[indices[i]];
      const b = codes[indices[i + 1]];
      const c = codes[indices[i + 2]];
      if ((a & b & c & SIDES) !== 0) continue;
      const x0 = Math.min(a & 63, b & 63, c & 63);
      const x1 = Math.max(a & 63, b & 63, c & 63);
      const y0 = Math.min((a >> 8) & 63, (b >> 8) & 63, (c >> 8) & 63);
      const y1 = Math.max((a >> 8) & 63, (b >> 8) & 63, (c >> 8) & 63);
      const z0 = Math.min((a >> 16) & 63, (b >> 16) & 63, (c >> 16) & 63);
      const z1 = Math.max((a >> 16) & 63, (b >> 16) & 63, (c >> 16) & 63);
      budget -= (y1 - y0 + 1) * (z1 - z0 + 1);
      if (budget < 0) return false;
      const mask = maskOf(x0, x1);
      const crosses = (x0 ^ x1) & 32;
      for (let z = z0; z <= z1; z++) {
        for (let y = y0; y <= y1; y++) {
          const place = placeOf(x0, y, z);
          own[place] |= mask;
          if (crosses !== 0) own[place + 1] |= headMask(x1);
        }
      }
    }
    this.#budget = budget;
    return true;
  }

  /** Adds the present object's cells to those of the others. */
  #merge(): void {
    const held = this.#held;
    const mixed = this.#mixed;
    const own = this.#own;
    for (let i = 0; i < WORDS; i++) {
      mixed[i] |= held[i] & own[i];
      held[i] |= own[i];
    }
  }

  /** Lists the triangles of an object that reach a cell of `cells`, and marks these cells as its own. */
  #select(n: number, mesh: Mesh, cells: Int32Array): boolean {
    const { indices } = mesh;
    const codes = this.#codesOf(n, mesh);
    const own = this.#own;
    const found = this.found;
    this.#markFar(codes, cells);
    this.starts[n] = this.#count;
    let count = this.#count;
    let budget = this.#budget;
    for (let i = 0, triangle = 0; i < indices.length; i += 3, triangle++) {
      const a = codes[indices[i]];
      const b = codes[indices[i + 1]];
      const c = codes[indices[i + 2]];
      if ((a & b & c & SIDES) !== 0) continue;
      if ((a & FAR) !== 0) {
        const ab = (a & CELL) - (b & CELL);
        const ac = (a & CELL) - (c & CELL);
        if ((((TWO + ab) | (TWO - ab) | (TWO + ac) | (TWO - ac)) & NOT_NEXT) === 0) continue;
      }
      const x0 = Math.min(a & 63, b & 63, c & 63);
      const x1 = Math.max(a & 63, b & 63, c & 63);
      const y0 = Math.min((a >> 8) & 63, (b >> 8) & 63, (c >> 8) & 63);
      const y1 = Math.max((a >> 8) & 63, (b >> 8) & 63, (c >> 8) & 63);
      const z0 = Math.min((a >> 16) & 63, (b >> 16) & 63, (c >> 16) & 63);
      const z1 = Math.max((a >> 16) & 63, (b >> 16) & 63, (c >> 16) & 63);
      budget -= (y1 - y0 + 1) * (z1 - z0 + 1);
      if (budget < 0) return false;
      const mask = maskOf(x0, x1);
      const crosses = (x0 ^ x1) & 32;
      let reaches = 0;
      for (let z = z0; z <= z1; z++) {
        for (let y = y0; y <= y1; y++) {
          const place = placeOf(x0, y, z);
          const shared = cells[place] & mask;
          reaches |= shared;
          own[place] |= shared;
          if (crosses === 0) continue;
          const more = cells[place + 1] & headMask(x1);
          reaches |= more;
          own[place + 1] |= more;
        }
      }
      if (reaches !== 0) found[count++] = triangle;
    }
    this.#budget = budget;
    this.ends[n] = count;
    this.#count = count;
    return true;
  }

  /** Marks the vertices without a cell of `cells` around them. */
  #markFar(codes: Int32Array, cells: Int32Array): void {
    const near = this.#near;
    dilateBits(cells, near);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i];
      const bit = near[placeOf(code & 63, (code >> 8) & 63, (code >> 16) & 63)] & (1 << (code & 31));
      if (bit === 0) codes[i] = code | FAR;
    }
  }
}

/** The origin of the grid, and its cells per length. Cells are cubes, no smaller than the triangles on average. */
function frameOf({ objects, ids, regions }: GridInput): Float64Array {
  const frame = new Float64Array(4);
  let length = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let o = axis; o < regions.length; o += 6) {
      low = Math.min(low, regions[o]);
      high = Math.max(high, regions[o + 3]);
    }
    frame[axis] = low;
    length = Math.max(length, high - low);
  }
  let size = 0;
  for (let n = 0; n < ids.length; n++) size += meanExtent(objects[ids[n]]) / ids.length;
  const scale = Math.min((MAX_CELL + 1) / length, 1 / size);
  frame[3] = scale < Infinity ? scale : 0;
  return frame;
}

/** The mean of the longest sides of triangles' boxes, from a sample. */
function meanExtent({ positions, indices }: Mesh): number {
  const triangles = indices.length / 3;
  const step = Math.ceil(triangles / SAMPLE);
  let sum = 0;
  let count = 0;
  for (let triangle = 0; triangle < triangles; triangle += step) {
    const a = 3 * indices[3 * triangle];
    const b = 3 * indices[3 * triangle + 1];
    const c = 3 * indices[3 * triangle + 2];
    let extent = 0;
    for (let axis = 0; axis < 3; axis++) {
      const x = positions[a + axis];
      const y = positions[b + axis];
      const z = positions[c + axis];
      extent = Math.max(extent, Math.max(x, y, z) - Math.min(x, y, z));
    }
    sum += extent;
    count++;
  }
  return sum / count;
}

/** Writes the codes of an object's vertices. */
function locate(
  codes: Int32Array,
  positions: Float64Array,
  frame: Float64Array,
  regions: Float64Array,
  region: number,
): void {
  const x0 = frame[0];
  const y0 = frame[1];
  const z0 = frame[2];
  const scale = frame[3];
  const minX = regions[region];
  const minY = regions[region + 1];
  const minZ = regions[region + 2];
  const maxX = regions[region + 3];
  const maxY = regions[region + 4];
  const maxZ = regions[region + 5];
  for (let i = 0, at = 0; i < positions.length; i += 3, at++) {
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    const sides =
      (x < minX ? 1 : x > maxX ? 2 : 0) | (y < minY ? 4 : y > maxY ? 8 : 0) | (z < minZ ? 16 : z > maxZ ? 32 : 0);
    // The same rounding puts equal coordinates into the same cell, and greater ones never into a lesser. The outer
    // cells reach to infinity.
    const cellX = Math.max(0, Math.min(MAX_CELL, (x - x0) * scale)) | 0;
    const cellY = Math.max(0, Math.min(MAX_CELL, (y - y0) * scale)) | 0;
    const cellZ = Math.max(0, Math.min(MAX_CELL, (z - z0) * scale)) | 0;
    codes[at] = cellX | (cellY << 8) | (cellZ << 16) | (sides << 24);
  }
}

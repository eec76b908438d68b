// The pixels that a query reports, each once, with what is known about it, in flat arrays that are kept from call to call.
// A hash table finds a pixel's place. It is never cleared: an entry counts only if the place it names points back to it
// (Briggs and Torczon 1993).
import { growTo } from '../../core/grow-array.js';

/** Chosen: a factor of the hash of a column, from the golden ratio: it spreads neighbors over the table. */
const SPREAD_X = 0x9e3779b1;
/** Chosen: a factor of the hash of a row, unlike that of a column. */
const SPREAD_Y = 0x85ebca77;

export class PointList {
  count = 0;
  /** Columns and rows of the pixels, from the origin of the query. */
  columns = new Int32Array(64);
  rows = new Int32Array(64);
  /** 0 for points of A's boundary, 1 for B's. */
  objects = new Int32Array(64);
  points = new Float64Array(128);
  distances = new Float64Array(64);
  directions = new Float64Array(128);
  lengths = new Float64Array(64);
  /** Places below this belong to earlier searches. */
  #start = 0;
  /** The entry of the table that names each place. */
  #entries = new Int32Array(64);
  #table = new Int32Array(128);

  /** Forgets everything. */
  clear(): void {
    this.count = 0;
    this.#start = 0;
  }

  /** From here on, pixels that were added before are new again. */
  startSet(): void {
    this.#start = this.count;
  }

  /** The place of a pixel, which is added with the length 0 if it is new. */
  placeOf(column: number, row: number): number {
    if (2 * (this.count - this.#start) >= this.#table.length) this.#growTable();
    const table = this.#table;
    const entries = this.#entries;
    const mask = table.length - 1;
    let entry = this.#hash(column, row) & mask;
    // At least half of the table is free, so the walk ends.
    for (;;) {
      const place = table[entry];
      if (place < this.#start || place >= this.count || entries[place] !== entry) break;
      if (this.columns[place] === column && this.rows[place] === row) return place;
      entry = (entry + 1) & mask;
    }
    const place = this.count;
    if (place === this.columns.length) this.#growPlaces();
    this.count++;
    table[entry] = place;
    this.#entries[place] = entry;
    this.columns[place] = column;
    this.rows[place] = row;
    this.lengths[place] = 0;
    return place;
  }

  /** Copies what is known about one point to an earlier place. */
  move(from: number, to: number): void {
    if (from === to) return;
    this.columns[to] = this.columns[from];
    this.rows[to] = this.rows[from];
    this.objects[to] = this.objects[from];
    this.points[2 * to] = this.points[2 * from];
    this.points[2 * to + 1] = this.points[2 * from + 1];
    this.distances[to] = this.distances[from];
    this.directions[2 * to] = this.directions[2 * from];
    this.directions[2 * to + 1] = this.directions[2 * from + 1];
    this.lengths[to] = this.lengths[from];
  }

  #hash(column: number, row: number): number {
    const mixed = Math.imul(column, SPREAD_X) ^ Math.imul(row, SPREAD_Y);
    return mixed ^ (mixed >>> 15);
  }

  #growPlaces(): void {
    const room = 2 * this.columns.length;
    this.columns = growTo(this.columns, room);
    this.rows = growTo(this.rows, room);
    this.objects = growTo(this.objects, room);
    this.points = growTo(this.points, 2 * room);
    this.distances = growTo(this.distances, room);
    this.directions = growTo(this.directions, 2 * room);
    this.lengths = growTo(this.lengths, room);
    this.#entries = growTo(this.#entries, room);
  }

  #growTable(): void {
    const table = new Int32Array(2 * this.#table.length).fill(-1);
    const mask = table.length - 1;
    this.#table = table;
    for (let place = this.#start; place < this.count; place++) {
      let entry = this.#hash(this.columns[place], this.rows[place]) & mask;
      while (table[entry] >= 0) entry = (entry + 1) & mask;
      table[entry] = place;
      this.#entries[place] = entry;
    }
  }
}

// The triangles that can meet another object, by boxes alone: those that reach into the common part of their object's
// box and another's. Objects that overlap in a corner keep a few triangles of many. One pass over vertices and ids.
import { growTo } from '../core/grow-array.js';
import type { Mesh } from '../mesh/mesh.js';
import { BoxForest } from '../spatial/box-forest.js';
import { PairList, sortedPairs } from '../spatial/pair-list.js';
import type { CullScene } from './cull-scene.js';
import { OccupancyGrid } from './occupancy-grid.js';

/** Measured where it was tuned: triangles of all objects from which on a grid pays for itself. */
const MIN_FOR_GRID = 4096;
/** Measured where it was tuned: triangles of an object, on average, from which on a grid pays for itself. */
const MIN_EACH_FOR_GRID = 1000;

/** The pairs of objects with overlapping boxes, and the triangles that reach into the overlaps. */
export class OverlapFilter {
  /** Pairs of objects whose boxes overlap, two ids each, lower first, sorted. */
  objectPairs: Uint32Array = new Uint32Array(0);
  /** Triangles kept, by number over all objects; those of object o from keptStarts[o] to keptStarts[o + 1] − 1. */
  kept = new Uint32Array(1024);
  keptStarts = new Uint32Array(1);
  /** The box of each, six numbers. */
  keptBoxes = new Float64Array(6 * 1024);
  /** Whether the same triangles were kept the last time. */
  keptSame = false;

  readonly #objects = new BoxForest();
  readonly #found = new PairList();
  readonly #grid = new OccupancyGrid();
  /** Overlaps of each object's box, six numbers each; those of object o from #overlapStarts[o] on. */
  #overlaps = new Float64Array(0);
  #overlapStarts = new Uint32Array(1);
  #outside = new Uint8Array(0);
  readonly #region = new Float64Array(6);
  #count = 0;
  #lastStarts = new Uint32Array(0);

  /** The overlaps of an object's box with those of others: offsets into `overlaps`, in boxes. */
  get overlapStarts(): Uint32Array<ArrayBuffer> {
    return this.#overlapStarts;
  }

  get overlaps(): Float64Array {
    return this.#overlaps;
  }

  /** Finds the pairs of objects and the overlaps of their boxes. */
  pairObjects({ boxes, objectCount }: CullScene): void {
    this.#found.clear();
    this.#objects.build(boxes, Uint32Array.of(0, objectCount));
    this.#objects.addPairsWithin(0, this.#found);
    const { values, count } = this.#found;
    for (let i = 0; i < 2 * count; i += 2) {
      if (values[i] < values[i + 1]) continue;
      const held = values[i];
      values[i] = values[i + 1];
      values[i + 1] = held;
    }
    this.objectPairs = sortedPairs(values, count);
    this.#listOverlaps(boxes, objectCount);
  }

  /**
   * Keeps the triangles that reach into an overlap.
   * @param all every triangle instead: self-collisions can be anywhere.
   * @param alive if given, only triangles with a 1 are kept.
   */
  keepTriangles(scene: CullScene, all: boolean, alive: Uint8Array | null = null): void {
    const { objectCount, objects, firstTriangle } = scene;
    this.#lastStarts = this.keptStarts;
    this.keptStarts = new Uint32Array(objectCount + 1);
    this.keptSame = this.#lastStarts.length === objectCount + 1;
    this.#count = 0;
    const usesGrid = !all && alive === null && this.#searchGrid(scene);
    for (let object = 0, n = 0; object < objectCount; object++) {
      this.keptStarts[object] = this.#count;
      const from = this.#overlapStarts[object];
      const to = this.#overlapStarts[object + 1];
      const mesh = objects[object];
      if (all) this.#keepWhere(mesh, firstTriangle[object], 0, 0, alive);
      else if (to > from && usesGrid) this.#keepFound(mesh, firstTriangle[object], from, to, n++);
      else if (to > from) {
        this.#classify(mesh.positions, from, to);
        this.#keepWhere(mesh, firstTriangle[object], from, to, alive);
      }
      if (this.keptSame && this.#lastStarts[object] !== this.keptStarts[object]) this.keptSame = false;
    }
    this.keptStarts[objectCount] = this.#count;
    if (this.keptSame && this.#lastStarts[objectCount] !== this.#count) this.keptSame = false;
  }

  /** Looks for triangles near other objects by a grid. False if that does not pay. */
  #searchGrid({ objects, objectCount }: CullScene): boolean {
    const starts = this.#overlapStarts;
    let count = 0;
    let triangles = 0;
    for (let object = 0; object < objectCount; object++) {
      if (starts[object] === starts[object + 1]) continue;
      count++;
      triangles += objects[object].indices.length / 3;
    }
    if (triangles < MIN_FOR_GRID || triangles < MIN_EACH_FOR_GRID * count) return false;
    const ids = new Uint32Array(count);
    const regions = new Float64Array(6 * count);
    for (let object = 0, n = 0; object < objectCount; object++) {
      if (starts[object] === starts[object + 1]) continue;
      ids[n] = object;
      writeBoxAround(this.#overlaps, starts[object], starts[object + 1], regions, 6 * n++);
    }
    return this.#grid.find({ objects, ids, regions });
  }

  #listOverlaps(boxes: Float64Array, objectCount: number): void {
    const pairs = this.objectPairs;
    const starts = new Uint32Array(objectCount + 2);
    for (let i = 0; i < pairs.length; i++) starts[pairs[i] + 2]++;
    for (let object = 2; object < starts.length; object++) starts[object] += starts[object - 1];
    if (this.#overlaps.length < 6 * pairs.length) this.#overlaps = new Float64Array(12 * pairs.length);
    for (let i = 0; i < pairs.length; i += 2) {
      const a = 6 * pairs[i];
      const b = 6 * pairs[i + 1];
      for (let side = 0; side < 2; side++) {
        const o = 6 * starts[pairs[i + side] + 1]++;
        for (let axis = 0; axis < 3; axis++) {
          this.#overlaps[o + axis] = Math.max(boxes[a + axis], boxes[b + axis]);
          this.#overlaps[o + 3 + axis] = Math.min(boxes[a + 3 + axis], boxes[b + 3 + axis]);
        }
      }
    }
    this.#overlapStarts = starts;
  }

  /** On which sides of the box around all overlaps each vertex lies, a bit a side. */
  #classify(positions: Float64Array, from: number, to: number): void {
    const box = this.#region;
    writeBoxAround(this.#overlaps, from, to, box, 0);
    const [minX, minY, minZ, maxX, maxY, maxZ] = box;
    const vertices = positions.length / 3;
    if (this.#outside.length < vertices) this.#outside = new Uint8Array(Math.ceil(1.25 * vertices));
    const outside = this.#outside;
    for (let vertex = 0, i = 0; vertex < vertices; vertex++, i += 3) {
      const x = positions[i];
      const y = positions[i + 1];
      const z = positions[i + 2];
      outside[vertex] =
        (x < minX ? 1 : x > maxX ? 2 : 0) | (y < minY ? 4 : y > maxY ? 8 : 0) | (z < minZ ? 16 : z > maxZ ? 32 : 0);
    }
  }

  /** Keeps the triangles of a mesh that reach into an overlap, or all if no overlap is given. */
  #keepWhere(mesh: Mesh, number: number, from: number, to: number, alive: Uint8Array | null): void {
    const { positions, indices } = mesh;
    const outside = this.#outside;
    this.#reserve(indices.length / 3);
    for (let i = 0; i < indices.length; i += 3, number++) {
      const a = indices[i];
      const b = indices[i + 1];
      const c = indices[i + 2];
      if (to > from && (outside[a] & outside[b] & outside[c]) !== 0) continue;
      if (alive !== null && alive[number] === 0) continue;
      this.#keepIfReaching(positions, 3 * a, 3 * b, 3 * c, number, from, to);
    }
  }

  /** Keeps those of the triangles that the grid found for its n-th object that reach into an overlap. */
  #keepFound(mesh: Mesh, number: number, from: number, to: number, n: number): void {
    const { positions, indices } = mesh;
    const { found } = this.#grid;
    const end = this.#grid.ends[n];
    this.#reserve(end - this.#grid.starts[n]);
    for (let i = this.#grid.starts[n]; i < end; i++) {
      const t = 3 * found[i];
      this.#keepIfReaching(
        positions,
        3 * indices[t],
        3 * indices[t + 1],
        3 * indices[t + 2],
        number + found[i],
        from,
        to,
      );
    }
  }

  #reserve(more: number): void {
    if (this.kept.length >= this.#count + more) return;
    this.kept = growTo(this.kept, this.#count + more);
    this.keptBoxes = growTo(this.keptBoxes, 6 * this.kept.length);
  }

  /** Keeps a triangle if its box reaches one of the overlaps, or if no overlap is given. */
  #keepIfReaching(
    positions: Float64Array,
    a: number,
    b: number,
    c: number,
    number: number,
    from: number,
    to: number,
  ): void {
    const overlaps = this.#overlaps;
    const ax = positions[a];
    const bx = positions[b];
    const cx = positions[c];
    const ay = positions[a + 1];
    const by = positions[b + 1];
    const cy = positions[c + 1];
    const az = positions[a + 2];
    const bz = positions[b + 2];
    const cz = positions[c + 2];
    const minX = Math.min(ax, bx, cx);
    const maxX = Math.max(ax, bx, cx);
    const minY = Math.min(ay, by, cy);
    const maxY = Math.max(ay, by, cy);
    const minZ = Math.min(az, bz, cz);
    const maxZ = Math.max(az, bz, cz);
    let reaches = to === from;
    for (let o = 6 * from; !reaches && o < 6 * to; o += 6) {
      reaches =
        minX <= overlaps[o + 3] &&
        maxX >= overlaps[o] &&
        minY <= overlaps[o + 4] &&
        maxY >= overlaps[o + 1] &&
        minZ <= overlaps[o + 5] &&
        maxZ >= overlaps[o + 2];
    }
    if (!reaches) return;
    const at = this.#count++;
    if (this.kept[at] !== number) {
      this.kept[at] = number;
      this.keptSame = false;
    }
    const boxes = this.keptBoxes;
    boxes[6 * at] = minX;
    boxes[6 * at + 1] = minY;
    boxes[6 * at + 2] = minZ;
    boxes[6 * at + 3] = maxX;
    boxes[6 * at + 4] = maxY;
    boxes[6 * at + 5] = maxZ;
  }
}

/** Writes the box around some of a list of boxes. */
function writeBoxAround(boxes: Float64Array, from: number, to: number, out: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let o = 6 * from + axis; o < 6 * to; o += 6) {
      low = Math.min(low, boxes[o]);
      high = Math.max(high, boxes[o + 3]);
    }
    out[at + axis] = low;
    out[at + axis + 3] = high;
  }
}

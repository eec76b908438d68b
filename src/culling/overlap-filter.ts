// The triangles that can meet another object, by boxes alone: those that reach into the common part of their object's
// box and another's. Objects that overlap in a corner keep a few triangles of many. One pass over vertices and ids.
import { growTo } from '../core/grow-array.js';
import type { Mesh } from '../mesh/mesh.js';
import type { CullScene } from './cull-scene.js';
import { BoxForest } from './hierarchy/box-forest.js';
import { OccupancyGrid } from './occupancy-grid.js';
import { PairList, sortedPairs } from './pair-list.js';

/** From so many triangles on, a grid pays for itself. */
const LEAST_FOR_GRID = 4096;

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
    for (let object = 0; object < objectCount; object++) {
      this.keptStarts[object] = this.#count;
      const from = this.#overlapStarts[object];
      const to = this.#overlapStarts[object + 1];
      const mesh = objects[object];
      if (all) this.#keepWhere(mesh, firstTriangle[object], 0, 0, alive);
      else if (to > from) {
        this.#classify(mesh.positions, from, to);
        this.#keepWhere(mesh, firstTriangle[object], from, to, alive);
      }
      if (this.keptSame && this.#lastStarts[object] !== this.keptStarts[object]) this.keptSame = false;
    }
    this.keptStarts[objectCount] = this.#count;
    if (this.keptSame && this.#lastStarts[objectCount] !== this.#count) this.keptSame = false;
    if (all || this.#count < LEAST_FOR_GRID) return;
    this.#count = this.#grid.thin(this.kept, this.keptBoxes, this.keptStarts, this.#region());
    this.keptSame = false;
  }

  /** The box around all overlaps. */
  #region(): Float64Array {
    const region = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    for (let o = 0; o < 6 * this.objectPairs.length; o += 6) {
      for (let axis = 0; axis < 3; axis++) {
        region[axis] = Math.min(region[axis], this.#overlaps[o + axis]);
        region[axis + 3] = Math.max(region[axis + 3], this.#overlaps[o + axis + 3]);
      }
    }
    return region;
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
    const overlaps = this.#overlaps;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    for (let o = 6 * from; o < 6 * to; o += 6) {
      minX = Math.min(minX, overlaps[o]);
      minY = Math.min(minY, overlaps[o + 1]);
      minZ = Math.min(minZ, overlaps[o + 2]);
      maxX = Math.max(maxX, overlaps[o + 3]);
      maxY = Math.max(maxY, overlaps[o + 4]);
      maxZ = Math.max(maxZ, overlaps[o + 5]);
    }
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

  /** Keeps the triangles of a mesh that reach into an overlap, or all if there are none. */
  #keepWhere(mesh: Mesh, number: number, from: number, to: number, alive: Uint8Array | null): void {
    const { positions, indices } = mesh;
    const outside = this.#outside;
    const overlaps = this.#overlaps;
    const needed = this.#count + indices.length / 3;
    if (this.kept.length < needed) {
      this.kept = growTo(this.kept, needed);
      this.keptBoxes = growTo(this.keptBoxes, 6 * this.kept.length);
    }
    const kept = this.kept;
    const boxes = this.keptBoxes;
    let count = this.#count;
    let same = this.keptSame;
    for (let i = 0; i < indices.length; i += 3, number++) {
      const v0 = indices[i];
      const v1 = indices[i + 1];
      const v2 = indices[i + 2];
      if (to > from && (outside[v0] & outside[v1] & outside[v2]) !== 0) continue;
      if (alive !== null && alive[number] === 0) continue;
      const a = 3 * v0;
      const b = 3 * v1;
      const c = 3 * v2;
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
      for (let o = 6 * from; o < 6 * to; o += 6) {
        if (
          minX <= overlaps[o + 3] &&
          maxX >= overlaps[o] &&
          minY <= overlaps[o + 4] &&
          maxY >= overlaps[o + 1] &&
          minZ <= overlaps[o + 5] &&
          maxZ >= overlaps[o + 2]
        ) {
          reaches = true;
          break;
        }
      }
      if (!reaches) continue;
      if (kept[count] !== number) {
        kept[count] = number;
        same = false;
      }
      const o = 6 * count;
      boxes[o] = minX;
      boxes[o + 1] = minY;
      boxes[o + 2] = minZ;
      boxes[o + 3] = maxX;
      boxes[o + 4] = maxY;
      boxes[o + 5] = maxZ;
      count++;
    }
    this.#count = count;
    this.keptSame = same;
  }
}

// Quickhull (Barber, Dobkin and Huhdanpaa 1996) over flat arrays, simplicial and exact: a face is removed only when the
// new point is strictly outside its plane, so every face keeps an area, and coplanar neighbors stay two faces. Expected
// O(n log n). The resulting surface is convex but may have flat edges and corners; hull-simplify removes those.
import { copyInto, doubled } from '../../core/grow-array.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { DirectionTable } from './hull-directions.js';
import { HullFaces, PLANE_STRIDE } from './hull-faces.js';
import { isSmaller } from './hull-flat.js';
import type { PointFrame } from './hull-frame.js';
import { MemoryBlock } from './hull-memory.js';
import { type HullSurface, simplifyFaces } from './hull-simplify.js';

/**
 * From this many points on, a rough hull and a table of its directions settle points faster than the lists of faces do:
 * made by `insertions` from a sample of about `sample` points, with resolution² cells per quarter of a cube's side.
 */
const ROUGH_HULLS = [
  { threshold: 60000, insertions: 64, sample: 4096, resolution: 4 },
  { threshold: 5000, insertions: 24, sample: 512, resolution: 2 },
];

/** Chosen: a rough hull is not used if its points have, on average, more faces than this to be tested against. */
const MAX_CANDIDATES = 8;

/**
 * Measured on a ball of 100,000 points: this many first insertions use the face that has waited longest. The hull then
 * grows on all sides, and fewer points are tested against faces that are soon removed: 13 side tests per point, 26
 * without. Later the latest face comes first, because its points and neighbors are still in cache: a sphere of 200,000
 * points takes 0.28 s, 0.52 s without.
 */
const BROAD_INSERTIONS = 300;

/** Chosen: insertions between two reports of progress. */
const REPORT_INTERVAL = 4096;

/** Chosen: faces that the arrays have room for before they grow first. */
const FIRST_CAPACITY = 256;
/** Chosen: entries that lists of horizons and new faces have room for before they grow first. */
const FIRST_LENGTH = 64;

export class QuickHull {
  readonly faces: HullFaces;
  facesCreated = 0;
  readonly #points: Float64Array;
  /** The points relative to the faces' origin. */
  readonly #local: Float64Array;
  /** Each point outside the hull is in the list of one face it is strictly outside of; the furthest comes first. */
  readonly #next: Int32Array;
  #head: Int32Array;
  /** How far the first of the list is from the face's plane, in units of the plane's normal. */
  #reach: Float64Array;
  /** `stamp` for faces the current point sees, −`stamp` for faces it was found not to see. */
  #mark: Int32Array;
  #stamp = 0;
  /** Face slots ever used, and those free again, marked by −1 as their first corner. */
  #slotCount = 0;
  #free: Int32Array;
  #freeCount = 0;
  /** A ring of faces that had a list when they were made, its length a power of two; some may have been removed. */
  #pending: Int32Array;
  #pendingStart = 0;
  #pendingCount = 0;
  #insertions = 0;
  #settled = 0;
  /** The current point: of equal ones the lowest met so far. */
  #apex = 0;
  /** Corners of the hull for which an equal point with a lower id was found later. */
  readonly #lowerEquals = new Map<number, number>();
  #stack: Int32Array;
  #visible: Int32Array;
  #visibleCount = 0;
  #rimCorners: Int32Array;
  #rimTwins: Int32Array;
  #created: Int32Array;

  constructor(points: Float64Array, frame: PointFrame) {
    const count = points.length / 3;
    const capacity = Math.min(FIRST_CAPACITY, 2 * count);
    this.#points = points;
    this.faces = new HullFaces(points, frame, capacity);
    const block = new MemoryBlock(8 * (3 * count + capacity) + 4 * (count + 3 * capacity + 6 * FIRST_LENGTH));
    this.#local = block.takeFloats(3 * count);
    this.#reach = block.takeFloats(capacity);
    this.#next = block.takeIntegers(count);
    this.#head = block.takeIntegers(capacity);
    this.#mark = block.takeIntegers(capacity);
    this.#free = block.takeIntegers(capacity);
    this.#pending = block.takeIntegers(FIRST_LENGTH);
    this.#stack = block.takeIntegers(FIRST_LENGTH);
    this.#visible = block.takeIntegers(FIRST_LENGTH);
    this.#rimCorners = block.takeIntegers(FIRST_LENGTH);
    this.#rimTwins = block.takeIntegers(FIRST_LENGTH);
    this.#created = block.takeIntegers(FIRST_LENGTH);
    const { originX, originY, originZ } = frame;
    const local = this.#local;
    for (let i = 0; i < points.length; i += 3) {
      local[i] = points[i] - originX;
      local[i + 1] = points[i + 1] - originY;
      local[i + 2] = points[i + 2] - originZ;
    }
  }

  /** Builds the hull from four points, the fourth inside the plane of the first three. */
  build(corners: readonly number[], options?: ProgressOptions): HullSurface {
    const next = this.#next;
    const count = next.length;
    const rough = ROUGH_HULLS.find(({ threshold }) => count >= threshold);
    if (rough === undefined || !this.#buildRough(corners, rough)) {
      this.#makeTetrahedron(corners);
      for (let point = 0; point < count; point++) next[point] = point + 1;
      next[count - 1] = -1;
      this.#scatter(0, 4);
      this.#enqueue(this.#created, 4);
    }
    this.#insertPending(Infinity, options);
    this.#renameCorners();
    return simplifyFaces(this.faces, this.#listFaces(), this.#mark, next.fill(0));
  }

  /**
   * Inserts some points of a sample, then sorts all points by direction into the lists of the current faces. Returns
   * false, with no faces, if the sample is too flat for directions to distinguish faces.
   */
  #buildRough(corners: readonly number[], rough: { insertions: number; sample: number; resolution: number }): boolean {
    const next = this.#next;
    const count = next.length;
    const step = Math.ceil(count / rough.sample);
    this.#makeTetrahedron(corners);
    let list = -1;
    for (let point = 0; point < count; point += step) {
      next[point] = list;
      list = point;
    }
    this.#scatter(list, 4);
    this.#enqueue(this.#created, 4);
    this.#insertPending(rough.insertions);
    this.#pendingCount = 0;
    this.#settled = 0;
    const alive = this.#listFaces();
    const table = new DirectionTable(this.faces, alive, rough.resolution);
    if (!table.isRobust || this.#countCandidates(table, step) > MAX_CANDIDATES) {
      this.#slotCount = this.#freeCount = 0;
      return false;
    }
    for (const face of alive) {
      this.#head[face] = -1;
      this.#reach[face] = -Infinity;
    }
    this.#sort(table);
    this.#enqueue(alive, alive.length);
    return true;
  }

  /** The average number of faces that a point of the sample would be tested against. */
  #countCandidates(table: DirectionTable, step: number): number {
    const local = this.#local;
    let total = 0;
    let sampled = 0;
    for (let i = 0; i < local.length; i += 3 * step) {
      const cell = table.findCell(local[i], local[i + 1], local[i + 2]);
      if (cell >= 0) total += table.start[cell + 1] - table.start[cell];
      sampled++;
    }
    return total / sampled;
  }

  #insertPending(limit: number, options?: ProgressOptions): void {
    while (this.#pendingCount > 0 && this.#insertions < limit) {
      this.#pendingCount--;
      const mask = this.#pending.length - 1;
      let slot = this.#pendingStart;
      if (this.#insertions < BROAD_INSERTIONS) this.#pendingStart = (slot + 1) & mask;
      else slot = (slot + this.#pendingCount) & mask;
      const face = this.#pending[slot];
      if (this.faces.corners[3 * face] < 0 || this.#head[face] < 0) continue;
      this.#insert(face);
      if (++this.#insertions % REPORT_INTERVAL === 0) {
        reportProgress(options, this.#settled / this.#next.length, 'convex hull');
      }
    }
  }

  #makeTetrahedron([a, b, c, d]: readonly number[]): void {
    const created = this.#created;
    created[0] = this.#makeFace(a, b, c);
    created[1] = this.#makeFace(a, d, b);
    created[2] = this.#makeFace(b, d, c);
    created[3] = this.#makeFace(c, d, a);
    this.faces.twins.set([5, 8, 11, 10, 6, 0, 4, 9, 1, 7, 3, 2]);
    this.#apex = a;
  }

  /** Adds the furthest point of a face's list to the hull. */
  #insert(face: number): void {
    const apex = this.#head[face];
    this.#apex = apex;
    const rimCount = this.#findRim(face, apex);
    const visibleCount = this.#visibleCount;
    const lists = this.#visible;
    const corners = this.faces.corners;
    if (this.#freeCount + visibleCount > this.#free.length) {
      this.#free = copyInto(this.#free, new Int32Array(2 * (this.#freeCount + visibleCount)));
    }
    for (let i = 0; i < visibleCount; i++) {
      const removed = lists[i];
      lists[i] = this.#head[removed];
      corners[3 * removed] = -1;
      this.#free[this.#freeCount++] = removed;
    }
    this.#makeCone(apex, rimCount);
    for (let i = 0; i < visibleCount; i++) this.#scatter(lists[i], rimCount);
    if (this.#apex !== apex) {
      // Corner 2 of each face of the cone. The points are equal, so the planes are unchanged.
      for (let i = 0; i < rimCount; i++) this.faces.corners[3 * this.#created[i] + 2] = this.#apex;
    }
    this.#enqueue(this.#created, rimCount);
  }

  /**
   * Collects the faces the apex is strictly outside of, a disc around `face`, and the disc's rim in order: for each
   * edge the corner it leaves and its twin beyond. The order results from leaving each face by the edges after the one
   * it was entered by. It is one disc, as a point moved inward a little sees the same faces and is coplanar with none.
   */
  #findRim(face: number, apex: number): number {
    const { corners, twins, planes } = this.faces;
    const mark = this.#mark;
    const stamp = ++this.#stamp;
    const local = this.#local;
    const x = local[3 * apex];
    const y = local[3 * apex + 1];
    const z = local[3 * apex + 2];
    let stack = this.#stack;
    let visible = this.#visible;
    let visibleCount = 1;
    let rimCount = 0;
    let depth = 3;
    visible[0] = face;
    mark[face] = stamp;
    stack[0] = 3 * face + 2;
    stack[1] = 3 * face + 1;
    stack[2] = 3 * face;
    while (depth > 0) {
      const edge = stack[--depth];
      const twin = twins[edge];
      const other = (twin / 3) | 0;
      const known = mark[other];
      if (known === stamp) continue;
      if (known !== -stamp) {
        const plane = PLANE_STRIDE * other;
        const value = planes[plane] * x + planes[plane + 1] * y + planes[plane + 2] * z - planes[plane + 3];
        const error = planes[plane + 4];
        if (value > error || (value >= -error && this.faces.exactSideOfPoint(other, apex) > 0)) {
          if (visibleCount === visible.length)
            visible = this.#visible = copyInto(visible, new Int32Array(2 * visibleCount));
          visible[visibleCount++] = other;
          mark[other] = stamp;
          if (depth + 2 > stack.length) stack = this.#stack = doubled(stack);
          stack[depth++] = twin === 3 * other ? twin + 2 : twin - 1;
          stack[depth++] = twin === 3 * other + 2 ? twin - 2 : twin + 1;
          continue;
        }
        mark[other] = -stamp;
      }
      if (rimCount === this.#rimCorners.length) {
        this.#rimCorners = copyInto(this.#rimCorners, new Int32Array(2 * rimCount));
        this.#rimTwins = copyInto(this.#rimTwins, new Int32Array(2 * rimCount));
        this.#created = copyInto(this.#created, new Int32Array(2 * rimCount));
      }
      this.#rimCorners[rimCount] = corners[edge];
      this.#rimTwins[rimCount++] = twin;
    }
    this.#visibleCount = visibleCount;
    return rimCount;
  }

  /** Makes a face from each edge of the rim to the apex: corners rim, next on the rim, apex. */
  #makeCone(apex: number, rimCount: number): void {
    const rimCorners = this.#rimCorners;
    const rimTwins = this.#rimTwins;
    const created = this.#created;
    for (let i = 0; i < rimCount; i++) {
      created[i] = this.#makeFace(rimCorners[i], rimCorners[i + 1 < rimCount ? i + 1 : 0], apex);
    }
    const twins = this.faces.twins;
    let before = created[rimCount - 1];
    for (let i = 0; i < rimCount; i++) {
      const face = created[i];
      twins[3 * face] = rimTwins[i];
      twins[rimTwins[i]] = 3 * face;
      twins[3 * face + 2] = 3 * before + 1;
      twins[3 * before + 1] = 3 * face + 2;
      before = face;
    }
  }

  #makeFace(a: number, b: number, c: number): number {
    const faces = this.faces;
    let face: number;
    if (this.#freeCount > 0) {
      face = this.#free[--this.#freeCount];
    } else {
      face = this.#slotCount++;
      if (face === faces.capacity) {
        faces.grow();
        this.#head = copyInto(this.#head, new Int32Array(faces.capacity));
        this.#mark = copyInto(this.#mark, new Int32Array(faces.capacity));
        this.#reach = copyInto(this.#reach, new Float64Array(faces.capacity));
      }
    }
    this.facesCreated++;
    this.#head[face] = -1;
    this.#reach[face] = -Infinity;
    this.#mark[face] = 0;
    faces.setFace(face, a, b, c);
    return face;
  }

  /**
   * Puts each point of a list into the list of the first new face it is strictly outside of. A point outside none of
   * them is inside: had it seen an old face beyond the rim and a removed one, it would see the new face between.
   */
  #scatter(list: number, createdCount: number): void {
    const created = this.#created;
    const planes = this.faces.planes;
    const local = this.#local;
    const next = this.#next;
    for (let point = list; point >= 0; ) {
      const after = next[point];
      const x = local[3 * point];
      const y = local[3 * point + 1];
      const z = local[3 * point + 2];
      let i = 0;
      for (; i < createdCount; i++) {
        const face = created[i];
        const plane = PLANE_STRIDE * face;
        const value = planes[plane] * x + planes[plane + 1] * y + planes[plane + 2] * z - planes[plane + 3];
        const error = planes[plane + 4];
        if (value <= error) {
          if (value < -error) continue;
          if (this.#isEqual(point, this.#apex)) {
            if (point < this.#apex) this.#apex = point;
            i = createdCount;
            break;
          }
          if (this.faces.exactSideOfPoint(face, point) <= 0) continue;
        }
        this.#list(point, face, value);
        break;
      }
      if (i === createdCount) this.#settled++;
      point = after;
    }
  }

  /** Sorts all points by direction into the lists of a rough hull's faces; those not outside it are settled. */
  #sort(table: DirectionTable): void {
    const { start, candidates } = table;
    const planes = this.faces.planes;
    const local = this.#local;
    const count = this.#next.length;
    for (let point = 0; point < count; point++) {
      const x = local[3 * point];
      const y = local[3 * point + 1];
      const z = local[3 * point + 2];
      const cell = table.findCell(x, y, z);
      this.#settled++;
      if (cell < 0) continue;
      const end = start[cell + 1];
      for (let i = start[cell]; i < end; i++) {
        const face = candidates[i];
        const plane = PLANE_STRIDE * face;
        const value = planes[plane] * x + planes[plane + 1] * y + planes[plane + 2] * z - planes[plane + 3];
        const error = planes[plane + 4];
        if (value < -error || (value <= error && !this.#isOutside(face, point))) continue;
        this.#list(point, face, value);
        this.#settled--;
        break;
      }
    }
  }

  #isOutside(face: number, point: number): boolean {
    if (this.faces.exactSideOfPoint(face, point) > 0) return true;
    for (let k = 0; k < 3; k++) {
      const corner = this.faces.corners[3 * face + k];
      if (point < (this.#lowerEquals.get(corner) ?? corner) && this.#isEqual(point, corner)) {
        this.#lowerEquals.set(corner, point);
      }
    }
    return false;
  }

  #list(point: number, face: number, value: number): void {
    const first = this.#head[face];
    const reach = this.#reach[face];
    // Of equally far points the lexicographically smallest is a corner of the hull; the others may not be.
    if (value > reach || (value === reach && isSmaller(this.#local, point, first))) {
      this.#next[point] = first;
      this.#head[face] = point;
      this.#reach[face] = value;
    } else {
      this.#next[point] = this.#next[first];
      this.#next[first] = point;
    }
  }

  #isEqual(a: number, b: number): boolean {
    const points = this.#points;
    return (
      points[3 * a] === points[3 * b] &&
      points[3 * a + 1] === points[3 * b + 1] &&
      points[3 * a + 2] === points[3 * b + 2]
    );
  }

  #enqueue(faces: Int32Array, count: number): void {
    while (this.#pendingCount + count > this.#pending.length) {
      const length = this.#pending.length;
      const ring = new Int32Array(2 * length);
      ring.set(this.#pending.subarray(this.#pendingStart));
      ring.set(this.#pending.subarray(0, this.#pendingStart), length - this.#pendingStart);
      this.#pending = ring;
      this.#pendingStart = 0;
    }
    const pending = this.#pending;
    const mask = pending.length - 1;
    for (let i = 0; i < count; i++) {
      if (this.#head[faces[i]] >= 0) pending[(this.#pendingStart + this.#pendingCount++) & mask] = faces[i];
    }
  }

  #listFaces(): Int32Array {
    const alive = new Int32Array(this.#slotCount - this.#freeCount);
    const corners = this.faces.corners;
    let count = 0;
    for (let face = 0; face < this.#slotCount; face++) {
      if (corners[3 * face] >= 0) alive[count++] = face;
    }
    return alive;
  }

  #renameCorners(): void {
    if (this.#lowerEquals.size === 0) return;
    const corners = this.faces.corners;
    for (let i = 0; i < 3 * this.#slotCount; i++) corners[i] = this.#lowerEquals.get(corners[i]) ?? corners[i];
  }
}

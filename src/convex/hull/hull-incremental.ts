// A convex hull that grows by one point at a time and can undo it, for growing convex patches (Ehmann and Lin 2001,
// section 4.1). Exact: a face is removed only when the new point is strictly outside it. Flat hulls have two sides, so
// that a patch may start with coplanar triangles. O(faces) per insertion, O(removed faces) with a visible face as seed.

import { NearfieldError } from '../../core/errors.js';
import { areExactlyCollinear, findShadowAxis } from '../../core/exact/points.js';
import { copyInto, doubled } from '../../core/grow-array.js';
import { coverPolygon, type Hull } from './hull.js';
import { HullFaces } from './hull-faces.js';
import { findFlatLoop } from './hull-flat.js';
import { FlatRim } from './hull-flat-rim.js';
import { measureFrame } from './hull-frame.js';
import { findHolder, type HullHolder } from './hull-holder.js';
import { HullSight } from './hull-sight.js';
import { next, previous, simplifyFaces } from './hull-simplify.js';

/** The position of a point: outside the hull, on its boundary (of a flat hull: anywhere in it), or strictly inside. */
export type HullPosition = 'outside' | 'boundary' | 'inside';

/** Layout: numbers per insertion in the log: dimension, ends, first face and first removed face before it. */
const RECORD = 5;

/**
 * A convex hull under construction over an array of points. Faces are triangles; their ids are stable while they exist,
 * and {@link undo} restores them. Coplanar triangles are not merged, and a corner remains one when it is no longer
 * extreme; {@link toHull} returns the hull without these corners.
 *
 * All memory is kept between insertions and resets. Arrays are replaced when they grow: read them again after inserting.
 */
export class IncrementalHull {
  /** -1: empty; 0: a point; 1: a segment; 2: a polygon with two sides; 3: a solid. Only the last two have faces. */
  dimension: -1 | 0 | 1 | 2 | 3 = -1;
  /** The ids of the current faces: the first `faceCount` entries, in no particular order. */
  faces: Int32Array;
  faceCount = 0;
  /** A number for each face, for the caller's use; −1 for a new face. */
  tags: Int32Array;
  /** The last insertion made the faces `firstCreated` to `firstCreated + createdCount − 1`; its point is corner 2. */
  firstCreated = 0;
  createdCount = 0;
  /** The last insertion removed `removedCount` faces, listed from entry `removedStart` on. */
  removed = new Int32Array(64);
  removedStart = 0;
  removedCount = 0;
  /** The position of the point of the last {@link findVisible}. */
  position: HullPosition = 'outside';

  readonly #store: HullFaces;
  readonly #sight: HullSight;
  readonly #rim: FlatRim;
  /** The index in `faces` of each face, also of removed ones. */
  #slots: Int32Array;
  /** Faces made since the last reset; ids are not reused before that. */
  #end = 0;
  #removedEnd = 0;
  #log = new Int32Array(64 * RECORD);
  #depth = 0;
  /** The ends of a segment; both are the point if the hull is a point. */
  #first = -1;
  #last = -1;
  /** Whether the answer of the last query is still valid. */
  #isCurrent = false;
  /** Scratch memory of `toHull`, by face and by point. */
  #newIds = new Int32Array(0);
  #degrees = new Int32Array(0);

  /**
   * @param points consecutive x, y, z; not copied, and not to be changed while the hull is in use.
   * @throws NearfieldError when there is no point, or a coordinate is not finite or beyond `MAX_COORDINATE`.
   */
  constructor(points: Float64Array) {
    if (!(points instanceof Float64Array)) {
      throw new NearfieldError('bad-argument', 'The points are not a Float64Array; give x, y, z of each.');
    }
    const capacity = 256;
    this.#store = new HullFaces(points, measureFrame(points), capacity);
    this.#sight = new HullSight(this.#store);
    this.#rim = new FlatRim(this.#store);
    this.faces = new Int32Array(capacity);
    this.tags = new Int32Array(capacity);
    this.#slots = new Int32Array(capacity);
  }

  get points(): Float64Array {
    return this.#store.points;
  }

  /** Point ids, three per face, counter-clockwise seen from outside. */
  get corners(): Int32Array {
    return this.#store.corners;
  }

  /** Half-edge 3f + k runs from corner k of face f to the next; its twin runs the other way in the adjacent face. */
  get twins(): Int32Array {
    return this.#store.twins;
  }

  /** The last {@link findVisible}: the faces the point is strictly outside of are the first `visibleCount`. */
  get visible(): Int32Array {
    return this.#sight.visible;
  }

  get visibleCount(): number {
    return this.#sight.visibleCount;
  }

  /** The last {@link findVisible}: the faces the point is exactly coplanar with are the first `coplanarCount`. */
  get coplanar(): Int32Array {
    return this.#sight.coplanar;
  }

  get coplanarCount(): number {
    return this.#sight.coplanarCount;
  }

  /** Side tests of all queries since the hull was made. */
  get sideTests(): number {
    return this.#sight.sideTests;
  }

  /** Side tests that floating point left undecided. */
  get exactTests(): number {
    return this.#store.exactTests;
  }

  /** How many insertions can be undone: all since the last reset. */
  get insertions(): number {
    return this.#depth;
  }

  /** Empties the hull; with `points`, switches to another array of points. */
  reset(points?: Float64Array): void {
    if (points !== undefined && points !== this.#store.points) {
      this.#store.setPoints(points, measureFrame(points));
    }
    this.dimension = -1;
    this.faceCount = 0;
    this.firstCreated = this.createdCount = 0;
    this.removedStart = this.removedCount = 0;
    this.#sight.aim(Number.NaN, 0, 0);
    this.#end = 0;
    this.#removedEnd = 0;
    this.#depth = 0;
    this.#first = this.#last = -1;
    this.#isCurrent = false;
  }

  /**
   * Finds every face that the point is strictly outside of (`visible`) and every face it is exactly coplanar with
   * (`coplanar`), and sets `position`. The hull does not change; inserting the same point next reuses the answer.
   * @param seed a face the point probably sees: the search then goes from neighbor to neighbor, not over all faces.
   * @returns the number of visible faces. It may be 0 for a point outside: one in the plane of a flat hull.
   */
  findVisible(x: number, y: number, z: number, seed = -1): number {
    return this.#look(x, y, z, seed, true);
  }

  #look(x: number, y: number, z: number, seed: number, wantsCoplanar: boolean): number {
    const sight = this.#sight;
    sight.aim(x, y, z);
    this.#isCurrent = true;
    if (this.dimension === 3) {
      sight.search(this.faces, this.faceCount, seed, wantsCoplanar);
      this.position = sight.visibleCount > 0 ? 'outside' : sight.coplanarCount > 0 ? 'boundary' : 'inside';
    } else if (this.dimension === 2) {
      this.position = this.#searchFlat() ? 'outside' : 'boundary';
    } else {
      this.position = this.dimension >= 0 && this.#isOnSegment() ? 'boundary' : 'outside';
    }
    return sight.visibleCount;
  }

  /**
   * Adds a point. Faces it is strictly outside of are removed, faces it is coplanar with stay. A point that is not outside
   * changes nothing, but counts as an insertion for {@link undo}.
   * @param seed as for {@link findVisible}.
   */
  insert(point: number, seed = -1): HullPosition {
    const { points } = this.#store;
    const x = points[3 * point];
    const y = points[3 * point + 1];
    const z = points[3 * point + 2];
    const sight = this.#sight;
    if (!(this.#isCurrent && x === sight.x && y === sight.y && z === sight.z)) this.#look(x, y, z, seed, false);
    this.#record();
    if (this.position !== 'outside') return this.position;
    this.#isCurrent = false;
    if (sight.visibleCount > 0) {
      this.#makeCone(point);
      if (this.dimension === 2) sight.setInner(this.faces[0], point, this.faces, this.faceCount);
      this.dimension = 3;
    } else if (this.dimension === 2) {
      this.#extendFlat(point);
    } else if (this.dimension === 1) {
      this.#extendSegment(point);
    } else {
      if (this.dimension < 0) this.#first = point;
      this.#last = point;
      this.dimension = this.dimension < 0 ? 0 : 1;
    }
    this.createdCount = this.#end - this.firstCreated;
    return 'outside';
  }

  /**
   * Adds a point on the boundary of a hull of two or three dimensions as a corner: the triangles it lies in are split
   * around it, in their planes, on both sides of a flat hull. Returns false, with nothing changed, for any other point
   * and for one that equals a corner. {@link undo} reverts it like any insertion.
   */
  insertOnBoundary(point: number): boolean {
    const { points } = this.#store;
    if (this.dimension < 2) return false;
    this.findVisible(points[3 * point], points[3 * point + 1], points[3 * point + 2]);
    if (this.position !== 'boundary') return false;
    const holder = findHolder(this.#store, this.coplanar, this.coplanarCount, point);
    if (holder === null) return false;
    this.#record();
    this.#isCurrent = false;
    if (this.dimension === 2) this.#splitFlat(point, holder);
    else this.#splitSolid(point, holder);
    this.createdCount = this.#end - this.firstCreated;
    return true;
  }

  /** Undoes the latest insertion; tags and ids of its removed faces are restored. Returns false if no insertion is left. */
  undo(): boolean {
    if (this.#depth === 0) return false;
    const record = --this.#depth * RECORD;
    const log = this.#log;
    const twins = this.#store.twins;
    const firstFace = log[record + 3];
    const removedStart = log[record + 4];
    const wasFlat = this.dimension === 2 && log[record] === 2;
    while (this.#end > firstFace) {
      this.#end--;
      this.faceCount--;
      if (wasFlat && (this.#end & 1) === 0) {
        // A pair of faces was inserted between the two sides of an edge.
        const front = twins[3 * this.#end];
        const back = twins[3 * this.#end + 3];
        twins[front] = back;
        twins[back] = front;
      }
    }
    // New faces are at the end of the list, and removals are undone in reverse: the list is restored.
    while (this.#removedEnd > removedStart) {
      const face = this.removed[--this.#removedEnd];
      const slot = this.#slots[face];
      const moved = this.faces[slot];
      this.faces[this.faceCount] = moved;
      this.#slots[moved] = this.faceCount++;
      this.faces[slot] = face;
      this.#slots[face] = slot;
      for (let edge = 3 * face; edge < 3 * face + 3; edge++) twins[twins[edge]] = edge;
    }
    this.dimension = log[record] as -1 | 0 | 1 | 2 | 3;
    this.#first = log[record + 1];
    this.#last = log[record + 2];
    this.firstCreated = firstFace;
    this.createdCount = 0;
    this.removedStart = removedStart;
    this.removedCount = 0;
    this.#isCurrent = false;
    return true;
  }

  /** Which side of a face one of the points is on, exactly: positive outside, zero in its plane. */
  sideOf(face: number, point: number): number {
    return this.#store.sideOfPoint(face, point);
  }

  /** Of a flat hull: positive when point c is on the left of a → b, seen from its front. */
  sideInPlane(a: number, b: number, c: number): number {
    return this.#rim.orientation(a, b, c);
  }

  /** Whether the faces on both sides of a half-edge lie exactly in one plane; never across the rim of a flat hull. */
  isFlatEdge(edge: number): boolean {
    const twin = this.#store.twins[edge];
    const face = Math.floor(edge / 3);
    if (this.dimension === 2) return !this.#rim.isRim(edge);
    return this.#store.sideOfPoint(face, this.#store.corners[previous(twin)]) === 0;
  }

  /**
   * The current hull, in the form of `buildHull`: extreme points only, coplanar triangles as fans. Of equal points the
   * one inserted first is the vertex.
   * @throws NearfieldError when the hull is empty.
   */
  toHull(): Hull {
    const { points, exactTests } = this.#store;
    const cost = { facesCreated: this.#end, exactTests };
    if (this.dimension === 3) {
      if (this.#degrees.length !== points.length / 3) this.#degrees = new Int32Array(points.length / 3);
      if (this.#newIds.length !== this.#store.capacity) this.#newIds = new Int32Array(this.#store.capacity);
      const alive = this.faces.subarray(0, this.faceCount);
      const surface = simplifyFaces(this.#store, alive, this.#newIds, this.#degrees);
      return { dimension: 3, points, ...surface, ...cost };
    }
    if (this.dimension === 2) {
      const corners = this.#store.corners.subarray(0, 3 * this.#end);
      const surface = coverPolygon(findFlatLoop(points, Uint32Array.from(new Set(corners)), this.#rim.axis));
      return { dimension: 2, points, ...surface, ...cost };
    }
    if (this.dimension < 0) {
      throw new NearfieldError('bad-argument', 'The hull is empty; insert a point before asking for its hull.');
    }
    const vertices = Uint32Array.from(new Set([this.#first, this.#last])).sort();
    const nothing = new Uint32Array(0);
    return { dimension: this.dimension as 0 | 1, points, vertices, triangles: nothing, twins: nothing, ...cost };
  }

  #record(): void {
    const record = this.#depth++ * RECORD;
    if (record + RECORD > this.#log.length) this.#log = doubled(this.#log);
    const log = this.#log;
    log[record] = this.dimension;
    log[record + 1] = this.#first;
    log[record + 2] = this.#last;
    log[record + 3] = this.firstCreated = this.#end;
    log[record + 4] = this.removedStart = this.#removedEnd;
    this.createdCount = 0;
    this.removedCount = 0;
  }

  /** Replaces the visible faces by a face from each edge of their rim to the point. */
  #makeCone(point: number): void {
    const sight = this.#sight;
    const rimCount = sight.findRim();
    this.#reserve(rimCount);
    const { corners } = this.#store;
    for (let i = 0; i < sight.visibleCount; i++) this.#removeFace(sight.visible[i]);
    const first = this.#end;
    for (let i = 0; i < rimCount; i++) this.#makeFace(corners[sight.rim[i]], corners[next(sight.rim[i])], point);
    this.#store.linkCone(sight.rim, rimCount, first);
  }

  /** Makes room for this many more faces, so that arrays are not replaced meanwhile. */
  #reserve(count: number): void {
    while (this.#end + count > this.#store.capacity) {
      this.#store.grow();
      const { capacity } = this.#store;
      this.faces = copyInto(this.faces, new Int32Array(capacity));
      this.tags = copyInto(this.tags, new Int32Array(capacity));
      this.#slots = copyInto(this.#slots, new Int32Array(capacity));
    }
    this.#sight.reserve();
  }

  #makeFace(a: number, b: number, c: number): number {
    const face = this.#end++;
    this.#store.setFace(face, a, b, c);
    this.tags[face] = -1;
    this.#sight.forget(face);
    this.#slots[face] = this.faceCount;
    this.faces[this.faceCount++] = face;
    return face;
  }

  #removeFace(face: number): void {
    if (this.#removedEnd === this.removed.length)
      this.removed = copyInto(this.removed, new Int32Array(2 * this.#removedEnd));
    this.removed[this.#removedEnd++] = face;
    this.removedCount++;
    const slot = this.#slots[face];
    const moved = this.faces[--this.faceCount];
    this.faces[slot] = moved;
    this.#slots[moved] = slot;
    this.#slots[face] = slot;
  }

  #splitSolid(point: number, { edge, isOnEdge }: HullHolder): void {
    const sight = this.#sight;
    sight.aim(sight.x, sight.y, sight.z);
    sight.addVisible((edge / 3) | 0);
    if (isOnEdge) sight.addVisible((this.#store.twins[edge] / 3) | 0);
    this.#makeCone(point);
  }

  /** Front and back mirror each other, pair by pair: a point in a triangle or on the rim splits one pair, on an edge two. */
  #splitFlat(point: number, { edge, isOnEdge }: HullHolder): void {
    const { twins } = this.#store;
    const onEdge = ((edge / 3) | 0) & 1 ? mirror(edge) : edge;
    const isOnRim = isOnEdge && this.#rim.isRim(onEdge);
    // The half-edges of the front around the point, in order, without the one it lies on.
    const around = [next(onEdge), previous(onEdge)];
    if (!isOnEdge) around.push(onEdge);
    else if (!isOnRim) around.push(next(twins[onEdge]), previous(twins[onEdge]));
    this.#reserve(2 * around.length);
    for (let i = 0; i < around.length; i += 2) {
      const front = (around[i] / 3) | 0;
      if (i > 0 && front === ((around[0] / 3) | 0)) continue;
      this.#removeFace(front);
      this.#removeFace(front + 1);
    }
    const first = this.#end;
    for (const h of around) {
      const a = this.#store.corners[h];
      const b = this.#store.corners[next(h)];
      const front = this.#makeFace(a, b, point);
      const back = this.#makeFace(b, a, point);
      if (this.#rim.isRim(h)) {
        this.#link(3 * front, 3 * back);
      } else {
        this.#link(3 * front, this.#store.twins[h]);
        this.#link(3 * back, this.#store.twins[mirror(h)]);
      }
    }
    const last = first + 2 * (around.length - 1);
    for (let front = first; front <= last; front += 2) {
      const after = front === last ? first : front + 2;
      if (isOnRim && front === last) {
        this.#link(3 * last + 1, 3 * last + 5);
        this.#link(3 * first + 2, 3 * first + 4);
      } else {
        this.#link(3 * front + 1, 3 * after + 2);
        this.#link(3 * front + 5, 3 * after + 4);
      }
    }
  }

  // Below three dimensions. The faces of a flat hull come in pairs: even ids are its front, odd ids its back.

  #isOnSegment(): boolean {
    const { points } = this.#store;
    const { x, y, z } = this.#sight;
    const a = 3 * this.#first;
    const b = 3 * this.#last;
    const isBetween =
      isInRange(x, points[a], points[b]) &&
      isInRange(y, points[a + 1], points[b + 1]) &&
      isInRange(z, points[a + 2], points[b + 2]);
    return (
      isBetween &&
      areExactlyCollinear(points[a], points[a + 1], points[a + 2], points[b], points[b + 1], points[b + 2], x, y, z)
    );
  }

  /** Makes a segment longer, or a triangle of it, with its front counter-clockwise in order of insertion. */
  #extendSegment(point: number): void {
    const { points } = this.#store;
    const axis = findShadowAxis(points, this.#first, this.#last, point);
    if (axis < 0) {
      if (isBeyond(points, point, this.#first, this.#last)) this.#last = point;
      else this.#first = point;
      return;
    }
    this.#rim.start(axis, this.#first, this.#last, point);
    this.#reserve(2);
    const front = 3 * this.#makeFace(this.#first, this.#last, point);
    const back = 3 * this.#makeFace(this.#last, this.#first, point);
    this.#link(front, back);
    this.#link(front + 1, back + 2);
    this.#link(front + 2, back + 1);
    this.dimension = 2;
  }

  #link(edge: number, twin: number): void {
    this.#store.twins[edge] = twin;
    this.#store.twins[twin] = edge;
  }

  /** A point off the plane sees one side; one in the plane may see a chain of the front's rim. False if neither. */
  #searchFlat(): boolean {
    const sight = this.#sight;
    const side = sight.side(this.faces[0]);
    if (side === 0) {
      for (let i = 0; i < this.faceCount; i++) sight.addCoplanar(this.faces[i]);
      this.#rim.findChain(this.faces, this.faceCount, sight.x, sight.y, sight.z);
      return this.#rim.chainCount > 0;
    }
    const parity = side > 0 ? this.faces[0] & 1 : 1 - (this.faces[0] & 1);
    for (let i = 0; i < this.faceCount; i++) {
      if ((this.faces[i] & 1) === parity) sight.addVisible(this.faces[i]);
    }
    return true;
  }

  /** Adds a triangle to both sides along each edge of the chain that the point sees in the plane. */
  #extendFlat(point: number): void {
    const { chainStart, chainCount } = this.#rim;
    this.#reserve(2 * chainCount);
    const { corners, twins } = this.#store;
    let edge = chainStart;
    for (let i = 0; i < chainCount; i++) {
      const following = this.#rim.next(edge);
      const twin = twins[edge];
      const a = corners[edge];
      const b = corners[next(edge)];
      const front = 3 * this.#makeFace(b, a, point);
      const back = 3 * this.#makeFace(a, b, point);
      this.#link(edge, front);
      this.#link(twin, back);
      // Linked to each other around the chain's first corner, then to the triangles before.
      this.#link(front + 1, i === 0 ? back + 2 : front - 4);
      if (i > 0) this.#link(back + 2, back - 5);
      if (i === chainCount - 1) this.#link(front + 2, back + 1);
      edge = following;
    }
  }
}

/** The half-edge on the other side of a flat hull: the back of a triangle has its first two corners swapped. */
function mirror(edge: number): number {
  const face = (edge / 3) | 0;
  const k = edge - 3 * face;
  return 3 * (face ^ 1) + (k === 0 ? 0 : 3 - k);
}

function isInRange(value: number, a: number, b: number): boolean {
  return a <= b ? a <= value && value <= b : b <= value && value <= a;
}

/** Whether c, on the line of a and b, is on b's side of a. */
function isBeyond(points: Float64Array, c: number, a: number, b: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const along = points[3 * b + axis] - points[3 * a + axis];
    if (along !== 0) return points[3 * c + axis] - points[3 * a + axis] > 0 === along > 0;
  }
  return false;
}

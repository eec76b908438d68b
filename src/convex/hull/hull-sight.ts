// Which faces of a solid hull a point sees: those it is strictly outside of, which form a disc; and, exactly, those it
// is coplanar with. Scans all faces of a small hull; on a large one it starts at a visible face, found by walking on
// the surface (Devillers, Pion and Teillaud 2001, visibility walk). O(√faces) expected.

import { exactSide } from '../../core/exact/orientation.js';
import { copyInto } from '../../core/grow-array.js';
import { brokenWalk } from './broken-walk.js';
import { type HullFaces, PLANE_STRIDE } from './hull-faces.js';
import { next } from './hull-simplify.js';

/** Chosen: with fewer faces a scan costs less than a walk. */
const MIN_WALK_FACES = 96;

export class HullSight {
  visible = new Int32Array(64);
  visibleCount = 0;
  coplanar = new Int32Array(64);
  coplanarCount = 0;
  /** The result of the last {@link findRim}. */
  rim = new Int32Array(64);
  /** Side tests of all queries. */
  sideTests = 0;
  x = Number.NaN;
  y = 0;
  z = 0;
  readonly #store: HullFaces;
  /** `#stamp` for faces the query met, one more for those it sees. */
  #marks: Int32Array;
  #stamp = 0;
  #errorScale = 1;
  /** A point strictly inside the hull, to walk around; without one every search scans all faces. */
  #innerX = 0;
  #innerY = 0;
  #innerZ = 0;
  #hasInner = false;

  constructor(store: HullFaces) {
    this.#store = store;
    this.#marks = new Int32Array(store.capacity);
  }

  reserve(): void {
    if (this.#marks.length < this.#store.capacity)
      this.#marks = copyInto(this.#marks, new Int32Array(this.#store.capacity));
  }

  forget(face: number): void {
    this.#marks[face] = 0;
  }

  /** Starts a query with empty lists. */
  aim(x: number, y: number, z: number): void {
    this.x = x;
    this.y = y;
    this.z = z;
    this.visibleCount = 0;
    this.coplanarCount = 0;
    this.#stamp += 2;
    this.#errorScale = this.#findErrorScale();
  }

  /**
   * Fills the lists; `faces` are the current ones, `seed` one of them or −1. Without `wantsCoplanar` the list of coplanar
   * faces may be left short when there are visible ones: a facet of many triangles costs a look at each.
   */
  search(faces: Int32Array, faceCount: number, seed: number, wantsCoplanar: boolean): void {
    if (seed >= 0 && this.side(seed) > 0) {
      this.#floodFrom(seed, 1, wantsCoplanar);
    } else if (faceCount < MIN_WALK_FACES || !this.#hasInner) {
      this.#scan(faces, faceCount);
    } else {
      const face = this.#walkFrom(seed >= 0 ? seed : faces[faceCount - 1], faceCount);
      if (face >= 0) this.#floodFrom(face, this.side(face), wantsCoplanar);
      else this.#scan(faces, faceCount);
    }
  }

  isVisible(face: number): boolean {
    return this.#marks[face] === this.#stamp + 1;
  }

  addVisible(face: number): void {
    if (this.visibleCount === this.visible.length)
      this.visible = copyInto(this.visible, new Int32Array(2 * this.visibleCount));
    this.visible[this.visibleCount++] = face;
    this.#marks[face] = this.#stamp + 1;
  }

  addCoplanar(face: number): void {
    if (this.coplanarCount === this.coplanar.length) {
      this.coplanar = copyInto(this.coplanar, new Int32Array(2 * this.coplanarCount));
    }
    this.coplanar[this.coplanarCount++] = face;
    this.#marks[face] = this.#stamp;
  }

  /**
   * Fills `rim` with the half-edges of visible faces whose twins are not visible, in order around the disc; their number.
   * No point sees all faces of a closed hull, and the walk takes the half-edges of visible faces in a ring, each once.
   */
  findRim(): number {
    const twins = this.#store.twins;
    const most = 3 * this.visibleCount;
    let i = 0;
    let start = 3 * this.visible[0];
    while (this.isVisible((twins[start] / 3) | 0)) {
      if (++i >= most) throw brokenWalk('over the faces that a point sees');
      start = 3 * this.visible[(i / 3) | 0] + (i % 3);
    }
    let left = most;
    let count = 0;
    let edge = start;
    do {
      if (count === this.rim.length) this.rim = copyInto(this.rim, new Int32Array(2 * count));
      this.rim[count++] = edge;
      edge = next(edge);
      for (; this.isVisible((twins[edge] / 3) | 0) && left > 0; left--) edge = next(twins[edge]);
    } while (edge !== start && --left > 0);
    if (edge !== start) throw brokenWalk('round the faces that a point sees');
    return count;
  }

  /** The side of a face the query point is on: positive outside, zero in its plane. */
  side(face: number): number {
    this.sideTests++;
    const store = this.#store;
    const planes = store.planes;
    const plane = PLANE_STRIDE * face;
    const value =
      planes[plane] * (this.x - store.originX) +
      planes[plane + 1] * (this.y - store.originY) +
      planes[plane + 2] * (this.z - store.originZ) -
      planes[plane + 3];
    const error = planes[plane + 4] * this.#errorScale;
    return value > error || value < -error ? value : store.exactSide(face, this.x, this.y, this.z);
  }

  /** Walks from now on go around the midpoint of a face and a point, if it is strictly inside the current faces. */
  setInner(face: number, point: number, faces: Int32Array, faceCount: number): void {
    const { points, corners } = this.#store;
    const ids = [corners[3 * face], corners[3 * face + 1], corners[3 * face + 2], point];
    const [x, y, z] = [0, 1, 2].map((axis) => ids.reduce((sum, id) => sum + points[3 * id + axis] / 4, 0));
    this.#innerX = x;
    this.#innerY = y;
    this.#innerZ = z;
    this.#hasInner = true;
    for (let i = 0; i < faceCount && this.#hasInner; i++) {
      this.#hasInner = this.#store.exactSide(faces[i], x, y, z) < 0;
    }
  }

  /** The factor on the error bounds for a point beyond the box of the array's points. */
  #findErrorScale(): number {
    const store = this.#store;
    const x = Math.abs(this.x - store.originX);
    const y = Math.abs(this.y - store.originY);
    const z = Math.abs(this.z - store.originZ);
    if (x <= store.extentX && y <= store.extentY && z <= store.extentZ) return 1;
    return Math.max(
      x > store.extentX ? x / store.extentX : 1,
      y > store.extentY ? y / store.extentY : 1,
      z > store.extentZ ? z / store.extentZ : 1,
    );
  }

  #scan(faces: Int32Array, faceCount: number): void {
    const planes = this.#store.planes;
    const scale = this.#errorScale;
    const x = this.x - this.#store.originX;
    const y = this.y - this.#store.originY;
    const z = this.z - this.#store.originZ;
    this.sideTests += faceCount;
    for (let i = 0; i < faceCount; i++) {
      const face = faces[i];
      const plane = PLANE_STRIDE * face;
      const value = planes[plane] * x + planes[plane + 1] * y + planes[plane + 2] * z - planes[plane + 3];
      const error = planes[plane + 4] * scale;
      if (value < -error) continue;
      this.#add(face, value > error ? value : this.#store.exactSide(face, this.x, this.y, this.z));
    }
  }

  /**
   * From a visible face, or from one that the ray from inside to the point pierces, over neighbors. Visible faces are one
   * disc; each facet in whose plane the point is touches the disc, or holds the point: then so do the neighbors it is on.
   */
  #floodFrom(face: number, side: number, wantsCoplanar: boolean): void {
    this.#add(face, side);
    for (let i = 0; i < this.visibleCount; i++) this.#visitNeighbors(this.visible[i]);
    if (this.visibleCount > 0 && !wantsCoplanar) return;
    for (let i = 0; i < this.coplanarCount; i++) this.#visitNeighbors(this.coplanar[i]);
  }

  #visitNeighbors(face: number): void {
    const twins = this.#store.twins;
    for (let edge = 3 * face; edge < 3 * face + 3; edge++) {
      const other = (twins[edge] / 3) | 0;
      if (this.#marks[other] < this.#stamp) this.#add(other, this.side(other));
    }
  }

  #add(face: number, side: number): void {
    if (side > 0) this.addVisible(face);
    else if (side === 0) this.addCoplanar(face);
    else this.#marks[face] = this.#stamp;
  }

  /**
   * Walks to the face that the ray from the inner point to the query point pierces, over each edge that has the query
   * point beyond it. Without random turns the walk may go in circles: −1 after many more steps than expected.
   */
  #walkFrom(start: number, faceCount: number): number {
    const { points, corners, twins } = this.#store;
    const limit = 32 + 8 * Math.sqrt(faceCount);
    let entry = 3 * start;
    let isEntry = 0;
    for (let step = 0; step < limit; step++) {
      let edge = entry;
      let isBeyond = false;
      for (let k = isEntry; k < 3 && !isBeyond; k++) {
        edge = k === 0 ? edge : next(edge);
        const a = 3 * corners[edge];
        const b = 3 * corners[next(edge)];
        this.sideTests++;
        isBeyond =
          exactSide(
            this.#innerX,
            this.#innerY,
            this.#innerZ,
            points[a],
            points[a + 1],
            points[a + 2],
            points[b],
            points[b + 1],
            points[b + 2],
            this.x,
            this.y,
            this.z,
          ) < 0;
      }
      if (!isBeyond) return (entry / 3) | 0;
      entry = twins[edge];
      isEntry = 1;
    }
    return -1;
  }
}

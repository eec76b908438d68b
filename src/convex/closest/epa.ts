// How deep two convex polyhedra overlap, by expanding a polytope inside A − B until its face nearest the origin is on
// the boundary (van den Bergen 2001). The polytope is an exact incremental hull: no sliver or coplanar face breaks it.
// Every direction tried bounds the depth from above: the answer holds however the search ends. O(rounds × faces).
import type { ProgressOptions } from '../../core/progress.js';
import { cross, length, normalize, perpendicular, type Vec3 } from '../../core/vec3.js';
import { IncrementalHull } from '../hull/hull-incremental.js';
import type { ConvexSet } from './convex-set.js';
import type { Gjk } from './gjk.js';
import { findSupport } from './support.js';
import { handleVertex } from './vertex-handle.js';

/** Rounding: the search ends when the depth is known to this share of the coordinates; a few hundred ulps. */
const DEPTH_GAP = 1e-13;
/** Chosen: a limit on rounds; `gap` says how far the answer may then be off. */
const MAX_ROUNDS = 400;
/**
 * Proven: at most two corners of a box around A − B, six supports along the axes, four of GJK's, and eight to leave a
 * plane or a line.
 */
const FIRST_POINTS = 20;

/** A search with its memory. The results are those of the last call of {@link run}. */
export class Epa {
  /** The least distance by which A must move so that the two no longer overlap; 0 when they only touch. */
  depth = 0;
  /** The true depth is less than `depth` by no more than this. */
  gap = 0;
  /** The cost: rounds of two supports and a scan of all faces. */
  rounds = 0;
  /** The unit vector along which A moves, in A's frame. */
  readonly direction = new Float64Array(3);
  /** The point of A that touches B after that motion, at its place before the motion. In A's frame. */
  readonly pointA = new Float64Array(3);
  /** The point of B that it touches. In A's frame. */
  readonly pointB = new Float64Array(3);

  /** Points a − b; those of A; those of B in A's frame. */
  readonly #points = new Float64Array(3 * (FIRST_POINTS + MAX_ROUNDS));
  readonly #onA = new Float64Array(3 * (FIRST_POINTS + MAX_ROUNDS));
  readonly #onB = new Float64Array(3 * (FIRST_POINTS + MAX_ROUNDS));
  #count = 0;
  #hull: IncrementalHull | null = null;
  /** The vertices that the last support found; walks start there. */
  #handleA = 0;
  #handleB = 0;
  /** The normal found last, unit, and twice the area of its face; the nearest face. */
  #area = 0;
  #nx = 0;
  #ny = 0;
  #nz = 0;
  #face = -1;

  /**
   * Measures the depth of two nodes whose intersection the given search has just found. Returns it. A signal ends it early,
   * with a larger gap.
   */
  run(
    setA: ConvexSet,
    nodeA: number,
    setB: ConvexSet,
    nodeB: number,
    placement: Float64Array,
    found: Gjk,
    signal?: ProgressOptions['signal'],
  ): number {
    this.depth = Infinity;
    this.gap = 0;
    this.rounds = 0;
    this.#handleA = found.simplex.handlesA[0];
    this.#handleB = found.simplex.handlesB[0];
    const hull = this.#begin(setA, nodeA, setB, nodeB, placement, found);
    for (; hull.dimension === 3 && this.rounds < MAX_ROUNDS; this.rounds++) {
      const nearest = this.#findNearestFace(hull);
      const face = this.#face;
      const reach = this.#addSupport(setA, nodeA, setB, nodeB, placement, this.#nx, this.#ny, this.#nz);
      if (reach < this.depth) this.#improve(reach, face);
      this.gap = Math.max(0, this.depth - Math.max(0, nearest));
      if (this.gap <= DEPTH_GAP * found.magnitude) break;
      if (signal?.aborted || hull.insert(this.#count - 1, face) !== 'outside') break;
    }
    // Rounding can leave the origin slightly outside when the two only touch.
    this.depth = Math.max(0, this.depth);
    return this.depth;
  }

  /** The hull of supports along the axes and of GJK's simplex, extended until it is solid if A − B is. */
  #begin(
    setA: ConvexSet,
    nodeA: number,
    setB: ConvexSet,
    nodeB: number,
    m: Float64Array,
    { simplex }: Gjk,
  ): IncrementalHull {
    this.#count = 2;
    for (let axis = 0; axis < 3; axis++) {
      for (let sign = -1; sign <= 1; sign += 2) {
        const [x, y, z] = [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
        const reach = this.#addSupport(setA, nodeA, setB, nodeB, m, x, y, z);
        this.#try(reach, x, y, z);
      }
    }
    for (let i = 0; i < simplex.count; i++) {
      const p = 3 * this.#count++;
      for (let axis = 0; axis < 3; axis++) {
        this.#points[p + axis] = simplex.w[3 * i + axis];
        this.#onA[p + axis] = simplex.a[3 * i + axis];
        this.#onB[p + axis] = simplex.b[3 * i + axis];
      }
    }
    this.#frame();
    const hull = new IncrementalHull(this.#points);
    this.#hull = hull;
    for (let i = 2; i < this.#count; i++) hull.insert(i);
    // Each time the hull grows by a dimension the next one is tried; a line has two directions across to try.
    for (let tries = 0; tries < 4 && hull.dimension < 3; tries++) {
      if (hull.dimension === 2) this.#findFlatNormal(hull);
      else this.#findPerpendicular(tries % 2 === 1);
      const [x, y, z] = [this.#nx, this.#ny, this.#nz];
      for (let sign = -1; sign <= 1; sign += 2) {
        const reach = this.#addSupport(setA, nodeA, setB, nodeB, m, sign * x, sign * y, sign * z);
        this.#try(reach, sign * x, sign * y, sign * z);
        hull.insert(this.#count - 1);
      }
    }
    return hull;
  }

  /** Sets the normal to one of two directions across the longest span of collinear points. */
  #findPerpendicular(second: boolean): void {
    const w = this.#points;
    let longest: Vec3 = [0, 0, 0];
    for (let i = 3; i < this.#count; i++) {
      const span: Vec3 = [w[3 * i] - w[6], w[3 * i + 1] - w[7], w[3 * i + 2] - w[8]];
      if (length(span) > length(longest)) longest = span;
    }
    const across = perpendicular(longest);
    [this.#nx, this.#ny, this.#nz] = second ? normalize(cross(across, longest)) : across;
  }

  /** Sets the normal to that of a flat hull's largest triangle. */
  #findFlatNormal(hull: IncrementalHull): void {
    let [largest, best] = [-1, hull.faces[0]];
    for (let i = 0; i < hull.faceCount; i++) {
      this.#findNormal(hull, hull.faces[i]);
      if (this.#area > largest) [largest, best] = [this.#area, hull.faces[i]];
    }
    this.#findNormal(hull, best);
  }

  /**
   * Two corners of a box that contains every later support: the exact hull's error bounds are relative to the box of
   * its points. The margin also keeps the first points from being treated as a lattice that later ones are not on.
   */
  #frame(): void {
    const points = this.#points;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = 2; i < this.#count; i++) {
        low = Math.min(low, points[3 * i + axis]);
        high = Math.max(high, points[3 * i + axis]);
      }
      const margin = (high - low) / 97;
      points[axis] = low - margin;
      points[3 + axis] = high + margin;
      for (let i = this.#count; i < points.length / 3; i++) points[3 * i + axis] = low;
    }
  }

  /** The face nearest the origin; sets its normal. Returns its distance, negative when the origin is outside it. */
  #findNearestFace(hull: IncrementalHull): number {
    let nearest = Infinity;
    let best = -1;
    for (let i = 0; i < hull.faceCount; i++) {
      const distance = this.#findNormal(hull, hull.faces[i]);
      if (distance < nearest) {
        nearest = distance;
        best = hull.faces[i];
      }
    }
    this.#face = best;
    return this.#findNormal(hull, best);
  }

  /** Sets the unit normal of a face and returns the face's distance from the origin. */
  #findNormal({ corners }: IncrementalHull, face: number): number {
    const w = this.#points;
    const [p, q, r] = [3 * corners[3 * face], 3 * corners[3 * face + 1], 3 * corners[3 * face + 2]];
    const ux = w[q] - w[p];
    const uy = w[q + 1] - w[p + 1];
    const uz = w[q + 2] - w[p + 2];
    const vx = w[r] - w[p];
    const vy = w[r + 1] - w[p + 1];
    const vz = w[r + 2] - w[p + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const area = Math.hypot(nx, ny, nz);
    this.#area = area;
    if (!(area > 0)) return Infinity;
    this.#nx = nx / area;
    this.#ny = ny / area;
    this.#nz = nz / area;
    return this.#nx * w[p] + this.#ny * w[p + 1] + this.#nz * w[p + 2];
  }

  /**
   * Adds the point of A − B farthest along a unit direction, and returns how far that is.
   * Takes scalars, for inner loops.
   */
  #addSupport(
    setA: ConvexSet,
    nodeA: number,
    setB: ConvexSet,
    nodeB: number,
    m: Float64Array,
    x: number,
    y: number,
    z: number,
  ): number {
    this.#handleA = findSupport(setA, nodeA, this.#handleA, x, y, z);
    this.#handleB = findSupport(
      setB,
      nodeB,
      this.#handleB,
      -(m[0] * x + m[4] * y + m[8] * z),
      -(m[1] * x + m[5] * y + m[9] * z),
      -(m[2] * x + m[6] * y + m[10] * z),
    );
    const a = 3 * handleVertex(setA, nodeA, this.#handleA);
    const b = 3 * handleVertex(setB, nodeB, this.#handleB);
    const p = 3 * this.#count++;
    let reach = 0;
    for (let axis = 0; axis < 3; axis++) {
      const row = 4 * axis;
      const onA = setA.positions[a + axis];
      const onB =
        m[row] * setB.positions[b] +
        m[row + 1] * setB.positions[b + 1] +
        m[row + 2] * setB.positions[b + 2] +
        m[row + 3];
      this.#onA[p + axis] = onA;
      this.#onB[p + axis] = onB;
      this.#points[p + axis] = onA - onB;
      reach += (onA - onB) * (axis === 0 ? x : axis === 1 ? y : z);
    }
    return reach;
  }

  /** Accepts a direction whose support was added last, if no better one is known. */
  #try(reach: number, x: number, y: number, z: number): void {
    if (!(reach < this.depth)) return;
    this.#setDepth(reach, x, y, z);
    const p = 3 * (this.#count - 1);
    for (let axis = 0; axis < 3; axis++) {
      this.pointA[axis] = this.#onA[p + axis];
      this.pointB[axis] = this.#onB[p + axis];
    }
  }

  #setDepth(reach: number, x: number, y: number, z: number): void {
    this.depth = reach;
    this.direction[0] = -x;
    this.direction[1] = -y;
    this.direction[2] = -z;
  }

  /** Accepts the direction of a face: the points are where its plane is nearest the origin. */
  #improve(reach: number, face: number): void {
    this.#setDepth(reach, this.#nx, this.#ny, this.#nz);
    const { corners } = this.#hull!;
    const w = this.#points;
    const ids = [3 * corners[3 * face], 3 * corners[3 * face + 1], 3 * corners[3 * face + 2]];
    const parts = [0, 0, 0];
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const q = ids[(k + 1) % 3];
      const r = ids[(k + 2) % 3];
      const cx = w[q + 1] * w[r + 2] - w[q + 2] * w[r + 1];
      const cy = w[q + 2] * w[r] - w[q] * w[r + 2];
      const cz = w[q] * w[r + 1] - w[q + 1] * w[r];
      // The origin's foot on the plane lies along the normal, so the origin itself can be used.
      parts[k] = Math.max(0, cx * this.#nx + cy * this.#ny + cz * this.#nz);
      sum += parts[k];
    }
    for (let axis = 0; axis < 3; axis++) {
      let onA = 0;
      let onB = 0;
      for (let k = 0; k < 3; k++) {
        const weight = sum > 0 ? parts[k] / sum : k === 0 ? 1 : 0;
        onA += weight * this.#onA[ids[k] + axis];
        onB += weight * this.#onB[ids[k] + axis];
      }
      this.pointA[axis] = onA;
      this.pointB[axis] = onB;
    }
  }
}

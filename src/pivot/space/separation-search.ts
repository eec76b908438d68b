// The separation of two solids: candidates are the triangles of A that can hold the closest point, their cells are
// sampled and the nearest sample taken; on request all candidates within its distance and twice the error are measured
// exactly. Solids that meet are found first, by exact tests of triangles and of one point of each part.
import type { Vec3 } from '../../core/vec3.js';
import { RowCrossings } from '../../field/source/row-crossings.js';
import { TriangleDistance } from '../../mesh/triangle/triangle-distance.js';
import type { FrameSolid } from './frame-solid.js';
import { blocksOf, rangeOfBox } from './lattice.js';
import type { SpaceSeparation } from './space-result.js';
import type { SurfaceSampler } from './surface-sampler.js';
import type { TriangleOctree } from './triangle-octree.js';

/**
 * Rounding: distances are compared with this much room, as a share of the largest coordinate: more than they are
 * rounded.
 */
const GAP_ROUNDING = 1e-12;

type Found = Pick<SpaceSeparation, 'intersects' | 'distance' | 'pointA' | 'pointB' | 'direction'>;

export class SeparationSearch {
  readonly #a: FrameSolid;
  readonly #b: FrameSolid;
  readonly #treeA: TriangleOctree;
  readonly #treeB: TriangleOctree;
  readonly #sampler: SurfaceSampler;
  readonly #measure = new TriangleDistance();
  readonly #slack: number;
  readonly #box = new Float64Array(6);

  constructor(a: FrameSolid, b: FrameSolid, treeA: TriangleOctree, treeB: TriangleOctree, sampler: SurfaceSampler) {
    this.#a = a;
    this.#b = b;
    this.#treeA = treeA;
    this.#treeB = treeB;
    this.#sampler = sampler;
    this.#slack = GAP_ROUNDING * Math.max(a.extent, b.extent);
  }

  run(spacing: number, error: number, exact: boolean): Found {
    const meet: Found = { intersects: true, distance: 0, pointA: null, pointB: null, direction: null };
    this.#treeB.prepare(this.#b);
    if (this.#isPartInside(this.#a, this.#b) || this.#isPartInside(this.#b, this.#a)) return meet;
    const bound = this.#nearestCorner();
    const candidates = this.#candidates(bound);
    if (this.#meets(candidates)) return meet;
    const sampled = this.#nearestSample(candidates, bound, spacing, error);
    if (!exact) return sampled;
    return this.#refine(candidates, sampled.distance + 2 * error);
  }

  /** Whether a corner of some connected part of a surface is in the other solid. */
  #isPartInside(surface: FrameSolid, other: FrameSolid): boolean {
    const inside = new Uint8Array(1);
    for (const triangle of surface.partTriangles()) {
      const [x, y, z] = surface.triangles.subarray(9 * triangle, 9 * triangle + 3);
      const { min, max } = other;
      if (x < min[0] || y < min[1] || z < min[2] || x > max[0] || y > max[1] || z > max[2]) continue;
      const frame = { origin: [x, y, z] as Vec3, spacing: 1, size: [1, 1, 1] as [number, number, number] };
      new RowCrossings(other.triangles, other.count).fill(frame, { min: [0, 0, 0], max: [0, 0, 0] }, inside);
      if (inside[0] !== 0) return true;
    }
    return false;
  }

  /** The least distance of a corner of A to B's surface, an upper bound. */
  #nearestCorner(): number {
    const { triangles: t, count } = this.#a;
    const tree = this.#treeB;
    let best = Infinity;
    let guess = -1;
    for (let o = 0; o < 9 * count; o += 9) {
      tree.search(t[o], t[o + 1], t[o + 2], guess, best);
      if (tree.triangle < 0) continue;
      guess = tree.triangle;
      best = tree.square;
    }
    return Math.sqrt(best);
  }

  /** The triangles of A whose boxes are within a distance of boxes of B's hierarchy. */
  #candidates(bound: number): Int32Array {
    const { count } = this.#a;
    const limit = (bound + this.#slack) ** 2;
    const found: number[] = [];
    for (let triangle = 0; triangle < count; triangle++) {
      this.#setBox(triangle);
      if (this.#treeB.isWithin(this.#box, limit)) found.push(triangle);
    }
    return Int32Array.from(found);
  }

  #setBox(triangle: number): void {
    const t = this.#a.triangles;
    const o = 9 * triangle;
    for (let axis = 0; axis < 3; axis++) {
      this.#box[axis] = Math.min(t[o + axis], t[o + 3 + axis], t[o + 6 + axis]);
      this.#box[3 + axis] = Math.max(t[o + axis], t[o + 3 + axis], t[o + 6 + axis]);
    }
  }

  /** Whether some candidate meets a triangle of B; exact. */
  #meets(candidates: Int32Array): boolean {
    for (const triangle of candidates) {
      this.#setBox(triangle);
      const near = this.#treeB.collect(this.#box, 0);
      for (let n = 0; n < near; n++) if (this.#squareTo(triangle, this.#treeB.collected[n]) === 0) return true;
    }
    return false;
  }

  #squareTo(triangleA: number, triangleB: number): number {
    const o = 9 * triangleA;
    const p = 9 * triangleB;
    return this.#measure.measure(this.#a.triangles, o, o + 3, o + 6, this.#b.triangles, p, p + 3, p + 6);
  }

  /** The nearest sample of the cells that the candidates meet. */
  #nearestSample(candidates: Int32Array, bound: number, spacing: number, error: number): Found {
    const { min, max } = this.#b;
    const reach = bound + this.#slack;
    const range = rangeOfBox(
      min.map((x, axis) => Math.max(x - reach, this.#a.min[axis])),
      max.map((x, axis) => Math.min(x + reach, this.#a.max[axis])),
      spacing,
    );
    const tree = this.#treeB;
    const { cells } = this.#sampler;
    let best = (reach + error) ** 2;
    let guess = -1;
    const sample: Vec3 = [0, 0, 0];
    for (const block of blocksOf(range)) {
      const frame = this.#sampler.sample(this.#a, null, block, spacing, false, candidates);
      if (frame === null) continue;
      const [nx, ny] = frame.size;
      for (let cell = 0; cell < cells.count; cell++) {
        const row = Math.floor(cells.nodes[cell] / nx);
        const x = frame.origin[0] + spacing * (cells.nodes[cell] - nx * row);
        const y = frame.origin[1] + spacing * (row % ny);
        const z = frame.origin[2] + spacing * Math.floor(row / ny);
        tree.search(x, y, z, guess, best);
        if (tree.triangle < 0) continue;
        guess = tree.triangle;
        best = tree.square;
        sample[0] = x;
        sample[1] = y;
        sample[2] = z;
      }
    }
    tree.locate(guess, ...sample);
    const pointB: Vec3 = [tree.point.x, tree.point.y, tree.point.z];
    this.#treeA.prepare(this.#a);
    this.#treeA.search(...sample, -1, Infinity);
    this.#treeA.locate(this.#treeA.triangle, ...sample);
    const { x, y, z } = this.#treeA.point;
    return apart(Math.sqrt(best), [x, y, z], pointB);
  }

  /** The exact separation, if it does not exceed `limit`: every pair of triangles that can be within it is measured. */
  #refine(candidates: Int32Array, limit: number): Found {
    let best = (limit + this.#slack) ** 2;
    const pointA: Vec3 = [0, 0, 0];
    const pointB: Vec3 = [0, 0, 0];
    for (const triangle of candidates) {
      this.#setBox(triangle);
      const near = this.#treeB.collect(this.#box, best);
      for (let n = 0; n < near; n++) {
        const square = this.#squareTo(triangle, this.#treeB.collected[n]);
        if (square >= best) continue;
        best = square;
        for (let axis = 0; axis < 3; axis++) {
          pointA[axis] = this.#measure.pointA[axis];
          pointB[axis] = this.#measure.pointB[axis];
        }
      }
    }
    return apart(Math.sqrt(best), pointA, pointB);
  }
}

function apart(distance: number, pointA: Vec3, pointB: Vec3): Found {
  const [x, y, z] = [pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2]];
  const length = Math.hypot(x, y, z);
  const direction: Vec3 | null = length > 0 ? [x / length, y / length, z / length] : null;
  return { intersects: false, distance, pointA, pointB, direction };
}

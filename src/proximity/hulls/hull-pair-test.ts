// One test of a pair of hulls: their distance by Voronoi marching, and the next step according to the classes of the
// closest features (Ehmann and Lin 2001, section 6.2, algorithm 2): the pair is settled, or one of the two hulls is
// split, or, for two pieces whose features do not settle it, their triangles are tested.
import { ConvexMarch } from '../../convex/closest/march.js';
import { CONTAINED, type FaceClass, ORIGINAL } from '../../decomposition/hierarchy/hierarchy.js';
import { classOfFeature, type HullSurface, triangleOfFeature } from './hull-surface.js';

/** Label: the distance of the hulls equals that of the surfaces below them. */
export const SETTLED = 0;
/** Label: split the hull of A. */
export const SPLIT_A = 1;
/** Label: split the hull of B. */
export const SPLIT_B = 2;
/** Label: both hulls are pieces, and the triangles of their patches decide. */
export const TRIANGLES = 3;
/** Label: nothing below the pair matters. */
export const PRUNED = 4;

/** Tests pairs of hulls for one placement after another. */
export class HullPairTest {
  /** The result of the last march. */
  readonly march = new ConvexMarch();
  readonly placement = new Float64Array(12);
  /** Marches, and their steps, since {@link place}. */
  count = 0;
  steps = 0;
  #nodeA = -1;
  #nodeB = -1;
  #settlesA: FaceClass = ORIGINAL;
  #settlesB: FaceClass = ORIGINAL;
  readonly #a: HullSurface;
  readonly #b: HullSurface;

  constructor(a: HullSurface, b: HullSurface) {
    this.#a = a;
    this.#b = b;
  }

  /** Begins a query. */
  place(placement: Float64Array): void {
    this.placement.set(placement);
    this.count = 0;
    this.steps = 0;
    this.#nodeA = -1;
  }

  /** Sets whether CONTAINED features settle a pair: those of a closed surface are parts of the solid. */
  trust(containedA: boolean, containedB: boolean): void {
    this.#settlesA = containedA ? CONTAINED : ORIGINAL;
    this.#settlesB = containedB ? CONTAINED : ORIGINAL;
  }

  /** The distance of two hulls, 0 when they intersect. */
  run(nodeA: number, nodeB: number, seedA: number, seedB: number): number {
    const { march } = this;
    this.count++;
    this.#nodeA = nodeA;
    this.#nodeB = nodeB;
    const distance = march.query(this.#a.set, nodeA, this.#b.set, nodeB, this.placement, seedA, seedB);
    this.steps += march.steps;
    return distance;
  }

  /** The next step after the last test. With `exactly`, only triangles can settle the pair. */
  decide(nodeA: number, nodeB: number, exactly: boolean): number {
    const { march } = this;
    const innerA = this.#a.hierarchy.children[2 * nodeA] >= 0;
    const innerB = this.#b.hierarchy.children[2 * nodeB] >= 0;
    const openA = exactly || classOfFeature(this.#a, march.featureA) > this.#settlesA;
    const openB = exactly || classOfFeature(this.#b, march.featureB) > this.#settlesB;
    if (!openA && !openB) return SETTLED;
    const splitsA = openA && innerA;
    const splitsB = openB && innerB;
    if (splitsA && splitsB) return this.#isLargerA(nodeA, nodeB) ? SPLIT_A : SPLIT_B;
    if (splitsA) return SPLIT_A;
    if (splitsB) return SPLIT_B;
    // An open piece cannot settle the pair: the other hull must be split down to its pieces.
    if (innerA) return SPLIT_A;
    return innerB ? SPLIT_B : TRIANGLES;
  }

  /** The triangles that carry the closest features of the last test; −1 for a feature that is on no triangle. */
  triangleA(): number {
    return triangleOfFeature(this.#a, this.march.featureA);
  }

  triangleB(): number {
    return triangleOfFeature(this.#b, this.march.featureB);
  }

  /** Whether two pieces share a point that is inside both by more than `margin`; the march then holds the point. */
  overlapClearly(nodeA: number, nodeB: number, margin: number): boolean {
    const { march, placement: m } = this;
    if (this.#nodeA !== nodeA || this.#nodeB !== nodeB) this.run(nodeA, nodeB, -1, -1);
    if (!march.intersects) return false;
    const [x, y, z] = march.pointA;
    if (depthIn(this.#a, nodeA, x, y, z) <= margin) return false;
    const dx = x - m[3];
    const dy = y - m[7];
    const dz = z - m[11];
    const bx = m[0] * dx + m[4] * dy + m[8] * dz;
    const by = m[1] * dx + m[5] * dy + m[9] * dz;
    const bz = m[2] * dx + m[6] * dy + m[10] * dz;
    return depthIn(this.#b, nodeB, bx, by, bz) > margin;
  }

  #isLargerA(nodeA: number, nodeB: number): boolean {
    return this.#a.nodeSpheres[4 * nodeA + 3] >= this.#b.nodeSpheres[4 * nodeB + 3];
  }
}

/** The depth of a point behind the nearest plane of a hull; not positive if the point is not inside. */
function depthIn({ hierarchy }: HullSurface, node: number, x: number, y: number, z: number): number {
  const { faceStart, nodeFaces, facePlanes } = hierarchy;
  let depth = Infinity;
  for (let face = faceStart[node]; face < faceStart[node + 1]; face++) {
    const plane = 4 * nodeFaces[face];
    const behind =
      facePlanes[plane + 3] - facePlanes[plane] * x - facePlanes[plane + 1] * y - facePlanes[plane + 2] * z;
    if (behind < depth) depth = behind;
  }
  return depth;
}

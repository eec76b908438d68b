// The volume of the overlap of two solids, from both sides. By the divergence theorem it is a sum over the surface of the
// overlap: the parts of either surface that are inside the other solid. A ball around the middle of a node or a triangle, of
// the size of the distance there, is all inside or all outside; what is not decided so is divided, the largest first, and
// counts as an interval where the work ends. Proven up to rounding; the work is counted.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { OUTWARD_SURFACE } from '../../proximity/model-parts.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { type Bvh, endSlot, firstSlot, isLeaf, leftChild } from '../../spatial/bvh.js';
import { ballOfNode, ballOfTriangle } from './piece-balls.js';
import { PieceHeap } from './piece-heap.js';

/** A volume that is proven to be within an interval. */
export interface VolumeInterval {
  readonly lower: number;
  readonly upper: number;
}

/** Chosen: the gap at which the search ends, as a share of the upper bound. */
const RELATIVE_GAP = 0.02;

/**
 * The volume of the overlap; null if a model bounds no solid.
 * @param relative B's pose in A's frame; @param around a point near the overlap, in A's frame; @param maxEvaluations signed
 * distances that each of the two surfaces may take.
 */
export function measureOverlapVolume(
  a: ProximityModel,
  b: ProximityModel,
  relative: pose.Pose,
  around: Vec3,
  maxEvaluations: number,
): VolumeInterval | null {
  if (!a.closed || !b.closed) return null;
  const back = pose.invert(relative);
  const ofA = new SurfaceInside(a, b, back, around).run(maxEvaluations);
  const ofB = new SurfaceInside(b, a, relative, pose.transformPoint(back, around)).run(maxEvaluations);
  return { lower: Math.max(0, ofA.lower + ofB.lower), upper: Math.max(0, ofA.upper + ofB.upper) };
}

/** A part of the surface that is not decided: a node of the hierarchy, or a triangle of nine coordinates. */
interface Piece {
  readonly low: number;
  readonly high: number;
  readonly node: number;
  readonly corners: Float64Array | null;
}

/** The part of one surface's sum that is inside another solid. */
class SurfaceInside {
  readonly #positions: Float64Array;
  readonly #indices: Uint32Array;
  readonly #bvh: Bvh;
  readonly #outer: ProximityModel;
  readonly #placement: pose.Pose;
  readonly #around: Vec3;
  /** Before each slot: the sums of what triangles give, of those that give less than nothing and of the others. */
  readonly #below: Float64Array;
  readonly #above: Float64Array;
  /** The widest interval first. */
  readonly #heap = new PieceHeap<Piece>();
  #inside = 0;
  #open = 0;

  constructor(inner: ProximityModel, outer: ProximityModel, placement: pose.Pose, around: Vec3) {
    const { mesh } = inner.parts.get(OUTWARD_SURFACE);
    this.#positions = mesh.positions;
    this.#indices = mesh.indices;
    this.#bvh = buildBvh(triangleBoxes(mesh));
    this.#outer = outer;
    this.#placement = placement;
    this.#around = around;
    const count = this.#bvh.itemCount;
    this.#below = new Float64Array(count + 1);
    this.#above = new Float64Array(count + 1);
    for (let slot = 0; slot < count; slot++) {
      const share = this.#shareOf(this.#cornersOf(this.#bvh.items[slot]));
      this.#below[slot + 1] = this.#below[slot] + Math.min(0, share);
      this.#above[slot + 1] = this.#above[slot] + Math.max(0, share);
    }
  }

  run(maxEvaluations: number): VolumeInterval {
    this.#decideNode(0);
    for (let done = 1; done < maxEvaluations; ) {
      const piece = this.#heap.pop();
      if (piece === null) break;
      this.#open -= piece.high - piece.low;
      if (this.#open + piece.high - piece.low <= RELATIVE_GAP * Math.abs(this.#inside)) {
        this.#push(piece);
        break;
      }
      if (piece.corners !== null) done += this.#divide(piece.corners);
      else if (isLeaf(this.#bvh, piece.node)) done += this.#decideTriangles(piece.node);
      else {
        this.#decideNode(leftChild(this.#bvh, piece.node));
        this.#decideNode(leftChild(this.#bvh, piece.node) + 1);
        done += 2;
      }
    }
    let [lower, upper] = [this.#inside, this.#inside];
    for (const { low, high } of this.#heap.left()) {
      lower += low;
      upper += high;
    }
    return { lower, upper };
  }

  /** The signed distance of a point to the other solid: negative inside. */
  #distance(point: Vec3): number {
    return this.#outer.signedDistance(pose.transformPoint(this.#placement, point));
  }

  #decideNode(node: number): void {
    const { center, radius } = ballOfNode(this.#bvh, node);
    const [first, end] = [firstSlot(this.#bvh, node), endSlot(this.#bvh, node)];
    const low = this.#below[end] - this.#below[first];
    const high = this.#above[end] - this.#above[first];
    this.#decide(this.#distance(center), radius, { low, high, node, corners: null });
  }

  #decideTriangles(node: number): number {
    const [first, end] = [firstSlot(this.#bvh, node), endSlot(this.#bvh, node)];
    for (let slot = first; slot < end; slot++) this.#decideTriangle(this.#cornersOf(this.#bvh.items[slot]));
    return end - first;
  }

  #decideTriangle(corners: Float64Array): void {
    const { center, radius } = ballOfTriangle(corners);
    const share = this.#shareOf(corners);
    this.#decide(this.#distance(center), radius, {
      ...{ low: Math.min(0, share), high: Math.max(0, share), node: -1, corners },
    });
  }

  #decide(distance: number, radius: number, piece: Piece): void {
    if (distance >= radius) return;
    if (distance <= -radius) this.#inside += piece.low + piece.high;
    else this.#push(piece);
  }

  /** Into four triangles, at the middles of the sides. */
  #divide(c: Float64Array): number {
    const middle = (i: number, j: number): number[] => [0, 1, 2].map((k) => (c[3 * i + k] + c[3 * j + k]) / 2);
    const [p, q, r] = [0, 3, 6].map((o) => [c[o], c[o + 1], c[o + 2]]);
    const [pq, qr, rp] = [middle(0, 1), middle(1, 2), middle(2, 0)];
    for (const corners of [
      [p, pq, rp],
      [pq, q, qr],
      [rp, qr, r],
      [pq, qr, rp],
    ]) {
      this.#decideTriangle(Float64Array.from(corners.flat()));
    }
    return 4;
  }

  #cornersOf(triangle: number): Float64Array {
    const corners = new Float64Array(9);
    for (let k = 0; k < 3; k++) {
      const vertex = 3 * this.#indices[3 * triangle + k];
      corners.set(this.#positions.subarray(vertex, vertex + 3), 3 * k);
    }
    return corners;
  }

  /** What a triangle gives to the volume: that of the tetrahedron with the point around which is summed. */
  #shareOf(c: Float64Array): number {
    const [x, y, z] = this.#around;
    const [ax, ay, az] = [c[0] - x, c[1] - y, c[2] - z];
    const [bx, by, bz] = [c[3] - x, c[4] - y, c[5] - z];
    const [cx, cy, cz] = [c[6] - x, c[7] - y, c[8] - z];
    return (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
  }

  #push(piece: Piece): void {
    this.#open += piece.high - piece.low;
    this.#heap.push(piece.high - piece.low, piece);
  }
}

// A part with its hull: planes, box, volumes, and how far the two are apart.

import { findFacePlanes } from '../../convex/hull/face-planes.js';
import { buildHull, type Hull } from '../../convex/hull/hull.js';
import { hullToMesh, measureHull } from '../../convex/hull/hull-measure.js';
import type { Mesh } from '../../mesh/mesh.js';
import { boundDepth, type DistanceBounds, depthOf } from './hull-depth.js';
import { boundOvershoot, overshootOfVolume, type Target } from './hull-overshoot.js';
import { measureVolume, type Part } from './part.js';

export class HulledPart {
  readonly part: Part;
  readonly hull: Hull;
  readonly hullVolume: number;
  /** The volume of the part; zero for an open surface. */
  readonly volume: number;
  readonly box: Float64Array;
  #planes: Float64Array | null = null;

  constructor(part: Part, isClosed: boolean, volume = isClosed ? measureVolume(part) : 0) {
    this.part = part;
    this.hull = buildHull(part.positions);
    this.hullVolume = measureHull(this.hull).volume;
    this.volume = volume;
    this.box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (const vertex of this.hull.vertices) {
      for (let axis = 0; axis < 3; axis++) {
        const x = part.positions[3 * vertex + axis];
        this.box[axis] = Math.min(this.box[axis], x);
        this.box[axis + 3] = Math.max(this.box[axis + 3], x);
      }
    }
  }

  /** The volume of the hull that is not of the part. */
  get excess(): number {
    return Math.max(0, this.hullVolume - this.volume);
  }

  get planes(): Float64Array {
    this.#planes ??= findFacePlanes(this.part.positions, this.hull.triangles);
    return this.#planes;
  }

  /** The hull as a mesh; null when it is a segment or a point. */
  toMesh(): Mesh | null {
    return this.hull.dimension < 2 ? null : hullToMesh(this.hull);
  }

  depth(tolerance: number): DistanceBounds {
    // A flat hull is all boundary.
    if (this.hull.dimension < 3) return { lower: 0, upper: 0 };
    return boundDepth(this.part, this.planes, tolerance);
  }

  /** `isSimple`: the solid counts no volume twice, so that volumes bound the overshoot. */
  overshoot(target: Target, isSimple: boolean, tolerance: number, decideAt?: number): DistanceBounds {
    if (this.hull.dimension < 2) return { lower: 0, upper: 0 };
    const ofVolume = isSimple && target.isClosed ? this.#overshootOfVolume() : Infinity;
    if (ofVolume <= tolerance || ofVolume <= decideAt!) return { lower: 0, upper: ofVolume };
    const { lower, upper } = boundOvershoot(target, this.planes, this.box, tolerance, decideAt);
    return { lower, upper: Math.min(upper, ofVolume) };
  }

  #overshootOfVolume(): number {
    const [x, y, z] = measureHull(this.hull).centroid;
    const { positions } = this.part;
    let reach = 0;
    for (const vertex of this.hull.vertices) {
      const v = 3 * vertex;
      reach = Math.max(reach, Math.hypot(positions[v] - x, positions[v + 1] - y, positions[v + 2] - z));
    }
    // Rounding of the two volumes.
    const excess = this.hullVolume - this.volume + 1e-12 * this.hullVolume;
    return overshootOfVolume(excess, depthOf(this.planes, x, y, z), reach);
  }
}

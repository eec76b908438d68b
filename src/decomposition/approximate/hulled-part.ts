// A part with its hull: planes, box, volumes, and how far the two are apart.
import { findFacePlanes } from '../../convex/hull/face-planes.js';
import { buildHull, type Hull } from '../../convex/hull/hull.js';
import { hullToMesh, measureHull } from '../../convex/hull/hull-measure.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { joinParts, measureVolume, type Part } from '../cut/part.js';
import { boundDepth, type DistanceBounds, depthOf } from './hull-depth.js';
import { boundOvershoot, distanceTo, overshootOfVolume, type Target } from './hull-overshoot.js';

/** Chosen: points of the surface that {@link HulledPart.estimate} looks at. */
const SURFACE_SAMPLES = 256;
/** Chosen: points of the hull that {@link HulledPart.estimate} looks at. */
const HULL_SAMPLES = 64;

export class HulledPart {
  readonly hull: Hull;
  readonly hullVolume: number;
  /** The volume of the part; zero for an open surface. */
  readonly volume: number;
  readonly box: Float64Array;
  /** The parts of the solid that this one consists of. */
  readonly #parts: readonly Part[];
  #joined: Part | null = null;
  #planes: Float64Array | null = null;
  #estimate = Number.NaN;
  #depth: DistanceBounds | null = null;
  #overshoot: DistanceBounds = { lower: 0, upper: Infinity };

  constructor(part: Part, isClosed: boolean);
  /** Two parts as one. */
  constructor(first: HulledPart, second: HulledPart);
  constructor(first: Part | HulledPart, second: boolean | HulledPart) {
    if (first instanceof HulledPart && second instanceof HulledPart) {
      this.#parts = [...first.#parts, ...second.#parts];
      this.volume = first.volume + second.volume;
      this.hull = buildHull(cornersOf(first.hull, second.hull));
    } else {
      const part = first as Part;
      this.#parts = [part];
      this.volume = second === true ? measureVolume(part) : 0;
      this.hull = buildHull(part.positions);
    }
    this.hullVolume = measureHull(this.hull).volume;
    this.box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
    const { points, vertices } = this.hull;
    for (const vertex of vertices) {
      for (let axis = 0; axis < 3; axis++) {
        const x = points[3 * vertex + axis];
        this.box[axis] = Math.min(this.box[axis], x);
        this.box[axis + 3] = Math.max(this.box[axis + 3], x);
      }
    }
  }

  get part(): Part {
    this.#joined ??= this.#parts.reduce(joinParts);
    return this.#joined;
  }

  /** The volume of the hull that is not of the part. */
  get excess(): number {
    return Math.max(0, this.hullVolume - this.volume);
  }

  get planes(): Float64Array {
    this.#planes ??= findFacePlanes(this.hull.points, this.hull.triangles);
    return this.#planes;
  }

  /** The hull as a mesh; null when it is a segment or a point. */
  toMesh(): Mesh | null {
    return this.hull.dimension < 2 ? null : hullToMesh(this.hull);
  }

  /** A concavity that is reached for certain: from a few points of the surface and of the hull. */
  estimate(target: Target): number {
    if (Number.isNaN(this.#estimate)) {
      const isFlat = this.hull.dimension < 3;
      this.#estimate = Math.max(isFlat ? 0 : this.#sampleDepth(), isFlat ? 0 : this.#sampleOvershoot(target));
    }
    return this.#estimate;
  }

  /** Bounds on the depth. Above `decideAt` they may be loose. */
  depth(tolerance: number, decideAt?: number): DistanceBounds {
    // A flat hull is all boundary.
    if (this.hull.dimension < 3) return { lower: 0, upper: 0 };
    if (this.#depth === null || (this.#depth.upper === Infinity && decideAt === undefined)) {
      this.#depth = boundDepth(this.part, this.planes, tolerance, decideAt);
    }
    return this.#depth;
  }

  /**
   * Bounds on the overshoot, the best found so far. `isSimple`: the solid counts no volume twice, so that volumes bound
   * it. Above `decideAt`, or after `deadline`, they may be loose.
   */
  overshoot(
    target: Target,
    isSimple: boolean,
    tolerance: number,
    { decideAt = Number.NaN, deadline = Infinity } = {},
  ): DistanceBounds {
    if (this.hull.dimension < 2) return { lower: 0, upper: 0 };
    const known = this.#overshoot;
    const isKnown = known.upper <= decideAt || known.lower > decideAt || known.upper - known.lower <= tolerance;
    if (isKnown) return known;
    const ofVolume = isSimple && target.isClosed ? this.#overshootOfVolume() : Infinity;
    if (ofVolume <= tolerance || ofVolume <= decideAt) {
      this.#overshoot = { lower: known.lower, upper: Math.min(known.upper, ofVolume) };
    } else {
      const { lower, upper } = boundOvershoot(target, this.planes, this.box, tolerance, decideAt, deadline);
      this.#overshoot = { lower: Math.max(lower, known.lower), upper: Math.min(upper, ofVolume, known.upper) };
    }
    return this.#overshoot;
  }

  #overshootOfVolume(): number {
    const [x, y, z] = measureHull(this.hull).centroid;
    const { points, vertices } = this.hull;
    let reach = 0;
    for (const vertex of vertices) {
      const v = 3 * vertex;
      reach = Math.max(reach, Math.hypot(points[v] - x, points[v + 1] - y, points[v + 2] - z));
    }
    // Rounding of the two volumes.
    const excess = this.hullVolume - this.volume + 1e-12 * this.hullVolume;
    return overshootOfVolume(excess, depthOf(this.planes, x, y, z), reach);
  }

  /** The depth of some triangles' middles: all vertices of a channel may lie on the hull. */
  #sampleDepth(): number {
    let deepest = 0;
    const total = this.#parts.reduce((sum, { sources }) => sum + sources.length, 0);
    const step = Math.max(1, Math.floor(total / SURFACE_SAMPLES));
    for (const { positions, indices, sources } of this.#parts) {
      for (let t = step >> 1; t < sources.length; t += step) {
        if (sources[t] <= 0) continue;
        const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
        const x = (positions[a] + positions[b] + positions[c]) / 3;
        const y = (positions[a + 1] + positions[b + 1] + positions[c + 1]) / 3;
        const z = (positions[a + 2] + positions[b + 2] + positions[c + 2]) / 3;
        const depth = depthOf(this.planes, x, y, z);
        if (depth > deepest) deepest = depth;
      }
    }
    return deepest;
  }

  /** The distance of points of the hull, spread evenly over its area. */
  #sampleOvershoot(target: Target): number {
    const { points, triangles } = this.hull;
    const areas = new Float64Array(triangles.length / 3);
    let total = 0;
    for (let t = 0; t < areas.length; t++) {
      const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
      const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
      const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
      areas[t] = Math.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2);
      total += areas[t];
    }
    const point: Vec3 = [0, 0, 0];
    let farthest = 0;
    let passed = 0;
    let next = 0;
    for (let t = 0; t < areas.length; t++) {
      passed += areas[t];
      const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
      for (let first = true; next < HULL_SAMPLES && (next + 0.5) * total <= passed * HULL_SAMPLES; next++) {
        // The middle first, then points of a sequence that fills the triangle evenly (Roberts 2018).
        let s = first ? 1 / 3 : (0.5 + 0.7548776662466927 * next) % 1;
        let r = first ? 1 / 3 : (0.5 + 0.5698402909980532 * next) % 1;
        if (s + r > 1) [s, r] = [1 - s, 1 - r];
        first = false;
        for (let k = 0; k < 3; k++) {
          point[k] = points[a + k] + s * (points[b + k] - points[a + k]) + r * (points[c + k] - points[a + k]);
        }
        farthest = Math.max(farthest, distanceTo(target, point));
      }
    }
    return farthest;
  }
}

/** The vertices of two hulls. */
function cornersOf(...hulls: readonly Hull[]): Float64Array {
  const corners = new Float64Array(3 * hulls.reduce((sum, { vertices }) => sum + vertices.length, 0));
  let at = 0;
  for (const { points, vertices } of hulls) {
    for (const v of vertices) {
      corners.set(points.subarray(3 * v, 3 * v + 3), at);
      at += 3;
    }
  }
  return corners;
}

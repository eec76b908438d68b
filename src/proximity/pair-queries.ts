// What two models at poses answer by one search over their surfaces: intersection, tolerance, distance. They work in A's
// frame. B's placement in it is computed here, once; the searches see only that and how far B has moved since their last
// query. Contacts (contact/pair-contacts.ts) and motions (impact/pair-motions.ts) build on this, so that each application
// loads only what it uses.
import { takePose } from '../core/check/check-pose.js';
import { invertPlacement, placeBInA } from '../core/placement.js';
import type { ReadonlyPose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { Mesh } from '../mesh/mesh.js';
import { type MeshFeature, nameRegion } from '../mesh/triangle/triangle-region.js';
import { assertLength } from './arguments.js';
import { Containment } from './containment.js';
import { type BoundingVolume, DISTANCE_OPTIONS, type DistanceOptions } from './options.js';
import type { ProximityModel } from './proximity-model.js';
import type { DistanceResult, IntersectionResult, QueryCounters, ToleranceResult, Witness } from './result.js';
import type { SearchChoice } from './search-choice.js';
import type { SearchOutcome, SurfaceSearch } from './surface-search.js';

/** Two models and what answers queries about them. {@link Pair} documents the queries. */
export class PairQueries {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  /** Whether anything is remembered between queries. */
  readonly keeps: boolean;
  /** B in A's frame at the last query, row-major 3 × 4. */
  readonly placement = new Float64Array(12);
  readonly #searches: SearchChoice;
  readonly #aInB: Containment;
  readonly #bInA: Containment;
  /** A in B's frame. */
  readonly #inverse = new Float64Array(12);
  /** The search that answered the last query. */
  #search: SurfaceSearch;
  /** The poses of the last query, with unit quaternions. */
  #poseA = pose.identity();
  #poseB = pose.identity();
  #fresh = true;

  /** @param keeps whether the searches and the inside tests remember anything between queries. */
  constructor(a: ProximityModel, b: ProximityModel, searches: SearchChoice, keeps: boolean) {
    this.a = a;
    this.b = b;
    this.keeps = keeps;
    this.#searches = searches;
    this.#search = searches.take(false, this.placement);
    this.#aInB = new Containment(a, b, keeps);
    this.#bInA = new Containment(b, a, keeps);
  }

  get volume(): BoundingVolume {
    return this.#searches.volume;
  }

  /** The search that answers the query for which {@link place} was called last. */
  get search(): SurfaceSearch {
    return this.#search;
  }

  /** A's pose at the last query, with a unit quaternion. */
  get poseA(): ReadonlyPose {
    return this.#poseA;
  }

  testIntersection(poseA: ReadonlyPose, poseB: ReadonlyPose): IntersectionResult {
    const motion = this.place(poseA, poseB, true);
    const intersects = this.#search.testIntersection(this.placement, motion) || this.contains();
    this.record(intersects);
    return { intersects, counters: this.counters() };
  }

  testTolerance(poseA: ReadonlyPose, poseB: ReadonlyPose, tolerance: number): ToleranceResult {
    assertLength(tolerance, 'tolerance');
    const motion = this.place(poseA, poseB, false);
    const within = this.#search.testTolerance(this.placement, motion, tolerance) || this.contains();
    this.record(within);
    return { within, counters: this.counters() };
  }

  measureDistance(poseA: ReadonlyPose, poseB: ReadonlyPose, options: DistanceOptions = {}): DistanceResult {
    DISTANCE_OPTIONS.assert(options);
    const { cutoff = Infinity, absoluteError = 0, relativeError = 0 } = options;
    const motion = this.place(poseA, poseB, false);
    const search = this.#search;
    const found = search.measureDistance(this.placement, motion, cutoff, absoluteError, relativeError);
    const { outcome } = search;
    const meets = found && outcome.distance === 0;
    const contained = !meets && this.contains();
    this.record(meets || contained);
    const counters = this.counters();
    if (contained) return { intersects: true, distance: 0, error: 0, witness: this.#containedWitness(), counters };
    if (!found) return { intersects: false, distance: null, error: 0, witness: null, counters };
    const { distance, lowerBound } = outcome;
    const error = Math.max(0, distance - lowerBound);
    return { intersects: distance === 0, distance, error, witness: this.#surfaceWitness(outcome), counters };
  }

  /**
   * Begins a query: writes the placements, chooses the search, and returns how far B may have moved in A's frame since the
   * last call of that search.
   * @param crossing whether the query asks for an intersection, as opposed to something near.
   */
  place(poseA: ReadonlyPose, poseB: ReadonlyPose, crossing: boolean): number {
    const [unitA, unitB] = [takePose(poseA, 'A'), takePose(poseB, 'B')];
    if (!this.keeps && !this.#fresh) this.reset();
    this.#poseA = unitA;
    this.#poseB = unitB;
    placeBInA(this.#poseA, this.#poseB, this.placement);
    invertPlacement(this.placement, this.#inverse);
    this.#aInB.insideTests = 0;
    this.#bInA.insideTests = 0;
    this.#fresh = false;
    this.#search = this.#searches.take(crossing, this.placement);
    return this.#searches.move(this.placement);
  }

  /** Whether a component of one surface is inside the other solid; assumes that the surfaces are apart. */
  contains(): boolean {
    return this.#bInA.find(this.placement) || this.#aInB.find(this.#inverse);
  }

  /** Tells the searches whether the models met: the choice of the next one depends on it. */
  record(met: boolean): void {
    this.#searches.record(met);
  }

  /** What the query cost so far. */
  counters(): QueryCounters {
    const { volumePairs, trianglePairs, marchSteps, frontSize, frontSkipped } = this.#search.outcome;
    const insideTests = this.#aInB.insideTests + this.#bInA.insideTests;
    return { volumePairs, trianglePairs, marchSteps, frontSize, frontSkipped, insideTests };
  }

  get bytes(): number {
    return this.#searches.bytes + this.#aInB.bytes + this.#bInA.bytes;
  }

  reset(): void {
    this.#fresh = true;
    this.#searches.reset();
    this.#aInB.reset();
    this.#bInA.reset();
  }

  /** The nearest points that a search found. */
  #surfaceWitness({ distance, triangleA, triangleB, regionA, regionB, pointA, pointB }: SearchOutcome): Witness {
    const frame = this.#poseA;
    return {
      pointA: pose.transformPoint(frame, toVec3(pointA)),
      pointB: pose.transformPoint(frame, toVec3(pointB)),
      distance,
      // The points may coincide up to rounding; then the normal comes from the face.
      normal: distance === 0 ? null : (unitFrom(pointA, pointB, frame) ?? faceNormal(this.a.mesh, triangleA, frame)),
      // No triangles: convex pieces of the two solids overlap there.
      featureA: triangleA < 0 ? null : nameRegion(this.a.mesh.indices, 3 * triangleA, regionA),
      featureB: triangleB < 0 ? null : nameRegion(this.b.mesh.indices, 3 * triangleB, regionB),
    };
  }

  /** The vertex of one solid that is inside the other. */
  #containedWitness(): Witness {
    const inner = this.#bInA.vertex >= 0;
    const vertex = inner ? this.#bInA.vertex : this.#aInB.vertex;
    const { positions } = (inner ? this.b : this.a).mesh;
    const local: Vec3 = [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
    const point = pose.transformPoint(inner ? this.#poseB : this.#poseA, local);
    const feature: MeshFeature = { kind: 'vertex', vertices: [vertex] };
    return {
      pointA: point,
      pointB: [...point],
      distance: 0,
      normal: null,
      featureA: inner ? null : feature,
      featureB: inner ? feature : null,
    };
  }
}

function toVec3(values: Float64Array): Vec3 {
  return [values[0], values[1], values[2]];
}

function unitFrom(from: Float64Array, to: Float64Array, frame: ReadonlyPose): Vec3 | null {
  const x = to[0] - from[0];
  const y = to[1] - from[1];
  const z = to[2] - from[2];
  const length = Math.hypot(x, y, z);
  return length > 0 ? pose.transformVector(frame, [x / length, y / length, z / length]) : null;
}

/** The unit normal of a triangle, in the world; any direction for a triangle without area. */
function faceNormal({ positions, indices }: Mesh, triangle: number, frame: ReadonlyPose): Vec3 {
  const [a, b, c] = [0, 1, 2].map((k) => {
    const at = 3 * indices[3 * triangle + k];
    return [positions[at], positions[at + 1], positions[at + 2]] as Vec3;
  });
  const n = vec3.cross(vec3.subtract(b, a), vec3.subtract(c, a));
  return pose.transformVector(frame, vec3.length(n) > 0 ? vec3.normalize(n) : [0, 0, 1]);
}

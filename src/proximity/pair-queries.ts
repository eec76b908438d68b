// The queries of two models. They work in A's frame. B's placement in it is computed here, once; the searches see only
// that and how far B has moved since their last query. Which searches there are is up to the caller, as is what finds
// contacts, so that each application loads only what it uses.
import { assertOptions } from '../core/check/check-options.js';
import { takePose } from '../core/check/check-pose.js';
import { invertPlacement, placeBInA } from '../core/placement.js';
import type { ReadonlyPose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { Mesh } from '../mesh/mesh.js';
import { type MeshFeature, nameRegion } from '../mesh/triangle/triangle-region.js';
import { assertLength } from './arguments.js';
import type { ContactFinder } from './contact/contact-finder.js';
import { Containment } from './containment.js';
import type { ImpactSearch } from './impact/impact-search.js';
import {
  type BoundingVolume,
  CONTACT_NAMES,
  type ContactOptions,
  DISTANCE_NAMES,
  type DistanceOptions,
} from './options.js';
import type { ProximityModel } from './proximity-model.js';
import type {
  Contact,
  ContactsResult,
  DistanceResult,
  IntersectionResult,
  QueryCounters,
  ToleranceResult,
  Witness,
} from './result.js';
import type { SearchChoice } from './search-choice.js';
import type { SurfaceSearch } from './surface-search.js';

/** Makes what finds the contacts between two models. */
export type MakeContactFinder = (a: ProximityModel, b: ProximityModel) => ContactFinder;

/** Two models and what answers queries about them. {@link Pair} documents the queries. */
export class PairQueries {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  /** Whether anything is remembered between queries. */
  readonly keeps: boolean;
  /** What queries along a motion work with; made by the first. */
  impactSearch: ImpactSearch | undefined;
  readonly #searches: SearchChoice;
  /** The search that answered the last query. */
  #search: SurfaceSearch;
  readonly #aInB: Containment;
  readonly #bInA: Containment;
  #contactFinder: ContactFinder | undefined;
  /** B in A's frame, row-major 3 × 4, and A in B's frame. */
  readonly #placement = new Float64Array(12);
  readonly #inverse = new Float64Array(12);
  /** The poses of the last call, with unit quaternions. */
  #poseA = pose.identity();
  #poseB = pose.identity();
  #fresh = true;
  /** Pairs of triangles that the contact finder measured, and the pairs of the test that came before it. */
  #measured = 0;
  #bounded = 0;
  /** The last contact query found the models within its tolerance; the next need not test that first. */
  #wasNear = false;

  /** @param keeps whether the searches and the inside tests remember anything between queries. */
  constructor(a: ProximityModel, b: ProximityModel, searches: SearchChoice, keeps: boolean) {
    this.a = a;
    this.b = b;
    this.keeps = keeps;
    this.#searches = searches;
    this.#search = searches.take(false, this.#placement);
    this.#aInB = new Containment(a, b, keeps);
    this.#bInA = new Containment(b, a, keeps);
  }

  get volume(): BoundingVolume {
    return this.#searches.volume;
  }

  intersects(poseA: ReadonlyPose, poseB: ReadonlyPose): IntersectionResult {
    const motion = this.#place(poseA, poseB, true);
    const intersects = this.#search.findCrossing(this.#placement, motion) || this.#contains();
    this.#searches.record(intersects);
    return { intersects, counters: this.#counters() };
  }

  within(poseA: ReadonlyPose, poseB: ReadonlyPose, tolerance: number): ToleranceResult {
    assertLength(tolerance, 'tolerance');
    const motion = this.#place(poseA, poseB, false);
    const within = this.#search.findWithin(this.#placement, motion, tolerance) || this.#contains();
    this.#searches.record(within);
    return { within, counters: this.#counters() };
  }

  distance(poseA: ReadonlyPose, poseB: ReadonlyPose, options: DistanceOptions = {}): DistanceResult {
    assertOptions(options, DISTANCE_NAMES);
    const { cutoff = Infinity, absoluteError = 0, relativeError = 0 } = options;
    assertLength(cutoff, 'cut-off');
    assertLength(absoluteError, 'absolute error');
    assertLength(relativeError, 'relative error');
    const motion = this.#place(poseA, poseB, false);
    const search = this.#search;
    const found = search.findNearest(this.#placement, motion, cutoff, absoluteError, relativeError);
    const { outcome } = search;
    const meets = found && outcome.distance === 0;
    const contained = !meets && this.#contains();
    this.#searches.record(meets || contained);
    if (contained) {
      const witness = this.#containedWitness();
      return { intersects: true, distance: 0, error: 0, witness, counters: this.#counters() };
    }
    if (!found) return { intersects: false, distance: null, error: 0, witness: null, counters: this.#counters() };
    const { distance, triangleA, triangleB, regionA, regionB } = outcome;
    const pointA = pose.transformPoint(this.#poseA, toVec3(outcome.pointA));
    const pointB = pose.transformPoint(this.#poseA, toVec3(outcome.pointB));
    const witness: Witness = {
      pointA,
      pointB,
      distance,
      // The points coincide up to rounding, so the normal comes from the face.
      normal:
        distance === 0
          ? null
          : (unitFrom(outcome.pointA, outcome.pointB, this.#poseA) ?? faceNormal(this.a.mesh, triangleA, this.#poseA)),
      // No triangles: convex pieces of the two solids overlap there.
      featureA: triangleA < 0 ? null : nameRegion(this.a.mesh.indices, 3 * triangleA, regionA),
      featureB: triangleB < 0 ? null : nameRegion(this.b.mesh.indices, 3 * triangleB, regionB),
    };
    return {
      intersects: distance === 0,
      distance,
      error: Math.max(0, distance - outcome.lowerBound),
      witness,
      counters: this.#counters(),
    };
  }

  contacts(
    poseA: ReadonlyPose,
    poseB: ReadonlyPose,
    options: ContactOptions,
    makeFinder: MakeContactFinder,
  ): ContactsResult {
    assertOptions(options, CONTACT_NAMES);
    const tolerance = options?.tolerance;
    assertLength(tolerance, 'tolerance');
    const motion = this.#place(poseA, poseB, false);
    if (!this.#wasNear && this.#areBeyond(motion, tolerance)) {
      const intersects = this.#contains();
      this.#searches.record(intersects);
      return { intersects, contacts: [], counters: this.#counters() };
    }
    const since = this.#wasNear ? motion : 0;
    const finder = (this.#contactFinder ??= makeFinder(this.a, this.b));
    finder.begin(this.#placement, tolerance);
    const apart = this.#search.offerWithin(this.#placement, since, tolerance, finder);
    this.#measured += finder.trianglePairs;
    this.#wasNear = !apart || finder.trianglePairs > 0;
    const intersects = !apart || this.#contains();
    this.#searches.record(intersects);
    if (intersects) return { intersects, contacts: [], counters: this.#counters() };
    const contacts = finder.finish().map((found): Contact => {
      return {
        pointA: pose.transformPoint(this.#poseA, found.pointA),
        pointB: pose.transformPoint(this.#poseA, found.pointB),
        distance: found.distance,
        normal: pose.transformVector(this.#poseA, found.normal),
        featureA: found.featureA,
        featureB: found.featureB,
      };
    });
    return { intersects: false, contacts, counters: this.#counters() };
  }

  get bytes(): number {
    return this.#searches.bytes + this.#aInB.bytes + this.#bInA.bytes + (this.#contactFinder?.bytes ?? 0);
  }

  reset(): void {
    this.#fresh = true;
    this.#wasNear = false;
    this.#searches.reset();
    this.#aInB.reset();
    this.#bInA.reset();
  }

  /** Writes the placements, chooses the search, and returns how far B may have moved in A's frame since its last call. */
  #place(poseA: ReadonlyPose, poseB: ReadonlyPose, crossing: boolean): number {
    const [unitA, unitB] = [takePose(poseA, 'A'), takePose(poseB, 'B')];
    if (!this.keeps && !this.#fresh) this.reset();
    this.#poseA = unitA;
    this.#poseB = unitB;
    placeBInA(this.#poseA, this.#poseB, this.#placement);
    invertPlacement(this.#placement, this.#inverse);
    this.#measured = 0;
    this.#bounded = 0;
    this.#aInB.insideTests = 0;
    this.#bInA.insideTests = 0;
    this.#fresh = false;
    this.#search = this.#searches.take(crossing, this.#placement);
    return this.#searches.move(this.#placement);
  }

  /**
   * Whether the surfaces are farther apart than the tolerance. Contacts need the whole trees, their cones of normals and the
   * surroundings of every edge and vertex: two models of 250,000 triangles took 4 s to find that they have none.
   */
  #areBeyond(motion: number, tolerance: number): boolean {
    if (this.#search.findWithin(this.#placement, motion, tolerance * (1 + 1e-12))) {
      this.#bounded = this.#search.outcome.volumePairs;
      this.#measured = this.#search.outcome.trianglePairs;
      return false;
    }
    return true;
  }

  /** Whether a component of one surface is inside the other solid; assumes that the surfaces are apart. */
  #contains(): boolean {
    return this.#bInA.find(this.#placement) || this.#aInB.find(this.#inverse);
  }

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

  #counters(): QueryCounters {
    const { volumePairs, trianglePairs, marchSteps, frontSize, frontSkipped } = this.#search.outcome;
    const insideTests = this.#aInB.insideTests + this.#bInA.insideTests;
    return {
      volumePairs: volumePairs + this.#bounded,
      trianglePairs: trianglePairs + this.#measured,
      marchSteps,
      frontSize,
      frontSkipped,
      insideTests,
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

// The exact test that accepts an estimate: A moved by the vector has no point in common with B.
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { measureDistance, testIntersection, testTolerance } from '../proximity/queries.js';
import type { Witness } from '../proximity/result.js';

/**
 * Chosen: how far beyond the boundary a vector is pushed so that the models no longer touch, as
 * shares of their size, in the order tried. The end of a walk is exact to 1e-12; a lesser push is seldom confirmed and
 * costs a test each.
 */
const PUSHES = [1e-12, 2e-12, 5e-12, 1e-11, 1e-10, 1e-9, 1e-8];
/** Chosen: lesser pushes, as shares of the size, which only the final answer tries. */
const LESSER_PUSHES = [1e-14, 1e-13];

/**
 * Rounding: a vector separates if it leaves more than this share of the sizes between the models: about twenty
 * roundings, so that placing them in other steps finds them apart too. Measured on 1,293 random pairs: without it 14
 * met again there.
 */
const CLEARANCE = 5e-15;

/**
 * Chosen: the cutoff of the search for the contact of models that were pushed apart, as a share of the sizes: ten times
 * the largest push.
 */
const NEAR_CONTACT = 1e-7;

/**
 * Rounding: models with depths below this share of the sizes count as touching, because placing them rounds as much.
 */
const TOUCHING = 1e-12;

/** The shortest separating vector known, and the test that it passed. Vectors are in A's frame. */
export class Separation {
  /** How far the boundary point behind {@link vector} is: the vector is longer only by the push. */
  distance = Infinity;
  /** Confirmed to separate; null before the first. */
  vector: Vec3 | null = null;
  /** Tests made. */
  tests = 0;
  readonly #moved: pose.Pose;
  /** The boundary point behind the vector, and the direction it was pushed along. */
  #point: Vec3 = [0, 0, 0];
  #out: Vec3 = [0, 0, 0];
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #poseA: pose.ReadonlyPose;
  readonly #poseB: pose.ReadonlyPose;

  constructor(
    a: ProximityModel,
    b: ProximityModel,
    poseA: pose.ReadonlyPose,
    poseB: pose.ReadonlyPose,
    /** The length that the pushes are shares of. */
    readonly size: number,
  ) {
    this.#a = a;
    this.#b = b;
    this.#poseA = poseA;
    this.#poseB = poseB;
    this.#moved = [...(poseA as pose.Pose)];
  }

  /** The length of the best vector; infinite before the first. */
  get length(): number {
    return this.vector === null ? Infinity : vec3.length(this.vector);
  }

  /** Whether the best distance is within the rounding of poses: the models only touch. */
  get touches(): boolean {
    return this.distance <= TOUCHING * this.size;
  }

  /** Whether A moved by the vector has no point in common with B; touching counts as common. */
  isApart(x: number, y: number, z: number): boolean {
    this.tests++;
    return !testIntersection(this.#a, this.#b, this.#move(x, y, z), this.#poseB).intersects;
  }

  /**
   * Accepts a boundary point, with a unit direction out of the boundary, if it is nearer than the best and a push along
   * the direction is confirmed to separate the models. Returns whether it was accepted.
   */
  offer(distance: number, point: ArrayLike<number>, out: ArrayLike<number>): boolean {
    if (!(distance < this.distance)) return false;
    for (const push of PUSHES) {
      const vector = this.#push(point, out, push);
      if (!this.#isClear(...vector)) continue;
      this.vector = vector;
      this.distance = distance;
      this.#point = [point[0], point[1], point[2]];
      this.#out = [out[0], out[1], out[2]];
      return true;
    }
    return false;
  }

  /** Shortens the best vector's push where less is confirmed: worth two tests for the answer, not for each estimate. */
  tighten(): void {
    if (this.vector === null) return;
    for (const push of LESSER_PUSHES) {
      const vector = this.#push(this.#point, this.#out, push);
      if (!this.#isClear(...vector)) continue;
      this.vector = vector;
      return;
    }
  }

  #push(point: ArrayLike<number>, out: ArrayLike<number>, push: number): Vec3 {
    const shift = push * this.size;
    return [point[0] + shift * out[0], point[1] + shift * out[1], point[2] + shift * out[2]];
  }

  #isClear(x: number, y: number, z: number): boolean {
    this.tests++;
    return !testTolerance(this.#a, this.#b, this.#move(x, y, z), this.#poseB, CLEARANCE * this.size).within;
  }

  /**
   * Where the models almost touch when A is moved to the best vector's end. If `quickly`, null unless they are very
   * near there.
   */
  findContact([x, y, z]: Vec3, quickly = false): Witness | null {
    const moved = this.#move(x, y, z);
    // A is pushed out only a little, and a search with a small limit is many times faster.
    const near = measureDistance(this.#a, this.#b, moved, this.#poseB, { cutoff: NEAR_CONTACT * this.size });
    if (quickly) return near.witness;
    return near.witness ?? measureDistance(this.#a, this.#b, moved, this.#poseB).witness;
  }

  #move(x: number, y: number, z: number): pose.Pose {
    const [dx, dy, dz] = pose.transformVector(this.#poseA, [x, y, z]);
    this.#moved[0] = this.#poseA[0] + dx;
    this.#moved[1] = this.#poseA[1] + dy;
    this.#moved[2] = this.#poseA[2] + dz;
    return this.#moved;
  }
}

// Two shapes as cores with a radius around them: a mesh is its own core with radius 0, a ball is a point with its radius.
// Distances and certificates of balls are then those of points, with the radii as a clearance: exact, never tessellated.
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import type { ImpactResult } from '../../proximity/impact/impact-result.js';
import { PairMotions } from '../../proximity/impact/pair-motions.js';
import { PROXIMITY_DEFAULTS } from '../../proximity/options.js';
import { PairQueries } from '../../proximity/pair-queries.js';
import { PairSearches } from '../../proximity/pair-searches.js';
import type { Witness } from '../../proximity/result.js';
import { createPoint } from './point-model.js';
import type { StepMotion } from './step-motion.js';

/** Measures two shapes at poses of their frames, and along motions. Keeps what helps the next query. */
export class CorePair {
  /** The sum of the two radii: shapes touch where their cores are this far apart. */
  readonly radius: number;
  /** The larger of the bounding radii: what tolerances are relative to. */
  readonly size: number;
  /** The nearest points of the shapes at the last {@link measure}, and the unit normal from A to B. */
  readonly pointA: Vec3 = [0, 0, 0];
  readonly pointB: Vec3 = [0, 0, 0];
  readonly normal: Vec3 = [0, 1, 0];
  readonly #a: CollisionShape;
  readonly #b: CollisionShape;
  readonly #queries: PairQueries;
  readonly #motions: PairMotions;
  #step = -1;

  constructor(a: CollisionShape, b: CollisionShape) {
    this.#a = a;
    this.#b = b;
    this.radius = a.ballRadius + b.ballRadius;
    this.size = Math.max(a.boundingRadius, b.boundingRadius);
    const [coreA, coreB] = [a.model ?? createPoint(), b.model ?? createPoint()];
    this.#queries = new PairQueries(coreA, coreB, new PairSearches(coreA, coreB, { volume: 'boxes' }), true);
    this.#motions = new PairMotions(this.#queries);
  }

  /**
   * Forgets earlier steps. Which of equally near points a search finds depends on those before it: what a step does must
   * depend on nothing but the state of the world.
   */
  beginStep(step: number): this {
    if (this.#step !== step) this.#queries.reset();
    this.#step = step;
    return this;
  }

  /** Whether the shapes have a point in common, or come within a clearance. */
  meets(poseA: ReadonlyPose, poseB: ReadonlyPose, clearance = 0): boolean {
    const reach = this.radius + clearance;
    if (reach === 0) return this.#queries.testIntersection(poseA, poseB).intersects;
    return this.#queries.testTolerance(poseA, poseB, reach).within || this.#holdsCenter(poseA, poseB);
  }

  /**
   * The distance of the shapes: 0 if they meet, Infinity if it is more than the cut-off. Sets the points, and the normal
   * unless they meet.
   */
  measure(poseA: ReadonlyPose, poseB: ReadonlyPose, cutoff = Infinity): number {
    const { radius } = this;
    if (radius > 0 && this.#holdsCenter(poseA, poseB)) return 0;
    const { distance, witness } = this.#queries.measureDistance(poseA, poseB, { cutoff: cutoff + radius });
    if (distance === null || witness === null) return Infinity;
    this.#setWitness(witness);
    return Math.max(0, distance - radius);
  }

  /** Whether the shapes meet at s of two motions. */
  meetsAt(motionA: StepMotion, motionB: StepMotion, s: number): boolean {
    motionA.writePose(s, this.#poseA);
    motionB.writePose(s, this.#poseB);
    return this.meets(this.#poseA, this.#poseB);
  }

  /** As {@link measure}, at s of two motions. */
  measureAt(motionA: StepMotion, motionB: StepMotion, s: number, cutoff: number): number {
    motionA.writePose(s, this.#poseA);
    motionB.writePose(s, this.#poseB);
    return this.measure(this.#poseA, this.#poseB, cutoff);
  }

  /**
   * Sets points and normal to those of a contact that {@link certify} found. The nearest points of meshes that nearly touch
   * have a direction of mostly rounding, so that the certificate's is taken; around a ball it is exact.
   */
  takeContact({ lower, witness }: ImpactResult, motionA: StepMotion, motionB: StepMotion): void {
    if (this.radius === 0 && witness !== null) {
      this.#setWitness(witness);
      return;
    }
    this.measureAt(motionA, motionB, lower, Infinity);
  }

  /** Takes points and normal of the shapes from those of their cores. */
  #setWitness(witness: Witness): void {
    const { pointA, pointB, normal } = this;
    if (witness.normal !== null) for (let k = 0; k < 3; k++) normal[k] = witness.normal[k];
    for (let k = 0; k < 3; k++) {
      pointA[k] = witness.pointA[k] + this.#a.ballRadius * normal[k];
      pointB[k] = witness.pointB[k] - this.#b.ballRadius * normal[k];
    }
  }

  /**
   * The first time, from 0 to 1, at which the shapes come within the clearance on their motions, with a proven bracket.
   * Overlap at the start counts as an impact at 0.
   * @param maxPairs of boxes and triangles to look at; after them the result is unresolved, and right up to its `lower`.
   */
  certify(
    motionA: StepMotion,
    motionB: StepMotion,
    clearance: number,
    tolerance: number,
    maxPairs: number = PROXIMITY_DEFAULTS.maxImpactPairs,
  ): ImpactResult {
    if (this.radius > 0) {
      motionA.writePose(0, this.#poseA);
      motionB.writePose(0, this.#poseB);
      if (this.#holdsCenter(this.#poseA, this.#poseB)) return HELD;
    }
    const segment = { start: 0, end: 1, a: motionA, b: motionB };
    const options = { clearance: clearance + this.radius, tolerance, maxPairs };
    return this.#motions.timeOfImpactIn([segment], options);
  }

  readonly #poseA: Pose = pose.identity();
  readonly #poseB: Pose = pose.identity();

  /** Whether the center of one, a ball, is in the other, a mesh. */
  #holdsCenter(poseA: ReadonlyPose, poseB: ReadonlyPose): boolean {
    const [a, b] = [this.#a.model, this.#b.model];
    if ((a === null) === (b === null)) return false;
    const [solid, frame, ball] = a === null ? [b!, poseB, poseA] : [a, poseA, poseB];
    const away = Math.hypot(ball[0] - frame[0], ball[1] - frame[1], ball[2] - frame[2]);
    if (away > (a === null ? this.#b : this.#a).boundingRadius) return false;
    return solid.isInside(pose.transformPoint(pose.invert(frame), [ball[0], ball[1], ball[2]]));
  }
}

/** A ball whose center starts in the mesh. */
const HELD: ImpactResult = {
  status: 'impact',
  impact: true,
  time: 0,
  lower: 0,
  upper: 0,
  exact: true,
  witness: null,
  counters: { volumePairs: 0, trianglePairs: 0, queries: 0 },
};

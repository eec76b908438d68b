// The way out of one overlapping pair. The shortest way jumps between rivals of nearly the same length, so the last one is
// kept while it parts the shapes and no other is shorter by a tenth. A pair that does not come apart, since others push it
// together, leaves along the line of the two centers: if all did so, they would all part at last.
import { NearfieldError } from '../../core/errors.js';
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { findExit } from '../../penetration/motion/escape.js';
import type { Bodies } from '../body/bodies.js';
import { CorePair } from '../impact/core-pair.js';
import { PairDepth } from './pair-depth.js';

/**
 * Chosen: another way is taken if it is shorter than this share of the last one, so that rivals of one length do not
 * alternate.
 */
const SHORTER = 0.9;
/** Chosen: a way is tried longer by this share of its length, for rounding and small turns. */
const STRETCH = 0.02;
/**
 * Chosen: ways are longer than needed by this share of the smaller shape: the way of solids that touch is 0, and they
 * still meet.
 */
const SKIN = 1e-3;
/** A walk from the last way finds the shortest nearby; a proof takes far longer, and is not needed to move. */
const DEPTH_OPTIONS = { maxCells: 0 };
/** Chosen: a way that became no shorter by a tenth in this many steps is stuck. */
const STUCK_STEPS = 30;

/** The kept way of one pair. */
export class OverlapWay {
  readonly a: number;
  readonly b: number;
  /** Unit: A moves along it, or B against it, to part. */
  readonly direction: Vec3 = [0, 1, 0];
  /** The last step that used the way, and that measured it; −1: never. */
  usedAt = -1;
  measuredAt = -1;
  /** Where the shapes meet, from the center of A, in world axes. */
  readonly arm: Vec3 = [0, 0, 0];
  /** The way's length when it was measured, and the centers of A and B then. */
  #length = 0;
  readonly #centers = new Float64Array(6);
  /** How much longer than needed the way is. */
  readonly #skin: number;
  readonly #depth: PairDepth;
  readonly #cores: CorePair;
  readonly #poseA: Pose = pose.identity();
  readonly #poseB: Pose = pose.identity();
  /** The length that a stuck way is compared with, and when that was. */
  #mark = Infinity;
  #markedAt = 0;
  #byCenters = false;

  constructor(bodies: Bodies, a: number, b: number) {
    this.a = a;
    this.b = b;
    const [shapeA, shapeB] = [bodies.shape[a]!, bodies.shape[b]!];
    this.#skin = SKIN * Math.min(shapeA.boundingRadius, shapeB.boundingRadius);
    this.#depth = new PairDepth(shapeA, shapeB, DEPTH_OPTIONS);
    this.#cores = new CorePair(shapeA, shapeB);
    const { center } = bodies;
    const length = Math.hypot(...[0, 1, 2].map((k) => center[3 * a + k] - center[3 * b + k]));
    if (length > 0) for (let k = 0; k < 3; k++) this.direction[k] = (center[3 * a + k] - center[3 * b + k]) / length;
  }

  /** Appends all that changes. */
  save(out: number[]): void {
    out.push(this.usedAt, this.measuredAt, this.#length, this.#mark, this.#markedAt, this.#byCenters ? 1 : 0);
    out.push(...this.direction, ...this.arm, ...this.#centers);
    this.#depth.save(out);
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    [this.usedAt, this.measuredAt, this.#length, this.#mark, this.#markedAt] = values.subarray(at, at + 5);
    this.#byCenters = values[at + 5] === 1;
    for (let k = 0; k < 3; k++) {
      this.direction[k] = values[at + 6 + k];
      this.arm[k] = values[at + 9 + k];
    }
    this.#centers.set(values.subarray(at + 12, at + 18));
    return 18 + this.#depth.load(values, at + 18);
  }

  /** How far is left to go, by how the centers moved since the way was measured. */
  remaining({ center }: Bodies): number {
    const { direction: d } = this;
    const from = this.#centers;
    let moved = 0;
    for (let k = 0; k < 3; k++) {
      moved += d[k] * (center[3 * this.a + k] - from[k] - (center[3 * this.b + k] - from[3 + k]));
    }
    return this.#length + this.#skin - moved;
  }

  /** How far the centers moved toward or from each other since then. */
  moved({ center }: Bodies): number {
    const from = this.#centers;
    let squared = 0;
    for (let k = 0; k < 3; k++)
      squared += (center[3 * this.a + k] - from[k] - (center[3 * this.b + k] - from[3 + k])) ** 2;
    return Math.sqrt(squared);
  }

  /** Measures the pair; keeps the last way or takes a better one. */
  measure(bodies: Bodies, step: number): void {
    bodies.writePose(this.a, this.#poseA);
    bodies.writePose(this.b, this.#poseB);
    const known = this.measuredAt >= 0 ? this.remaining(bodies) - this.#skin : Infinity;
    const depth = this.#measureDepth();
    this.measuredAt = step;
    const keeps = depth > 0 && known < Infinity && known > 0 && depth > SHORTER * known && this.#parts(known);
    if (keeps) this.#length = known * (1 + STRETCH);
    else if (!(depth > 0 && this.#byCenters && this.#leaveByCenters(bodies))) this.#take(depth);
    for (let k = 0; k < 3; k++) {
      this.#centers[k] = bodies.center[3 * this.a + k];
      this.#centers[3 + k] = bodies.center[3 * this.b + k];
      this.arm[k] = 0.5 * (this.#depth.pointA[k] + this.#depth.pointB[k]) - this.#centers[k];
    }
    this.#watch(bodies, step);
  }

  /** The depth; 0 for meshes that bound no clear solid, for instance those that cut themselves: these leave as they can. */
  #measureDepth(): number {
    try {
      return this.#depth.measure(this.#poseA, this.#poseB);
    } catch (error) {
      if (error instanceof NearfieldError) return 0;
      throw error;
    }
  }

  #take(depth: number): void {
    this.#length = depth;
    if (depth > 0) for (let k = 0; k < 3; k++) this.direction[k] = this.#depth.direction[k];
  }

  /** Whether A is clear of B after that much along the way. */
  #parts(length: number): boolean {
    const { direction } = this;
    const moved: Pose = [...this.#poseA];
    for (let k = 0; k < 3; k++) moved[k] += length * (1 + STRETCH) * direction[k];
    return !this.#cores.meets(moved, this.#poseB);
  }

  /** Notes progress, and gives up the shortest way where it makes no progress. */
  #watch(bodies: Bodies, step: number): void {
    const length = this.#length;
    if (length < SHORTER * this.#mark || this.#mark === Infinity) {
      this.#mark = length;
      this.#markedAt = step;
      return;
    }
    if (step - this.#markedAt < STUCK_STEPS || this.#byCenters) return;
    this.#byCenters = this.#leaveByCenters(bodies);
    this.#mark = Infinity;
  }

  /** Takes the way along the line of the centers, if both bodies can move and an exit is found. */
  #leaveByCenters({ center, inverseMass, shape }: Bodies): boolean {
    const [a, b] = [shape[this.a]!.model, shape[this.b]!.model];
    if (a === null || b === null || inverseMass[this.a] === 0 || inverseMass[this.b] === 0) return false;
    const out: Vec3 = [0, 0, 0];
    for (let k = 0; k < 3; k++) out[k] = center[3 * this.a + k] - center[3 * this.b + k];
    const length = Math.hypot(out[0], out[1], out[2]);
    if (!(length > 0)) return false;
    for (let k = 0; k < 3; k++) out[k] /= length;
    const way = findExit(a, this.#poseA, { model: b, pose: this.#poseB }, out);
    if (!Number.isFinite(way)) return false;
    this.#length = way;
    for (let k = 0; k < 3; k++) this.direction[k] = out[k];
    return true;
  }
}

// The global depth of two overlapping shapes: how far A must move to part from B, and which way. Meshes are measured by
// their certified or budgeted depth, which starts from the last answer; balls by the distance of their centers, and where
// the surface is concave by a polyhedron around the ball, whose way out is then shortened to that of the ball itself.
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import type { Mesh } from '../../mesh/mesh.js';
import { icosphere } from '../../models/primitives/icosphere.js';
import { measureFrom, type PenetrationMemory } from '../../penetration/motion/measure-from.js';
import type { PenetrationOptions } from '../../penetration/options.js';
import type { PenetrationResult } from '../../penetration/result.js';
import { Pair } from '../../proximity/pair.js';
import { ProximityModel } from '../../proximity/proximity-model.js';
import { createPoint } from '../impact/point-model.js';

/** Rounding: a ball that is moved out by this share of its radius less than wanted counts as out. */
const BALL_ROUNDING = 1e-10;
/** Chosen: halvings when the way of a polyhedron is shortened to that of the ball in it. */
const SHORTENINGS = 24;
/** Chosen: parts that each edge of the icosahedron around a ball is cut into: 1,280 faces, 1 % larger than the ball. */
const BALL_SUBDIVISIONS = 3;

/** Measures two shapes repeatedly as they move. */
export class PairDepth {
  /** 0 if the shapes do not overlap. */
  depth = 0;
  /** No shorter translation parts them; 0 where that was not proven. */
  lower = 0;
  /** Unit: A parts from B by moving `depth` along it. Where they do not overlap, that of the last overlap. */
  readonly direction: Vec3 = [0, 1, 0];
  /** The point of A, before it moves, that will touch B, and the point of B that it touches. */
  readonly pointA: Vec3 = [0, 0, 0];
  readonly pointB: Vec3 = [0, 0, 0];
  readonly #a: CollisionShape;
  readonly #b: CollisionShape;
  readonly #options: PenetrationOptions;
  /** What the next measurement of two meshes, or of a mesh and the polyhedron around a ball, starts from. */
  #memory: PenetrationMemory | null = null;
  /** Made when first needed. */
  #polyhedron: ProximityModel | undefined;
  /** Of the center of a ball and a mesh. */
  #point: Pair | undefined;

  constructor(a: CollisionShape, b: CollisionShape, options: PenetrationOptions = {}) {
    this.#a = a;
    this.#b = b;
    this.#options = options;
  }

  /** Measures the shapes at poses of their frames; returns the depth. */
  measure(poseA: ReadonlyPose, poseB: ReadonlyPose): number {
    const [a, b] = [this.#a.model, this.#b.model];
    this.depth = 0;
    this.lower = 0;
    if (a === null && b === null) this.#measureBalls(poseA, poseB);
    else if (a === null) this.#measureBall(this.#a.ballRadius, b!, poseA, poseB, 1);
    else if (b === null) this.#measureBall(this.#b.ballRadius, a, poseB, poseA, -1);
    else {
      const found = this.#measureSolids(a, b, poseA, poseB);
      if (found.direction !== null && found.pointA !== null && found.pointB !== null) {
        this.#set(found.depth, found.lower, found.direction, found.pointA, found.pointB);
      }
    }
    return this.depth;
  }

  /** Forgets the last answer. */
  reset(): void {
    this.#memory = null;
  }

  /** Appends what the next measurement depends on. */
  save(out: number[]): void {
    const memory = this.#memory;
    out.push(...this.direction, ...this.pointA, ...this.pointB, memory === null ? 0 : 1);
    if (memory !== null) out.push(...memory.vectorInA, ...memory.vectorInB, ...memory.pointInA, ...memory.pointInB);
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    const vectorAt = (from: number): Vec3 => [values[from], values[from + 1], values[from + 2]];
    this.#set(0, 0, vectorAt(at), vectorAt(at + 3), vectorAt(at + 6));
    this.#memory = null;
    if (values[at + 9] !== 1) return 10;
    const [vectorInA, vectorInB, pointInA, pointInB] = [10, 13, 16, 19].map((from) => vectorAt(at + from));
    this.#memory = { vectorInA, vectorInB, pointInA, pointInB };
    return 22;
  }

  #measureSolids(a: ProximityModel, b: ProximityModel, poseA: ReadonlyPose, poseB: ReadonlyPose): PenetrationResult {
    const last = this.#memory;
    this.#memory = null;
    const { result, memory } = measureFrom(a, b, poseA, poseB, this.#options, last);
    this.#memory = memory;
    return result;
  }

  #set(depth: number, lower: number, direction: Vec3, pointA: Vec3, pointB: Vec3): void {
    this.depth = depth;
    this.lower = lower;
    for (let k = 0; k < 3; k++) {
      this.direction[k] = direction[k];
      this.pointA[k] = pointA[k];
      this.pointB[k] = pointB[k];
    }
  }

  #measureBalls(poseA: ReadonlyPose, poseB: ReadonlyPose): void {
    const [rA, rB] = [this.#a.ballRadius, this.#b.ballRadius];
    const away: Vec3 = [poseA[0] - poseB[0], poseA[1] - poseB[1], poseA[2] - poseB[2]];
    const distance = vec3.length(away);
    if (!(distance < rA + rB)) return;
    // Any way out of a common center is as short.
    const direction: Vec3 = distance > 0 ? vec3.scale(away, 1 / distance) : [0, 1, 0];
    const depth = rA + rB - distance;
    const [a, b]: [Vec3, Vec3] = [
      [poseA[0], poseA[1], poseA[2]],
      [poseB[0], poseB[1], poseB[2]],
    ];
    this.#set(depth, depth, direction, vec3.addScaled(a, direction, -rA), vec3.addScaled(b, direction, rB));
  }

  /** @param sign 1 if the ball is A. */
  #measureBall(radius: number, solid: ProximityModel, ball: ReadonlyPose, frame: ReadonlyPose, sign: number): void {
    const away = Math.hypot(ball[0] - frame[0], ball[1] - frame[1], ball[2] - frame[2]);
    if (away > radius + (sign > 0 ? this.#b : this.#a).boundingRadius) return;
    const center: Vec3 = [ball[0], ball[1], ball[2]];
    const inside = this.#isInside(solid, center, frame);
    const { distance, direction } = this.#toSurface(solid, center, frame);
    if (!inside && distance >= radius) return;
    const lower = inside ? radius + distance : radius - distance;
    let depth = lower;
    let out: Vec3 | null = direction && vec3.scale(direction, inside ? 1 : -1);
    if (out === null || !this.#isOut(radius, solid, vec3.addScaled(center, out, lower), frame)) {
      out = this.#leavePolyhedron(radius, solid, center, frame);
      if (out === null) return;
      depth = this.#shorten(radius, solid, center, frame, out, lower);
    }
    // On the ball the point opposite to the way out touches last.
    const onBall = vec3.addScaled(center, out, -radius);
    const onSolid = vec3.addScaled(onBall, out, depth);
    if (sign > 0) this.#set(depth, lower, out, onBall, onSolid);
    else this.#set(depth, lower, vec3.scale(out, -1), onSolid, onBall);
  }

  #isInside(solid: ProximityModel, center: Vec3, frame: ReadonlyPose): boolean {
    return solid.isInside(pose.transformPoint(pose.invert(frame), center));
  }

  /** The distance of a point from the surface, and the direction to there; null on the surface. */
  #toSurface(solid: ProximityModel, center: Vec3, frame: ReadonlyPose): { distance: number; direction: Vec3 | null } {
    this.#point ??= new Pair(createPoint(), solid);
    const { distance, witness } = this.#point.distance(pose.create(center), frame);
    return { distance: distance ?? Infinity, direction: witness?.normal ?? null };
  }

  #isOut(radius: number, solid: ProximityModel, center: Vec3, frame: ReadonlyPose): boolean {
    return (
      this.#toSurface(solid, center, frame).distance >= radius * (1 - BALL_ROUNDING) &&
      !this.#isInside(solid, center, frame)
    );
  }

  /** The direction in which a polyhedron around the ball leaves the solid by its shortest way. */
  #leavePolyhedron(radius: number, solid: ProximityModel, center: Vec3, frame: ReadonlyPose): Vec3 | null {
    this.#polyhedron ??= new ProximityModel(polyhedronAround(radius));
    const at: Pose = [center[0], center[1], center[2], 0, 0, 0, 1];
    const { direction, depth } = this.#measureSolids(this.#polyhedron, solid, at, frame);
    this.#farthest = depth;
    return direction && [...direction];
  }

  #farthest = 0;

  /** The least way along a direction, up to that of the polyhedron, after which the ball is out. */
  #shorten(radius: number, solid: ProximityModel, center: Vec3, frame: ReadonlyPose, out: Vec3, from: number): number {
    let low = Math.min(from, this.#farthest);
    let high = this.#farthest;
    for (let i = 0; i < SHORTENINGS && high - low > BALL_ROUNDING * radius; i++) {
      const middle = 0.5 * (low + high);
      if (this.#isOut(radius, solid, vec3.addScaled(center, out, middle), frame)) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** A polyhedron whose faces touch the ball from outside. */
function polyhedronAround(radius: number): Mesh {
  const { positions, indices } = icosphere.build({ radius: 1, subdivisions: BALL_SUBDIVISIONS });
  let inner = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const v = 3 * indices[t + k];
      return [positions[v], positions[v + 1], positions[v + 2]] as Vec3;
    });
    const normal = vec3.normalize(vec3.cross(vec3.subtract(b, a), vec3.subtract(c, a)));
    inner = Math.min(inner, Math.abs(vec3.dot(normal, a)));
  }
  const scaled = new Float64Array(positions.length);
  for (let i = 0; i < scaled.length; i++) scaled[i] = (positions[i] * radius * (1 + BALL_ROUNDING)) / inner;
  return { positions: scaled, indices };
}

// A rigid body in a world of agents: an agent or an obstacle, where it is, and where it will be after the step.
import { buildHull } from '../convex/hull/hull.js';
import { angleBetween } from '../core/turns.js';
import { farthestVertex } from '../kinematics/robot/rigid-robot.js';
import { evenMotion } from '../kinematics/validity/even-motion.js';
import type { EvenMotion } from '../proximity/impact/motion.js';
import type { ProximityModel } from '../proximity/proximity-model.js';

/** A model with what all bodies that have it share. */
export interface BodyShape {
  readonly model: ProximityModel;
  /** Corners of the hull, three numbers each. */
  readonly corners: Float64Array;
  /** The largest distance of a vertex from the origin. */
  readonly radius: number;
}

export function bodyShape(model: ProximityModel): BodyShape {
  const { positions, indices } = model.mesh;
  // Vertices that no triangle has are no part of the body.
  const used = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) used[3 * i + k] = positions[3 * indices[i] + k];
  }
  const { vertices, points } = buildHull(used);
  const corners = new Float64Array(3 * vertices.length);
  for (const [i, v] of vertices.entries()) for (let k = 0; k < 3; k++) corners[3 * i + k] = points[3 * v + k];
  return { model, corners, radius: farthestVertex(used) };
}

/** A body that turns only about a coordinate axis. */
export interface FlatMotion {
  /** The two coordinates that change. */
  readonly axes: readonly [number, number];
  /** The largest distance of a vertex from the axis through the origin. */
  readonly arm: number;
}

/** Rounding: radii are larger by this factor. */
const SPARE = 1 + 1e-9;

export class WorldBody {
  readonly name: string;
  readonly index: number;
  readonly shape: BodyShape;
  readonly pose = new Float64Array(7);
  readonly next = new Float64Array(7);
  /** The middle of its ball, where it is now. */
  readonly center = new Float64Array(3);
  /** How far the origin moves and the body turns in the step. */
  shift = 0;
  turn = 0;
  /** The most that a point of it can move in the step, whatever is chosen. */
  reach = 0;
  /** The sum of the motions of its farthest point so far. */
  travel = 0;
  /** The two coordinates that change, if it turns only about the third axis. */
  readonly flat: readonly [number, number] | null;
  /** The largest distance of a vertex from the middle: in the plane of its motion, if it has one. */
  readonly radius: number;
  /** The farthest that a turn by a radian moves a point, in a turn about the origin. */
  readonly arm: number;
  /** The least and the largest coordinates of the body where it is now; see {@link findBox}. */
  readonly low = new Float64Array(3);
  readonly high = new Float64Array(3);
  #hasBox = false;
  #motion: EvenMotion | null = null;

  constructor(name: string, index: number, shape: BodyShape, pose: ArrayLike<number>, flat: FlatMotion | null = null) {
    this.name = name;
    this.flat = flat?.axes ?? null;
    this.arm = flat === null ? shape.radius : SPARE * flat.arm;
    this.index = index;
    this.shape = shape;
    this.pose.set(pose);
    this.next.set(pose);
    this.place();
    this.radius = flat === null ? shape.model.radius : SPARE * this.#radiusAlong(flat.axes);
  }

  /** The most that a point moves in the step. */
  get motion(): number {
    return this.shift + this.arm * this.turn;
  }

  /** To be called after `next` has been written. */
  measure(): void {
    const { pose, next } = this;
    const [x, y, z] = [next[0] - pose[0], next[1] - pose[1], next[2] - pose[2]];
    this.shift = Math.sqrt(x * x + y * y + z * z);
    this.turn = angleBetween(pose, 3, next, 3);
    this.#motion = null;
  }

  /** The motion from the pose to the next one. */
  get even(): EvenMotion {
    this.#motion ??= evenMotion(this.pose, this.next, 0);
    return this.#motion;
  }

  /** Goes to the next pose. */
  commit(): void {
    this.travel += this.motion;
    this.pose.set(this.next);
    this.shift = this.turn = 0;
    this.#motion = null;
    this.place();
  }

  /** To be called after the pose has been written. */
  place(): void {
    writePoint(this.pose, this.shape.model.center, this.center);
    this.#hasBox = false;
  }

  /** Writes `low` and `high`, if the body has moved. */
  findBox(): void {
    if (this.#hasBox) return;
    this.#hasBox = true;
    const { corners } = this.shape;
    const [at, point] = [new Float64Array(3), new Float64Array(3)];
    this.low.fill(Infinity);
    this.high.fill(-Infinity);
    for (let i = 0; i < corners.length; i += 3) {
      for (let k = 0; k < 3; k++) at[k] = corners[i + k];
      writePoint(this.pose, at, point);
      for (let k = 0; k < 3; k++) {
        if (point[k] < this.low[k]) this.low[k] = point[k];
        if (point[k] > this.high[k]) this.high[k] = point[k];
      }
    }
  }

  #radiusAlong([u, v]: readonly [number, number]): number {
    const { corners } = this.shape;
    const [at, point] = [new Float64Array(3), new Float64Array(3)];
    let most = 0;
    for (let i = 0; i < corners.length; i += 3) {
      for (let k = 0; k < 3; k++) at[k] = corners[i + k];
      writePoint(this.pose, at, point);
      most = Math.max(most, Math.hypot(point[u] - this.center[u], point[v] - this.center[v]));
    }
    return most;
  }

  /** The largest of n · x over the body, where it is now. */
  extentAlong(n: ArrayLike<number>): number {
    const [x, y, z, w] = [this.pose[3], this.pose[4], this.pose[5], this.pose[6]];
    // n in the body's frame: turned back.
    const cx = 2 * (n[1] * z - n[2] * y);
    const cy = 2 * (n[2] * x - n[0] * z);
    const cz = 2 * (n[0] * y - n[1] * x);
    const bx = n[0] + w * cx + (cy * z - cz * y);
    const by = n[1] + w * cy + (cz * x - cx * z);
    const bz = n[2] + w * cz + (cx * y - cy * x);
    const { corners } = this.shape;
    let most = -Infinity;
    for (let i = 0; i < corners.length; i += 3) {
      const value = bx * corners[i] + by * corners[i + 1] + bz * corners[i + 2];
      if (value > most) most = value;
    }
    return most + n[0] * this.pose[0] + n[1] * this.pose[1] + n[2] * this.pose[2];
  }
}

/** Writes a point of a body's frame as it is in the world. */
export function writePoint(pose: ArrayLike<number>, point: ArrayLike<number>, out: Float64Array): void {
  const [x, y, z, w] = [pose[3], pose[4], pose[5], pose[6]];
  const cx = 2 * (y * point[2] - z * point[1]);
  const cy = 2 * (z * point[0] - x * point[2]);
  const cz = 2 * (x * point[1] - y * point[0]);
  out[0] = pose[0] + point[0] + w * cx + (y * cz - z * cy);
  out[1] = pose[1] + point[1] + w * cy + (z * cx - x * cz);
  out[2] = pose[2] + point[2] + w * cz + (x * cy - y * cx);
}

/** Writes a point of the world as it is in a body's frame. */
export function writeLocal(pose: ArrayLike<number>, point: ArrayLike<number>, out: Float64Array): void {
  const back = [0, 0, 0, -pose[3], -pose[4], -pose[5], pose[6]];
  writePoint(back, [point[0] - pose[0], point[1] - pose[1], point[2] - pose[2]], out);
}

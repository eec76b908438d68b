// A rigid robot as a guide leads it: one of its points is put on the guide, and its axes are turned along the passage and
// to the nearest walls.
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import { angleBetween, turnBy } from '../../core/turns.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { BodyRobot } from './body-robot.js';

/** Chosen: the count of angles over half a turn at which the width of a body is measured. */
const WIDTHS = 90;

/** Chosen: the count of orientations in the plane that are tried wherever there is room for them. */
const PLANAR_TURNS = 16;

/** Chosen: the count of orientations in space that are tried wherever there is room for them. */
const SPACE_TURNS = 60;

/** The orientation of a configuration: its numbers after the position. */
export type Orientation = Float64Array;

export class GuidedBody {
  readonly robot: BodyRobot;
  /** The point that follows the guide, in the middle of the body, in its frame. */
  readonly anchor: Vec3;
  /** The largest distance of a vertex from it, and half of the least width, across the plane for a planar robot. */
  readonly radius: number;
  readonly halfWidth: number;
  /** The count of coordinates of the position. */
  readonly ways: 2 | 3;
  readonly #long: Vec3;
  readonly #short: Vec3;
  /** In the plane: the direction of the long axis at the angle 0. */
  readonly #angle: number;
  readonly #size: number;
  readonly #pose = new Float64Array(7);

  /** @param size numbers of a configuration. */
  constructor(robot: BodyRobot, size: number) {
    this.robot = robot;
    this.#size = size;
    this.ways = robot.ways;
    const [u, v, w] = robot.axes;
    const { positions } = robot.links[0].model.mesh;
    const q = new Float64Array(size);
    if (this.ways === 3) q[robot.offset + 6] = 1;
    robot.place(q, this.#pose);
    const turn = [...this.#pose.subarray(3, 7)] as quat.Quat;
    const across: Vec3 = [0, 0, 0];
    across[w] = 1;
    // The thinnest direction of all comes first, then the thinnest across it; the long axis is across both. The largest
    // extent would be that of a diagonal.
    const [short, width] = thinnest(positions, turn, this.ways === 2 ? planeDirections(u, v) : sphereDirections());
    const third = this.ways === 2 ? across : thinnest(positions, turn, circleDirections(short))[0];
    const long = vec3.cross(third, short);
    const middle: Vec3 = [0, 0, 0];
    for (const axis of [long, short, third]) {
      const [low, high] = extent(positions, turn, axis);
      vec3.addScaled(middle, axis, (low + high) / 2, middle);
    }
    const back = quat.conjugate(turn);
    this.anchor = quat.rotate(back, middle);
    this.#long = quat.rotate(back, long);
    this.#short = quat.rotate(back, short);
    this.#angle = Math.atan2(long[v], long[u]);
    this.halfWidth = width / 2;
    let most = 0;
    for (let i = 0; i < positions.length; i += 3) {
      const p = vec3.subtract([positions[i], positions[i + 1], positions[i + 2]], this.anchor);
      const placed = quat.rotate(turn, p);
      if (this.ways === 2) placed[w] = 0;
      most = Math.max(most, vec3.length(placed));
    }
    this.radius = most;
  }

  get bounds(): { readonly min: Vec3; readonly max: Vec3 } {
    return this.robot.bounds;
  }

  /** Where the anchor is. */
  anchorAt(q: Float64Array): Vec3 {
    return this.pointAt(q, this.anchor);
  }

  pointAt(q: Float64Array, point: Vec3): Vec3 {
    this.robot.place(q, this.#pose);
    return pose.transformPoint(this.#pose, point);
  }

  /** The configuration of an orientation with the anchor at a point. */
  place(point: Readonly<Vec3>, orientation: Orientation): Float64Array {
    const { robot } = this;
    const q = new Float64Array(this.#size);
    q.set(orientation, robot.offset + this.ways);
    const at = this.anchorAt(q);
    for (let k = 0; k < this.ways; k++) q[robot.offset + k] += point[robot.axes[k]] - at[robot.axes[k]];
    return q;
  }

  orientationOf(q: Float64Array): Orientation {
    const at = this.robot.offset;
    return q.slice(at + this.ways, at + this.robot.size);
  }

  /** The angle between two orientations. */
  angle(a: Orientation, b: Orientation): number {
    return this.ways === 2 ? Math.abs(turnBy(a[0], b[0])) : angleBetween(a, 0, b, 0);
  }

  /** Orientations with the long axis along a passage, either way, and the short one across it in a direction. */
  alignments(along: Vec3, across: Vec3): Orientation[] {
    if (this.ways === 2) {
      const [u, v] = this.robot.axes;
      const angle = this.robot.turnSign * (Math.atan2(along[v], along[u]) - this.#angle);
      return [0, Math.PI].map((half) => Float64Array.of(turnBy(0, angle + half)));
    }
    const body = quat.conjugate(frame(this.#long, this.#short));
    return [0, 1, 2, 3].map((half) => {
      const passage = frame(vec3.scale(along, half & 1 ? -1 : 1), vec3.scale(across, half & 2 ? -1 : 1));
      return Float64Array.from(quat.normalize(quat.multiply(passage, body)));
    });
  }

  /** Orientations that cover all evenly; in space by spirals (Alexa 2022). */
  turns(): Orientation[] {
    if (this.ways === 2) {
      return Array.from({ length: PLANAR_TURNS }, (_, i) =>
        Float64Array.of(turnBy(0, (2 * Math.PI * i) / PLANAR_TURNS)),
      );
    }
    return Array.from({ length: SPACE_TURNS }, (_, i) => {
      const s = i + 0.5;
      const [r, t] = [Math.sqrt(s / SPACE_TURNS), Math.sqrt(1 - s / SPACE_TURNS)];
      const [a, b] = [(2 * Math.PI * s) / Math.SQRT2, (2 * Math.PI * s) / 1.533751168755204];
      return Float64Array.of(r * Math.sin(a), r * Math.cos(a), t * Math.sin(b), t * Math.cos(b));
    });
  }

  /** The same for orientations that are the same up to rounding. */
  keyOf(orientation: Orientation): string {
    if (this.ways === 2) return turnBy(0, orientation[0]).toFixed(6);
    // A quaternion and its negative are one orientation.
    const sign = (orientation.find((value) => Math.abs(value) > 1e-3) ?? 1) < 0 ? -1 : 1;
    return Array.from(orientation, (value) => (sign * value + 0).toFixed(5)).join();
  }
}

/** The turn that brings x to the first direction and y as near to the second as it gets. */
function frame(first: Vec3, second: Vec3): quat.Quat {
  const z = vec3.normalize(vec3.cross(first, second));
  const y = vec3.cross(z, first);
  return quat.fromMatrix3([first[0], y[0], z[0], first[1], y[1], z[1], first[2], y[2], z[2]]);
}

function planeDirections(u: number, v: number): Vec3[] {
  return Array.from({ length: WIDTHS }, (_, i) => {
    const direction: Vec3 = [0, 0, 0];
    direction[u] = Math.cos((Math.PI * i) / WIDTHS);
    direction[v] = Math.sin((Math.PI * i) / WIDTHS);
    return direction;
  });
}

/** The axes, and directions over half a sphere. */
function sphereDirections(): Vec3[] {
  const list: Vec3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const count = 4 * WIDTHS;
  for (let i = 0; i < count; i++) {
    const z = (i + 0.5) / count;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - z * z);
    list.push([r * Math.cos(angle), r * Math.sin(angle), z]);
  }
  return list;
}

function circleDirections(axis: Vec3): Vec3[] {
  const u = vec3.normalize(vec3.perpendicular(axis));
  const v = vec3.cross(axis, u);
  return Array.from({ length: WIDTHS }, (_, i) => {
    const angle = (Math.PI * i) / WIDTHS;
    return vec3.addScaled(vec3.scale(u, Math.cos(angle)), v, Math.sin(angle));
  });
}

/** The least and the greatest coordinate of turned points along a direction. */
function extent(positions: Float64Array, turn: quat.Quat, direction: Vec3): [number, number] {
  const [x, y, z] = quat.rotate(quat.conjugate(turn), direction);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    const at = x * positions[i] + y * positions[i + 1] + z * positions[i + 2];
    if (at < low) low = at;
    if (at > high) high = at;
  }
  return [low, high];
}

function thinnest(positions: Float64Array, turn: quat.Quat, directions: readonly Vec3[]): [Vec3, number] {
  let [best, least] = [directions[0], Infinity];
  for (const direction of directions) {
    const [low, high] = extent(positions, turn, direction);
    if (high - low < least * (1 - 1e-9)) [best, least] = [direction, high - low];
  }
  return [best, least];
}

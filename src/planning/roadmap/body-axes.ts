// How a rigid robot is put into a passage: its long axis along it, its flat side to the nearest wall.
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Random } from '../../core/random.js';
import { symmetricEigen } from '../../core/symmetric-eigen.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { BodyRobot } from '../../kinematics/robot/body-robot.js';
import type { Mesh } from '../../mesh/mesh.js';

export class BodyAxes {
  readonly #robot: BodyRobot;
  /** From frames of the passage to that of the body: the long axis is the first, the short one the third. */
  readonly #axes: quat.Quat;
  /** In the plane: the direction of the long axis at the angle 0. */
  readonly #angle: number;
  readonly #pose = new Float64Array(7);

  constructor(robot: BodyRobot, size: number) {
    this.#robot = robot;
    const { mesh } = robot.links[0].model;
    const [u, v] = robot.axes;
    if (robot.ways === 2) {
      robot.place(new Float64Array(size), this.#pose);
      const flat = principalAxes(mesh, (p) => {
        const placed = quat.rotate(this.#pose.subarray(3, 7), p);
        placed[robot.axes[2]] = 0;
        return placed;
      });
      this.#angle = Math.atan2(flat[0][v], flat[0][u]);
      this.#axes = quat.identity();
      return;
    }
    const [long, , short] = principalAxes(mesh, (p) => p);
    this.#angle = 0;
    this.#axes = quat.conjugate(frame(long, short));
  }

  /**
   * Turns q so that the long axis of the body is along a direction and the short one along another, either way round, and by
   * random angles of about `spread` radians besides.
   */
  align(q: Float64Array, along: Vec3, across: Vec3, spread: number, random: Random): void {
    const robot = this.#robot;
    const at = robot.offset;
    const half = random.integer(4);
    if (robot.ways === 2) {
      const [u, v] = robot.axes;
      const angle = Math.atan2(along[v], along[u]) - this.#angle;
      q[at + 2] = robot.turnSign * angle + (half & 1 ? Math.PI : 0) + spread * random.normal();
      return;
    }
    const [a, b] = [half & 1 ? -1 : 1, half & 2 ? -1 : 1];
    const passage = frame(vec3.scale(along, a), vec3.scale(across, b));
    const more = quat.fromAxisAngle(random.direction(), spread * random.normal());
    q.set(quat.normalize(quat.multiply(more, quat.multiply(passage, this.#axes))), at + 3);
  }

  /** Shifts q so that a point of the body comes to a point of space, as far as the robot's coordinates allow. */
  carry(q: Float64Array, anchor: Vec3, point: Vec3): void {
    const robot = this.#robot;
    const at = this.pointAt(q, anchor);
    for (let k = 0; k < robot.ways; k++) q[robot.offset + k] += point[robot.axes[k]] - at[robot.axes[k]];
  }

  /** Where a point of the body is. */
  pointAt(q: Float64Array, anchor: Vec3): Vec3 {
    this.#robot.place(q, this.#pose);
    return pose.transformPoint(this.#pose, anchor);
  }
}

/** The turn that brings x to the first direction and z as near to the second as it gets. */
function frame(first: Vec3, third: Vec3): quat.Quat {
  const y = vec3.normalize(vec3.cross(third, first));
  const z = vec3.cross(first, y);
  return quat.fromMatrix3([first[0], y[0], z[0], first[1], y[1], z[1], first[2], y[2], z[2]]);
}

/** The axes of a surface, longest first, by its second moments. */
function principalAxes({ positions, indices }: Mesh, map: (p: Vec3) => Vec3): readonly Vec3[] {
  const points: Vec3[] = [];
  const weights: number[] = [];
  const corner = (i: number): Vec3 => {
    const at = 3 * indices[i];
    return map([positions[at], positions[at + 1], positions[at + 2]]);
  };
  const middle: Vec3 = [0, 0, 0];
  let total = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
    // Faces that the map lays on edge still count a little.
    const area = vec3.length(vec3.cross(vec3.subtract(b, a), vec3.subtract(c, a)));
    const weight = area + 1e-6 * (vec3.distance(a, b) + vec3.distance(b, c)) ** 2;
    // Midpoints of the edges integrate second moments exactly.
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const point = vec3.lerp(p, q, 0.5);
      points.push(point);
      weights.push(weight);
      vec3.addScaled(middle, point, weight, middle);
      total += weight;
    }
  }
  vec3.scale(middle, 1 / total, middle);
  const sums = new Float64Array(6);
  for (const [i, point] of points.entries()) {
    const [x, y, z] = vec3.subtract(point, middle);
    for (const [k, value] of [x * x, x * y, x * z, y * y, y * z, z * z].entries()) sums[k] += weights[i] * value;
  }
  return symmetricEigen(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]).vectors;
}

// A joint between two bodies, or a body and the world: what it holds in the axes of each, and its impulses.
import type { Bodies } from '../body/bodies.js';

/** Label, a kind: leaves any turn about a point free. */
export const BALL = 0;
/** Label, a kind: leaves a turn about an axis free. */
export const HINGE = 1;
/** Label, a kind: leaves a shift along an axis free. */
export const SLIDER = 2;
/** Label, a kind: leaves nothing free. */
export const FIXED = 3;
/** Label, a kind: a spring from a point of a body to a point in the world. */
export const GRAB = 4;

/** Label, a kind: keeps a body where it is along some axes of the world, and from turning about some. */
export const LOCKS = 5;

/** Label, a kind: keeps two points at a distance. */
export const DISTANCE = 6;
/** Label, a kind: a spring between two points. */
export const SPRING = 7;

/** Label: the world as a body of a joint. */
export const WORLD = -1;

/** State of a joint. A is the body or the world that it hangs on; angles and speeds are those of B relative to A. */
export class Joint {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  /** The anchor from the center of mass in the body's axes; in the world for the world. */
  readonly anchorA = new Float64Array(3);
  readonly anchorB = new Float64Array(3);
  /** The axis in the axes of each body, and a direction across it. */
  readonly axisA = new Float64Array(3);
  readonly axisB = new Float64Array(3);
  readonly sideA = new Float64Array(3);
  readonly sideB = new Float64Array(3);
  /** B's orientation in A's axes, which fixed joints and sliders keep. */
  readonly turn = new Float64Array(4);
  hasMotor = false;
  speed = 0;
  /** Largest torque or force of the motor, or force of a grab. */
  strength = Infinity;
  low = -Infinity;
  high = Infinity;
  /** Of distances and springs: how far the points are apart at rest, m. */
  length = 0;
  /** Of springs, N/m and N s/m. */
  stiffness = 0;
  damping = 0;
  /** Of springs: the stiffness that the last substep could follow, N/m. */
  pull = 0;
  /** Of locks: bits 0 to 2 for shifts along x, y and z, bits 3 to 5 for turns about them. */
  locked = 0;
  /** Angle of a hinge, over all its turns, or displacement of a slider. */
  position = 0;
  /** N s or N m s of the last substep: up to six rows, motor, lower and upper limit. */
  readonly impulses = new Float64Array(9);

  constructor(kind: number, a: number, b: number) {
    this.kind = kind;
    this.a = a;
    this.b = b;
  }

  /** Sets, changes or (null) stops the motor. */
  setMotor(motor: { readonly speed: number; readonly strength: number } | null): void {
    this.hasMotor = motor !== null;
    this.speed = motor?.speed ?? 0;
    this.strength = motor?.strength ?? Infinity;
  }

  /**
   * Takes the bodies as they are as the position 0 of the joint.
   * @param to the point of A, where that is another than B's.
   */
  attach(bodies: Bodies, at: ArrayLike<number>, axis: ArrayLike<number>, to = at): void {
    const side = acrossTo(axis);
    toBody(bodies, this.a, to, true, this.anchorA);
    this.length = Math.hypot(at[0] - to[0], at[1] - to[1], at[2] - to[2]);
    toBody(bodies, this.b, at, true, this.anchorB);
    toBody(bodies, this.a, axis, false, this.axisA);
    toBody(bodies, this.b, axis, false, this.axisB);
    toBody(bodies, this.a, side, false, this.sideA);
    toBody(bodies, this.b, side, false, this.sideB);
    const q = bodies.orientation;
    const [ax, ay, az, aw] =
      this.a === WORLD ? [0, 0, 0, 1] : [q[4 * this.a], q[4 * this.a + 1], q[4 * this.a + 2], q[4 * this.a + 3]];
    const [bx, by, bz, bw] = [q[4 * this.b], q[4 * this.b + 1], q[4 * this.b + 2], q[4 * this.b + 3]];
    // conjugate(a) · b
    this.turn[0] = aw * bx - ax * bw - ay * bz + az * by;
    this.turn[1] = aw * by + ax * bz - ay * bw - az * bx;
    this.turn[2] = aw * bz - ax * by + ay * bx - az * bw;
    this.turn[3] = aw * bw + ax * bx + ay * by + az * bz;
  }

  /** Every array, for snapshots. */
  state(): Float64Array {
    return Float64Array.of(
      this.speed,
      this.strength,
      this.low,
      this.high,
      this.position,
      this.hasMotor ? 1 : 0,
      this.pull,
      ...this.anchorA,
      ...this.impulses,
    );
  }

  /** Takes over what {@link state} returned. */
  setState(values: Float64Array): void {
    this.speed = values[0];
    this.strength = values[1];
    this.low = values[2];
    this.high = values[3];
    this.position = values[4];
    this.hasMotor = values[5] === 1;
    this.pull = values[6];
    this.anchorA.set(values.subarray(7, 10));
    this.impulses.set(values.subarray(10, 19));
  }
}

/** A unit vector across a unit vector. */
export function acrossTo(axis: ArrayLike<number>): [number, number, number] {
  const sizes = [Math.abs(axis[0]), Math.abs(axis[1]), Math.abs(axis[2])];
  const k = sizes.indexOf(Math.min(...sizes));
  const e = [0, 0, 0];
  e[k] = 1;
  const x = axis[1] * e[2] - axis[2] * e[1];
  const y = axis[2] * e[0] - axis[0] * e[2];
  const z = axis[0] * e[1] - axis[1] * e[0];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** A point or direction of the world in the axes of a body, a point from its center of mass. */
function toBody(bodies: Bodies, slot: number, v: ArrayLike<number>, isPoint: boolean, out: Float64Array): void {
  const { center, orientation: q } = bodies;
  let [x, y, z] = [v[0], v[1], v[2]];
  if (slot !== WORLD) {
    if (isPoint) {
      x -= center[3 * slot];
      y -= center[3 * slot + 1];
      z -= center[3 * slot + 2];
    }
    const [a, b, c, w] = [-q[4 * slot], -q[4 * slot + 1], -q[4 * slot + 2], q[4 * slot + 3]];
    const tx = 2 * (b * z - c * y);
    const ty = 2 * (c * x - a * z);
    const tz = 2 * (a * y - b * x);
    [x, y, z] = [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
  }
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// The state of all bodies as flat arrays, one slot a body. A removed body leaves its slot free for a later one.
// Arrays are replaced when they grow: read them from the object in every step.
import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import type { BodyMass } from './body-mass.js';
import { PairSurfaces } from './pair-surfaces.js';

/** Label, a kind: the slot is free. */
export const REMOVED = -1;
/** Label, a kind: the body never moves. */
export const STATIC = 0;
/** Label, a kind: the body follows a path, whatever it meets. */
export const KINEMATIC = 1;
/** Label, a kind: the body moves by forces. */
export const DYNAMIC = 2;

/**
 * Label: in {@link Bodies.asleep}: a dynamic body that stays where it is while others are moved, within one substep.
 */
export const HELD = 2;

/** Positions and velocities are those of centers of mass, in the world. */
export class Bodies {
  /** Slots in use, those of removed bodies included: loop to here. */
  count = 0;
  /** REMOVED, STATIC, KINEMATIC or DYNAMIC. */
  kind = new Int8Array(0);
  /** 3 each. */
  center = new Float64Array(0);
  /** Turns the frame of the shape into the world; x, y, z, w. */
  orientation = new Float64Array(0);
  /** 3 each. */
  velocity = new Float64Array(0);
  /** 3 each, rad/s in world axes. */
  angularVelocity = new Float64Array(0);
  /** Constant over the coming step, then set to 0; 3 each. */
  force = new Float64Array(0);
  /** As `force`, about the center of mass. */
  torque = new Float64Array(0);
  mass = new Float64Array(0);
  /** 0 unless dynamic. */
  inverseMass = new Float64Array(0);
  /** The center of mass in the frame of the shape, 3 each; 0 unless dynamic, or dynamic later. */
  localCenter = new Float64Array(0);
  /** Principal moments, 3 each; 0 unless dynamic. */
  principal = new Float64Array(0);
  /** Turns the principal axes into the frame of the shape; 4 each. */
  principalFrame = new Float64Array(0);
  /** In world axes: xx, xy, xz, yy, yz, zz; 0 unless dynamic. */
  inverseInertia = new Float64Array(0);
  friction = new Float64Array(0);
  /** What holds a point that does not slide; no less than the friction of one that does. */
  staticFriction = new Float64Array(0);
  /** 1/s: how fast velocities die away. */
  linearDamping = new Float64Array(0);
  angularDamping = new Float64Array(0);
  /** What contacts pushed the body with in the last step, N s: the sum over all its points. */
  blow = new Float64Array(0);
  restitution = new Float64Array(0);
  /** Two bodies collide if each has a bit of its group in the mask of the other. */
  group = new Int32Array(0);
  mask = new Int32Array(0);
  /** 1: is noticed, but pushes nothing. */
  sensor = new Uint8Array(0);
  /** 1: at rest, left out until something wakes it. {@link HELD}: left out while others move. */
  asleep = new Uint8Array(0);
  readonly shape: (CollisionShape | null)[] = [];
  /** Friction and restitution of pairs. */
  readonly surfaces = new PairSurfaces();

  readonly #free: number[] = [];

  /** A slot with everything at zero but the identity orientation, full filters and the kind. */
  add(kind: number, shape: CollisionShape): number {
    const slot = this.#free.pop() ?? this.count++;
    if (slot >= this.kind.length) this.#grow(Math.max(16, 2 * this.kind.length));
    this.#clear(slot);
    this.kind[slot] = kind;
    this.shape[slot] = shape;
    return slot;
  }

  /** Frees a slot. */
  remove(slot: number): void {
    this.#clear(slot);
    this.surfaces.forget(slot, this.count);
    this.kind[slot] = REMOVED;
    this.shape[slot] = null;
    this.#free.push(slot);
  }

  /** Gives a dynamic body its mass. The pose must be set afterwards. */
  setMass(slot: number, { mass, center, principal, frame }: BodyMass): void {
    this.mass[slot] = mass;
    this.inverseMass[slot] = 1 / mass;
    this.localCenter.set(center, 3 * slot);
    this.principal.set(principal, 3 * slot);
    this.principalFrame.set(frame, 4 * slot);
  }

  /** Has a body that stands or is moved stand at its center of mass, as dynamic ones do. The pose must be set afterwards. */
  setCenter(slot: number, { center }: BodyMass): void {
    this.localCenter.set(center, 3 * slot);
  }

  /** Places the frame of the shape. */
  setPose(slot: number, pose: ArrayLike<number>): void {
    for (let k = 0; k < 4; k++) this.orientation[4 * slot + k] = pose[3 + k];
    this.#writeLever(slot);
    for (let k = 0; k < 3; k++) this.center[3 * slot + k] = pose[k] + this.#lever[k];
    this.refreshInertia(slot);
  }

  /** Writes the pose of the shape's frame, 7 numbers. */
  writePose(slot: number, out: { [index: number]: number }, at = 0): void {
    this.#writeLever(slot);
    for (let k = 0; k < 3; k++) out[at + k] = this.center[3 * slot + k] - this.#lever[k];
    for (let k = 0; k < 4; k++) out[at + 3 + k] = this.orientation[4 * slot + k];
  }

  /** Writes the placement of the shape's frame (core/placement.ts), 12 numbers. */
  writePlacement(slot: number, out: Float64Array): void {
    const { center, orientation, localCenter } = this;
    const x = orientation[4 * slot];
    const y = orientation[4 * slot + 1];
    const z = orientation[4 * slot + 2];
    const w = orientation[4 * slot + 3];
    const lx = localCenter[3 * slot];
    const ly = localCenter[3 * slot + 1];
    const lz = localCenter[3 * slot + 2];
    out[0] = 1 - 2 * (y * y + z * z);
    out[1] = 2 * (x * y - z * w);
    out[2] = 2 * (x * z + y * w);
    out[4] = 2 * (x * y + z * w);
    out[5] = 1 - 2 * (x * x + z * z);
    out[6] = 2 * (y * z - x * w);
    out[8] = 2 * (x * z - y * w);
    out[9] = 2 * (y * z + x * w);
    out[10] = 1 - 2 * (x * x + y * y);
    out[3] = center[3 * slot] - (out[0] * lx + out[1] * ly + out[2] * lz);
    out[7] = center[3 * slot + 1] - (out[4] * lx + out[5] * ly + out[6] * lz);
    out[11] = center[3 * slot + 2] - (out[8] * lx + out[9] * ly + out[10] * lz);
  }

  /** Brings the inverse inertia in world axes up to date with the orientation. */
  refreshInertia(slot: number): void {
    const { principal, principalFrame: p, orientation: q, inverseInertia } = this;
    const at = 4 * slot;
    const out = 6 * slot;
    if (this.inverseMass[slot] === 0) {
      inverseInertia.fill(0, out, out + 6);
      return;
    }
    const a = 1 / principal[3 * slot];
    const b = 1 / principal[3 * slot + 1];
    const c = 1 / principal[3 * slot + 2];
    // The same about all axes: no need to know where they are.
    if (a === b && b === c) {
      inverseInertia.fill(0, out, out + 6);
      inverseInertia[out] = inverseInertia[out + 3] = inverseInertia[out + 5] = a;
      return;
    }
    const px = p[at];
    const py = p[at + 1];
    const pz = p[at + 2];
    const pw = p[at + 3];
    const qx = q[at];
    const qy = q[at + 1];
    const qz = q[at + 2];
    const qw = q[at + 3];
    const x = qw * px + qx * pw + qy * pz - qz * py;
    const y = qw * py - qx * pz + qy * pw + qz * px;
    const z = qw * pz + qx * py - qy * px + qz * pw;
    const w = qw * pw - qx * px - qy * py - qz * pz;
    const r0 = 1 - 2 * (y * y + z * z);
    const r1 = 2 * (x * y - z * w);
    const r2 = 2 * (x * z + y * w);
    const r3 = 2 * (x * y + z * w);
    const r4 = 1 - 2 * (x * x + z * z);
    const r5 = 2 * (y * z - x * w);
    const r6 = 2 * (x * z - y * w);
    const r7 = 2 * (y * z + x * w);
    const r8 = 1 - 2 * (x * x + y * y);
    inverseInertia[out] = r0 * r0 * a + r1 * r1 * b + r2 * r2 * c;
    inverseInertia[out + 1] = r0 * r3 * a + r1 * r4 * b + r2 * r5 * c;
    inverseInertia[out + 2] = r0 * r6 * a + r1 * r7 * b + r2 * r8 * c;
    inverseInertia[out + 3] = r3 * r3 * a + r4 * r4 * b + r5 * r5 * c;
    inverseInertia[out + 4] = r3 * r6 * a + r4 * r7 * b + r5 * r8 * c;
    inverseInertia[out + 5] = r6 * r6 * a + r7 * r7 * b + r8 * r8 * c;
  }

  /** Every array but the kinds, in a fixed order, with the numbers a body has in it: for snapshots. */
  arrays(): { values: Float64Array | Int32Array | Int8Array | Uint8Array; width: number }[] {
    return ARRAY_NAMES.slice(1).map(([name, width]) => ({ values: this[name], width }));
  }

  readonly #lever = new Float64Array(3);

  /** The center of mass from the origin of the shape, in world axes. */
  #writeLever(slot: number): void {
    const { orientation: q, localCenter: l } = this;
    const x = l[3 * slot];
    const y = l[3 * slot + 1];
    const z = l[3 * slot + 2];
    const a = q[4 * slot];
    const b = q[4 * slot + 1];
    const c = q[4 * slot + 2];
    const w = q[4 * slot + 3];
    const tx = 2 * (b * z - c * y);
    const ty = 2 * (c * x - a * z);
    const tz = 2 * (a * y - b * x);
    this.#lever[0] = x + w * tx + b * tz - c * ty;
    this.#lever[1] = y + w * ty + c * tx - a * tz;
    this.#lever[2] = z + w * tz + a * ty - b * tx;
  }

  #clear(slot: number): void {
    for (const [name, width] of ARRAY_NAMES) this[name].fill(0, slot * width, (slot + 1) * width);
    this.orientation[4 * slot + 3] = 1;
    this.principalFrame[4 * slot + 3] = 1;
    this.group[slot] = 1;
    this.mask[slot] = -1;
  }

  #grow(capacity: number): void {
    for (const [name, width] of ARRAY_NAMES) {
      const from = this[name];
      const Kind = from.constructor as new (length: number) => typeof from;
      const larger = new Kind(capacity * width);
      larger.set(from as never);
      (this as Record<string, unknown>)[name] = larger;
    }
  }
}

/** The arrays of {@link Bodies} with the numbers a body has in each. */
const ARRAY_NAMES = [
  ['kind', 1],
  ['center', 3],
  ['orientation', 4],
  ['velocity', 3],
  ['angularVelocity', 3],
  ['force', 3],
  ['torque', 3],
  ['mass', 1],
  ['inverseMass', 1],
  ['localCenter', 3],
  ['principal', 3],
  ['principalFrame', 4],
  ['inverseInertia', 6],
  ['friction', 1],
  ['staticFriction', 1],
  ['linearDamping', 1],
  ['angularDamping', 1],
  ['blow', 1],
  ['restitution', 1],
  ['group', 1],
  ['mask', 1],
  ['sensor', 1],
  ['asleep', 1],
] as const;

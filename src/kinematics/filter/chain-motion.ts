// Where all links of some chains are at a place of an edge, how fast they move there and how that changes: rotations as matrices,
// velocities as twists. Along an edge the joint values change evenly.
import type { ChainRobot } from '../robot/chain-robot.js';

/**
 * Layout: numbers of the frame of a link: a rotation by rows, a shift, the angular velocity, the velocity of the origin, the
 * angular acceleration, the acceleration of the origin.
 */
export const FRAME = 24;

/**
 * Layout: numbers of a joint's matrices: the rotation of its origin times 1, the cross product with its axis, and the
 * square of that.
 */
const MATRICES = 27;

/** One joint, with numbers of frames instead of links. */
interface MotionJoint {
  readonly parent: number;
  readonly child: number;
  readonly kind: 'fixed' | 'turn' | 'slide';
  readonly value: number;
  readonly factor: number;
  readonly offset: number;
  readonly matrices: Float64Array;
  readonly origin: readonly [number, number, number];
  /** The axis in the parent's frame. */
  readonly axis: readonly [number, number, number];
}

/** A joint that moves a body: its number, whether it turns, the largest distance of a point of the body from its axis. */
export interface Mover {
  readonly joint: number;
  readonly value: number;
  readonly factor: number;
  readonly isTurn: boolean;
  readonly lever: number;
}

export class ChainMotion {
  /** Frames of all links with bodies, in the order of the scene, are at these places of {@link frames}. */
  readonly bodyFrames: Int32Array;
  readonly frames: Float64Array;
  readonly #joints: readonly MotionJoint[];
  /** By body: the joints that move it, from the body inwards. */
  readonly #movers: readonly (readonly Mover[])[];
  /** By body: its chain, and all joints between its base and it. */
  readonly #joined: readonly { readonly chain: ChainRobot; readonly joints: readonly number[] }[];
  /** How much each number of a configuration changes along the edge. */
  readonly changes: Float64Array;

  /** @param radii by body: the largest distance of its points from the origin of its frame. */
  constructor(chains: readonly ChainRobot[], size: number, radii: readonly number[]) {
    this.changes = new Float64Array(size);
    const joints: MotionJoint[] = [];
    const bodies: number[] = [];
    const movers: Mover[][] = [];
    const joined: { chain: ChainRobot; joints: readonly number[] }[] = [];
    let frameCount = 0;
    for (const chain of chains) {
      const first = frameCount;
      frameCount += chain.linkNames.length;
      for (const [j, joint] of chain.joints.entries()) {
        const { value, factor } = chain.valueOf(j);
        const rotation = rotationOf(joint.origin);
        const axis = rotate(rotation, joint.axis);
        joints.push({
          parent: FRAME * (first + joint.parent),
          child: FRAME * (first + joint.child),
          kind: joint.type === 'fixed' ? 'fixed' : joint.type === 'revolute' ? 'turn' : 'slide',
          value: chain.offset + value,
          factor,
          offset: joint.mimic?.offset ?? 0,
          matrices: turnMatrices(rotation, joint.axis),
          origin: [joint.origin[0], joint.origin[1], joint.origin[2]],
          axis,
        });
      }
      for (const link of chain.links) {
        const index = chain.linkNames.indexOf(link.name);
        movers.push(moversOf(chain, index, radii[bodies.length]));
        joined.push({ chain, joints: [...chain.jointsOf(index)] });
        bodies.push(FRAME * (first + index));
      }
    }
    this.#joints = joints;
    this.#movers = movers;
    this.#joined = joined;
    this.bodyFrames = Int32Array.from(bodies);
    this.frames = new Float64Array(FRAME * frameCount);
    let at = 0;
    for (const chain of chains) {
      const base = chain.frameAt(new Float64Array(size), 0);
      this.frames.set(rotationOf(base), at);
      this.frames.set(base.subarray(0, 3), at + 9);
      at += FRAME * chain.linkNames.length;
    }
  }

  /** Prepares an edge: velocities are those of it. */
  begin(a: Float64Array, b: Float64Array): void {
    for (let k = 0; k < this.changes.length; k++) this.changes[k] = b[k] - a[k];
  }

  /** Prepares single configurations: nothing moves. */
  rest(): void {
    this.changes.fill(0);
  }

  /** The largest acceleration of a point of a body, in units of the edge. */
  bend(body: number): number {
    return largestBend(this.#movers[body], this.changes);
  }

  /** The largest third derivative of a point of a body, in units of the edge. */
  jerk(body: number): number {
    return largestJerk(this.#movers[body], this.changes);
  }

  /** The joints that move a body as seen from one that carries it; null if that does not carry it. */
  moversBetween(carrier: number, body: number): readonly Mover[] | null {
    const [own, others] = [this.#joined[body], this.#joined[carrier]];
    if (own.chain !== others.chain || !others.joints.every((joint) => own.joints.includes(joint))) return null;
    return this.#movers[body].filter(({ joint }) => !others.joints.includes(joint));
  }

  /** Writes the frame of a body as seen from another one, which turns and moves itself. */
  writeRelative(carrier: number, body: number, out: Float64Array): void {
    const f = this.frames;
    const a = this.bodyFrames[carrier];
    const b = this.bodyFrames[body];
    const dx = f[b + 9] - f[a + 9];
    const dy = f[b + 10] - f[a + 10];
    const dz = f[b + 11] - f[a + 11];
    const wx = f[a + 12];
    const wy = f[a + 13];
    const wz = f[a + 14];
    const lx = f[a + 18];
    const ly = f[a + 19];
    const lz = f[a + 20];
    const ux = wy * dz - wz * dy;
    const uy = wz * dx - wx * dz;
    const uz = wx * dy - wy * dx;
    const vx = f[b + 15] - f[a + 15] - ux;
    const vy = f[b + 16] - f[a + 16] - uy;
    const vz = f[b + 17] - f[a + 17] - uz;
    const ox = f[b + 12];
    const oy = f[b + 13];
    const oz = f[b + 14];
    const ex = f[b + 18] - lx - (wy * oz - wz * oy);
    const ey = f[b + 19] - ly - (wz * ox - wx * oz);
    const ez = f[b + 20] - lz - (wx * oy - wy * ox);
    // Besides what the frame itself does: 2 ω × v, which Coriolis found, and ω × (ω × d).
    const gx = f[b + 21] - f[a + 21] - (ly * dz - lz * dy) - 2 * (wy * vz - wz * vy) - (wy * uz - wz * uy);
    const gy = f[b + 22] - f[a + 22] - (lz * dx - lx * dz) - 2 * (wz * vx - wx * vz) - (wz * ux - wx * uz);
    const gz = f[b + 23] - f[a + 23] - (lx * dy - ly * dx) - 2 * (wx * vy - wy * vx) - (wx * uy - wy * ux);
    for (let r = 0; r < 3; r++) {
      const p = f[a + r];
      const q = f[a + 3 + r];
      const o = f[a + 6 + r];
      for (let c = 0; c < 3; c++) out[3 * r + c] = p * f[b + c] + q * f[b + 3 + c] + o * f[b + 6 + c];
      out[9 + r] = p * dx + q * dy + o * dz;
      out[12 + r] = p * (ox - wx) + q * (oy - wy) + o * (oz - wz);
      out[15 + r] = p * vx + q * vy + o * vz;
      out[18 + r] = p * ex + q * ey + o * ez;
      out[21 + r] = p * gx + q * gy + o * gz;
    }
  }

  /** Moves the frames of all links. Values stay in locals of one function: it runs for every configuration that is asked. */
  place(q: Float64Array): void {
    const f = this.frames;
    const joints = this.#joints;
    for (let n = 0; n < joints.length; n++) {
      const { parent: p, child: c, kind, value, factor, offset, matrices: m, origin, axis } = joints[n];
      const [ox, oy, oz] = origin;
      for (let r = 0; r < 3; r++) {
        const at = p + 3 * r;
        f[c + 9 + r] = f[p + 9 + r] + f[at] * ox + f[at + 1] * oy + f[at + 2] * oz;
      }
      let sin = 0;
      let versine = 0;
      let shift = 0;
      let rate = 0;
      if (kind !== 'fixed') {
        const x = factor * q[value] + offset;
        rate = factor * this.changes[value];
        if (kind === 'turn') {
          sin = Math.sin(x);
          versine = 1 - Math.cos(x);
        } else shift = x;
      }
      // Velocities of the point of the parent that is the joint's origin.
      const wx = f[p + 12];
      const wy = f[p + 13];
      const wz = f[p + 14];
      // The axis in the world.
      const ax = f[p] * axis[0] + f[p + 1] * axis[1] + f[p + 2] * axis[2];
      const ay = f[p + 3] * axis[0] + f[p + 4] * axis[1] + f[p + 5] * axis[2];
      const az = f[p + 6] * axis[0] + f[p + 7] * axis[1] + f[p + 8] * axis[2];
      if (shift !== 0) {
        f[c + 9] += shift * ax;
        f[c + 10] += shift * ay;
        f[c + 11] += shift * az;
      }
      const dx = f[c + 9] - f[p + 9];
      const dy = f[c + 10] - f[p + 10];
      const dz = f[c + 11] - f[p + 11];
      f[c + 12] = wx;
      f[c + 13] = wy;
      f[c + 14] = wz;
      f[c + 15] = f[p + 15] + wy * dz - wz * dy;
      f[c + 16] = f[p + 16] + wz * dx - wx * dz;
      f[c + 17] = f[p + 17] + wx * dy - wy * dx;
      // The acceleration of that point: α × d + ω × (ω × d).
      const lx = f[p + 18];
      const ly = f[p + 19];
      const lz = f[p + 20];
      const ux = wy * dz - wz * dy;
      const uy = wz * dx - wx * dz;
      const uz = wx * dy - wy * dx;
      f[c + 18] = lx;
      f[c + 19] = ly;
      f[c + 20] = lz;
      f[c + 21] = f[p + 21] + ly * dz - lz * dy + wy * uz - wz * uy;
      f[c + 22] = f[p + 22] + lz * dx - lx * dz + wz * ux - wx * uz;
      f[c + 23] = f[p + 23] + lx * dy - ly * dx + wx * uy - wy * ux;
      if (rate !== 0) {
        const at = kind === 'turn' ? c + 12 : c + 15;
        f[at] += rate * ax;
        f[at + 1] += rate * ay;
        f[at + 2] += rate * az;
        // The axis turns with the parent; what slides along it is turned twice as fast (Coriolis).
        const bend = kind === 'turn' ? c + 18 : c + 21;
        const twice = kind === 'turn' ? rate : 2 * rate;
        f[bend] += twice * (wy * az - wz * ay);
        f[bend + 1] += twice * (wz * ax - wx * az);
        f[bend + 2] += twice * (wx * ay - wy * ax);
      }
      const m0 = m[0] + sin * m[9] + versine * m[18];
      const m1 = m[1] + sin * m[10] + versine * m[19];
      const m2 = m[2] + sin * m[11] + versine * m[20];
      const m3 = m[3] + sin * m[12] + versine * m[21];
      const m4 = m[4] + sin * m[13] + versine * m[22];
      const m5 = m[5] + sin * m[14] + versine * m[23];
      const m6 = m[6] + sin * m[15] + versine * m[24];
      const m7 = m[7] + sin * m[16] + versine * m[25];
      const m8 = m[8] + sin * m[17] + versine * m[26];
      for (let r = 0; r < 9; r += 3) {
        const x = f[p + r];
        const y = f[p + r + 1];
        const z = f[p + r + 2];
        f[c + r] = x * m0 + y * m3 + z * m6;
        f[c + r + 1] = x * m1 + y * m4 + z * m7;
        f[c + r + 2] = x * m2 + y * m5 + z * m8;
      }
    }
  }
}

/** How far all joints together turn along the edge. */
function turnsOf(movers: readonly Mover[], changes: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < movers.length; i++) {
    if (movers[i].isTurn) sum += Math.abs(movers[i].factor * changes[movers[i].value]);
  }
  return sum;
}

/** The largest acceleration of a point that joints move, in units of the edge. */
export function largestBend(movers: readonly Mover[], changes: Float64Array): number {
  let inner = turnsOf(movers, changes);
  let sum = 0;
  for (let i = 0; i < movers.length; i++) {
    const { value, factor, isTurn, lever } = movers[i];
    const change = Math.abs(factor * changes[value]);
    const own = isTurn ? change : 0;
    inner -= own;
    sum += change * lever * (own + 2 * inner);
  }
  return sum * (1 + 1e-12);
}

/** The largest third derivative: one by several joints is no longer than the lever of the outermost of them. */
export function largestJerk(movers: readonly Mover[], changes: Float64Array): number {
  let inner = turnsOf(movers, changes);
  let sum = 0;
  for (let i = 0; i < movers.length; i++) {
    const { value, factor, isTurn, lever } = movers[i];
    const change = Math.abs(factor * changes[value]);
    if (!isTurn) {
      sum += 3 * change * lever * inner * inner;
      continue;
    }
    const rest = Math.max(0, inner - change);
    sum += lever * change * (inner * inner + inner * rest + rest * rest);
    inner = rest;
  }
  return sum * (1 + 1e-12);
}

/** The joints that move a body, from it inwards, with levers no longer than all offsets between. */
function moversOf(chain: ChainRobot, link: number, radius: number): Mover[] {
  const movers: Mover[] = [];
  let lever = radius;
  for (const j of chain.jointsOf(link)) {
    const { type, origin, limits } = chain.joints[j];
    const { value, factor } = chain.valueOf(j);
    if (type !== 'fixed') {
      const isTurn = type === 'revolute';
      movers.push({ joint: j, value: chain.offset + value, factor, isTurn, lever: isTurn ? lever : 1 });
      if (!isTurn) lever += Math.max(Math.abs(limits[0]), Math.abs(limits[1]));
    }
    lever += Math.hypot(origin[0], origin[1], origin[2]);
  }
  return movers;
}

/** The rotation of a pose, by rows. */
export function rotationOf(pose: ArrayLike<number>): Float64Array {
  const [x, y, z, w] = [pose[3], pose[4], pose[5], pose[6]];
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  );
}

function rotate(m: Float64Array, v: readonly number[]): [number, number, number] {
  const row = (r: number): number => m[r] * v[0] + m[r + 1] * v[1] + m[r + 2] * v[2];
  return [row(0), row(3), row(6)];
}

/** What a turn about an axis by an angle is the sum of, with 1, its sine, and 1 less its cosine (Rodrigues 1840). */
function turnMatrices(origin: Float64Array, [x, y, z]: readonly number[]): Float64Array {
  const cross = [0, -z, y, z, 0, -x, -y, x, 0];
  const out = new Float64Array(MATRICES);
  out.set(origin);
  const times = (m: ArrayLike<number>, at: number): void => {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        for (let k = 0; k < 3; k++) out[at + 3 * r + c] += m[3 * r + k] * cross[3 * k + c];
      }
    }
  };
  times(origin, 9);
  times(out.subarray(9, 18), 18);
  return out;
}

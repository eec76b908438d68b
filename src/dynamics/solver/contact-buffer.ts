// The contact points of a step as flat arrays, filled from the manifolds of all pairs in a fixed order. Points with the
// same key as in the step before take over its impulses.
import { growTo } from '../../core/grow-array.js';
import { rotate } from '../../core/quat.js';
import type { Bodies } from '../body/bodies.js';

/** The gap at rest of a point that is given up during a step: it pushes no more. */
export const GIVEN_UP = -Infinity;

/** Points found on two bodies, in the world, and their normals: three numbers each. */
export interface FoundPoints {
  readonly pointsA: Float64Array;
  readonly pointsB: Float64Array;
  readonly normals: Float64Array;
}

/** Contact points. Arrays are replaced when they grow. */
export class ContactBuffer {
  count = 0;
  bodyA = new Int32Array(64);
  bodyB = new Int32Array(64);
  /** The point on A from A's center of mass, in A's own axes unless A is a ball; 3 each. */
  localA = new Float64Array(192);
  localB = new Float64Array(192);
  /** Unit, from A to B, in the world; 3 each. */
  normal = new Float64Array(192);
  /** Signed gap along the normal when it was found. */
  separation = new Float64Array(64);
  /** The gap that is kept open. */
  rest = new Float64Array(64);
  /** What the separation is more than the points' own, along the normal. */
  offset = new Float64Array(64);
  /** 1: the body is a ball, and its lever in `localA` or `localB` keeps its direction in the world. */
  roundA = new Uint8Array(64);
  roundB = new Uint8Array(64);
  friction = new Float64Array(64);
  /** Of points that do not slide. */
  staticFriction = new Float64Array(64);
  restitution = new Float64Array(64);
  /** Ids of the pair of features; 2 each. */
  keys = new Int32Array(128);
  /** 1: the impulses come from the step before. */
  isWarm = new Uint8Array(64);
  /** Along the normal, of all substeps since the point was found. */
  stepImpulse = new Float64Array(64);
  /** Where both bodies take the impulse: 1 on A's side, 0 on B's, once they have slid along each other. */
  shareA = new Float64Array(64);
  /** Along the normal, of the last substep, N s. */
  normalImpulse = new Float64Array(64);
  /** The share of the impulses that the next substep may begin with. */
  warmShare = new Float64Array(64).fill(1);
  /** A slow mean of the normal impulses of substeps. */
  meanImpulse = new Float64Array(64);
  /** Of friction on B, of the last substep, in the world; 3 each. */
  frictionImpulse = new Float64Array(192);

  /** Forgets the points; keeps the memory. */
  clear(): void {
    this.count = 0;
  }

  /**
   * Adds a point without impulses and returns its number.
   * @param at where in the arrays its points and normal begin.
   */
  add(bodies: Bodies, a: number, b: number, found: FoundPoints, at: number, separation: number): number {
    const { pointsA, pointsB, normals } = found;
    const i = this.count++;
    this.#reserve(this.count);
    this.bodyA[i] = a;
    this.bodyB[i] = b;
    this.roundA[i] = bodies.shape[a]?.model === null ? 1 : 0;
    this.roundB[i] = bodies.shape[b]?.model === null ? 1 : 0;
    writeLever(bodies, a, this.roundA[i] === 1, pointsA, at, this.localA, 3 * i);
    writeLever(bodies, b, this.roundB[i] === 1, pointsB, at, this.localB, 3 * i);
    let gap = 0;
    for (let k = 0; k < 3; k++) {
      this.normal[3 * i + k] = normals[at + k];
      this.frictionImpulse[3 * i + k] = 0;
      gap += (pointsB[at + k] - pointsA[at + k]) * normals[at + k];
    }
    this.separation[i] = separation;
    this.offset[i] = separation - gap;
    this.rest[i] = 0;
    const surface = bodies.surfaces.of(bodies, a, b);
    this.friction[i] = surface.friction;
    this.staticFriction[i] = surface.staticFriction;
    this.restitution[i] = surface.restitution;
    this.keys[2 * i] = this.keys[2 * i + 1] = -1;
    this.normalImpulse[i] = 0;
    this.stepImpulse[i] = 0;
    this.shareA[i] = shareOf(bodies, a, b);
    this.meanImpulse[i] = 0;
    this.warmShare[i] = 1;
    this.isWarm[i] = 0;
    return i;
  }

  /** Points that are not given up. */
  liveCount(): number {
    let live = 0;
    for (let i = 0; i < this.count; i++) if (this.rest[i] !== GIVEN_UP) live++;
    return live;
  }

  /** The middle of a point's two sides, in the world, with the bodies as they are. */
  pointOf({ center, orientation }: Bodies, i: number): [number, number, number] {
    const out: [number, number, number] = [0, 0, 0];
    for (const [slot, local, round] of [
      [this.bodyA[i], this.localA, this.roundA[i]],
      [this.bodyB[i], this.localB, this.roundB[i]],
    ] as const) {
      const q = [0, 1, 2, 3].map((k) => (round === 1 ? (k === 3 ? 1 : 0) : orientation[4 * slot + k]));
      const lever = rotate(q, [local[3 * i], local[3 * i + 1], local[3 * i + 2]]);
      for (let k = 0; k < 3; k++) out[k] += 0.5 * (center[3 * slot + k] + lever[k]);
    }
    return out;
  }

  #reserve(count: number): void {
    if (count <= this.bodyA.length) return;
    this.bodyA = growTo(this.bodyA, count);
    this.bodyB = growTo(this.bodyB, count);
    this.localA = growTo(this.localA, 3 * count);
    this.localB = growTo(this.localB, 3 * count);
    this.normal = growTo(this.normal, 3 * count);
    this.separation = growTo(this.separation, count);
    this.rest = growTo(this.rest, count);
    this.offset = growTo(this.offset, count);
    this.roundA = growBytes(this.roundA, this.bodyA.length);
    this.roundB = growBytes(this.roundB, this.bodyA.length);
    this.isWarm = growBytes(this.isWarm, this.bodyA.length);
    this.friction = growTo(this.friction, count);
    this.staticFriction = growTo(this.staticFriction, count);
    this.restitution = growTo(this.restitution, count);
    this.keys = growTo(this.keys, 2 * count);
    this.stepImpulse = growTo(this.stepImpulse, count);
    this.shareA = growTo(this.shareA, count);
    this.normalImpulse = growTo(this.normalImpulse, count);
    this.meanImpulse = growTo(this.meanImpulse, count);
    this.warmShare = growTo(this.warmShare, count);
    this.frictionImpulse = growTo(this.frictionImpulse, 3 * count);
  }
}

/** A ball takes it where it touches; what stands still has been slid over by the other. */
function shareOf({ shape, inverseMass }: Bodies, a: number, b: number): number {
  const roundA = shape[a]?.model === null;
  const roundB = shape[b]?.model === null;
  if (roundA !== roundB) return roundA ? 1 : 0;
  const fixedA = inverseMass[a] === 0;
  const fixedB = inverseMass[b] === 0;
  return fixedA === fixedB ? 0.5 : fixedB ? 1 : 0;
}

/** A world point from a body's center of mass, in the body's axes, or in the world's for a ball. */
function writeLever(
  bodies: Bodies,
  slot: number,
  round: boolean,
  points: Float64Array,
  at: number,
  out: Float64Array,
  to: number,
): void {
  const { center, orientation: q } = bodies;
  const x = points[at] - center[3 * slot];
  const y = points[at + 1] - center[3 * slot + 1];
  const z = points[at + 2] - center[3 * slot + 2];
  out[to] = x;
  out[to + 1] = y;
  out[to + 2] = z;
  if (round) return;
  const a = -q[4 * slot];
  const b = -q[4 * slot + 1];
  const c = -q[4 * slot + 2];
  const w = q[4 * slot + 3];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  out[to] += w * tx + b * tz - c * ty;
  out[to + 1] += w * ty + c * tx - a * tz;
  out[to + 2] += w * tz + a * ty - b * tx;
}

function growBytes(from: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(from);
  return larger;
}

// The joints of a world by their ids, and the pairs of bodies that do not collide because a joint holds them.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Bodies } from '../body/bodies.js';
import { pairKey } from '../solver/pair-key.js';
import { GRAB, Joint, LOCKS, WORLD } from './joint.js';
import type { JointParts } from './joint-options.js';

/** Chosen: the largest force of a grab, N for each kg: a hundred times gravity, and no more than a substep can follow. */
const GRAB_STRENGTH = 1000;

export class JointRegistry {
  /** Pairs that never collide, as {@link pairKey}. */
  readonly excluded = new Set<number>();
  readonly #bodies: Bodies;
  /** The list that the solver works on. */
  readonly #joints: Joint[];
  readonly #isDynamic: (slot: number) => boolean;
  readonly #byId = new Map<number, Joint>();
  #next = 0;

  /** @param isDynamic whether a body moves by forces, now or later. */
  constructor(bodies: Bodies, joints: Joint[], isDynamic: (slot: number) => boolean) {
    this.#isDynamic = isDynamic;
    this.#bodies = bodies;
    this.#joints = joints;
  }

  /** Joins the body in slot `b` with that in slot `a`, or with the world, as they are now, and returns the id. */
  add(parts: JointParts, a: number, b: number, collide: boolean): number {
    if (!this.#isDynamic(b) && (a === WORLD || !this.#isDynamic(a))) {
      throw new NearfieldError(
        'bad-argument',
        'Neither end of the joint is dynamic, so it holds nothing; give a body that is.',
      );
    }
    const joint = new Joint(parts.kind, a, b);
    const { line } = parts;
    joint.attach(this.#bodies, parts.at, parts.axis, line?.to);
    if (line !== null) {
      joint.stiffness = joint.pull = line.stiffness;
      joint.damping = line.damping;
      if (line.length !== null) joint.length = line.length;
    }
    [joint.low, joint.high] = parts.limits;
    if (parts.motor !== null) joint.setMotor(parts.motor);
    if (a !== WORLD && !collide) this.excluded.add(pairKey(a, b));
    return this.#keep(joint);
  }

  /** Adds the joint by which a hand holds the body in a slot at a point of the world, and returns its id. */
  addGrab(slot: number, point: Vec3): number {
    const joint = new Joint(GRAB, WORLD, slot);
    joint.attach(this.#bodies, point, [0, 0, 1]);
    joint.strength = GRAB_STRENGTH * this.#bodies.mass[slot];
    return this.#keep(joint);
  }

  /** Keeps the body in a slot where it is along and about the axes whose bits are set. */
  addLocks(slot: number, locked: number): void {
    const joint = new Joint(LOCKS, WORLD, slot);
    joint.locked = locked;
    this.#attachLocks(joint);
    this.#keep(joint);
  }

  /** Moves the locks of a body that was placed anew to where it is. */
  moveLocks(slot: number): void {
    for (const joint of this.#joints) if (joint.kind === LOCKS && joint.b === slot) this.#attachLocks(joint);
  }

  #attachLocks(joint: Joint): void {
    const at = this.#bodies.center.subarray(3 * joint.b, 3 * joint.b + 3);
    const free = [0, 1, 2].find((k) => ((joint.locked >> (3 + k)) & 1) === 0) ?? 2;
    joint.attach(
      this.#bodies,
      at,
      [0, 1, 2].map((k) => (k === free ? 1 : 0)),
    );
  }

  remove(id: number): Joint {
    const found = this.get(id);
    const joints = this.#joints;
    joints.splice(joints.indexOf(found), 1);
    this.#byId.delete(id);
    const isHeld = joints.some((other) => other.a === found.a && other.b === found.b);
    if (found.a !== WORLD && !isHeld) this.excluded.delete(pairKey(found.a, found.b));
    return found;
  }

  has(id: number): boolean {
    return this.#byId.has(id);
  }

  /** @throws NearfieldError for an id of no joint. */
  get(id: number): Joint {
    const found = this.#byId.get(id);
    if (found !== undefined) return found;
    throw new NearfieldError(
      'bad-argument',
      `The world has no joint ${nameValue(id)}; give an id that addJoint returned and that was not removed.`,
    );
  }

  /** The ids of the joints that hold the body in a slot. */
  idsOf(slot: number): number[] {
    return [...this.#byId].filter(([, { a, b }]) => a === slot || b === slot).map(([id]) => id);
  }

  #keep(joint: Joint): number {
    this.#joints.push(joint);
    this.#byId.set(this.#next, joint);
    return this.#next++;
  }
}

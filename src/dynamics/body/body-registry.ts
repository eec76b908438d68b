// The bodies of a world by their ids: slots, names and paths. An id stays valid until its body is removed, and is never used
// again: it is a slot plus a multiple of how often the slot was used before.
import { nameValue } from '../../core/check/check-options.js';
import { takePose } from '../../core/check/check-pose.js';
import { NearfieldError } from '../../core/errors.js';
import { identity, type Pose } from '../../core/pose.js';
import { aimAtPose } from '../motion/aim.js';
import { EvenPath } from '../motion/even-path.js';
import { type BodyPath, Path } from '../motion/path.js';
import { DYNAMICS_DEFAULTS } from '../step-rules.js';
import { type Bodies, DYNAMIC, KINEMATIC, REMOVED, STATIC } from './bodies.js';
import { type BodyMass, measureBodyMass } from './body-mass.js';
import {
  assertBodyOptions,
  chooseMass,
  type EvenMotion,
  makeShape,
  type RigidBodyOptions,
  takeVector,
} from './body-options.js';

/** Chosen: ids are a slot plus this times the earlier uses of the slot. Room for 2³³ uses of each of a million slots. */
const SLOTS = 1 << 20;

export class BodyRegistry {
  /** How often each slot was used before. */
  readonly generations: number[] = [];
  readonly #bodies: Bodies;
  readonly #names: string[] = [];
  readonly #paths: (BodyPath | null)[] = [];
  /** Bodies that are held until a time, and dynamic then. */
  readonly #letGo = new Map<number, { readonly time: number; readonly held: number; readonly mass: BodyMass }>();
  readonly #pose = identity();

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /** The ids of all bodies, in the order of their slots. */
  ids(): number[] {
    const ids: number[] = [];
    for (let i = 0; i < this.#bodies.count; i++) if (this.#bodies.kind[i] !== REMOVED) ids.push(this.idOf(i));
    return ids;
  }

  /** Adds a body and returns its id. @param time of the world, for paths. */
  add(options: RigidBodyOptions, time: number): number {
    const owner = options?.name === undefined ? 'the body' : `the body ${nameValue(options.name)}`;
    assertBodyOptions(options, owner);
    const shape = makeShape(options.shape, owner);
    const keyframes = options.path === undefined ? null : new Path(options.path, owner);
    const pose = keyframes === null ? takePose(options.pose ?? identity(), owner) : keyframes.at(time, identity());
    const velocity = takeVector(options.velocity, `velocity of ${owner}`);
    const angularVelocity = takeVector(options.angularVelocity, `angular velocity of ${owner}`);
    const isMoved = keyframes !== null || options.moves !== undefined;
    const kind = isMoved ? KINEMATIC : options.fixed === true ? STATIC : DYNAMIC;
    const { letGo } = options;
    const needsMass = kind === DYNAMIC || letGo !== undefined || options.moves !== undefined;
    const mass = needsMass ? measureBodyMass(shape, chooseMass(options)) : null;
    const path = options.moves === undefined ? keyframes : makeEvenPath(options.moves, pose, mass!, time);
    // Here, so that no step waits for it.
    shape.prepare();
    const bodies = this.#bodies;
    const slot = bodies.add(kind, shape);
    if (kind === DYNAMIC && mass !== null) {
      bodies.setMass(slot, mass);
      bodies.velocity.set(velocity, 3 * slot);
      bodies.angularVelocity.set(angularVelocity, 3 * slot);
    } else if (letGo !== undefined && mass !== null) {
      bodies.setCenter(slot, mass);
      this.#letGo.set(slot, { time: letGo, held: kind, mass });
    }
    bodies.setPose(slot, pose);
    bodies.friction[slot] = options.friction ?? DYNAMICS_DEFAULTS.friction;
    bodies.staticFriction[slot] = options.staticFriction ?? bodies.friction[slot];
    bodies.linearDamping[slot] = options.damping?.linear ?? 0;
    bodies.angularDamping[slot] = options.damping?.angular ?? 0;
    bodies.restitution[slot] = options.restitution ?? DYNAMICS_DEFAULTS.restitution;
    bodies.group[slot] = options.group ?? 1;
    bodies.mask[slot] = options.mask ?? -1;
    bodies.sensor[slot] = options.sensor === true ? 1 : 0;
    this.#paths[slot] = path;
    this.generations[slot] ??= 0;
    this.#names[slot] = options.name ?? '';
    return this.idOf(slot);
  }

  /** Frees a slot. */
  remove(slot: number): void {
    this.#bodies.remove(slot);
    this.#paths[slot] = null;
    this.#letGo.delete(slot);
    this.generations[slot]++;
  }

  idOf(slot: number): number {
    return slot + SLOTS * this.generations[slot];
  }

  /** @throws NearfieldError for an id of no body. */
  slotOf(body: number): number {
    const slot = body % SLOTS;
    const { count, kind } = this.#bodies;
    const isHere = Number.isInteger(body) && slot >= 0 && slot < count && kind[slot] !== REMOVED;
    if (isHere && this.idOf(slot) === body) return slot;
    throw new NearfieldError(
      'bad-argument',
      `The world has no body ${nameValue(body)}; give an id that addBody returned and that was not removed.`,
    );
  }

  /** For messages. */
  nameOf(slot: number): string {
    return this.#names[slot] === '' ? `Body ${this.idOf(slot)}` : `Body '${this.#names[slot]}'`;
  }

  /** The path of a body; null for one without. */
  pathOf(slot: number): BodyPath | null {
    return this.#bodies.kind[slot] === DYNAMIC ? null : this.#paths[slot];
  }

  /** Whether a body is dynamic, or will be once it is let go. */
  isDynamic(slot: number): boolean {
    return this.#bodies.kind[slot] === DYNAMIC || this.#letGo.has(slot);
  }

  /** Lets the bodies go that are held until a time; returns their slots. They keep the velocities that they are moved with. */
  letGo(time: number): number[] {
    const bodies = this.#bodies;
    const freed: number[] = [];
    for (const [slot, { time: until, mass }] of this.#letGo) {
      if (until > time || bodies.kind[slot] === DYNAMIC) continue;
      bodies.kind[slot] = DYNAMIC;
      bodies.setMass(slot, mass);
      bodies.refreshInertia(slot);
      freed.push(slot);
    }
    return freed;
  }

  /** Whether a body may have had a kind when a snapshot was taken: its own, or for one that is let go the kind before or after. */
  mayHave(slot: number, kind: number): boolean {
    const held = this.#letGo.get(slot)?.held;
    return this.#bodies.kind[slot] === kind || (held !== undefined && (kind === DYNAMIC || kind === held));
  }

  /** Gives bodies on paths the velocities that bring them in `dt` seconds to where their paths say at a time. */
  aim(time: number, dt: number): void {
    const bodies = this.#bodies;
    for (let i = 0; i < bodies.count; i++) {
      const path = this.#paths[i];
      if (bodies.kind[i] === KINEMATIC && path !== null) aimAtPose(bodies, i, path.at(time, this.#pose), dt);
    }
  }

  /** Places bodies on paths where these say, without the rounding of the way there. */
  placeOnPaths(time: number): void {
    const bodies = this.#bodies;
    for (let i = 0; i < bodies.count; i++) {
      const path = this.#paths[i];
      if (bodies.kind[i] === KINEMATIC && path !== null) bodies.setPose(i, path.at(time, this.#pose));
    }
  }
}

function makeEvenPath(moves: EvenMotion, pose: Pose, { center }: BodyMass, time: number): EvenPath {
  const velocity = takeVector(moves.velocity, 'velocity');
  const angularVelocity = takeVector(moves.angularVelocity, 'angular velocity');
  return new EvenPath(pose, center, velocity, angularVelocity, time, moves.until ?? Infinity);
}

// A mechanism as a chain: a root that stands still, a frame for each joint, the parts on them; a loop of a slot has a slide more.
import { takePose } from '../../core/check/check-pose.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { type ChainJoint, type ChainLink, ChainRobot } from '../../kinematics/robot/chain-robot.js';
import { ProximityModel } from '../../proximity/proximity-model.js';
import { type Loop, LoopClosure } from './loop-closure.js';
import type { Mechanism, MechanismJoint } from './mechanism-description.js';

/** A mechanism ready for queries. */
export interface BuiltMechanism {
  readonly chain: ChainRobot;
  readonly loops: LoopClosure | null;
  /** The joints that a sweep can vary, with their ranges. */
  readonly free: readonly {
    readonly name: string;
    readonly value: number;
    readonly range: readonly [number, number];
  }[];
}

/** Chosen: the range of a joint that loops move, for levers only, which do not count it. */
const FOLLOWS = [0, 0] as const;

function refuse(what: string): never {
  throw new NearfieldError('bad-argument', `The mechanism ${what}.`);
}

/** @throws NearfieldError that says which part, joint, coupling or loop is wrong. */
export function buildMechanism(mechanism: Mechanism): BuiltMechanism {
  return new Builder(mechanism).build();
}

class Builder {
  readonly #mechanism: Mechanism;
  readonly #links: ChainLink[] = [{ name: '', model: null }];
  readonly #joints: ChainJoint[] = [];
  /** Frames of links in the world while all joints are at 0. */
  readonly #frames: pose.Pose[] = [pose.identity()];
  readonly #linkOf = new Map<string, number>();
  readonly #jointOf = new Map<string, number>();

  constructor(mechanism: Mechanism) {
    this.#mechanism = mechanism;
    if (!Array.isArray(mechanism?.parts) || mechanism.parts.length === 0) refuse('has no parts; give a list');
    if (!Array.isArray(mechanism.joints)) refuse('has no list of joints; give one, which may be empty');
  }

  build(): BuiltMechanism {
    this.#assertNames();
    const { parts, joints } = this.#mechanism;
    const holders = new Map<string, MechanismJoint>();
    for (const joint of joints) {
      if (holders.has(joint.child))
        refuse(`moves the part ${joint.child} by two joints; put a part without a mesh between`);
      holders.set(joint.child, joint);
    }
    const placing = new Set<string>();
    const place = (name: string): number => {
      const known = this.#linkOf.get(name);
      if (known !== undefined) return known;
      if (placing.has(name)) refuse(`has joints in a ring at the part ${name}; close rings by loops`);
      placing.add(name);
      const holder = holders.get(name);
      const parent = holder === undefined ? 0 : this.#addFrame(holder, place(holder.parent));
      return this.#addPart(name, parent);
    };
    for (const { name } of parts) place(name);
    this.#couple();
    const unknowns: string[] = joints
      .filter(({ name, type, range }) => type !== 'fixed' && range === undefined && !this.#isCoupled(name))
      .map(({ name }) => name);
    const loops = this.#loops(unknowns);
    const chain = new ChainRobot('mechanism', 0, this.#links, this.#joints, pose.identity(), []);
    const numberOf = (name: string): number => chain.valueNames.indexOf(name);
    const free = joints
      .filter(({ name, type, range }) => type !== 'fixed' && range !== undefined && !this.#isCoupled(name))
      .map(({ name, range }) => ({ name, value: numberOf(name), range: range! }));
    if (unknowns.length === 0) return { chain, loops: null, free };
    if (loops.length === 0)
      refuse(`has the joint ${unknowns[0]} without a range, and no loop that moves it; give its range`);
    const closure = new LoopClosure(chain, loops, new Float64Array(chain.size), unknowns.map(numberOf));
    return { chain, loops: closure, free };
  }

  #assertNames(): void {
    for (const [what, list] of [
      ['part', this.#mechanism.parts],
      ['joint', this.#mechanism.joints],
    ] as const) {
      const seen = new Set<string>();
      for (const { name } of list) {
        if (typeof name !== 'string' || name === '') refuse(`has a ${what} without a name; name it`);
        if (seen.has(name)) refuse(`has two ${what}s named ${name}; rename one`);
        seen.add(name);
      }
    }
  }

  #isCoupled(joint: string): boolean {
    return (this.#mechanism.couplings ?? []).some((coupling) => coupling.joint === joint);
  }

  #addLink(link: ChainLink, frame: pose.Pose): number {
    this.#frames.push(frame);
    return this.#links.push(link) - 1;
  }

  /** The frame of a joint, which moves against its parent. */
  #addFrame(joint: MechanismJoint, parent: number): number {
    const { name, type } = joint;
    const where = `joint ${name}`;
    if (!['revolute', 'prismatic', 'fixed'].includes(type))
      refuse(`has the ${where} of the type ${String(type)}; give 'revolute', 'prismatic' or 'fixed'`);
    const origin = joint.origin === undefined ? pose.identity() : takePose(joint.origin, where);
    const axis = Array.from(joint.axis ?? [0, 0, 1]) as Vec3;
    if (axis.length !== 3 || !(vec3.length(axis) > 0) || !Number.isFinite(vec3.length(axis)))
      refuse(`has the ${where} without an axis; give three numbers, not all 0`);
    const { range } = joint;
    if (range !== undefined && !(Number.isFinite(range[0]) && Number.isFinite(range[1]) && range[0] <= range[1]))
      refuse(`has the ${where} with the range ${String(range)}; give the least and the greatest value`);
    const child = this.#addLink({ name: `joint ${name}`, model: null }, origin);
    this.#jointOf.set(name, this.#joints.length);
    this.#joints.push({
      name,
      type,
      parent,
      child,
      origin: pose.bInA(this.#frames[parent], origin),
      axis: vec3.normalize(axis),
      limits: type === 'fixed' ? [0, 0] : (range ?? FOLLOWS),
    });
    return child;
  }

  #addPart(name: string, parent: number): number {
    const part = this.#mechanism.parts.find((other) => other.name === name);
    if (part === undefined) refuse(`has a joint at the part ${name}, which does not exist; add it or correct the name`);
    const placed = part.pose === undefined ? pose.identity() : takePose(part.pose, `part ${name}`);
    const model = part.mesh === undefined ? null : this.#modelOf(name, part.mesh);
    const link = this.#addLink({ name, model }, placed);
    this.#hold(`part ${name}`, parent, link);
    this.#linkOf.set(name, link);
    return link;
  }

  #modelOf(name: string, mesh: NonNullable<Mechanism['parts'][number]['mesh']>): ProximityModel {
    try {
      return new ProximityModel(mesh);
    } catch (error) {
      if (!(error instanceof NearfieldError)) throw error;
      throw new NearfieldError(error.code, `part ${name}: ${error.message}`, error.location);
    }
  }

  #hold(name: string, parent: number, child: number): void {
    const origin = pose.bInA(this.#frames[parent], this.#frames[child]);
    this.#joints.push({ name, type: 'fixed', parent, child, origin, axis: [0, 0, 1], limits: [0, 0] });
  }

  /** Joints that follow others, which may follow a third. */
  #couple(): void {
    const couplings = this.#mechanism.couplings ?? [];
    for (const { joint, ratio, offset = 0 } of couplings) {
      if (!Number.isFinite(ratio) || !Number.isFinite(offset))
        refuse(`has a coupling of the joint ${joint} by numbers that are not finite`);
      let [leader, factor, shift] = [joint, 1, 0];
      for (const seen = new Set<string>(); ; ) {
        const own = couplings.find((coupling) => coupling.joint === leader);
        if (own === undefined) break;
        if (seen.has(leader)) refuse(`couples the joint ${leader} to itself; let one joint move freely`);
        seen.add(leader);
        shift += factor * (own.offset ?? 0);
        factor *= own.ratio;
        leader = own.of;
      }
      const [at, of] = [this.#jointAt(joint), this.#jointAt(leader)];
      const { limits } = this.#joints[of];
      const ends = [factor * limits[0] + shift, factor * limits[1] + shift];
      const mimic = { joint: of, factor, offset: shift };
      this.#joints[at] = { ...this.#joints[at], limits: [Math.min(...ends), Math.max(...ends)], mimic };
    }
  }

  #jointAt(name: string): number {
    const index = this.#jointOf.get(name);
    if (index === undefined) refuse(`has a coupling of the joint ${name}, which does not exist; correct the name`);
    if (this.#joints[index].type === 'fixed') refuse(`has a coupling of the joint ${name}, which is fixed`);
    return index;
  }

  /** The loops; a slot is a slide of its own, whose value is solved for. */
  #loops(unknowns: string[]): Loop[] {
    return (this.#mechanism.loops ?? []).map(({ a, b, at, type, axis }, i) => {
      const name = `of ${a} and ${b}`;
      const [linkA, linkB] = [this.#linkOf.get(a), this.#linkOf.get(b)];
      if (linkA === undefined || linkB === undefined)
        return refuse(`has the loop ${name}, of which a part does not exist; correct the name`);
      if (at?.length !== 3 || !Array.from(at).every(Number.isFinite))
        refuse(`has the loop ${name} without a point; give "at"`);
      const point: Vec3 = [at[0], at[1], at[2]];
      const inLink = (link: number): Vec3 => pose.transformPoint(pose.invert(this.#frames[link]), point);
      if (type === 'pin') return { name, linkA, linkB, pointA: inLink(linkA), pointB: inLink(linkB) };
      if (type !== 'slide') return refuse(`has the loop ${name} of the type ${String(type)}; give 'pin' or 'slide'`);
      const way = Array.from(axis ?? []) as Vec3;
      if (way.length !== 3 || !(vec3.length(way) > 0))
        refuse(`has the loop ${name} of a slot without an axis; give "axis"`);
      const slot = `slot ${i}`;
      const frame: pose.Pose = [...point, 0, 0, 0, 1];
      const carrier = this.#addLink({ name: slot, model: null }, frame);
      const inCarrier = pose.transformVector(pose.invert(this.#frames[linkA]), vec3.normalize(way));
      this.#joints.push({
        name: slot,
        type: 'prismatic',
        parent: linkA,
        child: carrier,
        origin: [...inLink(linkA), 0, 0, 0, 1],
        axis: inCarrier,
        limits: FOLLOWS,
      });
      // The frame of the slot turns with a: it is that of a, moved to the point.
      unknowns.push(slot);
      return { name, linkA: carrier, linkB, pointA: [0, 0, 0], pointB: inLink(linkB) };
    });
  }
}

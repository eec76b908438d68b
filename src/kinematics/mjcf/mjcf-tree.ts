// Bodies and joints of an MJCF file as the links and joints of a chain.
import { composeMatrix } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { Mesh } from '../../mesh/mesh.js';
import { limitsOf, movingJoints } from '../robot/build-chain.js';
import type { JointValues, PlanJoint } from '../robot/chain-description.js';
import { transformMesh } from '../urdf/outer-shapes.js';
import type { MjcfDefaults } from './mjcf-defaults.js';
import { type MjcfCompiler, readFrame, readValues } from './mjcf-frames.js';

/** A shape of a link, with what places it in the frame of the link. */
interface LinkShape {
  readonly element: XmlElement;
  readonly childClass: string | undefined;
  place(mesh: Mesh): Mesh;
}

export interface MjcfLink {
  readonly name: string;
  readonly shapes: readonly LinkShape[];
}

/** A joint of the file, as keyframes count them: a free one has seven numbers, a ball four. */
interface FileJoint {
  readonly name: string;
  readonly size: 1 | 4 | 7;
  /** What a hinge or slide has where its body stands as the file has it; coordinates count from there. */
  readonly reference: number;
}

/** What stands in bodies and is for others: light, sensors, inertia. Joints are read with their body. */
const IGNORED = new Set(['inertial', 'site', 'camera', 'light', 'plugin', 'joint', 'freejoint']);

/** What makes soft bodies, which are no links. */
const SOFT = new Set(['composite', 'flexcomp']);

/** The root link: what the world itself has. */
const WORLD = 'world';

export class MjcfTree {
  readonly links: { name: string; shapes: LinkShape[] }[] = [{ name: WORLD, shapes: [] }];
  joints: PlanJoint[] = [];
  readonly warnings: string[] = [];
  readonly #fileJoints: FileJoint[] = [];
  readonly #defaults: MjcfDefaults;
  readonly #compiler: MjcfCompiler;
  readonly #fixed: JointValues;
  readonly #mimics = new Map<string, NonNullable<PlanJoint['mimic']>>();

  constructor(defaults: MjcfDefaults, compiler: MjcfCompiler, fixed: JointValues) {
    this.#defaults = defaults;
    this.#compiler = compiler;
    this.#fixed = fixed;
  }

  addWorld(world: XmlElement): void {
    this.#addContents(world, WORLD, world.attributes.childclass, pose.identity(), false);
  }

  /** Joints that follow others by a straight line; other constraints are for simulations. */
  addEquality(equality: XmlElement): void {
    for (const element of equality.all('joint')) {
      const attributes = this.#defaults.of(element, undefined);
      const leader = attributes.joint2;
      if (leader === undefined || attributes.active === 'false') continue;
      const [offset, factor = 0, ...rest] = readValues(element, attributes, 'polycoef', [1, 2, 3, 4, 5]) ?? [0, 1];
      if (rest.some((value) => value !== 0)) {
        this.warnings.push(
          `the joint ${attributes.joint1} follows ${leader} on a curve, and is planned for by itself.`,
        );
        continue;
      }
      this.#mimics.set(element.attribute('joint1'), { joint: leader, factor, offset });
    }
  }

  /** To be called when all bodies and constraints are read. */
  finish(): void {
    for (const name of Object.keys(this.#fixed)) {
      if (!this.joints.some((joint) => joint.name === name)) {
        throw new NearfieldError('bad-argument', `fixed names the joint "${name}", which the robot has not.`);
      }
    }
    this.joints = this.joints.map((joint) => {
      const mimic = this.#mimics.get(joint.name);
      if (mimic === undefined || joint.type === 'fixed') return joint;
      const leader = this.joints.find(({ name }) => name === mimic.joint);
      if (leader === undefined)
        throw new NearfieldError(
          'file-format',
          `The joint "${joint.name}" follows "${mimic.joint}", which the file does not have.`,
        );
      if (leader.type !== 'fixed') return { ...joint, mimic };
      const { factor = 1, offset = 0 } = mimic;
      return hold(joint, factor * (this.#fixed[leader.name] ?? 0) + offset);
    });
  }

  /** The configurations of keyframes. */
  statesOf(keyframes: readonly XmlElement[]): Record<string, JointValues> {
    const moving = movingJoints(this.joints).map(({ name }) => name);
    const size = this.#fileJoints.reduce((sum, joint) => sum + joint.size, 0);
    const states: Record<string, JointValues> = {};
    for (const [i, element] of keyframes.flatMap((frame) => frame.all('key')).entries()) {
      if (element.attributes.qpos === undefined) continue;
      const values = element.attributes.qpos.trim().split(/\s+/).map(Number);
      if (values.length !== size || !values.every(Number.isFinite)) {
        element.fail('file-format', `qpos of <key> has ${values.length} numbers; give ${size}`);
      }
      const state: Record<string, number> = {};
      let at = 0;
      for (const { name, size: own, reference } of this.#fileJoints) {
        if (moving.includes(name)) state[name] = values[at] - reference;
        at += own;
      }
      const name = element.attributes.name ?? `key ${i}`;
      Object.defineProperty(states, name, { value: state, enumerable: true, configurable: true, writable: true });
    }
    return states;
  }

  /** What stands in a body or a frame. @param at its frame in that of the link. */
  #addContents(
    element: XmlElement,
    link: string,
    childClass: string | undefined,
    at: pose.Pose,
    isFrame: boolean,
  ): void {
    const own = this.links.find(({ name }) => name === link)!;
    const matrix = composeMatrix(at.slice(0, 3), at.slice(3), [1, 1, 1]);
    const isMoved = at.some((value, i) => value !== (i === 6 ? 1 : 0));
    const place = (mesh: Mesh): Mesh => (isMoved ? transformMesh(mesh, matrix) : mesh);
    for (const child of element.children) {
      if (child.name === 'geom') own.shapes.push({ element: child, childClass, place });
      else if (child.name === 'body') this.#addBody(child, link, child.attributes.childclass ?? childClass, at);
      else if (child.name === 'frame') {
        const inner = pose.multiply(at, readFrame(child, child.attributes, this.#compiler));
        this.#addContents(child, link, child.attributes.childclass ?? childClass, inner, true);
      } else if (isFrame && (child.name === 'joint' || child.name === 'freejoint')) {
        child.fail('unsupported', 'a joint stands in a <frame>; give it in its body');
      } else if (SOFT.has(child.name)) {
        this.warnings.push(`the soft body of <${child.name}> in line ${child.line} is left out.`);
      } else if (!IGNORED.has(child.name)) {
        child.fail('unsupported', `<${child.name}> is not read; save the compiled model from MuJoCo, and read that`);
      }
    }
  }

  /** @param at where the frame of what holds the body is in that of the parent's link. */
  #addBody(element: XmlElement, parent: string, childClass: string | undefined, at: pose.Pose): void {
    const name = this.#nameOf(element);
    const origin = pose.multiply(at, readFrame(element, element.attributes, this.#compiler));
    const joints = element.children.filter((child) => child.name === 'joint' || child.name === 'freejoint');
    let [link, offset] = [parent, origin];
    // Of several joints the first moves the others: a link without shapes stands between two.
    for (const [i, joint] of joints.entries()) {
      const child = i === joints.length - 1 ? name : `${name} after ${this.#jointName(joint, name, i)}`;
      offset = this.#addJoint(joint, childClass, this.#jointName(joint, name, i), link, child, offset);
      link = child;
    }
    if (joints.length === 0) {
      this.#addLink(name);
      this.joints.push({ name: `${name} fixed`, type: 'fixed', parent: link, child: name, origin });
      offset = pose.identity();
    }
    this.#addContents(element, name, childClass, offset, false);
  }

  /**
   * Adds a joint and its link, whose frame is at the joint's anchor.
   * @returns the frame of the body in that of the link.
   */
  #addJoint(
    element: XmlElement,
    childClass: string | undefined,
    name: string,
    parent: string,
    child: string,
    origin: pose.Pose,
  ): pose.Pose {
    this.#addLink(child);
    const attributes = this.#defaults.of(element, childClass);
    const type = element.name === 'freejoint' ? 'free' : (attributes.type ?? 'hinge');
    if (type === 'free' || type === 'ball') {
      this.#fileJoints.push({ name, size: type === 'free' ? 7 : 4, reference: 0 });
      this.joints.push({ name, type: 'fixed', parent, child, origin });
      this.warnings.push(
        `the joint ${name} is ${type === 'free' ? 'free' : 'a ball'}, and is held as the file has it.`,
      );
      return pose.identity();
    }
    if (type !== 'hinge' && type !== 'slide') element.fail('file-format', `the joint "${name}" has the type "${type}"`);
    const anchor = (readValues(element, attributes, 'pos', [3]) ?? [0, 0, 0]) as Vec3;
    const axis = (readValues(element, attributes, 'axis', [3]) ?? [0, 0, 1]) as Vec3;
    if (!(vec3.length(axis) > 0))
      element.fail('file-format', `the joint "${name}" has the axis 0 0 0; give a direction`);
    const unit = type === 'hinge' ? this.#compiler.angle : 1;
    const reference = unit * (readValues(element, attributes, 'ref', [1])?.[0] ?? 0);
    this.#fileJoints.push({ name, size: 1, reference });
    const range = readValues(element, attributes, 'range', [2]);
    const { limited = 'auto' } = attributes;
    const isLimited = limited === 'true' || (limited === 'auto' && this.#compiler.autoLimits && range !== undefined);
    const limits =
      isLimited && range !== undefined
        ? ([unit * range[0] - reference, unit * range[1] - reference] as const)
        : undefined;
    if (limits !== undefined && !(limits[0] <= limits[1]))
      element.fail('file-format', `the range of the joint "${name}" is ${attributes.range}; swap its ends`);
    const held = Object.hasOwn(this.#fixed, name);
    if (type === 'slide' && limits === undefined && !held && !this.#mimics.has(name)) {
      element.fail(
        'file-format',
        `the slide "${name}" has no range; give one, or hold it with the option fixed, { "${name}": 0 }`,
      );
    }
    const joint: PlanJoint = {
      name,
      type: type === 'slide' ? 'prismatic' : limits === undefined ? 'continuous' : 'revolute',
      parent,
      child,
      origin: pose.multiply(origin, pose.create(anchor)),
      axis,
      ...(limits === undefined ? {} : { limits }),
    };
    this.joints.push(held ? hold(joint, this.#fixed[name]) : joint);
    return pose.create(vec3.scale(anchor, -1));
  }

  #addLink(name: string): void {
    if (this.links.some((link) => link.name === name)) {
      throw new NearfieldError('file-format', `There are two bodies "${name}"; rename one.`);
    }
    this.links.push({ name, shapes: [] });
  }

  #nameOf(element: XmlElement): string {
    return element.attributes.name ?? `body ${this.links.length}`;
  }

  #jointName(element: XmlElement, body: string, i: number): string {
    return element.attributes.name ?? (i === 0 ? `${body} joint` : `${body} joint ${i + 1}`);
  }
}

/** The joint fixed at a value. */
function hold(joint: PlanJoint, value: number): PlanJoint {
  const { name, parent, child, origin = pose.identity(), axis = [1, 0, 0], type } = joint;
  const limits = limitsOf(joint);
  if (limits !== undefined && !(limits[0] <= value && value <= limits[1])) {
    throw new NearfieldError(
      'bad-argument',
      `The joint "${name}" is held at ${value}, outside of its limits ${limits.join(' and ')}.`,
    );
  }
  const unit = vec3.normalize([axis[0], axis[1], axis[2]]);
  const motion =
    type === 'prismatic'
      ? pose.create(vec3.scale(unit, value))
      : pose.create([0, 0, 0], quat.fromAxisAngle(unit, value));
  return { name, type: 'fixed', parent, child, origin: pose.multiply(origin, motion) };
}

// Links and joints of a URDF file as a tree: names checked, parents before children, whatever their order in the file.
import { NearfieldError } from '../../core/errors.js';
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { PlanJoint } from '../robot/chain-description.js';

/** The elements of the links, the root first, and the joints, parents before children. */
export interface UrdfTree {
  readonly name: string;
  readonly links: readonly { readonly name: string; readonly element: XmlElement }[];
  readonly joints: readonly PlanJoint[];
}

const TYPES = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'];

/**
 * Reads the tree.
 * @param fixed values at which joints are held; they are fixed then.
 */
export function readUrdfTree(root: XmlElement, fixed: Readonly<Record<string, number>>): UrdfTree {
  refuseXacro(root);
  if (root.name !== 'robot') root.fail('file-format', `the root element is <${root.name}>; a URDF file has <robot>`);
  const links = new Map<string, XmlElement>();
  for (const element of root.all('link')) {
    const name = element.attribute('name');
    if (links.has(name)) element.fail('file-format', `there are two links "${name}"; rename one`);
    links.set(name, element);
  }
  if (links.size === 0) root.fail('file-format', 'the robot has no links');
  const joints = new Map<string, { readonly element: XmlElement; readonly joint: PlanJoint }>();
  const parentOf = new Map<string, string>();
  for (const element of root.all('joint')) {
    const joint = readJoint(element, fixed);
    if (joints.has(joint.name)) element.fail('file-format', `there are two joints "${joint.name}"; rename one`);
    for (const link of [joint.parent, joint.child]) {
      if (!links.has(link))
        element.fail('file-format', `the joint "${joint.name}" names the link "${link}", which the file does not have`);
    }
    const other = parentOf.get(joint.child);
    if (other !== undefined) {
      element.fail(
        'file-format',
        `the link "${joint.child}" has two parents, "${other}" and "${joint.parent}"; a robot is a tree`,
      );
    }
    parentOf.set(joint.child, joint.parent);
    joints.set(joint.name, { element, joint });
  }
  for (const name of Object.keys(fixed)) {
    if (!joints.has(name)) {
      throw new NearfieldError('bad-argument', `fixed names the joint "${name}", which the robot has not.`);
    }
  }
  const first = theRoot(
    [...links.keys()].filter((name) => !parentOf.has(name)),
    root,
  );
  for (const { element, joint } of joints.values()) {
    if (joint.mimic !== undefined && !joints.has(joint.mimic.joint)) {
      element.fail(
        'file-format',
        `the joint "${joint.name}" mimics "${joint.mimic.joint}", which the file does not have`,
      );
    }
  }
  const ordered = inOrder(
    first,
    [...joints.values()].map(({ joint }) => joint),
    root,
  );
  const names = [first, ...ordered.map(({ child }) => child)];
  return {
    name: root.attributes.name ?? 'robot',
    links: names.map((name) => ({ name, element: links.get(name)! })),
    joints: followFixed(ordered, fixed),
  };
}

/** The only link without a parent. */
function theRoot(roots: readonly string[], root: XmlElement): string {
  if (roots.length === 0)
    root.fail('file-format', 'every link has a parent, so the joints form a cycle; a robot is a tree');
  if (roots.length > 1) {
    const names = roots.map((name) => `"${name}"`).join(', ');
    root.fail('file-format', `${names} have no parent; a robot has one root, so join them by fixed joints`);
  }
  return roots[0];
}

/** The order of the file where it has parents before children. */
function inOrder(root: string, joints: readonly PlanJoint[], element: XmlElement): PlanJoint[] {
  const placed = new Set([root]);
  const ordered: PlanJoint[] = [];
  let waiting = [...joints];
  while (waiting.length > 0) {
    const left: PlanJoint[] = [];
    for (const joint of waiting) {
      if (placed.has(joint.parent)) {
        placed.add(joint.child);
        ordered.push(joint);
      } else left.push(joint);
    }
    if (left.length === waiting.length) {
      const names = left.map(({ name }) => `"${name}"`).join(', ');
      element.fail('file-format', `the joints ${names} form a cycle; a robot is a tree`);
    }
    waiting = left;
  }
  return ordered;
}

/** A joint that mimics one that is held, or fixed, is held too. */
function followFixed(joints: readonly PlanJoint[], fixed: Readonly<Record<string, number>>): PlanJoint[] {
  const held = new Map(joints.filter(({ type }) => type === 'fixed').map(({ name }) => [name, fixed[name] ?? 0]));
  let result = [...joints];
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    result = result.map((joint) => {
      const leader = joint.mimic === undefined ? undefined : held.get(joint.mimic.joint);
      if (joint.mimic === undefined || leader === undefined) return joint;
      const { factor = 1, offset = 0 } = joint.mimic;
      held.set(joint.name, factor * leader + offset);
      isChanged = true;
      return hold(joint, factor * leader + offset);
    });
  }
  return result;
}

/** The joint fixed at a value. */
function hold(joint: PlanJoint, value: number): PlanJoint {
  const { name, parent, child, origin = pose.identity(), axis = [1, 0, 0], type } = joint;
  const unit = vec3.normalize([axis[0], axis[1], axis[2]]);
  const motion =
    type === 'prismatic'
      ? pose.create(vec3.scale(unit, value))
      : pose.create([0, 0, 0], quat.fromAxisAngle(unit, value));
  return { name, type: 'fixed', parent, child, origin: value === 0 ? origin : pose.multiply(origin, motion) };
}

function readJoint(element: XmlElement, fixed: Readonly<Record<string, number>>): PlanJoint {
  const name = element.attribute('name');
  const type = element.attribute('type');
  if (!TYPES.includes(type)) {
    element.fail('file-format', `the joint "${name}" has the type "${type}"; the types are ${TYPES.join(', ')}`);
  }
  const base = {
    name,
    parent: element.need('parent').attribute('link'),
    child: element.need('child').attribute('link'),
    origin: readOrigin(element),
  };
  const held = fixed[name];
  if (type === 'fixed') return { ...base, type };
  if (type === 'floating' || type === 'planar') {
    if (held !== undefined) return { ...base, type: 'fixed' };
    const instead = type === 'planar' ? 'two prismatic joints and a continuous one' : 'a fixed joint';
    element.fail(
      'unsupported',
      `the joint "${name}" is ${type}; hold it with the option fixed, { "${name}": 0 }, or put ${instead} in its place`,
    );
  }
  const axisElement = element.child('axis');
  const axis = (axisElement === undefined ? [1, 0, 0] : readNumbers(axisElement, 'xyz', 3)) as Vec3;
  if (!(Math.hypot(...axis) > 0))
    element.fail('file-format', `the joint "${name}" has the axis 0 0 0; give a direction`);
  const limits = readLimits(element, name, type);
  const mimic = readMimic(element);
  const velocity = readVelocity(element);
  const joint: PlanJoint = {
    ...base,
    type: type as PlanJoint['type'],
    axis,
    ...(limits === undefined ? {} : { limits }),
    ...(mimic === undefined ? {} : { mimic }),
    ...(velocity === undefined ? {} : { velocity }),
  };
  return held === undefined ? joint : hold(joint, held);
}

function readLimits(element: XmlElement, name: string, type: string): [number, number] | undefined {
  if (type === 'continuous') return undefined;
  const limit = element.child('limit');
  if (limit === undefined) {
    if (element.child('mimic') !== undefined) return undefined;
    const instead = type === 'revolute' ? ', or make it continuous' : '';
    element.fail('file-format', `the ${type} joint "${name}" has no <limit>; give lower and upper${instead}`);
  }
  // A value left out is 0.
  const [low, high] = ['lower', 'upper'].map((key) => {
    return limit.attributes[key] === undefined ? 0 : readNumbers(limit, key, 1)[0];
  });
  if (low > high) limit.fail('file-format', `the joint "${name}" has limits from ${low} to ${high}; swap them`);
  return [low, high];
}

/** The largest velocity; files often have 0 where it is not known. */
function readVelocity(element: XmlElement): number | undefined {
  const limit = element.child('limit');
  if (limit?.attributes.velocity === undefined) return undefined;
  const [velocity] = readNumbers(limit, 'velocity', 1);
  return velocity > 0 ? velocity : undefined;
}

function readMimic(element: XmlElement): PlanJoint['mimic'] {
  const mimic = element.child('mimic');
  if (mimic === undefined) return undefined;
  const number = (key: string, fallback: number): number =>
    mimic.attributes[key] === undefined ? fallback : readNumbers(mimic, key, 1)[0];
  return { joint: mimic.attribute('joint'), factor: number('multiplier', 1), offset: number('offset', 0) };
}

/** The pose of an <origin>: xyz, and rpy about the fixed axes x, y and z in turn. */
export function readOrigin(element: XmlElement): Pose {
  const origin = element.child('origin');
  if (origin === undefined) return pose.identity();
  const [x, y, z] = origin.attributes.xyz === undefined ? [0, 0, 0] : readNumbers(origin, 'xyz', 3);
  const [roll, pitch, yaw] = origin.attributes.rpy === undefined ? [0, 0, 0] : readNumbers(origin, 'rpy', 3);
  const turn = quat.multiply(
    quat.fromAxisAngle([0, 0, 1], yaw),
    quat.multiply(quat.fromAxisAngle([0, 1, 0], pitch), quat.fromAxisAngle([1, 0, 0], roll)),
  );
  return pose.create([x, y, z], turn);
}

/** The finite numbers of an attribute, of the count asked for. */
export function readNumbers(element: XmlElement, key: string, count: number): number[] {
  const text = element.attribute(key);
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  const values = words.map(Number);
  if (values.length !== count) {
    element.fail(
      'file-format',
      `${key} of <${element.name}> is "${text}"; give ${count} number${count === 1 ? '' : 's'}`,
    );
  }
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    const isWord = !/^[+-]?(nan|inf(inity)?)$/i.test(words[bad]);
    element.fail(
      isWord ? 'file-format' : 'non-finite',
      `"${words[bad]}" in ${key} of <${element.name}> is not a finite number`,
    );
  }
  return values;
}

/** Macros have to be expanded first. Expanded files may still declare their namespace. */
function refuseXacro(root: XmlElement): void {
  const waiting = [root];
  while (waiting.length > 0) {
    const element = waiting.pop()!;
    const isMacro = element.prefix === 'xacro' || Object.values(element.attributes).some((text) => /\$[{(]/.test(text));
    if (isMacro) {
      element.fail(
        'unsupported',
        'the file has xacro macros; expand it first, with `xacro robot.urdf.xacro > robot.urdf`',
      );
    }
    for (const child of element.children) waiting.push(child);
  }
}

// What an SRDF file adds to a URDF: pairs of links that may touch, groups of joints, and named configurations.
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { JointValues, PlanJoint } from '../robot/chain-description.js';
import { readNumbers } from './urdf-tree.js';

/** A group of joints of an SRDF file. */
export interface SrdfGroup {
  /** The joints that have values, in the order of the robot. */
  readonly joints: readonly string[];
  /** Its named configurations. */
  readonly states: Readonly<Record<string, JointValues>>;
}

export interface SrdfContent {
  readonly ignore: readonly (readonly [string, string])[];
  readonly groups: Readonly<Record<string, SrdfGroup>>;
  /** Joint values by the name of the state; the first of a name counts. */
  readonly states: Readonly<Record<string, JointValues>>;
  readonly warnings: readonly string[];
}

export const NO_SRDF: SrdfContent = { ignore: [], groups: {}, states: {}, warnings: [] };

/**
 * Reads an SRDF. Names that the robot does not have are left out, with a warning: files often serve several variants.
 * @param joints all of the robot, parents before children.
 * @param moving the names of those that have values.
 */
export function readSrdf(
  root: XmlElement,
  links: readonly string[],
  joints: readonly PlanJoint[],
  moving: readonly string[],
): SrdfContent {
  if (root.name !== 'robot') root.fail('file-format', `the root element is <${root.name}>; an SRDF file has <robot>`);
  const unknown = new Set<string>();
  const ignore = readIgnored(root, links, unknown);
  const groups: Record<string, { joints: string[]; states: Record<string, JointValues> }> = {};
  for (const element of root.all('group')) {
    const own = jointsOf(element, root, joints, new Set());
    set(groups, element.attribute('name'), { joints: moving.filter((name) => own.has(name)), states: {} });
  }
  const states: Record<string, JointValues> = {};
  for (const state of root.all('group_state')) {
    const values: Record<string, number> = {};
    for (const joint of state.all('joint')) {
      const name = joint.attribute('name');
      // A floating joint has seven values.
      if (!moving.includes(name) || joint.attribute('value').trim().includes(' ')) continue;
      [values[name]] = readNumbers(joint, 'value', 1);
    }
    const name = state.attribute('name');
    const group = state.attributes.group;
    if (group !== undefined && Object.hasOwn(groups, group)) set(groups[group].states, name, values);
    if (!Object.hasOwn(states, name)) set(states, name, values);
  }
  const warnings =
    unknown.size === 0 ? [] : [`the SRDF names ${[...unknown].join(', ')}, which the robot has not; ignored.`];
  return { ignore, groups, states, warnings };
}

/** Sets a key of a file, whatever its name. */
function set<T>(record: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Pairs with collisions disabled, one by one or for all pairs of a link that are not enabled. */
function readIgnored(root: XmlElement, links: readonly string[], unknown: Set<string>): (readonly [string, string])[] {
  const read = (tag: string): (readonly [string, string])[] => {
    return root.all(tag).flatMap((element) => {
      const pair = [element.attribute('link1'), element.attribute('link2')] as const;
      const missing = pair.filter((link) => !links.includes(link));
      for (const link of missing) unknown.add(link);
      return missing.length > 0 ? [] : [pair];
    });
  };
  const keyOf = ([a, b]: readonly [string, string]): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const enabled = new Set(read('enable_collisions').map(keyOf));
  const known = new Set<string>();
  const ignore = read('disable_collisions').filter((pair) => !enabled.has(keyOf(pair)));
  for (const pair of ignore) known.add(keyOf(pair));
  for (const element of root.all('disable_default_collisions')) {
    const link = element.attribute('link');
    if (!links.includes(link)) unknown.add(link);
    else {
      for (const other of links) {
        const key = keyOf([link, other]);
        if (other === link || enabled.has(key) || known.has(key)) continue;
        known.add(key);
        ignore.push([link, other]);
      }
    }
  }
  return ignore;
}

/** The joints of a group: those named, the parent joints of its links, those along its chains, and those of its subgroups. */
function jointsOf(
  group: XmlElement,
  root: XmlElement,
  joints: readonly PlanJoint[],
  seen: Set<string>,
): ReadonlySet<string> {
  const own = new Set<string>();
  seen.add(group.attribute('name'));
  const parentJoint = (link: string): PlanJoint | undefined => joints.find(({ child }) => child === link);
  for (const element of group.all('joint')) own.add(element.attribute('name'));
  for (const element of group.all('link')) {
    const joint = parentJoint(element.attribute('name'));
    if (joint !== undefined) own.add(joint.name);
  }
  for (const element of group.all('chain')) {
    const base = element.attribute('base_link');
    for (let link = element.attribute('tip_link'); link !== base; ) {
      const joint = parentJoint(link);
      if (joint === undefined) break;
      own.add(joint.name);
      link = joint.parent;
    }
  }
  for (const element of group.all('group')) {
    const name = element.attribute('name');
    const other =
      root.all('group').find((one) => one.attributes.name === name) ??
      element.fail('file-format', `the group "${name}" is not in the file`);
    if (seen.has(name)) continue;
    for (const joint of jointsOf(other, root, joints, seen)) own.add(joint);
  }
  return own;
}

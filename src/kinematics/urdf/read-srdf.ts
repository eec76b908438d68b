// What an SRDF file adds to a URDF: pairs of links that may touch, and named configurations.
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { JointValues } from '../robot/chain-description.js';
import { readNumbers } from './urdf-tree.js';

export interface SrdfContent {
  readonly ignore: readonly (readonly [string, string])[];
  /** Joint values by the name of the state; the first of a name counts. */
  readonly states: Readonly<Record<string, JointValues>>;
  readonly warnings: readonly string[];
}

/** Reads an SRDF. Names that the robot does not have are left out, with a warning: files often serve several variants. */
export function readSrdf(root: XmlElement, links: readonly string[], joints: readonly string[]): SrdfContent {
  if (root.name !== 'robot') root.fail('file-format', `the root element is <${root.name}>; an SRDF file has <robot>`);
  const unknown = new Set<string>();
  const ignore: (readonly [string, string])[] = [];
  for (const element of root.all('disable_collisions')) {
    const pair = [element.attribute('link1'), element.attribute('link2')] as const;
    const missing = pair.filter((link) => !links.includes(link));
    for (const link of missing) unknown.add(link);
    if (missing.length === 0) ignore.push(pair);
  }
  const states: Record<string, JointValues> = {};
  for (const state of root.all('group_state')) {
    const values: Record<string, number> = {};
    for (const joint of state.all('joint')) {
      const name = joint.attribute('name');
      // A floating joint has seven values.
      if (!joints.includes(name) || joint.attribute('value').trim().includes(' ')) continue;
      [values[name]] = readNumbers(joint, 'value', 1);
    }
    const name = state.attribute('name');
    if (!Object.hasOwn(states, name)) states[name] = values;
  }
  const warnings =
    unknown.size === 0 ? [] : [`the SRDF names ${[...unknown].join(', ')}, which the robot has not; ignored.`];
  return { ignore, states, warnings };
}

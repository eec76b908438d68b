// Robots from URDF files, as chains: links with their shapes, joints with limits, and the pairs of links that may touch.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { Mesh } from '../../mesh/mesh.js';
import { limitsOf, movingJoints } from '../robot/build-chain.js';
import type { ChainPlanRobot, JointValues } from '../robot/chain-description.js';
import { type IgnoredLinks, ignoreTouching, type TouchingChoice } from './ignored-links.js';
import { NO_SRDF, readSrdf, type SrdfContent, type SrdfGroup } from './read-srdf.js';
import {
  assertRobotFile,
  loadMeshOf,
  type PackageFolders,
  pathInPackage,
  ROBOT_FILE_RULES,
} from './robot-file-options.js';
import { assertMeshFormat, readShapes } from './urdf-shapes.js';
import { readUrdfTree, type UrdfTree } from './urdf-tree.js';

/** How a URDF is read. */
export interface ReadUrdfOptions {
  /** Reads the mesh of a file: a name as the URDF has it, relative to the URDF, or one that `packages` has led to. */
  readonly loadMesh?: ((file: string) => Mesh | Promise<Mesh>) | undefined;
  /** The folders of packages, for names such as package://NAME/meshes/arm.stl; a function may look for them. */
  readonly packages?: Readonly<Record<string, string>> | ((name: string) => string | undefined) | undefined;
  /** The text of the robot's SRDF file: links that may touch, groups, and named configurations. */
  readonly srdf?: string | undefined;
  /** The group of the SRDF that is planned for: joints that are not in it are held, at 0 or the limit next to it unless `fixed` says. */
  readonly group?: string | undefined;
  /** The shapes that links have. Default 'collision'. */
  readonly shapes?: 'collision' | 'visual' | undefined;
  /** Joints that are held at a value, in meters or radians. */
  readonly fixed?: JointValues | undefined;
  /**
   * The links that may touch besides neighbors and those of the SRDF: those that touch in 95 % of random configurations, or
   * those that touch where all joints are at 0 as well, or no others. Default 'always'.
   */
  readonly touching?: TouchingChoice | undefined;
}

/** A robot that was read. */
export interface UrdfRobot {
  /** Needs a start and a goal to be planned for. */
  readonly robot: ChainPlanRobot;
  /** The joints that configurations have values of, in order. */
  readonly jointNames: readonly string[];
  /** The pairs of links in `robot.ignore`, with reasons. */
  readonly ignored: readonly IgnoredLinks[];
  /** Groups of the SRDF, with the joints of this robot in them. */
  readonly groups: Readonly<Record<string, SrdfGroup>>;
  /** Named configurations of the SRDF; of those with the same name the first, or that of the group asked for. */
  readonly states: Readonly<Record<string, JointValues>>;
  /** What may be a surprise: one sentence each. */
  readonly warnings: readonly string[];
}

const OPTIONS = optionTable<ReadUrdfOptions>()({
  ...ROBOT_FILE_RULES,
  packages: checkedElsewhere<PackageFolders>(),
  srdf: checkedElsewhere<string>(),
  group: checkedElsewhere<string>(),
});

/**
 * Reads a robot from the text of a URDF file. The first link is its root; axes and units are those of the file.
 * @throws NearfieldError with the line in `location`: files that are no tree, names that do not exist, missing limits,
 * meshes that cannot be read, macros that have to be expanded.
 */
export async function readUrdf(text: string | Uint8Array, options: ReadUrdfOptions = {}): Promise<UrdfRobot> {
  const { shapes, fixed, touching } = OPTIONS.read(options);
  assertRobotFile('URDF', text, options.fixed);
  // saxes is loaded only when a file needs it.
  const { parseXml } = await import('../../io/xml/xml-tree.js');
  const root = parseXml(text, {});
  const srdfRoot = options.srdf === undefined ? null : parseXml(options.srdf, {});
  const readOwn = ({ links, joints }: UrdfTree): SrdfContent => {
    if (srdfRoot === null) return NO_SRDF;
    return readSrdf(
      srdfRoot,
      links.map(({ name }) => name),
      joints,
      movingJoints(joints).map(({ name }) => name),
    );
  };
  const whole = readUrdfTree(root, fixed);
  const held = options.group === undefined ? {} : othersHeld(whole, readOwn(whole).groups, options.group);
  const tree = options.group === undefined ? whole : readUrdfTree(root, { ...fixed, ...held });
  const warnings: string[] = [];
  const load = shapeLoader(options);
  const links: { name: string; mesh?: Mesh }[] = [];
  let [bare, seen] = [0, 0];
  for (const { name, element } of tree.links) {
    const mesh = await readShapes(element, shapes, load);
    if (mesh === undefined && element.child(shapes === 'collision' ? 'visual' : 'collision') !== undefined) bare++;
    if (mesh !== undefined) seen++;
    links.push(mesh === undefined ? { name } : { name, mesh });
  }
  if (bare > 0) {
    const other = shapes === 'collision' ? 'visual' : 'collision';
    warnings.push(
      `${bare} of ${links.length} links have ${other} shapes only, and are not tested; shapes: '${other}' uses those.`,
    );
  }
  if (seen === 0) warnings.push('no link has a shape, so that nothing can collide.');
  const moving = movingJoints(tree.joints);
  const jointNames = moving.map(({ name }) => name);
  const stuck = moving.filter((joint) => limitsOf(joint)?.[0] === limitsOf(joint)?.[1]).map(({ name }) => name);
  if (stuck.length > 0)
    warnings.push(`the limits of ${stuck.join(', ')} are one value each, so that they cannot move.`);
  const robot: ChainPlanRobot = { type: 'chain', name: tree.name, links, joints: tree.joints };
  const srdf = readOwn(tree);
  warnings.push(...srdf.warnings);
  const { ignored, warnings: found } = ignoreTouching(robot, srdf.ignore, touching);
  warnings.push(...found);
  const { groups } = srdf;
  const states = options.group === undefined ? srdf.states : { ...srdf.states, ...groups[options.group].states };
  return {
    robot: { ...robot, ignore: ignored.map(({ links }) => links) },
    jointNames,
    ignored,
    groups,
    states,
    warnings,
  };
}

/** The joints that are not in a group, each at 0 or the limit next to it. */
function othersHeld(
  { joints }: UrdfTree,
  groups: Readonly<Record<string, SrdfGroup>>,
  name: string,
): Record<string, number> {
  if (!Object.hasOwn(groups, name)) {
    const known = Object.keys(groups);
    const instead = known.length === 0 ? 'give the option srdf' : `give one of ${known.join(', ')}`;
    throw new NearfieldError('bad-argument', `The group ${nameValue(name)} is not in the SRDF; ${instead}.`);
  }
  const own = groups[name].joints;
  if (own.length === 0) {
    throw new NearfieldError('bad-argument', `The group ${nameValue(name)} has no joint that moves; give another one.`);
  }
  const others = movingJoints(joints).filter((joint) => !own.includes(joint.name));
  return Object.fromEntries(
    others.map((joint) => {
      const [low, high] = limitsOf(joint) ?? [0, 0];
      return [joint.name, Math.min(high, Math.max(low, 0))];
    }),
  );
}

/** Loads each file once; errors name the line of the URDF. */
function shapeLoader({ loadMesh, packages }: ReadUrdfOptions): (file: string, element: XmlElement) => Promise<Mesh> {
  const loaded = new Map<string, Mesh>();
  return async (file, element) => {
    assertMeshFormat(file, element);
    const path = resolve(file, packages, element);
    const known = loaded.get(path);
    if (known !== undefined) return known;
    const mesh = await loadMeshOf(element, file, path, loadMesh);
    loaded.set(path, mesh);
    return mesh;
  };
}

/** The path of a file name: in the folder of its package, of file://… and other names as they are. */
function resolve(file: string, packages: PackageFolders | undefined, element: XmlElement): string {
  const refuse = (where: string): never => element.fail('bad-argument', `the mesh "${file}" is ${where}`);
  const inPackage = pathInPackage(file, packages, refuse);
  if (inPackage !== null) return inPackage;
  if (/^file:\/\//.test(file)) return decodeURIComponent(file.replace(/^file:\/\/(localhost)?/, ''));
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) {
    element.fail('unsupported', `the mesh "${file}" is not in a file; save it beside the URDF and give its name`);
  }
  return file;
}

// Robots from MJCF files of MuJoCo, as chains: bodies with their shapes, joints with limits, pairs that may touch, and the
// configurations of keyframes. The world is the root; several joints of a body get links without shapes between them.
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { Mesh } from '../../mesh/mesh.js';
import { joinMeshes } from '../../mesh/place-mesh.js';
import { movingJoints } from '../robot/build-chain.js';
import type { ChainPlanRobot, JointValues } from '../robot/chain-description.js';
import { type IgnoredLinks, ignoreTouching, type TouchingChoice } from '../urdf/ignored-links.js';
import { assertRobotFile, ROBOT_FILE_RULES } from '../urdf/robot-file-options.js';
import { MjcfDefaults } from './mjcf-defaults.js';
import type { MjcfCompiler } from './mjcf-frames.js';
import { type MjcfGeom, MjcfGeoms } from './mjcf-geoms.js';
import { collectIncludes } from './mjcf-includes.js';
import { type MjcfLink, MjcfTree } from './mjcf-tree.js';

/** How an MJCF file is read. */
export interface ReadMjcfOptions {
  /** Reads the mesh of a file: a name as the file has it, in its `meshdir`. */
  readonly loadMesh?: ((file: string) => Mesh | Promise<Mesh>) | undefined;
  /** Reads the text of a file that the file includes. */
  readonly loadText?: ((file: string) => string | Promise<string>) | undefined;
  /** The shapes that links have: those that may collide, or those that are only seen. Default 'collision'. */
  readonly shapes?: 'collision' | 'visual' | undefined;
  /** Joints that are held at a value, in meters or radians. */
  readonly fixed?: JointValues | undefined;
  /** As for {@link readUrdf}. Default 'always'. */
  readonly touching?: TouchingChoice | undefined;
}

/** A robot that was read. */
export interface MjcfRobot {
  /** Needs a start and a goal to be planned for. Its first link, the root, is the world. */
  readonly robot: ChainPlanRobot;
  /** The joints that configurations have values of, in order. */
  readonly jointNames: readonly string[];
  /** The pairs of links in `robot.ignore`, with reasons. */
  readonly ignored: readonly IgnoredLinks[];
  /** The configurations of keyframes by name. */
  readonly states: Readonly<Record<string, JointValues>>;
  /** What may be a surprise: one sentence each. */
  readonly warnings: readonly string[];
}

const OPTIONS = optionTable<ReadMjcfOptions>()({
  ...ROBOT_FILE_RULES,
  loadText: checkedElsewhere<(file: string) => string | Promise<string>>(),
});

/**
 * Reads a robot from the text of an MJCF file. Angles become radians; meshes are used as they are, not their hulls.
 * @throws NearfieldError with the line in `location`: files that are no MJCF, names that do not exist, slides without
 * limits, meshes that cannot be read, elements that are not read.
 */
export async function readMjcf(text: string | Uint8Array, options: ReadMjcfOptions = {}): Promise<MjcfRobot> {
  const { shapes, fixed, touching } = OPTIONS.read(options);
  assertRobotFile('MJCF', text, options.fixed);
  // saxes is loaded only when a file needs it.
  const { parseXml } = await import('../../io/xml/xml-tree.js');
  const root = parseXml(text, {});
  if (root.name !== 'mujoco') root.fail('file-format', `the root element is <${root.name}>; an MJCF file has <mujoco>`);
  const sections = await collectIncludes(root, async (file) => {
    if (options.loadText === undefined) {
      throw new NearfieldError(
        'bad-argument',
        `The file includes "${file}"; give the option loadText, which reads it.`,
      );
    }
    return parseXml(await options.loadText(file), {});
  });
  const compiler = readCompiler(sections.all('compiler'));
  const defaults = new MjcfDefaults(sections.all('default'));
  const tree = new MjcfTree(defaults, compiler, fixed);
  for (const world of sections.all('worldbody')) tree.addWorld(world);
  for (const equality of sections.all('equality')) tree.addEquality(equality);
  tree.finish();
  const geoms = new MjcfGeoms(sections.all('asset'), defaults, compiler, options.loadMesh);
  const bodies = await readBodies(tree.links, geoms, shapes);
  const links = bodies.map(({ name, mesh }) => (mesh === null ? { name } : { name, mesh }));
  const warnings = [...tree.warnings];
  if (geoms.leftOut.size > 0) {
    warnings.push(
      `shapes without bounds are left out (${[...geoms.leftOut].join(', ')}); give obstacles in their place.`,
    );
  }
  if (bodies.every(({ mesh }) => mesh === null)) warnings.push('no body has a shape, so that nothing can collide.');
  const robot: ChainPlanRobot = { type: 'chain', name: root.attributes.model ?? 'robot', links, joints: tree.joints };
  const named = [...excludedPairs(sections.all('contact'), links), ...silentPairs(bodies)];
  const { ignored, warnings: found } = ignoreTouching(robot, named, touching, 'file');
  warnings.push(...found);
  return {
    robot: { ...robot, ignore: ignored.map(({ links: pair }) => pair) },
    jointNames: movingJoints(tree.joints).map(({ name }) => name),
    ignored,
    states: tree.statesOf(sections.all('keyframe')),
    warnings,
  };
}

function readCompiler(elements: readonly XmlElement[]): MjcfCompiler {
  const given: Record<string, string> = Object.assign({}, ...elements.map(({ attributes }) => attributes));
  const { angle = 'degree', eulerseq = 'xyz', autolimits = 'true', meshdir, assetdir, coordinate = 'local' } = given;
  const [last] = elements.slice(-1);
  if (coordinate !== 'local') last.fail('unsupported', 'coordinates are global; save the file with a newer MuJoCo');
  if (!/^[xyzXYZ]{3}$/.test(eulerseq)) last.fail('file-format', `eulerseq is "${eulerseq}"; give three of xyzXYZ`);
  if (angle !== 'degree' && angle !== 'radian') last.fail('file-format', `angle is "${angle}"; give degree or radian`);
  return {
    angle: angle === 'degree' ? Math.PI / 180 : 1,
    eulerOrder: eulerseq,
    autoLimits: autolimits !== 'false',
    meshFolder: meshdir ?? assetdir ?? '',
  };
}

interface Body {
  readonly name: string;
  readonly mesh: Mesh | null;
  readonly geoms: readonly MjcfGeom[];
}

async function readBodies(
  links: readonly MjcfLink[],
  geoms: MjcfGeoms,
  shapes: 'collision' | 'visual',
): Promise<Body[]> {
  const bodies: Body[] = [];
  for (const { name, shapes: given } of links) {
    const own: MjcfGeom[] = [];
    for (const { element, childClass, place } of given) {
      const geom = await geoms.read(element, childClass, shapes);
      if (geom !== null) own.push(geom.mesh === null ? geom : { ...geom, mesh: place(geom.mesh) });
    }
    const meshes = own.flatMap(({ mesh }) => (mesh === null ? [] : [mesh]));
    bodies.push({ name, mesh: meshes.length === 0 ? null : joinMeshes(meshes), geoms: own });
  }
  return bodies;
}

/** Pairs that the file excludes. */
function excludedPairs(
  contacts: readonly XmlElement[],
  links: readonly { readonly name: string }[],
): (readonly [string, string])[] {
  return contacts.flatMap((contact) =>
    contact.all('exclude').map((element) => {
      const pair = [element.attribute('body1'), element.attribute('body2')] as const;
      for (const name of pair) {
        if (!links.some((link) => link.name === name)) element.fail('file-format', `there is no body "${name}"`);
      }
      return pair;
    }),
  );
}

/** Pairs of bodies none of whose shapes may touch each other by their bits. */
function silentPairs(bodies: readonly Body[]): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  const meet = (a: MjcfGeom, b: MjcfGeom): boolean =>
    (a.contype & b.conaffinity) !== 0 || (b.contype & a.conaffinity) !== 0;
  for (const [i, a] of bodies.entries()) {
    for (const b of bodies.slice(i + 1)) {
      if (a.mesh === null || b.mesh === null) continue;
      // Shapes that are only seen have no bits.
      if (a.geoms.every(({ contype, conaffinity }) => contype === 0 && conaffinity === 0)) continue;
      if (!a.geoms.some((one) => b.geoms.some((other) => meet(one, other)))) pairs.push([a.name, b.name]);
    }
  }
  return pairs;
}

// Chains of problem files: links and joints, or a URDF file, and where they begin and end.

import type { JsonFields, JsonPlace } from '../../core/check/json-place.js';
import type { Vec3 } from '../../core/vec3.js';
import { isLinkGoal } from '../../kinematics/inverse/inverse-kinematics.js';
import { readMjcf } from '../../kinematics/mjcf/read-mjcf.js';
import type { ChainPlanRobot, JointValues, LinkGoal, PlanJoint } from '../../kinematics/robot/chain-description.js';
import type { SpeedLimit } from '../../kinematics/robot/speed-limits.js';
import { readUrdf, type UrdfRobot } from '../../kinematics/urdf/read-urdf.js';
import type { Mesh } from '../../mesh/mesh.js';

/** Loads the mesh of a file that a place of the problem names. */
export type LoadMesh = (place: JsonPlace) => Promise<Mesh>;

/** How a problem is read. */
export interface ReadProblemOptions {
  /** Reads the mesh of a file that the problem names, relative to it. */
  readonly loadMesh: (file: string) => Mesh | Promise<Mesh>;
  /**
   * Reads the text of a URDF, SRDF, MJCF or scene file that the problem names, relative to it. Needed for problems that name
   * one.
   */
  readonly loadText?: ((file: string) => string | Promise<string>) | undefined;
  /** The folders of packages that URDF files name, besides those that the problem says; `urdf` is the name of the file. */
  readonly findPackage?: ((name: string, urdf: string) => string | undefined) | undefined;
  /** Gets what readers of files found that may be a surprise. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Whether robots need a start and a goal. Default true, unless the problem has queries. */
  readonly needsEnds?: boolean | undefined;
}

/** A chain of links and joints. */
export async function readChain(fields: JsonFields, name: string | undefined, load: LoadMesh): Promise<ChainPlanRobot> {
  const links: { name: string; mesh?: Mesh }[] = [];
  for (const place of fields.at('links').list('links')) {
    const link = place.fields(['name', 'model'], ['name']);
    const mesh = link.has('model') ? await load(link.at('model')) : undefined;
    links.push({ name: link.at('name').text(), ...(mesh === undefined ? {} : { mesh }) });
  }
  const joints = fields.at('joints').list('joints').map(readJoint);
  return { type: 'chain', name, links, joints, ignore: readPairs(fields), ...readChainState(fields) };
}

/** A robot of a URDF or an MJCF file. Its meshes are relative to that file, packages and an SRDF file to the problem. */
export async function readFileRobot(fields: JsonFields, options: ReadProblemOptions): Promise<ChainPlanRobot> {
  const isMjcf = fields.has('mjcf');
  const place = fields.at(isMjcf ? 'mjcf' : 'urdf');
  const file = place.text();
  if (options.loadText === undefined) return place.refuse('cannot be read; give readPlanProblem the option loadText');
  try {
    const read = await (isMjcf ? readMjcfFile : readUrdfFile)(file, fields, options);
    for (const warning of read.warnings) options.onWarning?.(`${file}: ${warning}`);
    const { robot } = read;
    const ignore = [...(robot.ignore ?? []), ...readPairs(fields)];
    const name = fields.take('name', robot.name, (at) => at.text());
    return { ...robot, name, ignore, ...readChainState(fields, read.states) };
  } catch (error) {
    throw place.nameError(error);
  }
}

type FileRobot = Pick<UrdfRobot, 'robot' | 'states' | 'warnings'>;

/** A file name as a file beside another one has it. */
export function besideFile(file: string, name: string): string {
  return /^([/\\]|[a-z]:)/i.test(name) ? name : file.replace(/[^/\\]*$/, '') + name;
}

/** What URDF and MJCF files are read with. */
function readFileOptions(fields: JsonFields) {
  return {
    shapes: fields.take('shapes', undefined, (at) => at.choice(['collision', 'visual'])),
    fixed: fields.take('fixed', undefined, (at) => readByName(at, (entry) => entry.number())),
    touching: fields.take('touching', undefined, (at) => at.choice(['always', 'at-rest', 'none'])),
  };
}

async function readMjcfFile(file: string, fields: JsonFields, options: ReadProblemOptions): Promise<FileRobot> {
  return readMjcf(await options.loadText!(file), {
    loadMesh: (name) => options.loadMesh(besideFile(file, name)),
    loadText: (name) => options.loadText!(besideFile(file, name)),
    ...readFileOptions(fields),
  });
}

async function readUrdfFile(file: string, fields: JsonFields, options: ReadProblemOptions): Promise<FileRobot> {
  const packages: Readonly<Record<string, string>> = fields.take('packages', {}, (at) =>
    readByName(at, (entry) => entry.text()),
  );
  // Folders of packages are relative to the problem, and so is what loadMesh gets.
  const known = new Set<string>();
  return readUrdf(await options.loadText!(file), {
    loadMesh: (name) =>
      options.loadMesh([...known].some((folder) => name.startsWith(`${folder}/`)) ? name : besideFile(file, name)),
    packages: (name) => {
      const found = Object.hasOwn(packages, name) ? packages[name] : options.findPackage?.(name, file);
      const folder = found?.replace(/\/$/, '');
      if (folder !== undefined) known.add(folder);
      return folder;
    },
    srdf: fields.has('srdf') ? await options.loadText!(fields.at('srdf').text()) : undefined,
    group: fields.take('group', undefined, (at) => at.text()),
    ...readFileOptions(fields),
  });
}

/** Where a chain stands, begins and ends. */
function readChainState(
  fields: JsonFields,
  states: UrdfRobot['states'] = {},
): Pick<ChainPlanRobot, 'base' | 'start' | 'goal' | 'speed'> {
  const readState = (at: JsonPlace): number[] | JointValues => readJointState(at, states);
  return {
    base: fields.take('base', undefined, (at) => at.numbers(7)),
    start: fields.take('start', undefined, readState),
    goal: fields.take('goal', undefined, (at) => (isLinkGoal(at.value) ? readLinkGoal(at) : readState(at))),
    speed: fields.take('speed', undefined, readSpeed),
  };
}

/** Joint values as a list, by the names of joints, or by the name of a state of the robot's files. */
function readJointState(place: JsonPlace, states: UrdfRobot['states']): number[] | JointValues {
  if (typeof place.value === 'string') {
    if (Object.hasOwn(states, place.value)) return states[place.value];
    const names = Object.keys(states);
    const known = names.length === 0 ? 'no states by name; give joint values' : `the states ${names.join(', ')}`;
    return place.refuse(`is ${place.describe()}, and the robot has ${known}`);
  }
  if (Array.isArray(place.value)) return place.list('joint values').map((value) => value.number());
  return readByName(place, (entry) => entry.number());
}

function readLinkGoal(place: JsonPlace): LinkGoal {
  const goal = place.fields(['link', 'pose', 'position', 'point', 'tolerance', 'angleTolerance'], ['link']);
  return {
    link: goal.at('link').text(),
    pose: goal.take('pose', undefined, (at) => at.numbers(7)),
    position: goal.take('position', undefined, (at) => at.numbers(3) as Vec3),
    point: goal.take('point', undefined, (at) => at.numbers(3) as Vec3),
    tolerance: goal.take('tolerance', undefined, (at) => at.number({ min: 0 })),
    angleTolerance: goal.take('angleTolerance', undefined, (at) => at.number({ min: 0 })),
  };
}

/** What an object has by names of its own. */
function readByName<T>(place: JsonPlace, read: (entry: JsonPlace) => T): Readonly<Record<string, T>> {
  const isObject = typeof place.value === 'object' && place.value !== null && !Array.isArray(place.value);
  const names = isObject ? Object.keys(place.value) : [];
  const fields = place.fields(names);
  return Object.fromEntries(names.map((name) => [name, read(fields.at(name))]));
}

function readPairs(fields: JsonFields): (readonly [string, string])[] {
  return fields
    .take('ignore', [], (at) => at.list('pairs of links'))
    .map((pair) => {
      const [a, b, ...more] = pair.list('two links');
      return b === undefined || more.length > 0
        ? pair.refuse('is no pair; give two links')
        : ([a.text(), b.text()] as const);
    });
}

function readJoint(place: JsonPlace): PlanJoint {
  const joint = place.fields(
    ['name', 'type', 'parent', 'child', 'origin', 'axis', 'limits', 'mimic', 'velocity', 'acceleration', 'jerk'],
    ['name', 'type', 'parent', 'child'],
  );
  return {
    name: joint.at('name').text(),
    type: joint.at('type').choice(['revolute', 'continuous', 'prismatic', 'fixed']),
    parent: joint.at('parent').text(),
    child: joint.at('child').text(),
    origin: joint.take('origin', undefined, (at) => at.numbers(7)),
    axis: joint.take('axis', undefined, (at) => at.numbers(3) as Vec3),
    limits: joint.take('limits', undefined, (at) => at.numbers(2) as unknown as [number, number]),
    mimic: joint.take('mimic', undefined, readMimic),
    velocity: joint.take('velocity', undefined, (at) => at.number({ above: 0 })),
    acceleration: joint.take('acceleration', undefined, (at) => at.number({ above: 0 })),
    jerk: joint.take('jerk', undefined, (at) => at.number({ above: 0 })),
  };
}

function readMimic(place: JsonPlace): PlanJoint['mimic'] {
  const mimic = place.fields(['joint', 'factor', 'offset'], ['joint']);
  return {
    joint: mimic.at('joint').text(),
    factor: mimic.take('factor', 1, (at) => at.number()),
    offset: mimic.take('offset', 0, (at) => at.number()),
  };
}

/** The speed of a robot. */
export function readSpeed(place: JsonPlace): SpeedLimit {
  const speed = place.fields(['linear', 'angular']);
  return {
    linear: speed.take('linear', undefined, (at) => at.number({ above: 0 })),
    angular: speed.take('angular', undefined, (at) => at.number({ above: 0 })),
  };
}

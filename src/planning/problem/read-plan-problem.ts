// Problems from JSON files. Every refusal says where: "robots[0].bounds.min is …".
import { nameValue } from '../../core/check/check-options.js';
import { type JsonFields, JsonPlace } from '../../core/check/json-place.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { readPlanningScene } from '../../kinematics/moveit/read-scene.js';
import { boxMesh, outerCapsule, outerCylinder, outerSphere } from '../../kinematics/urdf/outer-shapes.js';
import type { PlanObstacle } from '../../kinematics/validity/obstacle-description.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { Keyframe } from '../../proximity/impact/motion.js';
import { SAMPLERS } from '../roadmap/sampler.js';
import {
  PLANNERS,
  type PlanProblem,
  type PlanQuery,
  type PlanRobot,
  type RobotsConfiguration,
} from './plan-problem.js';
import {
  besideFile,
  type LoadMesh,
  type ReadProblemOptions,
  readChain,
  readFileRobot,
  readSpeed,
} from './read-chain.js';

const READ_OPTIONS = optionTable<ReadProblemOptions>()({
  loadMesh: checkedElsewhere<ReadProblemOptions['loadMesh']>(),
  loadText: checkedElsewhere<NonNullable<ReadProblemOptions['loadText']>>(),
  findPackage: checkedElsewhere<NonNullable<ReadProblemOptions['findPackage']>>(),
  onWarning: checkedElsewhere<NonNullable<ReadProblemOptions['onWarning']>>(),
  needsEnds: checkedElsewhere<boolean>(true),
});

const PROBLEM_KEYS = [
  ...[
    'format',
    'version',
    'name',
    'unit',
    'robots',
    'environment',
    'clearance',
    'preferredClearance',
    'planner',
    'timeLimit',
    'maxMemory',
    'seed',
    'sampler',
  ],
  ...['queries', 'horizon'],
];
const SHAPE_KEYS = ['box', 'sphere', 'cylinder', 'capsule'];
const BODY_KEYS = ['name', 'type', 'model', 'bounds', 'plane', 'start', 'goal', 'speed'];
const CHAIN_KEYS = ['name', 'type', 'base', 'links', 'joints', 'ignore', 'start', 'goal', 'speed'];
const FILE_KEYS = ['shapes', 'fixed', 'touching'];
const URDF_KEYS = ['urdf', 'srdf', 'group', 'packages', ...FILE_KEYS];
const MJCF_KEYS = ['mjcf', ...FILE_KEYS];

/**
 * Reads a problem, given as the text of a problem file.
 * @throws NearfieldError that says which key is wrong, and what to do.
 */
export async function readPlanProblem(text: string, options: ReadProblemOptions): Promise<PlanProblem> {
  READ_OPTIONS.assert(options);
  if (typeof options?.loadMesh !== 'function') {
    throw new NearfieldError('bad-argument', 'loadMesh is missing; give a function that reads the mesh of a file.');
  }
  const fields = new JsonPlace(parse(text), '', 'The problem').fields(PROBLEM_KEYS, ['robots', 'environment']);
  fields.take('format', '', (place) => place.choice(['nearfield-plan-problem']));
  fields.take('version', 1, (place) => place.number({ min: 1, max: 1, integer: true }));
  fields.take('unit', '', (place) => place.text());
  const { needsEnds = true } = options;
  const queries = fields.take('queries', undefined, (place) => place.list('queries').map(readQuery));
  const load = meshLoader(options);
  const robots: PlanRobot[] = [];
  for (const place of fields.at('robots').list('robots')) {
    robots.push(await readRobot(place, options, load, needsEnds && queries === undefined ? ['start', 'goal'] : []));
  }
  const environment: PlanObstacle[] = [];
  for (const place of fields.at('environment').list('models')) {
    environment.push(...(await readObstacles(place, options, load)));
  }
  return {
    name: fields.take('name', undefined, (place) => place.text()),
    robots,
    environment,
    queries,
    horizon: fields.take('horizon', undefined, (place) => place.number({ above: 0 })),
    clearance: fields.take('clearance', undefined, (place) => place.number({ min: 0 })),
    preferredClearance: fields.take('preferredClearance', undefined, (place) => place.number({ min: 0 })),
    planner: fields.take('planner', undefined, (place) => place.choice(PLANNERS)),
    sampler: fields.take('sampler', undefined, (place) => place.choice(SAMPLERS)),
    timeLimit: fields.take('timeLimit', undefined, (place) => place.number({ min: 0 })),
    maxMemory: fields.take('maxMemory', undefined, (place) => place.number({ min: 0 })),
    seed: fields.take('seed', undefined, (place) => place.number({ min: 0, max: 2 ** 32 - 1, integer: true })),
  };
}

function parse(text: string): unknown {
  if (typeof text !== 'string') {
    throw new NearfieldError('bad-argument', `The problem is ${nameValue(text)}; give the text of a problem file.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NearfieldError('file-format', `The problem is no JSON: ${(error as Error).message}.`);
  }
}

/** Loads each file once. */
function meshLoader({ loadMesh }: ReadProblemOptions): LoadMesh {
  const loaded = new Map<string, Mesh>();
  return async (place) => {
    const file = place.text();
    try {
      const mesh = loaded.get(file) ?? (await loadMesh(file));
      assertMesh(mesh);
      loaded.set(file, mesh);
      return mesh;
    } catch (error) {
      throw place.nameError(error);
    }
  };
}

async function readRobot(
  place: JsonPlace,
  options: ReadProblemOptions,
  load: LoadMesh,
  needed: readonly string[],
): Promise<PlanRobot> {
  const given = place.value as { type?: unknown; urdf?: unknown; mjcf?: unknown } | null;
  const isFile = given?.urdf !== undefined || given?.mjcf !== undefined;
  const isChain = given?.type === 'chain' || isFile;
  const ofFile = given?.urdf === undefined ? MJCF_KEYS : URDF_KEYS;
  const keys = isFile ? [...CHAIN_KEYS.filter((key) => key !== 'links' && key !== 'joints'), ...ofFile] : CHAIN_KEYS;
  const fields = place.fields(isChain ? keys : BODY_KEYS, isFile ? needed : ['type', ...needed]);
  if (isFile) {
    fields.take('type', 'chain', (at) => at.choice(['chain']));
    return readFileRobot(fields, options);
  }
  const type = fields.at('type').choice(['rigid', 'planar', 'chain']);
  const name = fields.take('name', undefined, (at) => at.text());
  if (type === 'chain') return readChain(fields, name, load);
  for (const key of ['model', 'bounds', ...(type === 'planar' ? ['plane'] : [])]) {
    if (!fields.has(key)) place.refuse(`has no "${key}"; add it`);
  }
  const bounds = fields.at('bounds').fields(['min', 'max'], ['min', 'max']);
  const body = {
    name,
    mesh: await load(fields.at('model')),
    bounds: { min: bounds.at('min').numbers(3) as Vec3, max: bounds.at('max').numbers(3) as Vec3 },
    start: fields.take('start', undefined, (at) => at.numbers(7)),
    goal: fields.take('goal', undefined, (at) => at.numbers(7)),
    speed: fields.take('speed', undefined, readSpeed),
  };
  if (type === 'rigid') return { type, ...body };
  return { type, plane: fields.at('plane').choice(['xy', 'xz', 'yz']), ...body };
}

/** An entry of the environment: one obstacle, or all those of a planning scene. */
async function readObstacles(place: JsonPlace, options: ReadProblemOptions, load: LoadMesh): Promise<PlanObstacle[]> {
  const part = place.fields(['name', 'model', 'scene', ...SHAPE_KEYS, 'pose', 'motion']);
  const kinds = ['model', 'scene', ...SHAPE_KEYS].filter((key) => part.has(key));
  if (kinds.length !== 1) {
    const found = kinds.length === 0 ? 'no shape' : kinds.map((key) => `"${key}"`).join(' and ');
    place.refuse(`has ${found}; give one of "model", "scene", "box", "sphere", "cylinder" and "capsule"`);
  }
  if (part.has('pose') && part.has('motion')) place.refuse('has a pose and a motion; give one of them');
  const placed = part.take('pose', undefined, (at) => at.numbers(7));
  if (part.has('scene')) {
    for (const key of ['motion', 'name']) if (part.has(key)) part.at(key).refuse('is given for a scene; leave it out');
    return readScene(part.at('scene'), placed, options);
  }
  const name = part.take('name', undefined, (at) => at.text());
  const motion = part.take('motion', undefined, readMotion);
  const mesh = part.has('model') ? await load(part.at('model')) : readShape(part);
  return [{ name, mesh, pose: placed, motion }];
}

/** The objects of a planning scene of MoveIt, placed at a pose. */
async function readScene(
  place: JsonPlace,
  placed: number[] | undefined,
  options: ReadProblemOptions,
): Promise<PlanObstacle[]> {
  const file = place.text();
  const { loadText, loadMesh, findPackage, onWarning } = options;
  if (loadText === undefined) return place.refuse('cannot be read; give readPlanProblem the option loadText');
  try {
    const frame = placed === undefined ? pose.identity() : pose.parse(placed, 'scene');
    const { environment, warnings } = await readPlanningScene(await loadText(file), {
      loadMesh: (name) => loadMesh(besideFile(file, name)),
      packages: (name) => findPackage?.(name, file),
    });
    for (const warning of warnings) onWarning?.(`${file}: ${warning}`);
    return environment.map((own) => ({ ...own, pose: pose.multiply(frame, own.pose ?? pose.identity()) }));
  } catch (error) {
    throw place.nameError(error);
  }
}

/** A shape in place of a model, as a mesh that contains it. */
function readShape(part: JsonFields): Mesh {
  const above = { above: 0 };
  if (part.has('box')) return boxMesh(part.at('box').numbers(3, above, 'three sizes above 0'));
  if (part.has('sphere')) return outerSphere(part.at('sphere').number(above));
  const round = part.has('cylinder') ? 'cylinder' : 'capsule';
  const [radius, height] = part.at(round).numbers(2, above, 'a radius and a height above 0');
  return round === 'cylinder' ? outerCylinder(radius, height) : outerCapsule(radius, height);
}

function readMotion(place: JsonPlace): Keyframe[] {
  const keys = place.list('keyframes');
  return keys.length > 0 ? keys.map(readKey) : place.refuse('has no keyframes; give [{"time", "pose"}, …]');
}

function readKey(place: JsonPlace): Keyframe {
  const key = place.fields(['time', 'pose'], ['time', 'pose']);
  return { time: key.at('time').number(), pose: key.at('pose').numbers(7) };
}

function readQuery(place: JsonPlace): PlanQuery {
  const query = place.fields(['start', 'goal'], ['start', 'goal']);
  const read = (key: string): RobotsConfiguration => {
    const values = query.at(key).list('numbers, or configurations of robots');
    const areLists = values.length > 0 && values.every(({ value }) => Array.isArray(value));
    if (!areLists) return values.map((value) => value.number());
    return values.map((own) => own.list('numbers').map((value) => value.number()));
  };
  return { start: read('start'), goal: read('goal') };
}

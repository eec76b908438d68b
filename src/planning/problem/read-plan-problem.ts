// Problems from JSON files. Every refusal says where: "robots[0].bounds.min is …".
import { assertOptions, nameValue, type OptionNames } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { type JsonFields, JsonPlace } from '../../dynamics/scene/json-place.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { type ChainPlanRobot, PLANNERS, type PlanJoint, type PlanProblem, type PlanRobot } from './plan-problem.js';

/** How a problem is read. */
export interface ReadProblemOptions {
  /** Reads the mesh of a file that the problem names, relative to it. */
  readonly loadMesh: (file: string) => Mesh | Promise<Mesh>;
}

const READ_NAMES: OptionNames<ReadProblemOptions> = { loadMesh: true };

const PROBLEM_KEYS = [
  ...['format', 'version', 'name', 'unit', 'robots', 'environment', 'clearance', 'planner', 'timeLimit', 'seed'],
  ...['queries', 'horizon'],
];
const BODY_KEYS = ['name', 'type', 'model', 'bounds', 'plane', 'start', 'goal', 'speed'];
const CHAIN_KEYS = ['name', 'type', 'base', 'links', 'joints', 'ignore', 'urdf', 'start', 'goal', 'speed'];

/**
 * Reads a problem, given as the text of a problem file.
 * @throws NearfieldError that says which key is wrong, and what to do.
 */
export async function readPlanProblem(text: string, options: ReadProblemOptions): Promise<PlanProblem> {
  assertOptions(options, READ_NAMES);
  if (typeof options?.loadMesh !== 'function') {
    throw new NearfieldError('bad-argument', 'loadMesh is missing; give a function that reads the mesh of a file.');
  }
  const fields = new JsonPlace(parse(text), '', 'The problem').fields(PROBLEM_KEYS, ['robots', 'environment']);
  fields.take('format', '', (place) => place.choice(['nearfield-plan-problem']));
  fields.take('version', 1, (place) => place.number({ min: 1, max: 1, integer: true }));
  fields.take('unit', '', (place) => place.text());
  refuseKeys(fields, ['queries', 'horizon']);
  const load = meshLoader(options);
  const robots: PlanRobot[] = [];
  for (const place of fields.at('robots').list('robots')) robots.push(await readRobot(place, load));
  const environment: { mesh: Mesh; pose?: number[] }[] = [];
  for (const place of fields.at('environment').list('models')) {
    const part = place.fields(['name', 'model', 'pose', 'motion'], ['model']);
    refuseKeys(part, ['motion']);
    const pose = part.take('pose', undefined, (at) => at.numbers(7));
    environment.push({ mesh: await load(part.at('model')), ...(pose === undefined ? {} : { pose }) });
  }
  return {
    name: fields.take('name', undefined, (place) => place.text()),
    robots,
    environment,
    clearance: fields.take('clearance', undefined, (place) => place.number({ min: 0 })),
    planner: fields.take('planner', undefined, (place) => place.choice(PLANNERS)),
    timeLimit: fields.take('timeLimit', undefined, (place) => place.number({ min: 0 })),
    seed: fields.take('seed', undefined, (place) => place.number({ min: 0, max: 2 ** 32 - 1, integer: true })),
  };
}

type Load = (place: JsonPlace) => Promise<Mesh>;

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
function meshLoader({ loadMesh }: ReadProblemOptions): Load {
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

async function readRobot(place: JsonPlace, load: Load): Promise<PlanRobot> {
  const isChain = (place.value as { type?: unknown } | null)?.type === 'chain';
  const fields = place.fields(isChain ? CHAIN_KEYS : BODY_KEYS, ['type', 'start', 'goal']);
  const type = fields.at('type').choice(['rigid', 'planar', 'chain']);
  const name = fields.take('name', undefined, (at) => at.text());
  refuseKeys(fields, ['urdf', 'speed']);
  if (type === 'chain') return readChain(fields, name, load);
  for (const key of ['model', 'bounds', ...(type === 'planar' ? ['plane'] : [])]) {
    if (!fields.has(key)) place.refuse(`has no "${key}"; add it`);
  }
  const bounds = fields.at('bounds').fields(['min', 'max'], ['min', 'max']);
  const body = {
    name,
    mesh: await load(fields.at('model')),
    bounds: { min: bounds.at('min').numbers(3) as Vec3, max: bounds.at('max').numbers(3) as Vec3 },
    start: fields.at('start').numbers(7),
    goal: fields.at('goal').numbers(7),
  };
  if (type === 'rigid') return { type, ...body };
  return { type, plane: fields.at('plane').choice(['xy', 'xz', 'yz']), ...body };
}

async function readChain(fields: JsonFields, name: string | undefined, load: Load): Promise<ChainPlanRobot> {
  const links: { name: string; mesh?: Mesh }[] = [];
  for (const place of fields.at('links').list('links')) {
    const link = place.fields(['name', 'model'], ['name']);
    const mesh = link.has('model') ? await load(link.at('model')) : undefined;
    links.push({ name: link.at('name').text(), ...(mesh === undefined ? {} : { mesh }) });
  }
  const joints = fields.at('joints').list('joints').map(readJoint);
  const pairs = fields.take('ignore', [], (at) => at.list('pairs of links'));
  const ignore = pairs.map((pair) => {
    const [a, b, ...more] = pair.list('two links');
    return b === undefined || more.length > 0
      ? pair.refuse('is no pair; give two links')
      : ([a.text(), b.text()] as const);
  });
  const values = (key: string): number[] =>
    fields
      .at(key)
      .list('joint values')
      .map((at) => at.number());
  return {
    type: 'chain',
    name,
    base: fields.take('base', undefined, (at) => at.numbers(7)),
    links,
    joints,
    ignore,
    start: values('start'),
    goal: values('goal'),
  };
}

function readJoint(place: JsonPlace): PlanJoint {
  const joint = place.fields(
    ['name', 'type', 'parent', 'child', 'origin', 'axis', 'limits'],
    ['name', 'type', 'parent', 'child'],
  );
  return {
    name: joint.at('name').text(),
    type: joint.at('type').choice(['revolute', 'prismatic', 'fixed']),
    parent: joint.at('parent').text(),
    child: joint.at('child').text(),
    origin: joint.take('origin', undefined, (at) => at.numbers(7)),
    axis: joint.take('axis', undefined, (at) => at.numbers(3) as Vec3),
    limits: joint.take('limits', undefined, (at) => at.numbers(2) as unknown as [number, number]),
  };
}

/** Keys of the format that nothing stands behind yet. */
function refuseKeys(fields: JsonFields, keys: readonly string[]): void {
  for (const key of keys) {
    if (!fields.has(key)) continue;
    const { path } = fields.at(key);
    throw new NearfieldError('unsupported', `${path} is not supported yet; plan without it.`);
  }
}

// The form of a scene file: every key, its type and its range, with defaults filled in. Files and models are not read yet.

import { type JsonFields, JsonPlace } from '../core/check/json-place.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import { TIME_OF_CONTACT_METHODS, type TimeOfContactMethod } from '../dynamics/impact/time-of-contact.js';
import { DYNAMICS_DEFAULTS } from '../dynamics/step-rules.js';
import {
  type CheckedElastic,
  type CheckedHold,
  type CheckedLoad,
  type CheckedSolver,
  checkElastic,
  checkHolds,
  checkLoads,
  checkSolver,
  DEFAULT_SOLVER,
} from './check-elastic.js';
import {
  type CheckedForce,
  type CheckedFreedom,
  type CheckedSurface,
  checkForce,
  checkFreedom,
  checkSubsteps,
  checkSurface,
  FREEDOM_KEYS,
} from './check-freedom.js';
import { type CheckedWave, checkWave } from './check-wave.js';
import type { SceneJoint, SimulationMethod } from './scene-description.js';
import { COORDINATE, readKeyframes } from './scene-keys.js';

/** The methods, `auto` first. */
export const SIMULATION_METHODS: readonly SimulationMethod[] = ['auto', 'penalty', 'backtracking', 'time-of-contact'];

const SCENE_KEYS = [
  'dimension',
  'gravity',
  'timestep',
  'method',
  'timeOfContact',
  'analysis',
  'start',
  'seed',
  'solver',
  'bodies',
  'joints',
  'probes',
  'substeps',
  'stiffness',
  'forces',
  'surfaces',
] as const;
const BODY_KEYS = [
  'name',
  'shape',
  'pose',
  'density',
  'mass',
  'velocity',
  'angularVelocity',
  'friction',
  'restitution',
  'fixed',
  'path',
  'elastic',
  'hold',
  'loads',
  'instances',
  ...FREEDOM_KEYS,
] as const;
const SPACE_SHAPES = ['file', 'model', 'box', 'sphere', 'plane', 'tetrahedra'] as const;
const PLANE_SHAPES = ['polygon', 'circle'] as const;
const SHAPE_CHANGES = ['scale', 'thickness'] as const;
const JOINT_KEYS = [
  ...(['type', 'body', 'other', 'at', 'axis', 'speed', 'strength', 'limits'] as const),
  ...(['collide', 'to', 'stiffness', 'damping', 'length'] as const),
] as const;
const SPACE_JOINTS = ['pin', 'hinge', 'slider', 'ball', 'fixed', 'distance', 'spring'] as const;
const PLANE_JOINTS = ['pin', 'slider', 'fixed', 'distance'] as const;

/** Chosen: the longest step, in seconds: some thirty thousand years. Its square stays finite. */
const MAX_STEP = 1e12;

/** A scene whose form is right. */
export interface CheckedScene {
  readonly dimension: 2 | 3;
  readonly gravity: readonly number[];
  readonly timestep: number;
  readonly method: SimulationMethod;
  /** How times of impacts are found. */
  readonly timeOfContact: TimeOfContactMethod;
  readonly analysis: 'dynamic' | 'static';
  readonly start: 'rest' | 'static';
  readonly seed: number;
  readonly solver: CheckedSolver;
  readonly bodies: readonly CheckedBody[];
  readonly joints: readonly CheckedJoint[];
  readonly probes: readonly CheckedProbe[];
  /** Of rigid bodies in a step; null where the scene leaves it to us. */
  readonly substeps: number | null;
  /** Of penalty forces in the plane, N/m²; null where the scene leaves it to us. */
  readonly stiffness: number | null;
  readonly forces: readonly CheckedForce[];
  readonly surfaces: readonly CheckedSurface[];
}

export interface CheckedProbe {
  readonly place: JsonPlace;
  readonly body: number;
  /** A point of the body at rest, in the world, or the number of a node. */
  readonly at: { readonly point: readonly number[] } | { readonly node: number };
}

export interface CheckedBody extends CheckedFreedom {
  readonly name: string;
  /** What messages about this body begin with. */
  readonly place: JsonPlace;
  readonly shape: CheckedShape;
  readonly pose: readonly number[];
  /** At most one of the two is given. */
  readonly density: number | null;
  readonly mass: number | null;
  readonly velocity: readonly number[];
  /** One number in the plane. */
  readonly angularVelocity: readonly number[];
  readonly friction: number;
  readonly restitution: number;
  readonly fixed: boolean;
  readonly path: readonly { readonly time: number; readonly pose: readonly number[] }[] | null;
  /** In space; null for rigid bodies. */
  readonly elastic: CheckedElastic | null;
  /** In the plane; null for rigid bodies. */
  readonly wave: CheckedWave | null;
  readonly holds: readonly CheckedHold[];
  readonly loads: readonly CheckedLoad[];
}

/** A shape's kind, what was given for it, and a text that equal shapes have in common. */
export interface CheckedShape {
  readonly kind: (typeof SPACE_SHAPES)[number] | (typeof PLANE_SHAPES)[number];
  readonly place: JsonPlace;
  readonly given: Readonly<Record<string, unknown>>;
  readonly key: string;
}

export interface CheckedJoint {
  readonly place: JsonPlace;
  readonly type: SceneJoint['type'];
  readonly body: number;
  /** Null for the world. */
  readonly other: number | null;
  readonly at: readonly number[];
  /** Null where the joint has none. */
  readonly axis: readonly number[] | null;
  readonly speed: number | null;
  readonly strength: number | null;
  readonly limits: readonly [number, number] | null;
  readonly collide: boolean;
  /** Of distances and springs: the point of the other body. */
  readonly to: readonly number[] | null;
  readonly stiffness: number | null;
  readonly damping: number | null;
  readonly length: number | null;
}

/** Checks a scene, given as the text of a file or as its content. */
export function checkScene(json: unknown): CheckedScene {
  const scene = new JsonPlace(typeof json === 'string' ? parseText(json) : json, '');
  const fields = scene.fields(SCENE_KEYS, ['bodies']);
  const dimension = fields.take('dimension', 3, (place) =>
    place.value === 2 || place.value === 3 ? place.value : place.refuse(`is ${place.describe()}; give 3 or 2`),
  ) as 2 | 3;
  const analysis = fields.take('analysis', 'dynamic', (place) => place.choice(['dynamic', 'static']));
  const start = fields.take('start', 'rest', (place) => place.choice(['rest', 'static']));
  const solver = fields.take('solver', DEFAULT_SOLVER, checkSolver);
  const bodies = fields
    .at('bodies')
    .list('bodies')
    .flatMap((place) => checkInstances(place, dimension));
  if (!bodies.some(({ elastic }) => elastic !== null)) {
    if (analysis === 'static') refuseElastic(fields.at('analysis'));
    if (start === 'static') refuseElastic(fields.at('start'));
    if (fields.has('solver')) refuseElastic(fields.at('solver'));
  }
  const names = new BodyNames(bodies);
  if (analysis === 'static' || start === 'static') {
    const free = bodies.findIndex(({ elastic, holds }) => elastic !== null && holds.length === 0);
    if (bodies.length === 1 && free === 0) {
      bodies[0].place.refuse('is held nowhere and has no equilibrium; add a "hold", or leave "static" out');
    }
  }
  return {
    dimension,
    gravity: fields.take('gravity', DYNAMICS_DEFAULTS.gravity.slice(0, dimension), (place) =>
      vectorOf(place, dimension),
    ),
    timestep: fields.take('timestep', DYNAMICS_DEFAULTS.timestep, (place) => place.number({ above: 0, max: MAX_STEP })),
    method: fields.take('method', SIMULATION_METHODS[0], (place) => place.choice(SIMULATION_METHODS)),
    timeOfContact: fields.take('timeOfContact', TIME_OF_CONTACT_METHODS[0], (place) =>
      checkTimeOfContact(place, dimension),
    ),
    analysis,
    start,
    seed: fields.take('seed', 1, (place) => place.number({ integer: true })),
    solver,
    bodies,
    joints: fields.take('joints', [], (place) =>
      place.list('joints').map((joint) => checkJoint(joint, names, bodies, dimension)),
    ),
    probes: fields.take('probes', [], (place) =>
      place.list('probes').map((probe) => checkProbe(probe, names, bodies, dimension)),
    ),
    ...checkInfluences(fields, names, bodies, dimension),
  };
}

/** Checks a method that takes the place of the scene's. */
export function checkMethod(method: unknown): SimulationMethod {
  return new JsonPlace(method, 'method').choice(SIMULATION_METHODS);
}

/** Checks how times of impacts are found. */
export function checkTimeOfContact(place: JsonPlace, dimension: 2 | 3): TimeOfContactMethod {
  if (dimension === 2) place.refuse('is for scenes in space; leave it out');
  return place.choice(TIME_OF_CONTACT_METHODS);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NearfieldError(
      'file-format',
      `The scene is not valid JSON (${(error as Error).message}); a scene is {"bodies":[{"shape":{"box":[1,1,1]},"pose":[…]}, …]}.`,
    );
  }
}

/** Bodies by index or by name. */
class BodyNames {
  readonly #count: number;
  readonly #byName = new Map<string, number>();
  /** Names of several bodies, with the first two. */
  readonly #twice = new Map<string, readonly [number, number]>();

  constructor(bodies: readonly CheckedBody[]) {
    this.#count = bodies.length;
    for (const [i, { name }] of bodies.entries()) {
      const other = this.#byName.get(name);
      if (other === undefined) this.#byName.set(name, i);
      else this.#twice.set(name, [other, i]);
    }
  }

  find(place: JsonPlace): number {
    const { value } = place;
    const twice = typeof value === 'string' ? this.#twice.get(value) : undefined;
    if (twice !== undefined) {
      place.refuse(`is ${place.describe()}, the name of bodies[${twice[0]}] and bodies[${twice[1]}]; give the index`);
    }
    const index = typeof value === 'string' ? this.#byName.get(value) : value;
    if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < this.#count) return index;
    return place.refuse(
      `is ${place.describe()}; give the name of a body or its index${this.#count === 0 ? '' : ` from 0 to ${this.#count - 1}`}`,
    );
  }
}

/** What a scene says of its world and of forces and surfaces in it. */
function checkInfluences(
  fields: JsonFields,
  names: BodyNames,
  bodies: readonly CheckedBody[],
  dimension: 2 | 3,
): Pick<CheckedScene, 'substeps' | 'stiffness' | 'forces' | 'surfaces'> {
  const findRigid = (place: JsonPlace): number => {
    const body = names.find(place);
    if (bodies[body].elastic === null && bodies[body].wave === null) return body;
    return place.refuse('is an elastic body; forces and surfaces here are for rigid ones, "loads" for elastic ones');
  };
  const findMoving = (place: JsonPlace): number => {
    const body = findRigid(place);
    const { fixed, path, moves, letGo, split } = bodies[body];
    if (split) place.refuse('is split into parts; give these as bodies of their own to push one');
    if (letGo !== null || !(fixed || path !== null || moves !== null)) return body;
    return place.refuse('never moves by forces; give a body that is neither fixed nor moved');
  };
  if (dimension === 2 && fields.has('surfaces')) {
    fields.at('surfaces').refuse('is for scenes in space; leave it out, or set "dimension" to 3');
  }
  if (dimension === 3 && fields.has('stiffness')) {
    fields.at('stiffness').refuse('is for scenes in the plane; leave it out, or set "dimension" to 2');
  }
  return {
    substeps: fields.take('substeps', null, checkSubsteps),
    stiffness: fields.take('stiffness', null, (place) => place.number({ above: 0, max: Number.MAX_VALUE })),
    forces: fields.take('forces', [], (place) =>
      place.list('forces').map((force) => checkForce(force, findMoving, dimension, (v) => vectorOf(v, dimension))),
    ),
    surfaces: fields.take('surfaces', [], (place) =>
      place.list('pairs').map((surface) => checkSurface(surface, findRigid)),
    ),
  };
}

/** A body, or one at each pose of its instances, with its name and a number. */
function checkInstances(place: JsonPlace, dimension: 2 | 3): CheckedBody[] {
  const body = checkBody(place, dimension);
  const fields = place.fields(BODY_KEYS);
  if (!fields.has('instances')) return [body];
  if (fields.has('pose') || fields.has('path')) {
    fields.at('instances').refuse('are poses of copies; leave "pose" and "path" out');
  }
  if (body.wave?.nodes)
    fields.at('instances').refuse('are of a soft body whose nodes are given; leave one of them out');
  const poses = fields.at('instances').list('poses');
  if (poses.length === 0) fields.at('instances').refuse('is empty; give at least one pose');
  return poses.map((pose, i) => ({
    ...body,
    name: body.name === '' ? '' : `${body.name} ${i + 1}`,
    pose: poseOf(pose, dimension),
  }));
}

function checkBody(place: JsonPlace, dimension: 2 | 3): CheckedBody {
  const fields = place.fields(BODY_KEYS, ['shape']);
  const shape = checkShape(fields.at('shape'), dimension);
  const elastic = dimension === 2 ? null : fields.take('elastic', null, checkElastic);
  const wave =
    dimension === 3 ? null : fields.take('elastic', null, (value) => checkWave(value, nodesOf(value, shape)));
  for (const name of ['hold', 'loads'] as const) {
    if (elastic === null && fields.has(name)) refuseElastic(fields.at(name));
  }
  const fixed = fields.take('fixed', false, (flag) => flag.flag());
  const path = fields.take('path', null, (keys) => checkPath(keys, dimension));
  if (fixed && path !== null) place.refuse('is fixed and has a path; leave one of them out');
  if (wave !== null && path !== null) fields.at('path').refuse('is for rigid bodies; leave it or "elastic" out');
  if (elastic !== null && (fixed || path !== null)) {
    const what = fixed ? 'fixed' : 'path';
    fields.at(what).refuse('is for rigid bodies; hold nodes of an elastic one by "hold", or leave "elastic" out');
  }
  if (fields.has('density') && fields.has('mass')) place.refuse('has a density and a mass; leave one of them out');
  const angular = dimension === 3 ? 3 : 1;
  const velocity = fields.take('velocity', new Array<number>(dimension).fill(0), (vector) =>
    vectorOf(vector, dimension),
  );
  const angularVelocity = fields.take('angularVelocity', new Array<number>(angular).fill(0), (turning) =>
    dimension === 3 ? vectorOf(turning, 3) : [turning.number(COORDINATE)],
  );
  const friction = fields.take('friction', DYNAMICS_DEFAULTS.friction, (value) => value.number({ min: 0 }));
  const isElastic = elastic !== null;
  const freedom = checkFreedom(fields, dimension, { isHeld: fixed || path !== null, isElastic, friction });
  if (freedom.moves !== null && (fixed || path !== null)) {
    fields.at('moves').refuse(`is given and the body ${fixed ? 'is fixed' : 'has a path'}; leave one of them out`);
  }
  if ((freedom.split || freedom.fracture !== null) && (shape.kind === 'sphere' || shape.kind === 'plane')) {
    place.refuse(`is a ${shape.kind}, which does not come apart; leave "split" and "fracture" out`);
  }
  if (
    (fixed || path !== null || freedom.moves !== null) &&
    [...velocity, ...angularVelocity].some((value) => value !== 0)
  ) {
    place.refuse(`has a velocity although it ${fixed ? 'is fixed' : 'is moved'}; leave the velocity out`);
  }
  return {
    name: fields.take('name', '', (text) => (text.value === '' ? '' : text.text())),
    place,
    shape,
    ...freedom,
    pose: path?.[0].pose ?? fields.take('pose', identityOf(dimension), (value) => poseOf(value, dimension)),
    density: fields.take('density', null, (value) => value.number({ above: 0 })),
    mass: fields.take('mass', null, (value) => value.number({ above: 0 })),
    velocity,
    angularVelocity,
    friction,
    restitution: fields.take('restitution', DYNAMICS_DEFAULTS.restitution, (value) => value.number({ min: 0, max: 1 })),
    fixed,
    path,
    elastic,
    wave,
    holds: fields.take('hold', [], checkHolds),
    loads: fields.take('loads', [], checkLoads),
  };
}

/** The points of all rings of a polygon. */
function nodesOf(place: JsonPlace, { kind, given }: CheckedShape): number {
  if (kind !== 'polygon') place.refuse(`is for polygons, not for a ${kind}; leave it out`);
  const rings = [given.polygon, ...((given.holes ?? []) as unknown[])] as unknown[][];
  return rings.reduce((sum, ring) => sum + ring.length, 0);
}

function checkPath(place: JsonPlace, dimension: 2 | 3): { time: number; pose: number[] }[] {
  const frames = readKeyframes(place, 'pose', '[…]', (value) => poseOf(value, dimension));
  return frames.map(({ time, value }) => ({ time, pose: value }));
}

function checkShape(place: JsonPlace, dimension: 2 | 3): CheckedShape {
  const kinds = dimension === 3 ? SPACE_SHAPES : PLANE_SHAPES;
  const others = dimension === 3 ? PLANE_SHAPES : SPACE_SHAPES;
  const { value } = place;
  if (typeof value === 'object' && value !== null) {
    const wrong = others.find((kind) => Object.hasOwn(value, kind));
    if (wrong !== undefined) {
      place.refuse(
        `is a ${wrong} in a scene of dimension ${dimension}; give ${kinds.join(', ')}, or set "dimension" to ${5 - dimension}`,
      );
    }
  }
  const fields = place.fields([...kinds, ...(dimension === 3 ? ['parameters', ...SHAPE_CHANGES] : ['holes'])]);
  const given = kinds.filter((kind) => fields.has(kind));
  if (given.length !== 1) place.refuse(`has ${given.join(' and ') || 'no kind'}; give one of ${kinds.join(', ')}`);
  const [kind] = given;
  if (fields.has('parameters') && kind !== 'model') {
    fields.at('parameters').refuse(`are for models, not for a ${kind}; leave them out`);
  }
  if (fields.has('holes') && kind !== 'polygon') {
    fields.at('holes').refuse(`are for polygons, not for a ${kind}; leave them out`);
  }
  const content = fields.at(kind);
  if (kind === 'box') content.numbers(3, { above: 0, max: MAX_COORDINATE }, '[width, height, depth]');
  else if (kind === 'sphere' || kind === 'circle' || kind === 'plane')
    content.number({ above: 0, max: MAX_COORDINATE });
  else if (kind === 'file' || kind === 'model') content.text();
  else if (kind === 'tetrahedra') checkTetrahedra(content);
  else for (const ring of [content, ...fields.take('holes', [], (holes) => holes.list('rings'))]) checkRing(ring);
  checkShapeChanges(fields, kind);
  fields.take('parameters', null, (parameters) => {
    const table = parameters.value;
    if (typeof table !== 'object' || table === null || Array.isArray(table)) {
      parameters.refuse(`is ${parameters.describe()}; give an object such as {"height": 1}`);
    }
    for (const name of Object.keys(table as object))
      parameters
        .fields(Object.keys(table as object))
        .at(name)
        .number();
  });
  return { kind, place, given: value as Readonly<Record<string, unknown>>, key: JSON.stringify(value) };
}

/** The scale of a mesh, and the thickness of a surface. */
function checkShapeChanges(fields: JsonFields, kind: CheckedShape['kind']): void {
  for (const name of SHAPE_CHANGES) {
    if (fields.has(name) && kind !== 'file' && kind !== 'model') {
      fields.at(name).refuse(`is for meshes from files and models, not for a ${kind}; leave it out`);
    }
  }
  fields.take('thickness', null, (value) => value.number({ above: 0, max: MAX_COORDINATE }));
  fields.take('scale', null, (scale) => {
    const factors = Array.isArray(scale.value)
      ? scale.numbers(3, COORDINATE, 'a number or [x, y, z]')
      : [scale.number(COORDINATE)];
    if (factors.includes(0)) scale.refuse('has a 0, which leaves no volume; give factors other than 0');
  });
}

function checkRing(place: JsonPlace): void {
  const points = place.list('points');
  if (points.length < 3) place.refuse(`has ${points.length} points; give at least three`);
  for (const point of points) point.numbers(2, COORDINATE, '[x, y]');
}

function checkTetrahedra(place: JsonPlace): void {
  const fields = place.fields(['positions', 'elements'], ['positions', 'elements']);
  const positions = fields.at('positions').list('points');
  for (const point of positions) point.numbers(3, COORDINATE, '[x, y, z]');
  const elements = fields.at('elements').list('tetrahedra');
  if (elements.length === 0) fields.at('elements').refuse('is empty; give at least one tetrahedron');
  for (const element of elements) {
    element.numbers(4, { min: 0, max: positions.length - 1, integer: true }, 'four indices of positions');
  }
}

function checkJoint(
  place: JsonPlace,
  names: BodyNames,
  bodies: readonly CheckedBody[],
  dimension: 2 | 3,
): CheckedJoint {
  const fields = place.fields(JOINT_KEYS, ['type', 'body', 'at']);
  const type = fields.at('type').choice<SceneJoint['type']>(dimension === 3 ? SPACE_JOINTS : PLANE_JOINTS);
  const body = names.find(fields.at('body'));
  const other = fields.take('other', null, (value) => names.find(value));
  if (other === body) fields.at('other').refuse('is the same body; give another one, or leave it out for the world');
  for (const [name, index] of [['body', body] as const, ['other', other] as const]) {
    if (index !== null && bodies[index].split) {
      fields.at(name).refuse('is split into parts; give these as bodies of their own to join one');
    }
    if (index !== null && bodies[index].fracture !== null) {
      fields.at(name).refuse('may break, and joints of bodies that do are not known; leave "fracture" out');
    }
    if (index !== null && (bodies[index].elastic !== null || bodies[index].wave !== null)) {
      fields.at(name).refuse('is an elastic body; joints are for rigid ones, "hold" is for nodes of elastic ones');
    }
  }
  const turns = type === 'pin' || type === 'hinge';
  if (type === 'slider' && !fields.has('axis')) place.refuse('has no "axis"; a slider needs one, such as [1, 0, 0]');
  if (type !== 'slider' && !(dimension === 3 && turns) && fields.has('axis')) {
    fields.at('axis').refuse(`is not for a ${type}${dimension === 2 ? ' in the plane' : ''}; leave it out`);
  }
  for (const name of ['speed', 'strength', 'limits'] as const) {
    if (fields.has(name) && !turns && type !== 'slider')
      fields.at(name).refuse(`is not for a ${type} joint; leave it out`);
  }
  if (fields.has('strength') && !fields.has('speed')) fields.at('strength').refuse('is of a motor; add its "speed"');
  const line = checkLine(fields, place, type, dimension);
  const limits = fields.take('limits', null, (range) => range.numbers(2, COORDINATE, '[least, largest]'));
  if (limits !== null && !(limits[0] <= limits[1])) {
    fields.at('limits').refuse(`are ${limits[0]} and ${limits[1]}; give the lesser first`);
  }
  return {
    place,
    type,
    body,
    other,
    at: vectorOf(fields.at('at'), dimension),
    axis: fields.take('axis', dimension === 3 && turns ? [0, 0, 1] : null, (axis) => {
      const vector = vectorOf(axis, dimension);
      return Math.hypot(...vector) > 0 ? vector : axis.refuse('is zero; give a direction');
    }),
    speed: fields.take('speed', null, (speed) => speed.number(COORDINATE)),
    strength: fields.take('strength', null, (strength) => strength.number({ above: 0 })),
    limits: limits as [number, number] | null,
    collide: fields.take('collide', false, (flag) => flag.flag()),
    ...line,
  };
}

/** The other point of a distance or a spring, and how stiff a spring is. */
function checkLine(
  fields: JsonFields,
  place: JsonPlace,
  type: SceneJoint['type'],
  dimension: 2 | 3,
): Pick<CheckedJoint, 'to' | 'stiffness' | 'damping' | 'length'> {
  const isLine = type === 'distance' || type === 'spring';
  if (isLine && !fields.has('to'))
    place.refuse(`has no "to"; a ${type} needs the point of the other body or the world`);
  if (type === 'spring' && !fields.has('stiffness')) place.refuse('has no "stiffness"; a spring needs one, in N/m');
  for (const name of ['to', 'stiffness', 'damping', 'length'] as const) {
    if (fields.has(name) && !(type === 'spring' || (isLine && name === 'to'))) {
      fields.at(name).refuse(`is not for a ${type} joint; leave it out`);
    }
  }
  if (dimension === 2 && fields.has('collide')) {
    fields
      .at('collide')
      .refuse('is for scenes in space; in the plane bodies that are joined collide by "group" and "mask"');
  }
  return {
    to: fields.take('to', null, (point) => vectorOf(point, dimension)),
    stiffness: fields.take('stiffness', null, (value) => value.number({ above: 0, max: Number.MAX_VALUE })),
    damping: fields.take('damping', null, (value) => value.number({ min: 0, max: Number.MAX_VALUE })),
    length: fields.take('length', null, (value) => value.number({ min: 0, max: MAX_COORDINATE })),
  };
}

function checkProbe(
  place: JsonPlace,
  names: BodyNames,
  bodies: readonly CheckedBody[],
  dimension: 2 | 3,
): CheckedProbe {
  const fields = place.fields(['body', 'point', 'node'], ['body']);
  const body = names.find(fields.at('body'));
  if (bodies[body].split || bodies[body].fracture !== null) {
    fields.at('body').refuse('comes apart, and a point of it is in one of the parts; leave the probe out');
  }
  if (fields.has('node')) {
    if (bodies[body].elastic === null) refuseElastic(fields.at('node'));
    if (fields.has('point')) place.refuse('has a point and a node; leave one of them out');
    return { place: fields.at('node'), body, at: { node: fields.at('node').number({ min: 0, integer: true }) } };
  }
  if (!fields.has('point')) place.refuse('has no "point"; give where it is at the start, in the world');
  return { place: fields.at('point'), body, at: { point: vectorOf(fields.at('point'), dimension) } };
}

function refuseElastic(place: JsonPlace): never {
  return place.refuse('is for elastic bodies; give the body "elastic": {"young": …}, or leave this out');
}

/** A vector of the scene's dimension; in the plane a third number of 0 may follow. */
function vectorOf(place: JsonPlace, dimension: 2 | 3): number[] {
  const { value } = place;
  if (dimension === 2 && Array.isArray(value) && value.length === 3 && value[2] === 0) {
    return place.numbers(3, COORDINATE).slice(0, 2);
  }
  return place.numbers(dimension, COORDINATE, dimension === 3 ? '[x, y, z]' : '[x, y]');
}

function poseOf(place: JsonPlace, dimension: 2 | 3): number[] {
  if (dimension === 2) return place.numbers(3, COORDINATE, '[x, y, angle]');
  const numbers = place.numbers(7, COORDINATE, 'seven numbers tx, ty, tz, qx, qy, qz, qw');
  return place.name(() => pose.parse(numbers));
}

function identityOf(dimension: 2 | 3): number[] {
  return dimension === 3 ? pose.identity() : [0, 0, 0];
}

// The form of what a scene says of elastic bodies: their material, what holds them, what loads them, and how they are solved.

import type { JsonFields, JsonPlace } from '../core/check/json-place.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import { ELASTIC_DEFAULTS } from '../elastic/defaults.js';
import { ELEMENTS, type ElementName } from '../elastic/element/element-shapes.js';
import { MATERIALS, type MaterialName } from '../elastic/element/material.js';

const ELASTIC_KEYS = [
  'young',
  'poisson',
  'damping',
  'resolution',
  'element',
  'strain',
  'selfCollision',
  'material',
] as const;
const HOLD_KEYS = ['box', 'nodes', 'positions', 'keyframes'] as const;
const LOAD_KEYS = ['box', 'nodes', 'force', 'until'] as const;
const SOLVER_KEYS = ['integrator', 'mode', 'iterations', 'substeps', 'contact'] as const;

const INTEGRATORS = ['auto', 'midpoint', 'bdf2', 'euler'] as const;
const MODES = ['converged', 'real-time'] as const;
const CONTACTS = ['field', 'barrier'] as const;

const NEAR = { min: -MAX_COORDINATE, max: MAX_COORDINATE };
/** Beyond these, squares and products of what is asked are no longer finite. */
const MOST_YOUNG = 1e15;
const MOST_DAMPING = 1e9;
const MOST_FORCE = 1e30;
const MOST_RESOLUTION = 1000;
const MOST_ITERATIONS = 10_000;
const MOST_SUBSTEPS = 1000;

/** What an elastic body is made of, with defaults. */
export interface CheckedElastic {
  readonly young: number;
  readonly poisson: number;
  readonly damping: { readonly mass: number; readonly stiffness: number };
  /** Elements along the longest side of the shape. */
  readonly resolution: number;
  readonly element: ElementName;
  readonly material: MaterialName;
  readonly selfCollision: boolean;
}

/** Nodes of a body: those of a box of the world at rest, or by number. */
export type CheckedNodes =
  | { readonly place: JsonPlace; readonly box: readonly number[] }
  | { readonly place: JsonPlace; readonly nodes: readonly number[] };

export interface CheckedHold {
  readonly nodes: CheckedNodes;
  readonly positions: readonly (readonly number[])[] | null;
  readonly keyframes: readonly { readonly time: number; readonly offset: readonly [number, number, number] }[] | null;
}

export interface CheckedLoad {
  readonly nodes: CheckedNodes;
  readonly force: readonly [number, number, number];
  /** Infinity where nothing ends it. */
  readonly until: number;
}

/** How steps of elastic bodies are made. */
export interface CheckedSolver {
  readonly integrator: (typeof INTEGRATORS)[number];
  readonly mode: (typeof MODES)[number];
  readonly iterations: number;
  /** Null where the scene leaves it to us. */
  readonly substeps: number | null;
  readonly contact: (typeof CONTACTS)[number];
}

export const DEFAULT_SOLVER: CheckedSolver = {
  integrator: 'auto',
  mode: ELASTIC_DEFAULTS.solver.mode,
  iterations: ELASTIC_DEFAULTS.solver.realTimeIterations,
  substeps: null,
  contact: 'field',
};

export function checkElastic(place: JsonPlace): CheckedElastic {
  const fields = place.fields(ELASTIC_KEYS, ['young']);
  const strain = fields.take('strain', null, (value) => value.choice(['nonlinear', 'linear']));
  const material = fields.take('material', null, (value) => value.choice(MATERIALS));
  if (strain !== null && material !== null && (strain === 'linear') !== (material === 'linear')) {
    fields.at('strain').refuse(`is "${strain}" and the material "${material}"; leave one of them out`);
  }
  return {
    young: fields.at('young').number({ above: 0, max: MOST_YOUNG }),
    poisson: fields.take('poisson', ELASTIC_DEFAULTS.body.poisson, (value) => value.number({ min: 0, max: 0.49 })),
    damping: fields.take('damping', { mass: 0, stiffness: 0 }, checkDamping),
    resolution: fields.take('resolution', ELASTIC_DEFAULTS.tetrahedra.resolution, (value) =>
      value.number({ min: 1, max: MOST_RESOLUTION, integer: true }),
    ),
    element: fields.take('element', ELASTIC_DEFAULTS.body.element, (value) => value.choice(ELEMENTS)),
    material: material ?? (strain === 'linear' ? 'linear' : ELASTIC_DEFAULTS.body.material),
    selfCollision: fields.take('selfCollision', true, (value) => value.flag()),
  };
}

function checkDamping(place: JsonPlace): CheckedElastic['damping'] {
  if (place.value === 0) return { mass: 0, stiffness: 0 };
  if (typeof place.value !== 'object' || place.value === null) {
    place.refuse(`is ${place.describe()}; give 0 or {"mass": 1/s, "stiffness": s}`);
  }
  const fields = place.fields(['mass', 'stiffness']);
  const range = { min: 0, max: MOST_DAMPING };
  return {
    mass: fields.take('mass', 0, (value) => value.number(range)),
    stiffness: fields.take('stiffness', 0, (value) => value.number(range)),
  };
}

export function checkHolds(place: JsonPlace): CheckedHold[] {
  return place.list('holds').map((hold) => {
    const fields = hold.fields(HOLD_KEYS);
    const nodes = checkNodes(hold, fields);
    const positions = fields.take('positions', null, (list) =>
      list.list('points').map((point) => point.numbers(3, NEAR, '[x, y, z]')),
    );
    if (positions !== null && 'nodes' in nodes && positions.length !== nodes.nodes.length) {
      fields
        .at('positions')
        .refuse(`is a list of ${positions.length} for ${nodes.nodes.length} nodes; give one for each`);
    }
    return { nodes, positions, keyframes: fields.take('keyframes', null, checkKeyframes) };
  });
}

function checkKeyframes(place: JsonPlace): NonNullable<CheckedHold['keyframes']> {
  const keys = place.list('keyframes');
  if (keys.length === 0) place.refuse('has no keyframes; give at least one {"time": 0, "offset": [x, y, z]}');
  let before = -Infinity;
  return keys.map((key) => {
    const fields = key.fields(['time', 'offset'], ['time', 'offset']);
    const time = fields.at('time').number(NEAR);
    if (time <= before) {
      fields.at('time').refuse(`is ${time}, not after ${before} of the keyframe before; put the keyframes in order`);
    }
    before = time;
    return { time, offset: fields.at('offset').numbers(3, NEAR, '[x, y, z]') as [number, number, number] };
  });
}

export function checkLoads(place: JsonPlace): CheckedLoad[] {
  return place.list('loads').map((load) => {
    const fields = load.fields(LOAD_KEYS, ['force']);
    return {
      nodes: checkNodes(load, fields),
      force: fields.at('force').numbers(3, { min: -MOST_FORCE, max: MOST_FORCE }, '[x, y, z]') as [
        number,
        number,
        number,
      ],
      until: fields.take('until', Infinity, (value) => value.number(NEAR)),
    };
  });
}

function checkNodes(place: JsonPlace, fields: JsonFields): CheckedNodes {
  if (fields.has('box') === fields.has('nodes')) {
    place.refuse(`has ${fields.has('box') ? '"box" and "nodes"' : 'no "box"'}; give one of "box" and "nodes"`);
  }
  if (fields.has('nodes')) {
    const at = fields.at('nodes');
    const nodes = at.list('node numbers').map((node) => node.number({ min: 0, integer: true }));
    if (nodes.length === 0) at.refuse('is empty; give at least one node');
    return { place: at, nodes };
  }
  const at = fields.at('box');
  const box = at.numbers(6, NEAR, 'six numbers x0, y0, z0, x1, y1, z1');
  for (let k = 0; k < 3; k++) {
    if (!(box[k] <= box[3 + k])) at.refuse(`runs from ${box[k]} to ${box[3 + k]}; give the lesser corner first`);
  }
  return { place: at, box };
}

export function checkSolver(place: JsonPlace): CheckedSolver {
  const fields = place.fields(SOLVER_KEYS);
  return {
    integrator: fields.take('integrator', DEFAULT_SOLVER.integrator, (value) => value.choice(INTEGRATORS)),
    mode: fields.take('mode', DEFAULT_SOLVER.mode, (value) => value.choice(MODES)),
    iterations: fields.take('iterations', DEFAULT_SOLVER.iterations, (value) =>
      value.number({ min: 1, max: MOST_ITERATIONS, integer: true }),
    ),
    substeps: fields.take('substeps', DEFAULT_SOLVER.substeps, (value) =>
      value.number({ min: 1, max: MOST_SUBSTEPS, integer: true }),
    ),
    contact: fields.take('contact', DEFAULT_SOLVER.contact, (value) => value.choice(CONTACTS)),
  };
}

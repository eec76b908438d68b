// The form of what a scene says of elastic bodies: their material, what holds them, what loads them, and how they are solved.

import type { JsonPlace } from '../core/check/json-place.js';
import { ELASTIC_DEFAULTS } from '../elastic/defaults.js';
import { ELEMENTS, type ElementName } from '../elastic/element/element-shapes.js';
import { MATERIALS, type MaterialName } from '../elastic/element/material.js';
import { checkSubsteps } from './check-freedom.js';
import { COORDINATE, needed, optional, readKeyframes, readKeys } from './scene-keys.js';

const INTEGRATORS = ['auto', 'midpoint', 'bdf2', 'euler'] as const;
const MODES = ['converged', 'real-time'] as const;
const CONTACTS = ['field', 'barrier'] as const;

/** Chosen: the largest Young's modulus, Pa, a thousand times that of diamond; products with it stay finite. */
const MAX_YOUNG = 1e15;

/** Chosen: the largest damping by mass (1/s) or stiffness (s); products with it stay finite. */
const MAX_DAMPING = 1e9;

/** Chosen: the largest component of a force, N; its square stays finite. */
const MAX_FORCE = 1e30;

/** Chosen: elements along the longest side of a shape; more would not fit into memory. */
const MAX_RESOLUTION = 1000;

/** Chosen: quasi-Newton steps of a step of bounded cost; more take minutes. */
const MAX_ITERATIONS = 10_000;

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

const ELASTIC_KEYS = {
  young: needed((place) => place.number({ above: 0, max: MAX_YOUNG })),
  poisson: optional(ELASTIC_DEFAULTS.body.poisson, (place) => place.number({ min: 0, max: 0.49 })),
  damping: optional({ mass: 0, stiffness: 0 }, checkDamping),
  resolution: optional(ELASTIC_DEFAULTS.tetrahedra.resolution, (place) =>
    place.number({ min: 1, max: MAX_RESOLUTION, integer: true }),
  ),
  element: optional(ELASTIC_DEFAULTS.body.element, (place) => place.choice(ELEMENTS)),
  strain: optional(null, (place) => place.choice(['nonlinear', 'linear'])),
  selfCollision: optional(true, (place) => place.flag()),
  material: optional(null, (place) => place.choice(MATERIALS)),
};

export function checkElastic(place: JsonPlace): CheckedElastic {
  const { fields, values } = readKeys(place, ELASTIC_KEYS);
  const { strain, material, ...elastic } = values;
  if (strain !== null && material !== null && (strain === 'linear') !== (material === 'linear')) {
    fields.at('strain').refuse(`is "${strain}" and the material "${material}"; leave one of them out`);
  }
  return { ...elastic, material: material ?? (strain === 'linear' ? 'linear' : ELASTIC_DEFAULTS.body.material) };
}

const DAMPING_KEYS = {
  mass: optional(0, (place) => place.number({ min: 0, max: MAX_DAMPING })),
  stiffness: optional(0, (place) => place.number({ min: 0, max: MAX_DAMPING })),
};

function checkDamping(place: JsonPlace): CheckedElastic['damping'] {
  if (place.value === 0) return { mass: 0, stiffness: 0 };
  if (typeof place.value !== 'object' || place.value === null) {
    place.refuse(`is ${place.describe()}; give 0 or {"mass": 1/s, "stiffness": s}`);
  }
  return readKeys(place, DAMPING_KEYS).values;
}

const NODE_KEYS = {
  box: optional(null, checkBox),
  nodes: optional(null, checkNumbers),
};

const HOLD_KEYS = {
  ...NODE_KEYS,
  positions: optional(null, (place) => place.list('points').map(checkVector)),
  keyframes: optional(null, checkKeyframes),
};

export function checkHolds(place: JsonPlace): CheckedHold[] {
  return place.list('holds').map((hold) => {
    const { fields, values } = readKeys(hold, HOLD_KEYS);
    const { positions, keyframes } = values;
    const nodes = oneOfBoth(hold, values);
    if (positions !== null && 'nodes' in nodes && positions.length !== nodes.nodes.length) {
      fields
        .at('positions')
        .refuse(`is a list of ${positions.length} for ${nodes.nodes.length} nodes; give one for each`);
    }
    return { nodes, positions, keyframes };
  });
}

function checkKeyframes(place: JsonPlace): NonNullable<CheckedHold['keyframes']> {
  const frames = readKeyframes(place, 'offset', '[x, y, z]', checkVector);
  return frames.map(({ time, value: offset }) => ({ time, offset }));
}

function checkVector(place: JsonPlace): [number, number, number] {
  return place.numbers(3, COORDINATE, '[x, y, z]') as [number, number, number];
}

const LOAD_KEYS = {
  ...NODE_KEYS,
  force: needed(
    (place) => place.numbers(3, { min: -MAX_FORCE, max: MAX_FORCE }, '[x, y, z]') as [number, number, number],
  ),
  until: optional(Infinity, (place) => place.number(COORDINATE)),
};

export function checkLoads(place: JsonPlace): CheckedLoad[] {
  return place.list('loads').map((load) => {
    const { values } = readKeys(load, LOAD_KEYS);
    return { nodes: oneOfBoth(load, values), force: values.force, until: values.until };
  });
}

/** The nodes that a hold or a load is for: it has either a box or numbers. */
function oneOfBoth(
  place: JsonPlace,
  { box, nodes }: { readonly box: CheckedNodes | null; readonly nodes: CheckedNodes | null },
): CheckedNodes {
  if (box !== null && nodes !== null) place.refuse('has "box" and "nodes"; give one of "box" and "nodes"');
  return box ?? nodes ?? place.refuse('has no "box"; give one of "box" and "nodes"');
}

function checkNumbers(place: JsonPlace): CheckedNodes {
  const nodes = place.list('node numbers').map((node) => node.number({ min: 0, integer: true }));
  if (nodes.length === 0) place.refuse('is empty; give at least one node');
  return { place, nodes };
}

function checkBox(place: JsonPlace): CheckedNodes {
  const box = place.numbers(6, COORDINATE, 'six numbers x0, y0, z0, x1, y1, z1');
  for (let k = 0; k < 3; k++) {
    if (!(box[k] <= box[3 + k])) place.refuse(`runs from ${box[k]} to ${box[3 + k]}; give the lesser corner first`);
  }
  return { place, box };
}

const SOLVER_KEYS = {
  integrator: optional(DEFAULT_SOLVER.integrator, (place) => place.choice(INTEGRATORS)),
  mode: optional(DEFAULT_SOLVER.mode, (place) => place.choice(MODES)),
  iterations: optional(DEFAULT_SOLVER.iterations, (place) =>
    place.number({ min: 1, max: MAX_ITERATIONS, integer: true }),
  ),
  substeps: optional(DEFAULT_SOLVER.substeps, checkSubsteps),
  contact: optional(DEFAULT_SOLVER.contact, (place) => place.choice(CONTACTS)),
};

export function checkSolver(place: JsonPlace): CheckedSolver {
  return readKeys(place, SOLVER_KEYS).values;
}

// What callers give for a world in the plane, its bodies and joints, and the checks.
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, labelled, needed, numberAbove, oneOf, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import {
  assertBodyObject,
  assertBodyProperties,
  BODY_RULES,
  type BodyProperties,
  NOT_NEGATIVE,
} from '../dynamics/body/body-properties.js';
import { DYNAMICS_DEFAULTS, STEP_RULES } from '../dynamics/step-rules.js';
import { createPolygon } from '../mesh/polygon/polygon.js';
import type { PlaneKeyframe } from './body/plane-path.js';
import type { PlaneJointType } from './joint/plane-joint.js';
import { Outline } from './outline/outline.js';
import type { PlaneElasticity } from './penalty/elastic-ring.js';

import type { PlaneSettings } from './step/plane-context.js';

/** How contacts are handled in the plane. */
export type PlaneMethod = 'auto' | 'penalty' | 'backtracking' | 'time-of-contact';

/** Every {@link PlaneMethod}. */
export const PLANE_METHODS: readonly PlaneMethod[] = ['auto', 'penalty', 'backtracking', 'time-of-contact'];

/** Options of a {@link PlaneWorld}; SI units. */
export interface PlaneWorldOptions {
  /** x, y; default 0, −9.81. */
  readonly gravity?: ArrayLike<number> | undefined;
  /** Length of a step, s. */
  readonly timestep?: number | undefined;
  readonly method?: PlaneMethod | undefined;
  /** Parts of a step. */
  readonly substeps?: number | undefined;
  /** Whether islands at rest sleep. */
  readonly sleeping?: boolean | undefined;
  /** Of penalty forces, N/m² (force by depth and length of boundary). Default: what the substeps can follow. */
  readonly stiffness?: number | undefined;
  /** Of the boundary samples of penalty forces, in sizes of a body. Default 0.02. */
  readonly spacing?: number | undefined;
}

/** Points of a ring: [x, y] each, or x, y in turn. */
export type PlaneRing = readonly (readonly number[])[] | ArrayLike<number>;

/** A polygon with holes, or an exact circle about the origin. An elastic polygon carries waves around its boundary. */
export type PlaneBodyShape =
  | {
      readonly polygon: PlaneRing;
      readonly holes?: readonly PlaneRing[] | undefined;
      readonly elastic?: PlaneElasticity | undefined;
    }
  | { readonly circle: number };

/** A body of a {@link PlaneWorld}. */
export interface PlaneBodyOptions extends BodyProperties {
  readonly shape: PlaneBodyShape;
  /** x, y, angle of the shape's own frame; zeros if left out. */
  readonly pose?: ArrayLike<number> | undefined;
  /** kg/m²; 1000 if neither it nor the mass is given. */
  readonly density?: number | undefined;
  /** Of the center of mass, m/s. */
  readonly velocity?: ArrayLike<number> | undefined;
  /** rad/s, counter-clockwise. */
  readonly angularVelocity?: number | undefined;
  /** Is moved along keyframes, whatever it meets. */
  readonly path?: readonly PlaneKeyframe[] | undefined;
}

/** A joint of a {@link PlaneWorld}. Angles, speeds and limits are those of `bodyA` against `bodyB`. */
export interface PlaneJointOptions {
  /** `pin` turns about a point, `slider` moves along a line, `fixed` does neither, `distance` keeps two points apart. */
  readonly type: PlaneJointType;
  readonly bodyA: number;
  /** The world if left out. */
  readonly bodyB?: number | undefined;
  /** A point in the world. */
  readonly at: ArrayLike<number>;
  /** Of a distance: the point of `bodyB`, in the world. */
  readonly to?: ArrayLike<number> | undefined;
  /** Of a slider: its direction in the world. */
  readonly axis?: ArrayLike<number> | undefined;
  /** Keeps a speed (rad/s, of a slider m/s) with at most a torque (N m, of a slider a force in N; no limit if left out). */
  readonly motor?: { readonly speed: number; readonly torque?: number | undefined } | undefined;
  /** Lower and upper limit of the angle (of a slider: the way) since now. */
  readonly limits?: ArrayLike<number> | undefined;
}

const WORLD_OPTIONS = optionTable<PlaneWorldOptions>()({
  // Checked by takeNumbers, whose message names the number that is wrong.
  gravity: checkedElsewhere<ArrayLike<number>>([0, DYNAMICS_DEFAULTS.gravity[1]]),
  method: oneOf(PLANE_METHODS, DYNAMICS_DEFAULTS.method),
  ...STEP_RULES,
  stiffness: numberAbove(0),
  spacing: numberAbove(0, DYNAMICS_DEFAULTS.planeSpacing),
});
/** The shape, places and motions are checked where they are made. */
const BODY_OPTIONS = optionTable<PlaneBodyOptions>()({
  ...BODY_RULES,
  shape: checkedElsewhere<PlaneBodyShape>(),
  pose: checkedElsewhere<ArrayLike<number>>(),
  velocity: checkedElsewhere<ArrayLike<number>>(),
  angularVelocity: checkedElsewhere<number>(),
  path: checkedElsewhere<readonly PlaneKeyframe[]>(),
});
/** Which of these a joint has depends on its type. */
const JOINT_OPTIONS = optionTable<PlaneJointOptions>()({
  type: checkedElsewhere<PlaneJointType>(),
  bodyA: checkedElsewhere<number>(),
  bodyB: checkedElsewhere<number>(),
  at: checkedElsewhere<ArrayLike<number>>(),
  to: checkedElsewhere<ArrayLike<number>>(),
  axis: checkedElsewhere<ArrayLike<number>>(),
  motor: checkedElsewhere<NonNullable<PlaneJointOptions['motor']>>(),
  limits: checkedElsewhere<ArrayLike<number>>(),
});
const MOTOR_OPTIONS = optionTable<NonNullable<PlaneJointOptions['motor']>>()({
  speed: needed({ expects: 'a number', accepts: Number.isFinite }),
  torque: NOT_NEGATIVE,
});
const ELASTICITY = optionTable<PlaneElasticity>('The elastic options')({
  waveSpeed: needed(labelled('wave speed', numberAbove(0))),
  frequency: needed(NOT_NEGATIVE),
  damping: NOT_NEGATIVE,
});
const JOINT_TYPES: readonly PlaneJointType[] = ['pin', 'slider', 'fixed', 'distance'];

/** The settings of a world, with defaults for the options left out. */
export function takeWorldOptions(options: PlaneWorldOptions): PlaneSettings {
  const { gravity, timestep, method, substeps, sleeping, stiffness, spacing } = WORLD_OPTIONS.read(options);
  return { gravity: takeNumbers(gravity, 2, 'gravity'), timestep, method, substeps, sleeping, stiffness, spacing };
}

export function assertBodyOptions(options: PlaneBodyOptions, owner: string): void {
  assertBodyObject(options);
  BODY_OPTIONS.assert(options, owner);
  assertBodyProperties(options, owner);
}

/** The outline that callers describe. */
export function takeShape(shape: PlaneBodyShape, owner: string): { outline: Outline; elastic: PlaneElasticity | null } {
  const names = shape === null || typeof shape !== 'object' ? [] : Object.keys(shape);
  if ('circle' in ((shape ?? {}) as object) && names.length === 1) {
    const { circle } = shape as { circle: number };
    if (typeof circle === 'number' && circle > 0 && circle < 1e12)
      return { outline: new Outline(circle), elastic: null };
    throw new NearfieldError('bad-argument', `The radius of ${owner} is ${nameValue(circle)}; give a positive number.`);
  }
  if (
    !names.includes('polygon') ||
    names.some((name) => name !== 'polygon' && name !== 'holes' && name !== 'elastic')
  ) {
    throw new NearfieldError(
      'bad-argument',
      `The shape of ${owner} is ${nameValue(shape)}; give { circle: radius } or { polygon: [[x, y], …], holes: […] }.`,
    );
  }
  const { polygon, holes = [], elastic } = shape as Extract<PlaneBodyShape, { polygon: PlaneRing }>;
  if (!Array.isArray(holes)) {
    throw new NearfieldError('bad-argument', `The holes of ${owner} are ${nameValue(holes)}; give an array of rings.`);
  }
  const rings = [polygon, ...holes].map((ring, index) => takeRing(ring, index, owner));
  const outline = new Outline(createPolygon(rings));
  if (elastic === undefined) return { outline, elastic: null };
  ELASTICITY.assert(elastic, owner);
  return { outline, elastic };
}

/** x, y in turn. */
function takeRing(ring: PlaneRing, index: number, owner: string): ArrayLike<number> {
  const what = index === 0 ? `The polygon of ${owner}` : `Hole ${index - 1} of ${owner}`;
  if (ring === null || typeof ring !== 'object' || typeof ring.length !== 'number') {
    throw new NearfieldError('bad-argument', `${what} is ${nameValue(ring)}; give [x, y] of each point.`);
  }
  if (!Array.isArray(ring) || typeof ring[0] === 'number') return ring as ArrayLike<number>;
  const flat: number[] = [];
  (ring as readonly (readonly number[])[]).forEach((point, i) => {
    if (point?.length !== 2 || typeof point[0] !== 'number' || typeof point[1] !== 'number') {
      throw new NearfieldError('bad-argument', `Point ${i} of ${what} is ${nameValue(point)}; give [x, y].`, {
        vertex: i,
      });
    }
    flat.push(point[0], point[1]);
  });
  return flat;
}

/** Keyframes with times that increase. */
export function assertPath(path: readonly PlaneKeyframe[], owner: string): void {
  if (!Array.isArray(path) || path.length === 0) {
    throw new NearfieldError('bad-argument', `The path of ${owner} is ${nameValue(path)}; give [{ time, pose }, …].`);
  }
  path.forEach((key, i) => {
    if (typeof key?.time !== 'number' || !Number.isFinite(key.time) || (i > 0 && !(key.time > path[i - 1].time))) {
      throw new NearfieldError(
        'bad-argument',
        `Time ${i} of the path of ${owner} is ${nameValue(key?.time)}; times are finite and increase.`,
      );
    }
    takeNumbers(key.pose, 3, `pose ${i} of the path of ${owner}`);
  });
}

export function assertJointOptions(options: PlaneJointOptions): void {
  if (options === null || typeof options !== 'object') {
    throw new NearfieldError('bad-argument', `The joint is ${nameValue(options)}; give { type, bodyA, at }.`);
  }
  JOINT_OPTIONS.assert(options, 'a joint');
  if (!JOINT_TYPES.includes(options.type)) {
    throw new NearfieldError(
      'bad-argument',
      `The type of the joint is ${nameValue(options.type)}; there are ${JOINT_TYPES.join(', ')}.`,
    );
  }
  takeNumbers(options.at, 2, 'place of the joint');
  if (options.type === 'slider') {
    const [x, y] = takeNumbers(options.axis ?? [], 2, 'axis of the slider');
    if (x === 0 && y === 0)
      throw new NearfieldError('bad-argument', 'The axis of the slider is zero; give a direction.');
  }
  if (options.type === 'distance') takeNumbers(options.to ?? [], 2, "joint's other point, `to`,");
  if (options.limits !== undefined) {
    const low = options.limits[0];
    const high = options.limits[1];
    if (options.limits.length !== 2 || !(low <= high)) {
      throw new NearfieldError('bad-argument', `The limits of the joint are ${low}, ${high}; give [lower, upper].`);
    }
  }
  if (options.motor !== undefined) MOTOR_OPTIONS.assert(options.motor, 'the motor');
  if (
    (options.motor !== undefined || options.limits !== undefined) &&
    options.type !== 'pin' &&
    options.type !== 'slider'
  ) {
    throw new NearfieldError('bad-argument', `A joint of type ${options.type} has no motor and no limits.`);
  }
}

/** Finite numbers of a given count. */
export function takeNumbers(values: ArrayLike<number>, count: number, what: string): number[] {
  if (values === null || typeof values !== 'object' || values.length !== count) {
    throw new NearfieldError('bad-argument', `The ${what} is ${nameValue(values)}; give an array of ${count} numbers.`);
  }
  for (let k = 0; k < count; k++) {
    if (typeof values[k] === 'number' && Math.abs(values[k]) < 1e15) continue;
    throw new NearfieldError(
      'non-finite',
      `Number ${k} of the ${what} is ${nameValue(values[k])}; give finite numbers.`,
    );
  }
  return Array.from(values);
}

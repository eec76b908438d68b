// What callers say of a body, and its checks.
import { assertOptions, nameValue, type OptionNames } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import { createMesh, type Mesh } from '../../mesh/mesh.js';
import type { Keyframe } from '../../proximity/impact/motion.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { DYNAMICS_DEFAULTS } from '../defaults.js';
import { CollisionShape } from '../shape/collision-shape.js';
import type { MassChoice } from './body-mass.js';

/** An exact ball about the origin, a box about it by its sides, the solid in a closed mesh, or a shape made before. */
export type BodyShape =
  | { readonly sphere: number }
  | { readonly box: ReadonlyVec3 }
  | { readonly mesh: Mesh | ProximityModel }
  | CollisionShape;

/** A body of a {@link RigidWorld}. */
export interface RigidBodyOptions {
  readonly shape: BodyShape;
  /** Of the shape's own frame; the identity if left out. */
  readonly pose?: ReadonlyPose | undefined;
  /** kg/m³; 1000 if neither it nor the mass is given. */
  readonly density?: number | undefined;
  /** kg, in place of the density. */
  readonly mass?: number | undefined;
  /** Of the center of mass, m/s. */
  readonly velocity?: ReadonlyVec3 | undefined;
  /** rad/s, in world axes. */
  readonly angularVelocity?: ReadonlyVec3 | undefined;
  /** Coulomb's coefficient; a pair has the geometric mean. */
  readonly friction?: number | undefined;
  /** 0 to 1; a pair has the larger. */
  readonly restitution?: number | undefined;
  /** Never moves. */
  readonly fixed?: boolean | undefined;
  /** Is moved along keyframes, whatever it meets. */
  readonly path?: readonly Keyframe[] | undefined;
  /** Bits of the groups it belongs to; 1 if left out. */
  readonly group?: number | undefined;
  /** Bits of the groups it collides with; all if left out. Two bodies collide if each accepts the other. */
  readonly mask?: number | undefined;
  /** Is reported when touched, but pushes nothing. */
  readonly sensor?: boolean | undefined;
  /** For messages. */
  readonly name?: string | undefined;
}

const BODY_NAMES: OptionNames<RigidBodyOptions> = {
  shape: true,
  pose: true,
  density: true,
  mass: true,
  velocity: true,
  angularVelocity: true,
  friction: true,
  restitution: true,
  fixed: true,
  path: true,
  group: true,
  mask: true,
  sensor: true,
  name: true,
};

/** Refuses what is no body. The shape and the path are checked where they are made. */
export function assertBodyOptions(options: RigidBodyOptions, owner: string): void {
  if (options === null || typeof options !== 'object') {
    throw new NearfieldError('bad-argument', `The body is ${nameValue(options)}; give at least { shape }.`);
  }
  assertOptions(options, BODY_NAMES, `The options of ${owner}`);
  assertPositive(options.density, 'density', owner);
  assertPositive(options.mass, 'mass', owner);
  if (options.density !== undefined && options.mass !== undefined) {
    throw new NearfieldError('bad-argument', `${capital(owner)} has a density and a mass; give one of them.`);
  }
  assertInRange(options.friction, Infinity, 'friction', owner);
  assertInRange(options.restitution, 1, 'restitution', owner);
  assertBoolean(options.fixed, 'fixed', owner);
  assertBoolean(options.sensor, 'sensor', owner);
  assertBits(options.group, 'group', owner);
  assertBits(options.mask, 'mask', owner);
  if (options.fixed === true && options.path !== undefined) {
    throw new NearfieldError('bad-argument', `${capital(owner)} is fixed and has a path; leave one of them out.`);
  }
  if (options.name !== undefined && typeof options.name !== 'string') {
    throw new NearfieldError('bad-argument', `The name of a body is ${nameValue(options.name)}; give a string.`);
  }
}

/** How the mass of a body is given. */
export function chooseMass({ density, mass }: RigidBodyOptions): MassChoice {
  return mass === undefined ? { density: density ?? DYNAMICS_DEFAULTS.density } : { mass };
}

/** The shape that callers describe. */
export function makeShape(shape: BodyShape, owner: string): CollisionShape {
  if (shape instanceof CollisionShape) return shape;
  const names = shape === null || typeof shape !== 'object' ? [] : Object.keys(shape);
  if (names.length === 1) {
    if ('sphere' in shape) return CollisionShape.ball(shape.sphere);
    if ('box' in shape) return CollisionShape.solid(boxMesh(shape.box, owner));
    if ('mesh' in shape) {
      if (shape.mesh === null || typeof shape.mesh !== 'object') {
        throw new NearfieldError(
          'bad-argument',
          `The mesh of ${owner} is ${nameValue(shape.mesh)}; give { positions, indices }, as createMesh makes.`,
        );
      }
      return CollisionShape.solid(shape.mesh);
    }
  }
  throw new NearfieldError(
    'bad-argument',
    `The shape of ${owner} is ${nameValue(shape)}; give one of { sphere: radius }, { box: [w, h, d] } and { mesh }.`,
  );
}

/** A vector of three finite numbers, zeros if left out. */
export function takeVector(values: ReadonlyVec3 | undefined, what: string): [number, number, number] {
  if (values === undefined) return [0, 0, 0];
  if (values?.length !== 3) {
    throw new NearfieldError('bad-argument', `The ${what} is ${nameValue(values)}; give an array of 3 numbers.`);
  }
  for (let k = 0; k < 3; k++) {
    if (typeof values[k] === 'number' && Number.isFinite(values[k])) continue;
    throw new NearfieldError(
      'non-finite',
      `Component ${k} of the ${what} is ${nameValue(values[k])}; give finite numbers.`,
    );
  }
  return [values[0], values[1], values[2]];
}

/** Twelve triangles, outward, about the origin. */
function boxMesh(sides: ReadonlyVec3, owner: string): Mesh {
  const [w, h, d] = takeVector(sides ?? null, `box of ${owner}`);
  if (!(w > 0 && h > 0 && d > 0)) {
    throw new NearfieldError('bad-argument', `The box of ${owner} is ${w} by ${h} by ${d}; give positive sides.`);
  }
  const positions: number[] = [];
  for (let corner = 0; corner < 8; corner++) {
    positions.push(corner & 1 ? w / 2 : -w / 2, corner & 2 ? h / 2 : -h / 2, corner & 4 ? d / 2 : -d / 2);
  }
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return createMesh(
    positions,
    faces.flatMap(([a, b, c, e]) => [a, b, c, a, c, e]),
  );
}

function assertPositive(value: number | undefined, what: string, owner: string): void {
  if (value === undefined || (typeof value === 'number' && value > 0 && Number.isFinite(value))) return;
  throw new NearfieldError('bad-argument', `The ${what} of ${owner} is ${nameValue(value)}; give a positive number.`);
}

function assertInRange(value: number | undefined, most: number, what: string, owner: string): void {
  if (value === undefined) return;
  if (typeof value === 'number' && value >= 0 && value <= most && Number.isFinite(value)) return;
  const range = most === Infinity ? 'a number of 0 or more' : `a number from 0 to ${most}`;
  throw new NearfieldError('bad-argument', `The ${what} of ${owner} is ${nameValue(value)}; give ${range}.`);
}

function assertBits(value: number | undefined, what: string, owner: string): void {
  if (value === undefined || (value | 0) === value) return;
  throw new NearfieldError(
    'bad-argument',
    `The ${what} of ${owner} is ${nameValue(value)}; give 32 bits as a whole number, for instance 1 << 3.`,
  );
}

function assertBoolean(value: boolean | undefined, what: string, owner: string): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new NearfieldError(
    'bad-argument',
    `The option ${what} of ${owner} is ${nameValue(value)}; give true or false.`,
  );
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

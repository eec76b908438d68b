// What callers give for a body, and its checks.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, labelled, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import { CollisionShape } from '../../manifold/shape/collision-shape.js';
import { createMesh, type Mesh } from '../../mesh/mesh.js';
import type { Keyframe } from '../../proximity/impact/motion.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { DYNAMICS_DEFAULTS } from '../step-rules.js';
import type { MassChoice } from './body-mass.js';
import {
  assertBodyObject,
  assertBodyProperties,
  BODY_RULES,
  type BodyProperties,
  NOT_NEGATIVE,
} from './body-properties.js';

/** An exact ball about the origin, a box about it by its sides, the solid in a closed mesh, or a shape made before. */
export type BodyShape =
  | { readonly sphere: number }
  | { readonly box: ReadonlyVec3 }
  | { readonly mesh: Mesh | ProximityModel }
  | CollisionShape;

/** A body of a {@link RigidWorld}. */
export interface RigidBodyOptions extends BodyProperties {
  readonly shape: BodyShape;
  /** Of the shape's own frame; the identity if left out. */
  readonly pose?: ReadonlyPose | undefined;
  /** kg/m³; 1000 if neither it nor the mass is given. */
  readonly density?: number | undefined;
  /** Of the center of mass, m/s. */
  readonly velocity?: ReadonlyVec3 | undefined;
  /** rad/s, in world axes. */
  readonly angularVelocity?: ReadonlyVec3 | undefined;
  /** Is moved along keyframes, whatever it meets. */
  readonly path?: readonly Keyframe[] | undefined;
  /** Is moved evenly from its pose, whatever it meets. */
  readonly moves?: EvenMotion | undefined;
  /** Of a body that is fixed or moved: the time of the world from which it is dynamic, s. */
  readonly letGo?: number | undefined;
  /** Axes of the world along which its center of mass stays where it is (x, y, z), or about which it does not turn (rx, …). */
  readonly locks?: readonly LockedAxis[] | undefined;
  /** Of points that do not slide; the friction, at least, if left out. A pair has the geometric mean. */
  readonly staticFriction?: number | undefined;
  /** How fast its velocities die away, 1/s: by exp(−damping · time). */
  readonly damping?: BodyDamping | undefined;
}

/** An even motion: the center of mass moves on a straight line, and the body turns about it. */
export interface EvenMotion {
  /** Of the center of mass, m/s. */
  readonly velocity?: ReadonlyVec3 | undefined;
  /** rad/s, in world axes. */
  readonly angularVelocity?: ReadonlyVec3 | undefined;
  /** The time of the world at which it ends and the body stands; never if left out. */
  readonly until?: number | undefined;
}

/** A direction of the world, or a turn about it. */
export type LockedAxis = 'x' | 'y' | 'z' | 'rx' | 'ry' | 'rz';

/** How fast velocities die away, 1/s. */
export interface BodyDamping {
  readonly linear?: number | undefined;
  readonly angular?: number | undefined;
}

/** The axes in the order of their bits. */
export const LOCKED_AXES: readonly LockedAxis[] = ['x', 'y', 'z', 'rx', 'ry', 'rz'];

/** The shape, places and motions are checked where they are made. */
const BODY_OPTIONS = optionTable<RigidBodyOptions>()({
  ...BODY_RULES,
  shape: checkedElsewhere<BodyShape>(),
  pose: checkedElsewhere<ReadonlyPose>(),
  velocity: checkedElsewhere<ReadonlyVec3>(),
  angularVelocity: checkedElsewhere<ReadonlyVec3>(),
  path: checkedElsewhere<readonly Keyframe[]>(),
  moves: checkedElsewhere<EvenMotion>(),
  letGo: checkedElsewhere<number>(),
  locks: checkedElsewhere<readonly LockedAxis[]>(),
  staticFriction: labelled('static friction', NOT_NEGATIVE),
  damping: checkedElsewhere<BodyDamping>(),
});

const EVEN_MOTION = optionTable<EvenMotion>('The even motion')({
  velocity: checkedElsewhere<ReadonlyVec3>(),
  angularVelocity: checkedElsewhere<ReadonlyVec3>(),
  until: checkedElsewhere<number>(),
});
const DAMPING = optionTable<BodyDamping>('The damping')({
  linear: labelled('linear damping', NOT_NEGATIVE),
  angular: labelled('angular damping', NOT_NEGATIVE),
});

/** Refuses invalid options of a body. The shape and the path are checked where they are made. */
export function assertBodyOptions(options: RigidBodyOptions, owner: string): void {
  assertBodyObject(options);
  BODY_OPTIONS.assert(options, owner);
  assertBodyProperties(options, owner);
  const { damping, staticFriction, friction, letGo, fixed, path, moves } = options;
  if (staticFriction !== undefined && staticFriction < (friction ?? DYNAMICS_DEFAULTS.friction)) {
    throw new NearfieldError(
      'bad-argument',
      `The static friction of ${owner} is ${staticFriction}, less than its friction; give at least ${friction ?? DYNAMICS_DEFAULTS.friction}.`,
    );
  }
  if (damping !== undefined) DAMPING.assert(damping, owner);
  if (moves !== undefined) assertEvenMotion(moves, owner);
  if (moves !== undefined && (path !== undefined || fixed === true)) {
    throw new NearfieldError(
      'bad-argument',
      `${owner[0].toUpperCase()}${owner.slice(1)} has an even motion and ${fixed === true ? 'is fixed' : 'a path'}; leave one of them out.`,
    );
  }
  if (letGo === undefined) return;
  if (typeof letGo !== 'number' || !Number.isFinite(letGo)) {
    throw new NearfieldError(
      'bad-argument',
      `The time at which ${owner} is let go is ${nameValue(letGo)}; give seconds.`,
    );
  }
  if (fixed === true || path !== undefined || moves !== undefined) return;
  throw new NearfieldError(
    'bad-argument',
    `The option letGo of ${owner} is for a body that is held until then; make it fixed, or give it a path or an even motion.`,
  );
}

function assertEvenMotion(moves: EvenMotion, owner: string): void {
  EVEN_MOTION.assert(moves, owner);
  takeVector(moves.velocity, `velocity of ${owner}`);
  takeVector(moves.angularVelocity, `angular velocity of ${owner}`);
  if (moves.until === undefined || Number.isFinite(moves.until)) return;
  throw new NearfieldError(
    'bad-argument',
    `The even motion of ${owner} ends at ${nameValue(moves.until)}; give seconds, or leave it out.`,
  );
}

/** The bits of locked axes. */
export function takeLocks(locks: readonly LockedAxis[] | undefined, owner: string): number {
  if (locks === undefined) return 0;
  let bits = 0;
  for (const axis of Array.isArray(locks) ? (locks as LockedAxis[]) : [locks as unknown as LockedAxis]) {
    const bit = LOCKED_AXES.indexOf(axis);
    if (bit >= 0) bits |= 1 << bit;
    else {
      throw new NearfieldError(
        'bad-argument',
        `The locks of ${owner} have ${nameValue(axis)}; give a list of ${LOCKED_AXES.join(', ')}.`,
      );
    }
  }
  return bits;
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

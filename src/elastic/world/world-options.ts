// What callers say of a world and of bodies in it, checked.
import { assertNumbers } from '../../core/check/check-array.js';
import { nameValue } from '../../core/check/check-options.js';
import { flag, numberWithin, oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import { positiveUpTo } from '../body/body-options.js';
import { type ElasticBody, type ElasticStepOptions, STEP_RULES } from '../body/elastic-body.js';
import type { ContactConstants } from '../contact/contact-body.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import type { RigidSystem } from './rigid-system.js';

/** How a world makes its steps. */
export type WorldIntegrator = NonNullable<ElasticStepOptions['integrator']> | 'auto';

/** Options of an {@link ElasticWorld}; SI units. */
export interface ElasticWorldOptions extends Omit<ElasticStepOptions, 'integrator'> {
  /**
   * As of a body alone, or 'auto': the midpoint rule with energies kept exactly where nothing touches, and BDF2 where something
   * does. Default 'bdf2'.
   */
  readonly integrator?: WorldIntegrator | undefined;
  /** Length of a step. Default: that of the rigid world, or 1/60 s. */
  readonly timestep?: number | undefined;
  /** Rigid bodies that the elastic ones meet: a `RigidWorld`, which the elastic world then steps. */
  readonly rigid?: RigidSystem | undefined;
  /** The speed at which friction has its full force, m/s. Default `ELASTIC_DEFAULTS.contact.slidingSpeed`. */
  readonly slidingSpeed?: number | undefined;
  /**
   * How bodies are kept apart. 'field': by deformed distance fields, which push overlaps apart and recover from any start.
   * 'barrier': by a barrier and certified motion; bodies never overlap, and must not at the start. Default 'field'.
   */
  readonly contact?: 'field' | 'barrier' | undefined;
  /**
   * Of contact 'barrier': the distance at which it begins to push, in meters. Default: `ELASTIC_DEFAULTS.contact.barrierShare`
   * of the mean edge of each body's surface.
   */
  readonly barrierDistance?: number | undefined;
}

const { contact: CONTACT } = ELASTIC_DEFAULTS;

const WORLD_OPTIONS = optionTable<ElasticWorldOptions>()({
  ...STEP_RULES,
  integrator: oneOf(['auto', 'midpoint', 'bdf2', 'euler'], ELASTIC_DEFAULTS.solver.integrator),
  timestep: positiveUpTo(1e6),
  rigid: {
    expects: 'a RigidWorld',
    accepts: (value) => typeof (value as RigidSystem | null)?.poseAt === 'function',
  },
  slidingSpeed: positiveUpTo(1e6, CONTACT.slidingSpeed),
  contact: oneOf(['field', 'barrier'], CONTACT.model),
  barrierDistance: positiveUpTo(1e6),
});

/** How an elastic body takes part in contact. */
export interface ElasticContactOptions {
  /** Coulomb's coefficient; a pair has the geometric mean. Default 0.5. */
  readonly friction?: number | undefined;
  /** Whether the body meets itself. Default true. */
  readonly selfCollision?: boolean | undefined;
  /**
   * Pa/m: the energy of contact is this times area times depth². Default: ten times Young's modulus over the mean edge of the
   * surface.
   */
  readonly stiffness?: number | undefined;
  /** How the distances of nodes from the surface are found. Default 'exact'. */
  readonly distances?: 'exact' | 'fast-marching' | undefined;
}

const CONTACT_OPTIONS = optionTable<ElasticContactOptions>('The options of contact')({
  friction: numberWithin(0, 1e6, CONTACT.friction),
  selfCollision: flag(true),
  stiffness: positiveUpTo(1e18),
  distances: oneOf(['exact', 'fast-marching'], 'exact'),
});

/** Where held nodes are at a time: moved from where they were when they were first held. */
export interface HoldKeyframe {
  readonly time: number;
  readonly offset: ReadonlyVec3;
}

/** The options of a world with their defaults. */
export interface WorldSettings {
  readonly timestep: number;
  readonly integrator: WorldIntegrator;
  readonly mode: NonNullable<ElasticStepOptions['mode']>;
  readonly iterations: number;
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly contact: 'field' | 'barrier';
  readonly slidingSpeed: number;
  /** Null for the share of each body's edges. */
  readonly barrierDistance: number | null;
  readonly rigid: RigidSystem | null;
}

export function checkWorldOptions(options: ElasticWorldOptions): WorldSettings {
  const { timestep: asked, rigid = null, barrierDistance = null, ...rest } = WORLD_OPTIONS.read(options);
  const timestep = checkTimestep(asked, rigid);
  checkContactModel(rest.contact, options);
  return { ...rest, timestep, rigid, barrierDistance };
}

/** The timestep, which a rigid world must have too. */
function checkTimestep(asked: number | undefined, rigid: RigidSystem | null): number {
  const timestep = asked ?? rigid?.timestep ?? CONTACT.timestep;
  if (rigid !== null && timestep !== rigid.timestep) {
    throw new NearfieldError(
      'bad-argument',
      `The timestep is ${timestep} and that of the rigid world ${rigid.timestep}; give the same to both.`,
    );
  }
  return timestep;
}

function checkContactModel(contact: 'field' | 'barrier', options: ElasticWorldOptions): void {
  if (contact !== 'barrier') {
    if (options.barrierDistance === undefined) return;
    throw new NearfieldError('bad-argument', "The option barrierDistance is for contact 'barrier'; give that too.");
  }
  if (options.mode === 'real-time') {
    throw new NearfieldError(
      'unsupported',
      "Contact 'barrier' needs converged steps: leave out the mode 'real-time', or use contact 'field'.",
    );
  }
  if (options.integrator === 'midpoint') {
    throw new NearfieldError(
      'unsupported',
      "Contact 'barrier' proves the state at the end of a step, and the midpoint rule looks for the one half way: give the integrator 'bdf2' or 'euler'.",
    );
  }
}

export function checkContactOptions(
  options: ElasticContactOptions,
  body: ElasticBody,
  size: number,
  needsDepths: boolean,
): ContactConstants {
  const { friction, selfCollision, distances, ...given } = CONTACT_OPTIONS.read(options);
  const { stiffness = (CONTACT.stiffness * body.part.constants.young) / size } = given;
  return { friction, selfCollision, stiffness, distances: needsDepths ? distances : 'none' };
}

export function checkKeyframes(keyframes: readonly HoldKeyframe[]): void {
  if (!Array.isArray(keyframes) || keyframes.length === 0) {
    throw new NearfieldError(
      'bad-argument',
      `The keyframes are ${nameValue(keyframes)}; give a list of { time, offset }, in order of time.`,
    );
  }
  keyframes.forEach((frame: HoldKeyframe, i) => {
    assertNumbers(frame?.offset, 3, `components of the offset of keyframe ${i}`);
    const sum = frame.offset[0] + frame.offset[1] + frame.offset[2];
    if (!Number.isFinite(sum) || !Number.isFinite(frame.time) || (i > 0 && !(frame.time > keyframes[i - 1].time))) {
      throw new NearfieldError(
        'bad-argument',
        `Keyframe ${i} has the time ${nameValue(frame.time)}; give finite offsets and times that increase.`,
      );
    }
  });
}

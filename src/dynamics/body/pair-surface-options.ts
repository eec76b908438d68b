// What callers give for the surface of a pair, and its checks.
import { assertOptions, nameValue, type OptionNames } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Bodies } from './bodies.js';
import { assertInRange } from './body-properties.js';
import type { PairSurface } from './pair-surfaces.js';

/** Friction and restitution of two bodies where they touch each other; what is left out is as without it. */
export interface PairSurfaceOptions {
  /** Coulomb's coefficient of points that slide. */
  readonly friction?: number | undefined;
  /** Of points that do not slide; the friction if left out and that is given. */
  readonly staticFriction?: number | undefined;
  /** 0 to 1. */
  readonly restitution?: number | undefined;
}

const NAMES: OptionNames<PairSurfaceOptions> = { friction: true, staticFriction: true, restitution: true };

/** The surface of a pair, with what the bodies have where the caller gives nothing. */
export function takePairSurface(bodies: Bodies, a: number, b: number, options: PairSurfaceOptions): PairSurface {
  assertOptions(options, NAMES, 'The surface of a pair');
  assertInRange(options.friction, Infinity, 'friction of the pair');
  assertInRange(options.staticFriction, Infinity, 'static friction of the pair');
  assertInRange(options.restitution, 1, 'restitution of the pair');
  bodies.surfaces.set(a, b, null);
  const own = bodies.surfaces.of(bodies, a, b);
  const friction = options.friction ?? own.friction;
  const staticFriction = options.staticFriction ?? (options.friction === undefined ? own.staticFriction : friction);
  if (staticFriction < friction) {
    throw new NearfieldError(
      'bad-argument',
      `The static friction of the pair is ${nameValue(staticFriction)}, less than its friction; give at least ${friction}.`,
    );
  }
  return { friction, staticFriction, restitution: options.restitution ?? own.restitution };
}

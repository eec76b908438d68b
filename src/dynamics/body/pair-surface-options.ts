// What callers give for the surface of a pair, and its checks.
import { nameValue } from '../../core/check/check-options.js';
import { labelled, numberWithin, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Bodies } from './bodies.js';
import { NOT_NEGATIVE } from './body-properties.js';
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

/** What is left out is that of the bodies. */
const SURFACE_OPTIONS = optionTable<PairSurfaceOptions>('The surface')({
  friction: NOT_NEGATIVE,
  staticFriction: labelled('static friction', NOT_NEGATIVE),
  restitution: numberWithin(0, 1),
});

/** The surface of a pair, with what the bodies have where the caller gives nothing. */
export function takePairSurface(bodies: Bodies, a: number, b: number, options: PairSurfaceOptions): PairSurface {
  SURFACE_OPTIONS.assert(options, 'the pair');
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

// What an elastic body is made of, checked.
import { nameValue } from '../../core/check/check-options.js';
import {
  checkedElsewhere,
  type FilledRule,
  labelled,
  numberWithin,
  type OptionRule,
  oneOf,
  optionTable,
} from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { ELEMENTS, type ElementName } from '../element/element-shapes.js';
import { MATERIALS, type MaterialName } from '../element/material.js';

/** What an {@link ElasticBody} is made of. */
export interface ElasticBodyOptions {
  /** Young's modulus, in pascals. */
  readonly young: number;
  /** Poisson's ratio, from 0 to 0.49. Default 0.3. */
  readonly poisson?: number | undefined;
  /** Kilograms per cubic meter. Default 1000. */
  readonly density?: number | undefined;
  /** How stress follows from deformation. Default 'stable-neo-hookean'. */
  readonly material?: MaterialName | undefined;
  /**
   * 'linear': four nodes, fast, too stiff in bending. 'quadratic': a node more in the middle of each edge, which comes after
   * the nodes of the mesh in all arrays of the body: accurate, and slower. Default 'linear'.
   */
  readonly element?: ElementName | undefined;
  /**
   * 'lumped': the mass of elements at their nodes; 'consistent': the mass matrix of the shape functions. Default
   * 'lumped'.
   */
  readonly mass?: 'lumped' | 'consistent' | undefined;
  /** Rayleigh damping by mass (1/s) and by stiffness (s). Default none. */
  readonly damping?: { readonly mass?: number | undefined; readonly stiffness?: number | undefined } | undefined;
  /** Acceleration on all nodes, in m/s². Default none. */
  readonly gravity?: ReadonlyVec3 | undefined;
  /** The share of each element that is material, as an embedded tetrahedralization gives it. Default 1. */
  readonly fill?: Float64Array | null | undefined;
}

const DEFAULTS = ELASTIC_DEFAULTS.body;

const OPTIONS = optionTable<ElasticBodyOptions>()({
  young: checkedElsewhere<number>(),
  poisson: numberWithin(0, 0.49, DEFAULTS.poisson),
  density: positiveUpTo(1e9, DEFAULTS.density),
  material: oneOf(MATERIALS, DEFAULTS.material),
  element: oneOf(ELEMENTS, DEFAULTS.element),
  mass: oneOf(['lumped', 'consistent'], DEFAULTS.mass),
  damping: checkedElsewhere<NonNullable<ElasticBodyOptions['damping']>>({}),
  gravity: {
    expects: 'three numbers, in m/s²',
    accepts: (value) => [0, 1, 2].every((axis) => Number.isFinite((value as ReadonlyVec3 | null)?.[axis])),
    fallback: [0, 0, 0] as ReadonlyVec3,
  },
  fill: checkedElsewhere<Float64Array>(),
});

const DAMPING = optionTable<NonNullable<ElasticBodyOptions['damping']>>('The dampings')({
  mass: labelled('damping by mass', numberWithin(0, 1e9, 0)),
  stiffness: labelled('damping by stiffness', numberWithin(0, 1e9, 0)),
});

/** The options with their defaults. */
export interface BodyConstants {
  readonly young: number;
  readonly poisson: number;
  readonly density: number;
  readonly material: MaterialName;
  readonly element: ElementName;
  readonly isLumped: boolean;
  readonly massDamping: number;
  readonly stiffnessDamping: number;
  readonly gravity: ReadonlyVec3;
  readonly fill: Float64Array | null;
}

export function checkBodyOptions(options: ElasticBodyOptions, elementCount: number): BodyConstants {
  if (options?.young === undefined) throw new NearfieldError('bad-argument', "Give Young's modulus: { young: 1e6 }.");
  const { young, poisson, density, material, element, mass, damping, gravity } = OPTIONS.read(options);
  assertRange("Young's modulus", young, Number.MIN_VALUE, 1e15);
  const { mass: massDamping, stiffness: stiffnessDamping } = DAMPING.read(damping);
  const { fill = null } = options;
  if (fill !== null && !(fill instanceof Float64Array && fill.length === elementCount && fill.every((f) => f > 0))) {
    throw new NearfieldError(
      'bad-argument',
      `The fill is ${nameValue(fill)}; give a positive number for each of ${elementCount} elements.`,
    );
  }
  return {
    ...{ young, poisson, density, material, element, isLumped: mass === 'lumped', massDamping, stiffnessDamping },
    ...{ gravity: [gravity[0], gravity[1], gravity[2]], fill },
  };
}

/** A number above 0, up to `most`. */
export function positiveUpTo(most: number): OptionRule<number>;
export function positiveUpTo(most: number, fallback: number): FilledRule<number>;
export function positiveUpTo(most: number, fallback?: number): OptionRule<number> {
  const accepts = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= most;
  const expects = `a number above 0 and at most ${most}`;
  return fallback === undefined ? { expects, accepts } : { expects, accepts, fallback };
}

export function assertRange(what: string, value: number, low: number, high: number): void {
  if (typeof value === 'number' && value >= low && value <= high) return;
  const range = low === Number.MIN_VALUE ? `above 0 and at most ${high}` : `from ${low} to ${high}`;
  throw new NearfieldError('bad-argument', `${what} is ${nameValue(value)}; give a number ${range}.`);
}

// Checks shared by all field methods: invalid options, and options that belong to another method.

import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Polygon } from '../mesh/polygon/polygon.js';
import type { FieldCounters, FieldMethod, FieldOptions, FieldSource } from './distance-field.js';
import type { JumpFloodVariant } from './flood/jump-flood.js';

/** The options of fields when none are given. Widths are in spacings. */
export const FIELD_DEFAULTS = {
  method: 'exact' as FieldMethod,
  /** Half width of the band that a march starts from: every marched node then has its second neighbors on its side. */
  bandWidth: 2,
  /** The same with a speed. The band uses the speed at the node all the way to the surface, so it is kept narrow. */
  bandWidthWithSpeed: 1,
  /** Nodes at which a marched field is compared with exact distances. */
  errorSamples: 256,
  /** Half width of the band of a sparse field. */
  sparseBandWidth: 3,
  /**
   * The grid of `solidify` and `offsetMesh`: nodes along the longest side, the largest number of these that is accepted
   * or tried, and the largest number of cells that the surface may pass through.
   */
  solid: { resolution: 64, maxResolution: 2048, maxCells: 4_000_000 },
  /** The smallest error for the same cost. */
  jumpFloodVariant: '1+jfa' as JumpFloodVariant,
  /** The defaults of `UpdateOptions`. */
  update: {
    maxBoxes: 4,
    continuityTolerance: 1e-9,
    /** With border 'nothing': both sides were marched separately, and second order leaves residues of up to 0.004. */
    apartContinuityTolerance: 0.01,
    blendTolerance: 0.1,
    blendLayers: 4,
  },
} as const;

/** Throws if a value is not one of those allowed; `undefined` is fine. */
export function assertChoice(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw new NearfieldError('bad-argument', `The option ${name} is ${String(value)}; give ${allowed.join(' or ')}.`);
}

/** Throws unless the named options are positive or left out; Infinity is accepted. */
export function assertPositive<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): void {
  for (const name of names) {
    const value: unknown = options[name];
    if (value === undefined || (typeof value === 'number' && value > 0)) continue;
    throw new NearfieldError('bad-argument', `The option ${name} is ${nameValue(value)}; give a number above 0.`);
  }
}

/** The source if it consists of triangles or segments, for the method of that name; throws otherwise, and for a speed. */
export function triangleSource(source: FieldSource, options: FieldOptions, method: string): Mesh | Polygon {
  if ('lipschitz' in source) {
    throw new NearfieldError(
      'unsupported',
      `The method '${method}' measures from triangles; for an implicit shape use 'fast-marching', or polygonize it first.`,
    );
  }
  if (options.speed !== undefined) {
    throw new NearfieldError(
      'unsupported',
      `The method '${method}' gives distances and supports no speed; use 'fast-marching'.`,
    );
  }
  return source;
}

/** Counters at zero. */
export function noCounts(): FieldCounters {
  return {
    bandNodes: 0,
    triangleDistances: 0,
    marched: 0,
    secondOrderUpdates: 0,
    updates: 0,
    nodesVisited: 0,
  };
}

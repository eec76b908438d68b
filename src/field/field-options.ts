// Checks shared by all field methods: invalid options, and options that belong to another method.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Polygon } from '../mesh/polygon/polygon.js';
import type { FieldCounters, FieldOptions, FieldSource } from './distance-field.js';

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

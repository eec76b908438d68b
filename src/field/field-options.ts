// What every way to a field refuses: options that cannot be, and those that belong to another way.
import { NearfieldError } from '../core/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Polygon } from '../mesh/polygon/polygon.js';
import type { FieldCounters, FieldOptions, FieldSource } from './distance-field.js';

/** Refuses a value that is none of those allowed; one that is left out is fine. */
export function assertChoice(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw new NearfieldError('bad-argument', `The option ${name} is ${String(value)}; give ${allowed.join(' or ')}.`);
}

/** Refuses sides, signs and largest distances that cannot be. */
export function assertFieldOptions({ sides, sign, maxDistance }: FieldOptions): void {
  assertChoice('sides', sides, ['inside', 'outside', 'both']);
  assertChoice('sign', sign, ['winding', 'none']);
  if (maxDistance !== undefined && !(typeof maxDistance === 'number' && maxDistance >= 0)) {
    throw new NearfieldError('bad-argument', `The largest distance is ${String(maxDistance)}; give a number from 0.`);
  }
}

/** The source, which must consist of triangles or segments, for the method of that name. Refuses a speed too. */
export function triangleSource(source: FieldSource, options: FieldOptions, method: string): Mesh | Polygon {
  if ('lipschitz' in source) {
    throw new NearfieldError(
      'unsupported',
      `The method '${method}' measures from triangles; for an implicit shape take 'fast-marching', or polygonize it first.`,
    );
  }
  if (options.speed !== undefined) {
    throw new NearfieldError(
      'unsupported',
      `The method '${method}' gives distances and knows no speed; take 'fast-marching'.`,
    );
  }
  return source;
}

/** Counters that have counted nothing. */
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

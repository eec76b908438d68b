// Checks of the options of fast marching: invalid ones, and those of other methods.
import { NearfieldError } from '../../core/errors.js';
import { FIELD_OPTIONS, type FieldOptions, type FieldSource } from '../distance-field.js';
import { assertChoice } from '../field-options.js';
import { type GridFrame, gridNodeCount } from '../grid.js';
import type { BoxMarchOptions } from './box-march.js';

/** Throws for options that fast marching does not support; defaults are filled in later. */
export function assertMarchOptions(source: FieldSource, frame: GridFrame, options: FieldOptions): void {
  assertSource(source);
  const { method, order, bandWidth, speed, backend, nearest } = options;
  if ((method !== undefined && method !== 'fast-marching') || nearest === true || backend === 'webgpu') {
    const what =
      nearest === true
        ? 'the nearest triangles'
        : backend === 'webgpu'
          ? "the backend 'webgpu'"
          : `the method '${method}'`;
    throw new NearfieldError('unsupported', `Fast marching cannot give ${what}; ask for the method 'exact'.`);
  }
  assertChoice('order', order, [1, 2]);
  FIELD_OPTIONS.assert(options);
  if (bandWidth !== undefined && !(bandWidth >= 1 && bandWidth < Infinity)) {
    throw new NearfieldError(
      'bad-argument',
      `The band is ${bandWidth} spacings wide; give at least 1, or it does not separate inside and outside.`,
    );
  }
  const [nx, ny, nz] = frame.size;
  if (nx < 2 || ny < 2 || (nz < 2 && 'positions' in source)) {
    throw new NearfieldError(
      'bad-argument',
      `The grid has ${frame.size.join(' × ')} nodes. A march needs two along every axis (z may have one for polygons and ` +
        "implicit shapes); for a slice of a mesh use the method 'exact'.",
    );
  }
  if (speed !== undefined) assertSpeed(speed, frame);
}

/** The options of a field that the march itself uses. */
export function boxMarchOptions({ order, speed, sides, sign, maxDistance, band }: FieldOptions): BoxMarchOptions {
  return { order, speed, sides, sign, maxTime: maxDistance, offered: band === 'triangle-boxes' };
}

/** Throws for a source that is not an object, and for a shape without a function. */
export function assertSource(source: FieldSource): void {
  if (typeof source !== 'object' || source === null) {
    throw new NearfieldError('bad-argument', `The source is ${source}; give a mesh, a polygon or an implicit shape.`);
  }
  if ('lipschitz' in source && typeof source.value !== 'function') {
    throw new NearfieldError('bad-argument', 'The shape has no function; give one of x, y and z as its value.');
  }
}

function assertSpeed(speed: Float64Array, frame: GridFrame): void {
  if (speed.length !== gridNodeCount(frame)) {
    throw new NearfieldError(
      'bad-argument',
      `There are ${speed.length} speeds for ${gridNodeCount(frame)} nodes; give one per node.`,
    );
  }
  for (let node = 0; node < speed.length; node++) {
    if (!(speed[node] >= 0 && speed[node] < Infinity)) {
      throw new NearfieldError('bad-argument', `The speed at node ${node} is ${speed[node]}; give a number from 0.`);
    }
  }
}

// Values and gradients of a field at one point, or at many without allocating per point.
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { assertRoom, assertVector, countPoints } from '../../mesh/query/query-arguments.js';
import { type AnyField, isSparse } from '../any-field.js';
import { type Field, frameBox, type GridFrame } from '../grid.js';
import { clampsOutside, FieldSampler, type SampleOptions } from './field-sampler.js';

/**
 * The value at a point, trilinear between the nodes around it (bilinear in the plane, where z is ignored). NaN beyond
 * the grid, unless `outside` is 'clamp', and if a node involved was not computed. For many points use
 * {@link sampleFieldAt} or a {@link FieldSampler}.
 */
export function sampleField(field: AnyField, point: ReadonlyVec3, options?: SampleOptions): number {
  assertVector(point, 'point');
  if (isSparse(field)) {
    const value = field.sample(pointFor(field, point, options));
    return value - value === 0 ? value : NaN;
  }
  return new FieldSampler(field, options).value(point[0], point[1], point[2]);
}

/** The values at many points (x, y, z in turn, in the plane too), as {@link sampleField} returns them. */
export function sampleFieldAt(
  field: Field,
  points: Float64Array,
  out?: Float64Array,
  options?: SampleOptions,
): Float64Array {
  const count = countPoints(points);
  assertRoom(out, count);
  const values = out ?? new Float64Array(count);
  const sampler = new FieldSampler(field, options);
  for (let i = 0; i < count; i++) values[i] = sampler.value(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  return values;
}

/**
 * The gradient at a point: the central differences of `fieldGradient` at the nodes around it, interpolated like values.
 * It is continuous and of second order, unlike the derivative of {@link sampleField}, which jumps from cell to cell and
 * is of first order. NaN where the field has no value: beyond the grid, unless `outside` is 'clamp', and next to nodes that were
 * not computed.
 */
export function sampleGradient(
  field: AnyField,
  point: ReadonlyVec3,
  out: Vec3 = [0, 0, 0],
  options?: SampleOptions,
): Vec3 {
  assertVector(point, 'point');
  assertRoom(out, 3);
  if (isSparse(field)) return field.gradient(pointFor(field, point, options), out);
  new FieldSampler(field, options).gradient(point[0], point[1], point[2], out);
  return out;
}

/** The gradients at many points, three numbers each, as {@link sampleGradient} returns them. */
export function sampleGradientAt(
  field: Field,
  points: Float64Array,
  out?: Float64Array,
  options?: SampleOptions,
): Float64Array {
  const count = countPoints(points);
  assertRoom(out, 3 * count);
  const gradients = out ?? new Float64Array(3 * count);
  const sampler = new FieldSampler(field, options);
  for (let i = 0; i < 3 * count; i += 3) sampler.gradient(points[i], points[i + 1], points[i + 2], gradients, i);
  return gradients;
}

/** The point itself, or the nearest point of the grid if points are clamped. */
function pointFor(frame: GridFrame, point: ReadonlyVec3, options: SampleOptions | undefined): ReadonlyVec3 {
  if (!clampsOutside(options)) return point;
  const { min, max } = frameBox(frame);
  const along = (axis: 0 | 1 | 2): number => Math.min(max[axis], Math.max(min[axis], point[axis]));
  return [along(0), along(1), along(2)];
}

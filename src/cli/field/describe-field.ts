// Describes a field and how it was computed, for people.
import type { FieldError } from '../../field/distance-field.js';
import type { FieldRange } from '../../field/files/field-layers.js';
import { gridNodeCount } from '../../field/grid.js';
import { describeBackend } from '../acquire-device.js';
import { readable, readableVector } from '../table.js';
import type { Comparison } from './compare-field.js';
import type { AskedField, MadeField } from './make-field.js';
import type { MovedField } from './move-field.js';
import type { FieldProbe } from './probe-field.js';

export function describeRange({ least, greatest, unknown }: FieldRange): string {
  const left = unknown === 0 ? '' : `; ${readable(unknown)} nodes were not computed`;
  return least > greatest ? 'no node was computed' : `${readable(least)} to ${readable(greatest)}${left}`;
}

export function describeMethod(
  { device, fallback }: MadeField,
  { method, marchOrder, sparse, speedFile }: AskedField,
): string {
  const order = marchOrder === null ? '' : ` of order ${marchOrder}`;
  const times = speedFile === null ? '' : ', times of arrival';
  return `${method}${order}${sparse ? ' in a sparse band' : ''}${times}, on ${describeBackend(device, fallback)}`;
}

export function describeError({ kind, max, mean, samples }: FieldError): string {
  switch (kind) {
    case 'bound':
      return `at most ${readable(max)}`;
    case 'sampled':
      return `${readable(max)} at most and ${readable(mean ?? max)} on average, sampled at ${readable(samples)} nodes`;
    case 'unknown':
      return 'unknown';
  }
}

export function describeDifference({ measured }: Comparison): string {
  const { against, mean, max, nodes, worst, milliseconds } = measured;
  if (worst === null) return `no node was computed both ways (${against})`;
  return (
    `from ${against} up to ${readable(max)}, at ${readableVector(worst)}, and ${readable(mean)} on average over ` +
    `${readable(nodes)} nodes (${milliseconds.toFixed(1)} ms)`
  );
}

/** What the update did, how long it took, and how much it differs from a full field. */
export function describeUpdate(field: MovedField): [string, string][] {
  const { status, reason, boxes, nodes, discontinuity, milliseconds, fullMilliseconds, difference } = field.update;
  const share = `${readable(nodes)} of ${readable(gridNodeCount(field.field))} nodes in ${boxes.length} ${boxes.length === 1 ? 'box' : 'boxes'}`;
  const how = reason === null ? share : `all nodes, because of ${reason}`;
  return [
    ['update', `${status}, ${how}; discontinuity ${readable(discontinuity)}`],
    ['update took', `${milliseconds.toFixed(1)} ms; a full field takes ${fullMilliseconds.toFixed(1)} ms`],
    [
      'update differs',
      `from the full field by ${difference.worst === null ? 'unknown, as no node was computed' : `${readable(difference.max)} at most`}`,
    ],
  ];
}

export function describeProbe({ point, value, gradient, distance, nearest }: FieldProbe): string {
  const said = value === null ? 'not computed' : `${readable(value)}, gradient ${readableVector(gradient)}`;
  return `at ${readableVector(point)}: ${said}; the distance is ${readable(distance)}, to ${readableVector(nearest)}`;
}

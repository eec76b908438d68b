// The value of a field at a point, beside the true distance there.
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { Vec3 } from '../../core/vec3.js';
import { sampleField, sampleGradient } from '../../field/read/sample-field.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { parseNumber } from '../arguments.js';
import type { Verb, VerbInput } from '../verb.js';
import { takeTexts } from './field-outputs.js';
import type { MadeField } from './make-field.js';

export const PROBE_OPTIONS: Verb['options'] = { probe: { type: 'string', multiple: true } };
export const PROBE_HELP = `  --probe X,Y,Z        report the field's interpolated value and gradient at a point, beside the true distance and
                       nearest point; may be repeated`;

/** Missing numbers are null: outside the grid, and next to nodes that were not computed. */
export interface FieldProbe {
  /** For a plane field, moved onto its plane. */
  readonly point: Vec3;
  readonly value: number | null;
  readonly gradient: Vec3 | null;
  /** Signed if the field is. */
  readonly distance: number;
  readonly nearest: Vec3 | null;
}

export function takeProbes(input: VerbInput): Vec3[] {
  return takeTexts(input, 'probe').map((text) => {
    const numbers = text
      .split(',')
      .map((word, i) => parseNumber(word, `number ${i} of --probe`, { min: -MAX_COORDINATE, max: MAX_COORDINATE }));
    if (numbers.length !== 3) {
      throw new NearfieldError('bad-argument', `--probe is "${text}"; give three numbers: x,y,z`);
    }
    return numbers as Vec3;
  });
}

export function probeField({ field }: MadeField, mesh: Mesh, points: readonly Vec3[]): FieldProbe[] {
  if (points.length === 0) return [];
  const query = new MeshQuery(mesh);
  return points.map(([x, y, z]) => {
    const point: Vec3 = [x, y, field.size[2] === 1 ? field.origin[2] : z];
    const value = sampleField(field, point);
    const gradient = sampleGradient(field, point);
    const closest = query.closestPoint(point);
    return {
      point,
      value: Number.isFinite(value) ? value : null,
      gradient: gradient.every(Number.isFinite) ? gradient : null,
      distance: field.signed ? query.signedDistance(point) : (closest?.distance ?? Infinity),
      nearest: closest?.point ?? null,
    };
  });
}

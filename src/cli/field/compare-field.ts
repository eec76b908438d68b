// Compares a field with one by another method on the same grid: statistics, and the differences as numbers or in color.
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import { computeFieldSync } from '../../field/compute-field.js';
import { FIELD_METHODS } from '../../field/distance-field.js';
import { type Field, type GridFrame, nodePosition } from '../../field/grid.js';
import { compareFields } from '../../field/read/compare-fields.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { takeChoice, takeString } from '../arguments.js';
import type { Verb, VerbInput } from '../verb.js';
import { type FieldOutput, parseOutput } from './field-outputs.js';
import type { AskedField } from './make-field.js';

/** What a field can be compared with; 'query' shares no code with any method. */
const REFERENCES = [...FIELD_METHODS, 'query'] as const;
type Reference = (typeof REFERENCES)[number];

export const AGAINST_OPTIONS: Verb['options'] = { against: { type: 'string' }, difference: { type: 'string' } };
export const AGAINST_HELP = `  --against M          also compute the whole field on the CPU by the method M (fast-marching: order 2 from the exact
                       band; query: the nearest point of each node), and report how much the two differ where both
                       were computed: ${REFERENCES.join(', ')}
  --difference D.npy   write the field minus the one of --against; extensions as for -o. D.png shows it in color: pale
                       where they agree, dark where they differ most`;

/** What to compare with. */
export interface AskedComparison {
  readonly reference: Reference;
  readonly output: FieldOutput | null;
}

/** Differences of two fields over the nodes that both have. Without these nodes, numbers are NaN and `worst` is null. */
export interface MeasuredDifference {
  readonly mean: number;
  readonly rms: number;
  readonly max: number;
  readonly nodes: number;
  /** The node of the largest difference. */
  readonly worst: Vec3 | null;
}

/** A field minus another one. */
export interface Comparison {
  readonly measured: MeasuredDifference & { readonly against: Reference; readonly milliseconds: number };
  /** Infinity where either was not computed. */
  readonly differences: Field;
}

export function takeComparison(input: VerbInput, asked: AskedField): AskedComparison | null {
  const path = takeString(input, 'difference');
  if (input.values.against === undefined) {
    if (path === null) return null;
    throw new NearfieldError('bad-argument', '--difference needs --against M; add it, or leave --difference out');
  }
  const reference = takeChoice(input, 'against', REFERENCES);
  if (asked.speedFile !== null && reference !== 'fast-marching') {
    throw new NearfieldError(
      'bad-argument',
      `--against ${reference} gives distances, but with --speed the field holds times; use --against fast-marching`,
    );
  }
  return { reference, output: path === null ? null : parseOutput(path) };
}

export function compareField(
  field: Field,
  mesh: Mesh,
  { reference: against }: AskedComparison,
  { sign, speed }: AskedField,
  progress: ProgressOptions,
): Comparison {
  const start = performance.now();
  const reference =
    against === 'query'
      ? queryNodes(mesh, field, sign, progress)
      : computeFieldSync(mesh, field, { ...progress, method: against, sign, speed });
  const milliseconds = performance.now() - start;
  const measured = { against, ...measureDifference(field, reference), milliseconds };
  // The reference is not used again, so its memory is reused.
  const { values } = reference;
  for (let node = 0; node < values.length; node++) {
    const difference = field.values[node] - values[node];
    values[node] = Number.isFinite(difference) ? difference : Infinity;
  }
  const { origin, spacing, size } = field;
  return { measured, differences: { origin, spacing, size, values } };
}

/** The distances by one query of the mesh per node. */
function queryNodes(mesh: Mesh, frame: GridFrame, sign: AskedField['sign'], progress: ProgressOptions): Field {
  const { origin, spacing, size } = frame;
  const [nx, ny, nz] = size;
  const query = new MeshQuery(mesh);
  const points = new Float64Array(3 * nx * ny);
  const values = new Float64Array(nx * ny * nz);
  for (let k = 0; k < nz; k++) {
    for (let j = 0, o = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, o += 3) points.set(nodePosition(frame, i, j, k), o);
    }
    const layer = values.subarray(nx * ny * k, nx * ny * (k + 1));
    if (sign === 'none') query.closestPoints(points, { distances: layer });
    else query.signedDistances(points, layer);
    reportProgress(progress, (k + 1) / nz, 'queries');
  }
  return { origin, spacing, size, values };
}

export function measureDifference(field: Field, reference: Field): MeasuredDifference {
  const { worstNode, ...measured } = compareFields(field, reference);
  return { ...measured, worst: worstNode < 0 ? null : positionOf(field, worstNode) };
}

function positionOf(frame: GridFrame, node: number): Vec3 {
  const [nx, ny] = frame.size;
  return nodePosition(frame, node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny)));
}

// Gradients of a field at its nodes, by finite differences of second order. O(nodes).
import { assertField, type Field } from '../grid.js';

/** A gradient at every node of a field, one array per component, indexed like the field's values. */
export interface FieldGradient {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
}

/**
 * The gradient at every node: central differences. If one neighbor is beyond the grid or was not computed, one-sided
 * differences of the next two nodes on the other side (or one, if there is no second). Exact for linear fields. NaN at
 * nodes that were not computed or have no computed neighbor; 0 along an axis of one node, such as z in the plane.
 */
export function fieldGradient(field: Field): FieldGradient {
  assertField(field);
  const { values, spacing } = field;
  const [nx, ny, nz] = field.size;
  const x = new Float64Array(values.length);
  const y = new Float64Array(values.length);
  const z = new Float64Array(values.length);
  const layer = nx * ny;
  let node = 0;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, node++) {
        x[node] = nodeDerivative(values, node, 1, i, nx, spacing);
        y[node] = nodeDerivative(values, node, nx, j, ny, spacing);
        z[node] = nodeDerivative(values, node, layer, k, nz, spacing);
      }
    }
  }
  return { x, y, z };
}

/**
 * The derivative along one axis at a node, the `place`-th of the `count` in its row, `stride` values apart; see
 * {@link fieldGradient}. Rows of one node have derivative 0.
 */
export function nodeDerivative(
  values: Float64Array,
  node: number,
  stride: number,
  place: number,
  count: number,
  spacing: number,
): number {
  if (count === 1) return 0;
  const here = values[node];
  const below = place > 0 ? values[node - stride] : Infinity;
  const above = place < count - 1 ? values[node + stride] : Infinity;
  // x − x is 0 for finite numbers and NaN for values that were not computed.
  if (above - above === 0) {
    if (below - below === 0) return here - here === 0 ? (above - below) / (2 * spacing) : NaN;
    return oneSided(here, above, place + 2 < count ? values[node + 2 * stride] : Infinity, spacing);
  }
  if (below - below !== 0) return NaN;
  return oneSided(here, below, place > 1 ? values[node - 2 * stride] : Infinity, -spacing);
}

function oneSided(here: number, next: number, second: number, spacing: number): number {
  if (here - here !== 0) return NaN;
  if (second - second !== 0) return (next - here) / spacing;
  return (4 * (next - here) - (second - here)) / (2 * spacing);
}

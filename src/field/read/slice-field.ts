// The values of a field in a plane perpendicular to an axis.
import { NearfieldError } from '../../core/errors.js';
import { type AnyField, isSparse } from '../any-field.js';
import { allNodes, assertField, type Field, type GridFrame } from '../grid.js';

/** A slice position: a layer of nodes. */
export interface SliceNode {
  /** The node along the axis, counted from 0. */
  readonly node: number;
}

/**
 * A planar grid of the field's values at a coordinate along an axis (0 is x), linear between two nodes, or at a layer of
 * nodes. Its x and y are the other two axes in order: y and z of a slice along x, x and z along y, x and y along z (so a
 * slice along y is viewed against its axis); its z is the coordinate along the axis. Between a node that was not computed
 * (±Infinity) and one that was, the slice is not computed; between two on different sides it takes the nearer one's.
 * @throws NearfieldError `bad-argument` for an invalid axis, a planar grid, or a coordinate beyond the grid;
 * `index-out-of-range` for a node beyond it.
 */
export function sliceField(field: AnyField, axis: 0 | 1 | 2, position: number | SliceNode): Field {
  if (!isSparse(field)) assertField(field);
  if (axis !== 0 && axis !== 1 && axis !== 2) {
    throw new NearfieldError('bad-argument', `The axis is ${axis}; give 0 for x, 1 for y or 2 for z.`);
  }
  if (field.size[2] === 1)
    throw new NearfieldError('bad-argument', 'The field is in the plane; only one in space has slices.');
  const place = layerPlace(field, axis, position);
  if (!isSparse(field)) return sliceAt(field, axis, place);
  // The layers of nodes on both sides are enough.
  const from = Math.min(Math.floor(place), field.size[axis] - 1);
  const { min, max } = allNodes(field);
  const low: [number, number, number] = [...min];
  const high: [number, number, number] = [...max];
  low[axis] = from;
  high[axis] = Math.min(from + 1, field.size[axis] - 1);
  const { origin, ...slice } = sliceAt(field.toField({ min: low, max: high }), axis, place - from);
  return { ...slice, origin: [origin[0], origin[1], field.origin[axis] + field.spacing * place] };
}

function sliceAt({ values, spacing, origin, size }: Field, axis: 0 | 1 | 2, place: number): Field {
  const u = axis === 0 ? 1 : 0;
  const v = axis === 2 ? 1 : 2;
  const stride = [1, size[0], size[0] * size[1]];
  const low = Math.floor(place) * stride[axis];
  const share = place - Math.floor(place);
  const next = share > 0 ? stride[axis] : 0;
  const slice = new Float64Array(size[u] * size[v]);
  let at = 0;
  for (let j = 0; j < size[v]; j++) {
    for (let i = 0; i < size[u]; i++) {
      const node = low + i * stride[u] + j * stride[v];
      slice[at++] = mixKnown(values[node], values[node + next], share);
    }
  }
  return {
    origin: [origin[u], origin[v], origin[axis] + spacing * place],
    spacing,
    size: [size[u], size[v], 1],
    values: slice,
  };
}

/** The layer of a slice, as a fractional node. */
function layerPlace(field: GridFrame, axis: 0 | 1 | 2, position: number | SliceNode): number {
  const { origin, spacing, size } = field;
  const lastNode = size[axis] - 1;
  if (typeof position === 'object' && position !== null) {
    const { node } = position;
    if (Number.isInteger(node) && node >= 0 && node <= lastNode) return node;
    throw new NearfieldError(
      'index-out-of-range',
      `The slice is at node ${node} along ${'xyz'[axis]}; give a whole number from 0 to ${lastNode}.`,
    );
  }
  const last = origin[axis] + spacing * lastNode;
  if (!(typeof position === 'number' && position >= origin[axis] && position <= last)) {
    throw new NearfieldError(
      'bad-argument',
      `The slice is at ${'xyz'[axis]} = ${position}; the grid goes from ${origin[axis]} to ${last}.`,
    );
  }
  const place = Math.min(lastNode, (position - origin[axis]) / spacing);
  const nearest = Math.round(place);
  return origin[axis] + spacing * nearest === position ? nearest : place;
}

function mixKnown(a: number, b: number, share: number): number {
  if (a - a !== 0) return b - b === 0 || share < 0.5 ? a : b;
  return b - b === 0 ? a + share * (b - a) : b;
}

// Values and gradients of a field between its nodes: trilinear, in the plane bilinear. A sampler keeps its scratch
// memory between calls, so that a call allocates nothing. O(1) per point.
import { oneOf, optionTable } from '../../core/check/option-table.js';
import { assertField, type Field } from '../grid.js';
import { nodeDerivative } from './gradient.js';

/** How a field is continued beyond its first and last nodes. */
export interface SampleOptions {
  /** 'clamp': use the nearest point of the grid. 'nan': return NaN. Default 'nan'. */
  readonly outside?: 'clamp' | 'nan' | undefined;
}

const SAMPLE_OPTIONS = optionTable<SampleOptions>()({ outside: oneOf(['clamp', 'nan']) });

/**
 * Samples one field at many points. A planar field is the same at every height: the z of a point is ignored.
 *
 * The answer is NaN if a node involved was not computed (±Infinity). These are the nodes of the cell around the point;
 * for a point in a face, an edge or a corner of the cell, only the nodes of that, so that every node has its own value.
 */
export class FieldSampler {
  readonly #values: Float64Array;
  readonly #spacing: number;
  readonly #clamps: boolean;
  /** Along each axis: the coordinates of the first and the last node, their number, and how far apart their values are. */
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #count: Int32Array;
  readonly #stride: Int32Array;
  /** The point along each axis: the node at or before it, and the share of the spacing beyond. */
  readonly #cell = new Int32Array(3);
  readonly #share = new Float64Array(3);

  /** @throws NearfieldError `bad-argument` for a field whose values do not fit its grid or an unknown option. */
  constructor(field: Field, options: SampleOptions = {}) {
    assertField(field);
    const { origin, spacing, size } = field;
    this.#values = field.values;
    this.#spacing = spacing;
    this.#clamps = clampsOutside(options);
    this.#first = Float64Array.from(origin);
    this.#last = Float64Array.from(origin, (first, axis) => first + spacing * (size[axis] - 1));
    this.#count = Int32Array.from(size);
    this.#stride = Int32Array.of(1, size[0], size[0] * size[1]);
  }

  /** The value at a point; NaN where the field has none. Callers ensure that the coordinates are finite. */
  value(x: number, y: number, z: number): number {
    if (!this.#locate(x, y, z)) return NaN;
    const value = this.#interpolate(this.#node());
    return value - value === 0 ? value : NaN;
  }

  /**
   * The gradient at a point: the gradients of the nodes around it by central differences (see `fieldGradient`),
   * interpolated like values. It is continuous, and not quite the derivative of `value`, which jumps from cell to cell.
   * NaN in every component where the field has no gradient. Callers ensure that the coordinates are finite.
   */
  gradient(x: number, y: number, z: number, out: Float64Array | number[], at = 0): void {
    let gx = NaN;
    let gy = NaN;
    let gz = NaN;
    if (this.#locate(x, y, z)) {
      gx = this.#derivative(0);
      gy = this.#derivative(1);
      gz = this.#derivative(2);
      if (gx + gy + gz - (gx + gy + gz) !== 0) gx = gy = gz = NaN;
    }
    out[at] = gx;
    out[at + 1] = gy;
    out[at + 2] = gz;
  }

  /** Finds the point's cell; returns false beyond the grid, unless points are clamped to it. */
  #locate(x: number, y: number, z: number): boolean {
    return this.#locateAlong(0, x) && this.#locateAlong(1, y) && this.#locateAlong(2, z);
  }

  #locateAlong(axis: number, x: number): boolean {
    const first = this.#first[axis];
    const count = this.#count[axis];
    if (count === 1 && axis === 2) {
      this.#cell[2] = 0;
      this.#share[2] = 0;
      return true;
    }
    if (x < first || x > this.#last[axis]) {
      if (!this.#clamps) return false;
      this.#cell[axis] = x < first ? 0 : count - 1;
      this.#share[axis] = 0;
      return true;
    }
    const place = Math.min(count - 1, Math.max(0, (x - first) / this.#spacing));
    // A point at `nodePosition` of a node is exactly at the node, even if the division is off in its last bit.
    const nearest = Math.round(place);
    const isNode = first + this.#spacing * nearest === x;
    const cell = isNode ? nearest : Math.floor(place);
    this.#cell[axis] = cell;
    this.#share[axis] = isNode ? 0 : place - cell;
    return true;
  }

  /** The values interpolated in the cell with lowest node `node`, with the weights of the point's own cell. */
  #interpolate(node: number): number {
    const values = this.#values;
    const stride = this.#stride;
    const tx = this.#share[0];
    const ty = this.#share[1];
    const tz = this.#share[2];
    // An axis with share 0 does not read the next node, which may not be computed.
    const dx = tx > 0 ? 1 : 0;
    const dy = ty > 0 ? stride[1] : 0;
    const near = mix(mix(values[node], values[node + dx], tx), mix(values[node + dy], values[node + dy + dx], tx), ty);
    if (tz === 0) return near;
    const up = node + stride[2];
    const far = mix(mix(values[up], values[up + dx], tx), mix(values[up + dy], values[up + dy + dx], tx), ty);
    return mix(near, far, tz);
  }

  #node(): number {
    const cell = this.#cell;
    const stride = this.#stride;
    return cell[0] + stride[1] * cell[1] + stride[2] * cell[2];
  }

  /** The derivative along an axis, interpolated between the nodes around the point. */
  #derivative(axis: number): number {
    const cell = this.#cell[axis];
    const node = this.#node();
    const along = this.#stride[axis];
    if (this.#share[axis] > 0 && cell > 0 && cell + 2 < this.#count[axis]) {
      // Both are linear: the mean of central differences is the central difference of means, in a quarter of the time.
      const slope = (this.#interpolate(node + along) - this.#interpolate(node - along)) / (2 * this.#spacing);
      if (slope - slope === 0) return slope;
    }
    return this.#sumOfDerivatives(axis, node);
  }

  /** The same node by node, for points next to the border and next to nodes that were not computed. */
  #sumOfDerivatives(axis: number, first: number): number {
    const share = this.#share;
    const stride = this.#stride;
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      let weight = 1;
      let node = first;
      for (let i = 0; i < 3; i++) {
        const isFar = ((corner >> i) & 1) === 1;
        weight *= isFar ? share[i] : 1 - share[i];
        if (isFar) node += stride[i];
      }
      if (weight === 0) continue;
      const place = this.#cell[axis] + ((corner >> axis) & 1);
      const count = this.#count[axis];
      sum += weight * nodeDerivative(this.#values, node, stride[axis], place, count, this.#spacing);
    }
    return sum;
  }
}

/** Whether points beyond the grid are clamped to it. */
export function clampsOutside(options: SampleOptions = {}): boolean {
  SAMPLE_OPTIONS.assert(options);
  return options.outside === 'clamp';
}

function mix(a: number, b: number, share: number): number {
  return a + share * (b - a);
}

// A field passed on one layer of z at a time, so that one larger than memory can be written: the layers of a sparse
// field are made on demand.
import { NearfieldError } from '../../core/errors.js';
import { type AnyField, isSparse } from '../any-field.js';
import { assertField, assertGridFrame, type Field, type GridFrame, gridNodeCount } from '../grid.js';
import { BLOCK_SIDE, type SparseField } from '../sparse/sparse-field.js';

/** A number at every node of a grid, by layers. */
export interface FieldLayers extends GridFrame {
  /** The values of the nodes (·, ·, k), x fastest; the caller does not change them. */
  layer(k: number): Float64Array;
}

/** The layers of a dense field, or a field that already has layers; checked. */
export function layersOf(field: Field | FieldLayers): FieldLayers {
  if (typeof field === 'object' && field !== null && 'layer' in field) {
    assertGridFrame(field, { sparse: true });
    return field;
  }
  assertField(field);
  const { origin, spacing, size, values } = field;
  const nodes = size[0] * size[1];
  return { origin, spacing, size, layer: (k) => values.subarray(k * nodes, (k + 1) * nodes) };
}

/** The values of a layer; throws for NaN: a node that was not computed holds ±Infinity, whose sign gives its side. */
export function knownLayer(field: FieldLayers, k: number): Float64Array {
  const values = field.layer(k);
  for (let node = 0; node < values.length; node++) {
    if (Number.isNaN(values[node])) {
      const nx = field.size[0];
      throw new NearfieldError(
        'non-finite',
        `The field holds NaN at node (${node % nx}, ${Math.floor(node / nx)}, ${k}); give ±Infinity where nothing was computed.`,
      );
    }
  }
  return values;
}

/** The least and the greatest finite value, Infinity and −Infinity without any, and the count of the others. */
export interface FieldRange {
  readonly least: number;
  readonly greatest: number;
  readonly unknown: number;
}

/** Reads every value of a field; for a sparse one only its blocks, because nothing else is finite. */
export function rangeOfField(field: AnyField | FieldLayers): FieldRange {
  if (isSparse(field as AnyField)) return rangeOfBlocks(field as SparseField);
  const layers = layersOf(field);
  let least = Infinity;
  let greatest = -Infinity;
  let unknown = 0;
  for (let k = 0; k < layers.size[2]; k++) {
    const values = layers.layer(k);
    for (let node = 0; node < values.length; node++) {
      const value = values[node];
      if (!Number.isFinite(value)) {
        unknown++;
        continue;
      }
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
  }
  return { least, greatest, unknown };
}

function rangeOfBlocks(field: SparseField): FieldRange {
  const { size } = field;
  let least = Infinity;
  let greatest = -Infinity;
  let known = 0;
  for (const { node, values } of field.blocks()) {
    // Blocks reach beyond the grid.
    const [mx, my, mz] = node.map((first, axis) => Math.min(BLOCK_SIDE, size[axis] - first));
    for (let k = 0; k < mz; k++) {
      for (let j = 0; j < my; j++) {
        for (let i = 0; i < mx; i++) {
          const value = values[i + BLOCK_SIDE * (j + BLOCK_SIDE * k)];
          if (!Number.isFinite(value)) continue;
          known++;
          if (value < least) least = value;
          if (value > greatest) greatest = value;
        }
      }
    }
  }
  return { least, greatest, unknown: gridNodeCount(field) - known };
}

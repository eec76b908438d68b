// Dense and sparse fields under one type: functions that read a field accept either. A dense field is plain data; a
// sparse one computes the same answers from its blocks.
import { allNodes, type Field } from './grid.js';
import type { SparseField } from './sparse/sparse-field.js';

/** A dense or a sparse field. */
export type AnyField = Field | SparseField;

/** Whether a field is stored in blocks. */
export function isSparse(field: AnyField): field is SparseField {
  return typeof field === 'object' && field !== null && 'blocks' in field;
}

/**
 * All nodes of a field; returns the field itself if it is dense.
 * @throws NearfieldError `too-large` for a sparse field of more than `MAX_GRID_NODES` nodes.
 */
export function denseField(field: AnyField): Field {
  return isSparse(field) ? field.toField(allNodes(field)) : field;
}

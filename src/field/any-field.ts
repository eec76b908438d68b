// What dense and sparse fields share: functions that read a field take either. A dense field is plain data; a sparse one
// computes the same answers from its blocks.
import { allNodes, type Field } from './grid.js';
import type { SparseField } from './sparse/sparse-field.js';

/** A dense or a sparse field. */
export type AnyField = Field | SparseField;

/** Whether a field is kept in blocks. */
export function isSparse(field: AnyField): field is SparseField {
  return typeof field === 'object' && field !== null && 'blocks' in field;
}

/**
 * All nodes of a field, the field itself where it is dense.
 * @throws NearfieldError `too-large` for a sparse one beyond `MAX_GRID_NODES`.
 */
export function denseField(field: AnyField): Field {
  return isSparse(field) ? field.toField(allNodes(field)) : field;
}

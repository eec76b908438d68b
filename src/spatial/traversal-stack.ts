/**
 * The memory of a traversal. Make one and pass it to many traversals to save an allocation each; a traversal that is
 * started while another one runs on the same stack needs its own. It is sized from the depth of the trees before a
 * traversal begins, so that it cannot run full.
 */
export class TraversalStack {
  /** Nodes waiting; two entries a pair. */
  nodes = new Uint32Array(64);
  /** Lower bounds of the waiting nodes or pairs. */
  bounds = new Float64Array(64);

  /** Makes room for `entries` nodes or pairs; what was on the stack is lost. */
  reserve(entries: number): void {
    if (this.bounds.length >= entries) return;
    this.nodes = new Uint32Array(4 * entries);
    this.bounds = new Float64Array(2 * entries);
  }
}

/**
 * Scratch memory of a traversal. Pass the same stack to many traversals to save allocations; a traversal started from
 * within another one needs its own. The depth of the trees gives its size before a traversal begins, so that it
 * cannot overflow.
 */
export class TraversalStack {
  /** Pending nodes; two entries per pair. */
  nodes = new Uint32Array(64);

  /** Makes room for `entries` nodes or pairs; the old content is lost. */
  reserve(entries: number): void {
    if (this.nodes.length < 2 * entries) this.nodes = new Uint32Array(4 * entries);
  }
}

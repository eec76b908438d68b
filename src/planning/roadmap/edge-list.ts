// The edges of a roadmap and what is known of each, in flat arrays.

/** Label: the state of an edge: nothing is known of it. */
export const UNKNOWN = 0;

/** Label: the state of an edge: it is proven free. */
export const PROVEN = 1;

/** Label: the state of an edge: it is not free, or not proven to be. */
export const FAILED = 2;

/** Label: the state of an edge: a file says that it is proven. It is proven again before it is used. */
export const CLAIMED = 3;

export class EdgeList {
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly lengths: number[] = [];
  readonly states: number[] = [];
  /** The obstacle that ended a failed edge; −1 if none did. */
  readonly blockers: number[] = [];
  /** The edges of each node. */
  readonly ofNode: number[][] = [];

  get count(): number {
    return this.from.length;
  }

  addNode(): void {
    this.ofNode.push([]);
  }

  add(a: number, b: number, length: number, state = UNKNOWN, blocker = -1): number {
    const edge = this.from.push(a) - 1;
    this.to.push(b);
    this.lengths.push(length);
    this.states.push(state);
    this.blockers.push(blocker);
    this.ofNode[a].push(edge);
    this.ofNode[b].push(edge);
    return edge;
  }

  /** The edge between two nodes, or −1. */
  find(a: number, b: number): number {
    const [few, other] = this.ofNode[a].length < this.ofNode[b].length ? [a, b] : [b, a];
    for (const edge of this.ofNode[few]) if (this.otherEnd(edge, few) === other) return edge;
    return -1;
  }

  otherEnd(edge: number, node: number): number {
    return this.from[edge] === node ? this.to[edge] : this.from[edge];
  }

  /** Whether an edge is proven, or said to be. */
  isHeld(edge: number): boolean {
    return this.states[edge] === PROVEN || this.states[edge] === CLAIMED;
  }
}

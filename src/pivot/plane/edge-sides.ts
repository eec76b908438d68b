// On which side of another shape's boundary the edges of a shape are, and where it is to be drawn for that.
import type { EdgeSet } from './edge-set.js';
import type { Localizer } from './localize.js';

/** Label: an edge outside the other shape. */
export const OUTSIDE = 0;
/** Label: an edge near the other shape's boundary. */
export const NEAR = 1;
/** Label: an edge inside the other shape. */
const INSIDE = 2;

export class EdgeSides {
  /** A box of what is to be drawn. */
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;
  #states = new Uint8Array(64);

  /** The state of each edge of A: near B's boundary, inside B or outside; null if all are outside. */
  classify(a: EdgeSet, b: EdgeSet, near: Uint8Array | null): Uint8Array | null {
    // One ring that is all on one side of B's boundary and leaves B's box somewhere.
    if (
      near === null &&
      a.ringCount === 1 &&
      (a.minX < b.minX || a.maxX > b.maxX || a.minY < b.minY || a.maxY > b.maxY)
    ) {
      return null;
    }
    if (this.#states.length < a.count) this.#states = new Uint8Array(2 * a.count);
    const states = this.#states;
    const { rings } = a;
    let any = false;
    for (let ring = 0; ring < a.ringCount; ring++) {
      const end = rings[ring + 1];
      // Edges away from B's boundary that follow one another are on one side of it.
      let known = false;
      let state = OUTSIDE;
      for (let edge = rings[ring]; edge < end; edge++) {
        if (near !== null && near[edge] === NEAR) {
          known = false;
          any = true;
          states[edge] = NEAR;
          continue;
        }
        if (!known) {
          known = true;
          state = isChainInside(a, b, edge, end, near) ? INSIDE : OUTSIDE;
          if (state === INSIDE) any = true;
          if (near === null) {
            states.fill(state, edge, end);
            break;
          }
        }
        states[edge] = state;
      }
    }
    return any ? states : null;
  }

  /**
   * Sets the box to all of A's boundary that is inside B or near its boundary, after `classify`. Away from where the
   * boundaries are near each other, an edge does not change sides: so it is those places and the vertices inside.
   */
  boundInside(a: EdgeSet, b: EdgeSet, near: Localizer): void {
    this.boundNear(near);
    const { minX, minY, maxX, maxY } = near;
    const { edges, rings } = a;
    const states = this.#states;
    for (let ring = 0; ring < a.ringCount; ring++) {
      let before = states[rings[ring + 1] - 1];
      for (let edge = rings[ring]; edge < rings[ring + 1]; edge++) {
        const state = states[edge];
        if (state !== OUTSIDE && before !== OUTSIDE) {
          const x = edges[4 * edge];
          const y = edges[4 * edge + 1];
          // Between two edges near B's boundary a vertex may be on either side.
          if (
            (x < minX || x > maxX || y < minY || y > maxY) &&
            (state === INSIDE || before === INSIDE || b.contains(x, y))
          ) {
            this.#add(x, y);
          }
        }
        before = state;
      }
    }
  }

  /** Sets the box to where the boundaries are near each other. */
  boundNear({ minX, minY, maxX, maxY }: Localizer): void {
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
  }

  #add(x: number, y: number): void {
    if (x < this.minX) this.minX = x;
    if (x > this.maxX) this.maxX = x;
    if (y < this.minY) this.minY = y;
    if (y > this.maxY) this.maxY = y;
  }
}

/**
 * Whether the edges of A from one on, up to one near B's boundary or the end, are inside B: they all are, or all are
 * outside.
 */
function isChainInside(a: EdgeSet, b: EdgeSet, first: number, end: number, near: Uint8Array | null): boolean {
  const { edges } = a;
  const { minX, minY, maxX, maxY } = b;
  // Many chains leave B's box, which spares the test.
  for (let edge = first; edge < end && (near === null || near[edge] !== NEAR); edge++) {
    const x = edges[4 * edge];
    const y = edges[4 * edge + 1];
    if (x < minX || x > maxX || y < minY || y > maxY) return false;
  }
  return b.contains(edges[4 * first], edges[4 * first + 1]);
}

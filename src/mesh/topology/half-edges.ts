// Steps within a triangle whose half-edges have the numbers 3f, 3f + 1 and 3f + 2.

/** The half-edge after `h` in its triangle. */
export function nextHalfEdge(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

/** The half-edge before `h` in its triangle. */
export function previousHalfEdge(h: number): number {
  return h % 3 === 0 ? h + 2 : h - 1;
}

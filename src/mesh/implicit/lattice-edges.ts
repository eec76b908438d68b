// Edges of a body-centered cubic lattice that the surface cuts: which way they point, and where the cut is.
import type { BccLattice } from './bcc-lattice.js';

/** One of an edge's two directions counts as up: towards +z, else +y, else +x. `at` has three coordinates a node. */
export function pointsUp(at: Int32Array, from: number, to: number): boolean {
  for (let axis = 2; axis >= 0; axis--) {
    const d = at[3 * to + axis] - at[3 * from + axis];
    if (d !== 0) return d > 0;
  }
  return true;
}

/** Where along an edge the surface is: one step of false position beyond the linear guess. */
export function refineShare(
  lattice: BccLattice,
  node: number,
  other: number,
  direction: number,
  guess: number,
): number {
  const { values } = lattice;
  const value = lattice.valueAlong(node, direction, guess);
  if (value < 0 === values[node] < 0) return guess + ((1 - guess) * value) / (value - values[other]);
  return (guess * values[node]) / (values[node] - value);
}

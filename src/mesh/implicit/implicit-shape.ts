/**
 * A solid given by a function: negative inside, positive outside, zero on its surface. The function need not be a
 * distance, but it may not change faster than `lipschitz` per unit of length: that bound is what lets
 * `polygonizeImplicit` skip the space the surface cannot reach.
 */
export interface ImplicitShape {
  /** The function at a point. */
  value(x: number, y: number, z: number): number;
  /** |value(p) − value(q)| ≤ lipschitz · |p − q| for all points; 1 for a distance. */
  readonly lipschitz: number;
  /** A shape with the same values inside the ball, where a cheaper one is known (parts out of reach left away). */
  near?(x: number, y: number, z: number, radius: number): ImplicitShape;
}

/**
 * A solid given by a function: negative inside, positive outside, zero on its surface. The function need not be a
 * distance, but it may not change faster than `lipschitz` per unit of length. `polygonizeImplicit` needs that bound to
 * skip the space the surface cannot reach.
 */
export interface ImplicitShape {
  /** The function at a point. */
  value(x: number, y: number, z: number): number;
  /** |value(p) − value(q)| ≤ lipschitz · |p − q| for all points; 1 for a distance. */
  readonly lipschitz: number;
  /** A cheaper shape with the same values inside the ball, where one is known (parts out of reach are left out). */
  near?(x: number, y: number, z: number, radius: number): ImplicitShape;
}

// Signed distances that have a formula, negative inside, and the signed distance of a mesh by looking at every
// triangle. Nothing here comes from the code under test.
import { windingNumberBySum } from './winding-number.js';

/** A signed distance in space; in the plane z is not looked at. */
export type SignedDistance = (x: number, y: number, z: number) => number;

export function sphereDistance(radius: number, center: ArrayLike<number> = [0, 0, 0]): SignedDistance {
  return (x, y, z) => Math.hypot(x - center[0], y - center[1], z - center[2]) - radius;
}

/** A ring of `minor` thickness around the circle of radius `major` in the plane z = 0. */
export function torusDistance(major: number, minor: number): SignedDistance {
  return (x, y, z) => Math.hypot(Math.hypot(x, y) - major, z) - minor;
}

/** A box around the origin. */
export function boxDistance(halfX: number, halfY: number, halfZ: number): SignedDistance {
  return (x, y, z) => {
    const [dx, dy, dz] = [Math.abs(x) - halfX, Math.abs(y) - halfY, Math.abs(z) - halfZ];
    const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
    return outside > 0 ? outside : Math.max(dx, dy, dz);
  };
}

/** All points at most `radius` from the segment between a and b. */
export function capsuleDistance(a: ArrayLike<number>, b: ArrayLike<number>, radius: number): SignedDistance {
  return (x, y, z) => segmentDistance(a, b, [x, y, z]) - radius;
}

export function circleDistance(radius: number, center: ArrayLike<number> = [0, 0]): SignedDistance {
  return (x, y) => Math.hypot(x - center[0], y - center[1]) - radius;
}

/** The ring between two circles. */
export function annulusDistance(inner: number, outer: number): SignedDistance {
  return (x, y) => Math.max(inner - Math.hypot(x, y), Math.hypot(x, y) - outer);
}

/** A rectangle around the origin. */
export function rectangleDistance(halfX: number, halfY: number): SignedDistance {
  return (x, y) => {
    const [dx, dy] = [Math.abs(x) - halfX, Math.abs(y) - halfY];
    const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0));
    return outside > 0 ? outside : Math.max(dx, dy);
  };
}

/** Distance from a point to a segment. */
export function segmentDistance(a: ArrayLike<number>, b: ArrayLike<number>, p: ArrayLike<number>): number {
  let along = 0;
  let square = 0;
  for (let axis = 0; axis < 3; axis++) {
    along += (b[axis] - a[axis]) * (p[axis] - a[axis]);
    square += (b[axis] - a[axis]) ** 2;
  }
  const t = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
  return Math.hypot(...[0, 1, 2].map((axis) => p[axis] - a[axis] - t * (b[axis] - a[axis])));
}

/** Distance from a point to a triangle: the plane where the foot is inside, else the nearest side. */
export function triangleDistance(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  c: ArrayLike<number>,
  p: ArrayLike<number>,
): number {
  const sides = Math.min(segmentDistance(a, b, p), segmentDistance(b, c, p), segmentDistance(c, a, p));
  const normal = cross(difference(b, a), difference(c, a));
  const length = Math.hypot(...normal);
  if (length === 0) return sides;
  const isLeft = (from: ArrayLike<number>, to: ArrayLike<number>): boolean =>
    dot(cross(difference(to, from), difference(p, from)), normal) >= 0;
  if (!(isLeft(a, b) && isLeft(b, c) && isLeft(c, a))) return sides;
  return Math.min(sides, Math.abs(dot(difference(p, a), normal)) / length);
}

/** Distance from a point to the nearest of all triangles. */
export function bruteDistance(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  point: ArrayLike<number>,
): number {
  let least = Infinity;
  const corner = (i: number): number[] => [0, 1, 2].map((axis) => positions[3 * indices[i] + axis]);
  for (let i = 0; i < indices.length; i += 3) {
    least = Math.min(least, triangleDistance(corner(i), corner(i + 1), corner(i + 2), point));
  }
  return least;
}

/** The same with the sign of the winding number by solid angles: negative where it is one half or more. */
export function bruteSignedDistance(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  point: ArrayLike<number>,
): number {
  const distance = bruteDistance(positions, indices, point);
  return windingNumberBySum(positions, indices, point) >= 0.5 ? -distance : distance;
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: number[], b: number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

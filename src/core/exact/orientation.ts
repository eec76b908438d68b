// Exact orientation of points given as doubles: Shewchuk's adaptive predicates (1997), which are exact as long as no
// product under- or overflows, and whole numbers where one might. Positive is counter-clockwise, y up. `exact…` gives
// the sign alone; `…Determinant` a number whose sign is exact and whose size is rounded. This folder alone imports
// robust-predicates, whose orientations have the other sign. Points are single numbers: objects would cost hull building
// an allocation a test.
import { orient2d, orient3d } from 'robust-predicates';
import { exactDifferences, withSignOf } from './whole-numbers.js';

/**
 * Proven: a determinant beyond this keeps its sign though products underflow. A lost product is below 2^-1074 and is
 * multiplied by two coordinates at most afterwards; those are below 2^167 = 1.8e50, since meshes have no coordinates
 * beyond `MAX_COORDINATE`.
 */
export const UNDERFLOW_BOUND = 2 ** -700;

/**
 * Proven: products of three coordinates that are zero or larger than this are multiples of 2^-1074, so nothing
 * underflows.
 */
const SAFE_COORDINATE = 2 ** -300;

/** The way a, b, c turn in the plane: 1 counter-clockwise (c is left of the line from a to b), −1 clockwise, 0 on a line. */
export function exactTurn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const det = orient2d(ax, ay, bx, by, cx, cy);
  if (det > UNDERFLOW_BOUND && det < Infinity) return -1;
  if (det < -UNDERFLOW_BOUND && det > -Infinity) return 1;
  return Math.sign(settleTurn(det, ax, ay, bx, by, cx, cy));
}

/** Twice the signed area of a, b, c: the sign is that of {@link exactTurn}, the size is rounded. */
export function turnDeterminant(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const det = orient2d(ax, ay, bx, by, cx, cy);
  if (det > UNDERFLOW_BOUND && det < Infinity) return -det;
  if (det < -UNDERFLOW_BOUND && det > -Infinity) return -det;
  return settleTurn(det, ax, ay, bx, by, cx, cy);
}

/**
 * The side of the plane through a, b, c on which d lies: 1 where a, b, c are counter-clockwise seen from d, −1 on the
 * other side, 0 in the plane. A face given counter-clockwise from outside has its outside at 1.
 * Takes scalars, for inner loops.
 */
export function exactSide(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  // Faces along the axes are common; their zeros would each take the slow, exact way.
  if (az === dz && bz === dz && cz === dz) return 0;
  if (ay === dy && by === dy && cy === dy) return 0;
  if (ax === dx && bx === dx && cx === dx) return 0;
  const det = orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz);
  if (det > UNDERFLOW_BOUND && det < Infinity) return -1;
  if (det < -UNDERFLOW_BOUND && det > -Infinity) return 1;
  return Math.sign(settleSide(det, ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz));
}

/**
 * Six times the volume of a, b, c, d: the sign is that of {@link exactSide}, the size is rounded.
 * Takes scalars, for inner loops.
 */
export function sideDeterminant(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const det = orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz);
  if (det > UNDERFLOW_BOUND && det < Infinity) return -det;
  if (det < -UNDERFLOW_BOUND && det > -Infinity) return -det;
  return settleSide(det, ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz);
}

function settleTurn(det: number, ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  if (Math.abs(det) < Infinity && isSafe(ax, ay, bx) && isSafe(by, cx, cy)) return 0 - det;
  if (![ax, ay, bx, by, cx, cy].every(Number.isFinite)) return Number.NaN;
  const [ux, uy, vx, vy] = exactDifferences([ax, ay], [bx, by, cx, cy]);
  return withSignOf(ux * vy - uy * vx, det);
}

/** Takes scalars, for inner loops. */
function settleSide(
  det: number,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  if (
    Math.abs(det) < Infinity &&
    isSafe(ax, ay, az) &&
    isSafe(bx, by, bz) &&
    isSafe(cx, cy, cz) &&
    isSafe(dx, dy, dz)
  ) {
    return 0 - det;
  }
  if (![ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz].every(Number.isFinite)) return Number.NaN;
  const [ux, uy, uz, vx, vy, vz, wx, wy, wz] = exactDifferences([ax, ay, az], [bx, by, bz, cx, cy, cz, dx, dy, dz]);
  return withSignOf(wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx), det);
}

function isSafe(x: number, y: number, z: number): boolean {
  return (
    (x === 0 || x >= SAFE_COORDINATE || x <= -SAFE_COORDINATE) &&
    (y === 0 || y >= SAFE_COORDINATE || y <= -SAFE_COORDINATE) &&
    (z === 0 || z >= SAFE_COORDINATE || z <= -SAFE_COORDINATE)
  );
}

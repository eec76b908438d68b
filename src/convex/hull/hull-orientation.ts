// Exact orientation of points given as doubles: Shewchuk's adaptive predicates (1997), which are exact as long as no
// product underflows, and integers where one might. Positive is counter-clockwise, and outside for a face's plane.
import { orient2d, orient3d } from 'robust-predicates';

/**
 * Determinants beyond this keep their sign whatever underflows: a lost product is below 2^-1074 and is scaled by at most
 * two coordinates of at most MAX_COORDINATE < 2^167 afterwards.
 */
export const UNDERFLOW_BOUND = 2 ** -700;

/** Products of three coordinates that are zero or beyond this are multiples of 2^-1074: nothing underflows. */
const SAFE_COORDINATE = 2 ** -300;

/** Which side of the plane through a, b, c the point d is on: positive where a, b, c are counter-clockwise seen from d. */
export function orientation(
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
  if (det > UNDERFLOW_BOUND || det < -UNDERFLOW_BOUND) return -det;
  if (isSafe(ax, ay, az) && isSafe(bx, by, bz) && isSafe(cx, cy, cz) && isSafe(dx, dy, dz)) {
    return -det;
  }
  const [ux, uy, uz, vx, vy, vz, wx, wy, wz] = differences([ax, ay, az], [bx, by, bz, cx, cy, cz, dx, dy, dz]);
  return signOf(wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx));
}

/** Which side of the line from a to b the point c is on: positive on the left, where a, b, c are counter-clockwise. */
export function orientationInPlane(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const det = orient2d(ax, ay, bx, by, cx, cy);
  if (det > UNDERFLOW_BOUND || det < -UNDERFLOW_BOUND) return -det;
  if (isSafe(ax, ay, bx) && isSafe(by, cx, cy)) return -det;
  const [ux, uy, vx, vy] = differences([ax, ay], [bx, by, cx, cy]);
  return signOf(ux * vy - uy * vx);
}

/** The axis (0, 1, 2) along which the triangle a, b, c casts a shadow with an area, or -1 when the points lie on a line. */
export function findShadowAxis(points: Float64Array, a: number, b: number, c: number): number {
  const ux = points[3 * b] - points[3 * a];
  const uy = points[3 * b + 1] - points[3 * a + 1];
  const uz = points[3 * b + 2] - points[3 * a + 2];
  const vx = points[3 * c] - points[3 * a];
  const vy = points[3 * c + 1] - points[3 * a + 1];
  const vz = points[3 * c + 2] - points[3 * a + 2];
  const nx = Math.abs(uy * vz - uz * vy);
  const ny = Math.abs(uz * vx - ux * vz);
  const nz = Math.abs(ux * vy - uy * vx);
  const widest = nx >= ny && nx >= nz ? 0 : ny >= nz ? 1 : 2;
  for (let i = 0; i < 3; i++) {
    const axis = (widest + i) % 3;
    if (orientationAlong(points, axis, a, b, c) !== 0) return axis;
  }
  return -1;
}

/** Whether the points at the offsets a and b of the array and x, y, z lie on one line. */
export function areCollinear(points: Float64Array, a: number, b: number, x: number, y: number, z: number): boolean {
  const [ax, ay, az] = [points[a], points[a + 1], points[a + 2]];
  const [bx, by, bz] = [points[b], points[b + 1], points[b + 2]];
  return (
    orientationInPlane(ax, ay, bx, by, x, y) === 0 &&
    orientationInPlane(ay, az, by, bz, y, z) === 0 &&
    orientationInPlane(az, ax, bz, bx, z, x) === 0
  );
}

/** The orientation of the shadows of three points along an axis, seen from the axis' positive end. */
export function orientationAlong(points: Float64Array, axis: number, a: number, b: number, c: number): number {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  return orientationInPlane(
    points[3 * a + u],
    points[3 * a + v],
    points[3 * b + u],
    points[3 * b + v],
    points[3 * c + u],
    points[3 * c + v],
  );
}

function isSafe(x: number, y: number, z: number): boolean {
  return (
    (x === 0 || x >= SAFE_COORDINATE || x <= -SAFE_COORDINATE) &&
    (y === 0 || y >= SAFE_COORDINATE || y <= -SAFE_COORDINATE) &&
    (z === 0 || z >= SAFE_COORDINATE || z <= -SAFE_COORDINATE)
  );
}

/** `values` less `origin` (cyclically) in multiples of the smallest double: whole numbers, exactly. */
function differences(origin: number[], values: number[]): bigint[] {
  const start = origin.map(toInteger);
  return values.map((value, i) => toInteger(value) - start[i % start.length]);
}

function toInteger(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0];
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}

function signOf(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

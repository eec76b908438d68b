// The exact predicates on points in flat arrays, three numbers a point. Ids count points; offsets count numbers.
import { exactSide, exactTurn } from './orientation.js';

/** {@link exactSide} of four points by their ids: 1 where d is on the side from which a, b, c are counter-clockwise. */
export function exactSideOf(points: Float64Array, a: number, b: number, c: number, d: number): number {
  const i = 3 * a;
  const j = 3 * b;
  const k = 3 * c;
  const l = 3 * d;
  return exactSide(
    points[i],
    points[i + 1],
    points[i + 2],
    points[j],
    points[j + 1],
    points[j + 2],
    points[k],
    points[k + 1],
    points[k + 2],
    points[l],
    points[l + 1],
    points[l + 2],
  );
}

/** {@link exactTurn} of the shadows of three points, by their ids, along an axis, seen from the axis' positive end. */
export function exactTurnAlong(points: Float64Array, axis: number, a: number, b: number, c: number): number {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  return exactTurn(
    points[3 * a + u],
    points[3 * a + v],
    points[3 * b + u],
    points[3 * b + v],
    points[3 * c + u],
    points[3 * c + v],
  );
}

/**
 * The axis (0, 1, 2) along which the triangle of three points, by their ids, casts a shadow with an area; −1 when they lie
 * exactly on a line.
 */
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
    if (exactTurnAlong(points, axis, a, b, c) !== 0) return axis;
  }
  return -1;
}

/**
 * Whether three points lie on a line without any tolerance; two that coincide do. The tolerant form is
 * `areNearlyCollinear`.
 * Takes scalars, for inner loops.
 */
export function areExactlyCollinear(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): boolean {
  return (
    exactTurn(ax, ay, bx, by, cx, cy) === 0 &&
    exactTurn(ay, az, by, bz, cy, cz) === 0 &&
    exactTurn(az, ax, bz, bx, cz, cx) === 0
  );
}

/** {@link areExactlyCollinear} for points at offsets of an array: the triangle has no area, exactly. */
export function areExactlyCollinearAt(p: Float64Array, a: number, b: number, c: number): boolean {
  return areExactlyCollinear(p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2], p[c], p[c + 1], p[c + 2]);
}

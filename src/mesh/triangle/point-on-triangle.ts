// Whether a point lies exactly on a closed triangle: exact predicates (Shewchuk 1997), no tolerance. The triangle may
// be degenerate, a segment or a point.
import { exactSide, exactTurn } from '../../core/exact/orientation.js';

/** Whether (px, py, pz) belongs to the triangle of nine numbers at `t[i]`, its edges and corners included. */
export function isPointOnTriangle(t: Float64Array, i: number, px: number, py: number, pz: number): boolean {
  const ax = t[i];
  const ay = t[i + 1];
  const az = t[i + 2];
  const bx = t[i + 3];
  const by = t[i + 4];
  const bz = t[i + 5];
  const cx = t[i + 6];
  const cy = t[i + 7];
  const cz = t[i + 8];
  if (exactSide(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz) !== 0) return false;
  // In the plane of the triangle: inside it exactly when inside all three of its projections on the coordinate planes.
  // A projection that is a segment or a point decides by its extent, so degenerate triangles are right as well.
  return (
    isInShadow(ax, ay, bx, by, cx, cy, px, py) &&
    isInShadow(ay, az, by, bz, cy, cz, py, pz) &&
    isInShadow(az, ax, bz, bx, cz, cx, pz, px)
  );
}

/** Takes scalars, for inner loops. */
function isInShadow(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  px: number,
  py: number,
): boolean {
  if (px < Math.min(ax, bx, cx) || px > Math.max(ax, bx, cx)) return false;
  if (py < Math.min(ay, by, cy) || py > Math.max(ay, by, cy)) return false;
  const ab = exactTurn(ax, ay, bx, by, px, py);
  const bc = exactTurn(bx, by, cx, cy, px, py);
  const ca = exactTurn(cx, cy, ax, ay, px, py);
  return !((ab < 0 || bc < 0 || ca < 0) && (ab > 0 || bc > 0 || ca > 0));
}

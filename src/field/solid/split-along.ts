// Cuts a triangle along the border of another one, seen along that one's normal: the part over it then has its largest
// distance from it at a corner, and the others lie over its neighbors. Far fewer parts than by halving.
import { writeHalf } from './bisect-triangle.js';

/** Rounding: a corner this near the plane of a side, as a share of the way to the farthest corner, counts as on it. */
const ON_PLANE = 1e-6;

/**
 * Writes two or three parts of the triangle `t` to `out`, nine numbers each, and returns their number. `c[o]` to `c[o + 8]`
 * is the other triangle; halves `t` if none of its sides passes through it.
 */
export function splitAlong(t: Float64Array, c: Float64Array, o: number, out: Float64Array): number {
  const ux = c[o + 3] - c[o];
  const uy = c[o + 4] - c[o + 1];
  const uz = c[o + 5] - c[o + 2];
  const vx = c[o + 6] - c[o];
  const vy = c[o + 7] - c[o + 1];
  const vz = c[o + 8] - c[o + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  let best = -1;
  let most = 0;
  let [b0, b1, b2] = [0, 0, 0];
  for (let side = 0; side < 3; side++) {
    const a = o + 3 * side;
    const b = o + 3 * ((side + 1) % 3);
    // Points to the outer side, in the plane of the other triangle.
    const ex = c[b] - c[a];
    const ey = c[b + 1] - c[a + 1];
    const ez = c[b + 2] - c[a + 2];
    const length = Math.hypot(ex, ey, ez) * Math.hypot(nx, ny, nz);
    if (!(length > 0)) continue;
    const mx = (ey * nz - ez * ny) / length;
    const my = (ez * nx - ex * nz) / length;
    const mz = (ex * ny - ey * nx) / length;
    const h0 = mx * (t[0] - c[a]) + my * (t[1] - c[a + 1]) + mz * (t[2] - c[a + 2]);
    const h1 = mx * (t[3] - c[a]) + my * (t[4] - c[a + 1]) + mz * (t[5] - c[a + 2]);
    const h2 = mx * (t[6] - c[a]) + my * (t[7] - c[a + 1]) + mz * (t[8] - c[a + 2]);
    const reach = Math.min(Math.max(h0, h1, h2), -Math.min(h0, h1, h2));
    if (reach > most && reach > ON_PLANE * Math.max(Math.abs(h0), Math.abs(h1), Math.abs(h2))) {
      most = reach;
      best = side;
      b0 = h0;
      b1 = h1;
      b2 = h2;
    }
  }
  if (best < 0) {
    return splitInHalf(t, out);
  }
  // The corner alone on its side of the plane, then the other two in order.
  const alone = b0 > 0 === b1 > 0 ? 2 : b0 > 0 === b2 > 0 ? 1 : 0;
  const heights = [b0, b1, b2];
  const [p, q, r] = [alone, (alone + 1) % 3, (alone + 2) % 3];
  const toQ = heights[p] / (heights[p] - heights[q]);
  const toR = heights[p] / (heights[p] - heights[r]);
  for (let axis = 0; axis < 3; axis++) {
    const [xp, xq, xr] = [t[3 * p + axis], t[3 * q + axis], t[3 * r + axis]];
    const mq = xp + toQ * (xq - xp);
    const mr = xp + toR * (xr - xp);
    out[axis] = xp;
    out[3 + axis] = out[9 + axis] = mq;
    out[6 + axis] = out[15 + axis] = out[24 + axis] = mr;
    out[12 + axis] = out[18 + axis] = xq;
    out[21 + axis] = xr;
  }
  return 3;
}

/** Writes the halves of a triangle across its longest side; returns 2. */
export function splitInHalf(t: Float64Array, out: Float64Array): number {
  writeHalf(t, 0, out);
  writeHalf(t, 1, out.subarray(9));
  return 2;
}

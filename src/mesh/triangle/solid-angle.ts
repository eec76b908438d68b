// The sum of signed solid angles of triangles (van Oosterom and Strackee 1983: tan(Ω/2) as a quotient). The half
// angles are summed as a product of complex numbers with a count of full turns, so that a sum costs one arctangent.
// Near a triangle the sign comes from an exact predicate, so that the side is right however near the point is.
import { sideDeterminant, UNDERFLOW_BOUND } from '../../core/exact/orientation.js';
import { isPointOnTriangle } from './point-on-triangle.js';

/**
 * Rounding: both parts of the quotient are off by less than this share of |a||b||c|; larger values have the right sign.
 */
const QUOTIENT_ROUNDING = 1e-14;

export class SolidAngleSum {
  /** Whether the point lies exactly on one of the triangles added. */
  touches = false;
  #real = 1;
  #imaginary = 0;
  #turns = 0;

  reset(): void {
    this.touches = false;
    this.#real = 1;
    this.#imaginary = 0;
    this.#turns = 0;
  }

  /**
   * Adds the triangle of nine numbers at `t[i]`, seen from a point; `turn` is -1 to reverse its corners. Runs for every
   * triangle near a point: all its values are locals of one function.
   */
  add(t: Float64Array, i: number, turn: number, px: number, py: number, pz: number): void {
    let ax = t[i] - px;
    let ay = t[i + 1] - py;
    let az = t[i + 2] - pz;
    let bx = t[i + 3] - px;
    let by = t[i + 4] - py;
    let bz = t[i + 5] - pz;
    let cx = t[i + 6] - px;
    let cy = t[i + 7] - py;
    let cz = t[i + 8] - pz;
    let a = Math.sqrt(ax * ax + ay * ay + az * az);
    let b = Math.sqrt(bx * bx + by * by + bz * bz);
    let c = Math.sqrt(cx * cx + cy * cy + cz * cz);
    let abc = a * b * c;
    const isTiny = abc < UNDERFLOW_BOUND;
    if (isTiny) {
      // The angle does not depend on the size, whose third power would underflow.
      const unit = Math.max(...[ax, ay, az, bx, by, bz, cx, cy, cz].map(Math.abs)) || 1;
      [ax, ay, az] = [ax / unit, ay / unit, az / unit];
      [bx, by, bz] = [bx / unit, by / unit, bz / unit];
      [cx, cy, cz] = [cx / unit, cy / unit, cz / unit];
      [a, b, c] = [Math.hypot(ax, ay, az), Math.hypot(bx, by, bz), Math.hypot(cx, cy, cz)];
      abc = a * b * c;
    }
    const re =
      abc + (ax * bx + ay * by + az * bz) * c + (bx * cx + by * cy + bz * cz) * a + (cx * ax + cy * ay + cz * az) * b;
    let im = turn * (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx));
    const rounding = QUOTIENT_ROUNDING * abc;
    if (re <= rounding && im <= rounding && im >= -rounding) {
      const volume =
        -turn *
        sideDeterminant(
          t[i],
          t[i + 1],
          t[i + 2],
          t[i + 3],
          t[i + 4],
          t[i + 5],
          t[i + 6],
          t[i + 7],
          t[i + 8],
          px,
          py,
          pz,
        );
      im = isTiny ? Math.sign(volume) * Math.max(Math.abs(im), Number.MIN_VALUE) : volume;
      if (im === 0) {
        // In the triangle's plane but off the triangle, the angle is 0, whatever sign rounding gives the other part.
        if (!isPointOnTriangle(t, i, px, py, pz)) return;
        this.touches = true;
      }
    }
    const size = Math.abs(re) + Math.abs(im);
    // On an edge or a corner, or for a triangle without area, the solid angle is undefined; it counts as 0.
    if (!(size > 0)) return;

    const oldRe = this.#real;
    const oldIm = this.#imaginary;
    const newRe = (oldRe * re - oldIm * im) / size;
    const newIm = (oldRe * im + oldIm * re) / size + 0;
    // Both angles lie in [0, π] or both in (−π, 0): a sum beyond ±π has wrapped around.
    const bothObtuse = oldRe < 0 && re < 0;
    if (oldIm >= 0) {
      if (im >= 0 && (newIm < 0 || bothObtuse)) this.#turns++;
    } else if (im < 0 && (newIm > 0 || bothObtuse || (newIm === 0 && newRe < 0))) {
      this.#turns--;
    }
    this.#real = newRe;
    this.#imaginary = newIm;
  }

  /** The sum as a fraction of the full sphere: 1 for a closed outward surface around the point. */
  windings(): number {
    return this.#turns + Math.atan2(this.#imaginary, this.#real) / (2 * Math.PI);
  }
}

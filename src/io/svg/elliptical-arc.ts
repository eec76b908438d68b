// The arc of a path from its ends, radii and flags to its center and angles (SVG 2, appendix B.2).
import type { ShapeBuilder } from './shape-builder.js';

/**
 * Rounding: below this ratio of chord to diameter a small arc is its chord within 1e-9 of its length; rounding costs
 * more.
 */
const FLAT_ARC = 1e-8;

/** Adds the arc from (x0, y0) to (x, y) with half axes rx and ry, the first turned by `degrees`. */
export function addEllipticalArc(
  builder: ShapeBuilder,
  [x0, y0]: readonly [number, number],
  [rx0, ry0]: readonly [number, number],
  degrees: number,
  large: boolean,
  sweep: boolean,
  [x, y]: readonly [number, number],
): void {
  if (x0 === x && y0 === y) return;
  let rx = Math.abs(rx0);
  let ry = Math.abs(ry0);
  if (rx === 0 || ry === 0) {
    builder.lineTo(x, y);
    return;
  }
  const tilt = ((degrees % 360) * Math.PI) / 180;
  // A circle has no tilt; without rounding of its sine the axes stay exact.
  const [cosine, sine] = rx === ry ? [1, 0] : [Math.cos(tilt), Math.sin(tilt)];
  // Half the chord, in the frame of the ellipse scaled to the unit circle.
  const dx = (x0 - x) / 2;
  const dy = (y0 - y) / 2;
  let hx = (cosine * dx + sine * dy) / rx;
  let hy = (cosine * dy - sine * dx) / ry;
  const half = Math.hypot(hx, hy);
  if (half === 0 || (half < FLAT_ARC && !large)) {
    builder.lineTo(x, y);
    return;
  }
  // Radii too small for the chord grow until the arc is half of the ellipse.
  if (half > 1) {
    rx *= half;
    ry *= half;
    hx /= half;
    hy /= half;
  }
  const away = Math.sqrt(Math.max(0, (1 - half) * (1 + half))) / half;
  const side = large === sweep ? -1 : 1;
  const cx = half > 1 ? 0 : side * away * hy;
  const cy = half > 1 ? 0 : -side * away * hx;
  const from = Math.atan2(hy - cy, hx - cx);
  let turn = Math.atan2(-hy - cy, -hx - cx) - from;
  if (sweep && turn <= 0) turn += 2 * Math.PI;
  if (!sweep && turn >= 0) turn -= 2 * Math.PI;
  builder.arc(
    [(x0 + x) / 2 + rx * cosine * cx - ry * sine * cy, (y0 + y) / 2 + rx * sine * cx + ry * cosine * cy],
    [rx * cosine, rx * sine],
    [-ry * sine, ry * cosine],
    from,
    from + turn,
    x,
    y,
  );
}

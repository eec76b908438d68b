// The box of curves: exact for lines and arcs, that of the control points for Bézier curves.
import type { SvgCurve, SvgShape } from '../drawing/svg-drawing.js';

/** Chosen: the margin around the shapes, as a share of the longest side. */
const PAGE_MARGIN = 0.05;

/** x0, y0, x1, y1 around all shapes, grown by 5 % of the longest side; by 1 if all are one point. */
export function drawingBounds(shapes: readonly SvgShape[]): [number, number, number, number] {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (x: number, y: number): void => {
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x);
    y1 = Math.max(y1, y);
  };
  for (const shape of shapes) {
    for (const { curves } of shape.subpaths) for (const curve of curves) addCurve(curve, add);
  }
  const margin = PAGE_MARGIN * Math.max(x1 - x0, y1 - y0) || 1;
  return [x0 - margin, y0 - margin, x1 + margin, y1 + margin];
}

function addCurve(curve: SvgCurve, add: (x: number, y: number) => void): void {
  if (curve.type === 'bezier') {
    for (const [x, y] of curve.points) add(x, y);
    return;
  }
  const { center, radius, from, to } = curve;
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  for (const angle of [from, to]) add(center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle));
  const quarter = Math.PI / 2;
  for (let k = Math.ceil(low / quarter); k * quarter < high; k++) {
    const way = ((k % 4) + 4) % 4;
    add(center[0] + radius * [1, 0, -1, 0][way], center[1] + radius * [0, 1, 0, -1][way]);
  }
}

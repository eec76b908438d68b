// The Bézier patches of a NURBS surface: the control points of a span are values of its blossom at the ends of the span
// (Ramshaw 1989). The surface lies in the convex hulls of the patches' control points.
import { controlCounts, type NurbsSurface } from './nurbs-surface.js';

/** One span in u and in v. */
export interface BezierPatch {
  readonly spanU: number;
  readonly spanV: number;
  /** Control points as w·x, w·y, w·z, w; (degreeU + 1) × (degreeV + 1) of them, u fastest. */
  readonly net: Float64Array;
}

/** All patches, v by v. O(control points). */
export function bezierPatches(surface: NurbsSurface): BezierPatch[] {
  const { degreeU, degreeV, knotsU, knotsV, points, weights } = surface;
  const [countU, countV] = controlCounts(surface);
  const homogeneous = new Float64Array(4 * countU * countV);
  for (let point = 0; point < countU * countV; point++) {
    const weight = weights?.[point] ?? 1;
    for (let axis = 0; axis < 3; axis++) homogeneous[4 * point + axis] = weight * points[3 * point + axis];
    homogeneous[4 * point + 3] = weight;
  }
  const sideU = degreeU + 1;
  const sideV = degreeV + 1;
  const patches: BezierPatch[] = [];
  const rows = new Float64Array(4 * sideU * countV);
  const spansU = spansOf(knotsU, degreeU);
  const spansV = spansOf(knotsV, degreeV);
  const nets = new Map<number, Float64Array>();
  for (const spanU of spansU) {
    for (let row = 0; row < countV; row++) {
      const from = { values: homogeneous, first: 4 * countU * row, step: 4 };
      writeSpan(knotsU, degreeU, spanU, from, { values: rows, first: 4 * sideU * row, step: 4 });
    }
    for (const spanV of spansV) {
      const net = new Float64Array(4 * sideU * sideV);
      for (let column = 0; column < sideU; column++) {
        const [first, step] = [4 * column, 4 * sideU];
        writeSpan(knotsV, degreeV, spanV, { values: rows, first, step }, { values: net, first, step });
      }
      nets.set(spanU + knotsU.length * spanV, net);
    }
  }
  for (const spanV of spansV) {
    for (const spanU of spansU) patches.push({ spanU, spanV, net: nets.get(spanU + knotsU.length * spanV)! });
  }
  return patches;
}

/** The spans of the domain that are not empty, by their first knot. */
export function spansOf(knots: ArrayLike<number>, degree: number): number[] {
  const spans: number[] = [];
  for (let span = degree; span < knots.length - degree - 1; span++) if (knots[span + 1] > knots[span]) spans.push(span);
  return spans;
}

/** Control points of a curve: where the first begins in an array, and the step from one to the next. */
interface ControlRow {
  readonly values: Float64Array;
  readonly first: number;
  readonly step: number;
}

/** Writes the Bézier control points of a span of a curve with four components per control point. */
function writeSpan(knots: ArrayLike<number>, degree: number, span: number, from: ControlRow, to: ControlRow): void {
  const work = new Float64Array(4 * (degree + 1));
  for (let place = 0; place <= degree; place++) {
    for (let n = 0; n <= degree; n++) {
      for (let c = 0; c < 4; c++) work[4 * n + c] = from.values[from.first + from.step * (span - degree + n) + c];
    }
    // The blossom at `place` times the end of the span, and its start otherwise.
    for (let order = 1; order <= degree; order++) {
      const t = order <= place ? knots[span + 1] : knots[span];
      for (let n = degree; n >= order; n--) {
        const low = knots[span - degree + n];
        const share = (t - low) / (knots[span + 1 + n - order] - low);
        for (let c = 0; c < 4; c++) work[4 * n + c] = (1 - share) * work[4 * n - 4 + c] + share * work[4 * n + c];
      }
    }
    for (let c = 0; c < 4; c++) to.values[to.first + to.step * place + c] = work[4 * degree + c];
  }
}

// Tensor-product NURBS surfaces: the data, its checks, and points of it (Piegl and Tiller 1997).
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { Vec3 } from '../../core/vec3.js';

/** Chosen: the highest degree. The time of bounds and evaluation grows with its square. */
const MAX_DEGREE = 15;

/**
 * A surface of degree `degreeU` × `degreeV` over the domain from `knots[degree]` to `knots[points]` in u and v. Its
 * control points may change from frame to frame.
 */
export interface NurbsSurface {
  readonly degreeU: number;
  readonly degreeV: number;
  /** Ascending; as many as control points along u, plus the degree, plus 1. */
  readonly knotsU: ArrayLike<number>;
  readonly knotsV: ArrayLike<number>;
  /** Control points: x, y, z each; u runs fastest. */
  readonly points: Float64Array;
  /** A positive weight per control point. Default: all 1. */
  readonly weights?: Float64Array | undefined;
}

/** How many control points there are along u and along v. */
export function controlCounts({ degreeU, degreeV, knotsU, knotsV }: NurbsSurface): [number, number] {
  return [knotsU.length - degreeU - 1, knotsV.length - degreeV - 1];
}

/**
 * Throws for a surface that cannot be evaluated.
 * @throws NearfieldError `bad-argument` for degrees, knots and weights that are not valid, `non-finite` for control points.
 */
export function assertNurbs(surface: NurbsSurface): void {
  const { degreeU, degreeV, knotsU, knotsV, points, weights } = surface ?? {};
  if (!(points instanceof Float64Array)) {
    throw new NearfieldError('bad-argument', 'A NURBS surface has its control points in a Float64Array `points`.');
  }
  const countU = assertKnots('U', degreeU, knotsU);
  const countV = assertKnots('V', degreeV, knotsV);
  if (points.length !== 3 * countU * countV) {
    throw new NearfieldError(
      'bad-argument',
      `The knots ask for ${countU} × ${countV} control points; there are ${points.length / 3}.`,
    );
  }
  for (let n = 0; n < points.length; n++) {
    if (Math.abs(points[n]) <= MAX_COORDINATE) continue;
    throw new NearfieldError(
      'non-finite',
      `Control point ${Math.floor(n / 3)} has the coordinate ${points[n]}; coordinates must be finite and at most ${MAX_COORDINATE}.`,
    );
  }
  if (weights === undefined) return;
  if (!(weights instanceof Float64Array) || weights.length !== countU * countV) {
    throw new NearfieldError('bad-argument', 'The weights are not a Float64Array with one weight per control point.');
  }
  for (let n = 0; n < weights.length; n++) {
    if (weights[n] > 0 && weights[n] < Infinity) continue;
    throw new NearfieldError('bad-argument', `Weight ${n} is ${weights[n]}; weights are positive.`);
  }
}

function assertKnots(axis: 'U' | 'V', degree: number, knots: ArrayLike<number>): number {
  if (!Number.isInteger(degree) || degree < 1 || degree > MAX_DEGREE) {
    throw new NearfieldError('bad-argument', `degree${axis} is ${nameValue(degree)}; give 1 to ${MAX_DEGREE}.`);
  }
  const length = knots?.length ?? 0;
  if (length < 2 * degree + 2) {
    throw new NearfieldError(
      'bad-argument',
      `knots${axis} has ${length} knots; degree ${degree} needs ${2 * degree + 2}.`,
    );
  }
  for (let n = 0; n < length; n++) {
    if (Number.isFinite(knots[n]) && (n === 0 || knots[n] >= knots[n - 1])) continue;
    throw new NearfieldError('bad-argument', `Knot ${n} of knots${axis} is ${knots[n]}; knots are finite and ascend.`);
  }
  const count = length - degree - 1;
  if (!(knots[count] > knots[degree])) {
    throw new NearfieldError(
      'bad-argument',
      `The domain of knots${axis} is empty: knot ${degree} is not below knot ${count}.`,
    );
  }
  return count;
}

/** The span of a parameter: the last knot k with a nonempty span at or before it, within the domain. */
export function findSpan(knots: ArrayLike<number>, degree: number, t: number): number {
  const count = knots.length - degree - 1;
  let low = degree;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (knots[middle] <= t) low = middle;
    else high = middle - 1;
  }
  while (low > degree && knots[low] === knots[low + 1]) low--;
  return low;
}

/** Writes the basis functions of a span that are not zero, from that of control point span − degree, to `out[at]`. */
export function writeBasis(
  knots: ArrayLike<number>,
  degree: number,
  span: number,
  t: number,
  out: Float64Array,
  at: number,
): void {
  out[at] = 1;
  for (let order = 1; order <= degree; order++) {
    let carried = 0;
    for (let n = 0; n < order; n++) {
      const right = knots[span + n + 1] - t;
      const left = t - knots[span + 1 - order + n];
      const share = right + left > 0 ? out[at + n] / (right + left) : 0;
      out[at + n] = carried + right * share;
      carried = left * share;
    }
    out[at + order] = carried;
  }
}

/**
 * The point of a surface at (u, v), which are clamped to the domain.
 * @throws NearfieldError for invalid surfaces.
 */
export function evaluateNurbs(surface: NurbsSurface, u: number, v: number): Vec3 {
  assertNurbs(surface);
  const { degreeU, degreeV, knotsU, knotsV, points, weights } = surface;
  const [countU, countV] = controlCounts(surface);
  const s = Math.min(knotsU[countU], Math.max(knotsU[degreeU], u));
  const t = Math.min(knotsV[countV], Math.max(knotsV[degreeV], v));
  const spanU = findSpan(knotsU, degreeU, s);
  const spanV = findSpan(knotsV, degreeV, t);
  const basis = new Float64Array(degreeU + degreeV + 2);
  writeBasis(knotsU, degreeU, spanU, s, basis, 0);
  writeBasis(knotsV, degreeV, spanV, t, basis, degreeU + 1);
  const sum = [0, 0, 0, 0];
  for (let j = 0; j <= degreeV; j++) {
    for (let i = 0; i <= degreeU; i++) {
      const point = spanU - degreeU + i + countU * (spanV - degreeV + j);
      const share = basis[i] * basis[degreeU + 1 + j] * (weights?.[point] ?? 1);
      for (let axis = 0; axis < 3; axis++) sum[axis] += share * points[3 * point + axis];
      sum[3] += share;
    }
  }
  return [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]];
}

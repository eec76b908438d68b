// Triangles of a NURBS surface within a bound: a grid of parameters, with as many steps in each span as bounds of second
// derivatives ask for. Linear interpolation over a right triangle of legs a and b is off by at most
// (a²·|Suu| + 2ab·|Suv| + b²·|Svv|) / 8 (Filip, Magedson and Markot 1986). The bounds are those of Bézier nets.
import { needed, numberAbove, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import { bezierPatches, spansOf } from './bezier-patches.js';
import { assertNurbs, controlCounts, findSpan, type NurbsSurface, writeBasis } from './nurbs-surface.js';
import { secondDerivativeBounds } from './second-derivatives.js';

/** How to tessellate. */
export interface TessellateNurbsOptions {
  /** The largest distance between the surface and its triangles, in both directions. */
  readonly error: number;
}

const TESSELLATE_OPTIONS = optionTable<TessellateNurbsOptions>()({
  error: needed({ ...numberAbove(0), expects: 'a positive length' }),
});

/** Rounding: points nearer than this share of the control points' extent are one where the surface closes. */
const SAME_POINT = 1e-9;
/** Chosen: vertices of a tessellation: about 400 MB of positions. */
const MAX_VERTICES = 2 ** 24;

/**
 * The triangles of a surface. Sides that coincide share their vertices, and a side that is a single point is one vertex,
 * so a surface that closes on itself gives a closed mesh. Triangles run counter-clockwise seen from where Su × Sv points.
 * @throws NearfieldError for invalid surfaces and errors, `too-large` where the error asks for too many triangles.
 */
export function tessellateNurbs(surface: NurbsSurface, options: TessellateNurbsOptions): Mesh {
  assertNurbs(surface);
  TESSELLATE_OPTIONS.assert(options);
  const { error } = options;
  const [parametersU, parametersV] = chooseParameters(surface, error);
  const grid = evaluateGrid(surface, parametersU, parametersV);
  return gridMesh(grid, parametersU.length, parametersV.length, SAME_POINT * extentOf(surface.points));
}

function chooseParameters(surface: NurbsSurface, error: number): [Float64Array, Float64Array] {
  const { degreeU, degreeV, knotsU, knotsV } = surface;
  const [countU, countV] = controlCounts(surface);
  const spansU = spansOf(knotsU, degreeU);
  const spansV = spansOf(knotsV, degreeV);
  // 2ab ≤ κa² + b²/κ splits the mixed term; this κ makes the split independent of how u and v are scaled.
  const ratio = (knotsV[countV] - knotsV[degreeV]) / (knotsU[countU] - knotsU[degreeU]);
  const curvesU = new Float64Array(knotsU.length);
  const curvesV = new Float64Array(knotsV.length);
  for (const patch of bezierPatches(surface)) {
    const lengthU = knotsU[patch.spanU + 1] - knotsU[patch.spanU];
    const lengthV = knotsV[patch.spanV + 1] - knotsV[patch.spanV];
    const { uu, uv, vv } = secondDerivativeBounds(patch.net, degreeU, degreeV, lengthU, lengthV);
    curvesU[patch.spanU] = Math.max(curvesU[patch.spanU], uu + ratio * uv);
    curvesV[patch.spanV] = Math.max(curvesV[patch.spanV], vv + uv / ratio);
  }
  const stepsU = spansU.map((span) => stepsOf(knotsU[span + 1] - knotsU[span], curvesU[span], error));
  const stepsV = spansV.map((span) => stepsOf(knotsV[span + 1] - knotsV[span], curvesV[span], error));
  const vertices = (1 + sum(stepsU)) * (1 + sum(stepsV));
  if (!(vertices <= MAX_VERTICES)) {
    throw new NearfieldError(
      'too-large',
      `An error of ${error} asks for ${vertices.toPrecision(3)} vertices, more than ${MAX_VERTICES}; give a larger one.`,
    );
  }
  return [parametersOf(knotsU, spansU, stepsU), parametersOf(knotsV, spansV, stepsV)];
}

/** Each of the two terms gets half of the error: (length / steps)² · curve / 8 ≤ error / 2. */
function stepsOf(length: number, curve: number, error: number): number {
  return Math.max(1, Math.ceil(length * Math.sqrt(curve / (4 * error))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function parametersOf(knots: ArrayLike<number>, spans: readonly number[], steps: readonly number[]): Float64Array {
  const parameters: number[] = [];
  for (const [n, span] of spans.entries()) {
    for (let step = 0; step < steps[n]; step++) {
      parameters.push(knots[span] + ((knots[span + 1] - knots[span]) * step) / steps[n]);
    }
  }
  parameters.push(knots[spans[spans.length - 1] + 1]);
  return Float64Array.from(parameters);
}

/** The points at all pairs of parameters, u fastest. */
function evaluateGrid(surface: NurbsSurface, us: Float64Array, vs: Float64Array): Float64Array {
  const { degreeU, degreeV, knotsU, knotsV, points, weights } = surface;
  const [countU] = controlCounts(surface);
  const out = new Float64Array(3 * us.length * vs.length);
  const basisU = new Float64Array((degreeU + 1) * us.length);
  const spansU = new Int32Array(us.length);
  for (let n = 0; n < us.length; n++) {
    spansU[n] = findSpan(knotsU, degreeU, us[n]);
    writeBasis(knotsU, degreeU, spansU[n], us[n], basisU, (degreeU + 1) * n);
  }
  const basisV = new Float64Array(degreeV + 1);
  // The control points of one row of the grid: a curve in u.
  const row = new Float64Array(4 * countU);
  for (let m = 0; m < vs.length; m++) {
    const spanV = findSpan(knotsV, degreeV, vs[m]);
    writeBasis(knotsV, degreeV, spanV, vs[m], basisV, 0);
    row.fill(0);
    for (let j = 0; j <= degreeV; j++) {
      for (let i = 0; i < countU; i++) {
        const point = i + countU * (spanV - degreeV + j);
        const share = basisV[j] * (weights === undefined ? 1 : weights[point]);
        row[4 * i] += share * points[3 * point];
        row[4 * i + 1] += share * points[3 * point + 1];
        row[4 * i + 2] += share * points[3 * point + 2];
        row[4 * i + 3] += share;
      }
    }
    for (let n = 0; n < us.length; n++) {
      let x = 0;
      let y = 0;
      let z = 0;
      let w = 0;
      for (let i = 0; i <= degreeU; i++) {
        const share = basisU[(degreeU + 1) * n + i];
        const at = 4 * (spansU[n] - degreeU + i);
        x += share * row[at];
        y += share * row[at + 1];
        z += share * row[at + 2];
        w += share * row[at + 3];
      }
      const at = 3 * (n + us.length * m);
      out[at] = x / w;
      out[at + 1] = y / w;
      out[at + 2] = z / w;
    }
  }
  return out;
}

/** The mesh of a grid of points, with sides that close joined. */
function gridMesh(grid: Float64Array, nu: number, nv: number, same: number): Mesh {
  const isSame = (a: number, b: number): boolean =>
    Math.abs(grid[3 * a] - grid[3 * b]) <= same &&
    Math.abs(grid[3 * a + 1] - grid[3 * b + 1]) <= same &&
    Math.abs(grid[3 * a + 2] - grid[3 * b + 2]) <= same;
  const us = Array.from({ length: nu }, (_, n) => n);
  const vs = Array.from({ length: nv }, (_, m) => m);
  const closesU = nu > 3 && vs.every((m) => isSame(nu * m, nu * m + nu - 1));
  const closesV = nv > 3 && us.every((n) => isSame(n, n + nu * (nv - 1)));
  const points = [
    us.every((n) => isSame(0, n)),
    us.every((n) => isSame(nu * (nv - 1), nu * (nv - 1) + n)),
    vs.every((m) => isSame(0, nu * m)),
    vs.every((m) => isSame(nu - 1, nu * m + nu - 1)),
  ];
  const placeOf = (n: number, m: number): number => {
    let column = closesU && n === nu - 1 ? 0 : n;
    let row = closesV && m === nv - 1 ? 0 : m;
    if ((row === 0 && points[0]) || (row === nv - 1 && points[1])) column = 0;
    if (column === 0 && points[2]) row = 0;
    if (column === nu - 1 && points[3]) row = 0;
    return column + nu * row;
  };
  const ids = new Int32Array(nu * nv).fill(-1);
  const positions: number[] = [];
  const idOf = (n: number, m: number): number => {
    const place = placeOf(n, m);
    if (ids[place] < 0) {
      ids[place] = positions.length / 3;
      positions.push(grid[3 * place], grid[3 * place + 1], grid[3 * place + 2]);
    }
    return ids[place];
  };
  const indices: number[] = [];
  const add = (a: number, b: number, c: number): void => {
    if (a !== b && b !== c && c !== a) indices.push(a, b, c);
  };
  for (let m = 0; m + 1 < nv; m++) {
    for (let n = 0; n + 1 < nu; n++) {
      const [a, b, c, d] = [idOf(n, m), idOf(n + 1, m), idOf(n + 1, m + 1), idOf(n, m + 1)];
      add(a, b, c);
      add(a, c, d);
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

function extentOf(points: Float64Array): number {
  let extent = 0;
  for (let n = 3; n < points.length; n++) extent = Math.max(extent, Math.abs(points[n] - points[n % 3]));
  return extent;
}

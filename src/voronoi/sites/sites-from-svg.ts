// The shapes of a drawing as sites, in the frame of the drawing: y down, so that row 0 of an image is its top.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { SvgCurve, SvgDrawing, SvgShape, SvgSubpath } from '../../io/drawing/svg-drawing.js';
import type { ArcSite, BezierSite, PlaneSite } from './plane-site.js';

type Point = readonly [number, number];

/**
 * One site for each shape of the drawing, in their order. A filled shape is its whole outline, with the line that closes
 * it; one without fill is the line as drawn. Coordinates are those of the drawing, y down. `object` is the shape's id,
 * followed by `#2`, `#3`, … where an id occurs again; a shape without id has none.
 */
export function sitesFromSvg(drawing: SvgDrawing): PlaneSite[] {
  if (!Array.isArray(drawing?.shapes)) {
    throw new NearfieldError('bad-argument', `The drawing is ${nameValue(drawing)}; give what readSvg returns.`);
  }
  const times = new Map<string, number>();
  const taken = new Set(drawing.shapes.map(({ id }) => id));
  return drawing.shapes.map((shape: SvgShape): PlaneSite => {
    const { id } = shape;
    if (id === null) return siteOf(shape);
    let time = (times.get(id) ?? 0) + 1;
    while (time > 1 && taken.has(`${id}#${time}`)) time++;
    times.set(id, time);
    return { ...siteOf(shape), object: time === 1 ? id : `${id}#${time}` };
  });
}

function siteOf(shape: SvgShape): PlaneSite {
  const { subpaths } = shape;
  const lines = subpaths.map(cornersOf);
  if (lines.every((line) => line !== null)) {
    const closed = subpaths.map((subpath, i) => subpath.closed || (shape.filled && lines[i].length > 2));
    if (closed.every(Boolean) && lines.some((line) => line.length > 2)) return { type: 'polygon', rings: lines };
    if (lines.length === 1) return lineSite(lines[0]);
  }
  const [only] = subpaths[0].curves;
  if (subpaths.length === 1 && subpaths[0].curves.length === 1 && only.type === 'arc') {
    const { center, radius, from, to } = only;
    if (Math.abs(to - from) >= 2 * Math.PI) return { type: 'circle', center, radius };
  }
  return { type: 'path', curves: subpaths.flatMap((subpath) => curvesOf(subpath, shape.filled)) };
}

function lineSite(points: readonly Point[]): PlaneSite {
  if (points.length === 1) return { type: 'point', at: points[0] };
  if (points.length === 2) return { type: 'segment', a: points[0], b: points[1] };
  return { type: 'polyline', points };
}

/** The points of a subpath of straight lines, each once, the first not again at the end if closed; null for curves. */
function cornersOf({ curves, closed }: SvgSubpath): Point[] | null {
  const points: Point[] = [];
  const add = (point: Point): void => {
    const last = points.at(-1);
    if (last === undefined || last[0] !== point[0] || last[1] !== point[1]) points.push(point);
  };
  for (const curve of curves) {
    if (curve.type !== 'bezier' || curve.points.length !== 2) return null;
    add(curve.points[0]);
    add(curve.points[1]);
  }
  const [first, last] = [points[0], points[points.length - 1]];
  if (closed && points.length > 1 && first[0] === last[0] && first[1] === last[1]) points.pop();
  return points;
}

function curvesOf({ curves, closed }: SvgSubpath, filled: boolean): (ArcSite | BezierSite)[] {
  const result = curves.map(curveSite);
  if (!filled || closed) return result;
  const [first, last] = [endOf(curves[0], 0), endOf(curves[curves.length - 1], 1)];
  // The ends of arcs are rounded: a gap of that size counts as closed.
  const rounding = curves.reduce(
    (most, curve) => (curve.type === 'arc' ? Math.max(most, 1e-9 * curve.radius) : most),
    0,
  );
  if (Math.hypot(last[0] - first[0], last[1] - first[1]) > rounding)
    result.push({ type: 'bezier', points: [last, first] });
  return result;
}

function curveSite(curve: SvgCurve): ArcSite | BezierSite {
  if (curve.type === 'bezier') return { type: 'bezier', points: curve.points };
  const { center, radius, from, to } = curve;
  return { type: 'arc', center, radius, from: Math.min(from, to), to: Math.max(from, to) };
}

/** The first point of a curve, or the last. */
function endOf(curve: SvgCurve, which: 0 | 1): Point {
  if (curve.type === 'bezier') return curve.points[which * (curve.points.length - 1)];
  const angle = which === 0 ? curve.from : curve.to;
  return [curve.center[0] + curve.radius * Math.cos(angle), curve.center[1] + curve.radius * Math.sin(angle)];
}

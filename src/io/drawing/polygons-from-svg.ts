// The filled shapes of a drawing as polygons with holes: curves become lines within an error, and the fill rule tells
// which side of each ring is inside.
import { nameValue } from '../../core/check/check-options.js';
import { optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { flattenBezier } from '../../core/flatten-bezier.js';
import { createPolygon, isCounterClockwise, locateInPolygon, type Polygon } from '../../mesh/polygon/polygon.js';
import { findRingCrossing } from '../../mesh/polygon/ring-crossing.js';
import type { SvgCurve, SvgDrawing, SvgShape, SvgSubpath } from './svg-drawing.js';

/** How curves become lines. */
export interface SvgPolygonOptions {
  /** How far lines may be from the curve they replace. Default: 1e-4 of the longest side of the drawing's box. */
  readonly curveError?: number | undefined;
}

/** A connected region of a shape. */
export interface SvgPolygon {
  /** The index of the shape. */
  readonly shape: number;
  /** The id of the shape. */
  readonly id: string | null;
  /** In the frame of the drawing, y down. The outer ring is counter-clockwise by its numbers, and so clockwise on the screen. */
  readonly polygon: Polygon;
}

/** The default is a share of the drawing's size. */
const POLYGON_OPTIONS = optionTable<SvgPolygonOptions>()({
  curveError: {
    expects: 'a positive length',
    accepts: (value) => typeof value === 'number' && value > 0,
    label: 'curve error',
  },
});

/** Chosen: the largest error of a curve if the caller gives none, as a share of the drawing's longest side. */
const DEFAULT_ERROR = 1e-4;

/** Rounding: points of a ring that are nearer to each other than this share of the box are one point. */
const SAME_POINT = 1e-12;

/** Chosen: lines of one curve, so that an error of almost zero does not exhaust memory. */
const MAX_LINES = 1 << 16;

/**
 * The regions that the filled shapes of a drawing paint, in the order of the shapes. Shapes without fill have none.
 * @throws NearfieldError `self-intersecting` for a shape whose outline crosses or touches itself, with its line;
 * `bad-argument` for a curve error that is not positive, or so small that a curve takes more than 65,536 lines.
 */
export function polygonsFromSvg(drawing: SvgDrawing, options: SvgPolygonOptions = {}): SvgPolygon[] {
  POLYGON_OPTIONS.assert(options);
  if (!Array.isArray(drawing?.shapes) || !Array.isArray(drawing.box)) {
    throw new NearfieldError('bad-argument', `The drawing is ${nameValue(drawing)}; give what readSvg returns.`);
  }
  const [x0, y0, x1, y1] = drawing.box;
  const longest = Math.max(x1 - x0, y1 - y0);
  const { curveError = DEFAULT_ERROR * longest } = options;
  return drawing.shapes.flatMap((shape: SvgShape, index: number) => {
    if (!shape.filled) return [];
    const rings = shape.subpaths
      .map((subpath) => ringOf(subpath, curveError, SAME_POINT * longest))
      .filter((ring) => ring.length >= 6);
    return regionsOf(shape, rings).map((polygon) => ({ shape: index, id: shape.id, polygon }));
  });
}

/** The regions inside rings that neither cross nor touch. */
function regionsOf(shape: SvgShape, rings: readonly Float64Array[]): Polygon[] {
  if (findRingCrossing(rings) !== null) {
    const { element, id, line } = shape;
    throw new NearfieldError(
      'self-intersecting',
      `line ${line}: the outline of <${element}${id === null ? '' : ` id="${id}"`}> crosses or touches itself; ` +
        'join its parts in a drawing program (union).',
      { line },
    );
  }
  const turns = rings.map((ring) => (isCounterClockwise(ring) ? 1 : -1));
  const around = rings.map(([x, y], ring) =>
    rings.flatMap((other, i) => (i !== ring && locateInPolygon({ rings: [other] }, x, y) === 'inside' ? [i] : [])),
  );
  const isFilled = (winding: number, depth: number): boolean =>
    shape.fillRule === 'nonzero' ? winding !== 0 : depth % 2 === 1;
  const outer: number[][] = [];
  const outerAt = new Map<number, number[]>();
  const holes: number[] = [];
  rings.forEach((_, ring) => {
    const winding = around[ring].reduce((sum, i) => sum + turns[i], 0);
    const depth = around[ring].length;
    const outside = isFilled(winding, depth);
    const inside = isFilled(winding + turns[ring], depth + 1);
    if (inside && !outside) {
      outerAt.set(ring, [ring]);
      outer.push(outerAt.get(ring)!);
    } else if (outside && !inside) holes.push(ring);
  });
  for (const hole of holes) {
    // Of the outer rings around it, the one that has the most around itself.
    const parents = around[hole].filter((ring) => outerAt.has(ring));
    const parent = parents.reduce((best, ring) => (around[ring].length > around[best].length ? ring : best));
    outerAt.get(parent)!.push(hole);
  }
  return outer.map((indices) => createPolygon(indices.map((index) => rings[index])));
}

/** The points of a subpath, closed without repeating the first. */
function ringOf({ curves }: SvgSubpath, error: number, same: number): Float64Array {
  const points: number[] = [];
  const isLast = (x: number, y: number): boolean =>
    points.length > 0 && Math.hypot(x - points[points.length - 2], y - points[points.length - 1]) <= same;
  for (const curve of curves) {
    for (const [x, y] of flattenCurve(curve, error)) if (!isLast(x, y)) points.push(x, y);
  }
  while (points.length > 2 && isLast(points[0], points[1])) points.length -= 2;
  return Float64Array.from(points);
}

function flattenCurve(curve: SvgCurve, error: number): readonly (readonly number[])[] {
  if (curve.type === 'bezier') return flattenBezier(curve.points, error);
  const { center, radius, from, to } = curve;
  // A chord of the angle 2a is off by r (1 − cos a); a whole circle takes at least a triangle.
  const half = Math.acos(Math.max(0.5, 1 - error / radius));
  const lines = Math.max(1, Math.ceil(Math.abs(to - from) / (2 * half)));
  if (!(lines <= MAX_LINES)) {
    throw new NearfieldError(
      'bad-argument',
      `An arc within ${error} takes ${lines} lines, more than ${MAX_LINES}; give a larger curve error.`,
    );
  }
  return Array.from({ length: lines + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / lines;
    return [center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle)];
  });
}

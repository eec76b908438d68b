// A drawing as exact curves in one frame: what `readSvg` gives and what Voronoi sites and polygons are made of.

/** A Bézier curve of degree 1 (a straight line), 2 or 3. */
export interface SvgBezier {
  readonly type: 'bezier';
  /** Two to four control points, each x, y; the first and the last are its ends. */
  readonly points: readonly (readonly [number, number])[];
}

/** A part of a circle from the angle `from` to the angle `to`, in radians; `to` is the smaller one if the angle decreases. */
export interface SvgArc {
  readonly type: 'arc';
  readonly center: readonly [number, number];
  readonly radius: number;
  readonly from: number;
  readonly to: number;
}

/** A piece of a subpath. */
export type SvgCurve = SvgBezier | SvgArc;

/** Curves that follow one another; a dot is one line without length. */
export interface SvgSubpath {
  readonly curves: readonly SvgCurve[];
  /** Whether it was closed; the closing line is one of the curves, unless it has no length. */
  readonly closed: boolean;
}

/** One shape of a drawing, with all transforms applied. */
export interface SvgShape {
  readonly element: 'path' | 'line' | 'polyline' | 'polygon' | 'rect' | 'circle' | 'ellipse';
  /** Its `id`, or that of the `use` that places it, or null. Several shapes may have the same. */
  readonly id: string | null;
  /** Where its tag ends in the file, counted from 1. */
  readonly line: number;
  /** Whether the inside is painted: the fill is not `none`. */
  readonly filled: boolean;
  readonly fillRule: 'nonzero' | 'evenodd';
  readonly subpaths: readonly SvgSubpath[];
}

/** A drawing in the user units of its outermost `svg` element, y down as in the file. */
export interface SvgDrawing {
  /** x0, y0, x1, y1: the view box; without one the width and height; without these the shapes' bounds, grown by 5 %. */
  readonly box: readonly [number, number, number, number];
  /** The size of one unit if the file says so (a `px` is 1/96 inch); null if it does not, or if x and y differ. */
  readonly millimetersPerUnit: number | null;
  /** In the order of the file, at least one. */
  readonly shapes: readonly SvgShape[];
  /** What was left out of the drawing: text, images, clipping. */
  readonly warnings: readonly string[];
}

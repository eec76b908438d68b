// The sites of a Voronoi diagram in the plane, as callers give them.

/** What every site may have beside its shape. */
export interface SiteWeights {
  /** Distances to the site are divided by it: a larger weight gives a larger region (default 1). */
  readonly weight?: number | undefined;
  /** Subtracted from the distance after the division: a point with offset r is a disc of radius r (default 0). */
  readonly offset?: number | undefined;
  /** Sites of the same object have no boundary between them in a graph. A site without one is an object of its own. */
  readonly object?: number | string | undefined;
}

/** One place. */
export interface PointSite extends SiteWeights {
  readonly type: 'point';
  /** x, y. */
  readonly at: ArrayLike<number>;
}

/** A straight line from `a` to `b`; a point if they coincide. */
export interface SegmentSite extends SiteWeights {
  readonly type: 'segment';
  readonly a: ArrayLike<number>;
  readonly b: ArrayLike<number>;
}

/** Straight lines from point to point, left open. */
export interface PolylineSite extends SiteWeights {
  readonly type: 'polyline';
  /** Each x, y. */
  readonly points: readonly ArrayLike<number>[];
}

/** The boundary of a polygon. The rings may run either way, and may cross: only their lines matter. */
export interface PolygonSite extends SiteWeights {
  readonly type: 'polygon';
  /** Each ring is a list of x, y, closed without repeating the first point. */
  readonly rings: readonly (readonly ArrayLike<number>[])[];
}

/** The line of a circle; a point if its radius is 0. */
export interface CircleSite extends SiteWeights {
  readonly type: 'circle';
  readonly center: ArrayLike<number>;
  readonly radius: number;
}

/** A part of a circle, counter-clockwise from the angle `from` to the angle `to`, in radians. */
export interface ArcSite extends SiteWeights {
  readonly type: 'arc';
  readonly center: ArrayLike<number>;
  readonly radius: number;
  readonly from: number;
  readonly to: number;
}

/** A Bézier curve of any degree up to 3, given by its control points; replaced by lines within the curve error. */
export interface BezierSite extends SiteWeights {
  readonly type: 'bezier';
  /** Two to four points, each x, y. */
  readonly points: readonly ArrayLike<number>[];
}

/** Arcs and Bézier curves (straight ones too) that together are one site, such as the outline of a drawn shape. */
export interface PathSite extends SiteWeights {
  readonly type: 'path';
  /** At least one; weights, offsets and objects of these are not used. Ends that meet within 1e-9 of a radius are joined. */
  readonly curves: readonly (ArcSite | BezierSite)[];
}

/** A site in the plane. */
export type PlaneSite =
  | PointSite
  | SegmentSite
  | PolylineSite
  | PolygonSite
  | CircleSite
  | ArcSite
  | BezierSite
  | PathSite;

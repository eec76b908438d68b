// What queries in the plane return. Arrays belong to the query object: they may be longer than `count`, and the next call
// overwrites them.

/** How much work a query did. */
export interface PlaneCounters {
  /** Pairs of boxes compared to localize the query. */
  boxPairs: number;
  /** Boxes of runs of edges that were made for it. */
  boxes: number;
  /** Edges drawn. */
  edges: number;
  /** Pixels reported or looked at. */
  pixels: number;
  /** Distances from a sample to an edge. */
  distances: number;
}

/** Samples of pixels. The first `count` entries of each array count; the next call of the query object overwrites them. */
export interface PlanePoints {
  readonly count: number;
  /** x, y of each sample. */
  readonly points: Float64Array;
  /** The length of boundary in each pixel's square: what the point stands for. Zero if it is only near the boundary. */
  readonly lengths: Float64Array;
  /** Half the diagonal of a pixel: the largest error of every distance and place. */
  readonly error: number;
  readonly counters: Readonly<PlaneCounters>;
}

/** The pixels in which two shapes meet. */
export interface PlaneIntersection extends PlanePoints {
  /** Of volume and volume: the area of the intersection, by rows of pixels. Otherwise 0. */
  readonly area: number;
}

/** The points of each object's boundary that are inside the other object. */
export interface PlanePenetration extends PlanePoints {
  /** Whose boundary: 0 for A's, 1 for B's. */
  readonly objects: Int32Array;
  /** The distance to the boundary of the other object. */
  readonly depths: Float64Array;
  /** Unit vectors out of the other object, the shortest way: x, y for each. */
  readonly directions: Float64Array;
}

/** The points of A's boundary near B's. */
export interface PlaneContacts extends PlanePoints {
  /** The signed distance to B, negative inside. */
  readonly distances: Float64Array;
  /** Unit vectors from A to B, against the gradient of B's signed distance: x, y for each. */
  readonly normals: Float64Array;
}

/** A point of one object's boundary that is nearest to the other. */
export interface PlaneClosestPoint {
  /** The sample, within the error of the boundary of A. */
  readonly point: readonly [number, number];
  /** The nearest point on the boundary of B. */
  readonly other: readonly [number, number];
  /** Between the boundaries, within the error. */
  readonly distance: number;
  readonly error: number;
  readonly counters: Readonly<PlaneCounters>;
}

/** How far two objects are apart. */
export interface PlaneSeparation {
  /**
   * Whether they have a point in common. Without `exact`: whether an overlap was seen, which may miss one up to the
   * error.
   */
  readonly intersects: boolean;
  /** 0 if they intersect. */
  readonly distance: number;
  /** The nearest points, null if they intersect. */
  readonly pointA: readonly [number, number] | null;
  readonly pointB: readonly [number, number] | null;
  /** The unit vector from A to B, null if they intersect. */
  readonly direction: readonly [number, number] | null;
  /** The largest error of the distance: 0 if it was refined. */
  readonly error: number;
  readonly counters: Readonly<PlaneCounters>;
}

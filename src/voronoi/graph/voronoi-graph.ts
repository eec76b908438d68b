// The Voronoi graph as callers see it: plain objects and arrays that JSON keeps.

/** A place where boundaries meet, end, or leave the box. */
export interface GraphVertex {
  readonly point: readonly [number, number];
  /** The distance to the nearest sites. */
  readonly clearance: number;
  /**
   * `junction`: three or more boundaries meet. `border`: one leaves the box. `end`: a medial axis ends, or an edge stops
   * beside a cell that the limit of cells left unresolved.
   */
  readonly kind: 'junction' | 'border' | 'end';
  /** The indices of its edges; an edge that begins and ends here is there twice. */
  readonly edges: readonly number[];
  /** The nearest sites, in increasing order. */
  readonly sites: readonly number[];
}

/** The narrowest place of an edge. */
export interface NarrowestPlace {
  readonly point: readonly [number, number];
  readonly clearance: number;
  /** The nearest points of the sites to the left and to the right. */
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

/** A boundary between two regions, from vertex to vertex. */
export interface GraphEdge {
  /** Indices of vertices; both are -1 for a closed curve without a vertex. */
  readonly from: number;
  readonly to: number;
  /** x, y of each point, the ends included. */
  readonly points: readonly number[];
  /** By point: the distance to the nearest sites. Between points it is even within about the error. */
  readonly clearances: readonly number[];
  readonly length: number;
  readonly narrowest: NarrowestPlace;
  /** The sites to the left and to the right at the narrowest place. */
  readonly sites: readonly [number, number];
}

/** The boundaries between the regions of a Voronoi diagram in a box. */
export interface VoronoiGraph {
  readonly vertices: readonly GraphVertex[];
  readonly edges: readonly GraphEdge[];
  /** x0, y0, x1, y1. */
  readonly box: readonly [number, number, number, number];
  /** How far a chord of an edge may be from the boundary. */
  readonly error: number;
  /** `limit`: the limit of cells was reached; edges stop beside cells that are not resolved, and no number is wrong. */
  readonly status: 'complete' | 'limit';
  readonly counters: GraphCounters;
}

/** What a graph cost. */
export interface GraphCounters {
  readonly features: number;
  readonly cells: number;
  readonly leaves: number;
  /** Changes of the nearest feature found on sides of cells. */
  readonly walkSteps: number;
  readonly newtonSteps: number;
  /** Leaves of the smallest size, in which everything meets in one vertex. */
  readonly merged: number;
}

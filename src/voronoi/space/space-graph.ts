// The Voronoi graph in space as callers see it: plain objects and arrays that JSON keeps, of the shape of the plane's.
import type { Box } from '../../core/box.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';

/** A place where edges meet, end, or leave the box. */
export interface SpaceGraphVertex {
  readonly point: Readonly<Vec3>;
  /** The distance to the nearest sites. */
  readonly clearance: number;
  /** `junction`: four or more regions meet. `border`: an edge leaves the box. `end`: an edge ends where sites touch. */
  readonly kind: 'junction' | 'border' | 'end';
  /** The indices of its edges; an edge that begins and ends here is there twice. */
  readonly edges: readonly number[];
  /** The nearest sites, in ascending order. */
  readonly sites: readonly number[];
}

/** A curve where three or more regions meet, from vertex to vertex. */
export interface SpaceGraphEdge {
  /** Indices of vertices; both are −1 for a closed curve without a vertex. */
  readonly from: number;
  readonly to: number;
  /** x, y, z of each point, the ends included. Each is equally far from the objects of the sites to 1e-9 of the box. */
  readonly points: readonly number[];
  readonly length: number;
  /** Where the edge is nearest to its sites. */
  readonly narrowest: { readonly point: Readonly<Vec3>; readonly clearance: number };
  /** The nearest sites at the narrowest place, in ascending order. */
  readonly sites: readonly number[];
}

/**
 * The places equally far from three or more objects, and nearer to none, in a box. Edges are followed from the cells of a
 * grid in which three regions meet, and from vertex to vertex. The graph is limited by the resolution: an edge that no
 * cell shows and that meets no other edge is missed, and so are details smaller than a tenth of a spacing.
 */
export interface SpaceVoronoiGraph {
  readonly vertices: readonly SpaceGraphVertex[];
  readonly edges: readonly SpaceGraphEdge[];
  readonly box: Box;
  /** The spacing of the grid. */
  readonly spacing: number;
  /** About how far a chord of an edge may be from the curve. */
  readonly error: number;
  /** 'lost': some edges could not be followed to a vertex, as where sites coincide; they end in the open. */
  readonly status: 'complete' | 'lost';
  readonly counters: SpaceGraphCounters;
}

/** What a graph cost. */
export interface SpaceGraphCounters {
  /** Cells of the grid with three or more regions. */
  readonly seeds: number;
  readonly newtonSteps: number;
  /** Edges that were lost on their way. */
  readonly lost: number;
}

/** How to compute a graph in space. */
export interface SpaceGraphOptions extends ProgressOptions {
  /** Default: the box of the sites, with `VORONOI_DEFAULTS.margin` of its longest side added on every side. */
  readonly box?: Box | undefined;
  /** Nodes of the grid along the longest side of the box. Default `VORONOI_DEFAULTS.graphResolution`. */
  readonly resolution?: number | undefined;
}

export const SPACE_GRAPH_OPTIONS = optionTable<SpaceGraphOptions>()({
  box: checkedElsewhere(),
  resolution: checkedElsewhere(),
  ...PROGRESS_RULES,
});

// The sites of a Voronoi diagram in space, as callers give them.
import type { Mesh } from '../../mesh/mesh.js';
import type { SiteWeights } from './plane-site.js';

/** One place. */
export interface SpacePointSite extends SiteWeights {
  readonly type: 'point';
  /** x, y, z. */
  readonly at: ArrayLike<number>;
}

/** A straight line from `a` to `b`; a point if they coincide. */
export interface SpaceSegmentSite extends SiteWeights {
  readonly type: 'segment';
  readonly a: ArrayLike<number>;
  readonly b: ArrayLike<number>;
}

/** A triangle with its inside. One without area is the segment or point that it covers. */
export interface SpaceTriangleSite extends SiteWeights {
  readonly type: 'triangle';
  readonly a: ArrayLike<number>;
  readonly b: ArrayLike<number>;
  readonly c: ArrayLike<number>;
}

/** The surface of a mesh, open or closed. Distances are not negative inside. */
export interface SpaceMeshSite extends SiteWeights {
  readonly type: 'mesh';
  readonly mesh: Mesh;
}

/** A site in space. */
export type SpaceSite = SpacePointSite | SpaceSegmentSite | SpaceTriangleSite | SpaceMeshSite;

// Shapes as callers give them: rings of points that may change before every call, and where a rigid shape stands.
import type { Polygon } from '../../mesh/polygon/polygon.js';

/**
 * A region of the plane: every point that a ray from it leaves through an odd number of edges (the even-odd rule), so that
 * rings may run either way, touch and cross. A {@link Polygon} is one. Its boundary is every edge of every ring. Rings are
 * read anew by every call: change their numbers as you like between calls.
 */
export interface PlaneShape extends Polygon {
  /** x, y and angle in radians, counter-clockwise: turned about the origin, then moved. Default: as the rings are. */
  readonly pose?: ArrayLike<number> | undefined;
}

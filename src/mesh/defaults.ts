/** The options of mesh queries, reports and extrusions when none are given. */
export const MESH_DEFAULTS = {
  /** The largest error of a winding number; inside tests are exact whatever it is. */
  windingAccuracy: 0.01,
  /** The most crossing pairs of triangles that are listed; the count goes on beyond it. */
  selfIntersectionLimit: 1_000_000,
  /** Rows of quads in the walls of an extrusion, and the width of its bevel. */
  extrude: { layers: 1, bevel: 0 },
} as const;

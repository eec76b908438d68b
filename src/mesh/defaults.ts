/** The options of mesh queries, reports and extrusions when none are given. */
export const MESH_DEFAULTS = {
  /** The largest error of a winding number; inside tests are exact for any value. */
  windingAccuracy: 0.01,
  /** At most this many crossing pairs of triangles are listed; all are counted. */
  selfIntersectionLimit: 1_000_000,
  /** Rows of quads in the walls of an extrusion, and the width of its bevel. */
  extrude: { layers: 1, bevel: 0 },
} as const;

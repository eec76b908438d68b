// Directions spread evenly enough to begin a search with.
import * as vec3 from '../../core/vec3.js';

/** The 26 unit vectors from a cube's middle to its faces, edges and corners. */
export const CUBE_DIRECTIONS: readonly vec3.Vec3[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].filter((z) => x !== 0 || y !== 0 || z !== 0).map((z) => vec3.normalize([x, y, z])),
  ),
);

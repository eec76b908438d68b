// Volume, area and center of a hull, and the hull as a mesh. O(triangles).
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ConvexSums } from './convex-sums.js';
import type { Hull } from './hull.js';

/** The size of a hull. */
export interface HullMeasure {
  /** Zero below three dimensions. */
  readonly volume: number;
  /** The area of the surface; of both sides for a flat hull. Zero below two dimensions. */
  readonly area: number;
  /** The center of mass of the solid; for a flat hull that of the polygon, for a segment its middle. */
  readonly centroid: Vec3;
}

/** The volume, area and centroid of a hull. */
export function measureHull(hull: Hull): HullMeasure {
  const { dimension, points, vertices, triangles } = hull;
  const origin = 3 * vertices[0];
  const sums = new ConvexSums();
  sums.sum(points, triangles, 0, triangles.length, origin);
  const sixVolume = dimension === 3 ? sums.sixVolume : 0;
  const { twiceArea, solid, shell } = sums;
  // If rounding leaves no volume, the surface's center is used.
  const [moment, weight] = sixVolume > 0 ? [solid, 4 * sixVolume] : [shell, 3 * twiceArea];
  const centroid: Vec3 = weight > 0 ? [0, 0, 0] : middleOf(hull);
  for (let axis = 0; weight > 0 && axis < 3; axis++) centroid[axis] = points[origin + axis] + moment[axis] / weight;
  return { volume: sixVolume / 6, area: twiceArea / 2, centroid };
}

/** The middle of a segment, or the point itself; also for hulls so small that their area underflows. */
function middleOf({ points, vertices }: Hull): Vec3 {
  const a = 3 * vertices[0];
  const b = 3 * vertices[vertices.length - 1];
  return [points[a] / 2 + points[b] / 2, points[a + 1] / 2 + points[b + 1] / 2, points[a + 2] / 2 + points[b + 2] / 2];
}

/**
 * The hull as a closed mesh: vertex i is the hull's vertices[i].
 * @throws NearfieldError when the hull is a segment or a point and has no triangles.
 */
export function hullToMesh(hull: Hull): Mesh {
  const { dimension, points, vertices, triangles } = hull;
  if (dimension < 2) {
    throw new NearfieldError(
      'degenerate',
      `The hull is a ${dimension === 1 ? 'segment' : 'point'} and has no faces; give points that are not on one line.`,
    );
  }
  const positions = new Float64Array(3 * vertices.length);
  const newIds = new Map<number, number>();
  vertices.forEach((vertex, i) => {
    newIds.set(vertex, i);
    positions.set(points.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
  });
  return { positions, indices: triangles.map((vertex) => newIds.get(vertex)!) };
}

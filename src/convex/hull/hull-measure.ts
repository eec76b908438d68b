// Volume, area and center of a hull, and the hull as a mesh. Sums are relative to a vertex, so that an offset of the
// points costs no accuracy. O(triangles).
import { NearfieldError } from '../../core/errors.js';
import { addScaled, type Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
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
  const [x0, y0, z0] = points.subarray(origin, origin + 3);
  let sixVolume = 0;
  let twiceArea = 0;
  const solid: Vec3 = [0, 0, 0];
  const shell: Vec3 = [0, 0, 0];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    const ax = points[a] - x0;
    const ay = points[a + 1] - y0;
    const az = points[a + 2] - z0;
    const bx = points[b] - x0;
    const by = points[b + 1] - y0;
    const bz = points[b + 2] - z0;
    const cx = points[c] - x0;
    const cy = points[c + 1] - y0;
    const cz = points[c + 2] - z0;
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // Seen from a vertex, every tetrahedron of a convex solid has a volume of at least zero, up to rounding.
    const volume = dimension === 3 ? Math.max(0, nx * ax + ny * ay + nz * az) : 0;
    const sum: Vec3 = [ax + bx + cx, ay + by + cy, az + bz + cz];
    sixVolume += volume;
    twiceArea += area;
    addScaled(solid, sum, volume / 4, solid);
    addScaled(shell, sum, area / 3, shell);
  }
  // If rounding leaves no volume, the surface's center is used.
  const [moment, total] = sixVolume > 0 ? [solid, sixVolume] : [shell, twiceArea];
  const centroid: Vec3 = total > 0 ? addScaled([x0, y0, z0], moment, 1 / total) : middleOf(hull);
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

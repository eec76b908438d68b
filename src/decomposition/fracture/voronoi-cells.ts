// The Voronoi cells of points, cut to a box: for each cell the planes to its neighbors and its own box. A cell starts as
// the box and is cut by the bisectors of its point and the others, the nearest first, until no farther point can reach it.
// O(points² log points) time.
import { type Box, ofPositions } from '../../core/box.js';
import type { Vec3 } from '../../core/vec3.js';
import { cutPart, type Part, type Plane } from '../cut/part.js';

/** One cell: all points of the box below its planes. */
export interface VoronoiCell {
  /** The planes that bound it, with normals that point out of it. */
  readonly planes: readonly Plane[];
  readonly min: Vec3;
  readonly max: Vec3;
}

/**
 * The cells of points (x, y, z each), with `gap` between neighbors. Null for a cell that does not meet the box or that
 * the gap leaves nothing of.
 * @param onCell is called before each cell.
 */
export function findVoronoiCells(
  points: Float64Array,
  box: Box,
  gap: number,
  onCell: (cell: number) => void,
): (VoronoiCell | null)[] {
  const count = points.length / 3;
  const whole = boxPart(box);
  const distances = new Float64Array(count);
  return Array.from({ length: count }, (_, cell) => {
    onCell(cell);
    const order: number[] = [];
    for (let other = 0; other < count; other++) {
      distances[other] = Math.hypot(
        points[3 * other] - points[3 * cell],
        points[3 * other + 1] - points[3 * cell + 1],
        points[3 * other + 2] - points[3 * cell + 2],
      );
      if (other !== cell) order.push(other);
    }
    order.sort((a, b) => distances[a] - distances[b]);
    let part = whole;
    let reach = farthest(part, points, cell);
    const planes: Plane[] = [];
    for (const other of order) {
      if (distances[other] - gap > 2 * reach) break;
      const plane = bisector(points, cell, other, gap);
      if (!reaches(part, plane)) continue;
      const [below] = cutPart(part, plane, true, 'below');
      if (below === null) return null;
      planes.push(plane);
      part = below;
      reach = farthest(part, points, cell);
    }
    // A plane that cut early may have been left behind by later ones.
    return { planes: planes.filter((plane) => reaches(part, plane, 1e-9)), ...ofPositions(part.positions) };
  });
}

/** The plane between two points, half the gap before it; the same plane for both points, up to its side. */
function bisector(points: Float64Array, from: number, to: number, gap: number): Plane {
  const [low, high, side] = from < to ? [3 * from, 3 * to, 1] : [3 * to, 3 * from, -1];
  const dx = points[high] - points[low];
  const dy = points[high + 1] - points[low + 1];
  const dz = points[high + 2] - points[low + 2];
  const length = Math.hypot(dx, dy, dz);
  const [nx, ny, nz] = [dx / length, dy / length, dz / length];
  const middle = nx * (points[low] + 0.5 * dx) + ny * (points[low + 1] + 0.5 * dy) + nz * (points[low + 2] + 0.5 * dz);
  return { nx: side * nx, ny: side * ny, nz: side * nz, offset: side * middle - 0.5 * gap };
}

/** Whether a convex part has a vertex above a plane, or within `slack` of its size below it. */
function reaches({ positions }: Part, { nx, ny, nz, offset }: Plane, slack = 0): boolean {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < positions.length; i += 3) {
    const height = nx * positions[i] + ny * positions[i + 1] + nz * positions[i + 2] - offset;
    least = Math.min(least, height);
    most = Math.max(most, height);
  }
  return most > -slack * (most - least);
}

function farthest({ positions }: Part, points: Float64Array, cell: number): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(
      most,
      Math.hypot(
        positions[i] - points[3 * cell],
        positions[i + 1] - points[3 * cell + 1],
        positions[i + 2] - points[3 * cell + 2],
      ),
    );
  }
  return most;
}

function boxPart({ min, max }: Box): Part {
  const positions = new Float64Array(24);
  for (let v = 0; v < 8; v++) {
    for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] = (v >> axis) & 1 ? max[axis] : min[axis];
  }
  const indices = Uint32Array.of(
    ...[0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4],
    ...[2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6],
  );
  return { positions, indices, sources: new Int32Array(12) };
}

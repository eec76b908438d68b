// What an obstacle is in the plane of a planar robot: the outline of its part between two heights, seen along the third
// axis. It consists of edges at which the surface folds over as seen from there, and of the cuts at both heights.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Obstacle } from '../../kinematics/validity/obstacle.js';

/** The plane, and the heights that matter. */
export interface Slab {
  /** The two coordinates of the plane, and the one across. */
  readonly axes: readonly [number, number, number];
  readonly low: number;
  readonly high: number;
}

/** Segments x0, y0, x1, y1 that contain the outline; what lies inside of it does no harm. */
export function footprintOf({ model, pose: placed }: Obstacle, { axes, low, high }: Slab): number[] {
  const [u, v, w] = axes;
  const { positions } = model.mesh;
  const { indices, edgeCount, edgeVertices, edgeStart, edgeHalfEdges } = model.adjacency;
  const world = new Float64Array(positions.length);
  const point: Vec3 = [0, 0, 0];
  for (let i = 0; i < positions.length; i += 3) {
    pose.transformPoint(placed, [positions[i], positions[i + 1], positions[i + 2]], point);
    world[i] = point[u];
    world[i + 1] = point[v];
    world[i + 2] = point[w];
  }
  const segments: number[] = [];
  for (let h = 0; h < indices.length; h += 3) {
    cut(world, indices, h, low, segments);
    cut(world, indices, h, high, segments);
  }
  for (let e = 0; e < edgeCount; e++) {
    const [a, b] = [3 * edgeVertices[2 * e], 3 * edgeVertices[2 * e + 1]];
    if (isFold(world, indices, a, b, edgeHalfEdges, edgeStart[e], edgeStart[e + 1])) {
      clip(world, a, b, low, high, segments);
    }
  }
  return segments;
}

/** Adds where a triangle crosses a height. */
function cut(world: Float64Array, indices: Uint32Array, h: number, height: number, out: number[]): void {
  const found = out.length;
  for (let k = 0; k < 3; k++) {
    const [a, b] = [3 * indices[h + k], 3 * indices[h + ((k + 1) % 3)]];
    if (world[a + 2] < height === world[b + 2] < height) continue;
    const t = (height - world[a + 2]) / (world[b + 2] - world[a + 2]);
    out.push(world[a] + t * (world[b] - world[a]), world[a + 1] + t * (world[b + 1] - world[a + 1]));
  }
  if (out.length !== found + 4) out.length = found;
}

/** Whether the faces of an edge lie on one side of it, as seen along the axis; upright faces lie on none. */
function isFold(
  world: Float64Array,
  indices: Uint32Array,
  a: number,
  b: number,
  halfEdges: Uint32Array,
  first: number,
  end: number,
): boolean {
  if (end - first !== 2) return true;
  let [left, right] = [0, 0];
  const [dx, dy] = [world[b] - world[a], world[b + 1] - world[a + 1]];
  const size = Math.hypot(dx, dy);
  for (let n = first; n < end; n++) {
    const h = halfEdges[n];
    const c = 3 * indices[h - (h % 3) + ((h + 2) % 3)];
    const [ex, ey] = [world[c] - world[a], world[c + 1] - world[a + 1]];
    const side = dx * ey - dy * ex;
    if (Math.abs(side) <= 1e-9 * size * Math.hypot(ex, ey, world[c + 2] - world[a + 2])) continue;
    if (side > 0) left++;
    else right++;
  }
  return left + right > 0 && !(left === 1 && right === 1);
}

/** Adds the part of an edge between two heights. */
function clip(world: Float64Array, a: number, b: number, low: number, high: number, out: number[]): void {
  let [from, to] = [0, 1];
  const rise = world[b + 2] - world[a + 2];
  if (rise === 0) {
    if (world[a + 2] < low || world[a + 2] > high) return;
  } else {
    const [s, t] = [(low - world[a + 2]) / rise, (high - world[a + 2]) / rise];
    from = Math.max(from, Math.min(s, t));
    to = Math.min(to, Math.max(s, t));
    if (!(from < to)) return;
  }
  const [dx, dy] = [world[b] - world[a], world[b + 1] - world[a + 1]];
  out.push(world[a] + from * dx, world[a + 1] + from * dy, world[a] + to * dx, world[a + 1] + to * dy);
}

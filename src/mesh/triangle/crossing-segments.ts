// Where the surfaces of two placed meshes cross, as segments for pictures: for each pair of triangles whose boxes meet, the
// points where an edge of one crosses the other. In floating point; the work is limited, and a figure never depends on it.
import { cross, distanceSquared, dot, subtract, type Vec3 } from '../../core/vec3.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { traverseBvh } from '../../spatial/traverse-bvh.js';

/** Chosen: the largest number of pairs of triangles that are looked at. */
const MAX_PAIRS = 200_000;

/** Six numbers a segment, for triangles of nine coordinates each; at most `limit` segments, evenly thinned. */
export function findCrossings(cornersA: Float64Array, cornersB: Float64Array, limit: number): Float64Array {
  const found: number[] = [];
  visitCrossings(cornersA, cornersB, (_i, _j, start, end) => found.push(...start, ...end));
  const count = found.length / 6;
  if (count <= limit) return Float64Array.from(found);
  return Float64Array.from(
    { length: 6 * limit },
    (_, i) => found[6 * Math.floor((Math.floor(i / 6) * count) / limit) + (i % 6)],
  );
}

/** Calls `visit` with the two triangles, by their places in the arrays, and the two ends of each segment. */
export function visitCrossings(
  cornersA: Float64Array,
  cornersB: Float64Array,
  visit: (i: number, j: number, start: Vec3, end: Vec3) => void,
): void {
  if (cornersA.length === 0 || cornersB.length === 0) return;
  const bvh = buildBvh(boxesOf(cornersB));
  let pairs = 0;
  const boxesA = boxesOf(cornersA);
  for (let i = 0; 9 * i < cornersA.length && pairs < MAX_PAIRS; i++) {
    const o = 6 * i;
    traverseBvh(bvh, {
      testBox: (boxes, at) => {
        for (let k = 0; k < 3; k++) {
          if (boxes[at + k] > boxesA[o + 3 + k] || boxes[at + 3 + k] < boxesA[o + k]) return false;
        }
        return true;
      },
      visitItem: (j) => {
        const segment = crossTriangles(cornersAt(cornersA, i), cornersAt(cornersB, j));
        if (segment !== null) visit(i, j, segment[0], segment[1]);
        return ++pairs >= MAX_PAIRS;
      },
    });
  }
}

function boxesOf(corners: Float64Array): Float64Array {
  const boxes = new Float64Array((corners.length / 9) * 6);
  for (let i = 0; 9 * i < corners.length; i++) {
    for (let k = 0; k < 3; k++) {
      const [p, q, r] = [corners[9 * i + k], corners[9 * i + 3 + k], corners[9 * i + 6 + k]];
      boxes[6 * i + k] = Math.min(p, q, r);
      boxes[6 * i + 3 + k] = Math.max(p, q, r);
    }
  }
  return boxes;
}

function cornersAt(corners: Float64Array, i: number): [Vec3, Vec3, Vec3] {
  const at = (k: number): Vec3 => [corners[9 * i + k], corners[9 * i + k + 1], corners[9 * i + k + 2]];
  return [at(0), at(3), at(6)];
}

type Corners = readonly [Vec3, Vec3, Vec3];

/** The two points of the crossing that are farthest apart; null if there are fewer than two. */
function crossTriangles(s: Corners, t: Corners): [Vec3, Vec3] | null {
  const points: Vec3[] = [];
  for (const [from, onto] of [
    [s, t],
    [t, s],
  ] as const) {
    for (let k = 0; k < 3; k++) {
      const point = pierce(from[k], from[(k + 1) % 3], onto);
      if (point !== null) points.push(point);
    }
  }
  let best: [Vec3, Vec3] | null = null;
  let most = 0;
  for (const [i, p] of points.entries()) {
    for (const q of points.slice(i + 1)) {
      const apart = distanceSquared(p, q);
      if (apart > most) {
        most = apart;
        best = [p, q];
      }
    }
  }
  return best;
}

/** Where the segment from p to q passes through the triangle (Möller and Trumbore 1997). */
function pierce(p: Vec3, q: Vec3, [a, b, c]: Corners): Vec3 | null {
  const [along, ab, ac] = [subtract(q, p), subtract(b, a), subtract(c, a)];
  const h = cross(along, ac);
  const determinant = dot(ab, h);
  if (determinant === 0) return null;
  const s = subtract(p, a);
  const u = dot(s, h) / determinant;
  const n = cross(s, ab);
  const v = dot(along, n) / determinant;
  const t = dot(ac, n) / determinant;
  // The slack joins segments at shared edges.
  if (!(u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9 && t >= -1e-9 && t <= 1 + 1e-9)) return null;
  return [p[0] + t * along[0], p[1] + t * along[1], p[2] + t * along[2]];
}

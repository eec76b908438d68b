// Tubes: unions of the hulls of successive balls (round cones), stored flat, ten numbers per segment. The distance is
// exact outside and a lower bound inside. `near` keeps the segments that can be nearest somewhere in the ball.
import type { ReadonlyVec3 } from '../../core/vec3.js';
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';

/** The hull of two balls: a capsule when the radii are equal. */
export function roundCone(a: ReadonlyVec3, radiusA: number, b: ReadonlyVec3, radiusB: number): ImplicitShape {
  return tube([
    [a[0], a[1], a[2], radiusA],
    [b[0], b[1], b[2], radiusB],
  ]);
}

/** Center x, y, z and radius. */
export type TubePoint = readonly [number, number, number, number];

/** The union of the hulls of successive balls; the distance is exact outside and a lower bound inside. */
export function tube(points: readonly TubePoint[]): ImplicitShape {
  const segments = new Float64Array(STRIDE * (points.length - 1));
  for (let i = 0; i + 1 < points.length; i++) {
    const [ax, ay, az, ra] = points[i];
    const [bx, by, bz, rb] = points[i + 1];
    const dx = bx - ax;
    const dy = by - ay;
    const dz = bz - az;
    const length2 = dx * dx + dy * dy + dz * dz;
    // One ball inside the other: their hull is the larger one.
    if (length2 <= (ra - rb) * (ra - rb)) {
      const larger = ra >= rb ? points[i] : points[i + 1];
      segments.set([larger[0], larger[1], larger[2], larger[3], 0, 0, 0, 0, 0, larger[3]], STRIDE * i);
    } else segments.set([ax, ay, az, ra, dx, dy, dz, length2, ra - rb, rb], STRIDE * i);
  }
  return tubeOf(segments);
}

/** A tube along a smooth curve through the points (Catmull-Rom), each span cut into `steps` pieces. */
export function smoothTube(points: readonly TubePoint[], steps: number): ImplicitShape {
  return tube(subdivideCurve(points, steps));
}

/** Points on the Catmull-Rom curve through `points`, `steps` to a span, first and last included. */
export function subdivideCurve(points: readonly TubePoint[], steps: number): TubePoint[] {
  const out: TubePoint[] = [];
  for (let i = 0; i + 1 < points.length; i++) {
    const p0 = points[Math.max(0, i - 1)];
    const p1 = points[i];
    const p2 = points[i + 1];
    const p3 = points[Math.min(points.length - 1, i + 2)];
    for (let s = 0; s < steps; s++) {
      const t = s / steps;
      const blend = (k: number) =>
        p1[k] +
        0.5 *
          t *
          (p2[k] - p0[k] + t * (2 * p0[k] - 5 * p1[k] + 4 * p2[k] - p3[k] + t * (3 * (p1[k] - p2[k]) + p3[k] - p0[k])));
      out.push([blend(0), blend(1), blend(2), blend(3)]);
    }
  }
  out.push(points[points.length - 1]);
  return out;
}

/**
 * Layout: numbers per segment: start, its radius, vector to the end, its squared length, radius lost, radius at the
 * end.
 */
const STRIDE = 10;

function tubeOf(segments: Float64Array): ImplicitShape {
  return {
    lipschitz: 1,
    value: (x, y, z) => {
      let nearest = Infinity;
      for (let s = 0; s < segments.length; s += STRIDE) {
        const d = segmentDistance(segments, s, x, y, z);
        if (d < nearest) nearest = d;
      }
      return nearest;
    },
    near(x, y, z, radius) {
      const distances = new Float64Array(segments.length / STRIDE);
      let nearest = Infinity;
      for (let i = 0; i < distances.length; i++) {
        distances[i] = segmentDistance(segments, STRIDE * i, x, y, z);
        nearest = Math.min(nearest, distances[i]);
      }
      const reach = nearest + 2 * radius;
      let kept = 0;
      for (let i = 0; i < distances.length; i++) if (distances[i] <= reach) kept++;
      if (kept === distances.length) return this;
      const fewer = new Float64Array(STRIDE * kept);
      let end = 0;
      for (let i = 0; i < distances.length; i++) {
        if (distances[i] > reach) continue;
        fewer.set(segments.subarray(STRIDE * i, STRIDE * (i + 1)), end);
        end += STRIDE;
      }
      return tubeOf(fewer);
    },
  };
}

/** The distance to one round cone: to either ball, or to the cone that touches both. */
function segmentDistance(g: Float64Array, s: number, x: number, y: number, z: number): number {
  const px = x - g[s];
  const py = y - g[s + 1];
  const pz = z - g[s + 2];
  const length2 = g[s + 7];
  const p2 = px * px + py * py + pz * pz;
  if (length2 === 0) return Math.sqrt(p2) - g[s + 3];
  const along = px * g[s + 4] + py * g[s + 5] + pz * g[s + 6];
  const slope = g[s + 8];
  const across = Math.sqrt(Math.max(0, p2 * length2 - along * along));
  // The foot on the axis shifts against the taper: the nearest point of the cone lies along its own normal.
  const foot = along - (slope * across) / Math.sqrt(length2 - slope * slope);
  if (foot <= 0) return Math.sqrt(p2) - g[s + 3];
  if (foot >= length2) {
    const qx = px - g[s + 4];
    const qy = py - g[s + 5];
    const qz = pz - g[s + 6];
    return Math.sqrt(qx * qx + qy * qy + qz * qz) - g[s + 9];
  }
  return (across * Math.sqrt(length2 - slope * slope) + along * slope) / length2 - g[s + 3];
}

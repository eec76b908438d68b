// A plane that separates points from a triangle, by Gilbert's descent to the nearest points of two convex sets (1966).
// It is accepted only if the gap along its normal exceeds rounding.

/** Chosen: rounds of the descent; a gap that has not been found by then counts as none. */
const ITERATIONS = 24;

/** Proven: rounding of a dot product of three terms on coordinates of the given size, 6 half-ulps, with slack. */
const GAP_ERROR = 16 * 2 ** -53;

/**
 * Whether a plane with a gap parts `ids` from the triangle a, b, c. False: they meet, nearly touch, or none was found in
 * time. `gap` takes the direction found, towards the points, and how far along it from a the nearest of them is. Runs for
 * every face near a patch: all its values are locals of one function.
 */
export function findGap(
  points: Float64Array,
  ids: readonly number[],
  a: number,
  b: number,
  c: number,
  gap?: Float64Array,
): boolean {
  const ax = points[3 * a];
  const ay = points[3 * a + 1];
  const az = points[3 * a + 2];
  // Everything relative to the triangle's first corner, to keep precision far from the origin.
  const tx = [0, points[3 * b] - ax, points[3 * c] - ax];
  const ty = [0, points[3 * b + 1] - ay, points[3 * c + 1] - ay];
  const tz = [0, points[3 * b + 2] - az, points[3 * c + 2] - az];
  // d is a point of (hull − triangle); it descends toward the one nearest to zero.
  let dx = points[3 * ids[0]] - ax - (tx[1] + tx[2]) / 3;
  let dy = points[3 * ids[0] + 1] - ay - (ty[1] + ty[2]) / 3;
  let dz = points[3 * ids[0] + 2] - az - (tz[1] + tz[2]) / 3;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    let nearest = Infinity;
    let nearestId = 0;
    let scale = 0;
    for (const id of ids) {
      const x = points[3 * id] - ax;
      const y = points[3 * id + 1] - ay;
      const z = points[3 * id + 2] - az;
      const along = dx * x + dy * y + dz * z;
      if (along < nearest) {
        nearest = along;
        nearestId = id;
      }
      const size = Math.abs(dx * x) + Math.abs(dy * y) + Math.abs(dz * z);
      if (size > scale) scale = size;
    }
    let farthest = 0;
    let corner = 0;
    for (let k = 1; k < 3; k++) {
      const along = dx * tx[k] + dy * ty[k] + dz * tz[k];
      if (along > farthest) {
        farthest = along;
        corner = k;
      }
      const size = Math.abs(dx * tx[k]) + Math.abs(dy * ty[k]) + Math.abs(dz * tz[k]);
      if (size > scale) scale = size;
    }
    if (nearest - farthest > GAP_ERROR * scale) {
      if (gap !== undefined) {
        gap[0] = dx;
        gap[1] = dy;
        gap[2] = dz;
        gap[3] = nearest;
      }
      return true;
    }
    // The step toward the support point of (hull − triangle) along −d.
    const sx = points[3 * nearestId] - ax - tx[corner] - dx;
    const sy = points[3 * nearestId + 1] - ay - ty[corner] - dy;
    const sz = points[3 * nearestId + 2] - az - tz[corner] - dz;
    const length = sx * sx + sy * sy + sz * sz;
    if (!(length > 0)) return false;
    const step = Math.min(1, -(dx * sx + dy * sy + dz * sz) / length);
    if (!(step > 0)) return false;
    dx += step * sx;
    dy += step * sy;
    dz += step * sz;
  }
  return false;
}

// The distance of two triangles that do not meet, as the least over all pairs of features at whose inner points it can
// be attained: corner and corner, corner and edge, edge and edge, corner and face. Every candidate is a pair of points
// of the two triangles, so none is too small, and the least is one of them: faces against faces or edges attain theirs
// on a smaller pair too. The feet on two lines come from cross products, whose error shrinks with the angle.

/** Where the least distance was found, rewritten by each call. */
export const nearest = { pointA: new Float64Array(3), pointB: new Float64Array(3) };

const EPSILON = 1e-30;

/** The squared distance; corners at p[a[0..2]] and q[b[0..2]]. Triangles that cross elsewhere than at edges are not seen. */
export function triangleDistanceSquared(
  p: Float64Array,
  a: ArrayLike<number>,
  q: Float64Array,
  b: ArrayLike<number>,
): number {
  let best = Infinity;
  const { pointA, pointB } = nearest;
  const offer = (x: number, y: number, z: number, u: number, v: number, w: number): void => {
    const square = (x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w);
    if (square < best) {
      best = square;
      pointA[0] = x;
      pointA[1] = y;
      pointA[2] = z;
      pointB[0] = u;
      pointB[1] = v;
      pointB[2] = w;
    }
  };
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const x = a[i];
      const u = b[j];
      offer(p[x], p[x + 1], p[x + 2], q[u], q[u + 1], q[u + 2]);
    }
  }
  for (let i = 0; i < 3; i++) {
    const x = a[i];
    const u = b[i];
    for (let j = 0; j < 3; j++) {
      if (cornerOverEdge(p, x, q, b[j], b[(j + 1) % 3])) offer(p[x], p[x + 1], p[x + 2], foot[0], foot[1], foot[2]);
      if (cornerOverEdge(q, u, p, a[j], a[(j + 1) % 3])) offer(foot[0], foot[1], foot[2], q[u], q[u + 1], q[u + 2]);
      if (edgeOverEdge(p, x, a[(i + 1) % 3], q, b[j], b[(j + 1) % 3])) {
        offer(foot[0], foot[1], foot[2], otherFoot[0], otherFoot[1], otherFoot[2]);
      }
    }
    if (cornerOverFace(p, x, q, b[0], b[1], b[2])) offer(p[x], p[x + 1], p[x + 2], foot[0], foot[1], foot[2]);
    if (cornerOverFace(q, u, p, a[0], a[1], a[2])) offer(foot[0], foot[1], foot[2], q[u], q[u + 1], q[u + 2]);
  }
  return best;
}

const foot = new Float64Array(3);
const otherFoot = new Float64Array(3);

/** The foot of corner x on the edge c-d, when it lies within. */
function cornerOverEdge(p: Float64Array, x: number, q: Float64Array, c: number, d: number): boolean {
  let along = 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const step = q[d + k] - q[c + k];
    along += step * (p[x + k] - q[c + k]);
    square += step * step;
  }
  if (!(along > 0 && along < square)) return false;
  // From the nearer end, so that the foot of a corner near an end is not rounded by the length of the edge.
  const t = along / square;
  for (let k = 0; k < 3; k++) {
    foot[k] = t <= 0.5 ? q[c + k] + t * (q[d + k] - q[c + k]) : q[d + k] - (1 - t) * (q[d + k] - q[c + k]);
  }
  return true;
}

/** The feet of the common perpendicular of two edges, moved to the nearest points within each. */
function edgeOverEdge(p: Float64Array, a: number, b: number, q: Float64Array, c: number, d: number): boolean {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = q[d] - q[c];
  const vy = q[d + 1] - q[c + 1];
  const vz = q[d + 2] - q[c + 2];
  const wx = q[c] - p[a];
  const wy = q[c + 1] - p[a + 1];
  const wz = q[c + 2] - p[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > EPSILON * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))) return false;
  // (w − s·u + t·v) is along n: dot with v × n and u × n.
  let s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / square;
  let t = ((wy * uz - wz * uy) * nx + (wz * ux - wx * uz) * ny + (wx * uy - wy * ux) * nz) / square;
  // Feet outside by more than rounding are no candidates; the corners' feet are.
  if (!(s > -1e-3 && s < 1.001 && t > -1e-3 && t < 1.001)) return false;
  s = Math.min(1, Math.max(0, s));
  t = Math.min(1, Math.max(0, t));
  foot[0] = p[a] + s * ux;
  foot[1] = p[a + 1] + s * uy;
  foot[2] = p[a + 2] + s * uz;
  otherFoot[0] = q[c] + t * vx;
  otherFoot[1] = q[c + 1] + t * vy;
  otherFoot[2] = q[c + 2] + t * vz;
  return true;
}

/** The foot of corner x in the plane of a triangle, when it lies within. */
function cornerOverFace(p: Float64Array, x: number, q: Float64Array, a: number, b: number, c: number): boolean {
  const ux = q[b] - q[a];
  const uy = q[b + 1] - q[a + 1];
  const uz = q[b + 2] - q[a + 2];
  const vx = q[c] - q[a];
  const vy = q[c + 1] - q[a + 1];
  const vz = q[c + 2] - q[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > EPSILON * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))) return false;
  const wx = p[x] - q[a];
  const wy = p[x + 1] - q[a + 1];
  const wz = p[x + 2] - q[a + 2];
  const beta = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / square;
  const gamma = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / square;
  if (!(beta >= 0 && gamma >= 0 && beta + gamma <= 1)) return false;
  foot[0] = q[a] + beta * ux + gamma * vx;
  foot[1] = q[a + 1] + beta * uy + gamma * vy;
  foot[2] = q[a + 2] + beta * uz + gamma * vz;
  return true;
}

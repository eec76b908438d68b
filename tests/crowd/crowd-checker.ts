// Checks a crowd without any code of the library: all triangles of two bodies against each other, at many times between two
// poses. Bodies move straight and turn evenly about the vertical axis; distances are those of points, edges and faces.

/** Vertices three by three, and corners of triangles. */
export interface PlainMesh {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** Vertices of a body at a share of the way between two poses x, y, z and a turn about y. */
export function placedVertices(mesh: PlainMesh, from: readonly number[], to: readonly number[], t: number): number[] {
  const angleOf = (pose: readonly number[]): number => 2 * Math.atan2(pose[4], pose[6]);
  let turn = (angleOf(to) - angleOf(from)) % (2 * Math.PI);
  if (turn > Math.PI) turn -= 2 * Math.PI;
  if (turn < -Math.PI) turn += 2 * Math.PI;
  const angle = angleOf(from) + t * turn;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const out: number[] = [];
  for (let i = 0; i < mesh.positions.length; i += 3) {
    const [x, y, z] = [mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]];
    out.push(
      c * x + s * z + from[0] + t * (to[0] - from[0]),
      y + from[1] + t * (to[1] - from[1]),
      -s * x + c * z + from[2] + t * (to[2] - from[2]),
    );
  }
  return out;
}

type Point = readonly [number, number, number];
const sub = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const at = (a: Point, d: Point, t: number): Point => [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]];

function segments(a: Point, b: Point, c: Point, d: Point): number {
  const [u, v, w] = [sub(b, a), sub(d, c), sub(a, c)];
  const [uu, uv, vv, uw, vw] = [dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)];
  let least = Infinity;
  const measure = (s: number, t: number): void => {
    const gap = sub(at(a, u, s), at(c, v, t));
    least = Math.min(least, dot(gap, gap));
  };
  const det = uu * vv - uv * uv;
  if (det > 0) measure(clamp((uv * vw - vv * uw) / det), clamp((uu * vw - uv * uw) / det));
  for (const s of [0, 1]) measure(s, clamp((vw + s * uv) / vv));
  for (const t of [0, 1]) measure(clamp((t * uv - uw) / uu), t);
  return least;
}

function pointTriangle(p: Point, a: Point, b: Point, c: Point): number {
  const [e, f, w] = [sub(b, a), sub(c, a), sub(p, a)];
  const [ee, ef, ff, we, wf] = [dot(e, e), dot(e, f), dot(f, f), dot(w, e), dot(w, f)];
  const det = ee * ff - ef * ef;
  if (!(det > 0)) return Infinity;
  const [s, t] = [(ff * we - ef * wf) / det, (ee * wf - ef * we) / det];
  if (s < 0 || t < 0 || s + t > 1) return Infinity;
  const gap = sub(w, [s * e[0] + t * f[0], s * e[1] + t * f[1], s * e[2] + t * f[2]]);
  return dot(gap, gap);
}

/** The least distance of two bodies that do not cross, over all pairs of triangles. */
export function bruteDistance(a: PlainMesh, va: readonly number[], b: PlainMesh, vb: readonly number[]): number {
  const corner = (v: readonly number[], i: number): Point => [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
  let least = Infinity;
  for (let i = 0; i < a.indices.length; i += 3) {
    const p = [0, 1, 2].map((k) => corner(va, a.indices[i + k]));
    for (let j = 0; j < b.indices.length; j += 3) {
      const q = [0, 1, 2].map((k) => corner(vb, b.indices[j + k]));
      let apart = 0;
      for (let k = 0; k < 3; k++) {
        const [pl, ph] = [Math.min(p[0][k], p[1][k], p[2][k]), Math.max(p[0][k], p[1][k], p[2][k])];
        const [ql, qh] = [Math.min(q[0][k], q[1][k], q[2][k]), Math.max(q[0][k], q[1][k], q[2][k])];
        apart += Math.max(0, pl - qh, ql - ph) ** 2;
      }
      if (apart >= least) continue;
      for (let k = 0; k < 3; k++) {
        least = Math.min(least, pointTriangle(p[k], q[0], q[1], q[2]), pointTriangle(q[k], p[0], p[1], p[2]));
        for (let m = 0; m < 3; m++) least = Math.min(least, segments(p[k], p[(k + 1) % 3], q[m], q[(m + 1) % 3]));
      }
    }
  }
  return Math.sqrt(least);
}

// The Voronoi diagram of a few points in space, by trying all four of them: those with an empty sphere through them are
// the vertices, and every three of them span an edge, to another vertex or without end. Points must be in general position.

type P = readonly [number, number, number];

export interface OracleEdge {
  /** Three points in ascending order. */
  readonly key: string;
  /** Its part in the box. */
  readonly from: P;
  readonly to: P;
}

export interface OracleDiagram {
  readonly vertices: { readonly key: string; readonly center: P; readonly radius: number }[];
  readonly edges: OracleEdge[];
}

const sub = (a: P, b: P): P => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: P, b: P): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: P, b: P): P => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a: P): number => Math.sqrt(dot(a, a));

/** The center of the sphere through four points: Cramer's rule. */
function circumcenter(a: P, b: P, c: P, d: P): P {
  const [u, v, w] = [sub(b, a), sub(c, a), sub(d, a)];
  const det = 2 * dot(u, cross(v, w));
  const [uu, vv, ww] = [dot(u, u), dot(v, v), dot(w, w)];
  const [vw, wu, uv] = [cross(v, w), cross(w, u), cross(u, v)];
  return [0, 1, 2].map((i) => a[i] + (uu * vw[i] + vv * wu[i] + ww * uv[i]) / det) as unknown as P;
}

function clip(from: P, along: P, low: number, high: number, min: P, max: P): [number, number] | null {
  for (let axis = 0; axis < 3; axis++) {
    if (along[axis] === 0) {
      if (from[axis] < min[axis] || from[axis] > max[axis]) return null;
      continue;
    }
    const s = (min[axis] - from[axis]) / along[axis];
    const t = (max[axis] - from[axis]) / along[axis];
    low = Math.max(low, Math.min(s, t));
    high = Math.min(high, Math.max(s, t));
  }
  return low < high ? [low, high] : null;
}

export function pointVoronoi(points: readonly P[], min: P, max: P): OracleDiagram {
  const n = points.length;
  const vertices: { key: string; ids: number[]; center: P; radius: number }[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      for (let k = j + 1; k < n; k++) {
        for (let l = k + 1; l < n; l++) {
          const center = circumcenter(points[i], points[j], points[k], points[l]);
          const radius = length(sub(center, points[i]));
          const ids = [i, j, k, l];
          const empty = points.every((p, m) => ids.includes(m) || length(sub(center, p)) > radius);
          if (empty) vertices.push({ key: ids.join(), ids, center, radius });
        }
      }
    }
  }
  const byFace = new Map<string, { ids: number[]; other: number; center: P }[]>();
  for (const { ids, center } of vertices) {
    for (let leave = 0; leave < 4; leave++) {
      const face = ids.filter((_, m) => m !== leave);
      const key = face.join();
      byFace.set(key, [...(byFace.get(key) ?? []), { ids: face, other: ids[leave], center }]);
    }
  }
  const edges: OracleEdge[] = [];
  for (const [key, ends] of byFace) {
    const { ids, other, center } = ends[0];
    const [a, b, c] = ids.map((id) => points[id]);
    let along: P;
    let high = 1;
    if (ends.length === 2) along = sub(ends[1].center, center);
    else {
      // Away from the fourth point, at a right angle to the face.
      along = cross(sub(b, a), sub(c, a));
      if (dot(along, sub(points[other], a)) > 0) along = [-along[0], -along[1], -along[2]];
      high = Infinity;
    }
    const part = clip(center, along, 0, high, min, max);
    if (part === null) continue;
    const at = (t: number): P => [0, 1, 2].map((axis) => center[axis] + t * along[axis]) as unknown as P;
    edges.push({ key, from: at(part[0]), to: at(part[1]) });
  }
  return { vertices, edges };
}

// Counts the convex patches of a closed surface: greedy breadth-first growth over the dual graph by the three criteria
// of Ehmann and Lin 2001, section 4.1, seeds in face order. Hulls grow by brute force, criterion 3 clips every triangle
// near the hull by all of its planes: for models of a few thousand triangles.

type Point = readonly [number, number, number];
type Plane = readonly [nx: number, ny: number, nz: number, offset: number];

export function countConvexPatches(positions: ArrayLike<number>, indices: ArrayLike<number>): number {
  const points = Array.from({ length: positions.length / 3 }, (_, v): Point => {
    return [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
  });
  const faces = Array.from({ length: indices.length / 3 }, (_, f) => [
    indices[3 * f],
    indices[3 * f + 1],
    indices[3 * f + 2],
  ]);
  const size = Math.hypot(
    ...[0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])) - Math.min(...points.map((p) => p[k]))),
  );
  const epsilon = 1e-9 * size;
  const planes = faces.map(([a, b, c]) => planeThrough(points[a], points[b], points[c]));
  const low = Float64Array.from(
    faces.flatMap((face) => [0, 1, 2].map((k) => Math.min(...face.map((v) => points[v][k])))),
  );
  const high = Float64Array.from(
    faces.flatMap((face) => [0, 1, 2].map((k) => Math.max(...face.map((v) => points[v][k])))),
  );
  const acrossEdge = new Map<number, number>();
  faces.forEach((face, f) => {
    for (let k = 0; k < 3; k++) acrossEdge.set(face[k] * points.length + face[(k + 1) % 3], f);
  });

  const taken = new Uint8Array(faces.length);
  let patches = 0;
  for (let seed = 0; seed < faces.length; seed++) {
    if (taken[seed]) continue;
    patches++;
    taken[seed] = 1;
    const patch = [seed];
    const inPatch = new Set(patch);
    const hull = new GrowingHull(points, epsilon);
    for (const v of faces[seed]) hull.add(v);
    for (let head = 0; head < patch.length; head++) {
      const face = faces[patch[head]];
      for (let k = 0; k < 3; k++) {
        const f = acrossEdge.get(face[(k + 1) % 3] * points.length + face[k])!;
        if (taken[f]) continue;
        const apex = faces[f].find((v) => v !== face[k] && v !== face[(k + 1) % 3])!;
        const isVisible = (g: number) => heightAbove(planes[g], points[apex]) > epsilon;
        // Criterion 1 is the case g = patch[head] of criterion 2; the new face must not see the patch either.
        if (patch.some(isVisible)) continue;
        if (patch.some((g) => faces[g].some((v) => heightAbove(planes[f], points[v]) > epsilon))) continue;
        const grown = hull.clone();
        grown.add(apex);
        inPatch.add(f);
        const blocked = faces.some(
          (other, g) =>
            !inPatch.has(g) && grown.boxMeets(low, high, 3 * g) && grown.meetsInside(other.map((v) => points[v])),
        );
        if (blocked) {
          inPatch.delete(f);
          continue;
        }
        hull.copy(grown);
        taken[f] = 1;
        patch.push(f);
      }
    }
  }
  return patches;
}

function planeThrough(a: Point, b: Point, c: Point): Plane {
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n);
  const [x, y, z] = n.map((component) => component / length);
  return [x, y, z, x * a[0] + y * a[1] + z * a[2]];
}

function heightAbove(plane: Plane, p: Point): number {
  return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] - plane[3];
}

/** A convex hull that grows a vertex at a time; flat until four points span space. */
class GrowingHull {
  #vertices: number[] = [];
  #faces: { corners: number[]; plane: Plane }[] = [];
  readonly #low = [Infinity, Infinity, Infinity];
  readonly #high = [-Infinity, -Infinity, -Infinity];
  readonly #points: readonly Point[];
  readonly #epsilon: number;

  constructor(points: readonly Point[], epsilon: number) {
    this.#points = points;
    this.#epsilon = epsilon;
  }

  clone(): GrowingHull {
    const hull = new GrowingHull(this.#points, this.#epsilon);
    hull.copy(this);
    return hull;
  }

  copy(other: GrowingHull): void {
    this.#vertices = other.#vertices.slice();
    this.#faces = other.#faces.slice();
    for (let k = 0; k < 3; k++) {
      this.#low[k] = other.#low[k];
      this.#high[k] = other.#high[k];
    }
  }

  add(v: number): void {
    if (this.#vertices.includes(v)) return;
    this.#vertices.push(v);
    for (let k = 0; k < 3; k++) {
      this.#low[k] = Math.min(this.#low[k], this.#points[v][k]);
      this.#high[k] = Math.max(this.#high[k], this.#points[v][k]);
    }
    if (this.#faces.length > 0) this.#extend(v);
    else this.#start();
  }

  boxMeets(low: Float64Array, high: Float64Array, at: number): boolean {
    for (let k = 0; k < 3; k++) if (low[at + k] > this.#high[k] || high[at + k] < this.#low[k]) return false;
    return true;
  }

  /** Whether a part of the triangle lies deeper inside than rounding. */
  meetsInside(triangle: readonly Point[]): boolean {
    if (this.#faces.length === 0) return false;
    let polygon: Point[] = [...triangle];
    for (const { plane } of this.#faces) {
      polygon = clip(polygon, plane, -10 * this.#epsilon);
      if (polygon.length === 0) return false;
    }
    return true;
  }

  /** A tetrahedron of the first four vertices that span space; then the rest. */
  #start(): void {
    const vertices = this.#vertices;
    const points = this.#points;
    const epsilon = this.#epsilon;
    const [a, b, c] = vertices;
    if (vertices.length < 4) return;
    const base = planeThrough(points[a], points[b], points[c]);
    const apex = vertices.find((v) => Math.abs(heightAbove(base, points[v])) > epsilon);
    if (apex === undefined) return;
    const [p, q] = heightAbove(base, points[apex]) > 0 ? [c, b] : [b, c];
    this.#faces = [
      [a, p, q],
      [p, a, apex],
      [q, p, apex],
      [a, q, apex],
    ].map((corners) => this.#face(corners));
    for (const v of vertices) if (v !== a && v !== b && v !== c && v !== apex) this.#extend(v);
  }

  #extend(v: number): void {
    const visible = this.#faces.filter(({ plane }) => heightAbove(plane, this.#points[v]) > this.#epsilon);
    if (visible.length === 0) return;
    const edges = visible.flatMap(({ corners: [a, b, c] }) => [
      [a, b],
      [b, c],
      [c, a],
    ]);
    const horizon = edges.filter(([a, b]) => !edges.some(([c, d]) => c === b && d === a));
    this.#faces = this.#faces.filter((face) => !visible.includes(face));
    this.#faces.push(...horizon.map(([a, b]) => this.#face([a, b, v])));
  }

  #face(corners: number[]) {
    const [a, b, c] = corners.map((v) => this.#points[v]);
    return { corners, plane: planeThrough(a, b, c) };
  }
}

function clip(polygon: readonly Point[], plane: Plane, limit: number): Point[] {
  const kept: Point[] = [];
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const hp = heightAbove(plane, p) - limit;
    const hq = heightAbove(plane, q) - limit;
    if (hp <= 0) kept.push(p);
    if (hp <= 0 !== hq <= 0) {
      const t = hp / (hp - hq);
      kept.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])]);
    }
  });
  return kept;
}

// Structure of a closed surface, found by counting directed edges and walking the fans of vertices in hash maps.
// Written against the definition alone, so that it can judge the library's own report as well as its models.

export interface SurfaceStructure {
  /** What keeps the surface from being a closed oriented manifold, one line each; at most one line a kind of fault. */
  readonly faults: string[];
  readonly components: number;
  /** Sum over the components; meaningful without faults only. */
  readonly genus: number;
  readonly volume: number;
  /** The smallest ratio of a triangle's height to its longest side. */
  readonly thinnest: number;
}

export function surfaceStructure(positions: ArrayLike<number>, indices: ArrayLike<number>): SurfaceStructure {
  const vertices = positions.length / 3;
  const faces = indices.length / 3;
  const faults = new Map<string, string>();
  const fault = (kind: string, detail: string) => {
    if (!faults.has(kind)) faults.set(kind, `${kind}: ${detail}`);
  };

  const directed = new Map<number, number>();
  const seen = new Set<string>();
  const facesOf: number[][] = Array.from({ length: vertices }, () => []);
  for (let f = 0; f < faces; f++) {
    const corners = [indices[3 * f], indices[3 * f + 1], indices[3 * f + 2]];
    if (new Set(corners).size < 3) fault('repeated corner', `face ${f}`);
    const key = [...corners].sort((a, b) => a - b).join();
    if (seen.has(key)) fault('duplicate face', `face ${f}`);
    seen.add(key);
    for (let k = 0; k < 3; k++) {
      facesOf[corners[k]].push(f);
      const edge = corners[k] * vertices + corners[(k + 1) % 3];
      if (directed.has(edge)) fault('directed edge used twice', `faces ${directed.get(edge)} and ${f}`);
      directed.set(edge, f);
    }
  }
  for (const [edge, f] of directed) {
    const a = Math.floor(edge / vertices);
    const b = edge % vertices;
    if (!directed.has(b * vertices + a)) fault('edge without a twin', `face ${f}, vertices ${a} and ${b}`);
  }
  for (let v = 0; v < vertices; v++) {
    if (facesOf[v].length === 0) fault('unused vertex', `vertex ${v}`);
    else if (faults.size === 0 && fanSize(v, facesOf[v][0], indices, directed, vertices) !== facesOf[v].length) {
      fault('several fans at a vertex', `vertex ${v}`);
    }
  }

  const components = countComponents(vertices, indices);
  const euler = vertices - directed.size / 2 + faces;
  return {
    faults: [...faults.values()],
    components,
    genus: components - euler / 2,
    volume: signedVolume(positions, indices),
    thinnest: thinnestTriangle(positions, indices),
  };
}

/** Faces met when turning about `vertex` from `face` until it comes back. */
function fanSize(
  vertex: number,
  face: number,
  indices: ArrayLike<number>,
  directed: ReadonlyMap<number, number>,
  vertices: number,
): number {
  let count = 0;
  let f = face;
  do {
    count++;
    let k = 0;
    while (indices[3 * f + k] !== vertex) k++;
    const previous = indices[3 * f + ((k + 2) % 3)];
    f = directed.get(vertex * vertices + previous)!;
  } while (f !== face);
  return count;
}

function countComponents(vertices: number, indices: ArrayLike<number>): number {
  const parent = Array.from({ length: vertices }, (_, v) => v);
  const root = (v: number): number => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (let i = 0; i < indices.length; i += 3) {
    parent[root(indices[i + 1])] = root(indices[i]);
    parent[root(indices[i + 2])] = root(indices[i]);
  }
  return new Set(parent.map((_, v) => root(v))).size;
}

function signedVolume(p: ArrayLike<number>, indices: ArrayLike<number>): number {
  let six = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    six +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return six / 6;
}

function thinnestTriangle(p: ArrayLike<number>, indices: ArrayLike<number>): number {
  let thinnest = Infinity;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const side = (v: number, w: number) => [p[w] - p[v], p[w + 1] - p[v + 1], p[w + 2] - p[v + 2]];
    const [u, v, w] = [side(a, b), side(b, c), side(c, a)];
    const twiceArea = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    const longest = Math.max(Math.hypot(...u), Math.hypot(...v), Math.hypot(...w));
    thinnest = Math.min(thinnest, twiceArea / longest ** 2);
  }
  return thinnest;
}
